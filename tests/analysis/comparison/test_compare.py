from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from referee.analysis.accuracy import findings
from referee.analysis.comparison.compare import Comparison, RunPair, compare, compare_runs, more_groups, significance
from referee.items import Item
from referee.perturbations import changed
from referee.scoring.decision import contrastive, generative
from referee.stats.correction import holm
from referee.stats.paired import PairedDifference
from referee.verdicts import Judged, Verdict
from tests.support.items import item


def run(suite: str, choices: Sequence[int | None], items: Sequence[Item] | None = None) -> Judged:
    """Each item's choice; None is a tie. Without `items` the first candidate is right, and every item stands alone."""
    own = items or [item(id=f"i{number}") for number in range(len(choices))]
    verdicts = [
        contrastive(each.id, [float(place == choice) for place in range(3)], each.gold, higher=True)
        for each, choice in zip(own, choices, strict=True)
    ]
    return Judged(suite, "contrastive", own, verdicts)


def right(pattern: str) -> list[int]:
    return [0 if mark == "+" else 1 for mark in pattern]


def only(base: Sequence[Judged], other: Sequence[Judged], *dimensions: str) -> Comparison:
    (found,) = compare(base, other, dimensions)
    return found


def sure(found: PairedDifference | None) -> PairedDifference:
    assert found is not None
    return found


def test_two_runs_by_hand() -> None:
    found = only([run("x", right("+++++---"))], [run("x", right("++++-++-"))])
    assert (found.suite, found.kind, found.rule, found.groups, found.same) == ("x", "contrastive", None, None, None)
    items = sure(found.items)
    assert (items.items, items.base, items.other) == (8, 5 / 8, 6 / 8)
    assert (items.both_right, items.only_base, items.only_other, items.both_wrong) == (4, 1, 2, 1)
    assert (found.correct_to_incorrect, found.incorrect_to_correct) == (["i4"], ["i5", "i6"])
    assert (items.p, items.holm) == pytest.approx((1.0, 1.0))


def test_accuracies_are_those_of_eval() -> None:
    draws = random.Random(0)
    base, other = (run("x", [draws.randrange(3) for _ in range(50)]) for _ in range(2))
    found = sure(only([base], [other]).items)
    for judged, accuracy in ((base, found.base), (other, found.other)):
        (one,) = findings("x", judged)
        assert one.overall is not None
        assert one.overall.accuracy == accuracy


def test_a_run_against_itself() -> None:
    draws = random.Random(0)
    base = run("x", [draws.choice([0, 1, None]) for _ in range(60)])
    found = only([base], [base])
    assert (sure(found.items).difference, sure(found.items).p) == (0.0, 1.0)
    assert found.correct_to_incorrect == found.incorrect_to_correct == []


def test_whole_groups() -> None:
    """Of three pairs of twins the first run has one whole, the second two."""
    items = [item(id=f"{group}{number}", group=group) for group in "abc" for number in (1, 2)]
    found = only([run("x", right("+++-+-"), items)], [run("x", right("++++--"), items)])
    assert (sure(found.items).items, sure(found.items).groups) == (6, 3)
    groups = sure(found.groups)
    assert (groups.items, groups.base, groups.other) == (3, 1 / 3, 2 / 3)
    assert (groups.only_base, groups.only_other) == (0, 1)


@pytest.mark.parametrize(
    ("base", "other", "expected"),
    [
        ("++++", "-+++", (1.0, 0.5)),
        ("-+++", "++++", (0.5, 1.0)),
        ("-++-", "++++", (0.0, 1.0)),
        ("++++", "+--+", (1.0, 0.0)),
    ],
)
def test_one_wrong_member_spoils_its_group_in_its_own_run_only(
    base: str, other: str, expected: tuple[float, float]
) -> None:
    items = [item(id=f"{group}{number}", group=group) for group in "ab" for number in (1, 2)]
    groups = sure(only([run("x", right(base), items)], [run("x", right(other), items)]).groups)
    assert (groups.base, groups.other) == expected


