"""Before and after an attack, counted by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from referee.analysis.attacks import Outcome, attacks, mcnemar, outcomes
from referee.items import Origin
from referee.perturbations import changed_twin
from referee.scoring.decision import contrastive, generative
from referee.stats.proportions import mean_interval
from referee.verdicts import Verdict
from tests.support.items import item


def before(*correct: bool | None) -> list[Outcome]:
    return [Outcome(f"i{number}", f"i{number}", each) for number, each in enumerate(correct)]


def after(name: str, **correct: bool | None) -> list[Outcome]:
    return [
        Outcome(f"{original}+{name}", original, each, Origin(original, name, "attack"))
        for original, each in correct.items()
    ]


def test_only_pairs_count() -> None:
    """Four originals, of which the attack changes three; one of those was not judged."""
    found = attacks({"s": before(True, True, False, True), "s+p": after("p", i0=True, i1=False, i2=None, i9=True)})
    assert list(found) == ["s"]
    (drop,) = found["s"].drops
    assert (drop.perturbation, drop.suite, drop.pairs, drop.unpaired) == ("p", "s+p", 2, 2)
    # Over the two pairs, not over the four originals.
    assert (drop.before, drop.after, drop.difference) == (1.0, 0.5, -0.5)
    assert (drop.broken, drop.mended) == (1, 0)


def test_both_ways_are_counted() -> None:
    base = before(True, True, True, False, False)
    found = attacks({"s": base, "s+p": after("p", i0=False, i1=False, i2=True, i3=True, i4=False)})["s"]
    (drop,) = found.drops
    assert (drop.broken, drop.mended, drop.difference) == (2, 1, -0.2)
    assert drop.p == mcnemar(2, 1) == 1.0
    assert drop.interval == mean_interval([-1.0, -1.0, 0.0, 1.0, 0.0], ["i0", "i1", "i2", "i3", "i4"])
    assert (found.items, found.consistent.count) == (5, 1)


def test_twins_are_drawn_together() -> None:
    twins = [Outcome(f"i{number}", f"g{number // 2}", True) for number in range(4)]
    (drop,) = attacks({"s": twins, "s+p": after("p", i0=False, i1=False, i2=True, i3=True)})["s"].drops
    assert drop.interval == mean_interval([-1.0, -1.0, 0.0, 0.0], ["a", "a", "b", "b"])


def test_an_attacked_twin_may_stay_in_its_group() -> None:
    twins = [Outcome(f"i{number}", "g", True) for number in range(2)]
    attacked = [Outcome(f"i{n}+p", "g", bool(n), Origin(f"i{n}", "p", "attack")) for n in range(2)]
    (drop,) = attacks({"s": twins, "s+p": attacked})["s"].drops
    assert (drop.pairs, drop.unpaired, drop.broken) == (2, 0, 1)


def test_the_original_is_read_from_the_attacked_item() -> None:
    verdict = Verdict(item="x", kind="contrastive", correct=True, choice=0)
    twin = changed_twin(item(group="g"), "p", kind="probe")
    found = outcomes([(item(group="g"), verdict), (twin, verdict)])
    assert [(each.group, each.origin) for each in found] == [("g", None), ("g", Origin("a", "p", "probe"))]


def test_consistent_is_right_before_and_under_every_attack() -> None:
    found = attacks(
        {
            "s": before(True, True, True, False, True),
            "s+p": after("p", i0=True, i1=True, i2=False, i3=True),
            "s+q": after("q", i0=True, i1=False),
        }
    )["s"]
    assert [drop.perturbation for drop in found.drops] == ["p", "q"]
    # i0 is; i1 falls to q, i2 to p, i3 was wrong before; i4 was not attacked.
    assert (found.items, found.consistent.count) == (4, 1)


def test_several_attacks_in_one_set_are_told_apart() -> None:
    mixed = [*before(True, True), *after("p", i0=False), *after("q", i1=True)]
    found = attacks({"s": mixed})["s"]
    assert [(drop.perturbation, drop.pairs, drop.after) for drop in found.drops] == [("p", 1, 0.0), ("q", 1, 1.0)]


def test_the_set_that_gave_the_name_is_the_original() -> None:
    """Two sets with the same ids: the name decides; without such a name the one with most of the originals."""
    attacked = after("p", i0=False, i1=False)
    named = attacks({"t": before(True, True), "s": before(True, True), "s+p": attacked})
    assert list(named) == ["s"]
    most = attacks({"t": before(True), "s": before(True, True), "elsewhere": attacked})
    assert list(most) == ["s"]


def test_without_originals_there_is_nothing_to_say() -> None:
    assert attacks({"s+p": after("p", i0=True)}) == {}
    assert attacks({"s": before(True), "s+p": after("p", i7=True)}) == {}
    assert attacks({"s": before(None), "s+p": after("p", i0=True)}) == {}
    assert attacks({"s": before(True), "t": before(True)}) == {}


def test_outcomes_are_read_off_items() -> None:
    attacked = item(id="b", group="a", origin=Origin("a", "p", "attack"))
    judged = [
        (item(id="a"), contrastive("a", [1.0, 0.0, 0.0], 0, higher=True)),
        (attacked, contrastive("b", [0.0, 1.0, 0.0], 0, higher=True)),
        (item(id="c", gold=None), contrastive("c", [0.0, 1.0, 0.0], None, higher=True)),
        (item(id="d"), Verdict(item="d", kind="contrastive", dropped="too long")),
    ]
    assert outcomes(judged) == [
        Outcome("a", "a", True),
        Outcome("b", "a", False, Origin("a", "p", "attack")),
        Outcome("d", "d", None),
    ]
    output = [(item(id="a"), generative("a", "...", {"paper": False, "token": True}))]
    assert [outcomes(output, rule)[0].correct for rule in ("paper", "token", None)] == [False, True, False]


@pytest.mark.parametrize(
    ("broken", "mended", "p"),
    [(0, 0, 1.0), (1, 0, 1.0), (5, 0, 2 / 32), (0, 6, 2 / 64), (8, 2, 2 * (1 + 10 + 45) / 1024), (3, 3, 1.0)],
)
def test_mcnemar_by_hand(broken: int, mended: int, p: float) -> None:
    assert mcnemar(broken, mended) == p


@given(st.integers(0, 400), st.integers(0, 400))
def test_mcnemar_is_the_binomial_test(broken: int, mended: int) -> None:
    if broken + mended:
        assert mcnemar(broken, mended) == pytest.approx(binomtest(broken, broken + mended).pvalue, rel=1e-9)
    assert mcnemar(broken, mended) == mcnemar(mended, broken)


def test_mcnemar_of_a_large_set() -> None:
    assert 0.0 < mcnemar(1300, 900) < 1e-15
    assert mcnemar(6000, 6000) == 1.0
