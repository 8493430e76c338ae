"""Priors: what is chosen where nothing is right."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from referee.analysis.accuracy import findings
from referee.analysis.bias.preferences import Chosen, Preference, chosen
from referee.analysis.bias.priors import Prior, priors
from referee.items import Candidate, Item
from referee.scoring.decision import contrastive
from referee.stats.worst_group import clopper_pearson
from referee.verdicts import Verdict
from tests.support.items import item

Case = tuple[Item, Verdict]


def nouns(number: int, choice: int | None, label: str = "position", group: str | None = None) -> Case:
    """Three genders, of which two are those of nouns; the places of the nouns change from item to item."""
    places = [("first", "second", ""), ("", "first", "second"), ("second", "", "first")][number % 3]
    candidates = tuple(
        Candidate(gender, {"gender": gender} | ({"position": place} if place else {}))
        for gender, place in zip("mfn", places, strict=True)
    )
    made = item(id=str(number), group=group, candidates=candidates, gold=None, label=label)
    scores = [0.0] * 3 if choice is None else [float(place == choice) for place in range(3)]
    return made, contrastive(made.id, scores, None, higher=True)


def place_of(number: int, position: str) -> int:
    return [each.features.get("position", "") for each in nouns(number, 0)[0].candidates].index(position)


def found_in(cases: list[Case]) -> dict[str, Prior]:
    (found,) = findings("s", cases)
    return {prior.feature: prior for prior in found.priors}


def of(cases: list[Case]) -> list[Chosen]:
    return [chosen(one, verdict) for one, verdict in cases]


def test_always_the_first_noun() -> None:
    found = found_in([nouns(number, place_of(number, "first")) for number in range(60)])
    assert found["position"].value == "first"
    assert (found["position"].share, found["position"].even, found["position"].items) == (1.0, 0.5, 60)
    # Two values of two preferences are tested: a coin shows heads 60 times.
    assert found["position"].p == pytest.approx(4 * 2.0**-60, rel=0.01)
    assert found["position"].outcome == "biased"
    assert found["gender"].p > 0.05
    assert found["gender"].outcome == "inconclusive"
    assert found["gender"].even == pytest.approx(1 / 3)


def test_always_neuter() -> None:
    """Which noun is preferred is told by those choices that take up one."""
    found = found_in([nouns(number, 2) for number in range(60)])
    assert (found["gender"].value, found["gender"].share) == ("n", 1.0)
    assert found["gender"].even == pytest.approx(1 / 3)
    assert (found["position"].items, found["position"].neither) == (40, 20)
    assert found["position"].p > 0.05


def test_always_neuter_in_both_orders() -> None:
    """Each pair has the noun once first and once second: as even as can be, in every group."""
    cases = []
    for group in range(20):
        for order in (("first", "second"), ("second", "first")):
            own = tuple(
                Candidate(gender, {"gender": gender, "position": position})
                for gender, position in zip("nm", order, strict=True)
            )
            made = item(id=f"{group}{order[0]}", group=str(group), candidates=own, gold=None)
            cases.append((made, contrastive(made.id, [1.0, 0.0], None, higher=True)))
    found = found_in(cases)["position"]
    assert (found.share, found.p) == (0.5, 1.0)
    # No spread between 20 groups is not certainty; it takes more to rule a prior out.
    assert found.outcome == "inconclusive"
    assert found.more_groups is not None


def test_a_share_of_all_still_has_an_interval() -> None:
    low, high = found_in([nouns(number, 2) for number in range(60)])["gender"].interval
    assert low < 0.95
    assert high == pytest.approx(1.0)


def test_undecided_are_counted() -> None:
    cases = [nouns(number, None if number < 5 else 0) for number in range(30)]
    assert found_in(cases)["gender"].undecided == 5
    assert found_in(cases)["gender"].items == 25


def test_few_groups_give_no_answer() -> None:
    found = found_in([nouns(number, 0, group=str(number % 4)) for number in range(60)])["gender"]
    assert (found.value, found.share, found.outcome) == ("m", 1.0, "inconclusive")
    assert found.more_groups is not None


def test_labels_stay_apart() -> None:
    cases = [nouns(number, place_of(number, "first"), "role") for number in range(30)]
    cases += [nouns(number, place_of(number, "second"), "verb") for number in range(30)]
    (found,) = findings("s", cases)
    said = {(prior.label, prior.feature): prior.value for prior in found.priors}
    assert said["role", "position"] == "first"
    assert said["verb", "position"] == "second"


def test_alternatives_without_features_are_told_by_their_number() -> None:
    made = item(candidates=(Candidate("a"), Candidate("b")), gold=None)
    cases = [
        (one := msgspec.structs.replace(made, id=str(number)), contrastive(one.id, [0.0, 1.0], None, higher=True))
        for number in range(20)
    ]
    (prior,) = found_in(cases).values()
    assert (prior.feature, prior.value, prior.share) == ("candidate", "2", 1.0)


def test_a_feature_that_names_things_has_no_prior() -> None:
    cases = []
    for number in range(30):
        own = tuple(Candidate(text, {"referent": f"{text}{number}", "gender": text}) for text in "mf")
        made = item(id=str(number), candidates=own, gold=None)
        cases.append((made, contrastive(made.id, [1.0, 0.0], None, higher=True)))
    assert set(found_in(cases)) == {"gender"}


def test_items_with_gold_are_not_here() -> None:
    made = item()
    cases = [(made, contrastive(made.id, [1.0, 0.0, 0.0], 0, higher=True))]
    assert found_in(cases) == {}


@pytest.mark.parametrize(
    ("times", "most"), [pytest.param(1000, 73, marks=pytest.mark.slow), pytest.param(60, 8, id="quick")]
)
def test_false_alarms_are_as_rare_as_stated(times: int, most: int) -> None:
    """A model that chooses at random, the same for both twins; at most 73 of 1,000 by the binomial at 99.9%."""
    rng = np.random.default_rng(11)
    alarms = 0
    for _ in range(times):
        cases = []
        for group in range(60):
            choice = int(rng.integers(3))
            cases += [nouns(2 * group + twin, choice, group=str(group)) for twin in (0, 1)]
        (prior,) = priors(of(cases), [Preference("position", "gender", len(cases), {})])
        alarms += prior.outcome == "biased"
    assert alarms <= most


def test_items_with_gold_and_dropped_ones_are_left_out() -> None:
    cases = [nouns(number, place_of(number, "first")) for number in range(60)]
    with_gold = msgspec.structs.replace(cases[0][0], id="gold", gold=1)
    others = [
        (with_gold, contrastive("gold", [1.0, 0.0, 0.0], 1, higher=True)),
        (msgspec.structs.replace(cases[0][0], id="long"), Verdict(item="long", kind="contrastive", dropped="too long")),
    ]
    assert found_in([*cases, *others]) == found_in(cases)


@pytest.mark.parametrize(("values", "priors_found"), [(20, 1), (21, 0)])
def test_more_than_twenty_values_name_things(values: int, priors_found: int) -> None:
    candidates = tuple(Candidate(str(number), {"role": f"r{number}"}) for number in range(values))
    one = item(candidates=candidates, gold=None)
    verdict = contrastive(one.id, [1.0] + [0.0] * (values - 1), None, higher=True)
    results = priors(of([(one, verdict)]), [Preference(None, "role", 1, {})])
    assert [(prior.value, prior.even) for prior in results] == [("r0", 1 / values)] * priors_found


def test_a_pronoun_is_the_same_at_the_start_of_a_sentence() -> None:
    """No other feature is read without its case."""
    cases = []
    for number in range(20):
        he, she = ("Er", "Sie") if number % 2 else ("er", "sie")
        candidates = tuple(Candidate(text, {"pronoun": text, "role": text}) for text in (he, she))
        one = item(id=str(number), candidates=candidates, gold=None)
        cases.append((one, contrastive(one.id, [1.0, 0.0], None, higher=True)))
    pronoun, role = priors(of(cases), [Preference(None, name, 20, {}) for name in ("pronoun", "role")])
    assert (pronoun.value, pronoun.share, pronoun.even) == ("er", 1.0, 0.5)
    assert pronoun.p == pytest.approx(4 * 2.0**-20, rel=1e-3)
    assert (role.share, role.even) == (0.5, 0.25)


def test_candidates_without_the_feature_do_not_shift_the_choice() -> None:
    """In a third of the items the candidate before the nouns lacks a position."""
    cases = [nouns(number, place_of(number, "second")) for number in range(30)]
    position = found_in([*cases, nouns(30, None), nouns(31, 0), nouns(32, 1)])["position"]
    assert (position.value, position.share, position.even) == ("second", 1.0, 0.5)
    assert (position.items, position.neither, position.undecided) == (30, 2, 1)
    assert position.interval == pytest.approx(clopper_pearson(30, 30, tail=0.05 / 4))


def test_many_even_choices_rule_a_prior_out() -> None:
    cases = [nouns(number, place_of(number, ("first", "second")[number // 3 % 2])) for number in range(3000)]
    found = found_in(cases)
    assert [prior.outcome for prior in found.values()] == ["none", "none"]
    assert all(prior.more_groups is None for prior in found.values())
