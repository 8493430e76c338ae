"""Any callable is a model: its signature says what it does, its results are checked, its code is its identity."""

from __future__ import annotations

import doctest
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.errors import RefereeError, RunError, UsageError
from referee.items import Candidate, Item
from referee.models import callables, open_model
from referee.models.callables import ScoreModel, TranslateModel, callable_model, scoring, translating
from referee.protocols import ScoreCandidates, TranslateDoc
from referee.runs.evaluate import evaluate
from referee.scoring.from_model import computed
from referee.scoring.options import ScoringOptions
from referee.verdicts import Verdict
from tests.support.items import item

DOC = TranslateDoc(("It fell.",), "en", "de")
REQUEST = ScoreCandidates("It fell.", ("Er fiel.", "Sie fiel."), ("A cup.", "A box."), " | ", "kitchen.7")


def upper(sentences: list[str]) -> list[str]:
    return [sentence.upper() for sentence in sentences]


def longest(source: str, candidates: list[str], context: list[str]) -> list[float]:
    return [len(candidate) for candidate in candidates]


def sources(source: str, candidates: list[str]) -> list[float]:
    return [float(len(source))] * len(candidates)


class System:
    def __call__(self, sentences: list[str]) -> list[str]:
        return [f"<{sentence}>" for sentence in sentences]

    def scores(self, *, candidates: list[str], source: str) -> list[float]:
        return [0.0 for _ in candidates]


def test_examples_in_the_docstrings() -> None:
    tried = doctest.testmod(callables)
    assert tried.attempted > 5
    assert tried.failed == 0


@pytest.mark.parametrize(
    "function",
    [
        upper,
        System(),
        lambda texts: texts,
        lambda texts, beam=4: texts,
        lambda source: source,
        partial(lambda beam, texts: texts, 4),
        str.splitlines,
    ],
)
def test_one_required_parameter_translates(function: Callable[..., Any]) -> None:
    assert isinstance(callable_model(function), TranslateModel)


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (longest, f"{__name__}.longest"),
        (sources, f"{__name__}.sources"),
        (System().scores, f"{__name__}.System.scores"),
        (partial(longest, context=[]), f"{__name__}.longest"),
    ],
)
def test_source_and_candidates_score(function: Callable[..., Any], name: str) -> None:
    model = callable_model(function)
    assert isinstance(model, ScoreModel)
    assert model.name == name
    assert open_model(function, name="mine").name == "mine"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "function",
    [
        lambda: None,
        lambda texts, languages: texts,
        lambda candidates: candidates,
        lambda source, candidates, more: more,
        lambda *texts: texts,
        lambda *, texts: texts,
        lambda texts=(): texts,
    ],
)
def test_other_signatures_are_shown_next_to_the_expected_ones(function: Callable[..., Any]) -> None:
    with pytest.raises(UsageError) as caught:
        callable_model(function)
    problem, _, remedy = str(caught.value).partition(". Write it as ")
    assert re.search(r"<lambda>\(.*\) neither translates nor scores$", problem)
    assert "f(sentences: list[str]) -> list[str]" in remedy
    assert "f(source: str, candidates: list[str], context: list[str]) -> list[float]" in remedy
    assert "translating(f) or scoring(f)" in remedy


async def later(sentences: list[str]) -> list[str]:
    return sentences


@pytest.mark.parametrize(
    ("model", "message"),
    [(7, "7 cannot be used as a model, since it is not callable"), (System, "is a class"), (later, "is asynchronous")],
)
def test_what_is_no_model(model: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        open_model(model)


def test_an_opened_model_stays_as_it_is() -> None:
    model = callable_model(upper)
    assert open_model(model) is model
    with pytest.raises(UsageError, match="already has a name"):
        open_model(model, name="other")
    with pytest.raises(UsageError, match="the option 'beam' needs a model spec"):
        open_model(upper, beam=2)
    with pytest.raises(UsageError, match="'pocket' already has a name"):
        open_model("pocket", name="mine")
    with pytest.raises(UsageError, match="name= is empty"):
        open_model(upper, name=" ")


def test_context_is_joined_by_the_separator() -> None:
    document = TranslateDoc(("A cup.", "It fell."), "en", "de", " <SEP> ")
    assert list(translating(upper).translate([document, DOC])) == [(0, "A CUP. <SEP> IT FELL."), (1, "IT FELL.")]
    assert list(translating(upper).translate([])) == []


def test_context_comes_apart_or_in_front_of_the_source() -> None:
    seen: list[Any] = []

    def with_context(context: list[str], source: str, candidates: list[str]) -> list[int]:
        seen.append((source, candidates, context))
        return [1, 2]

    def without(source: str, candidates: list[str]) -> list[int]:
        seen.append((source, candidates))
        return [1, 2]

    def any_names(a: str, b: list[str], c: list[str]) -> list[int]:
        seen.append((a, b, c))
        return [1, 2]

    models = (
        callable_model(with_context),
        callable_model(without),
        scoring(any_names),
        scoring(without, context=False),
    )
    for model in models:
        assert isinstance(model, ScoreModel)
        ((index, answer),) = model.score_candidates([REQUEST])
        assert (index, answer.logprobs) == (0, (1.0, 2.0))
    apart = ("It fell.", ["Er fiel.", "Sie fiel."], ["A cup.", "A box."])
    joined = ("A cup. | A box. | It fell.", ["Er fiel.", "Sie fiel."])
    assert seen == [apart, joined, apart, joined]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda _: ["a"], r"mine: returned 1 translations for 2 texts, of which the first is 'It fell.'. Return one"),
        (lambda texts: [texts[0], 3], r"mine: returned 3 as the translation of 'It fell.'. Return a string"),
        (lambda _: "ab", r"mine: returned 'ab' for 2 texts"),
        (lambda _: None, r"mine: returned None for 2 texts.*. Return a list"),
        (lambda texts: texts[2], r"mine: raised IndexError: list index out of range on 2 texts"),
    ],
)
def test_wrong_translations(function: Callable[[Any], Any], message: str) -> None:
    with pytest.raises(RefereeError, match=message):
        list(translating(function, name="mine").translate([DOC, DOC]))


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        ([1.0], r"mine: returned 1 scores for the 2 candidates of item kitchen.7. Return one score per candidate"),
        ([1.0, float("inf")], r"mine: returned inf as the score of 'Sie fiel.', a candidate of item kitchen.7"),
        ([float("-inf"), 1.0], r"returned -inf as the score of 'Er fiel.'"),
        (["1", "2"], r"returned '1' as the score"),
        ([True, False], r"returned True as the score"),
        ([None, 1], r"returned None as the score"),
        (2.0, r"mine: returned 2.0 for item kitchen.7. Return a list"),
        ({"Er fiel.": 1, "Sie fiel.": 2}, r"returned \{'Er fiel.': 1, 'Sie fiel.': 2\} for item kitchen.7"),
    ],
)
def test_wrong_scores(returned: Any, message: str) -> None:
    with pytest.raises(RefereeError, match=message):
        list(scoring(lambda *_: returned, name="mine").score_candidates([REQUEST]))


