"""How many small faults the tests notice: mutants of the packages that compute results, drawn by seed.

    python benchmarks/mutants.py [--mutants 400] [--seed 1] [--out FILE] [PACKAGE ...]

One pass with coverage.py finds which tests run which line, and how long they take; it is kept in a cache file and
repeated for the test files that changed, or for all when the sources changed. Then each mutant runs against the tests
that cover it, at most 40, fastest first, in a fork of one process that has collected all tests: the fork exchanges the
code of the function. Code that runs when a module is imported is mutated in a fork without referee, by an import hook.
"""

from __future__ import annotations

import argparse
import gc
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

# Imported once, here, for all forks; nothing of referee.
import msgspec
import numpy as np
import pyarrow as pa
import pytest
import scipy.stats
from covering import PACKAGES, ROOT, SOURCES, Few, TestMap, measured, run_pytest, test_files
from forks import BROKEN, Task, forked
from mutation import Mutant, mutants, mutated

EQUIVALENT = Path(__file__).with_name("mutants_equivalent.json")
FACTOR, ALLOWANCE_S, IMPORTS_S = 5.0, 5.0, 20.0
SURVIVED, KILLED, TIMED_OUT, UNCOVERED = "survived", "killed", "timed out", "not covered"
ALIVE = (SURVIVED, UNCOVERED)

Note = Callable[[Mutant, str], None]


def main() -> None:
    """Draw mutants, run them, print what survived."""
    options = _options()
    os.chdir(ROOT)
    sys.path[:0] = [str(SOURCES.parent), str(ROOT)]
    log = options.cache.with_suffix(".log")
    test_map = measured(options.cache, lambda run: list(forked([Task(None, lambda _: run(), 3600.0, log)])))
    chosen = drawn(options.packages, options.mutants, options.seed)
    outcomes: dict[Mutant, str] = {}
    started = time.monotonic()

    def note(mutant: Mutant, outcome: str) -> None:
        outcomes[mutant] = outcome
        passed = f"{len(outcomes):4}/{len(chosen)} {time.monotonic() - started:5.0f} s"
        print(f"{passed}  {outcome:11}  {named(mutant)}", flush=True)

    for mutant in chosen:
        if not test_map.covering(mutant):
            note(mutant, UNCOVERED)
    waiting = [mutant for mutant in chosen if mutant not in outcomes]
    early = [on_import(mutant, test_map) for mutant in filter(test_map.runs_on_import, waiting)]
    for mutant, status, _ in forked(early, options.jobs):
        note(mutant, outcome_of(status))
    late = [mutant for mutant in waiting if mutant not in outcomes]
    if late:
        live = _Live(late, test_map, note, options.jobs)
        status = run_pytest(test_files(), live)
        if not live.checked:
            sys.exit(f"the kills could not be checked (exit status of pytest: {status})")
    report(options, outcomes, time.monotonic() - started)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("packages", nargs="*", default=PACKAGES, metavar="PACKAGE")
    parser.add_argument("--mutants", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="mutants at a time")
    parser.add_argument("--out", type=Path, help="write the outcomes to this file, as JSON")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "referee-mutants.json")
    return parser.parse_args()


def named(mutant: Mutant) -> str:
    return f"{mutant.path.relative_to(SOURCES)}:{mutant.line} {mutant.function}: {mutant.change}"


