"""Runs on the same items, paired one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.analysis.comparison.compare import RunPair, compare_runs
from referee.errors import InputError, UsageError
from referee.runs.run import Run


@dataclass(frozen=True)
class Comparison:
    """Runs, and what two of them at a time show on the items that both evaluated.

    A pair names its runs by their index in `runs`. `unrelated` are pairs that have no such item.
    """

    runs: Sequence[Run]
    pairs: Sequence[RunPair]
    unrelated: Sequence[RunPair] = ()


def compare(base: Run, *others: Run, by: Sequence[str] = (), all_pairs: bool = False) -> Comparison:
    """Compare runs on the same items: paired differences with intervals and tests, and the items that flipped.

    Every run is compared with `base`, or with `all_pairs` every one with every other. `by` names breakdowns: label,
    distance, or any feature of the correct answer.

    >>> import referee
    >>> items = list(referee.templates("de", "gender"))[:30]
    >>> flat = [0.0] * 3 * len(items)
    >>> gold = [float(place == item.gold) for item in items for place in range(3)]
    >>> comparison = referee.compare(referee.score(items, scores=flat), referee.score(items, scores=gold))
    >>> comparison.pairs[0].comparisons[0].items.difference
    1.0
    """
    runs = (base, *others)
    if len(runs) < 2:
        raise UsageError("expected two or more runs, but found one", "give another run")
    pairs = compare_runs([run.sets for run in runs], by, all_pairs=all_pairs)
    related = [pair for pair in pairs if any(suite.items or suite.same for suite in pair.comparisons)]
    if not related:
        first, second = runs[pairs[0].base], runs[pairs[0].other]
        problem = f"{_described(first)} and {_described(second)} share no evaluated items"
        raise InputError(problem, "compare runs on the same suites, with the same --how")
    return Comparison(runs, related, [pair for pair in pairs if pair not in related])


def _described(run: Run) -> str:
    suites = ", ".join(judged.suite + (" (generation)" if judged.kind == "generative" else "") for judged in run.sets)
    return f"{run.folder} ({suites})"
