"""What the scoring benchmarks share: where packages are found, settings, races, rows of the result."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "src"))
if "--site" in sys.argv:  # behind what is installed: only what is missing comes from there
    sys.path.append(str(Path(sys.argv[sys.argv.index("--site") + 1]).resolve()))
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("TQDM_DISABLE", "1")

import scoring_made as made  # noqa: E402

SCORED = 24
"""Tokens of a sentence whose pseudo-log-likelihood is asked, the two special ones not counted."""
SENTENCE = 15
TOLERANCE = 2e-3

Work = Callable[[], object]


@dataclass(frozen=True)
class Settings:
    """What the command line says."""

    folder: Path
    quick: bool
    rounds: int
    threads: int
    nmtscore: str
    scale: float = 1.0

    def size(self, name: str) -> made.Size:
        return (made.QUICK if self.quick else made.SIZES)[name]

    def count(self, full: int) -> int:
        return min(full, 4) if self.quick else max(2, round(full * self.scale))


def installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def race(works: dict[str, Work], rounds: int) -> dict[str, float]:
    """The shortest of some rounds of each, in seconds; sides take turns."""
    found: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            began = time.perf_counter()
            work()
            found[name].append(time.perf_counter() - began)
    return {name: min(times) for name, times in found.items()}


def row(what: str, items: int, ours: float, peer: str, theirs: float, wanted: float) -> None:
    ratio = theirs / ours
    verdict = "reached" if ratio >= wanted else "MISSED"
    rates = f"referee {items / ours:8.2f}/s   {peer} {items / theirs:8.2f}/s"
    print(f"  {what:<34} {rates}   {ratio:5.2f} x (wanted {wanted:g}: {verdict})", flush=True)


def best(times: dict[str, float], peer: str) -> tuple[str, float]:
    """A peer's best batch size and its seconds; the others are printed too."""
    own = {name: seconds for name, seconds in times.items() if name.startswith(peer)}
    name = min(own, key=own.__getitem__)
    if len(own) > 1:
        print("    " + ", ".join(f"{other}: {seconds:.1f} s" for other, seconds in own.items()))
    return name, own[name]


def same(what: str, ours: Sequence[float], theirs: Sequence[float]) -> None:
    """Refuses to compare the speed of things that are not the same."""
    worst = max(abs(one - other) for one, other in zip(ours, theirs, strict=True))
    print(f"    scores of {what} differ from ours by {worst:.1e} at most")
    if worst > TOLERANCE:
        raise SystemExit(f"{what} scores something else")


def left_out(name: str, why: str = "not installed here") -> None:
    print(f"  {name}: {why}, left out")
