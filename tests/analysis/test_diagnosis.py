"""The diagnosis of a run: a part for every suite, and each part about the right sets."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from referee.analysis.accuracy import findings
from referee.analysis.diagnosis import SuiteDiagnosis, diagnose_suites
from referee.errors import UsageError
from referee.items import Item, SetOrigin
from referee.perturbations import changed_twin
from referee.suites import load
from referee.verdicts import Judged, Verdict
from tests.support.items import item
from tests.support.judged_sets import first, found_on, hidden, judged, premises, right, right_but, twins


def diagnosed(*sets: Judged) -> dict[str, SuiteDiagnosis]:
    return {each.suite: each for each in diagnose_suites(sets, found_on(*sets))}


def swapped(items: list[Item]) -> list[Item]:
    return [changed_twin(each, "swap") for each in items]


def test_a_judge_that_always_takes_the_first_noun() -> None:
    (found,) = diagnosed(judged("t", twins(40), first)).values()
    assert {each.feature: each.biased_towards for each in found.biases} == {"gender": None, "position": "first"}
    assert found.groups is not None
    assert found.groups.score == 0.0
    assert found.groups.independent == pytest.approx(0.25, abs=0.01)
    assert (found.priors, found.artifacts, found.robustness) == ([], [], None)
    assert (found.items, found.kind, found.rule) == (80, "contrastive", None)


def test_attacked_and_baseline_sets_belong_to_their_suite() -> None:
    items = premises(60)
    others = twins(30)
    found = diagnosed(
        judged("copa", items, right),
        judged("copa+no-premise", hidden(items, "no-premise"), right_but(3)),
        judged("twins", others, right),
        judged("attacked.jsonl", swapped(others), right_but(2)),
    )
    assert set(found) == {"copa", "twins"}
    assert [each.setup for each in found["copa"].artifacts] == ["no-premise"]
    assert found["copa"].robustness is None
    attacks = found["twins"].robustness
    assert attacks is not None
    assert attacks.worst.drop.difference == -0.5


def test_a_set_without_its_original_stands_alone() -> None:
    items = premises(60)
    found = diagnosed(judged("copa+no-premise", hidden(items, "no-premise"), right))
    assert set(found) == {"copa+no-premise"}
    assert set(diagnosed(judged("attacked.jsonl", swapped(twins(30)), right))) == {"attacked.jsonl"}


def test_a_file_with_originals_of_its_own_is_diagnosed() -> None:
    others = [msgspec.structs.replace(each, id=f"o{each.id}", group=f"o{each.group}") for each in twins(30)]
    found = diagnosed(judged("t", twins(30), right), judged("mixed.jsonl", [*swapped(twins(30)), *others], first))
    assert set(found) == {"t", "mixed.jsonl"}


def test_a_zero_shot_set_is_no_suite_and_no_baseline() -> None:
    probe = SetOrigin("square-one/pairs/wsc", "zero-shot", "probe")
    found = diagnosed(judged("square-one/pairs/wsc", twins(20), right), judged("zero", twins(20), right, probe))
    assert set(found) == {"square-one/pairs/wsc"}
    assert found["square-one/pairs/wsc"].artifacts == []


def test_a_name_says_nothing() -> None:
    found = diagnosed(judged("kitchen", twins(20), right), judged("kitchen+hard", twins(20), first))
    assert set(found) == {"kitchen", "kitchen+hard"}
    assert all(each.robustness is None and each.artifacts == [] for each in found.values())


def test_attacks_that_cannot_be_paired_and_parallel_sets_stand_alone() -> None:
    """Items of the published possessive sets do not name their originals."""
    attack, parallel = SetOrigin("t", "maria", "attack"), SetOrigin("t", "english", "parallel")
    found = diagnosed(
        judged("t", twins(20), right),
        judged("maria", twins(20), first, attack),
        judged("english", twins(20), first, parallel),
    )
    assert set(found) == {"t", "maria", "english"}


def test_an_attacked_set_of_which_nothing_was_judged_is_no_suite() -> None:
    items = twins(4)
    gone = [Verdict(item=each.id, kind="contrastive", dropped="too long") for each in swapped(items)]
    attacked = Judged("t+swap", "contrastive", swapped(items), gone, SetOrigin("t", "swap", "attack"))
    assert set(diagnosed(judged("t", items, right), attacked)) == {"t"}


def test_priors_of_items_without_gold() -> None:
    bare = [msgspec.structs.replace(each, gold=None) for each in twins(30)]
    (found,) = diagnosed(judged("t", bare, first)).values()
    assert found.biases == []
    assert {each.feature: each.p is not None and each.p < 0.05 for each in found.priors} == {
        "gender": False,
        "position": True,
    }


def generative(correct_by: dict[str, bool]) -> tuple[Item, Verdict]:
    made = item(expected=("er",), group="g")
    return made, Verdict(item="a", kind="generative", correct=correct_by["paper"], output="x", found=correct_by)  # type: ignore[arg-type]


def test_each_rule_is_diagnosed() -> None:
    items, said = [], []
    for number in range(20):
        made, verdict = generative({"paper": True, "token": number % 2 == 0})
        items.append(msgspec.structs.replace(made, id=str(number), group=str(number // 2)))
        said.append(msgspec.structs.replace(verdict, item=str(number)))
    own = Judged("t", "generative", items, said)
    found = diagnose_suites([own], findings("t", own, ("paper", "token")))
    assert [(each.rule, each.groups and each.groups.score) for each in found] == [("paper", 1.0), ("token", 0.0)]


def test_dropped_items_are_left_out() -> None:
    own = judged("t", twins(20), first)
    gone = Verdict(item=own.items[0].id, kind="contrastive", dropped="too long")
    (found,) = diagnose_suites(
        [shorter := Judged("t", "contrastive", own.items, [gone, *own.verdicts[1:]])], found_on(shorter)
    )
    assert found.biases[0].items == 39
    assert found.biases[0].undecided == 0


def test_the_coding_can_be_chosen() -> None:
    own = judged("t", twins(20), first)
    (found,) = diagnose_suites([own], found_on(own), {"gender": ("m", "f")})
    assert [each.published.coding for each in found.biases] == [["m", "f"], ["first", "second"]]


@pytest.mark.parametrize(
    ("coding", "problem"),
    [({"colour": ("red",)}, "'colour' is not a feature"), ({"gender": ("m", "f", "m")}, "has a value twice")],
)
def test_a_coding_that_makes_no_sense_is_refused(coding: dict[str, tuple[str, ...]], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        diagnose_suites([], [], coding)


def test_it_can_be_written_as_json() -> None:
    items = premises(40)
    sets = [judged("copa", items, right), judged("copa+no-premise", hidden(items, "no-premise"), first)]
    sets.append(judged("twins", twins(40), first))
    found = diagnose_suites(sets, found_on(*sets))
    assert msgspec.json.decode(msgspec.json.encode(found), type=list[SuiteDiagnosis]) == found


@pytest.mark.slow
def test_wino_x_by_a_model_that_takes_neuter(shared_data: Path) -> None:
    """In the real set neuter nouns come first a little more often: that alone is not a bias towards the first noun."""
    items = list(load("wino-x/mt/en-de", data=shared_data))
    rng = np.random.default_rng(1)

    def neuter(item: Item, number: int) -> int:
        genders = [each.features["gender"] for each in item.candidates]
        return genders.index("n") if "n" in genders else int(rng.integers(2))

    (found,) = diagnosed(judged("wino-x", items, neuter)).values()
    assert {each.feature: (each.biased_towards, each.size) for each in found.biases} == {
        "gender": ("n", "large"),
        "position": (None, "negligible"),
    }


def test_items_attacked_within_their_own_file_leave_it_a_suite() -> None:
    found = diagnosed(judged("both.jsonl", [*twins(30), *swapped(twins(30))], right_but(2)))
    assert set(found) == {"both.jsonl"}
    assert found["both.jsonl"].robustness is not None


def test_a_file_of_attacks_alone_is_no_suite_beside_its_originals() -> None:
    found = diagnosed(judged("t", twins(30), right), judged("attacked.jsonl", swapped(twins(30)), first))
    assert set(found) == {"t"}


def test_attacks_belong_to_the_set_that_is_named_beside_a_baseline_too() -> None:
    """Two sets with the same ids: without the names of their originals, attacks would go to the first."""
    items = twins(30)
    bare = [changed_twin(one, "no-cands", kind="baseline") for one in items]
    results = diagnosed(
        judged("t", items, right),
        judged("s", items, right),
        judged("s+swap", swapped(items), right_but(2), SetOrigin("s", "swap", "attack")),
        judged("s+no-cands", bare, first, SetOrigin("s", "no-cands", "baseline")),
    )
    assert set(results) == {"t", "s"}
    assert results["t"].robustness is None
    attacks = results["s"].robustness
    assert attacks is not None
    assert [(attack.drop.suite, attack.drop.difference) for attack in attacks.attacks] == [("s+swap", -0.5)]
