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
        case_item = item(id=f"{key}-{number}", **fields)
        assert case_item.gold is not None
        choice = case_item.gold if number < right else (case_item.gold + 1) % len(case_item.candidates)
        scores = tuple(float(index == choice) for index in range(len(case_item.candidates)))
        verdict = Verdict(item=case_item.id, kind="contrastive", correct=number < right, choice=choice, scores=scores)
        cases.append((case_item, verdict))
    return cases


def findings_from(cases: Iterable[Case], suite: str = "suite") -> Findings:
    (result,) = findings(suite, cases)
    return result


def labelled(rights: dict[str, tuple[int, int]], suite: str = "suite") -> Findings:
    """By label: how many items, and how many right."""
    cases = (judged(label, items, right, label=label) for label, (items, right) in rights.items())
    return findings_from(chain.from_iterable(cases), suite)


def distant(rights: dict[int, tuple[int, int]]) -> Findings:
    """By distance: how many items, and how many right."""
    cases = (judged(str(far), items, right, distance=far) for far, (items, right) in rights.items())
    return findings_from(chain.from_iterable(cases))


def paired(pairs: Sequence[tuple[bool, bool]], suite: str = "suite") -> Findings:
    """Twins, and whether each is right; two candidates."""
    two = (
        Candidate("Er.", {"gender": "m", "position": "first"}),
        Candidate("Sie.", {"gender": "f", "position": "second"}),
    )
    cases = []
    for number, twins in enumerate(pairs):
        for gold, right in enumerate(twins):
            cases += judged(f"{number}{gold}", 1, int(right), group=str(number), candidates=two, gold=gold)
    return findings_from(cases, suite)


_BASELINES = ("no-cands", "no-premise", "part-sent/words")


def attacked(before: int, after: dict[str, int], items: int = 20) -> Findings:
    """A suite with a given number of correct items, and as many items under each attack or baseline."""
    sets = {"suite": judged("x", items, before)}
    for name, right in after.items():
        cases = judged("x", items, right)
        sets[f"suite+{name}"] = [
            (changed(original, name, kind="baseline" if name in _BASELINES else "attack"), verdict)
            for original, verdict in cases
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
                Weight("source", 0, start, start + 1, value, start == 0)
                for start, value in enumerate((trigger, *others))
            ),
        )
        for number, (trigger, others) in enumerate(values)
    ]
