"""The sentence that a page opens with: on how many suites each model is above chance."""

from __future__ import annotations

from collections.abc import Sequence

from referee.analysis.scorecard import ScorecardRow
from referee.reports.wording.scorecard import GradeCount, count_grades, headline
from referee.reports.wording.vocabulary import ABOVE_CHANCE, INCONCLUSIVE

Models = Sequence[tuple[str, Sequence[ScorecardRow]]]
"""Names of models, each with the rows of its scorecard."""

_NAMED = 3
"""With more models than this only the best and the worst are named."""


def opening_sentence(models: Models) -> str:
    """Say on how many suites each model is above chance; empty where nothing can be said."""
    counts = [(name, count) for name, rows in models if (count := count_grades(rows, "accuracy")) is not None]
    if not counts:
        return next((text for _, rows in models if (text := headline(rows))), "")
    if len(models) == 1:
        group = count_grades(models[0][1], "groups")
        score = "" if group is None else f", the group score on {_words(group)}"
        return f"Accuracy is {ABOVE_CHANCE} on {_words(counts[0][1], ' suites')}{score}."
    if len(counts) > _NAMED:
        ordered = sorted(counts, key=lambda pair: -pair[1].passed / pair[1].known)
        (best, most), (worst, fewest) = ordered[0], ordered[-1]
        return (
            f"Accuracy is {ABOVE_CHANCE} on {_words(most, ' suites')} for {best}, the best of {len(counts)} models, "
            f"and on {_words(fewest)} for {worst}, the worst."
        )
    clauses = [
        f"on {_words(count, '' if number else ' suites')} for {name}" for number, (name, count) in enumerate(counts)
    ]
    return f"Accuracy is {ABOVE_CHANCE} {', '.join(clauses)}."


def _words(count: GradeCount, noun: str = "") -> str:
    rest = f" ({count.undecided} {INCONCLUSIVE})" if count.undecided else ""
    return f"{count.passed} of {count.known}{noun}{rest}"
