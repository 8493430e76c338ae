"""Importance scores equal scipy and pingouin; a planted trigger is found, and none where there is none."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from referee.analysis.salience.importance import Contrast, effect_of, importance, importances
from referee.analysis.salience.record import Salience, Weight

with warnings.catch_warnings():
    # What it imports is not ours to mend.
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


def test_the_interval_is_that_of_groups_drawn_again() -> None:
    """Against a plain bootstrap that puts the words of drawn groups together."""
    words = EXAMPLES["a large one"]
    groups = [f"g{number // 2}" for number in range(len(words))]
    made = importance([salience(number, each, groups[number]) for number, each in enumerate(words)])
    assert made is not None
    assert made.groups == 20
    draw = np.random.default_rng(0)
    found = []
    for _ in range(2000):
        chosen = [place for group in draw.integers(0, 20, 20) for place in (2 * group, 2 * group + 1)]
        triggers = np.concatenate([words[place][0] for place in chosen])
        others = np.concatenate([words[place][1] for place in chosen])
        found.append(pingouin_d(triggers, others))
    assert made.signed.interval == pytest.approx(np.quantile(found, [0.025, 0.975]), abs=0.05)
    assert made.signed.d is not None
    assert made.signed.interval is not None
    assert made.signed.interval[0] < made.signed.d < made.signed.interval[1]


def pingouin_d(a: np.ndarray, b: np.ndarray) -> float:
    squares = ((a - a.mean()) ** 2).sum() + ((b - b.mean()) ** 2).sum()
    return float((a.mean() - b.mean()) / np.sqrt(squares / (len(a) + len(b) - 2)))


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
    widths = [high - low for low, high in (each.signed.interval or (0, 0) for each in (together, alone))]
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
        assert (found.d, found.interval, found.t, found.p, found.paired_t, found.paired_p, found.d_z) == (None,) * 7
    assert made.effect == "none"


def test_one_item_has_no_paired_test() -> None:
    made = importance([salience(0, ([0.4, 0.5], [0.1, 0.2]))])
    assert made is not None
    assert made.signed.d is not None
    assert made.signed.paired_p is None
    assert made.effect == "inconclusive"


def test_suites_apart() -> None:
    records = [salience(number, each, suite="ab"[number % 2]) for number, each in enumerate(EXAMPLES["a large one"])]
    records += [salience(99, ([], [0.1]), suite="c")]
    found = importances(records)
    assert list(found) == ["a", "b"]
    assert found["a"] == importance([each for each in records if each.suite == "a"])


def contrast(d: float | None, p: float | None) -> Contrast:
    return Contrast(
        trigger_mean=0, other_mean=0, d=d, interval=None, t=None, p=None, paired_t=None, paired_p=p, d_z=None
    )


@pytest.mark.parametrize(
    ("d", "p", "expected"),
    [
        (0.19, 0.001, "negligible"),
        (-0.19, 0.001, "negligible"),
        (0.2, 0.001, "more"),
        (0.8, 0.001, "more"),
        (-0.2, 0.001, "less"),
        (0.8, 0.05, "inconclusive"),
        (0.8, 0.049, "more"),
        (-0.8, 0.05, "inconclusive"),
        (0.8, None, "inconclusive"),
        (0.1, None, "negligible"),
        (None, None, "none"),
    ],
)
def test_effects(d: float | None, p: float | None, expected: str) -> None:
    assert effect_of(contrast(d, p)) == expected


def test_a_planted_trigger_is_found() -> None:
    found = [importance([salience(n, each) for n, each in enumerate(drawn(seed, 60, 0.08))]) for seed in range(20)]
    assert all(made is not None and made.effect == "more" for made in found)


@pytest.mark.parametrize(
    ("times", "fewest", "most"),  # what a binomial with 5 % gives with a chance of 99 %
    [(150, 2, 15), pytest.param(1000, 34, 68, marks=pytest.mark.slow)],
)
def test_false_alarms_of_the_paired_test_are_at_its_level(times: int, fewest: int, most: int) -> None:
    """Sets of 30 items in which triggers are words like others; items have levels of their own."""
    draw = np.random.default_rng(7)
    alarms = 0
    for _ in range(times):
        level = draw.normal(0, 0.03, (30, 1))
        values = level + draw.laplace(0, 0.05, (30, 12))
        records = [salience(number, (row[:1].tolist(), row[1:].tolist())) for number, row in enumerate(values)]
        made = importance(records, resamples=1)
        assert made is not None
        assert made.signed.paired_p is not None
        alarms += made.signed.paired_p < 0.05
    assert fewest <= alarms <= most


def test_the_interval_of_few_words_by_hand() -> None:
    """Two groups that are the same: every draw has both, so the interval is d itself."""
    words: Words = ([0.5, 0.7], [0.1, 0.2, 0.3])
    made = importance([salience(number, words, f"g{number}") for number in range(2)])
    assert made is not None
    triggers, others = (np.array(list(side) * 2) for side in words)
    expected = pingouin_d(triggers, others)
    assert made.signed.d == pytest.approx(expected)
    assert made.signed.interval == pytest.approx((expected, expected))


def test_fewer_draws_give_another_interval() -> None:
    records = [salience(number, each) for number, each in enumerate(EXAMPLES["a large one"])]
    few, many = importance(records, 20), importance(records)
    assert few is not None
    assert many is not None
    assert few.signed.d == many.signed.d
    assert few.signed.interval != many.signed.interval