def test_a_failure_names_the_item_and_keeps_its_cause() -> None:
    def fails(source: str, candidates: list[str]) -> list[float]:
        return [1 / 0]

    model = callable_model(fails, "mine")
    assert isinstance(model, ScoreModel)
    with pytest.raises(
        RefereeError, match=r"mine: raised ZeroDivisionError: division by zero on item kitchen.7. Fix"
    ) as e:
        list(model.score_candidates([REQUEST]))
    assert isinstance(e.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize("scores", [np.array([1, 2]), np.array([1, 2], np.float32), (1, 2.0), iter([1, 2])])
def test_numbers_of_any_library(scores: Any) -> None:
    ((_, answer),) = scoring(lambda *_: scores).score_candidates([REQUEST])
    assert answer.logprobs == (1.0, 2.0)
    assert all(type(score) is float for score in answer.logprobs)


def judged(model: Any, items: Sequence[Item], options: ScoringOptions, *, generate: bool = False) -> list[Verdict]:
    return computed(model, "set", options, None, generate=generate)(items, lambda _: None)


def test_a_scoring_function_evaluates_all_three_tasks() -> None:
    asked: list[str] = []

    def last_letter(source: str, candidates: list[str]) -> list[float]:
        asked.append(source)
        return [float(ord(candidate[-1])) for candidate in candidates]

    pair = (Candidate("ab"), Candidate("aa"))
    items = [
        item(id="translate", candidates=pair, source_context=("A dog.",)),
        item(id="fill", task="fill", source="The _ fell.", candidates=pair),
        item(id="choose", task="choose", source="He fell.", question="effect", candidates=pair, gold=1),
    ]
    verdicts = judged(callable_model(last_letter), items, ScoringOptions(context=1))
    assert [(verdict.item, verdict.correct) for verdict in verdicts] == [
        ("translate", True),
        ("fill", True),
        ("choose", False),
    ]
    assert asked == ["A dog. It was hungry.", "The _ fell.", "He fell.\nWhat happened as a result?"]


def test_a_translating_function_is_called_with_lists() -> None:
    calls: list[int] = []

    def translate(sentences: list[str]) -> list[str]:
        calls.append(len(sentences))
        return ["Er war hungrig." for _ in sentences]

    items = [item(id=str(number), source=f"It was {number}.", expected=("er",)) for number in range(100)]
    verdicts = judged(callable_model(translate), items, ScoringOptions(how="generative"), generate=True)
    assert all(verdict.correct for verdict in verdicts)
    assert calls == [64, 36]


def test_identity_is_name_and_code() -> None:
    model = callable_model(upper)
    assert model.identity() == callable_model(upper).identity()
    assert model.identity().settings == {"callable": f"{__name__}.upper"}
    assert callable_model(upper, "mine").identity() != model.identity()
    changed = callable_model(lambda sentences: [sentence.lower() for sentence in sentences], model.name)
    assert changed.identity().settings == model.identity().settings
    assert changed.identity() != model.identity()


def test_a_run_resumes_only_with_the_same_function(tmp_path: Path) -> None:
    def first(source: str, candidates: list[str]) -> list[float]:
        return [float(len(candidate)) for candidate in candidates]

    def second(source: str, candidates: list[str]) -> list[float]:
        return [-float(len(candidate)) for candidate in candidates]

    out = tmp_path / "run"
    run = evaluate(first, [item()], out=out, name="mine")
    assert not run.reused
    assert evaluate(first, [item()], out=out, name="mine").reused
    with pytest.raises(RunError):
        evaluate(second, [item()], out=out, name="mine")
