"""Which way a model judges a set, and which sets it is refused."""

from __future__ import annotations

from typing import Any

import pytest

from referee import sets
from referee.errors import InputError, UsageError
from referee.items import Candidate
from referee.models.files import ScoreList, TranslationList
from referee.protocols import Answers, Identity, Model, ScorePair, TokenScores, TranslateDoc
from referee.scoring.dispatch import is_recorded, start_pass
from referee.scoring.options import ScoringOptions
from referee.scoring.survey import survey
from tests.support.items import item

ITEMS = [item(id="a", gold=0), item(id="b", gold=1)]
FORMS_ONLY = [item(id="a", candidates=(), gold=None, expected=("er",))]
GAPS = [
    item(id="a", task="fill", source="Ann saw _.", candidates=(Candidate("Bea"), Candidate("Cleo")), target_lang="en")
]


class Translator:
    """Translates, and can do nothing else."""

    def identity(self) -> Identity:
        return Identity("0" * 64)

    def translate(self, sources: list[TranslateDoc]) -> list[tuple[int, str]]:
        return [(number, "Sie war hungrig.") for number, _ in enumerate(sources)]


class Both(Translator):
    """Translates, and prefers the longest candidate."""

    def score_pairs(self, pairs: list[ScorePair]) -> Answers:
        for number, pair in enumerate(pairs):
            yield number, TokenScores((float(len(pair.target)),))


def judged(model: Model, items: list[Any], how: Any = "auto") -> list[tuple[str, int | None, bool | None]]:
    scoring = start_pass(model, survey(sets.of_items("few", items)), ScoringOptions(how=how))
    return [(verdict.kind, verdict.choice, verdict.correct) for verdict in scoring.evaluate(items, lambda _: None)]


def test_scores_of_another_system_are_compared_in_their_own_direction() -> None:
    scores = (1.0, 2.0, 3.0, 3.0, 2.0, 1.0)
    higher, lower = (ScoreList(scores, better) for better in ("higher", "lower"))
    assert judged(higher, ITEMS) == [("contrastive", 2, False), ("contrastive", 0, False)]
    assert judged(lower, ITEMS) == [("contrastive", 0, True), ("contrastive", 2, False)]


def test_translations_of_another_system_are_matched() -> None:
    outputs = TranslationList(("Er war hungrig.", "Sie war hungrig."))
    assert judged(outputs, ITEMS) == [("generative", 0, True), ("generative", 1, True)]


def test_a_model_that_can_compare_does_unless_it_is_told_to_translate() -> None:
    assert [kind for kind, *_ in judged(Both(), ITEMS)] == ["contrastive"] * 2
    assert judged(Both(), ITEMS, "contrastive") == [("contrastive", 1, False), ("contrastive", 1, True)]
    assert judged(Both(), ITEMS, "generative") == [("generative", 1, False), ("generative", 1, True)]


def test_a_model_that_only_translates_does_that() -> None:
    assert judged(Translator(), ITEMS) == [("generative", 1, False), ("generative", 1, True)]


def test_a_set_without_candidates_is_translated() -> None:
    assert judged(Both(), FORMS_ONLY) == [("generative", None, False)]


@pytest.mark.parametrize(
    ("model", "items", "how", "problem"),
    [
        (ScoreList((), "higher"), FORMS_ONLY, "auto", "has candidates to score"),
        (TranslationList(("Bea",)), GAPS, "auto", "expected forms to look for in a translation"),
        (Both(), FORMS_ONLY, "contrastive", "has candidates to score"),
        (Both(), GAPS, "generative", "expected forms to look for in a translation"),
    ],
)
def test_sets_that_cannot_be_judged_that_way(model: Model, items: list[Any], how: Any, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        start_pass(model, survey(sets.of_items("few", items)), ScoringOptions(how=how))


def test_a_model_that_cannot_judge_a_task_is_refused_before_any_item() -> None:
    with pytest.raises(UsageError, match="fill"):
        start_pass(Both(), survey(sets.of_items("few", GAPS)), ScoringOptions())
    # One that only translates is asked to, and the gap has no form that a translation could hold.
    with pytest.raises(InputError):
        start_pass(Translator(), survey(sets.of_items("few", GAPS)), ScoringOptions())


def test_what_is_recorded() -> None:
    assert is_recorded(ScoreList((), "higher"))
    assert is_recorded(TranslationList(()))
    assert not is_recorded(Both())
