"""A model behind the server of `chat_server`, and what the tests ask it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.errors import RefereeError
from referee.io.retry import RetryPolicy
from referee.models.api.chat import ApiModel, open_api
from referee.models.spec import parse
from referee.protocols import ChooseOption, TokenScores, TranslateDoc
from tests.support.chat_server import Play

KEY = "sk-secret-0123456789"
QUICK = RetryPolicy(attempts=5, backoff=0.01, longest=3.0, jitter=0.25)
SHOE = ChooseOption(
    "The cup did not fit into the box because it was too big. What was too big?", ("the cup", "the box")
)


def opened(server: Play, options: str = "", retry: RetryPolicy = QUICK) -> ApiModel:
    return open_api(parse(f"api:{server.url},model=m{options}"), retry)


def sources(number: int) -> list[TranslateDoc]:
    return [TranslateDoc((f"Sentence {index}.",), "en", "de") for index in range(number)]


def translated(server: Play, options: str = "", number: int = 1) -> list[tuple[int, str]]:
    return [(index, answer.text) for index, answer in opened(server, options).translate(sources(number))]


def chosen(server: Play, options: str = "", questions: tuple[ChooseOption, ...] = (SHOE,)) -> dict[int, TokenScores]:
    return dict(opened(server, options).choose(questions))


def failure(ask: Callable[[], object]) -> RefereeError:
    with pytest.raises(RefereeError) as caught:
        ask()
    assert KEY not in str(caught.value)
    return caught.value
