from __future__ import annotations

import math
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from email.utils import formatdate
from typing import Any

import pytest

from referee.errors import MissingError, RefereeError, UsageError
from referee.models.api.chat import ApiModel, language_name, open_api
from referee.models.api.client import ApiError, Patience
from referee.models.spec import parse
from referee.protocols import (
    ChooseOption,
    Chooses,
    Model,
    ScoresTexts,
    ScoreText,
    TokenScores,
    TranslateDoc,
    Translates,
)
from tests.support.chat_server import Play, Request, hang_up, said, sends, serving, stall, status

KEY = "sk-secret-0123456789"
QUICK = Patience(retries=4, senseless=2, backoff=0.01, longest=3.0)
SHOE = ChooseOption(
    "The cup did not fit into the box because it was too big. What was too big?", ("the cup", "the box")
)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Play]:
    monkeypatch.delenv("REFEREE_API_KEY", raising=False)
    with serving() as play:
        yield play


def opened(server: Play, options: str = "", patience: Patience = QUICK) -> tuple[ApiModel, list[str]]:
    heard: list[str] = []
    return open_api(parse(f"api:{server.url},model=m{options}"), say=heard.append, patience=patience), heard


def sources(number: int) -> list[TranslateDoc]:
    return [TranslateDoc((f"Sentence {place}.",), "en", "de") for place in range(number)]


def translated(server: Play, options: str = "", number: int = 1) -> tuple[list[tuple[int, str]], list[str]]:
    model, heard = opened(server, options)
    return list(model.translate(sources(number))), heard


def chosen(server: Play, options: str = "", questions: tuple[ChooseOption, ...] = (SHOE,)) -> dict[int, TokenScores]:
    return dict(opened(server, options)[0].choose(questions))


def failure(ask: Callable[[], object]) -> RefereeError:
    with pytest.raises(RefereeError) as caught:
        ask()
    assert KEY not in str(caught.value)
    return caught.value


# What is asked


def test_it_can_do_what_it_says(server: Play) -> None:
    model, _ = opened(server)
    assert isinstance(model, Model)
    assert isinstance(model, Translates)
    assert isinstance(model, Chooses)
    assert isinstance(model, ScoresTexts)
    assert server.requests == []


def test_translation_asks_for_the_whole_document(server: Play) -> None:
    server.reply = lambda body: said("  Ein Satz.\n\nNoch einer. ", finish_reason="stop")
    model, heard = opened(server)
    source = TranslateDoc(("One sentence.", "Another."), "en", "pt-BR")
    assert list(model.translate([source])) == [(0, "Ein Satz. Noch einer.")]
    (request,) = server.requests
    assert request["path"] == "/v1/chat/completions"
    assert request["model"] == "m"
    assert request["temperature"] == 0
    assert 22 < request["max_tokens"] < 200
    system, user = request["messages"]
    assert "from English into Portuguese (BR)" in system["content"]
    assert user == {"role": "user", "content": "One sentence. Another."}
    assert heard == []


def test_nothing_is_asked_about_nothing(server: Play) -> None:
    model, _ = opened(server)
    assert not [*model.translate([]), *model.choose([]), *model.score_texts([])]
    assert list(model.translate([TranslateDoc(("",), "en", "de")])) == [(0, "")]
    assert server.requests == []


def test_a_translation_that_was_cut_off_is_told(server: Play) -> None:
    server.reply = lambda body: said("la la la", finish_reason="length")
    got, heard = translated(server, ",max_tokens=7", number=2)
    assert len(got) == 2
    assert heard == ["api: 2 of 2 translations reached max_tokens and end there"]
    assert server.requests[0]["max_tokens"] == 7


def test_thoughts_are_no_part_of_a_translation(server: Play) -> None:
    server.reply = lambda body: said("<think>Hm, B?</think>\nGut.")
    assert translated(server)[0] == [(0, "Gut.")]


def test_what_a_filter_stopped_is_empty(server: Play) -> None:
    server.reply = lambda body: said(None, finish_reason="content_filter")
    assert translated(server)[0] == [(0, "")]


@pytest.mark.parametrize(
    ("code", "name"),
    [("de", "German"), ("zh_CN", "Chinese (CN)"), ("EN", "English"), ("xx", "the language with the code 'xx'")],
)
def test_language_names(code: str, name: str) -> None:
    assert language_name(code) == name


# Choice


def right(body: Request) -> object:
    """Knows that it is the cup, whatever its letter."""
    found = re.search(r"^(\w)\. the cup$", body["messages"][-1]["content"], re.M)
    assert found
    return said(found[1])


