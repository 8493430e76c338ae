"""Sets with pairs and single items: the group score is about pairs, accuracy is shown for both parts."""

from __future__ import annotations

import pytest

from referee.analysis.accuracy import Findings, findings
from referee.items import Candidate, Item
from referee.scoring.decision import contrastive
from referee.verdicts import Verdict
from tests.support.items import item

Scored = list[tuple[Item, Verdict]]


def scored(number: int, group: str | None, *, correct: bool) -> tuple[Item, Verdict]:
    schema = item(id=f"i{number}", group=group, candidates=(Candidate("x"), Candidate("y")), gold=0)
    return schema, contrastive(schema.id, [1.0, 0.0] if correct else [0.0, 1.0], 0, higher=True)


PAIRS = [scored(1, "a", correct=True), scored(2, "a", correct=True), scored(3, "b", correct=True)]
PAIRS += [scored(4, "b", correct=False)]
SINGLES = [scored(5, "c", correct=True), scored(6, None, correct=True), scored(7, None, correct=False)]


def found(judged: Scored, *dimensions: str) -> Findings:
    (one,) = findings("s", judged, dimensions=dimensions)
    return one


def rows(judged: Scored, *dimensions: str) -> list[tuple[str, int, int]]:
    return [(row.key, row.items, row.correct) for row in found(judged, *dimensions).by.get("paired", [])]


def test_paired_and_unpaired_accuracy_are_shown_without_asking() -> None:
    assert rows(PAIRS + SINGLES) == [("paired", 4, 3), ("unpaired", 3, 2)]


def test_single_items_leave_the_group_score_and_its_chance_level() -> None:
    group = found(PAIRS + SINGLES).group
    assert group is not None
    assert (group.groups, group.score, group.singles) == (2, 0.5, 3)
    assert group.chance == 0.5
    assert group.independent_chance == pytest.approx(0.25)
    assert found(SINGLES).group is None


@pytest.mark.parametrize(("part", "row"), [(PAIRS, ("paired", 4, 3)), (SINGLES, ("unpaired", 3, 2))])
def test_a_set_of_one_kind_shows_it_only_where_asked(part: Scored, row: tuple[str, int, int]) -> None:
    assert rows(part) == []
    assert rows(part, "paired") == [row]
    assert rows([], "paired") == []


def test_an_item_whose_twin_was_dropped_is_neither_paired_nor_unpaired() -> None:
    dropped = (PAIRS[0][0], Verdict(item="i1", kind="contrastive", dropped="too long"))
    assert rows([dropped, *PAIRS[1:]], "paired") == [("paired", 2, 1), ("group incomplete", 1, 1)]
