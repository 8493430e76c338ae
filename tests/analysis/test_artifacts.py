"""The artifact check: a planted artifact is found, and chance is called chance."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from referee.analysis.artifacts import Artifact, artifacts
from referee.analysis.chance_level import ChanceLevel
from referee.items import Item, SetOrigin
from referee.perturbations import changed_twin
from referee.reports.wording import artifact_verdict
from referee.stats.levels import Against, Standing
from referee.stats.worst_group import clopper_pearson
from referee.suites import suites
from referee.verdicts import Judged
from tests.support.judged_sets import Chooser, found_on, hidden, judged, premises, right, right_but, twins


def guess(seed: int) -> Chooser:
    draws = np.random.default_rng(seed).integers(0, 2, 10_000)
    return lambda item, number: int(draws[number])


def of(sets: list[Judged], suite: str = "copa") -> list[Artifact]:
    found = found_on(*sets)
    return artifacts(next(each for each in found if each.suite == suite), found, sets)


def test_a_planted_artifact_is_found() -> None:
    """The judge is right in three of four even without the premise."""
    items = premises(200)
    base = judged("copa", items, right_but(10))
    bare = judged("copa+no-premise", hidden(items, "no-premise"), right_but(4))
    (found,) = of([base, bare])
    assert (found.setup, found.suite, found.items) == ("no-premise", "copa+no-premise", 200)
    assert (found.accuracy, found.chance, found.above_chance) == (0.75, ChanceLevel(0.5, "guess"), "items")
    assert found.p is not None
    assert found.p < 1e-6
    assert found.full == 0.9
    assert found.difference == pytest.approx(-0.15)
    assert found.difference_p is not None
    assert found.difference_p < 0.001


def test_a_guess_is_no_artifact() -> None:
    items = premises(2000)
    sets = [judged("copa", items, right), judged("copa+no-premise", hidden(items, "no-premise"), guess(1))]
    (found,) = of(sets)
    assert (found.above_chance, found.has_artifact, found.full) == ("none", False, 1.0)


def test_few_guesses_do_not_rule_an_artifact_out() -> None:
    items = premises(40)
    sets = [judged("copa", items, right), judged("copa+no-premise", hidden(items, "no-premise"), guess(1))]
    (found,) = of(sets)
    assert (found.above_chance, found.has_artifact) == ("inconclusive", False)
    assert found.more_groups is not None


def test_as_good_without_as_with() -> None:
    items = premises(200)
    sets = [judged("copa", items, right_but(4)), judged("copa+no-question", hidden(items, "no-question"), right_but(4))]
    (found,) = of(sets)
    assert (found.above_chance, found.full, found.difference_p) == ("items", 0.75, 1.0)


def both_or_none(item: Item, number: int) -> int:
    """In half of the groups both twins are right, in the others none."""
    return (item.gold or 0) ^ (number // 2 % 2)


def test_groups_that_are_right_or_wrong_as_one_are_no_artifact() -> None:
    """A guess that is the same for both twins has a group score of 50%; against 25% it was above chance."""
    items = [msgspec.structs.replace(each, task="choose") for each in twins(100)]
    sets = [judged("t", items, right), judged("t+no-premise", hidden(items, "no-premise"), both_or_none)]
    (found,) = of(sets, "t")
    assert (found.accuracy, found.groups, found.group_score, found.group_chance) == (0.5, 100, 0.5, 0.5)
    assert not found.has_artifact


def test_every_baseline_of_a_run() -> None:
    items = premises(40)
    sets = [judged("copa", items, right)]
    sets += [judged(f"copa+{name}", hidden(items, name), guess(2)) for name in ("no-premise", "no-question")]
    assert [each.setup for each in of(sets)] == ["no-premise", "no-question"]


def test_published_baselines_are_known_by_their_origin() -> None:
    """Their items do not name their originals; a zero-shot set is no baseline."""
    names = ("pairs", "no-cands", "part-sent", "zero-shot")
    sets = [
        judged(suite, twins(20), right, suites()[suite].origin)
        for suite in (f"square-one/{name}/wsc" for name in names)
    ]
    found = of(sets, "square-one/pairs/wsc")
    assert [(each.setup, each.full, each.difference) for each in found] == [
        ("no-cands", 1.0, None),
        ("part-sent", 1.0, None),
    ]


def test_a_file_may_hold_several_changes() -> None:
    items = premises(100)
    mixed = [*hidden(items, "no-premise"), *hidden(items, "no-question")]
    sets = [
        judged("copa", items, right),
        judged("mixed.jsonl", mixed, lambda item, number: 0 if number < 100 else right(item, 0)),
    ]
    found = {each.setup: each for each in of(sets)}
    assert found["no-premise"].items == found["no-question"].items == 100
    assert (found["no-premise"].accuracy, found["no-question"].accuracy) == (0.5, 1.0)
    assert found["no-premise"].suite == "mixed.jsonl"


def test_a_baseline_that_stands_alone_is_its_own() -> None:
    origin = SetOrigin("copa", "no-premise", "baseline")
    (found,) = of([judged("bare", hidden(premises(40), "no-premise"), right, origin)], "bare")
    assert (found.full, found.above_chance) == (None, "items")


def test_attacks_are_no_baselines() -> None:
    items = twins(20)
    attacked = [changed_twin(each, "swap") for each in items]
    assert of([judged("t", items, right), judged("t+swap", attacked, right)], "t") == []


def test_baselines_of_others_are_not_ours() -> None:
    sets = [judged("copa", premises(20), right), judged("wsc", twins(20), right)]
    sets.append(judged("without", twins(20), right, SetOrigin("wsc", "no-cands", "baseline")))
    assert of(sets) == []
    assert [each.setup for each in of(sets, "wsc")] == ["no-cands"]


def test_a_change_that_is_not_installed_has_a_name_all_the_same() -> None:
    items = premises(40)
    bare = [changed_twin(each, "no-colour", kind="baseline") for each in items]
    (found,) = of([judged("copa", items, right), judged("bare", bare, right)])
    assert "without what 'no-colour' hides" in artifact_verdict(found)


def test_figures_are_those_of_the_findings() -> None:
    items = premises(200)
    (alone,) = of([judged("copa", items, right), judged("bare", hidden(items, "no-premise"), right_but(4))])
    assert alone.interval == clopper_pearson(150, 200)
    assert (alone.groups, alone.group_score, alone.group_interval) == (None, None, None)
    twin_items = [msgspec.structs.replace(twin, task="choose") for twin in twins(100)]
    sets = [judged("t", twin_items, right), judged("bare", hidden(twin_items, "no-premise"), both_or_none)]
    (grouped,) = of(sets, "t")
    bare = next(result for result in found_on(*sets) if result.suite == "bare")
    assert bare.overall is not None
    assert bare.group is not None
    assert (grouped.interval, grouped.group_interval) == (bare.overall.interval, bare.group.interval)


@pytest.mark.parametrize(
    ("items", "groups", "above"),
    [
        ("above", None, "items"),
        ("above", "below", "items"),
        ("at", "above", "groups"),
        ("inconclusive", "above", "groups"),
        ("inconclusive", "at", "inconclusive"),
        ("at", "inconclusive", "none"),
        ("not_above", None, "none"),
        ("below", None, "none"),
        (None, None, None),
    ],
)
def test_what_is_above_chance(items: Standing | None, groups: Standing | None, above: str | None) -> None:
    origin = SetOrigin("copa", "no-premise", "baseline")
    (result,) = found_on(judged("bare", twins(20), right, origin))
    assert result.group is not None
    group = msgspec.structs.replace(result.group, against=groups and Against(groups, p=0.001))
    changed = msgspec.structs.replace(result, against=items and Against(items, p=0.001), group=group)
    (artifact,) = artifacts(changed, [], [])
    assert (artifact.above_chance, artifact.has_artifact) == (above, above in ("items", "groups"))


def test_several_baselines_are_corrected_for_each_other() -> None:
    """58 of 100 without the premise is above chance alone (p = 0.04 for items), but not as one of two."""
    items = premises(100)
    chosen = [judged("copa", items, right)]
    chosen += [
        judged(
            name,
            hidden(items, name),
            lambda item, number: right(item, number) if number % 100 < 61 else 1 - right(item, number),
        )
        for name in ("no-premise", "no-question")
    ]
    alone, both = of(chosen[:2]), of(chosen)
    assert [artifact.above_chance for artifact in alone] == ["items"]
    assert [artifact.above_chance for artifact in both] == ["inconclusive", "inconclusive"]


def test_paired_and_declared_baselines_are_listed_once() -> None:
    """The one names the originals of its items, the other only its set; each has its own figures."""
    items = premises(40)
    paired = judged("paired", hidden(items, "no-premise"), right_but(4), SetOrigin("copa", "no-premise", "baseline"))
    declared = judged("declared", premises(20), right_but(2), SetOrigin("copa", "no-cands", "baseline"))
    listed = of([judged("copa", items, right_but(10)), declared, paired])
    assert [(one.setup, one.suite, one.items, one.accuracy, one.full, one.difference) for one in listed] == [
        ("no-premise", "paired", 40, 0.75, 0.9, pytest.approx(-0.15)),
        ("no-cands", "declared", 20, 0.5, 0.9, None),
    ]
