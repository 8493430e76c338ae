"""Options without an effect: refused where a user chose them, and left out of the signature."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

import referee
from referee.errors import UsageError
from referee.items import Candidate, Item
from referee.protocols import (
    Answers,
    Blank,
    Identity,
    ScoreCandidates,
    ScorePair,
    ScoreText,
    TokenScores,
    TranslateDoc,
    Translation,
)
from referee.scoring.effects import effective, refuse_idle
from referee.scoring.options import ScoringOptions
from referee.scoring.survey import survey
from referee.sets import of_items
from tests.support.items import item


class Base:
    """Keeps what it is asked."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def identity(self) -> Identity:
        return Identity("0" * 64, {}, {"beam": "1", "max_tokens": "7"})

    def _scored(self, requests: Sequence[Any]) -> Answers:
        self.asked += requests
        for number, _ in enumerate(requests):
            yield number, TokenScores((-1.0, -2.0))


class Pairs(Base):
    def score_pairs(self, pairs: Sequence[ScorePair]) -> Answers:
        return self._scored(pairs)


class Texts(Base):
    def score_texts(self, texts: Sequence[ScoreText]) -> Answers:
        return self._scored(texts)


class Blanks(Texts):
    def fill_blanks(self, blanks: Sequence[Blank]) -> Answers:
        return self._scored(blanks)


class Translator(Base):
    def translate(self, sources: Sequence[TranslateDoc]) -> list[tuple[int, Translation]]:
        self.asked += sources
        return [(number, Translation("Er fiel.", truncated=number == 0)) for number, _ in enumerate(sources)]


class Both(Translator, Pairs):
    pass


def two(**changes: Any) -> list[Item]:
    return [item(id=f"i{number}", **changes) for number in range(2)]


BEFORE = {"source_context": ("The dog ran.",)}
WORDS = {"candidates": (Candidate("cup"), Candidate("box")), "target_lang": "en"}
FILL = {"task": "fill", "source": "The _ fell."} | WORDS
CHOOSE = {"task": "choose", "source": "It fell.", "question": "cause"} | WORDS


def names(model: Any, items: list[Item], **options: Any) -> set[str]:
    chosen = ScoringOptions(**options)
    return set(effective(model, [survey(of_items("s", items))], [chosen])) - {"how", "too_long"}


@pytest.mark.parametrize(
    ("model", "items", "options", "expected"),
    [
        (Pairs(), two(), {}, {"norm"}),
        (Pairs(), two(**BEFORE), {}, {"norm", "context"}),
        (Pairs(), two(target_context=("Der Hund lief.",)), {"context": 1}, {"norm", "context", "separator"}),
        (Pairs(), two(source_context=("",)), {"context": 1}, {"norm"}),
        (Texts(), two(**FILL), {}, {"norm", "part"}),
        (Texts(), two(**FILL, **BEFORE), {"context": 1}, {"norm", "part", "context", "separator"}),
        (Texts(), two(**CHOOSE), {}, {"norm"}),
        (Blanks(), two(**FILL), {"part": "mask"}, {"part"}),
        (Translator(), two(), {}, {"generation"}),
        (Translator(), two(**BEFORE), {"context": 2}, {"generation", "context", "separator"}),
        (Both(), two(), {}, {"norm"}),
        (Both(), two(), {"how": "generative"}, {"generation"}),
    ],
)
def test_what_has_an_effect(model: Any, items: list[Item], options: dict[str, Any], expected: set[str]) -> None:
    assert names(model, items, **options) == expected


