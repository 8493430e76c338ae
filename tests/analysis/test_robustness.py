"""Attacks seen together, without the baselines that must fail."""

from __future__ import annotations

import pytest

from referee.analysis.attacks import Attacks, outcomes
from referee.analysis.judged import Judged
from referee.analysis.robustness import robustness, without_baselines
from referee.items import Item
from referee.perturbations import changed
from tests.support.judged_sets import first, found_on, hidden, judged, premises, right, right_but


def attacked(items: list[Item], name: str) -> list[Item]:
    return [changed(each, name) for each in items]


def attacks_on(sets: list[Judged]) -> Attacks | None:
    (found,) = (each for each in found_on(*sets) if each.suite == "copa")
    return without_baselines(found.attacks, "copa", lambda: {each.suite: outcomes(each) for each in sets})


ITEMS = premises(200)
BASE = judged("copa", ITEMS, right)


def test_the_worst_attack_and_the_mean() -> None:
    sets = [BASE]
    sets += [
        judged(f"copa+{name}", attacked(ITEMS, name), right_but(every)) for name, every in (("loud", 4), ("calm", 50))
    ]
    found = attacks_on(sets)
    assert found is not None
    seen = robustness(found)
    assert [each.drop.perturbation for each in seen.attacks] == ["loud", "calm"]
    assert seen.worst.drop.perturbation == "loud"
    assert seen.worst.drop.difference == -0.25
    assert seen.mean == pytest.approx((-0.25 - 0.02) / 2)
    # The smaller of the two p-values counts twice, the other as it is.
    assert seen.attacks[0].p_holm == pytest.approx(2 * seen.attacks[0].drop.p)
    assert seen.attacks[1].p_holm == pytest.approx(seen.attacks[1].drop.p)
    # 50 are wrong under the one, 4 under the other, 2 under both.
    assert seen.consistent.count == 200 - 50 - 4 + 2
    assert seen.words == (
        "loses 25.0 points under loud, the worst of 2 attacks; 74.0 % right before and under every attack"
    )


def test_no_loss() -> None:
    found = attacks_on([BASE, judged("copa+calm", attacked(ITEMS, "calm"), right_but(100))])
    assert found is not None
    assert robustness(found).words == "no loss found under calm; 99.0 % right before and under every attack"


def test_what_gets_better_is_no_loss() -> None:
    found = attacks_on(
        [judged("copa", ITEMS, right_but(2)), *(judged(f"copa+{name}", attacked(ITEMS, name), right) for name in "ab")]
    )
    assert found is not None
    assert robustness(found).words.startswith("no loss found under any of 2 attacks; 50.0 %")


def test_baselines_are_no_attacks() -> None:
    """A baseline that fails, as it must, does not make the judge inconsistent."""
    bare = judged("copa+no-premise", hidden(ITEMS, "no-premise"), first)
    assert attacks_on([BASE, bare]) is None
    found = attacks_on([BASE, bare, judged("copa+calm", attacked(ITEMS, "calm"), right_but(100))])
    assert found is not None
    seen = robustness(found)
    assert [each.drop.perturbation for each in seen.attacks] == ["calm"]
    assert seen.consistent.share == 0.99
    assert seen.attacks[0].p_holm == seen.attacks[0].drop.p


def test_without_attacks_there_is_nothing() -> None:
    assert attacks_on([BASE]) is None
