"""Parameters that a server refuses: sent in another way, left out, or missed with one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

import referee
from referee.models.api.parameters import NONE, REASONING_TOKENS, SYSTEM, Parameters, refused
from referee.protocols import ScoreText, TokenScores, Translation
from referee.runs import store
from tests.support.api_model import chosen, failure, opened, sources, translated
from tests.support.chat_server import Play, Request, chat_reply, openai_refusal, refusing, status
from tests.support.items import item

BODY = {"model": "m", "messages": [], "temperature": 0, "max_tokens": 16, "logprobs": True, "top_logprobs": 20}


def test_recent_openai_models_translate(server: Play, caplog: pytest.LogCaptureFixture) -> None:
    server.refuses = refusing("max_tokens", "temperature")
    assert len(translated(server, number=20)) == 20
    assert caplog.messages == [
        "api: the server refuses max_tokens, so max_completion_tokens is sent instead",
        "api: the server refuses temperature, so requests are sent without it",
    ]
    # One request alone finds out; the others are sent as the server takes them.
    assert len(server.requests) == 22
    for request in server.requests[2:]:
        assert not {"max_tokens", "temperature"} & request.keys()
        assert request["max_completion_tokens"] > REASONING_TOKENS  # reasoning counts against the limit
    server.requests.clear()
    translated(server, ",max_tokens=7")
    assert server.requests[-1]["max_completion_tokens"] == 7


@pytest.mark.parametrize("name", ["max_tokens", "temperature"])
@pytest.mark.parametrize(
    "error",
    [
        openai_refusal,
        lambda name: {"error": {"message": f"Unsupported parameter: '{name}'.", "param": None, "code": None}},
        lambda name: {"error": {"message": f"Unrecognized request argument supplied: {name}"}},
        lambda name: {"object": "error", "message": f"{name} is not supported", "param": name, "code": 400},
        lambda name: {"detail": [{"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs"}]},
        lambda name: {"message": {"detail": [{"loc": ["body", name], "msg": "Extra inputs are not permitted"}]}},
        lambda name: f"unknown field {name}".encode(),
        lambda name: {"error": f'json: unknown field "{name}"'},
    ],
)
def test_every_way_to_refuse_a_parameter(server: Play, name: str, error: object) -> None:
    server.refuses = refusing(name, error=error)  # type: ignore[arg-type]
    assert translated(server) == [(0, "fine")]
    assert name not in server.requests[-1]


def test_a_limit_that_is_refused_under_both_names_is_left_out(server: Play) -> None:
    server.refuses = refusing("max_tokens", "max_completion_tokens")
    assert translated(server) == [(0, "fine")]
    assert not {"max_tokens", "max_completion_tokens"} & server.requests[-1].keys()
    problem = failure(lambda: translated(server, ",price_in=1,price_out=1,max_cost=1")).problem
    assert problem == "refuses a limit of tokens, so the cost of an answer is not bounded"


def test_a_role_that_is_refused(server: Play) -> None:
    def refuses(handler: object, body: Request) -> bool:
        if body["messages"][0]["role"] != "system":
            return False
        message = "Unsupported value: 'messages[0].role' does not support 'system' with this model."
        fault = status(400, {"error": {"message": message, "param": SYSTEM, "code": "unsupported_value"}})
        fault(handler)  # type: ignore[arg-type]
        return True

    server.refuses = refuses
    assert translated(server) == [(0, "fine")]
    (message,) = server.requests[-1]["messages"]
    assert message["role"] == "user"
    assert message["content"].startswith("You are a professional translator.")
    assert message["content"].endswith("\n\nSentence 0.")


@pytest.mark.parametrize("code", [400, 403])
@pytest.mark.parametrize("name", ["logprobs", "top_logprobs"])
def test_log_probabilities_that_are_refused(
    server: Play, caplog: pytest.LogCaptureFixture, name: str, code: int
) -> None:
    def refuses(handler: object, body: Request) -> bool:
        if name not in body:
            return False
        status(code, {"error": {"message": f"You are not allowed to request {name} from this model"}})(handler)  # type: ignore[arg-type]
        return True

    server.refuses = refuses
    server.reply = lambda body: chat_reply("A")
    assert chosen(server) == {0: TokenScores((0.5, 0.5))}
    assert caplog.messages[-1].endswith("no log-probabilities of answers, so votes are counted")
    assert not {"logprobs", "top_logprobs"} & server.requests[-1].keys()
    problem = failure(lambda: chosen(server, ",logprobs=yes")).problem
    assert problem.startswith("does not return log-probabilities of answers (")


def test_fewer_alternatives_where_twenty_are_too_many(server: Play) -> None:
    def refuses(handler: object, body: Request) -> bool:
        if body.get("top_logprobs", 0) <= 5:
            return False
        told = {"message": "Invalid value for 'top_logprobs': must be at most 5", "param": "top_logprobs"}
        status(400, {"error": told})(handler)  # type: ignore[arg-type]
        return True

    def reply(body: Request) -> object:
        top = [{"token": "A", "logprob": -0.1}, {"token": "B", "logprob": -2.5}]
        return chat_reply("A", logprobs={"content": [{**top[0], "top_logprobs": top}]})

    server.refuses, server.reply = refuses, reply
    scores = chosen(server)[0].logprobs
    assert scores == pytest.approx((-1.3, -1.3))
    assert server.requests[-1]["top_logprobs"] == 5


@pytest.mark.parametrize("name", ["echo", "logprobs"])
def test_scoring_needs_what_is_refused(server: Play, name: str) -> None:
    server.refuses = refusing(name)
    error = failure(lambda: list(opened(server).score_texts([ScoreText("The cat sat.")])))
    assert error.problem.startswith("does not return the log-probabilities of a given text (rejects the request (400")
    assert len(server.requests) == 1


def test_what_is_wrong_with_a_value_is_not_a_refusal(server: Play) -> None:
    """A limit that the user must change is not dropped, and other fields are not parameters."""
    for told in (
        {
            "message": "max_tokens is too large: 9. This model supports at most 5 completion tokens.",
            "param": "max_tokens",
        },
        {"message": "Invalid 'max_tokens': integer below minimum value.", "param": "max_tokens"},
        {"message": "The model 'm' does not support temperature and chat", "param": "model"},
        {"message": "Unknown parameter: 'frobnicate'.", "param": "frobnicate"},
    ):
        server.faults = [status(400, {"error": told})]
        server.requests.clear()
        assert failure(lambda: translated(server)).problem.startswith("rejects the request (400 Bad Request: ")
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (b"", None),
        (b"[" * 100_000, None),
        (b'"temperature"', None),
        (b"\xff temperature is not supported", "temperature"),
        (json.dumps(openai_refusal("logprobs")).encode(), "logprobs"),
        (json.dumps(openai_refusal("seed")).encode(), None),
        (json.dumps({"error": {"param": 7, "loc": "temperature"}}).encode(), None),
        (b'{"error": {"message": "temperatures are not supported"}}', None),
    ],
)
def test_names_are_found_in_any_answer(answer: bytes, name: str | None) -> None:
    assert refused(BODY, 400, answer) == name
    assert refused(BODY, 500, answer) is None


def test_optional_parameters_are_left_out() -> None:
    parameters = Parameters()
    body = {**BODY, "seed": 1, "stop": ["x"], "n": 1}
    for name in ("seed", "stop", "n", "temperature", "logprobs"):
        assert refused(body, 400, msgspec.json.encode(openai_refusal(name))) == name
        assert parameters.learn(parameters.applied(body), name)
    assert parameters.applied(body).keys() == {"model", "messages", "max_tokens"}
    assert not parameters.learn(body, "echo", needed=("echo",))


def test_refusals_that_arrive_together_count_once(caplog: pytest.LogCaptureFixture) -> None:
    parameters = Parameters()
    for _ in range(8):
        assert parameters.learn(BODY, "max_tokens")
    assert parameters.text == "max_tokens=max_completion_tokens"
    assert len(caplog.messages) == 1
    later = Parameters()
    later.restore(parameters.text)
    assert later.applied(BODY) == parameters.applied(BODY)
    assert later.learn(later.applied(BODY), "max_completion_tokens")
    assert later.text == f"max_tokens={NONE}"


def test_a_run_records_what_was_sent_and_resumes_with_it(server: Play, tmp_path: Path) -> None:
    items = [item(id=str(number), source=f"It was {number}.") for number in range(6)]

    def run(name: str) -> store.RunInfo:
        cache = tmp_path / "cache.sqlite"
        referee.evaluate(opened(server), items, how="generative", cache=cache, out=tmp_path / name)
        return store.read_info(tmp_path / name)

    server.refuses = refusing("max_tokens", "temperature")
    info = run("one")
    assert info.usage is not None
    assert info.usage.sent == ("max_tokens=max_completion_tokens,temperature=none",)
    assert "|sent:max_tokens=max_completion_tokens,temperature=none|" in info.signature
    # A later run finds the answers under the parameters that were sent, and asks in the same way.
    server.requests.clear()
    assert run("two").signature == info.signature
    assert server.requests == []
    items.append(item(id="new", source="It was new."))
    run("three")
    (request,) = server.requests
    assert "max_tokens" not in request


def test_answers_under_other_parameters_are_other_answers(server: Play, tmp_path: Path) -> None:
    """What was answered with a temperature of 0 is not the answer to a request without it."""
    model = opened(server)
    cache = tmp_path / "cache.sqlite"
    referee.evaluate(model, [item()], how="generative", cache=cache)
    model.client.parameters.learn(BODY, "temperature")
    referee.evaluate(model, [item()], how="generative", cache=cache)
    assert len(server.requests) == 2
    assert "temperature" not in server.requests[-1]


def test_reasoning_may_use_up_all_tokens(server: Play, caplog: pytest.LogCaptureFixture) -> None:
    server.reply = lambda body: chat_reply("", finish_reason="length")
    cut = Translation("", truncated=True)
    assert list(opened(server).translate(sources(2))) == [(0, cut), (1, cut)]
    assert caplog.messages == ["api: 2 of 2 translations were cut off at max_tokens, 2 of them before their text began"]
    found = chosen(server, ",logprobs=no")
    assert found[0].refused == "the answer was cut off at max_tokens before its text began"
    server.reply = lambda body: chat_reply(None, finish_reason="length")
    assert chosen(server)[0] == found[0]
