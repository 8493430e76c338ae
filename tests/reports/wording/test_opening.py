"""The sentence that a page opens with."""

from __future__ import annotations

from itertools import zip_longest

from referee.analysis.chance_level import ChanceLevel
from referee.analysis.scorecard import AgainstChance, Cell, Grade, ScorecardRow
from referee.reports.wording.opening import opening_sentence
from referee.stats.levels import Against

LEVEL = AgainstChance(chance=ChanceLevel(0.5, "guess"), against=Against("above"))


def rows(*grades: Grade, groups: tuple[Grade, ...] = ()) -> list[ScorecardRow]:
    """A row per grade of the accuracy, with the grade of its group score where there is one."""
    made = []
    for grade, group in zip_longest(grades, groups):
        cells = {"accuracy": Cell(outcome=LEVEL, grade=grade)}
        if group is not None:
            cells["groups"] = Cell(outcome=LEVEL, grade=group)
        made.append(ScorecardRow(suite="s", kind="contrastive", items=1, cells=cells))
    return made


def test_one_model() -> None:
    assert opening_sentence([("a", rows("good", "fair", "bad", "open", "unknown"))]) == (
        "Accuracy is above chance on 2 of 4 suites (1 inconclusive)."
    )
    assert opening_sentence([("a", rows("good", "bad", groups=("bad", "open")))]) == (
        "Accuracy is above chance on 1 of 2 suites, the group score on 0 of 2 (1 inconclusive)."
    )


def test_several_models() -> None:
    assert opening_sentence([("a", rows("good", "good")), ("b", rows("open", "bad"))]) == (
        "Accuracy is above chance on 2 of 2 suites for a, on 0 of 2 (1 inconclusive) for b."
    )


def test_of_many_models_the_best_and_the_worst() -> None:
    models = [("a", rows("bad")), ("b", rows("good")), ("c", rows("good", "bad")), ("d", rows("bad"))]
    assert opening_sentence(models) == (
        "Accuracy is above chance on 1 of 1 suites for b, the best of 4 models, and on 0 of 1 for d, the worst."
    )


def test_without_a_chance_level_the_other_columns_speak() -> None:
    (row,) = rows("unknown")
    robust = ScorecardRow(
        suite="s", kind="contrastive", items=1, cells={**row.cells, "attacks": Cell(outcome=LEVEL, grade="good")}
    )
    assert opening_sentence([("a", [robust])]) == "Robust to perturbation on 1 of 1."
    assert opening_sentence([("a", [row])]) == ""
    assert opening_sentence([]) == ""