def drawn(packages: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """As many mutants of a file as its share of all lines, drawn without replacement."""
    draw = random.Random(seed)
    files = sorted(path for package in packages for path in (SOURCES / package).rglob("*.py") if path.stat().st_size)
    sizes = [len(path.read_text().splitlines()) for path in files]
    quotas = Counter(draw.sample(range(len(files)), count, counts=sizes))
    chosen = []
    for index, path in enumerate(files):
        candidates = mutants(path)
        chosen += draw.sample(candidates, min(quotas[index], len(candidates)))
    return chosen


class _Chosen(Few):
    """Run some tests in a given order, up to the first that fails."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        by_name = {item.nodeid: item for item in items}
        items[:] = [by_name[name] for name in self.names if name in by_name]


class _Live(Few):
    """Once all tests are collected: a fork for each mutant, in which the function's code is exchanged."""

    def __init__(self, waiting: Sequence[Mutant], test_map: TestMap, note: Note, jobs: int) -> None:
        self.waiting, self.test_map, self.note, self.jobs = waiting, test_map, note, jobs
        self.checked = False

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        session.config.pluginmanager.unregister(name="terminalreporter")
        for mutant in self.waiting:  # some modules are imported by the functions that need them
            importlib.import_module(module_name(mutant.path))
        functions = defaultdict(list)
        for thing in gc.get_objects():
            if type(thing) is FunctionType:  # isinstance would wake lazy modules
                functions[thing.__code__.co_filename].append(thing)
        gc.freeze()

        def task(mutant: Mutant) -> Task[Mutant]:
            names = [name for name in self.test_map.covering(mutant) if name in items]

            def attempt(folder: Path) -> int:
                exchange(mutant, functions[str(mutant.path)])
                return _run_items(session, [items[name] for name in names], folder / "note")

            return Task(mutant, attempt, limit_s(names, self.test_map))

        killers = set()
        for mutant, status, killer in forked(map(task, self.waiting), self.jobs):
            self.note(mutant, outcome_of(status))
            killers.add(killer)
        self._check(session, [items[name] for name in sorted(killers - {""})])
        return True

    def _check(self, session: pytest.Session, killers: Sequence[pytest.Item]) -> None:
        """A test that fails without a mutant, too, has killed nothing."""
        limit = limit_s([item.nodeid for item in killers], self.test_map)
        [(_, status, name)] = forked([Task(None, lambda folder: _run_items(session, killers, folder / "note"), limit)])
        self.checked = status == 0
        if not self.checked:
            print(f"{name or 'a test'} fails in a fork without a mutant: its kills do not count")


def _run_items(session: pytest.Session, items: Sequence[pytest.Item], note: Path) -> int:
    """Run tests up to the first that fails, and note its name."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            note.write_text(item.nodeid)
            return 1
    return 0


def exchange(mutant: Mutant, functions: Sequence[FunctionType]) -> None:
    """Put the mutated code into the functions of the module that live in this process."""
    codes = dict(_codes(compile(mutated(mutant), str(mutant.path), "exec")))
    for function in functions:
        code = codes.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
        if code is not None and len(code.co_freevars) == len(function.__code__.co_freevars):
            function.__code__ = code


def _codes(code: CodeType) -> Iterator[tuple[tuple[str, int], CodeType]]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield (inner.co_qualname, inner.co_firstlineno), inner
            yield from _codes(inner)


def on_import(mutant: Mutant, test_map: TestMap) -> Task[Mutant]:
    """Import the mutated module in a process that has not seen referee, and run the tests there."""
    names = test_map.covering(mutant)
    files = sorted({name.partition("::")[0] for name in names})

    def attempt(_: Path) -> int:
        sys.meta_path.insert(0, _Hook(mutant))
        return run_pytest(files, _Chosen(names), "-x")

    return Task(mutant, attempt, limit_s(names, test_map) + IMPORTS_S)


class _Hook(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds one module, and gives it the mutated code."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self.name = module_name(mutant.path)
        self.package = mutant.path.stem == "__init__"

    def find_spec(self, fullname: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        folders = [str(self.mutant.path.parent)] if self.package else None
        return importlib.util.spec_from_file_location(
            fullname, self.mutant.path, loader=self, submodule_search_locations=folders
        )

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(mutated(self.mutant), str(self.mutant.path), "exec"), module.__dict__)


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(SOURCES.parent).with_suffix("").parts).removesuffix(".__init__")


def limit_s(names: Sequence[str], test_map: TestMap) -> float:
    return FACTOR * sum(test_map.tests[name].seconds for name in names) + ALLOWANCE_S


def outcome_of(status: int | None) -> str:
    """What became of a mutant; a fault of this script is not taken for one of a mutant."""
    if status == BROKEN:
        sys.exit("a mutant could not be made or run")
    return TIMED_OUT if status is None else KILLED if status else SURVIVED


def report(options: argparse.Namespace, outcomes: dict[Mutant, str], seconds: float) -> None:
    """A row per package, then every survivor; those in `mutants_equivalent.json` are counted apart."""
    reasons = {
        (entry["file"], entry["function"], entry["change"]): entry["reason"]
        for entry in json.loads(EQUIVALENT.read_text())
    }
    rows = []
    for mutant, outcome in outcomes.items():
        file = str(mutant.path.relative_to(SOURCES))
        reason = reasons.get((file, mutant.function, mutant.change)) if outcome in ALIVE else None
        rows.append(
            {
                "file": file,
                "line": mutant.line,
                "function": mutant.function,
                "change": mutant.change,
                "outcome": outcome,
            }
            | ({"equivalent": reason} if reason else {})
        )
    print(f"\nseed {options.seed}, {len(rows)} mutants, {seconds:.0f} s")
    print("package          mutants  killed  timed out  survived  not covered  equivalent  killed  without equivalent")
    for package in (*options.packages, ""):
        inside = [row for row in rows if row["file"].startswith(package)]
        counts = Counter(row["outcome"] for row in inside)
        equivalent = sum("equivalent" in row for row in inside)
        noticed = counts[KILLED] + counts[TIMED_OUT]
        shares = [_share(noticed, len(inside)), _share(noticed, len(inside) - equivalent)]
        print(
            f"{package or 'all':15} {len(inside):8} {counts[KILLED]:7} {counts[TIMED_OUT]:10} {counts[SURVIVED]:9} "
            f"{counts[UNCOVERED]:12} {equivalent:11} {shares[0]:>7} {shares[1]:>19}"
        )
    for row in rows:
        if row["outcome"] in ALIVE:
            note = f"  (equivalent: {row['equivalent']})" if "equivalent" in row else ""
            print(f"{row['outcome']}: {row['file']}:{row['line']} {row['function']}: {row['change']}{note}")
    if options.out:
        options.out.write_text(json.dumps({"seed": options.seed, "mutants": rows}, indent=1))


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "-"


WARM = (msgspec, np, pa, scipy.stats)

if __name__ == "__main__":
    main()