def test_a_group_of_which_a_member_was_not_compared_does_not_count() -> None:
    items = [item(id=f"{group}{number}", group=group) for group in "ab" for number in range(3)]
    found = only([run("x", right("++-++-"), items)], [run("x", right("++-++"), items[:5])])
    groups = sure(found.groups)
    assert (groups.items, groups.base) == (1, 0.0)
    assert (found.unpaired.only_base, found.unpaired.incomplete_groups) == (1, 1)
    none = only([run("x", right("++-"), items[:3])], [run("x", right("++"), items[:2])])
    assert none.groups is None
    assert sure(none.items).items == 2


def test_items_without_gold_are_compared_by_choice() -> None:
    items = [item(id=f"i{number}", gold=None) for number in range(5)]
    found = only([run("x", [0, 1, 2, None, None], items)], [run("x", [0, 2, 2, None, 1], items)])
    assert (found.items, found.groups, found.without_gold) == (None, None, 5)
    assert found.same is not None
    assert (found.same.count, found.same.share) == (3, 0.6)


def test_by_each_rule() -> None:
    items = [item(id=f"i{number}", expected=("er",)) for number in range(2)]

    def outputs(*found: tuple[bool, bool]) -> Judged:
        verdicts = [
            generative(f"i{number}", "...", {"paper": paper, "token": token})
            for number, (paper, token) in enumerate(found)
        ]
        return Judged("x", "generative", items, verdicts)

    paper, token = compare([outputs((True, True), (False, True))], [outputs((True, False), (True, True))])
    assert (paper.rule, sure(paper.items).difference, paper.incorrect_to_correct) == ("paper", 0.5, ["i1"])
    assert (token.rule, sure(token.items).difference, token.correct_to_incorrect) == ("token", -0.5, ["i0"])


def test_scores_are_not_compared_with_translations() -> None:
    items = [item(expected=("er",))]
    translated = Judged("x", "generative", items, [generative("a", "Er.", {"paper": True, "token": True})])
    (found,) = compare_runs([[run("x", [0], items)], [translated]])
    assert found.comparisons == []
    assert (found.only_base, found.only_other) == ([("x", "contrastive")], [("x", "generative")])


def test_suites_of_one_run_only_are_listed() -> None:
    (found,) = compare_runs([[run("x", [0]), run("y", [0, 0])], [run("y", [1, 0]), run("z", [0, 0, 0])]])
    assert [each.suite for each in found.comparisons] == ["y"]
    assert (found.only_base, found.only_other) == ([("x", "contrastive")], [("z", "contrastive")])


def test_a_suite_of_which_nothing_could_be_judged_still_has_its_counts() -> None:
    dropped = Judged("x", "contrastive", [item()], [Verdict(item="a", kind="contrastive", dropped="too long")])
    found = only([dropped], [run("x", [0], [item()])])
    assert (found.items, found.same, found.unpaired.not_judged) == (None, None, 1)


def test_breakdowns() -> None:
    items = [item(id=f"i{number}", label="late" if number > 2 else "early", distance=number) for number in range(12)]
    found = only([run("x", right("+++" + 9 * "-"), items)], [run("x", right("---" + 9 * "+"), items)], "label", "mood")
    assert list(found.by) == ["label"]
    early, late = found.by["label"]
    assert (early.key, early.items.items, early.items.difference) == ("early", 3, -1.0)
    assert (late.key, late.items.items, late.items.difference) == ("late", 9, 1.0)
    # A family of their own: the two rows, and not the line of all items.
    assert [part.items.holm for part in (early, late)] == holm([early.items.p, late.items.p])
    assert sure(found.items).holm == sure(found.items).p


# --- several runs, several suites


def every_line(found: Sequence[RunPair]) -> list[tuple[float, float | None]]:
    made = [
        line
        for versus in found
        for line in (
            *(paired for one in versus.comparisons for paired in (one.items, one.groups)),
            *(one.mean for one in versus.all_suites),
        )
    ]
    return [(line.p, line.holm) for line in made if line is not None]