def test_both_orders_are_asked(server: Play) -> None:
    server.reply = right
    assert chosen(server, ",logprobs=no") == {0: TokenScores((1.0, 0.0))}
    first, second = server.asked
    assert "A. the cup\nB. the box" in first
    assert "A. the box\nB. the cup" in second
    assert "Reply with one letter: A or B." in first
    assert all("logprobs" not in request for request in server.requests)


def test_one_letter_for_both_orders_is_a_tie(server: Play) -> None:
    server.reply = lambda body: said("A")
    assert chosen(server, ",logprobs=no") == {0: TokenScores((0.5, 0.5))}


def test_many_options_are_asked_as_given_and_reversed(server: Play) -> None:
    server.reply = lambda body: said("A")
    question = ChooseOption("Which?", ("one", "two", "three"))
    assert chosen(server, ",logprobs=no", (question,)) == {0: TokenScores((0.5, 0.0, 0.5))}
    assert "A. three\nB. two\nC. one\n" in server.asked[1]
    too_many = ChooseOption("Which?", tuple(map(str, range(27))))
    assert chosen(server, ",logprobs=no", (too_many,))[0].refused == "27 options, one letter each allows 26"


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
    server.faults = [sends(said(text)), sends(said("no idea"))]
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
    return said("".join(str(token["token"]) for token in content), logprobs={"content": content, "refusal": None})


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


@pytest.mark.parametrize("refuses", [True, False])
def test_votes_where_there_are_no_log_probabilities(server: Play, refuses: bool) -> None:
    if refuses:
        server.faults = [status(400, {"error": {"message": "logprobs is not supported."}})]
    server.reply = right
    model, heard = opened(server)
    assert dict(model.choose([SHOE, SHOE])) == dict.fromkeys((0, 1), TokenScores((1.0, 0.0)))
    assert heard == ["api: the server gives no log-probabilities of answers; votes are counted"]
    assert sum("logprobs" in request for request in server.requests) == 1
    assert len(server.requests) == 4 + refuses
    assert dict(model.choose([SHOE])) == {0: TokenScores((1.0, 0.0))}
    assert len(heard) == 1


def test_what_the_server_can_do_is_found_out_by_one_question_at_a_time(server: Play) -> None:
    long = status(400, {"error": {"code": "context_length_exceeded"}})
    server.faults = [long, long]
    server.reply = right
    server.delay = 0.05
    model, heard = opened(server)
    found = dict(model.choose([SHOE] * 6))
    assert [found[number].refused[:8] for number in range(6)] == ["too long", "too long", "", "", "", ""]
    assert len(heard) == 1
    assert sum("logprobs" in request for request in server.requests) == 3


def test_log_probabilities_that_must_be_there_but_are_not(server: Play) -> None:
    server.reply = right
    error = failure(lambda: chosen(server, ",logprobs=yes"))
    assert "gives no log-probabilities of answers" in error.problem
    assert len(server.requests) == 1


def test_a_question_that_is_too_long_is_refused_alone(server: Play) -> None:
    server.reply = right
    server.faults = [status(400, {"error": {"message": "This model's maximum context length is 4096 tokens"}})]
    found = chosen(server, ",logprobs=no,parallel=1", (SHOE, SHOE))
    assert found[0].refused.startswith("too long: refuses the request (400 Bad Request: This model's maximum")
    assert found[1] == TokenScores((1.0, 0.0))


# Scores of texts


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
    model, _ = opened(server)
    texts = [
        ScoreText("The cat sat"),
        ScoreText("The cat sat", 3),
        ScoreText("The cat sat", 4),
        ScoreText("The cat sat", 5),
    ]
    found = dict(model.score_texts(texts))
    assert found[0] == TokenScores((-1.0, -2.0, -3.0))
    assert found[1] == found[2] == found[3] == TokenScores((-2.0, -3.0))
    assert dict(model.score_texts([ScoreText("The cat sat", 11)])) == {0: TokenScores(refused="no token to score")}
    request = server.requests[0]
    asked = {"model": "m", "prompt": "The cat sat", "echo": True, "logprobs": 1, "max_tokens": 1, "temperature": 0}
    assert request == {"path": "/v1/completions", "key": None, **asked}


