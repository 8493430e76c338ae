"""Tables of a diagnosis."""

from __future__ import annotations

import msgspec

from referee.analysis.diagnosis import diagnose_suites
from referee.items import Item
from referee.perturbations import changed_twin
from referee.reports.model import Table
from referee.reports.tables.diagnosis import diagnosis_tables
from referee.reports.terminal import plain
from referee.reports.wording import NOTHING
from referee.verdicts import Judged
from tests.support.items import item
from tests.support.judged_sets import first, found_on, hidden, judged, premises, right, right_but, twins


def shown(*sets: Judged) -> dict[str, Table]:
    made = diagnosis_tables(diagnose_suites(sets, found_on(*sets)))
    assert all(len(row) == len(table.columns) for table in made for row in table.rows)
    return {table.title: table for table in made}


def attacked(items: list[Item]) -> list[Item]:
    return [changed_twin(each, "swap") for each in items]


def test_bias_and_groups() -> None:
    found = shown(judged("t", twins(40), first))
    assert list(found) == [
        "t: diagnosis",
        "t: bias",
        "t: bias as published",
        "t: chosen against expected",
        "t: group score and accuracy",
    ]
    assert found["t: diagnosis"].rows == [
        ("bias: gender", "Bias not significant (p = 1.0000)."),
        ("bias: position", "Biased towards the first noun (large effect): chosen 100.0%, correct 50.0%."),
        (
            "group score",
            "Group score 0.0%, below the 25.0% expected from independent errors: "
            "members of a group tend to get the same answer.",
        ),
    ]
    position = dict(zip(found["t: bias"].columns, found["t: bias"].rows[1], strict=True))
    assert (position["p"], position["V"], position["effect"]) == ("<0.0001", "1.000", "large")
    published = found["t: bias as published"]
    position = dict(zip(published.columns, published.rows[1], strict=True))
    assert (position["RBC"], position["value order"], position["effect"]) == ("-1.000", "first < second", "large")
    assert position["thresholds"] == "0.100 0.243 0.371"
    values = found["t: chosen against expected"].rows
    assert ("position", "first", "80", "50.0", "50.0", "100.0", "+50.0", "+50.0 to +50.0") in values


def test_artifacts_and_attacks() -> None:
    items = premises(60)
    found = shown(
        judged("copa", items, right),
        judged("copa+no-premise", hidden(items, "no-premise"), right_but(4)),
        judged("copa+swap", attacked(items), right_but(2)),
    )
    assert [row[0] for row in found["copa: diagnosis"].rows] == ["artifacts: no-premise", "robustness"]
    (baseline,) = found["copa: artifact baselines"].rows
    assert baseline[:3] == ("no-premise", "60", "75.0")
    assert baseline[6:8] == ("100.0", "-25.0")
    (attack,) = found["copa: robustness"].rows
    assert attack[:5] == ("swap", "60", "100.0", "50.0", "-50.0")
    assert found["copa: robustness"].note.startswith(
        "Mean change -50.0 pp. Correct before and under every perturbation: 30 of 60 items, 50.0% (95% CI 3"
    )


def test_the_group_score_of_a_baseline_has_a_row_of_its_own() -> None:
    items = [msgspec.structs.replace(each, task="choose") for each in twins(20)]
    found = shown(judged("t", items, right), judged("t+no-premise", hidden(items, "no-premise"), first))
    single, whole = found["t: artifact baselines"].rows
    assert single[:3] == ("no-premise", "40", "50.0")
    assert whole[:5] == ("no-premise, group score", "20", "0.0", "0.0–0.0", "25.0")


def test_priors_name_their_label_where_there_are_several() -> None:
    bare = [msgspec.structs.replace(each, gold=None) for each in twins(30)]
    one = shown(judged("t", [msgspec.structs.replace(each, label="role") for each in bare], first))
    assert [row[0] for row in one["t: diagnosis"].rows] == ["prior: gender", "prior: position"]
    two = [msgspec.structs.replace(each, label=["role", "verb"][place % 2]) for place, each in enumerate(bare)]
    names = [row[0] for row in shown(judged("t", two, first))["t: diagnosis"].rows]
    assert names == ["prior: role, gender", "prior: role, position", "prior: verb, gender", "prior: verb, position"]


def test_a_suite_of_which_nothing_can_be_said() -> None:
    made = item(candidates=tuple(msgspec.structs.replace(each, features={}) for each in item().candidates))
    found = shown(judged("t", [made], right))
    assert [table.rows for table in found.values()] == [[("", NOTHING)]]


def test_a_question_that_has_no_answer_has_an_empty_cell() -> None:
    found = shown(judged("t", twins(3), right))
    row = dict(zip(found["t: bias"].columns, found["t: bias"].rows[0], strict=True))
    assert row["p"] == ""
    assert "the model made no errors" in plain(found["t: diagnosis"])


def test_both_ways_of_judging_are_told_apart() -> None:
    scores = judged("t", twins(20), right)
    translated = Judged(
        "t", "generative", scores.items, [msgspec.structs.replace(each, kind="generative") for each in scores.verdicts]
    )
    found = diagnose_suites([scores, translated], [*found_on(scores), *found_on(translated)])
    titles = [table.title for table in diagnosis_tables(found) if table.title.endswith("diagnosis")]
    assert titles == ["t (scores): diagnosis", "t (generation): diagnosis"]
