"""Which step of translating a pronoun fails first (ContraCAT, section 3 and Table 1).

The paper's pipeline has three steps: markable detection, coreference resolution, translation to the target language.
Template items name their step. Each step is taken apart by phenomenon, since a model that always chooses neuter is
correct on every pleonastic pronoun whatever it does with two nouns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec
import numpy as np

from referee.analysis.accuracy import Findings, findings
from referee.build.templates.template import Step
from referee.items import Item
from referee.languages import base
from referee.stats.groups import group_sums, index_groups
from referee.stats.levels import MARGIN
from referee.stats.worst_group import SHARE, TAIL, mean_interval
from referee.verdicts import Judged, Kind, Verdict

STEPS: tuple[Step, ...] = ("markable", "coreference", "language")
"""The steps in the order of the paper's Table 1. Priors have no correct answer, so they cannot fail."""
OVERLAP = "overlap"
"""The phenomenon of all templates in which words of the context are repeated, pooled."""

_FEATURE = "step"


class StepPart(msgspec.Struct, frozen=True, kw_only=True):
    """One phenomenon of a step: the findings on its items of all suites, pooled.

    `fails` where more than the chance level plus the margin is ruled out, with a correction for the number of parts.
    Where a constant heuristic is always correct (`ceiling`), no accuracy could be above it: then it fails where it is
    surely worse by more than the margin, and shows nothing otherwise.
    """

    step: Step
    phenomenon: str
    suites: tuple[str, ...]
    findings: Findings
    fails: bool
    ceiling: bool

    @property
    def decides(self) -> bool:
        """Whether it shows something about its step."""
        return self.findings.against is not None and (self.fails or not self.ceiling)

    @property
    def passes(self) -> bool:
        """Whether it is significantly above chance."""
        return self.findings.against is not None and self.findings.against.standing == "above"


class StepOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The steps of one target language, evaluated in one way.

    `part` is the first that fails or, where none does, the first that is inconclusive. `open` are the steps before it
    that are inconclusive, `missing` those without items that decide.
    """

    language: str
    kind: Kind
    parts: list[StepPart]
    outcome: Literal["fails", "inconclusive", "passes"]
    part: StepPart | None
    open: tuple[Step, ...]
    missing: tuple[Step, ...]


def steps(judged: Sequence[Judged]) -> list[StepOutcome]:
    """The outcome of every target language with template items of two steps or more; priors do not count."""
    outcomes = [_outcome(language, kind, parts) for (language, kind), parts in _parts(judged).items()]
    return [outcome for outcome in outcomes if len(STEPS) - len(outcome.missing) > 1]


def pooled_overlap(judged: Sequence[Judged]) -> dict[str, StepPart]:
    """The pooled overlap by target language, where several suites have it."""
    return {
        language: part
        for (language, _), parts in _parts(judged).items()
        for part in parts
        if part.phenomenon == OVERLAP and len(part.suites) > 1
    }


def phenomenon(item: Item) -> str:
    """The phenomenon that a template item is about: its template, with all kinds of overlap as one."""
    name = (item.label or "").partition("/")[0]
    return OVERLAP if name.endswith(f"-{OVERLAP}") else name


def _outcome(language: str, kind: Kind, parts: list[StepPart]) -> StepOutcome:
    deciding = [part for part in parts if part.decides]
    failing = min((part for part in deciding if part.fails), key=_severity, default=None)
    unsure = next((part for part in deciding if not part.passes), None)
    missing = tuple(step for step in STEPS if not any(part.step == step for part in deciding))
    before = STEPS if failing is None else STEPS[: STEPS.index(failing.step)]
    return StepOutcome(
        language=language,
        kind=kind,
        parts=parts,
        outcome="fails" if failing else "inconclusive" if unsure else "passes",
        part=failing or unsure,
        open=tuple(step for step in before if any(part.step == step and not part.passes for part in deciding)),
        missing=missing,
    )


def _severity(part: StepPart) -> tuple[int, bool, float]:
    """Of the parts of the first step that fails, the one furthest below its level; one that could be above it first."""
    row, chance = part.findings.overall, part.findings.chance
    below = 0.0 if row is None or chance is None else row.accuracy - chance.level
    return STEPS.index(part.step), part.ceiling, below


_Key = tuple[str, Kind]
_Pairs = list[tuple[Item, Verdict]]


def _parts(judged: Sequence[Judged]) -> dict[_Key, list[StepPart]]:
    """The parts by target language, in the order of the steps; by scores where there are any."""
    pools: dict[_Key, dict[tuple[Step, str], tuple[dict[str, None], _Pairs]]] = {}
    for suite, kind, step, item, verdict in _cases(judged):
        suites, pairs = pools.setdefault((base(item.target_lang), kind), {}).setdefault(
            (step, phenomenon(item)), ({}, [])
        )
        suites[suite] = None
        pairs.append((item, verdict))
    scored = {language for language, kind in pools if kind == "contrastive"}
    return {
        (language, kind): _of_language(pool)
        for (language, kind), pool in pools.items()
        if kind == "contrastive" or language not in scored
    }


def _cases(judged: Iterable[Judged]) -> Iterator[tuple[str, Kind, Step, Item, Verdict]]:
    """Unperturbed template items that have a correct answer and were decided."""
    by_name: dict[str, Step] = {step: step for step in STEPS}
    for of_set in judged:
        if of_set.origin is not None:
            continue
        for item, verdict in of_set:
            step = by_name.get(item.features.get(_FEATURE, ""))
            if step is not None and item.origin is None and verdict.correct is not None:
                yield of_set.suite, of_set.kind, step, item, verdict


def _of_language(pool: dict[tuple[Step, str], tuple[dict[str, None], _Pairs]]) -> list[StepPart]:
    pooled = [(key, tuple(suites), pairs, findings(key[1], pairs)[0]) for key, (suites, pairs) in pool.items()]
    parts = [
        StepPart(
            step=step,
            phenomenon=name,
            suites=suites,
            findings=result,
            fails=_fails(pairs, result, len(pooled)),
            ceiling=_ceiling(result),
        )
        for (step, name), suites, pairs, result in pooled
    ]
    # A phenomenon that only a failure decides comes last; overlap, the paper's first, comes first.
    return sorted(
        parts, key=lambda part: (STEPS.index(part.step), part.ceiling, part.phenomenon != OVERLAP, part.phenomenon)
    )


def _ceiling(result: Findings) -> bool:
    return result.chance is not None and result.chance.level == 1


def _fails(pairs: _Pairs, result: Findings, parts: int) -> bool:
    """Whether the accuracy is surely not above the chance level by the margin; any of the parts might seem so."""
    if result.chance is None or result.against is None:
        return False
    hits = np.array([bool(verdict.correct) for _, verdict in pairs])
    sums, sizes = group_sums(hits, index_groups([item.group_id for item, _ in pairs]))
    margin = -MARGIN if _ceiling(result) else MARGIN
    return mean_interval(sums, sizes, SHARE, TAIL / parts)[1] < result.chance.level + margin
