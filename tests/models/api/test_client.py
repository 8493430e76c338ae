"""Many requests at once: in order or not, at a rate, within a budget, until an interrupt."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from referee.models.api.errors import ApiError
from referee.protocols import Translation
from tests.support.api_model import failure, opened, sources, translated
from tests.support.chat_server import Play, Request, chat_reply, sends, stall, status


def test_requests_overlap_up_to_the_limit(server: Play) -> None:
    server.delay = 0.1
    got = translated(server, ",parallel=6", number=18)
    assert len(got) == 18
    assert server.most_at_once == 6


def test_answers_belong_to_their_questions_whatever_comes_first(server: Play) -> None:
    def reply(body: Request) -> object:
        time.sleep(random.random() / 50)
        return chat_reply(body["messages"][-1]["content"].upper())

    server.reply = reply
    got = translated(server, number=40)
    assert dict(got) == {number: f"SENTENCE {number}." for number in range(40)}


def test_answers_come_as_they_get_done(server: Play) -> None:
    release = threading.Event()

    def reply(body: Request) -> object:
        if "Sentence 1." in body["messages"][-1]["content"]:
            release.wait(10)
        return chat_reply("x")

    server.reply = reply
    answers = opened(server, ",parallel=2").translate(sources(4))
    assert [next(answers)[0] for _ in range(3)] == [0, 2, 3]
    release.set()
    assert list(answers) == [(1, Translation("x"))]


def test_the_rate_is_kept(server: Play) -> None:
    began = time.monotonic()
    translated(server, ",rate=20", number=9)
    assert 0.4 <= time.monotonic() - began < 2


def test_the_budget_is_kept(server: Play) -> None:
    server.delay = 0.05
    model = opened(server, ",budget=10,parallel=4")
    got: set[int] = set()
    with pytest.raises(ApiError) as caught:
        for number, _ in model.translate(sources(12)):
            got.add(number)
    assert caught.value.problem == "the budget of 10 requests is used up after 10 answers"
    assert "cache" in caught.value.remedy
    assert got == set(range(10))
    assert len(server.requests) == 10
    assert failure(lambda: list(model.translate(sources(1)))).problem.startswith("the budget of 10")


def test_retries_count_against_the_budget(server: Play) -> None:
    server.faults = [status(500)] * 20
    assert "used up after 0 answers" in failure(lambda: translated(server, ",budget=3")).problem
    assert len(server.requests) == 3


def test_who_stops_listening_waits_for_nobody(server: Play) -> None:
    server.faults = [sends(chat_reply("x")), *[stall] * 7]
    answers = opened(server).translate(sources(8))
    next(answers)
    began = time.monotonic()
    answers.close()  # type: ignore[attr-defined]
    assert time.monotonic() - began < 1
    assert "referee-api" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.parametrize("fault", [stall, status(500)], ids=["in an answer", "between attempts"])
def test_an_interrupt_ends_it_at_once(server: Play, fault: Any) -> None:
    server.faults = [sends(chat_reply("x")), *[fault] * 50]
    program = (
        # A shell that starts tests in the background lets them ignore interrupts.
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from referee.models.api.chat import open_api\n"
        "from referee.io.retry import RetryPolicy\n"
        "from referee.logs import show_on_stderr\n"
        "from referee.protocols import TranslateDoc\n"
        "from referee.models.spec import parse\n"
        f"model = open_api(parse('api:{server.url},model=m'), RetryPolicy(backoff=30.0))\n"
        "show_on_stderr()\n"
        "list(model.translate([TranslateDoc(('x',), 'en', 'de')] * 9))\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True) as process:
        while len(server.requests) < 9:
            time.sleep(0.02)
        time.sleep(0.1)
        began = time.monotonic()
        os.kill(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=10)
    assert time.monotonic() - began < 2
    assert "KeyboardInterrupt" in errors
    assert ("api: retrying in 3" in errors) == (fault is not stall)


def test_answers_that_came_before_a_failure_are_not_lost(server: Play) -> None:
    server.reply = lambda body: chat_reply("x") if "9" not in body["messages"][-1]["content"] else {"choices": 1}
    model = opened(server, ",parallel=2")
    got: set[int] = set()
    with pytest.raises(ApiError):
        for number, _ in model.translate(sources(12)):
            got.add(number)
    assert got >= set(range(9))
