"""A model behind a web service: what it is asked, what it can do, what it is called."""

from __future__ import annotations

import re

import pytest

from referee.errors import MissingError, UsageError
from referee.models.api.chat import open_api
from referee.models.spec import parse
from referee.protocols import (
    ChooseOption,
    Chooses,
    Model,
    ScoresTexts,
    TokenScores,
    TranslateDoc,
    Translates,
    Translation,
)
from tests.support.api_model import KEY, SHOE, chosen, failure, opened, sources
from tests.support.chat_server import Play, Request, chat_reply, status


def test_it_can_do_what_it_says(server: Play) -> None:
    model = opened(server)
    assert isinstance(model, Model)
    assert isinstance(model, Translates)
    assert isinstance(model, Chooses)
    assert isinstance(model, ScoresTexts)
    assert server.requests == []


def test_translation_asks_for_the_whole_document(server: Play, caplog: pytest.LogCaptureFixture) -> None:
    server.reply = lambda body: chat_reply("  Ein Satz.\n\nNoch einer. ", finish_reason="stop")
    model = opened(server)
    source = TranslateDoc(("One sentence.", "Another."), "en", "pt-BR")
    assert list(model.translate([source])) == [(0, Translation("Ein Satz. Noch einer."))]
    (request,) = server.requests
    assert request["path"] == "/v1/chat/completions"
    assert request["model"] == "m"
    assert request["temperature"] == 0
    assert 22 < request["max_tokens"] < 200
    system, user = request["messages"]
    assert "from English into Portuguese (BR)" in system["content"]
    assert user == {"role": "user", "content": "One sentence. Another."}
    assert caplog.messages == []


def test_nothing_is_asked_about_nothing(server: Play) -> None:
    model = opened(server)
    assert not [*model.translate([]), *model.choose([]), *model.score_texts([])]
    assert list(model.translate([TranslateDoc(("",), "en", "de")])) == [(0, Translation(""))]
    assert server.requests == []


def test_a_translation_that_was_cut_off_is_told(server: Play, caplog: pytest.LogCaptureFixture) -> None:
    server.reply = lambda body: chat_reply("la la la", finish_reason="length")
    got = dict(opened(server, ",max_tokens=7").translate(sources(2)))
    assert list(got.values()) == 2 * [Translation("la la la", truncated=True)]
    assert caplog.messages == ["api: 2 of 2 translations were cut off at max_tokens"]
    assert server.requests[0]["max_tokens"] == 7


def right(body: Request) -> object:
    """Knows that it is the cup, whatever its letter."""
    found = re.search(r"^(\w)\. the cup$", body["messages"][-1]["content"], re.M)
    assert found
    return chat_reply(found[1])


def test_both_orders_are_asked(server: Play) -> None:
    server.reply = right
    assert chosen(server, ",logprobs=no") == {0: TokenScores((1.0, 0.0))}
    first, second = server.prompts
    assert "A. the cup\nB. the box" in first
    assert "A. the box\nB. the cup" in second
    assert "Reply with one letter: A or B." in first
    assert all("logprobs" not in request for request in server.requests)


def test_one_letter_for_both_orders_is_a_tie(server: Play) -> None:
    server.reply = lambda body: chat_reply("A")
    assert chosen(server, ",logprobs=no") == {0: TokenScores((0.5, 0.5))}


def test_many_options_are_asked_as_given_and_reversed(server: Play) -> None:
    server.reply = lambda body: chat_reply("A")
    question = ChooseOption("Which?", ("one", "two", "three"))
    assert chosen(server, ",logprobs=no", (question,)) == {0: TokenScores((0.5, 0.0, 0.5))}
    assert "A. three\nB. two\nC. one\n" in server.prompts[1]
    too_many = ChooseOption("Which?", tuple(map(str, range(27))))
    assert chosen(server, ",logprobs=no", (too_many,))[0].refused == "27 options, one letter each allows 26"


@pytest.mark.parametrize("refuses", [True, False])
def test_votes_where_there_are_no_log_probabilities(
    server: Play, caplog: pytest.LogCaptureFixture, refuses: bool
) -> None:
    if refuses:
        server.faults = [status(400, {"error": {"message": "logprobs is not supported."}})]
    server.reply = right
    model = opened(server)
    assert dict(model.choose([SHOE, SHOE])) == dict.fromkeys((0, 1), TokenScores((1.0, 0.0)))
    assert caplog.messages == ["api: the server returns no log-probabilities of answers, so votes are counted"]
    assert sum("logprobs" in request for request in server.requests) == 1
    assert len(server.requests) == 4 + refuses
    assert dict(model.choose([SHOE])) == {0: TokenScores((1.0, 0.0))}
    assert len(caplog.messages) == 1


def test_what_the_server_can_do_is_found_out_by_one_question_at_a_time(
    server: Play, caplog: pytest.LogCaptureFixture
) -> None:
    long = status(400, {"error": {"code": "context_length_exceeded"}})
    server.faults = [long, long]
    server.reply = right
    server.delay = 0.05
    model = opened(server)
    found = dict(model.choose([SHOE] * 6))
    assert [found[number].refused[:8] for number in range(6)] == ["too long", "too long", "", "", "", ""]
    assert len(caplog.messages) == 1
    assert sum("logprobs" in request for request in server.requests) == 3


def test_log_probabilities_that_must_be_there_but_are_not(server: Play) -> None:
    server.reply = right
    error = failure(lambda: chosen(server, ",logprobs=yes"))
    assert "does not return log-probabilities of answers" in error.problem
    assert len(server.requests) == 1


def test_a_question_that_is_too_long_is_refused_alone(server: Play) -> None:
    server.reply = right
    server.faults = [status(400, {"error": {"message": "This model's maximum context length is 4096 tokens"}})]
    found = chosen(server, ",logprobs=no,parallel=1", (SHOE, SHOE))
    assert found[0].refused.startswith("too long: rejects the request (400 Bad Request: This model's maximum")
    assert found[1] == TokenScores((1.0, 0.0))


def test_identity_is_of_what_is_asked(server: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def of(options: str) -> str:
        return opened(server, options).identity().sha256

    identity = opened(server).identity()
    assert identity.settings == {"url": server.url, "model": "m", "prompts": "1", "logprobs": "auto"}
    monkeypatch.setenv("REFEREE_API_KEY", KEY)
    assert of("") == of(",parallel=2,rate=5,budget=3,timeout=2") == identity.sha256
    assert len({of(""), of(",logprobs=no"), of(",before=x"), of(",max_tokens=5")}) == 4
    slash = open_api(parse(f"api:{server.url}/,model=m"))
    assert slash.identity() == identity


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("api:http://h/v1", "lacks the name of a model"),
        ("api:h:8000/v1,model=m", "is not a server address"),
        ("api:ftp://h/v1,model=m", "is not a server address"),
        ("api:http://h:x/v1,model=m", "is not a server address"),
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
