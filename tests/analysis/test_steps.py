"""Which step of pronoun translation fails first: made-up models on items with a step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import referee
from referee.analysis.steps import STEPS, StepOutcome, phenomenon, pooled_overlap, steps
from referee.build.templates import shipped
from referee.build.templates.template import Step
from referee.items import Candidate, Item, Origin, SetOrigin
from referee.runs.diagnosis import diagnose
from referee.sets import of_items
from referee.verdicts import Judged, Kind, Verdict
from tests.support.items import item

STEP_OF: dict[str, Step] = {
    "markable": "markable",
    "verb-overlap": "coreference",
    "object-overlap": "coreference",
    "world-knowledge": "coreference",
    "event": "coreference",
    "gender": "language",
}


def case(template: str, number: int, gold: int, **changes: Any) -> Item:
    candidates = tuple(
        Candidate(f"{word} war da {number}.", {"gender": gender, "pronoun": word})
        for word, gender in (("Er", "m"), ("Sie", "f"))
    )
    fields: dict[str, Any] = {"target_lang": "de", "features": {"template": template, "step": STEP_OF[template]}}
    return item(id=f"{template}-{number}", candidates=candidates, gold=gold, label=template, **fields | changes)


def made(template: str, correct: int, total: int, kind: Kind = "contrastive", **changes: Any) -> Judged:
    """A set in which both genders are correct equally often, and a model with so many correct answers."""
    constant = template == "event"
    items = [case(template, number, 0 if constant else number % 2, **changes) for number in range(total)]
    verdicts = [Verdict(item=one.id, kind=kind, correct=index < correct) for index, one in enumerate(items)]
    return Judged(template, kind, items, verdicts)


def outcome(figures: Mapping[str, tuple[int, int]]) -> StepOutcome:
    (only,) = steps([made(template, *figure) for template, figure in figures.items()])
    return only


GOOD, POOR = (190, 200), (60, 200)


def test_the_order_is_that_of_table_1() -> None:
    assert STEPS == ("markable", "coreference", "language")


def test_a_model_that_is_above_chance_everywhere_passes() -> None:
    result = outcome({"markable": GOOD, "verb-overlap": GOOD, "gender": GOOD})
    assert (result.outcome, result.part, result.open, result.missing) == ("passes", None, (), ())


@pytest.mark.parametrize(
    ("figures", "step", "failing"),
    [
        ({"markable": POOR, "verb-overlap": POOR, "gender": GOOD}, "markable", "markable"),
        ({"markable": GOOD, "verb-overlap": POOR, "world-knowledge": GOOD, "gender": GOOD}, "coreference", "overlap"),
        ({"markable": GOOD, "verb-overlap": GOOD, "world-knowledge": POOR}, "coreference", "world-knowledge"),
        ({"markable": GOOD, "verb-overlap": GOOD, "gender": POOR}, "language", "gender"),
        # At chance, with enough items to rule out more than 5 pp above it.
        ({"markable": GOOD, "verb-overlap": (1000, 2000), "gender": GOOD}, "coreference", "overlap"),
    ],
)  # fmt: skip
def test_the_first_step_that_fails_is_named(figures: Mapping[str, tuple[int, int]], step: str, failing: str) -> None:
    result = outcome(figures)
    assert result.outcome == "fails"
    assert result.part is not None
    assert (result.part.step, result.part.phenomenon) == (step, failing)


def test_too_few_items_are_inconclusive_and_never_a_pass() -> None:
    result = outcome({"markable": GOOD, "verb-overlap": (11, 20), "gender": GOOD})
    assert (result.outcome, result.open) == ("inconclusive", ("coreference",))
    assert result.part is not None and result.part.phenomenon == "overlap"


def test_an_earlier_step_may_be_open() -> None:
    result = outcome({"markable": (11, 20), "verb-overlap": (60, 200), "gender": GOOD})
    assert result.part is not None
    assert (result.outcome, result.part.step, result.open) == ("fails", "coreference", ("markable",))


def test_a_step_without_items_is_missing_and_one_step_alone_says_nothing() -> None:
    result = outcome({"verb-overlap": GOOD, "gender": GOOD})
    assert (result.outcome, result.missing) == ("passes", ("markable",))
    assert steps([made("gender", 0, 200)]) == []
    assert steps([]) == []


def test_kinds_of_overlap_are_pooled() -> None:
    sets = [made("verb-overlap", 60, 100), made("object-overlap", 20, 100), made("gender", *GOOD)]
    (result,) = steps(sets)
    (part,) = [part for part in result.parts if part.phenomenon == "overlap"]
    assert part.findings.overall is not None
    assert (part.suites, part.findings.overall.items) == (("verb-overlap", "object-overlap"), 200)
    assert part.findings.overall.accuracy == pytest.approx(0.4)
    assert pooled_overlap(sets) == {"de": part}
    assert pooled_overlap(sets[:1]) == {}


def test_where_one_answer_is_always_correct_a_step_can_fail_but_not_pass() -> None:
    figures = {"markable": GOOD, "verb-overlap": GOOD, "gender": GOOD}
    perfect, poor = outcome(figures | {"event": (200, 200)}), outcome(figures | {"event": (100, 200)})
    assert perfect.outcome == "passes"
    assert not next(part for part in perfect.parts if part.phenomenon == "event").decides
    # One error in 200 is no failure, though 'always masculine' makes none.
    assert outcome(figures | {"event": (199, 200)}).outcome == "passes"
    assert poor.part is not None
    assert (poor.outcome, poor.part.phenomenon) == ("fails", "event")


def test_overlap_is_named_before_what_only_a_failure_decides() -> None:
    figures = {"markable": GOOD, "event": POOR, "world-knowledge": POOR, "verb-overlap": POOR, "gender": GOOD}
    result = outcome(figures)
    assert [part.phenomenon for part in result.parts[1:4]] == ["overlap", "world-knowledge", "event"]
    assert result.part is not None and result.part.phenomenon == "overlap"


def test_several_phenomena_take_more_evidence_to_fail() -> None:
    """With one phenomenon per step the interval of 95% decides; with more of them the level is divided."""
    for hits in range(100):
        alone = outcome({"markable": GOOD, "gender": (hits, 200)})
        together = outcome({"markable": GOOD, "gender": (hits, 200), "verb-overlap": GOOD, "world-knowledge": GOOD})
        failing = [result.outcome == "fails" for result in (alone, together)]
        assert failing in ([True, True], [False, False], [True, False])
        if failing == [True, False]:
            return
    pytest.fail("the number of phenomena made no difference")


def test_perturbed_items_and_sets_do_not_count() -> None:
    attacked = made("verb-overlap", 0, 200, origin=Origin("other", "phrase", "attack"))
    of_set = Judged(
        "x", "contrastive", made("gender", 0, 9).items, made("gender", 0, 9).verdicts, SetOrigin("y", "z", "attack")
    )
    (result,) = steps([made("markable", *GOOD), made("gender", *GOOD), attacked, of_set])
    assert [part.phenomenon for part in result.parts] == ["markable", "gender"]


def test_scores_count_where_there_are_any_and_languages_stand_apart() -> None:
    scored = [made("markable", *GOOD), made("gender", *GOOD)]
    generated = [made("markable", 0, 200, "generative"), made("gender", 0, 200, "generative")]
    french = [made("markable", 60, 200, target_lang="fr"), made("gender", *GOOD, target_lang="fr-CA")]
    assert [(one.language, one.kind, one.outcome) for one in steps([*scored, *generated, *french])] == [
        ("de", "contrastive", "passes"),
        ("fr", "contrastive", "fails"),
    ]
    assert steps(generated)[0].kind == "generative"


@pytest.mark.parametrize("code", shipped())
def test_every_template_names_its_step(code: str) -> None:
    named = {
        template: next(iter(referee.templates(code, template))) for template in ("markable", "gender", "role-prior")
    }
    assert [one.features["step"] for one in named.values()] == ["markable", "language", "priors"]
    overlap = next(iter(referee.templates(code, "subject-verb-overlap")))
    assert (overlap.features["step"], phenomenon(overlap)) == ("coreference", "overlap")
    for name in ("world-knowledge", "event", "pleonastic"):
        one = next(iter(referee.templates(code, name)))
        assert (one.features["step"], phenomenon(one)) == ("coreference", name)


def test_a_diagnosis_has_the_steps_and_the_pooled_row() -> None:
    names = ("markable", "verb-overlap", "object-overlap", "gender")
    sets = [of_items(name, list(referee.templates("de", name))[::25]) for name in names]
    gold = {(one.source, one.source_context[0]): one.gold for of_set in sets for one in of_set}

    def score(source: str, candidates: list[str], context: list[str]) -> list[float]:
        return [float(index == gold[source, context[0]]) for index in range(len(candidates))]

    diagnosis = diagnose(referee.evaluate(score, *sets, context=1))
    (result,) = diagnosis.steps
    assert (result.language, result.outcome) == ("de", "passes")
    row = diagnosis.scorecard[-1]
    assert (row.suite, row.pooled) == ("de/overlap (pooled)", ("verb-overlap", "object-overlap"))
    assert row.items == sum(1 for of_set in sets[1:3] for _ in of_set)
    assert row.cells["accuracy"].value == 1.0
