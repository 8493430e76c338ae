"""Before and after a change, counted by hand; attacks seen together, without the baselines that must fail."""

from __future__ import annotations

import msgspec
import pytest

from referee.analysis.robustness import (
    Attacks,
    Outcome,
    Robustness,
    attacks,
    attacks_alone,
    outcomes,
    resolve_origins,
    robustness,
)
from referee.items import Item, Origin, SetOrigin
from referee.perturbations import changed, changed_twin
from referee.scoring.decision import contrastive, generative
from referee.stats.groups import index_groups
from referee.stats.paired import mcnemar
from referee.stats.proportions import difference_interval
from referee.verdicts import Judged, Verdict
from tests.support.items import item
from tests.support.judged_sets import first, found_on, hidden, judged, premises, right, right_but


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
    assert (drop.broken, drop.gained) == (1, 0)


def test_both_ways_are_counted() -> None:
    base = before(True, True, True, False, False)
    found = attacks({"s": base, "s+p": after("p", i0=False, i1=False, i2=True, i3=True, i4=False)})["s"]
    (drop,) = found.drops
    assert (drop.broken, drop.gained, drop.difference) == (2, 1, -0.2)
    assert drop.p == pytest.approx(1.0)
    assert mcnemar(2, 1) == 1.0
    assert drop.interval == difference_interval(
        [-1.0, -1.0, 0.0, 1.0, 0.0], index_groups(["i0", "i1", "i2", "i3", "i4"])
    )
    assert found.consistent is not None
    assert (found.items, found.consistent.count) == (5, 1)


def test_twins_are_drawn_together() -> None:
    twins = [Outcome(f"i{number}", f"g{number // 2}", True) for number in range(4)]
    (drop,) = attacks({"s": twins, "s+p": after("p", i0=False, i1=False, i2=True, i3=True)})["s"].drops
    assert drop.interval == difference_interval([-1.0, -1.0, 0.0, 0.0], index_groups(["a", "a", "b", "b"]))


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
    assert found.consistent is not None
    assert (found.items, found.consistent.count) == (4, 1)


def test_several_attacks_in_one_set_are_told_apart() -> None:
    mixed = [*before(True, True), *after("p", i0=False), *after("q", i1=True)]
    found = attacks({"s": mixed})["s"]
    assert [(drop.perturbation, drop.pairs, drop.after) for drop in found.drops] == [("p", 1, 0.0), ("q", 1, 1.0)]


def test_the_original_is_the_set_that_an_attacked_set_names() -> None:
    """Two sets with the same ids: what the attacked set says decides, else who holds most of the originals."""
    suites = {"t": before(True, True), "s": before(True, True), "s+p": after("p", i0=False, i1=False)}
    assert list(attacks(suites, {"s+p": SetOrigin("s", "p", "attack")})) == ["s"]
    # A name alone says nothing.
    assert list(attacks(suites)) == ["t"]
    # Nor does a set that is not in the run, or that holds no original.
    assert list(attacks(suites, {"s+p": SetOrigin("u", "p", "attack")})) == ["t"]
    assert list(attacks(suites | {"u": before()}, {"s+p": SetOrigin("u", "p", "attack")})) == ["t"]
    most = attacks({"t": before(True), "s": before(True, True), "elsewhere": after("p", i0=False, i1=False)})
    assert list(most) == ["s"]


def test_the_origin_of_a_set_is_what_it_says_or_what_all_its_items_say() -> None:
    suites = {
        "s": before(True, True),
        "file": after("p", i0=True, i1=True),
        "several": [*after("p", i0=True), *after("q", i1=True)],
        "next to originals": [*before(True), *after("p", i1=True)],
        "lost": after("p", i7=True),
        "told": after("p", i0=True),
    }
    told = {"told": SetOrigin("several", "p", "attack"), "away": SetOrigin("nowhere", "no-cands", "baseline")}
    assert resolve_origins(suites, told) == {"file": SetOrigin("s", "p", "attack"), **told}
    # Where the set it names is not in the run, its items may know another that is.
    assert resolve_origins(suites, {"told": SetOrigin("nowhere", "p", "attack")})["told"].of == "s"


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


def attacked(items: list[Item], name: str) -> list[Item]:
    return [changed(each, name) for each in items]


def attacks_on(sets: list[Judged]) -> Attacks | None:
    (found,) = (each for each in found_on(*sets) if each.suite == "copa")
    return attacks_alone(found.attacks)


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
    assert (seen.effect, seen.more_groups) == ("loses", None)