@pytest.mark.parametrize(
    ("option", "why"),
    [
        ({"norm": "sum"}, "--norm has no effect, since nothing is scored by the log-probabilities of its tokens"),
        ({"part": "partial"}, "--part has no effect, since no item with a gap is scored"),
        ({"context": 1}, "--context has no effect, since no item has preceding sentences"),
        ({"separator": "|"}, "--separator has no effect, since no sentences are joined"),
    ],
)
def test_an_option_without_effect_is_refused(option: dict[str, Any], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        refuse_idle(ScoringOptions(**option), frozenset({"how", "too_long"}))
    refuse_idle(ScoringOptions(**option), frozenset(option))


@pytest.mark.parametrize("task", [FILL, CHOOSE], ids=["fill", "choose"])
def test_context_reaches_sentences(task: dict[str, Any]) -> None:
    model = Texts()
    run = referee.evaluate(model, two(**task, **BEFORE), context=1, separator=" <s> ")
    assert all(request.text.startswith("The dog ran. <s> ") for request in model.asked)
    assert all(request.start == len("The dog ran. <s> ") for request in model.asked)
    assert "|context:1|" in run.info.signature
    with pytest.raises(UsageError, match="--context has no effect"):
        referee.evaluate(Texts(), two(**task), context=1)


@pytest.mark.parametrize("option", [{"context": 1}, {"separator": "|"}])
def test_a_run_with_an_idle_option_leaves_no_folder(option: dict[str, Any], tmp_path: Any) -> None:
    with pytest.raises(UsageError):
        referee.evaluate(Texts(), two(**FILL), out=tmp_path / "run", **option)
    assert not (tmp_path / "run").exists()


def test_the_signature_names_what_has_an_effect() -> None:
    scored = referee.evaluate(Both(), two()).signature.long
    assert "|how:auto|norm:ppl|too_long:refuse|resamples" in scored
    translated = referee.evaluate(Both(), two(), how="generative").signature.long
    assert "|beam:1|how:generative|max_tokens:7|too_long:refuse|resamples" in translated
    both = referee.evaluate(Both(), two(**BEFORE), how="both", context=1).signature.long
    assert "|beam:1|context:1|how:both|max_tokens:7|norm:ppl|separator: |too_long:refuse|resamples" in both


def test_the_separator_reaches_a_translator() -> None:
    model = Translator()
    referee.evaluate(model, two(**BEFORE), context=1, separator=" <SEP> ")
    assert {source.text for source in model.asked} == {"The dog ran. <SEP> It was hungry."}


def scores(source: str, candidates: list[str], context: list[str]) -> list[float]:
    return [float(len(context))] * len(candidates)


def joined(source: str, candidates: list[str]) -> list[float]:
    return [float(len(source))] * len(candidates)


@pytest.mark.parametrize(("function", "refuses"), [(scores, True), (joined, False)])
def test_a_function_that_gets_a_list_of_sentences_needs_no_separator(
    function: Callable[..., list[float]], *, refuses: bool
) -> None:
    items = two(**BEFORE)
    if refuses:
        with pytest.raises(UsageError, match="--separator has no effect"):
            referee.evaluate(function, items, context=1, separator="|")
    else:
        assert "|separator:||" in referee.evaluate(function, items, context=1, separator="|").signature.long


def test_truncated_translations_are_counted_and_named() -> None:
    items = [msgspec.structs.replace(one, source=f"{one.source} {number}") for number, one in enumerate(two())]
    run = referee.evaluate(Translator(), items)
    assert run.info.counts is not None
    assert (run.info.counts.truncated, run.info.counts.truncated_items) == (1, ["i0"])
    assert [verdict.truncated for verdict in run.sets[0].verdicts] == [True, False]


def test_requests_of_candidates_keep_sentences_apart() -> None:
    asked: list[ScoreCandidates] = []

    class Candidates(Base):
        def score_candidates(self, requests: Sequence[ScoreCandidates]) -> Answers:
            asked.extend(requests)
            for number, request in enumerate(requests):
                yield number, TokenScores(tuple(float(index) for index, _ in enumerate(request.candidates)))

    referee.evaluate(Candidates(), two(**FILL, **BEFORE), context=1)
    assert {request.context for request in asked} == {("The dog ran.",)}
