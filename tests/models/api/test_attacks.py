"""A server that means harm: every attack ends in one clear sentence, and what was answered before it is kept."""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.errors import RefereeError
from referee.io.retry import RetryPolicy
from referee.models.api.errors import ApiError
from referee.protocols import ScoreText
from tests.conftest import Command
from tests.support.api_model import KEY, chosen, failure, opened, translated
from tests.support.chat_server import (
    Play,
    Request,
    chat_reply,
    drip,
    drip_headers,
    endless,
    gzip_bomb,
    hang_up,
    many_headers,
    raw,
    reset,
    sends,
    serving,
    soon,
    stall,
    status,
)
from tests.support.items import item

TWICE = RetryPolicy(attempts=2, backoff=0.01, longest=3.0)
DEEP = b'{"choices": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
CHOICE: dict[str, Any] = chat_reply("fine")["choices"][0]


def with_choice(**fields: object) -> Any:
    return sends({"choices": [{**CHOICE, **fields}]})


def with_logprob(text: str) -> Any:
    choice = b'{"message": {"content": "A"}, "logprobs": {"content": [{"token": "A", "logprob": %s}]}}'
    return sends(b'{"choices": [' + choice % text.encode() + b"]}")


ATTACKS: dict[str, tuple[Any, str]] = {
    "endless body": (endless, "sends an answer of more than 16 MiB"),
    "gzip bomb": (gzip_bomb, "sends an answer of more than 16 MiB"),
    "gzip bomb in an error": (
        status(400, gzip.compress(b"x" * (1 << 26)), Content_Encoding="gzip"),
        "rejects the request (400 Bad Request: xxx",
    ),
    "slow drip": (drip, "no complete answer in 1.5 s"),
    "slow drip of headers": (drip_headers, "no complete answer in 1.5 s"),
    "interim answers without end": (soon, "no complete answer in 1.5 s"),
    "headers without end": (many_headers, "the connection was lost ("),
    "nothing": (stall, "no complete answer in 1.5 s"),
    "connection reset": (reset, "the connection was lost ("),
    "body too short": (hang_up, "the connection was lost ("),
    "two lengths": (
        raw(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde"),
        "the connection was lost (",
    ),
    "length that is no number": (raw(b"HTTP/1.1 200 OK\r\nContent-Length: -7\r\n\r\n"), "the connection was lost ("),
    "no HTTP": (raw(b"\x00\xff" * 100), "the connection was lost ("),
    "damaged gzip": (sends(gzip.compress(b"x" * 99)[:-9] + b"?" * 9, Content_Encoding="gzip"), "cannot be unpacked"),
    "cut gzip": (sends(zlib.compress(b"{}")[:-3], Content_Encoding="deflate"), "packed answer is not complete"),
    "packed otherwise": (sends(b"x", Content_Encoding="br"), "packed as 'br', which was not asked for"),
    "redirect": (status(302, b"", Location="http://elsewhere.invalid/v1"), "redirects to http://elsewhere.invalid/v1"),
    "redirect of POST": (status(307, b"", Location="/v1/chat/completions"), "redirects to /v1/chat/completions"),
    "redirect to nowhere": (status(301, b""), "redirects to nowhere"),
    "not JSON": (sends(b"hello"), "the response is not valid (JSON is malformed"),
    "deep JSON": (sends(DEEP), "the response is not valid ("),
    "deep JSON in an error": (status(400, DEEP), "rejects the request (400 Bad Request"),
    "not UTF-8": (sends(b'{"choices": [{"message": {"content": "\xff\xfe"}}]}'), "the response is not valid ("),
    "too much text": (with_choice(message={"content": "x" * 100_000}), "more than max_tokens allows"),
    "choices missing": (sends({}), "missing required field `choices`"),
    "choices empty": (sends({"choices": []}), "the response is not valid"),
    "choices of a wrong type": (sends({"choices": 7}), "Expected `array`, got `int`"),
    "choice of a wrong type": (sends({"choices": ["x"]}), "Expected `object`, got `str`"),
    "message missing": (sends({"choices": [{}]}), "missing required field `message`"),
    "message of a wrong type": (with_choice(message=[1]), "Expected `object`, got `array`"),
    "content of a wrong type": (with_choice(message={"content": {"a": 1}}), "Expected `str | null`, got `object`"),
    "refusal of a wrong type": (with_choice(message={"content": "a", "refusal": 1}), "Expected `str | null`"),
    "finish of a wrong type": (with_choice(finish_reason=7), "Expected `str | null`, got `int`"),
    "logprobs of a wrong type": (with_choice(logprobs="x"), "Expected `object | null`, got `str`"),
    "tokens of a wrong type": (with_choice(logprobs={"content": 7}), "Expected `array | null`, got `int`"),
    "token of a wrong type": (with_choice(logprobs={"content": [{"token": 1, "logprob": 0}]}), "Expected `str`"),
    "NaN": (with_logprob("NaN"), "the response is not valid (JSON is malformed"),
    "Infinity": (with_logprob("-Infinity"), "the response is not valid (JSON is malformed"),
    "a number too large": (with_logprob("-1e999"), "the response is not valid ("),
    "a huge number": (with_logprob("-1" + "0" * 300), "the response is not valid ("),
    "a probability above one": (with_logprob("3.5"), "Expected `float` <= 0.01"),
    "wait for ever": (status(429, b"", Retry_After="9" * 400), "429 Too Many Requests, asking to wait 1000000000 s"),
    "wait until the year 9999": (
        status(503, b"", Retry_After="Fri, 31 Dec 9999 23:59:59 GMT"),
        "503 Service Unavailable, asking to wait",
    ),
    "no status": (raw(b"HTTP/1.1 99999 What\r\n\r\n"), "the connection was lost ("),
    "web page": (sends(b"<html>", Content_Type="text/html"), "returns a web page instead of an answer"),
    "control sequences": (
        status(400, {"error": {"message": "\x1b]0;owned\x07\x1b[2J\u202ebad\x9b31m\r\nthing" + "y" * 10_000}}),
        "(400 Bad Request: ]0;owned [2J bad 31m thingyyy",
    ),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_one_sentence_and_nothing_lost(server: Play, tmp_path: Path, name: str) -> None:
    fault, problem = ATTACKS[name]
    items = [item(id=str(number), source=f"It was {number}.") for number in range(3)]
    cache = tmp_path / "cache.sqlite"
    server.faults = [sends(chat_reply("one")), sends(chat_reply("two")), *[fault] * 9]
    timeout = 1.5 if "1.5 s" in problem else 60
    error = failure(
        lambda: referee.evaluate(
            opened(server, f",timeout={timeout},parallel=1", TWICE),
            items,
            how="generative",
            cache=cache,
            out=tmp_path / "run",
        )
    )
    assert isinstance(error, ApiError)
    assert problem in error.problem
    told = str(error)
    assert told.startswith(f"{server.url}")
    assert len(told) < 800
    assert told.isprintable()
    assert server.streamed < 1 << 28
    # The same command asks for the rest only.
    server.faults.clear()
    server.requests.clear()
    run = referee.evaluate(opened(server), items, how="generative", cache=cache, out=tmp_path / "run")
    assert server.prompts == ["It was 2."]
    assert [verdict.output for verdict in run.sets[0].verdicts] == ["one", "two", "fine"]


def test_attacks_on_the_command_line(server: Play, tmp_path: Path, referee: Command) -> None:
    import referee as api

    api.sets.save([item()], tmp_path / "items.jsonl")
    for name in ("endless body", "redirect", "deep JSON in an error", "control sequences"):
        server.faults = [ATTACKS[name][0]]
        out = referee(
            "eval", f"api:{server.url},model=m", tmp_path / "items.jsonl", "--how", "generative", "--no-cache"
        )
        assert out.code == 1
        assert ATTACKS[name][1].partition(" (")[0] in out.err
        assert "Traceback" not in out.err
        assert "\x1b]" not in out.err
        assert "\u202e" not in out.err


def test_the_key_is_sent_to_no_other_server(server: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_API_KEY", KEY)
    with serving() as other:
        for code in (301, 302, 303, 307, 308):
            server.faults = [status(code, b"", Location=f"{other.url}/chat/completions?{KEY}")] * 100
            server.requests.clear()
            error = failure(lambda: translated(server))
            assert "redirects to" in error.problem
            assert len(server.requests) == 1
        assert other.requests == []


def test_memory_is_bounded(server: Play) -> None:
    """What is read of an answer without end is a little more than the limit; 64 MiB fit into the buffers on the way."""
    server.faults = [endless]
    failure(lambda: translated(server))
    assert server.streamed < 64 << 20
    server.streamed = 0
    server.faults = [gzip_bomb]
    failure(lambda: translated(server))
    assert server.streamed < 64 << 20  # packed


def test_an_answer_may_be_packed(server: Play) -> None:
    content = json.dumps(chat_reply("fine")).encode()
    for encoding, packed in (
        ("gzip", gzip.compress(content)),
        ("deflate", zlib.compress(content)),
        ("identity", content),
    ):
        server.faults = [sends(packed, Content_Encoding=encoding)]
        assert translated(server) == [(0, "fine")]


def echoed(**logprobs: object) -> Request:
    return {"choices": [{"text": "The cat sat. x", "logprobs": {"tokens": ["The cat sat.", " x"], **logprobs}}]}


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ({"choices": [{"text": 7}]}, "Expected `str`"),
        ({"choices": [{"text": "The cat sat."}]}, "does not return the log-probabilities"),
        (echoed(), "missing required field `token_logprobs`"),
        (echoed(token_logprobs=[-1.0]), "does not give back the text"),
        (echoed(token_logprobs=["x", -1.0]), "Expected `float | null`"),
        (echoed(token_logprobs=[-1e30, -1.0]), "Expected `float` >= -1000000000.0"),
        (echoed(token_logprobs=[7.0, -1.0]), "Expected `float` <= 0.01"),
        (echoed(token_logprobs=[-1.0] * 2, text_offset=["x"]), "Expected `int`"),
    ],
)
def test_scores_that_cannot_be(server: Play, answer: object, problem: str) -> None:
    server.reply = lambda body: answer
    assert problem in failure(lambda: list(opened(server).score_texts([ScoreText("The cat sat.")]))).problem


def test_tokens_without_end(server: Play) -> None:
    """A million tokens of nothing are not looked for in the text."""
    many = {"tokens": [""] * 200_000, "token_logprobs": [-1.0] * 200_000, "text_offset": [0] * 200_000}
    server.reply = lambda body: {"choices": [{"text": "The cat sat.", "logprobs": many}]}
    found = dict(opened(server).score_texts([ScoreText("The cat sat.")]))
    assert found[0].refused == "the server's tokens cannot be found in the text"


def test_offsets_that_cannot_be_are_not_used(server: Play) -> None:
    for offsets in ([10**18, -(10**18)], [0, 10**18], [-5, 0], [0], []):
        answer = echoed(token_logprobs=[-1.5, -1.0], text_offset=offsets)
        server.faults = [sends(answer)]
        found = dict(opened(server).score_texts([ScoreText("The cat sat.")]))
        assert found[0].logprobs == (-1.5,)


def test_choices_from_huge_answers(server: Play) -> None:
    server.reply = lambda body: chat_reply("!" * 1_000_000)
    assert chosen(server, ",logprobs=no")[0].refused == "no answer names an option, in either order"


def test_errors_of_attacks_are_ours() -> None:
    assert issubclass(ApiError, RefereeError)
