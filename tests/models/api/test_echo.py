"""Texts that a server gives back with log-probabilities, whatever its tokens and offsets look like."""

from __future__ import annotations

from typing import Any

import pytest

from referee.protocols import (
    ScoreText,
    TokenScores,
)
from tests.support.api_model import failure, opened
from tests.support.chat_server import Play, sends, status


def echoed(tokens: list[str], offsets: list[int] | None, text: str, *, first: float | None = None) -> object:
    """What a server that gives back the prompt says; the log-probability of token n is -n."""
    values = [first, *(-float(number) for number in range(1, len(tokens)))]
    told = {"tokens": tokens, "token_logprobs": values, "top_logprobs": None, "text_offset": offsets}
    return {"choices": [{"index": 0, "text": text, "logprobs": told}]}


@pytest.mark.parametrize(
    ("tokens", "offsets"),
    [
        (["", "The", " cat", " sat", "!"], [0, 0, 3, 7, 11]),
        (["<s>", "The", " cat", " sat", "!"], [0, 0, 3, 7, 11]),
        (["<s>", "The", " cat", " sat", "!"], [0, 3, 6, 10, 14]),
        (["<s>", "The", "cat", "sat", "!"], [0, 3, 6, 9, 12]),
        (["<s>", " The", " cat", " sat", "!"], [0, 0, 4, 8, 12]),
        (["<s>", "▁The", "▁cat", "▁sat", "!"], None),
        (["<s>", "The", " cat", " sat"], [0, 0, 3, 7]),
    ],
    ids=["empty start", "start", "start counted", "spaces lost", "space added", "no offsets", "nothing new"],
)
def test_tokens_from_the_start_on_are_scored(server: Play, tokens: list[str], offsets: list[int] | None) -> None:
    server.reply = lambda body: echoed(tokens, offsets, body["prompt"] + "!")
    model = opened(server)
    texts = [
        ScoreText("The cat sat"),
        ScoreText("The cat sat", 3),
        ScoreText("The cat sat", 4),
        ScoreText("The cat sat", 5),
    ]
    found = dict(model.score_texts(texts))
    assert found[0].logprobs == (-1.0, -2.0, -3.0)
    assert found[1] == found[2] == found[3]
    assert found[1].logprobs == (-2.0, -3.0)
    assert found[0].tokens != found[1].tokens
    assert dict(model.score_texts([ScoreText("The cat sat", 11)])) == {0: TokenScores(refused="no token to score")}
    request = server.requests[0]
    asked = {"model": "m", "prompt": "The cat sat", "echo": True, "logprobs": 1, "max_tokens": 1, "temperature": 0}
    assert request == {"path": "/v1/completions", "key": None, **asked}


@pytest.mark.parametrize("offsets", [[0, 0, 2, 2, 3, 4], [0, 3, 5, 6, 7, 8]], ids=["right", "drifted"])
def test_parts_of_characters_are_scored(server: Play, offsets: list[int]) -> None:
    server.reply = lambda body: echoed(["<s>", "Я ", "\ufffd", "\ufffd", "a", "!"], offsets, "Я 你a!")
    found = dict(opened(server).score_texts([ScoreText("Я 你a"), ScoreText("Я 你a", 2), ScoreText("Я 你a", 3)]))
    assert found[0].logprobs == (-1.0, -2.0, -3.0, -4.0)
    assert found[1].logprobs == (-2.0, -3.0, -4.0)
    assert found[2].logprobs == (-4.0,)


def test_texts_with_the_same_tokens_are_known_by_them(server: Play) -> None:
    """Not where parts of characters show alike: these may be other tokens."""
    server.reply = lambda body: echoed(["<s>", "The", " cat", "!"], None, body["prompt"] + "!")
    one, other = dict(opened(server).score_texts([ScoreText("The cat"), ScoreText("The cat ")])).values()
    assert one.tokens == other.tokens != ""
    server.reply = lambda body: echoed(["<s>", "\ufffd", "\ufffd", "!"], [0, 0, 0, 1], body["prompt"] + "!")
    unknown = dict(opened(server).score_texts([ScoreText("你")]))[0]
    assert unknown.tokens == ""


def test_tokens_that_cannot_be_found_are_refused(server: Play) -> None:
    server.reply = lambda body: echoed(["<s>", "Der", " Hund", "!"], None, "The dog!")
    found = dict(opened(server).score_texts([ScoreText("The dog")]))
    assert found == {0: TokenScores(refused="the server's tokens cannot be found in the text")}


def test_a_first_token_without_score_needs_something_before_it(server: Play) -> None:
    server.reply = lambda body: echoed(["The", " cat", "!"], [0, 3, 7], body["prompt"] + "!")
    error = failure(lambda: list(opened(server).score_texts([ScoreText("The cat"), ScoreText("The cat")])))
    assert "first token" in error.problem
    assert "before=" in error.remedy
    assert len(server.requests) == 1
    assert dict(opened(server).score_texts([ScoreText("The cat", 3)]))[0].logprobs == (-1.0,)
    server.reply = lambda body: echoed(["<e>", "The", " cat", "!"], [0, 3, 6, 10], body["prompt"] + "!")
    model = opened(server, ",before=<e>")
    assert dict(model.score_texts([ScoreText("The cat")]))[0].logprobs == (-1.0, -2.0)
    assert server.requests[-1]["prompt"] == "<e>The cat"


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (sends({"choices": [{"text": "und"}]}), "the answer has none"),
        (sends(echoed(["und"], [0], "und")), "it does not give back the text"),
        (status(404, {"detail": "Not Found"}), "was not found (404 Not Found: Not Found)"),
        (status(400, {"error": {"message": "echo is not supported"}}), "echo is not supported"),
        (status(501, {"error": "not implemented"}), "501 Not Implemented: not implemented"),
    ],
)
def test_a_server_that_cannot_score_texts_says_so_once(server: Play, fault: Any, why: str) -> None:
    server.faults = [fault]
    error = failure(lambda: list(opened(server).score_texts([ScoreText("The cat"), ScoreText("sat")])))
    assert error.problem.startswith("does not return the log-probabilities of a given text (")
    assert why in error.problem
    assert str(error.file).startswith(server.url)
    assert len(server.requests) == 1
