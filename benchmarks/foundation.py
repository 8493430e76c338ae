"""Reading, streaming and starting up, side by side with named peers.

Run with `python benchmarks/foundation.py` in the development environment; `--size` sets the streamed file's gigabytes.
Everything runs on one core, one thing at a time.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import pydantic

from referee import sets
from referee.items import Candidate, Item, Span

ITEMS = 200_000
ROUNDS = 3


class PeerCandidate(pydantic.BaseModel, extra="forbid", frozen=True):
    text: str
    features: dict[str, str] = {}


class PeerSpan(pydantic.BaseModel, extra="forbid", frozen=True):
    role: str
    field: str
    start: int
    end: int
    index: int = 0


class PeerItem(pydantic.BaseModel, extra="forbid", frozen=True, strict=True):
    """The same fields and the check of gold, as a user of pydantic would write them."""

    schema_: int = pydantic.Field(1, alias="schema")
    id: str
    task: str
    source_lang: str
    target_lang: str
    source: str
    source_context: list[str] = []
    target_context: list[str] = []
    question: str | None = None
    candidates: list[PeerCandidate] = []
    gold: int | None = None
    reference: str | None = None
    expected: list[str] = []
    group: str | None = None
    label: str | None = None
    distance: int | None = None
    features: dict[str, str] = {}
    spans: list[PeerSpan] = []
    meta: dict[str, Any] = {}

    @pydantic.model_validator(mode="after")
    def gold_in_range(self) -> PeerItem:
        if self.gold is not None and not 0 <= self.gold < len(self.candidates):
            raise ValueError("gold is out of range")
        return self


def copies(count: int) -> list[Item]:
    """The same item N times, each with its own id."""
    german = {"er": ("m", "first"), "sie": ("f", "second"), "es": ("n", "neither")}
    item = Item(
        id="fit-ball-bag-1",
        group="fit-ball-bag",
        label="fit",
        task="translate",
        source_lang="en",
        target_lang="de",
        source="The ball does not fit into the bag because it is too large.",
        source_context=("The movers came early in the morning and nobody had packed a thing.",),
        candidates=tuple(
            Candidate(
                f"Der Ball passt nicht in die Tasche, weil {pronoun} zu groß ist.",
                {"pronoun": pronoun, "gender": gender, "position": position},
            )
            for pronoun, (gender, position) in german.items()
        ),
        gold=0,
        expected=("er",),
        features={"position": "first"},
        spans=(
            Span("pronoun", "source", 44, 46),
            Span("antecedent", "source", 4, 8),
            Span("trigger", "source", 54, 59),
        ),
    )
    return [msgspec.structs.replace(item, id=f"{item.id}.{n}") for n in range(count)]


def best(work: Callable[[], object]) -> float:
    """The shortest of a few rounds, in seconds."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def reading(path: Path) -> list[tuple[str, float]]:
    def ours() -> None:
        for _ in sets.stream(path):
            pass

    def kept() -> None:
        list(sets.stream(path))

    def with_pydantic() -> None:
        with path.open("rb") as file:
            for line in file:
                PeerItem.model_validate_json(line)

    def unchecked() -> None:
        with path.open("rb") as file:
            for line in file:
                json.loads(line)

    return [
        ("referee, streamed", best(ours)),
        ("referee, kept in memory", best(kept)),
        (f"pydantic {version('pydantic')}, streamed", best(with_pydantic)),
        ("json of the standard library, streamed, nothing checked", best(unchecked)),
    ]


STREAM = """
import re, sys, time
from pathlib import Path
from referee import sets
began = time.perf_counter()
found = sets.load(Path(sys.argv[1])).fingerprint()
# Not ru_maxrss: that counts what the parent had in memory when it started this process.
peak = int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) / 1024
print(found.items, peak, time.perf_counter() - began)
"""


def streaming(folder: Path, gigabytes: float) -> tuple[int, float, float, float]:
    """Items, peak megabytes and seconds of validating and hashing a large file in a process of its own."""
    path = folder / "large.jsonl"
    lines = [sets.canonical(item) for item in copies(2_000)]
    number = 0
    with path.open("wb") as file:
        while file.tell() < gigabytes * 1e9:
            for line in lines:
                number += 1
                file.write(line.replace(b'"id":"', b'"id":"%d.' % number, 1) + b"\n")
    size = path.stat().st_size / 1e9
    done = subprocess.run([sys.executable, "-c", STREAM, str(path)], check=True, capture_output=True, text=True)
    items, peak, seconds = done.stdout.split()
    path.unlink()
    return int(items), float(peak), float(seconds), size


def starting() -> list[tuple[str, float]]:
    scripts = Path(sys.executable).parent
    commands = [("referee --help", [str(scripts / "referee"), "--help"])]
    commands += [("python -c pass", [sys.executable, "-c", "pass"])]
    commands += [(f"hypothesis {version('hypothesis')} --help", [str(scripts / "hypothesis"), "--help"])]
    commands += [(f"pytest {version('pytest')} --help", [str(scripts / "pytest"), "--help"])]
    return [
        (name, best(lambda command=command: subprocess.run(command, check=True, capture_output=True)))  # type: ignore[misc]
        for name, command in commands
        if Path(command[0]).exists()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=float, default=2.0, help="gigabytes of the streamed file")
    arguments = parser.parse_args()
    print(f"Python {platform.python_version()}, msgspec {version('msgspec')}, referee {version('referee')}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "items.jsonl"
        sets.save(copies(ITEMS), path)
        print(f"\nreading and validating {ITEMS:,} items ({path.stat().st_size / 1e6:.0f} MB of JSON Lines)")
        rows = reading(path)
        for what, seconds in rows:
            print(f"  {what:<58} {ITEMS / seconds:>9,.0f} items/s   {rows[2][1] / seconds:5.1f} x pydantic")
        items, peak, seconds, size = streaming(folder, arguments.size)
        print(f"\nstreaming {size:.2f} GB ({items:,} items): peak {peak:.0f} MB, {seconds:.0f} s")
    print("\nstarting up")
    for what, seconds in starting():
        print(f"  {what:<30} {seconds:.3f} s")


if __name__ == "__main__":
    main()