def test_holm_is_over_everything_in_the_call() -> None:
    """Two suites, one of them with twins, and three runs: lines of items, of groups and of all suites."""
    draws = random.Random(1)
    twins = [item(id=f"{number}", group=f"g{number // 2}") for number in range(60)]
    runs = [
        [
            run("x", [int(draws.random() > rate) for _ in range(60)]),
            run("y", [int(draws.random() > rate) for _ in range(60)], twins),
        ]
        for rate in (0.3, 0.6, 0.8)
    ]
    found = compare_runs(runs)
    assert [(versus.base, versus.other) for versus in found] == [(0, 1), (0, 2)]
    lines = every_line(found)
    assert len(lines) == 2 * (1 + 2 + 1)
    assert [adjusted for _, adjusted in lines] == holm([p for p, _ in lines])
    assert any(p < 0.01 for p, _ in lines)
    everyone = compare_runs(runs, all_pairs=True)
    assert [(versus.base, versus.other) for versus in everyone] == [(0, 1), (0, 2), (1, 2)]
    assert len(every_line(everyone)) == 12


def test_all_suites_count_the_same() -> None:
    base = [run("x", right("----")), run("y", right("--------"))]
    other = [run("x", right("++++")), run("y", right("--------"))]
    (found,) = compare_runs([base, other])
    (mean,) = found.all_suites
    assert (mean.kind, mean.rule, mean.suites) == ("contrastive", None, ["x", "y"])
    assert mean.mean.difference == pytest.approx(0.5)


def test_one_suite_or_its_attacks_make_no_mean() -> None:
    attacked = [changed(item(id=f"i{number}"), "p") for number in range(4)]
    base = [run("x", right("++--")), run("x+p", right("++--"), attacked)]
    (found,) = compare_runs([base, base])
    assert [each.suite for each in found.comparisons] == ["x", "x+p"]
    assert found.all_suites == []


def translated(suite: str, pattern: str) -> Judged:
    """By `paper` what the pattern says, by `token` always right."""
    items = [item(id=f"{suite}{number}", expected=("er",)) for number in range(len(pattern))]
    verdicts = [
        generative(one.id, "...", {"paper": mark == "+", "token": True})
        for one, mark in zip(items, pattern, strict=True)
    ]
    return Judged(suite, "generative", items, verdicts)


def test_a_mean_is_of_suites_that_were_evaluated_alike() -> None:
    """Scores and translations apart, each rule apart; the attacked set of each kind is left out."""
    attacked = [changed(item(id=f"i{number}"), "p") for number in range(2)]
    base = [
        run("x", right("--")),
        translated("v", "++"),
        run("y", right("+-")),
        run("x+p", right("--"), attacked),
        translated("w", "-+--"),
    ]
    other = [
        run("x", right("++")),
        translated("v", "--"),
        run("y", right("+-")),
        run("x+p", right("++"), attacked),
        translated("w", "++--"),
    ]
    (versus,) = compare_runs([base, other])
    means = [(one.kind, one.rule, one.suites, one.mean.base, one.mean.other) for one in versus.all_suites]
    assert means == [
        ("contrastive", None, ["x", "y"], 0.25, 0.75),
        ("generative", "paper", ["v", "w"], 0.625, 0.25),
        ("generative", "token", ["v", "w"], 1.0, 1.0),
    ]
    (alone,) = compare_runs([base[:3], other[:3]])
    assert [(one.kind, one.suites) for one in alone.all_suites] == [("contrastive", ["x", "y"])]


def test_a_suite_without_gold_is_in_no_mean() -> None:
    unanswered = [item(id=f"u{number}", gold=None) for number in range(2)]
    runs = [[run("x", right("+-")), run("y", [0, 1], unanswered)]] * 2
    (versus,) = compare_runs(runs)
    assert [one.suite for one in versus.comparisons] == ["x", "y"]
    assert versus.all_suites == []


