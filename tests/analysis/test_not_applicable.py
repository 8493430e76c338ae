"""Pronouns without an antecedent in findings: correct by other means counts, not applicable does not."""

from __future__ import annotations

import referee
from referee.analysis.accuracy import Findings, findings
from referee.analysis.comparison.pairing import shared
from referee.analysis.generation_agreement import Answers, agreement
from referee.analysis.robustness import outcomes
from referee.analysis.scorecard import pooled_row
from referee.items import Item
from referee.reports.tables.accuracy import tables
from referee.reports.wording import cell_verdict
from referee.runs.run import Run
from referee.scoring.decision import chosen
from referee.verdicts import Judged, Verdict

OUTPUTS = {
    "Es kam überraschend.": "correct",
    "Das kam überraschend.": "other",
    "Was für eine Überraschung!": "other",
    "Sie kam überraschend.": "incorrect",
    "Der Angriff kam überraschend.": "none",
    "Der Regen kam überraschend.": "none",
    "Der Sieg kam überraschend.": "none",
}


def surprises() -> list[Item]:
    items = (one for one in referee.templates("de", "event") if one.source == "It came as a surprise.")
    return [one for one, _ in zip(items, OUTPUTS, strict=False)]


def judged(outputs: list[str] | None = None) -> list[tuple[Item, Verdict]]:
    return [(one, chosen(one, output)) for one, output in zip(surprises(), outputs or OUTPUTS, strict=True)]


def result(outputs: list[str] | None = None) -> Findings:
    (only,) = findings("event", judged(outputs))
    return only


def test_not_applicable_items_leave_the_denominator_and_are_counted() -> None:
    overall = result().overall
    assert overall is not None
    assert (overall.items, overall.correct, overall.by_other_means, overall.not_applicable) == (4, 3, 2, 3)
    assert overall.accuracy == 0.75
    assert result().not_applicable == 3
    # They are no items without gold, which would be a prior.
    assert (result().without_gold, result().preferences) == (0, [])


def test_breakdowns_count_their_own() -> None:
    rows = {row.key: row for row in result().by["label"]}
    assert (rows["event"].items, rows["event"].not_applicable, rows["event"].by_other_means) == (4, 3, 2)
    assert sum(row.not_applicable for row in result().by["gender"]) == 3


def test_a_table_shows_the_outcomes_apart() -> None:
    (table, *_) = tables([result()])
    assert table.columns[-2:] == ("other means", "not applicable")
    assert table.rows[0][-2:] == ("2", "3")
    assert "not applicable" in table.note
    assert "other means" not in tables([result(["Es kam überraschend."] * len(OUTPUTS))])[0].columns


def test_where_nothing_is_applicable_there_is_no_accuracy_and_a_true_sentence() -> None:
    nothing = result(["Der Angriff kam überraschend."] * len(OUTPUTS))
    assert (nothing.overall, nothing.not_applicable) == (None, len(OUTPUTS))
    (table,) = tables([nothing])
    assert table.rows == [("all items", "0", str(len(OUTPUTS)))]
    cell = pooled_row("event", ("event",), nothing).cells["accuracy"]
    assert cell_verdict(cell) == "Not measured: no translation renders the pronoun."


def test_pairs_of_runs_and_of_ways_leave_them_out() -> None:
    items, verdicts = zip(*judged(), strict=True)
    of_set = Judged("event", "generative", items, verdicts)
    pairs = shared(of_set, of_set)
    assert (len(pairs.with_gold), len(pairs.without_gold), pairs.unpaired.not_judged) == (4, 0, 3)
    assert [outcome.correct for outcome in outcomes(of_set)] == [True, True, True, False]
    scored, generated = Answers(), Answers()
    for one, verdict in of_set:
        scored.add(one, Verdict(item=one.id, kind="contrastive", correct=True, choice=one.gold))
        generated.add(one, verdict)
    both = agreement(scored, generated)
    assert both is not None
    assert (both.items, both.same.count) == (4, 3)


def test_a_run_stores_them() -> None:
    run: Run = referee.score(surprises(), translations=list(OUTPUTS))
    (stored,) = run.sets
    assert [verdict.means for verdict in stored.verdicts] == [
        "pronoun", "other", "other", "pronoun", "none", "none", "none",
    ]  # fmt: skip
    assert run.to_arrow().column("means").to_pylist()[:2] == ["pronoun", "other"]
    (finding,) = run.findings
    assert finding.not_applicable == 3
