"""What is said of sets too small, too tied or too mixed to decide: from items to sentence, figures by other code.

Not finding a loss, a bias or a difference is never a check mark, and what is inconclusive says what would decide.
"""

from __future__ import annotations

from math import ceil
from typing import Any

import msgspec
import numpy as np
import pytest
from scipy.stats import binomtest

from referee.analysis.chance_level import ChanceLevel
from referee.analysis.comparison.compare import compare
from referee.analysis.diagnosis import diagnose_suites
from referee.analysis.robustness import Outcome, attacks, robustness
from referee.analysis.salience.importance import importance
from referee.analysis.salience.record import Salience, Weight
from referee.analysis.scorecard import Cell, ScorecardRow, scorecard
from referee.items import Candidate, Item, Origin
from referee.reports import wording
from referee.reports.wording.scorecard import GRADES
from referee.scoring.decision import contrastive, generative
from referee.stats.paired import detectable
from referee.verdicts import Judged, Verdict
from tests.support.items import item
from tests.support.judged_sets import Chooser, found_on, judged, premises, right, twins

SIGN = {grade: sign for grade, (sign, _) in GRADES.items()}


def card(*sets: Judged) -> dict[str, Cell]:
    """The cells of the one suite that was not made of another."""
    findings = found_on(*sets)
    (row,) = scorecard(diagnose_suites(list(sets), findings), findings, {}, {sets[0].suite: "choose"})
    return row.cells


def exact(hits: int, total: int) -> tuple[float, float]:
    bounds = binomtest(hits, total).proportion_ci(0.95, "exact")
    return float(bounds.low), float(bounds.high)


def more(groups: int, half_width: float, distance: float) -> int:
    """The rule of thumb of the note: K (h / d)² groups in all."""
    return max(1, ceil(groups * (half_width / distance) ** 2) - groups)


def choices(correct: int, total: int) -> Judged:
    """So many of two-way choices correct, each a group of its own."""
    return judged("s", premises(total), lambda one, number: (one.gold or 0) ^ (number >= correct))


# --- accuracy


def test_four_of_four_is_neither_above_chance_nor_at_chance() -> None:
    low, _ = exact(4, 4)
    assert low < 0.5
    cell = card(choices(4, 4))["accuracy"]
    assert (SIGN[cell.grade], cell.value) == ("?", 1.0)
    assert cell.interval == pytest.approx((low, 1.0))
    needed = more(4, 1 - low, 0.5)
    assert wording.cell_verdict(cell) == (
        f"Inconclusive against chance (50.0%; needs about {needed} more group{'' if needed == 1 else 's'})."
    )


@pytest.mark.parametrize(("total", "sign"), [(5, "?"), (6, "~"), (16, "~"), (17, "✓")])
def test_how_many_correct_answers_it_takes(total: int, sign: str) -> None:
    """As the note's table has it: six for more than a guess of two, seventeen for a check mark."""
    cell = card(choices(total, total))["accuracy"]
    assert SIGN[cell.grade] == sign
    assert (exact(total, total)[0] > 0.5) == (sign != "?")
    assert (exact(total, total)[0] > 0.8) == (sign == "✓")


def test_at_chance_is_said_where_more_is_ruled_out() -> None:
    """Half of 402 ends below 55%; half of 400 does not."""
    assert exact(201, 402)[1] < 0.55 < exact(200, 400)[1]
    assert wording.cell_verdict(card(choices(201, 402))["accuracy"]) == "At chance (50.0%)."
    assert wording.cell_verdict(card(choices(200, 400))["accuracy"]) == (
        "Inconclusive against chance (50.0%; needs about 2 more groups)."
    )


def test_one_group_gives_no_check_mark() -> None:
    """A hundred items that stand or fall together are one observation."""
    items = [item(id=str(number), group="one", gold=number % 3) for number in range(100)]
    cells = card(judged("s", items, right))
    assert {name: SIGN[cell.grade] for name, cell in cells.items() if cell.value is not None} == {
        "accuracy": "?",
        "groups": "?",
        "bias": "?",
    }
    for name in ("accuracy", "groups", "bias"):
        assert "needs about" in wording.cell_verdict(cells[name])


@pytest.mark.parametrize("correct", [0, 1, 40])
def test_generation_that_is_never_correct_is_not_better_than_chance(correct: int) -> None:
    """The chance level of expected forms is that of the items: the best constant form."""
    items = [
        item(
            id=str(number),
            candidates=(),
            gold=None,
            expected=("er" if number % 2 else "sie",),
            features={"gender": "m" if number % 2 else "f"},
        )
        for number in range(40)
    ]
    hits = [number < correct for number in range(40)]
    verdicts = [generative(one.id, "", {"paper": hit, "token": hit}) for one, hit in zip(items, hits, strict=True)]
    base = Judged("s", "generative", items, verdicts)
    result = found_on(base)[0]
    assert result.chance is not None
    assert result.chance.level == 0.5
    (row,) = scorecard(diagnose_suites([base], [result]), [result], {}, {})
    verdict = "Above" if correct == 40 else "Below"
    assert wording.cell_verdict(row.cells["accuracy"]) == f"{verdict} chance (50.0%, always feminine)."
    assert SIGN[row.cells["accuracy"].grade] == ("✓" if correct == 40 else "✗")


