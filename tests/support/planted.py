"""Findings for charts, made of items and verdicts whose shares are known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from referee.analysis.accuracy import Findings, findings
from referee.analysis.findings import findings_on
from referee.analysis.salience.record import Salience, Weight
from referee.items import Candidate, Item
from referee.perturbations import changed
from referee.verdicts import Judged, Verdict
from tests.support.items import item

Case = tuple[Item, Verdict]


def judged(key: str, items: int, right: int, **fields: Any) -> list[Case]:
    """So many items, the first of them right; a wrong choice is the next candidate."""
    cases = []
    for number in range(items):
        made = item(id=f"{key}-{number}", **fields)
        assert made.gold is not None
        choice = made.gold if number < right else (made.gold + 1) % len(made.candidates)
        scores = tuple(float(place == choice) for place in range(len(made.candidates)))
        verdict = Verdict(item=made.id, kind="contrastive", correct=number < right, choice=choice, scores=scores)
        cases.append((made, verdict))
    return cases


def found(cases: Iterable[Case], suite: str = "suite") -> Findings:
    (own,) = findings(suite, cases)
    return own


def labelled(rights: dict[str, tuple[int, int]], suite: str = "suite") -> Findings:
    """By label: how many items, and how many right."""
    cases = (judged(label, items, right, label=label) for label, (items, right) in rights.items())
    return found(chain.from_iterable(cases), suite)


def distant(rights: dict[int, tuple[int, int]]) -> Findings:
    """By distance: how many items, and how many right."""
    cases = (judged(str(far), items, right, distance=far) for far, (items, right) in rights.items())
    return found(chain.from_iterable(cases))


def paired(pairs: Sequence[tuple[bool, bool]], suite: str = "suite") -> Findings:
    """Twins, and whether each is right; two candidates."""
    two = (
        Candidate("Er.", {"gender": "m", "position": "first"}),
        Candidate("Sie.", {"gender": "f", "position": "second"}),
    )
    cases = []
    for number, twins in enumerate(pairs):
        for place, right in enumerate(twins):
            cases += judged(f"{number}{place}", 1, int(right), group=str(number), candidates=two, gold=place)
    return found(cases, suite)


_BASELINES = ("no-cands", "no-premise", "part-sent/words")


def attacked(before: int, after: dict[str, int], items: int = 20) -> Findings:
    """A suite of which so many were right, and as many items under each attack or baseline with so many right."""
    sets = {"suite": judged("x", items, before)}
    for name, right in after.items():
        cases = judged("x", items, right)
        sets[f"suite+{name}"] = [
            (changed(each, name, kind="baseline" if name in _BASELINES else "attack"), verdict)
            for each, verdict in cases
        ]
    return findings_on(
        [
            Judged(name, "contrastive", [item for item, _ in cases], [verdict for _, verdict in cases])
            for name, cases in sets.items()
        ]
    )[0]


def salient(values: Sequence[tuple[float, Sequence[float]]]) -> list[Salience]:
    """An item each: what its trigger counts, and what its other words do."""
    return [
        Salience(
            "suite",
            str(number),
            "er",
            0.5,
            tuple(
                Weight("source", 0, place, place + 1, value, place == 0)
                for place, value in enumerate((trigger, *others))
            ),
        )
        for number, (trigger, others) in enumerate(values)
    ]
