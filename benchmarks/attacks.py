"""How long attacks take on ContraPro: 12,000 groups, 36,031 candidates, no parser.

Run with `python benchmarks/attacks.py --data DIR`, where DIR holds `contracat/` (`referee data get contracat`). The
groups are read once and kept; antecedents are those of `contracat/contrapro/annotated`, repeated up to 12,000 groups.
With `--thesaurus FILE` the synonym attack runs too.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from importlib.metadata import version
from itertools import cycle, islice
from pathlib import Path

import msgspec

from referee.items import Item
from referee.perturbations import Perturbation, Tally, attacked, choose
from referee.suites import load

GROUPS = 12_000


def measure(items: Sequence[Item], perturbation: Perturbation) -> float:
    tally = Tally(perturbation.name)
    start = time.perf_counter()
    candidates = sum(len(item.candidates) for item in attacked(items, perturbation, tally))
    seconds = time.perf_counter() - start
    print(f"{perturbation.name:42} {seconds:6.2f} s  {tally.changed:6} of {tally.items} items, {candidates} candidates")
    return seconds


def family(title: str, items: Sequence[Item], chosen: Sequence[Perturbation]) -> None:
    print(f"\n{title}: {len(items)} items, {sum(len(item.candidates) for item in items)} candidates")
    seconds = [measure(items, each) for each in chosen]
    print(f"{len(seconds)} attacks in {sum(seconds):.1f} s, the slowest {max(seconds):.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--thesaurus")
    arguments = parser.parse_args()
    print(f"referee {version('referee')}")
    start = time.perf_counter()
    base = list(load("contracat/contrapro", data=arguments.data))
    read = time.perf_counter()
    annotated = list(load("contracat/contrapro/annotated", data=arguments.data))
    print(f"read: {read - start:.2f} s the base, {time.perf_counter() - read:.2f} s the base with annotations")
    copies = [
        msgspec.structs.replace(item, id=f"{item.id}.{number}")
        for number, item in enumerate(islice(cycle(annotated), GROUPS))
    ]
    family("phrase addition", base, choose(["phrase"]))
    family("phrase addition as published", base, choose(["phrase"], paper=True))
    family("possessive extension", copies, choose(["possessive"]))
    family("possessive extension as published", copies, choose(["possessive"], paper=True))
    if arguments.thesaurus:
        family("synonym replacement", copies, choose(["synonym"], thesaurus=arguments.thesaurus))


if __name__ == "__main__":
    main()