def test_a_loss_that_is_ruled_out_is_robust() -> None:
    found = attacks_on([BASE, judged("copa+calm", attacked(ITEMS, "calm"), right_but(100))])
    assert found is not None
    seen = robustness(found)
    assert (seen.effect, seen.more_groups) == ("robust", None)
    assert 0.01 < seen.possible < 0.05


def effect_of(correct: list[bool], still: list[bool]) -> Robustness:
    originals = before(*correct)
    under = {f"i{number}": hit for number, hit in enumerate(still)}
    return robustness(attacks({"s": originals, "s+p": after("p", **under)})["s"])


def test_all_of_five_broken_is_not_robust() -> None:
    """It was: 'no loss found'. Five groups cannot show a loss, but they rule out nothing."""
    seen = effect_of([True] * 5, [False] * 5)
    assert (seen.effect, seen.possible, seen.more_groups) == ("inconclusive", 1.0, 1)
    assert seen.worst.drop.p == pytest.approx(2 / 2**5)


def test_many_flips_with_a_net_gain_are_not_robust() -> None:
    """3 of 12 correct answers break, 5 of 8 others become correct: a gain of 2 in 20."""
    seen = effect_of([True] * 12 + [False] * 8, [False] * 3 + [True] * 9 + [True] * 5 + [False] * 3)
    assert seen.worst.drop.difference == pytest.approx(0.1)
    assert seen.effect == "inconclusive"
    share = seen.worst.drop.broken_share
    assert share is not None
    assert (share.count, share.share) == (3, 0.25)


@pytest.mark.parametrize(("items", "effect"), [(71, "inconclusive"), (72, "robust")])
def test_it_takes_72_groups_without_a_change(items: int, effect: str) -> None:
    assert effect_of([True] * items, [True] * items).effect == effect


def test_a_model_with_nothing_to_lose_is_not_robust() -> None:
    seen = effect_of([False] * 200, [False] * 200)
    assert seen.worst.drop.broken_share is None
    assert seen.effect == "inconclusive"


def test_twins_that_break_together_count_once() -> None:
    """Five pairs of twins break: ten items, but McNemar's test of them would be at 0.002."""
    twins = [Outcome(f"i{number}", f"g{number // 2}", True) for number in range(40)]
    (drop,) = attacks({"s": twins, "s+p": after("p", **{f"i{n}": n >= 10 for n in range(40)})})["s"].drops
    assert (drop.broken, drop.groups) == (10, 20)
    assert drop.p == pytest.approx(2 / 2**5)


def test_what_gets_better_is_no_loss() -> None:
    found = attacks_on(
        [judged("copa", ITEMS, right_but(2)), *(judged(f"copa+{name}", attacked(ITEMS, name), right) for name in "ab")]
    )
    assert found is not None
    seen = robustness(found)
    assert seen.effect == "robust"
    assert seen.worst.p_holm < 0.05


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


def test_probes_are_no_attacks() -> None:
    """A probe asks another question, so failing it is not a loss."""
    probed = [changed(each, "scrambled", kind="probe") for each in ITEMS]
    assert attacks_on([BASE, judged("copa+scrambled", probed, right_but(2))]) is None


def test_without_attacks_there_is_nothing() -> None:
    assert attacks_on([BASE]) is None


def test_a_changed_item_is_no_original() -> None:
    """What was made of an attacked item cannot be paired with it."""
    twice = [Outcome("i0+p+q", "i0", False, Origin("i0+p", "q", "attack"))]
    effects = attacks({"s": before(True), "s+p": after("p", i0=True), "s+p+q": twice})
    assert {suite: [drop.perturbation for drop in of_suite.drops] for suite, of_suite in effects.items()} == {
        "s": ["p"]
    }


@pytest.mark.parametrize(
    ("p", "difference", "effect"),
    [(0.049, -0.5, "loses"), (0.05, -0.5, "inconclusive"), (0.049, 0.0, "inconclusive"), (0.049, 0.5, "inconclusive")],
)
def test_a_loss_is_significant_and_below_zero(p: float, difference: float, effect: str) -> None:
    effects = attacks({"s": before(True, True), "s+p": after("p", i0=True, i1=False)})["s"]
    drop = msgspec.structs.replace(effects.drops[0], p=p, difference=difference)
    summary = robustness(Attacks([drop], effects.items, effects.consistent))
    assert (summary.effect, summary.worst.p_holm, summary.mean) == (effect, p, difference)
