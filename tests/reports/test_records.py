"""Records for `--json`: outcomes as they are, each with its sentence."""

from __future__ import annotations

import msgspec

from referee.analysis.diagnosis import diagnose_suites
from referee.analysis.salience.importance import importances
from referee.analysis.salience.record import Salience, Weight
from referee.analysis.scorecard import scorecard
from referee.reports.records import importance_records, scorecard_records, suite_record
from referee.reports.wording import bias_verdict, cell_verdict, group_verdict
from tests.support.judged_sets import first, found_on, judged, twins

SET = judged("t", twins(40), first)
FINDINGS = found_on(SET)
(SUITE,) = diagnose_suites([SET], FINDINGS)


def test_a_suite_keeps_its_fields_and_every_outcome_has_a_verdict() -> None:
    record = suite_record(SUITE)
    assert (record["suite"], record["items"], record["robustness"]) == ("t", 80, None)
    gender, position = record["biases"]
    assert (gender["feature"], position["biased_towards"]) == ("gender", "first")
    assert [bias["verdict"] for bias in (gender, position)] == [bias_verdict(bias) for bias in SUITE.biases]
    assert SUITE.groups is not None
    assert record["groups"]["verdict"] == group_verdict(SUITE.groups)
    assert record["groups"]["score"] == SUITE.groups.score


def test_a_row_has_grades_and_verdicts_but_not_the_outcomes_again() -> None:
    rows = scorecard([SUITE], FINDINGS, {}, {"t": "translate"})
    (record,) = scorecard_records(rows)
    assert set(record) == {"suite", "kind", "rule", "items", "cells", "pooled"}
    accuracy = record["cells"]["accuracy"]
    assert set(accuracy) == {"value", "interval", "unit", "grade", "verdict"}
    assert accuracy["verdict"] == cell_verdict(rows[0].cells["accuracy"])


def test_records_can_be_written() -> None:
    weights = (Weight("source", 0, 0, 1, 0.4, True), Weight("source", 0, 2, 3, 0.1))
    saliences = [Salience("t", str(number), "er", 0.5, weights) for number in range(3)]
    records = importance_records(importances(saliences))
    value = msgspec.json.decode(msgspec.json.encode({"suite": suite_record(SUITE), "importance": records}))
    assert value["importance"]["t"]["effect"] in ("none", "inconclusive", "more")
    assert value["importance"]["t"]["verdict"].endswith(".")
