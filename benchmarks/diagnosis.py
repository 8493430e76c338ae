"""How long `diagnose`, `compare` and `report` take, as a user starts them.

Run with `python benchmarks/diagnosis.py`. Items are generated: twins with three candidates, genders and positions, an
attack on a third of them, random scores.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from random import Random

import numpy as np

import referee
from referee.items import Candidate, Item, Span
from referee.perturbations import changed

NOUNS = (
    "lamp",
    "cup",
    "spoon",
    "roof",
    "clock",
    "ring",
    "coat",
    "bag",
    "key",
    "map",
    "boat",
    "wheel",
    "shelf",
    "bottle",
)
VERBS = ("fell", "broke", "shone", "leaked", "vanished", "arrived", "burned", "froze", "rattled", "bent")


def items(count: int, draws: Random) -> list[Item]:
    made: list[Item] = []
    for number in range(count):
        one, other = draws.sample(NOUNS, 2)
        source = f"The {one} stood beside the {other} in room {number // 2} until it {draws.choice(VERBS)}."
        start = source.index(" it ") + 1
        genders = draws.sample("mfn", 3)
        item = Item(
            id=f"item-{number}",
            task="translate",
            source_lang="en",
            target_lang="de",
            source=source,
            source_context=(f"Nobody had looked at the {one} for {draws.randrange(2, 99)} days.",),
            group=f"pair-{number // 2}",
            label=draws.choice(("falls", "breaks", "shines", "leaks")),
            distance=draws.randrange(4),
            gold=number % 2,
            candidates=tuple(
                Candidate(
                    f"{pronoun} war im Zimmer {number // 2}.",
                    {"gender": gender, "pronoun": pronoun, "position": place},
                )
                for gender, pronoun, place in zip(
                    genders, ("Er", "Sie", "Es"), ("first", "second", "third"), strict=True
                )
            ),
            spans=(Span("pronoun", "source", start, start + 2),),
        )
        made.append(item)
    return made


def attacked(originals: Sequence[Item]) -> list[Item]:
    return [changed(item, "said", source=f"She said: {item.source}", spans=()) for item in originals]


def run(folder: Path, made: Sequence[Item], seed: int) -> Path:
    """A finished run folder with random scores."""
    draws = Random(seed)
    scores, out = folder / f"scores{seed}", folder / f"run{seed}"
    scores.write_text("".join(f"{draws.gauss(-2, 1):.6f}\n" for item in made for _ in item.candidates))
    referee.score(made, scores=scores, out=out)
    return out


def timed(name: str, *arguments: object, rounds: int) -> None:
    command = [sys.executable, "-c", "from referee.cli.main import main; main()", *map(str, arguments)]
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - start)
    print(f"{name:46} {min(seconds):6.2f} s (best of {rounds})")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    print(
        f"referee {version('referee')}, scipy {version('scipy')}, numpy {np.__version__}, {platform.python_version()}"
    )
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        originals = items(27_000, Random(7))
        first = run(folder, [*originals, *attacked(originals[:9_000])], 1)
        second = run(folder, [*originals, *attacked(originals[:9_000])], 2)
        large = run(folder, items(50_000, Random(8)), 3)
        timed("diagnose 36,000 verdicts", "diagnose", first, rounds=arguments.rounds)
        timed("compare 2 x 36,000 verdicts", "compare", first, second, rounds=arguments.rounds)
        page = folder / "page.html"
        timed("report 50,000 verdicts", "report", large, "--out", page, rounds=arguments.rounds)
        print(f"  the page has {page.stat().st_size / 1e6:.2f} MB")
        timed("report 2 x 36,000 verdicts", "report", first, second, "--out", page, rounds=arguments.rounds)
        print(f"  the page has {page.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