# --- ties and dropped items


def test_all_ties_are_no_accuracy() -> None:
    items = twins(20)
    verdicts = [contrastive(one.id, [1.0] * len(one.candidates), one.gold, higher=True) for one in items]
    cells = card(Judged("s", "contrastive", items, verdicts))
    for name in ("accuracy", "groups", "bias"):
        assert (wording.cell_verdict(cells[name]), SIGN[cells[name].grade]) == (
            "No decision: every item is a tie.",
            "–",
        )
    assert all(SIGN[cell.grade] == "–" for cell in cells.values())


def test_all_dropped_is_not_no_correct_answer() -> None:
    items = twins(5)
    verdicts = [Verdict(item=one.id, kind="contrastive", dropped="too long") for one in items]
    cells = card(Judged("s", "contrastive", items, verdicts))
    for name in ("accuracy", "groups", "bias"):
        assert wording.cell_verdict(cells[name]) == "Not measured: every item was dropped."
    assert all(SIGN[cell.grade] == "–" for cell in cells.values())


# --- robustness


def attacked(before: list[bool], after: list[bool]) -> tuple[str, str]:
    """The sentence and the sign; every item is a group of its own."""
    originals = [Outcome(str(number), str(number), correct) for number, correct in enumerate(before)]
    changed = [
        Outcome(f"{number}+p", str(number), correct, Origin(str(number), "p", "attack"))
        for number, correct in enumerate(after)
    ]
    result = robustness(attacks({"s": originals, "s+p": changed})["s"])
    suite = card_of(result)
    return wording.robustness_verdict(result), SIGN[suite.cells["attacks"].grade]


def card_of(result: Any) -> ScorecardRow:
    base = judged("s", premises(2), right)
    findings = found_on(base)
    (suite,) = diagnose_suites([base], findings)
    (row,) = scorecard([replace(suite, robustness=result)], findings, {}, {})
    return row


def replace(struct: Any, **changes: Any) -> Any:
    return msgspec.structs.replace(struct, **changes)


def loss_end(lost: int, kept: int) -> float:
    """The lower end for items that only break: a share of those that broke, by Clopper and Pearson."""
    return exact(lost, lost + kept)[1]


def test_five_of_five_broken_is_inconclusive_with_the_possible_loss() -> None:
    """McNemar's exact p is 0.0625: no loss was shown, and none was ruled out."""
    sentence, sign = attacked([True] * 5, [False] * 5)
    assert binomtest(5, 5).pvalue == 0.0625
    assert sign == "?"
    assert sentence.startswith("Inconclusive (needs about ")
    assert sentence.endswith(": a loss of up to 100.0 pp is possible; 5 of 5 correct answers broke under p.")


def test_six_of_six_broken_is_a_loss() -> None:
    sentence, sign = attacked([True] * 6, [False] * 6)
    assert binomtest(6, 6).pvalue < 0.05
    assert (sentence, sign) == ("Loses 100.0 pp under p; 0.0% correct before and under every perturbation.", "✗")


def test_eight_flips_of_twenty_with_a_net_gain_are_not_robust() -> None:
    """Three of ten correct answers broke and five others became correct: the accuracy rose, the answers moved."""
    before = [True] * 10 + [False] * 10
    after = [False] * 3 + [True] * 7 + [True] * 5 + [False] * 5
    sentence, sign = attacked(before, after)
    assert sign == "?"
    assert "Robust" not in sentence
    assert sentence.startswith("Inconclusive (more groups at these rates would not decide): a loss of up to ")
    assert sentence.endswith("; 3 of 10 correct answers broke under p.")


@pytest.mark.parametrize(("groups", "needed"), [(5, 67), (30, 42), (70, 2)])
def test_the_number_of_missing_groups_is_right_where_nothing_changed(groups: int, needed: int) -> None:
    """It takes 72 in all, however few there are."""
    sentence, _ = attacked([True] * groups, [True] * groups)
    assert sentence.startswith(f"Inconclusive (needs about {needed} more groups): a loss of up to ")


