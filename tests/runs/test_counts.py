"""How far a run is, and what became of its items."""

from __future__ import annotations

from referee.runs.counts import NAMED, RunCounter
from referee.runs.store import Counts
from referee.verdicts import Verdict

RIGHT = Verdict(item="a", kind="contrastive", correct=True, choice=0)
TIED = Verdict(item="b", kind="contrastive", correct=False, tied=True)
LONG = Verdict(item="c", kind="contrastive", dropped="too long")
EMPTY = Verdict(item="d", kind="contrastive", dropped="no candidates")


def test_counts() -> None:
    counter = RunCounter(6, None)
    counter.add(2)
    counter.settle([RIGHT, TIED, LONG])
    counter.settle([LONG, EMPTY, TIED])
    expected = Counts(items=6, judged=3, tied=2, truncated=0, dropped={"too long": 2, "no candidates": 1})
    assert counter.counts() == expected


def test_truncated_translations_are_counted_and_named() -> None:
    counter = RunCounter(NAMED + 6, None)
    whole = Verdict(item="whole", kind="generative", correct=True, output="Es fiel.")
    cut = [Verdict(item=f"i{number}", kind="generative", output="Es", truncated=True) for number in range(NAMED + 5)]
    counter.settle([whole, *cut[:3]])
    counter.settle(cut[3:])
    counts = counter.counts()
    assert (counts.judged, counts.truncated) == (NAMED + 6, NAMED + 5)
    assert counts.truncated_items == [verdict.item for verdict in cut[:NAMED]]


def test_progress_goes_up_and_stays_within_the_run() -> None:
    told: list[tuple[int, int | None]] = []
    counter = RunCounter(4, lambda done, total: told.append((done, total)))
    for _ in range(3):
        counter.add(1 / 3)
    counter.add(0.9)
    counter.add(9)
    counter.settle([RIGHT, RIGHT, RIGHT])
    counter.add(5)
    counter.settle([RIGHT])
    assert told == [(0, 4), (0, 4), (1, 4), (1, 4), (4, 4), (3, 4), (4, 4), (4, 4)]
    assert counter.counts().items == 4
