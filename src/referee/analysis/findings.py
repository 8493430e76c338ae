"""What can only be said of several results of one run: attacks, scores beside translations, a language and English."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from referee.analysis.accuracy import Findings
from referee.analysis.cross_lingual import beside, judgements
from referee.analysis.generation_agreement import agreement
from referee.analysis.robustness import attacks, outcomes, resolve_origins
from referee.items import Item, SetOrigin
from referee.verdicts import Kind, Rule, Verdict


@dataclass(frozen=True)
class Reading:
    """A suite's items with their verdicts, to be read as often as needed."""

    suite: str
    judged: Callable[[], Iterator[tuple[Item, Verdict]]]


def with_attacks(found: Sequence[list[Findings]], readings: Sequence[Reading]) -> list[list[Findings]]:
    """The findings (a list for each reading), where their suite was attacked in the same run with what that did."""
    results = [list(of_suite) for of_suite in found]
    sorts: set[tuple[Kind, Rule | None]] = {(each.kind, each.rule) for of_suite in found for each in of_suite}
    declared = {each.suite: each.origin for of_suite in found for each in of_suite if each.origin is not None}
    for kind, rule in sorted(sorts, key=str):
        places = [
            (place, number)
            for place, of_suite in enumerate(found)
            for number, each in enumerate(of_suite)
            if (each.kind, each.rule) == (kind, rule)
        ]
        suites = {readings[place].suite: outcomes(readings[place].judged(), rule) for place, _ in places}
        origins = resolve_origins(suites, declared)
        effects = attacks(suites, origins)
        for place, number in places:
            suite = readings[place].suite
            results[place][number] = msgspec.structs.replace(
                results[place][number], attacks=effects.get(suite), origin=origins.get(suite)
            )
    return results


def with_agreement(found: Sequence[list[Findings]], readings: Sequence[Reading]) -> list[list[Findings]]:
    """Readings in twos, by scores and by translations: the latter's findings with how they agree."""
    results = [list(of_suite) for of_suite in found]
    for place in range(0, len(readings), 2):
        scored, translated = readings[place].judged(), readings[place + 1].judged()
        both = ((item, one, other) for (item, one), (_, other) in zip(scored, translated, strict=True))
        own = agreement(both)
        results[place + 1] = [msgspec.structs.replace(each, agreement=own) for each in results[place + 1]]
    return results


def with_english(found: Sequence[list[Findings]], readings: Sequence[Reading]) -> list[list[Findings]]:
    """The findings, where the run has a suite's English side too with how the two compare item by item."""
    results = [list(of_suite) for of_suite in found]
    for own, reading in enumerate(readings):
        for other, english in enumerate(readings):
            kinds = {each.kind for each in (*found[own], *found[other])}
            origins = {each.origin for each in found[other]}
            if not any(_is_parallel(origin, reading.suite) for origin in origins) or len(kinds) != 1:
                continue
            made = beside(english.suite, judgements(reading.judged()), judgements(english.judged()))
            results[own] = [msgspec.structs.replace(each, english=made) for each in results[own]]
    return results


def _is_parallel(origin: SetOrigin | None, suite: str) -> bool:
    return origin is not None and (origin.of, origin.kind) == (suite, "parallel")
