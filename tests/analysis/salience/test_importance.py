"""Importance scores equal scipy and pingouin; a planted trigger is found, and none where there is none."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from referee.analysis.salience.importance import importance, importances
from referee.analysis.salience.record import Salience, Weight

with warnings.catch_warnings():
    # What it imports is not ours to fix.
    warnings.simplefilter("ignore")
    import pingouin

Words = tuple[Sequence[float], Sequence[float]]
"""Of an item the saliences of triggers, and of the words they are compared with."""


def salience(number: int, words: Words, group: str = "", suite: str = "s") -> Salience:
    weights = [(value, True) for value in words[0]] + [(value, False) for value in words[1]]
    return Salience(
        suite,
        str(number),
        "er",
        0.5,
        tuple(Weight("source", 0, place, place + 1, *weight) for place, weight in enumerate(weights)),
        group,
    )


def drawn(seed: int, items: int, shift: float = 0.0) -> list[Words]:
    """Items of one to three triggers and five to twenty other words, with a level of their own."""
    draw = np.random.default_rng(seed)
    found = []
    for _ in range(items):
        level = draw.normal(0, 0.02)
        triggers = draw.normal(level + shift, 0.05, draw.integers(1, 4))
        found.append((triggers.tolist(), draw.normal(level, 0.05, draw.integers(5, 21)).tolist()))
    return found


EXAMPLES: dict[str, list[Words]] = {
    "no difference": drawn(1, 40),
    "a large one": drawn(2, 40, 0.05),
    "a negative one": drawn(3, 25, -0.03),
    "two items": drawn(4, 2, 0.02),
    "ties": [([0.5], [0.5, 0.1]), ([0.1, 0.1], [0.1, 0.2]), ([0.3], [0.0, 0.1])],
}


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("absolute", [False, True])
def test_everything_equals_scipy_and_pingouin(name: str, absolute: bool) -> None:
    words = EXAMPLES[name]
    made = importance([salience(number, each) for number, each in enumerate(words)])
    assert made is not None
    found = made.absolute if absolute else made.signed
    size = abs if absolute else float
    triggers = [size(value) for own, _ in words for value in own]
    others = [size(value) for _, own in words for value in own]
    assert (made.items, made.triggers, made.others) == (len(words), len(triggers), len(others))
    assert found.trigger_mean == pytest.approx(np.mean(triggers))
    assert found.other_mean == pytest.approx(np.mean(others))
    assert found.d == pytest.approx(pingouin.compute_effsize(triggers, others, eftype="cohen"))
    unpaired = stats.ttest_ind(triggers, others)
    assert (found.t, found.p) == pytest.approx((unpaired.statistic, unpaired.pvalue))
    means = [[float(np.mean([size(value) for value in each[side]])) for each in words] for side in (0, 1)]
    paired = stats.ttest_rel(*means)
    assert (found.paired_t, found.paired_p) == pytest.approx((paired.statistic, paired.pvalue))
    differences = np.array(means[0]) - np.array(means[1])
    assert found.d_z == pytest.approx(differences.mean() / differences.std(ddof=1))


def test_the_printed_figure_has_no_sign() -> None:
    made = importance([salience(number, each) for number, each in enumerate(EXAMPLES["a negative one"])])
    assert made is not None
    assert made.signed.d is not None
    assert made.signed.d < 0
    assert made.absolute_d == -made.signed.d


def test_the_rank_is_that_of_scipy_over_groups() -> None:
    """Ranks within an item, averaged over its triggers, then over the group; a t-test against one half."""
    words = EXAMPLES["a large one"]
    groups = [f"g{number // 2}" for number in range(len(words))]
    made = importance([salience(number, each, groups[number]) for number, each in enumerate(words)])
    assert made is not None
    items = []
    for triggers, others in words:
        ranks = stats.rankdata([*triggers, *others])
        items.append(float(np.mean((ranks[: len(triggers)] - 0.5) / len(ranks))))
    means = [(items[place] + items[place + 1]) / 2 for place in range(0, len(items), 2)]
    test = stats.ttest_1samp(means, 0.5)
    assert (made.groups, made.rank, made.p) == pytest.approx((20, np.mean(means), test.pvalue))
    assert made.interval == pytest.approx((test.confidence_interval().low, test.confidence_interval().high))


def test_one_large_value_does_not_decide() -> None:
    """Triggers are like other words but for one that is a thousand times as salient."""
    words = drawn(11, 60)
    words[0] = ([50.0], words[0][1])
    plain = importance([salience(number, each) for number, each in enumerate(drawn(11, 60))])
    made = importance([salience(number, each) for number, each in enumerate(words)])
    assert made is not None
    assert plain is not None
    assert made.rank == pytest.approx(plain.rank, abs=0.02)


def test_the_same_input_gives_the_same_figures() -> None:
    records = [salience(number, each) for number, each in enumerate(EXAMPLES["no difference"])]
    assert importance(records) == importance(records)


def test_twins_make_the_interval_wider() -> None:
    """Two items that are the same say no more than one."""
    words = [each for each in drawn(5, 30) for _ in range(2)]
    together = importance([salience(number, each, f"g{number // 2}") for number, each in enumerate(words)])
    alone = importance([salience(number, each) for number, each in enumerate(words)])
    assert together is not None
    assert alone is not None
    widths = [made.interval[1] - made.interval[0] for made in (together, alone)]
    assert widths[0] > 1.2 * widths[1]


def test_only_items_with_both_count() -> None:
    words: list[Words] = [([], [0.1, 0.2]), ([0.3], []), ([0.5], [0.1]), ([0.4], [0.2])]
    made = importance([salience(number, each) for number, each in enumerate(words)])
    assert made is not None
    assert (made.items, made.triggers, made.others) == (2, 2, 2)
    assert importance([salience(number, each) for number, each in enumerate(words[:2])]) is None
    assert importance([]) is None


def test_what_is_not_compared_does_not_count() -> None:
    point = Weight("source", 0, 9, 10, 5.0, trigger=False, compared=False)
    records = [salience(number, each) for number, each in enumerate(EXAMPLES["ties"])]
    more = [Salience(each.suite, each.item, "er", 0.5, (*each.weights, point)) for each in records]
    assert importance(more) == importance(records)


def test_where_nothing_varies_there_is_no_figure() -> None:
    made = importance([salience(number, ([0.1], [0.1, 0.1])) for number in range(5)])
    assert made is not None
    for found in (made.signed, made.absolute):
        assert (found.d, found.t, found.p, found.paired_t, found.paired_p, found.d_z) == (None,) * 6
    assert (made.rank, made.effect) == (0.5, "inconclusive")


def test_where_no_word_is_salient_nothing_can_be_said() -> None:
    made = importance([salience(number, ([0.0], [0.0, 0.0])) for number in range(20)])
    assert made is not None
    assert (made.effect, made.more_groups) == ("none", None)


def test_one_item_has_no_paired_test() -> None:
    made = importance([salience(0, ([0.4, 0.5], [0.1, 0.2]))])
    assert made is not None
    assert made.signed.d is not None
    assert made.signed.paired_p is None
    assert (made.effect, made.more_groups) == ("inconclusive", 9)


def test_suites_apart() -> None:
    records = [salience(number, each, suite="ab"[number % 2]) for number, each in enumerate(EXAMPLES["a large one"])]
    records += [salience(99, ([], [0.1]), suite="c")]
    found = importances(records)
    assert list(found) == ["a", "b"]
    assert found["a"] == importance([each for each in records if each.suite == "a"])


@pytest.mark.parametrize(("shift", "expected"), [(0.08, "more"), (-0.08, "less")])
def test_the_direction(shift: float, expected: str) -> None:
    made = importance([salience(number, each) for number, each in enumerate(drawn(6, 60, shift))])
    assert made is not None
    assert (made.effect, made.more_groups) == (expected, None)


def test_as_salient_as_others_takes_an_interval_inside_the_margin() -> None:
    few, many = (
        importance([salience(number, each) for number, each in enumerate(drawn(12, items))]) for items in (40, 1500)
    )
    assert few is not None
    assert many is not None
    assert (few.effect, many.effect) == ("inconclusive", "equal")
    assert few.more_groups is not None


def test_under_ten_groups_nothing_is_claimed() -> None:
    words = drawn(9, 10, 1.0)
    nine, ten = (importance([salience(n, each) for n, each in enumerate(words[:count])]) for count in (9, 10))
    assert nine is not None
    assert ten is not None
    assert (nine.effect, nine.more_groups, ten.effect) == ("inconclusive", 1, "more")


def test_groups_that_are_all_alike_are_not_certain() -> None:
    """A trigger that is always the most salient of three: without spread a t-test has no interval."""
    made = importance([salience(number, ([0.9 + number / 100], [0.1, 0.2])) for number in range(12)])
    assert made is not None
    assert made.rank == pytest.approx(2.5 / 3)
    assert made.interval[0] < 0.75 < 0.85 < made.interval[1]
    assert made.effect == "more"


def test_a_planted_trigger_is_found() -> None:
    found = [importance([salience(n, each) for n, each in enumerate(drawn(seed, 60, 0.08))]) for seed in range(20)]
    assert all(made is not None and made.effect == "more" for made in found)


@pytest.mark.parametrize(
    ("times", "most"),  # what a binomial with 6% stays below with a chance of 99%
    [(150, 16), pytest.param(1000, 78, marks=pytest.mark.slow)],
)
def test_false_alarms_are_at_the_level(times: int, most: int) -> None:
    """Sets of 15 pairs in which triggers are words like others; salience is heavy-tailed, groups have a level."""
    draw = np.random.default_rng(7)
    alarms = 0
    for _ in range(times):
        level = draw.normal(0, 0.03, (30, 1))
        values = level + draw.standard_t(2, (30, 12)) * 0.05
        records = [
            salience(number, (row[:1].tolist(), row[1:].tolist()), f"g{number // 2}")
            for number, row in enumerate(values)
        ]
        made = importance(records)
        assert made is not None
        alarms += made.effect in ("more", "less")
    assert alarms <= most
