"""How long templates take: all German ones as published, and the default sets of every language.

Run with `python benchmarks/templates.py --data DIR`, where DIR holds `contracat/templates/vocabulary` (the words of the
published sets). Items are made, checked and thrown away; writing them is timed apart.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from referee.build.templates import Templates, open_templates, shipped
from referee.sets import save


def measure(name: str, templates: Callable[[], Templates]) -> None:
    """Reads a language folder and makes all its items."""
    start, busy = time.perf_counter(), time.process_time()
    items = candidates = 0
    for item in templates().items():
        items += 1
        candidates += len(item.candidates)
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
    print(f"{name:24} {items:7,} items {candidates:8,} candidates {seconds:6.2f} s, {busy:.2f} s of them computing")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    print(f"referee {version('referee')}, load {os.getloadavg()[0]:.1f}")
    measure("de as published", lambda: open_templates("de", paper=True, data=data))
    for code in shipped():
        measure(code, lambda code=code: open_templates(code))  # type: ignore[misc]
    with TemporaryDirectory() as folder:
        start = time.perf_counter()
        save(open_templates("de", paper=True, data=data).items(), Path(folder) / "items.jsonl")
        print(f"de as published, written as JSON Lines: {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    main()