@pytest.mark.parametrize("offsets", [[0, 0, 2, 2, 3, 4], [0, 3, 5, 6, 7, 8]], ids=["right", "drifted"])
def test_parts_of_characters_are_scored(server: Play, offsets: list[int]) -> None:
    server.reply = lambda body: echoed(["<s>", "Я ", "\ufffd", "\ufffd", "a", "!"], offsets, "Я 你a!")
    found = dict(opened(server)[0].score_texts([ScoreText("Я 你a"), ScoreText("Я 你a", 2), ScoreText("Я 你a", 3)]))
    assert found[0].logprobs == (-1.0, -2.0, -3.0, -4.0)
    assert found[1].logprobs == (-2.0, -3.0, -4.0)
    assert found[2].logprobs == (-4.0,)


def test_tokens_that_cannot_be_found_are_refused(server: Play) -> None:
    server.reply = lambda body: echoed(["<s>", "Der", " Hund", "!"], None, "The dog!")
    found = dict(opened(server)[0].score_texts([ScoreText("The dog")]))
    assert found == {0: TokenScores(refused="the server's tokens cannot be found in the text")}


def test_a_first_token_without_score_needs_something_before_it(server: Play) -> None:
    server.reply = lambda body: echoed(["The", " cat", "!"], [0, 3, 7], body["prompt"] + "!")
    error = failure(lambda: list(opened(server)[0].score_texts([ScoreText("The cat"), ScoreText("The cat")])))
    assert "first token" in error.problem
    assert "before=" in error.remedy
    assert len(server.requests) == 1
    assert list(opened(server)[0].score_texts([ScoreText("The cat", 3)])) == [(0, TokenScores((-1.0,)))]
    server.reply = lambda body: echoed(["<e>", "The", " cat", "!"], [0, 3, 6, 10], body["prompt"] + "!")
    model, _ = opened(server, ",before=<e>")
    assert list(model.score_texts([ScoreText("The cat")])) == [(0, TokenScores((-1.0, -2.0)))]
    assert server.requests[-1]["prompt"] == "<e>The cat"


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (sends({"choices": [{"text": "und"}]}), "the answer has none"),
        (sends(echoed(["und"], [0], "und")), "it does not give back the text"),
        (status(404, {"detail": "Not Found"}), "is not there (404 Not Found: Not Found)"),
        (status(400, {"error": {"message": "echo is not supported"}}), "echo is not supported"),
        (status(501, {"error": "not implemented"}), "501 Not Implemented: not implemented"),
    ],
)
def test_a_server_that_cannot_score_texts_says_so_once(server: Play, fault: Any, why: str) -> None:
    server.faults = [fault]
    error = failure(lambda: list(opened(server)[0].score_texts([ScoreText("The cat"), ScoreText("sat")])))
    assert error.problem.startswith("does not give the log-probabilities of a text that it is sent (")
    assert why in error.problem
    assert str(error.file).startswith(server.url)
    assert len(server.requests) == 1


# Failures that pass


def test_a_server_that_asks_to_wait_is_waited_for(server: Play) -> None:
    server.faults = [status(429, {"error": {"message": "slow down"}}, Retry_After=1)]
    began = time.monotonic()
    got, heard = translated(server, number=3)
    assert sorted(got) == [(0, "fine"), (1, "fine"), (2, "fine")]
    assert heard == ["api: retrying in 1 s: 429 Too Many Requests"]
    assert time.monotonic() - began >= 1
    assert len(server.requests) == 4


def test_the_time_to_wait_may_be_a_date(server: Play) -> None:
    server.faults = [status(503, b"", Retry_After=formatdate(time.time() + 2, usegmt=True))]
    assert translated(server)[1][0].endswith(" s: 503 Service Unavailable")
    server.faults = [status(503, b"", Retry_After="soon")]
    assert translated(server)[1] == ["api: retrying in 0 s: 503 Service Unavailable"]


def test_a_wait_that_is_too_long_is_no_wait(server: Play) -> None:
    server.faults = [status(429, b"", Retry_After=3600)]
    error = failure(lambda: translated(server))
    assert error.problem == "gives no answer: 429 Too Many Requests, asking to wait 3600 s"
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("fault", "cause"),
    [
        (status(500, {"error": {"message": "out of memory."}}), "500 Internal Server Error: out of memory"),
        (status(502, b"<html>", Content_Type="text/html"), "502 Bad Gateway"),
        (hang_up, "the connection broke (peer closed connection"),
        (stall, "no answer in 0.3 s"),
        (sends(b'{"choices": [{"mess'), "the answer makes no sense (Input data was truncated)"),
        (sends(b""), "it is empty"),
        (sends({"chioces": []}), "missing required field `choices`"),
        (sends({"choices": []}), "the answer makes no sense"),
        (sends({"choices": [{"text": "x"}]}), "missing required field `message`"),
        (sends(said(None)), "the answer makes no sense (no content)"),
        (sends([1, 2]), "the answer makes no sense"),
    ],
)
def test_what_fails_once_is_tried_again(server: Play, fault: Any, cause: str) -> None:
    server.faults = [fault]
    got, heard = translated(server, ",timeout=0.3")
    assert got == [(0, "fine")]
    assert len(heard) == 1
    assert heard[0].startswith("api: retrying in 0 s: ")
    assert cause in heard[0]


