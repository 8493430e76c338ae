"""English beside another language, counted by hand."""

from __future__ import annotations

import pytest

from referee.analysis.cross_lingual import cross_lingual
from referee.analysis.findings import findings_on
from referee.items import Candidate, Item, SetOrigin
from referee.scoring.decision import contrastive
from referee.stats.groups import index_groups
from referee.stats.proportions import difference_interval
from referee.verdicts import Judged, Verdict
from tests.support.items import item


def side(*right: tuple[str, bool]) -> list[tuple[Item, Verdict]]:
    two = (Candidate("x"), Candidate("y"))
    items = [(item(id=name, candidates=two, gold=0), correct) for name, correct in right]
    scores = {True: [1.0, 0.0], False: [0.0, 1.0]}
    return [(made, contrastive(made.id, scores[correct], 0, higher=True)) for made, correct in items]


def judged(suite: str, cases: list[tuple[Item, Verdict]], origin: SetOrigin | None = None) -> Judged:
    return Judged(suite, "contrastive", [item for item, _ in cases], [verdict for _, verdict in cases], origin)


GERMAN = side(("a", True), ("b", True), ("c", False), ("d", False), ("e", True), ("f", True))
ENGLISH = side(("f", False), ("a", True), ("b", False), ("c", True), ("d", False), ("x", True))


def test_items_are_paired_by_id_whatever_their_order() -> None:
    side = judged("lm/english", ENGLISH, SetOrigin("lm", "english", "parallel"))
    own, english = findings_on([judged("lm", GERMAN), side])
    assert english.english is None
    assert own.english is not None
    pair = own.english
    assert (pair.english, pair.items, pair.unpaired) == ("lm/english", 5, 2)
    assert (pair.both_right, pair.only_english, pair.only_own, pair.both_wrong) == (1, 1, 2, 1)
    assert pair.difference == pytest.approx(1 / 5)
    assert pair.interval[0] <= pair.difference <= pair.interval[1]
    assert pair.p == pytest.approx(1.0)


def test_suites_that_are_no_sides_of_each_other_are_not_paired() -> None:
    for origin in (None, SetOrigin("other", "english", "parallel"), SetOrigin("lm", "swap", "attack")):
        sides = [judged("lm", GERMAN), judged("lm/english", ENGLISH, origin)]
        assert [findings.english for findings in findings_on(sides)] == [None, None]


def test_a_clear_difference_is_seen() -> None:
    own = {str(number): (str(number), False) for number in range(12)}
    theirs = {str(number): (str(number), number < 10) for number in range(12)}
    found = cross_lingual("lm/english", own, theirs)
    assert found is not None
    assert found.difference == pytest.approx(-10 / 12)
    assert found.p == pytest.approx(2 / 2**10)


def test_nothing_shared_is_no_comparison() -> None:
    assert cross_lingual("e", {"a": ("a", True)}, {"b": ("b", True)}) is None


def test_groups_are_drawn_as_one() -> None:
    """Twins of the suite stand together, whether they are right or not."""
    right = [True, False, True, True, False, True]
    suite = {str(number): (f"g{number // 2}", hit) for number, hit in enumerate(right)}
    english = {str(number): (str(number), number in (0, 1)) for number in range(6)}
    result = cross_lingual("e", suite, english)
    assert result is not None
    differences = [0.0, -1.0, 1.0, 1.0, 0.0, 1.0]
    assert result.interval == difference_interval(differences, index_groups([0, 0, 1, 1, 2, 2]))
    assert result.interval != difference_interval(differences, index_groups(right))
