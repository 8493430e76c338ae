"""Tables of a diagnosis."""

from __future__ import annotations

from math import ceil, comb, factorial

import msgspec
import numpy as np
import pytest
from scipy.stats import binomtest

from referee.analysis.diagnosis import diagnose_suites
from referee.items import Item
from referee.perturbations import changed_twin
from referee.reports.model import Table
from referee.reports.tables.diagnosis import diagnosis_tables
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


def whole_pairs(pairs: int) -> tuple[float, float, float]:
    """Mean and 95% range of the share of whole pairs, with as many errors as pairs that fall anywhere.

    Of `whole` pairs without an error there are as many with two, and all others have one.
    """
    ways = {
        whole: factorial(pairs) // (factorial(whole) ** 2 * factorial(pairs - 2 * whole)) * 2 ** (pairs - 2 * whole)
        for whole in range(pairs // 2 + 1)
    }
    total = comb(2 * pairs, pairs)
    assert sum(ways.values()) == total
    shares = [count / total for count in ways.values()]
    low, high = (int(np.searchsorted(np.cumsum(shares), tail)) for tail in (0.025, 0.975))
    mean = sum(whole * share for whole, share in enumerate(shares))
    return mean / pairs, low / pairs, high / pairs


def melded_end(tests: int) -> float:
    """How far a bias may reach where 20 pairs always take a value and 20 never do; by draws of our own."""
    draws = np.random.default_rng(7)
    always, never = draws.standard_gamma(20, (2, 100_000))
    taken, left = draws.standard_exponential((2, 100_000))
    total = always + never
    return float(np.quantile((always + taken) / (total + taken) - never / (total + left), 1 - 0.05 / tests)) / 2


def test_bias_and_groups() -> None:
    base = judged("t", twins(40), first)
    (suite,) = diagnose_suites([base], found_on(base))
    gender = suite.biases[0]
    possible = max(value.interval[1] for value in gender.values)
    # Two values of two features are tested together.
    assert possible == pytest.approx(melded_end(4), abs=0.004)
    more = ceil(40 * (max(abs(end) for end in gender.values[0].interval) / 0.05) ** 2) - 40
    found = shown(base)
    assert list(found) == [
        "t: diagnosis",
        "t: bias",
        "t: bias as published",
        "t: chosen against expected",
        "t: group score and accuracy",
    ]
    mean, low, high = whole_pairs(40)
    assert found["t: diagnosis"].rows == [
        (
            "bias: gender",
            f"Inconclusive (needs about {more} more groups): a bias of up to {100 * possible:.1f} pp is possible.",
        ),
        ("bias: position", "Biased towards the first noun (large effect): chosen 100.0%, correct 50.0%."),
        (
            "group score",
            f"Group score 0.0%, while independent errors leave {100 * mean:.1f}% ({100 * low:.1f}–{100 * high:.1f}): "
            "errors fall on one member per group, so members tend to get the same answer.",
        ),
    ]
    position = dict(zip(found["t: bias"].columns, found["t: bias"].rows[1], strict=True))
    assert (position["p"], position["V"], position["effect"]) == ("<0.0001", "1.000", "large")
    published = found["t: bias as published"]
    position = dict(zip(published.columns, published.rows[1], strict=True))
    assert (position["RBC"], position["value order"], position["effect"]) == ("-1.000", "first < second", "large")
    assert position["thresholds"] == "0.100 0.243 0.371"
    values = found["t: chosen against expected"].rows
    (position_value,) = [row for row in values if row[:2] == ("position", "first")]
    assert position_value[2:9] == ("80", "50.0", "100.0", "0.0", "50.0", "100.0", "+50.0")
    # Forty of forty groups are no certainty; nobody takes a value more than always.
    low_end, high_end = position_value[9].split(" to ")
    assert high_end == "+50.0"
    assert 40 < float(low_end) < 45
    assert position_value[10] == "<0.0001"
    assert found["t: chosen against expected"].note.startswith(
        "Taken: chosen where it is offered and incorrect, times the number of incorrect candidates. "
    )
    (group,) = found["t: group score and accuracy"].rows
    assert group[:4] == ("80", "50.0", "40", "0.0")
    assert group[4:6] == (f"{100 * mean:.1f}", f"{100 * low:.1f}–{100 * high:.1f}")


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
    exact = binomtest(45, 60).proportion_ci(0.95, "exact")
    assert baseline[3:] == (f"{100 * exact.low:.1f}–{100 * exact.high:.1f}", "50.0", "100.0", "-25.0", "<0.0001")
    (attack,) = found["copa: robustness"].rows
    assert attack[:5] == ("swap", "60", "100.0", "50.0", "-50.0")
    assert attack[6:] == ("<0.0001", "<0.0001", "50.0")
    kept = binomtest(30, 60).proportion_ci(0.95, "exact")
    assert found["copa: robustness"].note == (
        "Broken: correct answers that became incorrect. Mean change -50.0 pp. Correct before and under every "
        f"perturbation: 30 of 60 items, 50.0% (95% CI {100 * kept.low:.1f}–{100 * kept.high:.1f})."
    )
    assert [row[1] for row in found["copa: diagnosis"].rows] == [
        "Above chance (50.0%) without the premise: 75.0%; 100.0% on the full items.",
        "Loses 50.0 pp under swap; 50.0% correct before and under every perturbation.",
    ]


def test_the_group_score_of_a_baseline_has_a_row_of_its_own() -> None:
    items = [msgspec.structs.replace(each, task="choose") for each in twins(20)]
    found = shown(judged("t", items, right), judged("t+no-premise", hidden(items, "no-premise"), first))
    single, whole = found["t: artifact baselines"].rows
    assert single[:3] == ("no-premise", "40", "50.0")
    # Against a model that is correct or incorrect group by group, not against two guesses.
    high = binomtest(0, 20).proportion_ci(0.95, "exact").high
    assert whole[:5] == ("no-premise, group score", "20", "0.0", f"0.0–{100 * high:.1f}", "50.0")


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


def test_no_errors_in_few_groups_are_no_absence_of_bias() -> None:
    found = shown(judged("t", twins(3), right))
    row = dict(zip(found["t: bias"].columns, found["t: bias"].rows[0], strict=True))
    assert row["p"] == "1.0000"
    rows = found["t: diagnosis"].rows
    assert any(name == "bias: gender" and text.startswith("Inconclusive (needs about ") for name, text in rows)
    assert ("group score", "Group score 100.0%: cannot be assessed, the model made no errors.") in rows


def test_a_question_that_has_no_answer_has_an_empty_cell() -> None:
    """One value is always correct: how often it is taken where it is not cannot be known."""
    items = [item(id=str(number), gold=0) for number in range(20)]
    found = shown(judged("t", items, right))
    values = found["t: chosen against expected"]
    rows = [dict(zip(values.columns, row, strict=True)) for row in values.rows]
    assert [(row["value"], row["taken %"], row["left %"]) for row in rows] == [
        ("f", "0.0", ""),
        ("m", "", "0.0"),
        ("n", "0.0", ""),
    ]
    assert ("bias: gender", "Cannot be assessed: one value is always correct.") in found["t: diagnosis"].rows


def test_both_ways_of_judging_are_told_apart() -> None:
    scores = judged("t", twins(20), right)
    translated = Judged(
        "t", "generative", scores.items, [msgspec.structs.replace(each, kind="generative") for each in scores.verdicts]
    )
    found = diagnose_suites([scores, translated], [*found_on(scores), *found_on(translated)])
    titles = [table.title for table in diagnosis_tables(found) if table.title.endswith("diagnosis")]
    assert titles == ["t (scores): diagnosis", "t (generation): diagnosis"]
