"""Verdicts on accuracies and group scores: against chance, against independent errors, without the evidence."""

from __future__ import annotations

import copy
from array import array

import msgspec
import numpy as np
from numpy.random import Generator

from referee.analysis.accuracy import Cases, Findings, summarise
from referee.analysis.artifacts import Artifact, artifacts
from referee.analysis.diagnosis import diagnose_suites
from referee.analysis.findings import findings_on
from referee.analysis.group_consistency import group_consistency
from referee.analysis.scorecard import AgainstChance, Cell, GroupsAgainstChance, scorecard
from referee.analysis.steps import STEPS, StepOutcome, steps
from referee.items import Item, SetOrigin
from simulated.models import Flags, correct, group_kinds, group_sizes, one_of_each, whole_share
from simulated.sets import EMPTY, SUITE, Answered, answered, make_items
from simulated.study import Events, Read, Study


def accuracy(groups: int, sizes: str, share: float, within: str, candidates: int = 2, uneven: float = 0.0) -> Study:
    """Read the cells `accuracy` and `groups` of the scorecard.

    With `uneven`, one gender is correct in this share of the items, so always choosing it is a heuristic.
    """
    counts = group_sizes(sizes, groups)
    of_groups = whole_share(counts[counts > 1], share, within) if (counts > 1).any() else 0.0
    golds = (np.arange(int(counts.sum())) % 10 >= 10 * uneven).astype(np.int64) if uneven else None
    features = ("gender",) if uneven else ()
    known = answered(make_items(counts, candidates=candidates, features=features, golds=golds))
    cases = _cases(known)

    def events(findings: Findings, cells: dict[str, Cell]) -> Events:
        result = {**_level(cells["accuracy"]), "covered": _holds(cells["accuracy"], share)}
        if findings.group is not None:
            result |= {f"groups {word}": value for word, value in _level(cells["groups"]).items()}
            result["groups covered"] = _holds(cells["groups"], of_groups)
        return result

    def read(sample: Flags) -> Events:
        findings = _summarised(cases, sample)
        return events(findings, scorecard([EMPTY], [findings], {}, {})[0].cells)

    def full(sample: Flags) -> Read:
        from referee.reports.wording.scorecard import cell_verdict

        judged = [known.judged(sample)]
        findings = findings_on(judged)
        cells = scorecard(diagnose_suites(judged, findings), findings, {}, {})[0].cells
        return events(findings[0], cells), [cell_verdict(cells[name]) for name in ("accuracy", "groups")]

    return Study(
        lambda rng: correct(rng, counts, share, within), read, full, lambda sample: group_kinds(counts, sample)
    )


def independence(groups: int, sizes: str, share: float, within: str, heuristic: float = 0.0) -> Study:
    """Read the group score against independent errors."""
    counts = group_sizes(sizes, groups)
    known = answered(make_items(counts))
    names = [item.group_id for item in known.items]

    def draw(rng: Generator) -> Flags:
        return one_of_each(rng, counts, heuristic, share) if heuristic else correct(rng, counts, share, within)

    def read(sample: Flags) -> Events:
        result = group_consistency(sample.tolist(), names)
        return _departure(None if result is None else result.errors)

    def full(sample: Flags) -> Read:
        from referee.reports.wording.diagnosis import group_verdict

        judged = [known.judged(sample)]
        result = diagnose_suites(judged, findings_on(judged))[0].groups
        assert result is not None
        return _departure(result.errors), [group_verdict(result)]

    return Study(draw, read, full, lambda sample: group_kinds(counts, sample))