def test_patience_has_an_end(server: Play) -> None:
    server.faults = [status(500)] * 20
    error = failure(lambda: translated(server))
    assert isinstance(error, ApiError)
    assert error.problem == "gives no answer: 500 Internal Server Error (attempt 5)"
    assert len(server.requests) == 5
    server.faults = [sends(b"{}")] * 20
    assert "(attempt 3)" in failure(lambda: translated(server)).problem


def test_waiting_times_double(server: Play) -> None:
    server.faults = [status(500)] * 3
    model, heard = opened(server, patience=Patience(backoff=0.2))
    assert list(model.translate(sources(1))) == [(0, "fine")]
    first, second, third = (float(line.split()[3]) for line in heard)
    assert 0.2 <= first <= 0.3 < second <= 0.5 < third <= 1


def test_nobody_there() -> None:
    with serving() as gone:
        pass
    error = failure(lambda: translated(gone))
    assert "Connection refused" in error.problem


# Failures that do not


@pytest.mark.parametrize(
    ("fault", "problem", "remedy"),
    [
        (status(401, {"error": {"message": f"Incorrect key {KEY}."}}), "refuses the key (401", "TEST_KEY"),
        (status(403, b"no"), "refuses the key (403 Forbidden: no)", "TEST_KEY"),
        (status(404, {"error": {"message": "no model m"}}), "(404 Not Found: no model m)", "model="),
        (status(400, {"detail": f"bad {KEY}"}), "refuses the request (400 Bad Request: bad ***)", "options"),
        (status(422, {"detail": [{"loc": "x"}]}), '{"detail": [{"loc": "x"}]}', "options"),
        (status(302, b"", Location="http://elsewhere/"), "302 Found", "address"),
        (status(429, {"error": {"code": "insufficient_quota"}}), "insufficient_quota", "options"),
        (sends(b"<html>", Content_Type="text/html"), "sends a web page", "/v1"),
        (sends(said(None, finish_reason="length")), "cut off before it begins", "max_tokens="),
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
    assert error.problem == "asks for a key (401 Unauthorized)"
    assert "REFEREE_API_KEY" in error.remedy


def test_answers_that_came_before_a_failure_are_not_lost(server: Play) -> None:
    server.reply = lambda body: said("x") if "9" not in body["messages"][-1]["content"] else {"choices": 1}
    model, _ = opened(server, ",parallel=2")
    got: set[int] = set()
    with pytest.raises(ApiError):
        for number, _ in model.translate(sources(12)):
            got.add(number)
    assert got >= set(range(9))


# Terms


def test_the_key_is_sent_and_nowhere_else(server: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    translated(server)
    monkeypatch.setenv("REFEREE_API_KEY", f" {KEY}\n")
    translated(server)
    assert [request["key"] for request in server.requests] == [None, f"Bearer {KEY}"]
    model, heard = opened(server)
    server.faults = [status(500, {"error": {"message": f"cannot use {KEY}"}})]
    list(model.translate(sources(1)))
    assert "cannot use ***" in heard[0]
    assert KEY not in repr((model, vars(model.client), model.client.terms, model.identity()))


def test_identity_is_of_what_is_asked(server: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def of(options: str) -> str:
        return opened(server, options)[0].identity().sha256

    identity = opened(server)[0].identity()
    assert identity.settings == {"url": server.url, "model": "m", "prompts": "1", "logprobs": "auto"}
    monkeypatch.setenv("REFEREE_API_KEY", KEY)
    assert of("") == of(",parallel=2,rate=5,budget=3,timeout=2") == identity.sha256
    assert len({of(""), of(",logprobs=no"), of(",before=x"), of(",max_tokens=5")}) == 4
    slash = open_api(parse(f"api:{server.url}/,model=m"))
    assert slash.identity() == identity


def test_requests_overlap_up_to_the_limit(server: Play) -> None:
    server.delay = 0.1
    got, _ = translated(server, ",parallel=6", number=18)
    assert len(got) == 18
    assert server.most_at_once == 6


def test_answers_belong_to_their_questions_whatever_comes_first(server: Play) -> None:
    def reply(body: Request) -> object:
        time.sleep(random.random() / 50)
        return said(body["messages"][-1]["content"].upper())

    server.reply = reply
    got, _ = translated(server, number=40)
    assert dict(got) == {number: f"SENTENCE {number}." for number in range(40)}


def test_answers_come_as_they_get_done(server: Play) -> None:
    release = threading.Event()

    def reply(body: Request) -> object:
        if "Sentence 0." in body["messages"][-1]["content"]:
            release.wait(10)
        return said("x")

    server.reply = reply
    answers = opened(server, ",parallel=2")[0].translate(sources(3))
    assert [next(answers)[0], next(answers)[0]] == [1, 2]
    release.set()
    assert list(answers) == [(0, "x")]


def test_the_rate_is_kept(server: Play) -> None:
    began = time.monotonic()
    translated(server, ",rate=20", number=9)
    assert 0.4 <= time.monotonic() - began < 2


def test_the_budget_is_kept(server: Play) -> None:
    server.delay = 0.05
    model, _ = opened(server, ",budget=10,parallel=4")
    got: set[int] = set()
    with pytest.raises(ApiError) as caught:
        for number, _ in model.translate(sources(12)):
            got.add(number)
    assert caught.value.problem == "the budget of 10 requests is spent after 10 answers"
    assert "cache" in caught.value.remedy
    assert got == set(range(10))
    assert len(server.requests) == 10
    assert failure(lambda: list(model.translate(sources(1)))).problem.startswith("the budget of 10")


def test_retries_count_against_the_budget(server: Play) -> None:
    server.faults = [status(500)] * 20
    assert "spent after 0 answers" in failure(lambda: translated(server, ",budget=3")).problem
    assert len(server.requests) == 3


def test_who_stops_listening_waits_for_nobody(server: Play) -> None:
    server.faults = [sends(said("x")), *[stall] * 7]
    answers = opened(server)[0].translate(sources(8))
    next(answers)
    began = time.monotonic()
    answers.close()  # type: ignore[attr-defined]
    assert time.monotonic() - began < 1
    assert "referee-api" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.parametrize("fault", [stall, status(500)], ids=["in an answer", "between attempts"])
def test_an_interrupt_ends_it_at_once(server: Play, fault: Any) -> None:
    server.faults = [fault] * 50
    program = (
        "from referee.models.api.chat import open_api\n"
        "from referee.models.api.client import Patience\n"
        "from referee.protocols import Source\n"
        "from referee.models.spec import parse\n"
        f"model = open_api(parse('api:{server.url},model=m'), patience=Patience(backoff=30.0))\n"
        "list(model.translate([Source(('x',), 'en', 'de')] * 9))\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True) as process:
        while len(server.requests) < 8:
            time.sleep(0.02)
        time.sleep(0.1)
        began = time.monotonic()
        os.kill(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=10)
    assert time.monotonic() - began < 2
    assert "KeyboardInterrupt" in errors
    assert ("api: retrying in 3" in errors) == (fault is not stall)


# Names


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("api:http://h/v1", "names no model"),
        ("api:h:8000/v1,model=m", "is not the address of a server"),
        ("api:ftp://h/v1,model=m", "is not the address of a server"),
        ("api:http://h:x/v1,model=m", "is not the address of a server"),
        (f"api:http://me:{KEY}@h/v1,model=m", "has a user name"),
        (f"api:http://h/v1?key={KEY},model=m", "has a user name, a query"),
        ("api:http://h/v1,model=m,rate=0", "'rate=0'"),
        ("api:http://h/v1,model=m,timeout=-1", "'timeout=-1'"),
        ("api:http://h/v1,model=m,budget=0", "'budget=0'"),
        ("api:http://h/v1,model=m,logprobs=maybe", "'logprobs=maybe'"),
        ("api:http://h/v1,model=m,speed=9", "has no option 'speed'"),
        (f"api:http://h/v1,model=m,key={KEY}", "is not the name of an environment variable"),
    ],
)
def test_names_that_cannot_be(text: str, problem: str) -> None:
    error = failure(lambda: open_api(parse(text)))
    assert isinstance(error, UsageError)
    assert problem in error.problem


def test_a_key_that_is_not_there_or_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MissingError):
        open_api(parse("api:http://h/v1,model=m,key=NO_SUCH_VARIABLE"))
    monkeypatch.setenv("ODD_KEY", f"{KEY}\nX-Other: 1")
    assert "ODD_KEY" in failure(lambda: open_api(parse("api:http://h/v1,model=m,key=ODD_KEY"))).problem
