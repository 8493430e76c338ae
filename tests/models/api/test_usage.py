"""Tokens, cost, and the limits of both."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

import referee
from referee.errors import UsageError
from referee.models.api.chat import open_api
from referee.models.api.errors import ApiError, BudgetSpentError
from referee.models.api.usage import Meter, Prices, Reported, reported
from referee.models.spec import parse
from referee.protocols import Metered, Usage
from referee.runs import store
from tests.conftest import Command
from tests.support.api_model import failure, opened, sources, translated
from tests.support.chat_server import Play, chat_reply, hang_up, status
from tests.support.items import item

USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 50,
    "total_tokens": 150,
    "prompt_tokens_details": {"cached_tokens": 40, "audio_tokens": 0},
    "completion_tokens_details": {"reasoning_tokens": 30},
}
PRICES = ",price_in=2,price_out=10,price_cached=0.5"
EACH = (60 * 2 + 40 * 0.5 + 50 * 10) / 1e6
ITEMS = [item(id=str(number), source=f"It was {number}.") for number in range(12)]


def test_tokens_and_cost_are_in_the_run(server: Play, tmp_path: Path) -> None:
    server.reply = lambda body: {**chat_reply("fine"), "usage": USAGE}
    model = opened(server, PRICES)
    assert isinstance(model, Metered)
    referee.evaluate(model, ITEMS, how="generative", out=tmp_path / "run")
    told = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))["usage"]
    assert told.pop("cost") == pytest.approx(12 * EACH)
    assert told == {
        "requests": 12,
        "answers": 12,
        "prompt_tokens": 1200,
        "cached_tokens": 480,
        "completion_tokens": 600,
        "reasoning_tokens": 360,
        "unreported": 0,
        "sent": [],
    }


def test_without_prices_there_is_no_cost(server: Play) -> None:
    server.reply = lambda body: {**chat_reply("fine"), "usage": {"prompt_tokens": 7, "completion_tokens": 3}}
    model = opened(server)
    list(model.translate(sources(2)))
    assert model.usage() == Usage(requests=2, answers=2, prompt_tokens=14, completion_tokens=6)


def test_max_cost_is_never_exceeded_and_the_run_resumes(server: Play, tmp_path: Path) -> None:
    server.reply = lambda body: {**chat_reply("fine"), "usage": USAGE}
    server.delay = 0.02
    out, cache = tmp_path / "run", tmp_path / "cache.sqlite"
    limit = 0.005

    def run(max_cost: float) -> None:
        model = opened(server, f"{PRICES},max_cost={max_cost}")
        referee.evaluate(model, ITEMS, how="generative", out=out, cache=cache)

    with pytest.raises(ApiError) as caught:
        run(limit)
    assert caught.value.problem.startswith("max_cost=0.005 does not cover another request (")
    assert "raise max_cost=" in caught.value.remedy
    first = store.read_info(out).usage
    assert first is not None
    assert first.cost is not None
    assert 0 < first.cost <= limit
    assert 0 < first.answers == len(server.requests) < len(ITEMS)
    # The same limit holds for the run as a whole: the same command pays for nothing more.
    with pytest.raises(ApiError):
        run(limit)
    assert len(server.requests) == first.answers
    run(1.0)
    last = store.read_info(out).usage
    assert last is not None
    assert last.cost == pytest.approx(12 * EACH)
    assert len(server.requests) == last.answers == 12  # nothing was asked, or paid for, twice


def test_a_run_resumes_with_a_larger_budget(server: Play, tmp_path: Path, referee: Command) -> None:
    """The budget, the rate and the prices are not part of what a run is."""
    import referee as api

    api.sets.save(ITEMS, tmp_path / "items.jsonl")
    arguments = (tmp_path / "items.jsonl", "--how", "generative", "--out", tmp_path / "run")
    cache = ("--cache", tmp_path / "cache.sqlite")
    first = referee("eval", f"api:{server.url},model=m,budget=5", *arguments, *cache)
    assert first.code == 1
    assert "the budget of 5 requests is used up after 5 answers" in first.err
    second = referee("eval", f"api:{server.url},model=m,budget=50,parallel=2", *arguments, *cache)
    assert second.code == 0, second.err
    assert len(server.requests) == 12


def test_answers_without_counts_cost_the_most_they_can(server: Play) -> None:
    model = opened(server, ",price_in=1,price_out=1,max_tokens=100")
    list(model.translate(sources(1)))
    usage = model.usage()
    assert (usage.answers, usage.unreported) == (1, 1)
    assert usage.cost is not None
    assert usage.cost > 100 / 1e6
    # An answer that got lost may have to be paid for, a refusal not.
    server.faults = [hang_up, status(500), status(429)]
    list(model.translate(sources(1)))
    assert model.usage().unreported == 3


@pytest.mark.parametrize(
    "usage", [None, 7, "x", [], {}, {"prompt_tokens": -1}, {"prompt_tokens": 1e30}, {"prompt_tokens": "7"}]
)
def test_counts_that_cannot_be_are_none(usage: object) -> None:
    assert reported(json.dumps({"choices": [], "usage": usage}).encode()) is None


def test_counts_that_are_given() -> None:
    found = reported(json.dumps({"usage": USAGE}).encode())
    assert found == Reported(100, 50, found.prompt_tokens_details, found.completion_tokens_details) if found else False
    assert found is not None
    assert (found.cached, found.reasoning) == (40, 30)
    assert reported(b"{}") is None
    assert reported(b"[" * 100_000) is None


def test_requests_wait_for_those_that_decide() -> None:
    meter = Meter(prices=Prices(1, 1, 1), max_cost=10e-6)
    first = meter.admit(4, 4)
    assert first == pytest.approx(8e-6)
    assert meter.admit(4, 4) is None
    meter.settle(first or 0, Reported(1, 1))
    second = meter.admit(4, 4)
    assert second == pytest.approx(8e-6)
    meter.release(second or 0)
    third = meter.admit(4, 4)
    meter.lose(third or 0)
    with pytest.raises(BudgetSpentError, match="does not cover another request"):
        meter.admit(4, 4)
    assert meter.usage == Usage(3, 1, 1, 0, 1, 0, 1, meter.usage.cost)


def test_counting_from_many_threads() -> None:
    meter = Meter(prices=Prices(1, 1, 1))

    def work() -> None:
        for _ in range(200):
            meter.settle(meter.admit(1, 1) or 0, Reported(1, 1))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert meter.usage.answers == meter.usage.prompt_tokens == 1600


@pytest.mark.parametrize(
    "options", [",max_cost=1", ",price_in=1", ",price_in=1,max_cost=1", ",price_in=-1,price_out=1", ",price_cached=1"]
)
def test_prices_that_do_not_do(options: str) -> None:
    with pytest.raises(UsageError):
        open_api(parse(f"api:http://h/v1,model=m{options}"))
    assert open_api(parse("api:http://h/v1,model=m,price_in=0,price_out=0.0,max_cost=1")).client.meter.prices


def test_a_budget_below_one_request(server: Play) -> None:
    error = failure(lambda: translated(server, ",price_in=1000000,price_out=1,max_cost=1"))
    assert "does not cover another request (0 spent" in error.problem
    assert server.requests == []
