"""How languages are called and how the letter of an answer is read."""

from __future__ import annotations

import math

import pytest

from referee.models.api.prompts import language_name
from referee.protocols import (
    TokenScores,
)
from tests.support.api_model import chosen
from tests.support.chat_server import Play, chat_reply, sends


@pytest.mark.parametrize(
    ("code", "name"),
    [("de", "German"), ("zh_CN", "Chinese (CN)"), ("EN", "English"), ("xx", "the language with the code 'xx'")],
)
def test_language_names(code: str, name: str) -> None:
    assert language_name(code) == name


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        ("B", (0.0, 1.0)),
        ("b", (0.0, 1.0)),
        ("**B**", (0.0, 1.0)),
        ("(B) the box", (0.0, 1.0)),
        ("B\n\nBecause it is big.", (0.0, 1.0)),
        ("The correct answer is B because it is big", (0.0, 1.0)),
        ("Answer: B.", (0.0, 1.0)),
        ("<think>A? No.</think>B", (0.0, 1.0)),
        ("The box.", (0.0, 1.0)),
        ("C", ()),
        ("A box is big", ()),
        ("Both A and B", ()),
        ("", ()),
    ],
)
def test_how_an_answer_is_read(server: Play, text: str, scores: tuple[float, ...]) -> None:
    # The second answer is for the reversed order, so that a letter that is right twice names the other option.
    server.faults = [sends(chat_reply(text)), sends(chat_reply("no idea"))]
    found = chosen(server, ",logprobs=no")[0]
    if scores:
        assert found == TokenScores(tuple(score / 2 for score in scores))
    else:
        assert found == TokenScores(refused="no answer names an option, in either order")


def with_logprobs(*tokens: dict[str, float]) -> object:
    content = [
        {
            "token": max(top, key=lambda token: top[token]),
            "logprob": max(top.values()),
            "top_logprobs": [{"token": token, "logprob": value} for token, value in top.items()],
        }
        for top in tokens
    ]
    return chat_reply("".join(str(token["token"]) for token in content), logprobs={"content": content, "refusal": None})


def test_log_probabilities_of_letters_are_averaged_over_both_orders(server: Play) -> None:
    answer = with_logprobs({"A": math.log(0.5), " A": math.log(0.1), "B": math.log(0.3), "x": math.log(0.05)})
    server.reply = lambda body: answer
    found = chosen(server, ",logprobs=yes")[0].logprobs
    assert found == pytest.approx([(math.log(0.6) + math.log(0.3)) / 2] * 2)
    assert all(request["logprobs"] is True and request["top_logprobs"] == 20 for request in server.requests)


def test_the_letter_need_not_come_first_nor_be_listed(server: Play) -> None:
    server.faults = [
        sends(with_logprobs({"**": -0.1}, {"B": -0.2, "the": -3.0}, {"**": -0.1})),
        sends(with_logprobs({"Well": -0.1, "A": -2.0, "B": -2.5})),
    ]
    assert chosen(server)[0].logprobs == pytest.approx([(-3.0 - 2.5) / 2, (-0.2 - 2.0) / 2])


def test_an_answer_without_letters_says_nothing_about_probabilities(server: Play) -> None:
    nothing = with_logprobs({"Well": -0.1, "now": -2.0})
    server.faults = [sends(with_logprobs({"A": -0.5, "B": -1.0})), sends(nothing)]
    assert chosen(server)[0] == TokenScores((-0.5, -1.0))
    server.faults = [sends(nothing), sends(nothing)]
    assert chosen(server)[0].refused == "no answer names an option, in either order"
