"""One request: failures that pass are tried again, others are errors at once, and the key stays secret."""

from __future__ import annotations

import time
from email.utils import formatdate
from typing import Any

import pytest

from referee.io.retry import RetryPolicy
from referee.models.api.errors import ApiError
from referee.protocols import Translation
from tests.support.api_model import KEY, failure, opened, sources, translated
from tests.support.chat_server import Play, chat_reply, hang_up, sends, serving, stall, status


def test_a_server_that_asks_to_wait_is_waited_for(server: Play, caplog: pytest.LogCaptureFixture) -> None:
    server.faults = [status(429, {"error": {"message": "slow down"}}, Retry_After=1)]
    began = time.monotonic()
    got = translated(server, number=3)
    assert sorted(got) == [(0, "fine"), (1, "fine"), (2, "fine")]
    assert caplog.messages == ["api: retrying in 1 s: 429 Too Many Requests"]
    assert time.monotonic() - began >= 1
    assert len(server.requests) == 4


def test_the_time_to_wait_may_be_a_date(server: Play, caplog: pytest.LogCaptureFixture) -> None:
    server.faults = [status(503, b"", Retry_After=formatdate(time.time() + 2, usegmt=True))]
    translated(server)
    assert caplog.messages[0].endswith(" s: 503 Service Unavailable")
    caplog.clear()
    server.faults = [status(503, b"", Retry_After="soon")]
    translated(server)
    assert caplog.messages == ["api: retrying in 0.01 s: 503 Service Unavailable"]


def test_a_wait_that_is_too_long_is_no_wait(server: Play) -> None:
    server.faults = [status(429, b"", Retry_After=3600)]
    error = failure(lambda: translated(server))
    assert error.problem == "does not answer: 429 Too Many Requests, asking to wait 3600 s"
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("fault", "cause"),
    [
        (status(500, {"error": {"message": "out of memory."}}), "500 Internal Server Error: out of memory"),
        (status(502, b"<html>", Content_Type="text/html"), "502 Bad Gateway"),
        (hang_up, "the connection was lost (peer closed connection"),
        (stall, "no complete answer in 0.3 s"),
        (sends(b'{"choices": [{"mess'), "the response is not valid (Input data was truncated)"),
        (sends(b""), "it is empty"),
        (sends({"chioces": []}), "missing required field `choices`"),
        (sends({"choices": []}), "the response is not valid"),
        (sends({"choices": [{"text": "x"}]}), "missing required field `message`"),
        (sends(chat_reply(None)), "the response is not valid (no content)"),
        (sends([1, 2]), "the response is not valid"),
    ],
)
def test_what_fails_once_is_tried_again(server: Play, caplog: pytest.LogCaptureFixture, fault: Any, cause: str) -> None:
    server.faults = [fault]
    got = translated(server, ",timeout=0.3")
    assert got == [(0, "fine")]
    assert len(caplog.messages) == 1
    assert caplog.messages[0].startswith("api: retrying in 0.01 s: ")
    assert cause in caplog.messages[0]


def test_patience_has_an_end(server: Play) -> None:
    server.faults = [status(500)] * 20
    error = failure(lambda: translated(server))
    assert isinstance(error, ApiError)
    assert error.problem == "does not answer: 500 Internal Server Error (attempt 5)"
    assert len(server.requests) == 5
    server.faults = [sends(b"{}")] * 20
    assert "(attempt 3)" in failure(lambda: translated(server)).problem


def test_waiting_times_double(server: Play, caplog: pytest.LogCaptureFixture) -> None:
    server.faults = [status(500)] * 3
    model = opened(server, retry=RetryPolicy(backoff=0.2))
    assert list(model.translate(sources(1))) == [(0, Translation("fine"))]
    first, second, third = (float(line.split()[3]) for line in caplog.messages)
    assert 0.2 <= first <= 0.3 < second <= 0.5 < third <= 1


def test_nobody_there() -> None:
    with serving() as gone:
        pass
    error = failure(lambda: translated(gone))
    assert "Connection refused" in error.problem


@pytest.mark.parametrize(
    ("fault", "problem", "remedy"),
    [
        (status(401, {"error": {"message": f"Incorrect key {KEY}."}}), "rejects the key (401", "TEST_KEY"),
        (status(403, b"no"), "rejects the key (403 Forbidden: no)", "TEST_KEY"),
        (status(404, {"error": {"message": "no model m"}}), "(404 Not Found: no model m)", "model="),
        (status(400, {"detail": f"bad {KEY}"}), "rejects the request (400 Bad Request: bad ***)", "options"),
        (status(422, {"detail": [{"loc": "x"}]}), '{"detail": [{"loc": "x"}]}', "options"),
        (status(302, b"", Location="http://elsewhere/"), "302 Found", "address"),
        (status(429, {"error": {"code": "insufficient_quota"}}), "insufficient_quota", "options"),
        (sends(b"<html>", Content_Type="text/html"), "returns a web page", "/v1"),
    ],
)
def test_what_does_not_pass_is_an_error_at_once(
    server: Play, monkeypatch: pytest.MonkeyPatch, fault: Any, problem: str, remedy: str
) -> None:
    monkeypatch.setenv("TEST_KEY", KEY)
    server.faults = [fault] * 3
    error = failure(lambda: translated(server, ",key=TEST_KEY,parallel=1", number=5))
    assert problem in error.problem
    assert remedy in error.remedy
    assert str(error.file).startswith(server.url)
    assert len(server.requests) == 1


def test_a_server_that_asks_for_a_key(server: Play) -> None:
    server.faults = [status(401)]
    error = failure(lambda: translated(server))
    assert error.problem == "requires a key (401 Unauthorized)"
    assert "REFEREE_API_KEY" in error.remedy


def test_the_key_is_sent_and_nowhere_else(
    server: Play, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    translated(server)
    monkeypatch.setenv("REFEREE_API_KEY", f" {KEY}\n")
    translated(server)
    assert [request["key"] for request in server.requests] == [None, f"Bearer {KEY}"]
    model = opened(server)
    server.faults = [status(500, {"error": {"message": f"cannot use {KEY}"}})]
    list(model.translate(sources(1)))
    assert "cannot use ***" in caplog.messages[0]
    assert KEY not in repr((model, vars(model.client), model.client.terms, model.identity()))
