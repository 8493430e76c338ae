"""All findings of a run, gathered in one pass over its items and verdicts.

Most findings are about one set. Some take two: an attacked set and its original, scores and translations of one set, a
set and its parallel side in English. Only what these need of an item is kept while the next set passes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from referee.analysis.accuracy import DIMENSIONS, Cases, Findings, summarise
from referee.analysis.cross_lingual import Judgement, cross_lingual, judgement
from referee.analysis.generation_agreement import Answers, agreement
from referee.analysis.group_scores import CandidateScores
from referee.analysis.quality import Segments, quality
from referee.analysis.robustness import Outcome, attacks, outcome_of, resolve_origins
from referee.items import Item, SetOrigin
from referee.verdicts import Judged, Kind, Rule, Verdict

RULES: tuple[Rule, ...] = ("paper", "token")


@dataclass
class Gathered:
    """What is kept of one set, evaluated in one way, while its items pass by."""

    suite: str
    cases: Cases
    origin: SetOrigin | None = None
    outcomes: dict[Rule | None, list[Outcome]] | None = None
    judgements: dict[str, Judgement] | None = None
    answers: Answers | None = None
    segments: Segments = field(default_factory=Segments)
    candidate_scores: CandidateScores = field(default_factory=CandidateScores)

    def add(self, item: Item, verdict: Verdict) -> None:
        """Take in the next item with its verdict."""
        self.cases.add(item, verdict)
        if self.outcomes is not None:
            for rule, outcomes in self.outcomes.items():
                outcomes += outcome_of(item, verdict, rule)
        if self.judgements is not None and (judged := judgement(item, verdict)) is not None:
            self.judgements[item.id] = judged
        if self.answers is not None:
            self.answers.add(item, verdict)
        if verdict.kind == "generative":
            self.segments.add(item, verdict)
        else:
            self.candidate_scores.add(item, verdict)


@dataclass(frozen=True)
class Needs:
    """Which findings that take two sets a run may have; what they need is kept for these only."""

    attacks: bool = False
    agreement: bool = False
    parallel: bool = False


def gather(
    suite: str, origin: SetOrigin | None = None, dimensions: Sequence[str] = DIMENSIONS, needs: Needs | None = None
) -> Gathered:
    """A place for what is kept of a set."""
    needs = needs or Needs()
    return Gathered(
        suite,
        Cases(tuple(dimensions)),
        origin,
        {rule: [] for rule in (None, *RULES)} if needs.attacks else None,
        {} if needs.parallel else None,
        Answers() if needs.agreement else None,
    )


def findings_of(sets: Sequence[Gathered], comet: Path | None = None) -> list[Findings]:
    """The findings of a run: those on each set, completed by what two sets show together."""
    results = [_on_set(gathered, comet) for gathered in sets]
    _add_attacks(results, sets)
    _add_agreement(results, sets)
    _add_parallel(results, sets)
    return [findings for of_set in results for findings in of_set]


def findings_on(
    sets: Sequence[Judged], dimensions: Sequence[str] = DIMENSIONS, comet: Path | None = None
) -> list[Findings]:
    """The findings on evaluated sets in memory."""
    kinds = {(judged.suite, judged.kind) for judged in sets}
    needs = Needs(
        attacks=any(item.origin is not None for judged in sets for item in judged.items),
        agreement=any((suite, "generative") in kinds for suite, kind in kinds if kind == "contrastive"),
        parallel=any(judged.origin is not None and judged.origin.kind == "parallel" for judged in sets),
    )
    gathered = [gather(judged.suite, judged.origin, dimensions, needs) for judged in sets]
    for columns, judged in zip(gathered, sets, strict=True):
        for item, verdict in judged:
            columns.add(item, verdict)
    return findings_of(gathered, comet)


def _on_set(gathered: Gathered, comet: Path | None) -> list[Findings]:
    results = summarise(gathered.suite, gathered.cases, RULES)
    scores = quality(gathered.segments, comet=comet) if gathered.cases.kind == "generative" else []
    own = {"origin": gathered.origin, "quality": scores, "candidate_scores": gathered.candidate_scores.summarise()}
    return [msgspec.structs.replace(findings, **own) for findings in results]


def _add_attacks(results: list[list[Findings]], sets: Sequence[Gathered]) -> None:
    """Complete the findings on sets that were perturbed in the same run, and name what perturbed sets were made of."""
    if not any(gathered.outcomes for gathered in sets):
        return
    declared = {gathered.suite: gathered.origin for gathered in sets if gathered.origin is not None}
    ways: dict[tuple[Kind, Rule | None], list[tuple[int, int]]] = {}
    for index, of_set in enumerate(results):
        for number, findings in enumerate(of_set):
            ways.setdefault((findings.kind, findings.rule), []).append((index, number))
    for (_, rule), entries in ways.items():
        outcomes = {sets[index].suite: (sets[index].outcomes or {}).get(rule, []) for index, _ in entries}
        origins = resolve_origins(outcomes, declared)
        effects = attacks(outcomes, origins)
        for index, number in entries:
            suite = sets[index].suite
            results[index][number] = msgspec.structs.replace(
                results[index][number], attacks=effects.get(suite), origin=origins.get(suite)
            )


def _add_agreement(results: list[list[Findings]], sets: Sequence[Gathered]) -> None:
    """Complete the findings on translations by how they agree with the scores of the same set."""
    scored: Mapping[str, Answers] = {
        gathered.suite: gathered.answers
        for gathered in sets
        if gathered.answers is not None and gathered.cases.kind == "contrastive"
    }
    for index, gathered in enumerate(sets):
        if gathered.answers is not None and gathered.cases.kind == "generative" and gathered.suite in scored:
            both = agreement(scored[gathered.suite], gathered.answers)
            results[index] = [msgspec.structs.replace(findings, agreement=both) for findings in results[index]]


def _add_parallel(results: list[list[Findings]], sets: Sequence[Gathered]) -> None:
    """Complete the findings on sets whose side in another language was evaluated in the same way."""
    sides = {
        (gathered.origin.of, gathered.cases.kind): gathered
        for gathered in sets
        if gathered.origin is not None and gathered.origin.kind == "parallel"
    }
    for index, gathered in enumerate(sets):
        side = sides.get((gathered.suite, gathered.cases.kind))
        if side is None or gathered.judgements is None or side.judgements is None:
            continue
        compared = cross_lingual(side.suite, gathered.judgements, side.judgements)
        results[index] = [msgspec.structs.replace(findings, english=compared) for findings in results[index]]
