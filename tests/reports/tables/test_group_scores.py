"""The table of group scores."""

from __future__ import annotations

from referee.analysis.findings import findings_on
from referee.reports.tables.accuracy import tables
from referee.reports.tables.group_scores import group_score_table
from referee.scoring.decision import contrastive
from referee.verdicts import Judged
from tests.analysis.test_quality import made_up
from tests.support.items import item


def judged(suite: str, per_group: int) -> Judged:
    items, verdicts = zip(*made_up(9, per_group), strict=True)
    return Judged(suite, "generative", items, verdicts)


def test_sentence_scores_of_translations_in_groups() -> None:
    paper, _ = findings_on([judged("pairs", 2)])
    table = group_score_table("pairs", paper)
    assert table is not None
    assert table.title == "pairs: group scores"
    assert [row[:2] for row in table.rows] == [("sentence BLEU", "8"), ("sentence chrF", "8")]
    assert {row[3] for row in table.rows} == {"4"}
    for row in table.rows:
        assert float(row[4]) < float(row[2])
        low, high = map(float, row[5].split("–"))
        assert 0 <= low <= float(row[4]) <= high <= 100
    assert table.note == (
        "A group counts as its worst member. Intervals of BLEU and chrF: worst group, over the range 0–100. "
        "Items without a partner, left out: 1."
    )


def test_it_follows_the_accuracy_of_its_suite_and_is_shown_once() -> None:
    shown = tables(findings_on([judged("pairs", 2)]))
    assert [table.title for table in shown][:2] == ["pairs", "pairs: group scores"]
    assert not any("group scores" in table.title for table in tables(findings_on([judged("single", 1)])))


def test_scores_where_lower_is_better() -> None:
    twins = [item(id=str(number), group=str(number // 2)) for number in range(4)]
    scores = [[2.0 + number, 5.0, 6.0] for number in range(4)]
    verdicts = [
        contrastive(one.id, of_item, one.gold, higher=False) for one, of_item in zip(twins, scores, strict=True)
    ]
    (findings,) = findings_on([Judged("twins", "contrastive", twins, verdicts)])
    table = group_score_table("twins", findings)
    assert table is not None
    assert [row[:5] for row in table.rows] == [
        ("score of the correct candidate (lower is better)", "4", "3.500", "2", "4.000"),
        ("margin of the correct candidate", "4", "1.500", "2", "1.000"),
    ]
    assert " to " in table.rows[1][5]
    assert table.note == "A group counts as its worst member. Intervals: t over groups."