def test_flips_of_all_suites_largest_change_first() -> None:
    def scored(suite: str, *margins: float) -> Judged:
        items = [item(id=f"{suite}{number}") for number in range(len(margins))]
        verdicts = [
            contrastive(each.id, [m, 0.0, -9.0], 0, higher=True) for each, m in zip(items, margins, strict=True)
        ]
        return Judged(suite, "contrastive", items, verdicts)

    base = [scored("x", 1.0, 1.0, 1.0), scored("y", 1.0, -1.0, 1.0)]
    other = [scored("x", -1.0, 1.0, -2.0), scored("y", 1.0, 3.0, -1.0)]
    (found,) = compare_runs([base, other])
    assert [flip.item for flip in found.flips] == ["y1", "x2", "x0", "y2"]
    assert [flip.direction for flip in found.flips][:2] == ["incorrect to correct", "correct to incorrect"]


def test_a_planted_difference_is_found_and_none_where_there_is_none() -> None:
    draws = random.Random(7)
    base = [
        run("x", [int(draws.random() > 0.6) for _ in range(400)]),
        run("y", [draws.randrange(3) for _ in range(400)]),
    ]
    other = [
        run("x", [int(draws.random() > 0.8) for _ in range(400)]),
        run("y", [draws.randrange(3) for _ in range(400)]),
    ]
    planted, none = compare(base, other)
    assert sure(planted.items).difference == pytest.approx(0.2, abs=0.08)
    assert (sure(planted.items).holm or 0) < 0.001
    assert (sure(none.items).holm or 0) > 0.05


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"p": 0.01, "difference": 0.1}, "other_better"),
        ({"p": 0.01, "difference": -0.1}, "base_better"),
        ({"p": 0.05, "difference": 0.1}, "inconclusive"),
        ({"p": 0.01, "holm": 0.05, "difference": 0.1}, "inconclusive"),
        ({"p": 0.01, "holm": 0.02, "difference": -0.1}, "base_better"),
        ({"p": 0.01, "difference": 0.1, "detectable": None}, "other_better"),
        ({"p": 1.0, "interval": (-0.049, 0.049)}, "equal"),
        ({"p": 1.0, "interval": (-0.05, 0.049)}, "inconclusive"),
        ({"p": 1.0, "interval": (-0.049, 0.05)}, "inconclusive"),
        # A difference that is sure and small is still a difference.
        ({"p": 0.01, "difference": 0.02, "interval": (0.01, 0.03)}, "other_better"),
    ],
)
def test_what_a_difference_says(fields: dict[str, Any], expected: str) -> None:
    items = sure(only([run("x", right("+-+-"))], [run("x", right("++--"))]).items)
    plain = msgspec.structs.replace(items, holm=None, detectable=0.2)
    assert significance(msgspec.structs.replace(plain, **fields)) == expected


def test_the_same_answers_are_equal_only_if_there_are_enough() -> None:
    """Nothing changed: 40 items do not rule out five points, 80 do."""
    for items, said in ((40, "inconclusive"), (80, "equal")):
        (comparison,) = compare([run("x", right("+-" * (items // 2)))], [run("x", right("+-" * (items // 2)))])
        assert significance(sure(comparison.items)) == said


def test_six_items_have_no_minimum_detectable_difference() -> None:
    """It was 125.3 points."""
    (comparison,) = compare([run("x", right("++----"))], [run("x", right("-+-+-+"))])
    found = sure(comparison.items)
    assert (found.detectable, significance(found)) == (None, "inconclusive")
    assert more_groups(found) is not None


def test_items_that_stand_alone_leave_the_groups() -> None:
    """Once there is a pair: two pairs and two single items."""
    items = [item(id=str(number), group=group) for number, group in enumerate("aabbcd")]
    grouped = [run("x", right(hits), items) for hits in ("++--++", "++++--")]
    (comparison,) = compare([grouped[0]], [grouped[1]])
    groups = sure(comparison.groups)
    assert (groups.items, groups.base, groups.other) == (2, 0.5, 1.0)
