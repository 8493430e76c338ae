"""The scorecard says of judges with known habits what they are like, and what was not measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import msgspec
import pytest

from referee.analysis.accuracy import findings
from referee.analysis.artifacts import Artifact
from referee.analysis.bias.bias import Bias
from referee.analysis.bias.priors import Prior
from referee.analysis.chance_level import ChanceLevel
from referee.analysis.diagnosis import diagnose_suites
from referee.analysis.findings import findings_on
from referee.analysis.robustness import Robustness
from referee.analysis.salience.importance import importances
from referee.analysis.salience.record import Salience, Weight
from referee.analysis.scorecard import (
    COLUMNS,
    AgainstChance,
    GroupsAgainstChance,
    NotMeasured,
    ScorecardRow,
    merged,
    scorecard,
)
from referee.items import Candidate, Item
from referee.perturbations import changed_twin
from referee.verdicts import Judged, Verdict

Judge = Callable[[Item], int]


def twins(groups: int = 200, task: str = "translate") -> list[Item]:
    """Pairs in which another gender, and another position, is right."""
    genders, places = (("f", "m"), ("m", "f")), ("first", "second")
    return [
        Item(
            id=f"{number}-{twin}",
            task=task,  # type: ignore[arg-type]
            source_lang="en",
            target_lang="de",
            source="It was too _." if task == "fill" else "It was too small.",
            group=str(number),
            gold=twin,
            candidates=tuple(
                Candidate(f"{gender} {place}", {"gender": gender, "position": place})
                for gender, place in zip(genders[number % 2], places, strict=True)
            ),
        )
        for number in range(groups)
        for twin in range(2)
    ]


def judged(suite: str, items: Sequence[Item], judge: Judge) -> Judged:
    said = [
        Verdict(
            item=item.id,
            kind="contrastive",
            choice=(choice := judge(item)),
            correct=choice == item.gold,
            scores=tuple(float(place == choice) for place in range(len(item.candidates))),
            ranks=tuple(1 if place == choice else 2 for place in range(len(item.candidates))),
        )
        for item in items
    ]
    return Judged(suite, "contrastive", items, said)


def lines(sets: Sequence[Judged], saliences: Sequence[Salience] = ()) -> list[ScorecardRow]:
    flat = findings_on(sets)
    tasks = {each.suite: each.items[0].task for each in sets}
    return scorecard(diagnose_suites(sets, flat), flat, importances(saliences), tasks)


def knows(item: Item) -> int:
    return item.gold or 0


def guesses(seed: int) -> Judge:
    draws = Random(seed)
    return lambda item: draws.randrange(len(item.candidates))


def first(item: Item) -> int:
    return 0


def masculine(item: Item) -> int:
    return next(place for place, each in enumerate(item.candidates) if each.features["gender"] == "m")


def grades(line: ScorecardRow) -> dict[str, str]:
    return {name: cell.grade for name, cell in line.cells.items()}


def test_who_knows_is_good_and_what_was_not_measured_says_how_to() -> None:
    (line,) = lines([judged("twins", twins(), knows)])
    assert tuple(line.cells) == COLUMNS
    assert (line.suite, line.items) == ("twins", 400)
    accuracy, groups = line.cells["accuracy"], line.cells["groups"]
    assert (accuracy.value, accuracy.grade) == (1.0, "good")
    assert isinstance(accuracy.outcome, AgainstChance)
    assert accuracy.outcome.chance == ChanceLevel(0.5, "guess")
    assert (groups.value, groups.grade) == (1.0, "good")
    assert isinstance(groups.outcome, GroupsAgainstChance)
    # One guess for both twins, and one for each.
    assert (groups.outcome.chance, groups.outcome.independent_chance) == (0.5, 0.25)
    # 200 pairs without an error rule a bias out.
    bias = line.cells["bias"]
    assert isinstance(bias.outcome, Bias)
    assert (bias.outcome.outcome, bias.grade) == ("none", "good")
    missing = {name: cell.outcome for name, cell in line.cells.items() if cell.value is None}
    assert missing == {
        "artifacts": NotMeasured("no_baseline"),
        "attacks": NotMeasured("not_perturbed", "phrase"),
        "trigger": NotMeasured("no_salience"),
        "written": NotMeasured("not_generated"),
    }


@pytest.mark.parametrize(("task", "name"), [("fill", "no-cands"), ("choose", "no-premise")])
def test_the_baseline_depends_on_what_the_items_ask_for(task: str, name: str) -> None:
    (line,) = lines([judged("set", twins(task=task), knows)])
    assert line.cells["artifacts"].outcome == NotMeasured("not_perturbed", name)


def test_a_guesser_is_poor_but_not_biased() -> None:
    (line,) = lines([judged("twins", twins(3000), guesses(1))])
    assert {name: grade for name, grade in grades(line).items() if grade != "unknown"} == {
        "accuracy": "bad",
        "groups": "bad",
        "bias": "good",
    }


@pytest.mark.parametrize(("judge", "towards"), [(first, ("position", "first")), (masculine, ("gender", "m"))])
def test_a_habit_is_half_right_never_in_whole_groups_and_biased(judge: Judge, towards: tuple[str, str]) -> None:
    (line,) = lines([judged("twins", twins(), judge)])
    assert line.cells["accuracy"].value == 0.5
    assert line.cells["groups"].value == 0.0
    bias = line.cells["bias"]
    assert isinstance(bias.outcome, Bias)
    assert (bias.outcome.feature, bias.outcome.biased_towards) == towards
    assert bias.grade == "bad"
    assert bias.value == pytest.approx(0.5)
    assert bias.interval is not None
    assert bias.interval[0] <= 0.5 <= bias.interval[1]


def test_where_nothing_is_right_a_preference_is_the_bias() -> None:
    items = [msgspec.structs.replace(item, gold=None) for item in twins()]
    said = [
        Verdict(item=item.id, kind="contrastive", choice=masculine(item), scores=(0.0, 1.0), ranks=(2, 1))
        for item in items
    ]
    found = findings("prior", Judged("prior", "contrastive", items, said))
    (line,) = scorecard(diagnose_suites([Judged("prior", "contrastive", items, said)], found), found, {}, {})
    assert line.cells["accuracy"].outcome == NotMeasured("no_gold")
    bias = line.cells["bias"]
    assert (bias.value, bias.grade) == (0.5, "bad")
    assert isinstance(bias.outcome, Prior)
    assert (bias.outcome.feature, bias.outcome.value, bias.outcome.share) == ("gender", "m", 1.0)


def changed(items: Sequence[Item], name: str) -> list[Item]:
    return [changed_twin(item, name, kind="baseline" if name == "no-cands" else "attack") for item in items]


def test_attacks_and_baselines_of_a_suite_are_in_its_line() -> None:
    items = twins(task="fill")
    draws = guesses(3)
    (line,) = lines(
        [
            judged("twins", items, knows),
            judged("twins+phrase/x", changed(items, "phrase/x"), draws),
            judged("twins+no-cands", changed(items, "no-cands"), draws),
        ]
    )
    attacks, artifacts = line.cells["attacks"], line.cells["artifacts"]
    assert attacks.grade == "bad"
    assert attacks.value == pytest.approx(-0.5, abs=0.1)
    assert isinstance(attacks.outcome, Robustness)
    assert attacks.outcome.worst.drop.perturbation == "phrase/x"
    # 200 pairs do not rule out five points above chance.
    assert artifacts.grade == "open"
    assert artifacts.value == pytest.approx(0.5, abs=0.1)
    (line,) = lines(
        [judged("twins", items, knows), judged("twins+no-cands", changed(items, "no-cands"), knows)],
    )
    assert line.cells["artifacts"].grade == "bad"
    assert line.cells["attacks"].value is None


def test_a_loss_of_a_few_points_is_fair() -> None:
    items = twins(400)
    lost = iter(range(10**6))
    (line,) = lines(
        [
            judged("twins", items, knows),
            judged(
                "twins+phrase/x", changed(items, "phrase/x"), lambda item: (item.gold or 0) ^ (next(lost) % 33 == 0)
            ),
        ]
    )
    assert line.cells["attacks"].grade == "fair"


def saliences(items: Sequence[Item], lift: float) -> list[Salience]:
    draws = Random(5)
    return [
        Salience(
            suite="twins",
            item=item.id,
            target="er",
            probability=0.5,
            group=item.group_id,
            weights=tuple(
                Weight("source", 0, start, start + 2, draws.gauss(lift if trigger else 0.0, 1.0), trigger)
                for start, trigger in ((0, False), (3, False), (7, False), (11, True))
            ),
        )
        for item in items
    ]


@pytest.mark.parametrize(("lift", "grade"), [(1.0, "good"), (0.35, "fair"), (0.0, "bad"), (-1.0, "bad")])
def test_triggers(lift: float, grade: str) -> None:
    items = twins(600)
    (line,) = lines([judged("twins", items, knows)], saliences(items, lift))
    cell = line.cells["trigger"]
    assert (cell.grade, cell.unit) == (grade, "%")
    assert cell.value is not None
    assert cell.interval is not None
    assert cell.interval[0] < cell.value < cell.interval[1]
    assert (cell.value > 0.55) == (lift > 0)


def test_few_triggers_are_open() -> None:
    items = twins(8)
    (line,) = lines([judged("twins", items, knows)], saliences(items, 1.0))
    assert line.cells["trigger"].grade == "open"


@pytest.mark.parametrize(("same", "grade"), [(1.0, "good"), (0.8, "fair"), (0.4, "bad")])
def test_what_is_written_beside_what_is_scored(same: float, grade: str) -> None:
    items = twins(500)
    scored = judged("twins", items, knows)
    draws = Random(2)
    said = [
        Verdict(item=item.id, kind="generative", output="x", choice=choice, correct=choice == item.gold)
        for item in items
        for choice in [(item.gold or 0) if draws.random() < same else 1 - (item.gold or 0)]
    ]
    written = Judged("twins", "generative", items, said)
    flat = findings_on([scored, written])
    (line,) = scorecard(diagnose_suites([scored, written], flat), flat, {}, {})
    assert line.kind == "contrastive"
    assert line.cells["written"].grade == grade
    assert line.cells["written"].value == pytest.approx(same, abs=0.05)


def test_runs_of_one_model_fill_each_others_gaps() -> None:
    items = twins()
    plain = lines([judged("twins", items, knows)])
    explained = lines([judged("twins", items, first)], saliences(items, 1.0))
    (line,) = merged(("the same items", each) for each in (*plain, *explained))
    assert line.cells["accuracy"].value == 1.0
    assert line.cells["trigger"] == explained[0].cells["trigger"]


def test_other_items_under_the_same_name_are_another_line() -> None:
    plain, explained = lines([judged("twins", twins(), knows)]), lines([judged("twins", twins(50), first)])
    found = merged([("all", plain[0]), ("fewer", explained[0])])
    assert [line.items for line in found] == [400, 100]


def test_items_that_were_not_judged_do_not_count() -> None:
    own = judged("twins", twins(), knows)
    said = [Verdict(item=own.items[0].id, kind="contrastive", dropped="too long"), *own.verdicts[1:]]
    (line,) = lines([Judged("twins", "contrastive", own.items, said)])
    assert line.items == 399


def test_every_figure_has_its_unit() -> None:
    items = twins(task="fill")
    (line,) = lines(
        [
            judged("twins", items, first),
            judged("twins+phrase/x", changed(items, "phrase/x"), guesses(3)),
            judged("twins+no-cands", changed(items, "no-cands"), guesses(4)),
        ],
        saliences(items, 1.0),
    )
    assert {name: cell.unit for name, cell in line.cells.items()} == {
        "accuracy": "%",
        "groups": "%",
        "artifacts": "%",
        "attacks": "pp",
        "bias": "pp",
        "trigger": "%",
        "written": "",
    }
    for name in ("accuracy", "groups", "artifacts", "attacks", "bias", "trigger"):
        cell = line.cells[name]
        assert cell.value is not None
        assert cell.interval is not None
        assert cell.interval[0] <= cell.value <= cell.interval[1]


def test_the_baseline_with_an_artifact_is_the_one_shown() -> None:
    items = twins(task="fill")
    baselines = {"no-cands": guesses(3), "part-sent": knows}
    sets = [judged("twins", items, knows)] + [
        judged(f"twins+{name}", [changed_twin(item, name, kind="baseline") for item in items], judge)
        for name, judge in baselines.items()
    ]
    for order in (sets, [sets[0], *sets[:0:-1]]):
        cell = lines(order)[0].cells["artifacts"]
        assert isinstance(cell.outcome, Artifact)
        assert (cell.outcome.setup, cell.value, cell.grade) == ("part-sent", 1.0, "bad")


def test_few_items_without_gold_have_a_preference_but_no_verdict() -> None:
    items = [msgspec.structs.replace(item, gold=None) for item in twins(2)]
    said = [
        Verdict(item=item.id, kind="contrastive", choice=masculine(item), scores=(0.0, 1.0), ranks=(2, 1))
        for item in items
    ]
    own = Judged("prior", "contrastive", items, said)
    found = findings("prior", own)
    (line,) = scorecard(diagnose_suites([own], found), found, {}, {})
    bias = line.cells["bias"]
    assert isinstance(bias.outcome, Prior)
    assert (bias.value, bias.grade, bias.outcome.outcome) == (0.5, "open", "inconclusive")


def test_without_features_there_is_no_bias_to_show() -> None:
    items = [msgspec.structs.replace(item, candidates=(Candidate("a"), Candidate("b"))) for item in twins(20)]
    (line,) = lines([judged("bare", items, knows)])
    assert line.cells["bias"].outcome == NotMeasured("no_features")


def test_a_model_without_a_prior_is_good_if_that_is_shown() -> None:
    items = [msgspec.structs.replace(item, gold=None) for item in twins(3000)]
    draws = guesses(6)
    said = [
        Verdict(item=item.id, kind="contrastive", choice=draws(item), scores=(0.0, 1.0), ranks=(2, 1)) for item in items
    ]
    own = Judged("prior", "contrastive", items, said)
    found = findings("prior", own)
    (line,) = scorecard(diagnose_suites([own], found), found, {}, {})
    assert line.cells["bias"].grade == "good"
    assert line.cells["bias"].value == pytest.approx(0.0, abs=0.1)