def artifact(groups: int, sizes: str, share: float, within: str, baselines: int = 1) -> Study:
    """Read the verdict on baselines without the evidence; of several, the scorecard shows the worst."""
    counts = group_sizes(sizes, groups)
    items = make_items(counts)
    original = answered(items)
    sets = [
        answered(items, f"{SUITE} {number}", origin=SetOrigin(SUITE, change, "baseline"))
        for number, change in enumerate(("no-premise", "no-cands", "part-sent")[:baselines])
    ]
    cases = _cases(original)
    everything = np.ones(len(items), np.bool_)
    of_original = _summarised(cases, everything)

    def draw(rng: Generator) -> list[Flags]:
        return [correct(rng, counts, share, within) for _ in sets]

    def events(results: list[Artifact], cell: Cell) -> Events:
        assert isinstance(cell.outcome, Artifact)
        return _artifact_events(results[0].above_chance) | {"cell above": cell.outcome.has_artifact}

    def read(sample: list[Flags]) -> Events:
        findings = [
            msgspec.structs.replace(_summarised(cases, flags), suite=known.suite, origin=known.origin)
            for known, flags in zip(sets, sample, strict=True)
        ]
        results = artifacts(of_original, [of_original, *findings], [])
        suite = msgspec.structs.replace(EMPTY, artifacts=results)
        return events(results, scorecard([suite], [of_original], {}, {})[0].cells["artifacts"])

    def full(sample: list[Flags]) -> Read:
        from referee.reports.wording.scorecard import cell_verdict

        judged = [
            original.judged(everything),
            *(known.judged(flags) for known, flags in zip(sets, sample, strict=True)),
        ]
        findings = findings_on(judged)
        suites = diagnose_suites(judged, findings)
        cell = scorecard(suites, findings, {}, {})[0].cells["artifacts"]
        return events(suites[0].artifacts, cell), [cell_verdict(cell)]

    return Study(draw, read, full, lambda sample: b"".join(group_kinds(counts, flags) for flags in sample))


def step(groups: int, sizes: str, share: float, weak: float, within: str) -> Study:
    """Read which step fails first: `weak` of the second step is correct, `share` of each other step."""
    counts = group_sizes(sizes, groups)
    shares = (share, weak, share)
    sets = [
        answered([_of_step(item, name, label) for item in make_items(counts, prefix=label)], label)
        for name, label in zip(STEPS, ("markable", "verb-overlap", "gender"), strict=True)
    ]

    def read(sample: list[Flags]) -> tuple[Events, StepOutcome]:
        (result,) = steps([known.judged(flags) for known, flags in zip(sets, sample, strict=True)])
        return {word: result.outcome == word for word in ("fails", "passes", "inconclusive")}, result

    def full(sample: list[Flags]) -> Read:
        from referee.reports.wording.steps import step_sentence

        events, result = read(sample)
        return events, [step_sentence(result)]

    return Study(
        lambda rng: [correct(rng, counts, part, within) for part in shares], lambda sample: read(sample)[0], full
    )


def _of_step(item: Item, name: str, label: str) -> Item:
    return msgspec.structs.replace(item, features={"step": name}, label=label)


def _artifact_events(above: str | None) -> Events:
    return {"above": above in ("items", "groups"), "not above": above == "none"}


def _departure(errors: str | None) -> Events:
    """Errors apart leave a group score below that of independent ones, errors together one above."""
    words = {"apart": errors == "apart", "together": errors == "together"}
    return {**words, "either": any(words.values()), "inconclusive": errors == "inconclusive"}


def _level(cell: Cell) -> dict[str, bool]:
    assert isinstance(cell.outcome, AgainstChance | GroupsAgainstChance)
    standing = None if cell.outcome.against is None else cell.outcome.against.standing
    words = ("above", "below", "at", "not_above", "inconclusive")
    return {word: standing == word for word in words} | {"good": cell.grade == "good"}


def _holds(cell: Cell, value: float) -> bool:
    assert cell.interval is not None
    low, high = cell.interval
    return bool(low - 1e-12 <= value <= high + 1e-12)


def _cases(known: Answered) -> Cases:
    cases = Cases()
    for item, verdicts in zip(known.items, known.verdicts, strict=True):
        cases.add(item, verdicts[1])
    # Tendencies, which decide nothing, are not simulated here.
    cases.decisions = []
    return cases


def _summarised(cases: Cases, sample: Flags) -> Findings:
    """The findings on the same items with other answers."""
    drawn = copy.copy(cases)
    drawn.correct = array("b", sample.astype(np.int8).tobytes())
    return summarise(SUITE, drawn)[0]
