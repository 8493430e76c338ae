"""How often each verdict is wrong, how often its interval holds the true value, and how often it finds what is there.

Run with `python benchmarks/verdicts.py --jobs 16`; `--quick` takes about two minutes on one core.
Models are simulated: their accuracy, the size of the groups, how alike the members of a group are answered, rare
correct answers, changes that break whole groups. Their answers go through the code that users run, and the typed
outcome is read; the first set of every outcome goes from judged items to the sentence, and both must say the same.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from multiprocessing import Pool
from pathlib import Path
from typing import Any

# Processes share the cores: a process with threads of its own would only get in the way of others.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import msgspec
import numpy as np
from simulated.cells import FULL, QUICK, STUDIES, cells
from simulated.study import Cell, Events, Study, same
from simulated.table import Result, markdown

CHECKED = 2
"""The first sets of a cell, and the first of every outcome, are read from the whole path too."""
SETS = {"full": 1000, "quick": 80}
"""Simulated sets per cell."""
AGAIN = 4
"""A cell near a limit is drawn again, with other draws and this many times the sets; those figures stand."""
_NEAR_ALARM, _NEAR_COVERAGE = 0.05, 0.94


class Job(msgspec.Struct, frozen=True):
    """One cell with a number of sets; `round` counts how often it was drawn."""

    cell: int
    sets: int
    size: str
    round: int = 0
    sentences: bool = True


def run(job: Job) -> tuple[Job, list[Result], dict[str, list[str]]]:
    """Draw the sets of one cell and count what is said of them; the sentences are by outcome, one set each."""
    cell = _KNOWN[job.size][job.cell]
    study = STUDIES[cell.study](**cell.settings)
    digest = hashlib.sha256(f"{cell.key} {job.round}".encode()).digest()
    rng = np.random.default_rng(np.frombuffer(digest[:16], np.uint32))
    hits: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    sentences: dict[str, list[str]] = {}
    known: dict[bytes, Events] = {}
    for number in range(job.sets):
        sample = study.draw(rng)
        events = _read(study, sample, known)
        outcome = f"{cell.study}: {', '.join(word for word, said in events.items() if said and 'covered' not in word)}"
        if job.sentences and (number < CHECKED or outcome not in sentences):
            sentences.setdefault(outcome, list(same(study, sample)))
        totals.update(events.keys())
        hits.update(event for event, said in events.items() if said)
    results = [_result(cell, event, hits[event], totals[event], job) for event in totals if event in cell.roles]
    return job, results, sentences


def _read(study: Study, sample: Any, known: dict[bytes, Events]) -> Events:  # noqa: ANN401
    """Read a sample, or remember what was read of one of its kind."""
    if study.kind is None:
        return study.read(sample)
    kind = study.kind(sample)
    if kind not in known:
        known[kind] = study.read(sample)
    return known[kind]


def _result(cell: Cell, event: str, count: int, sets: int, job: Job) -> Result:
    return Result(
        study=cell.study,
        event=event,
        role=cell.roles[event],
        name=cell.name,
        note=cell.note if cell.roles[event] == "power" else None,
        groups=cell.groups,
        settings=dict(cell.settings),
        sets=sets,
        count=count,
        repeated=job.round > 0,
    )


_SIZES = {"full": FULL, "quick": QUICK}
_KNOWN = {name: cells(size) for name, size in _SIZES.items()}


def _is_near(results: Sequence[Result]) -> bool:
    return any(
        (result.role == "false alarm" and result.rate > _NEAR_ALARM)
        or (result.role == "coverage" and result.rate < _NEAR_COVERAGE)
        for result in results
    )


def simulate(
    size: str,
    sets: int,
    jobs: int,
    only: Sequence[str] = (),
    groups: Sequence[int] = (),
    *,
    sentences: bool = True,
    again: bool = True,
) -> tuple[list[Result], dict[str, list[str]]]:
    """Run all cells, then those near a limit again; results in the order of the cells, and sentences by outcome."""
    chosen = [
        (index, cell)
        for index, cell in enumerate(_KNOWN[size])
        if (not only or cell.study in only) and (not groups or cell.groups in groups)
    ]
    # Large sets first, so that no process is left alone with one at the end.
    order = sorted(chosen, key=lambda pair: -pair[1].groups)
    work = [Job(index, max(20, round(sets * cell.sets)), size, 0, sentences) for index, cell in order]
    done: dict[int, list[Result]] = {}
    seen: dict[int, dict[str, list[str]]] = {}
    with Pool(jobs) as pool:
        for stage in range(2 if again else 1):
            started = time.monotonic()
            for count, (job, results, found) in enumerate(pool.imap_unordered(run, work, chunksize=1), 1):
                done[job.cell] = results
                seen.setdefault(job.cell, found)
                if count % 100 == 0 or count == len(work):
                    print(
                        f"round {stage}: {count} of {len(work)} cells, {time.monotonic() - started:.0f} s",
                        file=sys.stderr,
                    )
            work = [
                Job(job.cell, job.sets * AGAIN, size, stage + 1, sentences=False)
                for job in work
                if _is_near(done[job.cell])
            ]
    sentences_of: dict[str, list[str]] = {}
    for index, _ in chosen:
        sentences_of = {**seen[index], **sentences_of}
    return [result for index, _ in chosen for result in done[index]], dict(sorted(sentences_of.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="about 150 cells instead of 4,000")
    parser.add_argument(
        "--sets", type=int, help="simulated sets per cell; {full}, or {quick} with --quick".format(**SETS)
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--only", action="append", choices=sorted(STUDIES), default=[], help="one verdict; repeatable")
    parser.add_argument("--groups", action="append", type=int, default=[], help="one number of groups; repeatable")
    parser.add_argument("--once", action="store_true", help="do not draw cells near a limit again")
    parser.add_argument("--no-sentences", action="store_true", help="do not read the sentences (which needs pyarrow)")
    parser.add_argument("--json", type=Path, help="write all results to this file")
    parser.add_argument("--markdown", type=Path, help="write the tables to this file; else they are printed")
    options = parser.parse_args()
    started = time.monotonic()
    size = "quick" if options.quick else "full"
    results, sentences = simulate(
        size,
        options.sets or SETS[size],
        options.jobs,
        options.only,
        options.groups,
        sentences=not options.no_sentences,
        again=not options.once,
    )
    text = markdown(results)
    if options.json:
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode({"results": results, "sentences": sentences})))
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")
    else:
        print(text)
    total = sum(result.sets for result in results)
    print(f"{len(results)} rates from {total:,} verdicts in {time.monotonic() - started:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
