"""Progress of a run, and the counts of ties, of dropped items and of truncated translations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from referee.io.progress import Progress
from referee.runs.store import Counts
from referee.verdicts import Verdict

NAMED = 20
"""Items that are named at most."""


class RunCounter:
    """Running counts of finished, tied and dropped items, reported as progress."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self._total, self._progress = total, progress
        self._under_way = 0.0
        self._items = self._tied = self._truncated = 0
        self._truncated_items: list[str] = []
        self._dropped: Counter[str] = Counter()

    def add(self, count: float) -> None:
        """Count items under way; fractions of items add up to a little less or more."""
        self._under_way = min(self._total - self._items, self._under_way + count)
        self._tell()

    def settle(self, verdicts: Sequence[Verdict]) -> None:
        """Count verdicts that are stored."""
        self._items += len(verdicts)
        self._under_way = 0.0
        for verdict in verdicts:
            self._tied += verdict.tied
            if verdict.truncated:
                self._truncated += 1
                self._truncated_items += [verdict.item][: NAMED - len(self._truncated_items)]
            if verdict.dropped is not None:
                self._dropped[verdict.dropped] += 1
        self._tell()

    def counts(self) -> Counts:
        """Counts over all items."""
        dropped = dict(self._dropped)
        judged = self._items - self._dropped.total()
        return Counts(
            items=self._items,
            judged=judged,
            tied=self._tied,
            truncated=self._truncated,
            dropped=dropped,
            truncated_items=self._truncated_items,
        )

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(int(self._items + self._under_way + 1e-6), self._total)