@pytest.mark.parametrize(("groups", "sign"), [(71, "?"), (72, "✓")])
def test_how_many_unchanged_answers_are_robust(groups: int, sign: str) -> None:
    """Where nothing changed a loss ends at 1 - 0.025^(1/K), which is below 5 pp from 72 groups on."""
    possible = loss_end(0, groups)
    assert (possible < 0.05) == (sign == "✓")
    sentence, shown = attacked([True] * groups, [True] * groups)
    assert shown == sign
    if sign == "✓":
        assert sentence == (
            "Robust under p: a loss of 5.0 pp or more is ruled out; 100.0% correct before and under every perturbation."
        )
    else:
        assert sentence == (
            "Inconclusive (needs about 1 more group): "
            f"a loss of up to {100 * possible:.1f} pp is possible; 0 of 71 correct answers broke under p."
        )


def test_a_model_that_is_never_correct_is_not_robust() -> None:
    sentence, sign = attacked([False] * 200, [False] * 200)
    assert sign == "?"
    assert sentence.startswith("Inconclusive (more groups at these rates would not decide): ")
    assert sentence.endswith("; no answer was correct before p.")


# --- bias, groups, salience


@pytest.mark.parametrize(("pairs", "sign"), [(9, "?"), (33, "?"), (37, "✓")])
def test_no_errors_are_no_bias_only_with_enough_groups(pairs: int, sign: str) -> None:
    """As the note has it: about 37 pairs. Each error rate ends where it does for no error in so many groups."""
    assert (exact(0, pairs)[1] / 2 < 0.05) == (sign == "✓")
    candidates = (Candidate("m", {"gender": "m"}), Candidate("f", {"gender": "f"}))
    cell = card(judged("s", twins(pairs, candidates=candidates), right))["bias"]
    sentence = wording.cell_verdict(cell)
    assert SIGN[cell.grade] == sign
    assert ("is ruled out" in sentence) == (sign == "✓")
    assert ("needs about" in sentence) == (sign == "?")


def test_five_pairs_cannot_show_how_errors_fall() -> None:
    base = judged("s", twins(5), lambda one, number: 0)
    (suite,) = diagnose_suites([base], found_on(base))
    assert suite.groups is not None
    sentence = wording.group_verdict(suite.groups)
    assert sentence.startswith("Group score 0.0%; independent errors leave ")
    # Five errors in ten items; with pairs it takes six in six groups.
    assert sentence.endswith("): inconclusive (needs about 1 more group).")


def weight(value: float, *, trigger: bool) -> Weight:
    return Weight("source", 0, 0, 1, value, trigger)


def test_few_groups_say_nothing_of_salience() -> None:
    saliences = [
        Salience(
            suite="s",
            item=str(number),
            target="x",
            probability=0.5,
            weights=(weight(0.9, trigger=True), weight(0.1, trigger=False)),
        )
        for number in range(9)
    ]
    result = importance(saliences)
    assert result is not None
    assert wording.salience_verdict(result) == (
        "Inconclusive (needs about 1 more group): mean rank 75.0%, 50.0% if equal."
    )


# --- comparison


def compared(base: Chooser, other: Chooser, items: list[Item]) -> str:
    (comparison,) = compare([judged("s", items, base)], [judged("s", items, other)])
    assert comparison.items is not None
    return wording.difference_verdict(comparison.items, "A", "B")


def test_six_items_show_only_the_grossest_difference() -> None:
    """No number above 100, and no number that is not worth its digits."""
    sentence = compared(right, lambda one, number: (one.gold or 0) ^ (number == 0), premises(6))
    assert sentence.startswith("Inconclusive (needs about ")
    assert sentence.endswith("; too few groups to show any but the grossest difference.")
    assert detectable(np.array([-1.0] + [0.0] * 5), np.ones(6), 1) is None
    (comparison,) = compare([judged("s", premises(6), right)], [judged("s", premises(6), right)])
    assert comparison.items is not None
    assert wording.detectable_sentence(comparison.items) == (
        "6 items: too few groups to show any but the grossest difference."
    )


@pytest.mark.parametrize(("count", "words"), [(72, "Inconclusive"), (73, "Equal within 5.0 pp")])
def test_the_same_answers_are_equal_only_with_enough_groups(count: int, words: str) -> None:
    """Each end of an interval without changes is at 1 - 0.025^(1/K)."""
    sentence = compared(right, right, premises(count - 1))
    possible = exact(0, count - 1)[1]
    assert (possible < 0.05) == (words != "Inconclusive")
    assert sentence.startswith(words)
    if words == "Inconclusive":
        assert f"differences over {100 * possible:.1f} pp are ruled out" in sentence


def test_chance_levels_are_named_with_their_reason() -> None:
    """The better of guessing and the best constant heuristic: neuter is correct in three of four."""
    items = [item(id=str(number), gold=2 if number % 4 else 0) for number in range(40)]
    result = found_on(judged("s", items, right))[0]
    assert result.chance == ChanceLevel(0.75, "heuristic", "gender", "n")
    assert wording.cell_verdict(card(judged("s", items, right))["accuracy"]) == "Above chance (75.0%, always neuter)."
