"""Group scores of any number per item ("Back to Square One", section 3.1 and footnote 6)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import pytest

from referee.analysis.findings import findings_on
from referee.analysis.group_scores import CandidateScores, ScoreOfGroups, score_groups
from referee.items import Candidate, Item
from referee.scoring.decision import contrastive
from referee.stats.t_interval import t_interval
from referee.stats.worst_group import mean_interval
from referee.verdicts import Judged, Verdict
from tests.support.items import item

GROUPS = np.array([0, 0, 1, 1, 1, 2])
VALUES = np.array([10.0, 30.0, 50.0, 20.0, 80.0, 99.0])


def test_a_group_counts_as_its_lowest_member() -> None:
    figure = score_groups("bleu", VALUES, GROUPS, bounds=(0.0, 100.0))
    assert figure is not None
    assert (figure.items, figure.groups, figure.singles) == (5, 2, 1)
    assert (figure.mean, figure.score) == (38.0, 15.0)
    assert (figure.method, figure.lower_is_better) == ("worst group", False)
    assert figure.interval == mean_interval(np.array([10.0, 20.0]), np.ones(2), (0.0, 100.0))


def test_a_group_counts_as_its_highest_member_where_lower_is_better() -> None:
    figure = score_groups("score", VALUES, GROUPS, lower_is_better=True)
    assert figure is not None
    assert (figure.mean, figure.score, figure.lower_is_better) == (38.0, 55.0, True)
    assert (figure.method, figure.interval) == ("t", t_interval(np.array([30.0, 80.0])))


def test_one_group_without_bounds_has_no_interval() -> None:
    figure = score_groups("comet", VALUES[:2], GROUPS[:2])
    assert figure is not None
    assert (figure.score, figure.interval) == (10.0, None)


def test_without_a_pair_there_is_no_group_score() -> None:
    assert score_groups("comet", VALUES[:3], np.arange(3)) is None
    assert CandidateScores().summarise() == []


def scored(scores: Sequence[Sequence[float]], *, higher: bool = True) -> list[tuple[Item, Verdict]]:
    """Twins of which the first candidate is correct in the first, and the second in the second."""
    judged = []
    for number, of_item in enumerate(scores):
        gold = number % 2
        schema = item(
            id=str(number), group=str(number // 2), candidates=(Candidate("x"), Candidate("y")), gold=gold, expected=()
        )
        judged.append((schema, contrastive(schema.id, of_item, gold, higher=higher)))
    return judged


def summary(scores: Sequence[Sequence[float]], *, higher: bool = True) -> list[ScoreOfGroups]:
    columns = CandidateScores()
    for one, verdict in scored(scores, higher=higher):
        columns.add(one, verdict)
    return columns.summarise()


def test_score_and_margin_of_the_correct_candidate() -> None:
    score, margin = summary([(-1.0, -3.0), (-2.0, -2.5), (-4.0, -5.0), (-8.0, -6.0)])
    assert (score.name, score.mean, score.score) == ("score", (-1 - 2.5 - 4 - 6) / 4, (-2.5 - 6) / 2)
    assert (margin.name, margin.mean, margin.score) == ("margin", (2 - 0.5 + 1 + 2) / 4, (-0.5 + 1) / 2)
    assert not score.lower_is_better


def test_perplexities_count_by_the_highest_and_margins_by_the_lowest() -> None:
    score, margin = summary([(1.0, 3.0), (2.0, 2.5), (5.0, 5.0), (5.0, 5.0)], higher=False)
    assert (score.lower_is_better, score.score) == (True, (2.5 + 5) / 2)
    assert (margin.lower_is_better, margin.score) == (False, (-0.5 + 0) / 2)


def test_a_group_has_a_positive_margin_exactly_where_all_members_are_correct() -> None:
    draws = np.random.default_rng(5).normal(size=(40, 2))
    for higher in (True, False):
        for start in range(0, 40, 2):
            pair = scored(draws[start : start + 2].tolist(), higher=higher)
            columns = CandidateScores()
            for one, verdict in pair:
                columns.add(one, verdict)
            (margin,) = [figure for figure in columns.summarise() if figure.name == "margin"]
            assert (margin.score > 0) == all(verdict.correct for _, verdict in pair)


def test_ties_leave_the_direction_to_other_items() -> None:
    """Of three candidates the two incorrect ones tie: which end is better shows in the second item only."""
    columns = CandidateScores()
    for number, scores in enumerate([(4.0, 2.0, 2.0), (1.0, 2.0, 3.0)]):
        schema = item(id=str(number), group="g", gold=0)
        columns.add(schema, contrastive(schema.id, scores, 0, higher=False))
    score, margin = columns.summarise()
    assert (score.lower_is_better, score.score, margin.score) == (True, 4.0, -2.0)


def test_what_has_no_correct_answer_or_no_scores_does_not_count() -> None:
    columns = CandidateScores()
    pair = scored([(1.0, 0.0), (1.0, 0.0)])
    prior = item(id="p", group="0", candidates=(Candidate("x"), Candidate("y")), gold=None, expected=())
    for one, verdict in [*pair, (prior, contrastive("p", (1.0, 0.0), None, higher=True))]:
        columns.add(one, verdict)
    columns.add(prior, Verdict(item="p", kind="contrastive", dropped="too long"))
    assert [figure.items for figure in columns.summarise()] == [2, 2]


def test_a_group_that_lost_a_member_has_no_score() -> None:
    columns = CandidateScores()
    for group in ("whole", "torn"):
        for number, (one, _) in enumerate(scored([(1.0, 0.0), (2.0, 0.0)])):
            schema = msgspec.structs.replace(one, id=f"{group}{number}", group=group)
            columns.add(schema, contrastive(schema.id, (float(number), -1.0), schema.gold, higher=True))
    third = item(id="third", group="torn", candidates=(Candidate("x"), Candidate("y")), gold=0)
    columns.add(third, Verdict(item="third", kind="contrastive", dropped="too long"))
    score, margin = columns.summarise()
    assert (score.items, score.groups, score.singles, score.incomplete) == (2, 1, 0, 1)
    assert margin.incomplete == 1


def test_findings_have_them_where_groups_exist() -> None:
    pairs = scored([(1.0, 0.0)] * 4)
    items, verdicts = zip(*pairs, strict=True)
    (findings,) = findings_on([Judged("twins", "contrastive", items, verdicts)])
    assert [figure.name for figure in findings.candidate_scores] == ["score", "margin"]
    (alone,) = findings_on([Judged("single", "contrastive", [pairs[0][0]], [pairs[0][1]])])
    assert alone.candidate_scores == []


@pytest.mark.parametrize("value", [100.00000000000004, -1e-14])
def test_rounding_does_not_leave_the_bounds(value: float) -> None:
    figure = score_groups("bleu", np.array([value, 50.0, 60.0, 60.0]), np.array([0, 0, 1, 1]), bounds=(0.0, 100.0))
    assert figure is not None
    assert figure.interval is not None
    assert 0.0 <= figure.interval[0] <= figure.interval[1] <= 100.0
