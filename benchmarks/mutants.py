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
import hashlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

# Imported once, here, for all forks; nothing of referee.
import coverage
import hypothesis
import msgspec
import numpy as np
import pyarrow as pa
import pytest
import scipy.stats
from mutation import Mutant, mutants, mutated

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src" / "referee"
PACKAGES = ("scoring", "analysis", "stats", "perturbations", "runs")
TESTS = (*(f"tests/{package}" for package in PACKAGES), "tests/cli/test_compare.py", "tests/cli/test_diagnose.py")
# A network, a browser, COMET, or a process of its own in every test.
LEFT_OUT = ("test_comet.py", "test_models.py", "test_kill.py", "test_planted_trigger.py", "test_winograd.py")
EQUIVALENT = Path(__file__).with_name("mutants_equivalent.json")
MOST_TESTS = 40
SLOWEST_TEST_S = 3.0
FACTOR, ALLOWANCE_S = 5.0, 5.0
SURVIVED, KILLED, TIMED_OUT, UNCOVERED = "survived", "killed", "timed out", "not covered"


@dataclass(frozen=True)
class Covered:
    """What one test runs: its processor time, and its lines by file."""

    seconds: float
    lines: dict[str, list[int]]


@dataclass(frozen=True)
class TestMap:
    """The tests that pass, and the lines that run when modules are imported or tests are collected."""

    __test__ = False

    tests: dict[str, Covered]
    imported: dict[str, list[int]]

    def covering(self, mutant: Mutant) -> list[str]:
        """The tests to run, fastest first; those in the module's own test file have precedence among them."""
        path = str(mutant.path.relative_to(ROOT))
        first, last = mutant.lines
        names = [
            name
            for name, test in self.tests.items()
            if test.seconds <= SLOWEST_TEST_S and path in test.lines
            if not mutant.function or any(first <= line <= last for line in test.lines[path])
        ]
        mirror = f"/test_{mutant.path.stem}.py::"
        names.sort(key=lambda name: (mirror not in name, self.tests[name].seconds))
        return sorted(names[:MOST_TESTS], key=lambda name: self.tests[name].seconds)

    def runs_on_import(self, mutant: Mutant) -> bool:
        """Whether the change must be there before the module is imported."""
        lines = self.imported.get(str(mutant.path.relative_to(ROOT)), [])
        first, last = mutant.lines
        return not mutant.function or any(first <= line <= last for line in lines)


def main() -> None:
    """Draw mutants, run them, print what survived."""
    options = _options()
    os.chdir(ROOT)
    sys.path[:0] = [str(SOURCES.parent), str(ROOT)]
    test_map = measured(options.cache)
    chosen = drawn(options.packages, options.mutants, options.seed)
    outcomes: dict[Mutant, str] = {}
    started = time.monotonic()

    def note(mutant: Mutant, outcome: str) -> None:
        outcomes[mutant] = outcome
        print(
            f"{len(outcomes):4}/{len(chosen)} {time.monotonic() - started:5.0f} s  {outcome:11}  {named(mutant)}",
            flush=True,
        )

    for mutant in chosen:
        if not test_map.covering(mutant):
            note(mutant, UNCOVERED)
    waiting = [mutant for mutant in chosen if mutant not in outcomes]
    for mutant in filter(test_map.runs_on_import, waiting):
        note(mutant, on_import(mutant, test_map))
    late = [mutant for mutant in waiting if mutant not in outcomes]
    if late:
        status = _pytest(test_files(), _Live(late, test_map, note))
        if len(outcomes) < len(chosen):
            sys.exit(f"pytest could not collect the tests (exit status {status})")
    report(options, outcomes, time.monotonic() - started)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("packages", nargs="*", default=PACKAGES, metavar="PACKAGE")
    parser.add_argument("--mutants", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
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


def test_files() -> list[str]:
    """The files with tests that are fast and need no network of their own."""
    paths = (
        path for name in TESTS for path in ([ROOT / name] if name.endswith(".py") else (ROOT / name).rglob("test_*.py"))
    )
    return sorted(str(path.relative_to(ROOT)) for path in paths if path.name not in LEFT_OUT)


def measured(cache: Path) -> TestMap:
    """Which test runs which lines, from the cache file where the test file and the sources are as they were."""
    sources = hashlib.sha256(b"".join(path.read_bytes() for path in _source_files())).hexdigest()
    stored: dict[str, Any] = json.loads(cache.read_text()) if cache.exists() else {}
    files = stored["files"] if stored.get("sources") == sources else {}
    hashes = {name: hashlib.sha256((ROOT / name).read_bytes()).hexdigest() for name in test_files()}
    changed = [name for name in hashes if files.get(name, {}).get("sha256") != hashes[name]]
    if changed:
        print(f"measuring what the tests of {len(changed)} files run", flush=True)
        with tempfile.TemporaryDirectory() as scratch:
            written = Path(scratch) / "map.json"
            _forked(lambda: _measure(changed, written), wall_s=3600, log=cache.with_suffix(".log"))
            tests, imported = json.loads(written.read_text())
        for name in changed:
            inside = {test: covered for test, covered in tests.items() if test.startswith(f"{name}::")}
            files[name] = {"sha256": hashes[name], "tests": inside, "imported": imported}
        cache.write_text(json.dumps({"sources": sources, "files": {name: files[name] for name in hashes}}))
    tests = {name: Covered(**test) for name in hashes for name, test in files[name]["tests"].items()}
    imported = defaultdict(set)
    for file in files.values():
        for path, lines in file["imported"].items():
            imported[path].update(lines)
    return TestMap(tests, {path: sorted(lines) for path, lines in imported.items()})


def _source_files() -> list[Path]:
    return [path for package in PACKAGES for path in sorted((SOURCES / package).rglob("*.py"))]


def _measure(files: Sequence[str], out: Path) -> int:
    watch = coverage.Coverage(data_file=None, source=[str(SOURCES / package) for package in PACKAGES])
    watch.start()
    plugin = _Measure(watch)
    _pytest(files, plugin)
    watch.stop()
    data = watch.get_data()
    lines: dict[str, dict[str, list[int]]] = defaultdict(dict)
    for path in data.measured_files():
        by_context = defaultdict(list)
        for line, contexts in data.contexts_by_lineno(path).items():
            for context in contexts:
                by_context[context].append(line)
        for context, numbers in by_context.items():
            lines[context][str(Path(path).relative_to(ROOT))] = numbers
    tests = {name: {"seconds": seconds, "lines": lines[name]} for name, seconds in plugin.passed.items()}
    out.write_text(json.dumps([tests, _inside_functions(lines[""])]))
    return 0


def _inside_functions(imported: dict[str, list[int]]) -> dict[str, list[int]]:
    """Of the lines that ran outside any test, those in the bodies of functions."""
    bodies = {str(path.relative_to(ROOT)): {m.line for m in mutants(path) if m.function} for path in _source_files()}
    return {path: [line for line in lines if line in bodies[path]] for path, lines in imported.items()}


class _Few:
    """Few examples for hypothesis, and the same ones for every mutant."""

    def pytest_sessionstart(self) -> None:
        hypothesis.settings.register_profile("mutants", deadline=None, max_examples=20, derandomize=True, database=None)
        hypothesis.settings.load_profile("mutants")


class _Measure(_Few):
    def __init__(self, watch: coverage.Coverage) -> None:
        self.watch = watch
        self.passed: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.watch.switch_context(item.nodeid)
        before = _processor_s()
        result = yield
        if item.nodeid in self.passed:
            self.passed[item.nodeid] = _processor_s() - before
        self.watch.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.passed[report.nodeid] = 0.0


def _processor_s() -> float:
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in spent)


class _Chosen(_Few):
    """Run some tests in a given order, up to the first that fails."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        by_name = {item.nodeid: item for item in items}
        items[:] = [by_name[name] for name in self.names if name in by_name]


class _Live(_Few):
    """Once all tests are collected: a fork for each mutant, in which the function's code is exchanged."""

    def __init__(self, waiting: Sequence[Mutant], test_map: TestMap, note: Callable[[Mutant, str], None]) -> None:
        self.waiting, self.test_map, self.note = waiting, test_map, note

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
        for mutant in self.waiting:
            names = [name for name in self.test_map.covering(mutant) if name in items]
            chosen = [items[name] for name in names]

            def attempt(mutant: Mutant = mutant, chosen: list[pytest.Item] = chosen) -> int:
                exchange(mutant, functions[str(mutant.path)])
                return _run_items(session, chosen)

            self.note(mutant, _outcome(attempt, names, self.test_map))
        return True


def _run_items(session: pytest.Session, items: Sequence[pytest.Item]) -> int:
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
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


def on_import(mutant: Mutant, test_map: TestMap) -> str:
    """Import the mutated module in a process that has not seen referee, and run the tests there."""
    names = test_map.covering(mutant)
    files = sorted({name.partition("::")[0] for name in names})

    def attempt() -> int:
        sys.meta_path.insert(0, _Hook(mutant))
        return int(_pytest(files, _Chosen(names), "-x"))

    return _outcome(attempt, names, test_map, extra_s=20.0)


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


def _pytest(files: Sequence[str], plugin: object, *options: str) -> int:
    folder = Path(tempfile.gettempdir()) / f"mutants-{os.getpid()}"
    fixed = [
        "-q",
        "-W",
        "ignore::pytest.PytestAssertRewriteWarning",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        f"--basetemp={folder}",
    ]
    try:
        return int(pytest.main([*fixed, *options, *files], plugins=[plugin]))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _outcome(attempt: Callable[[], int], names: Sequence[str], test_map: TestMap, extra_s: float = 0.0) -> str:
    limit = FACTOR * sum(test_map.tests[name].seconds for name in names) + ALLOWANCE_S + extra_s
    status = _forked(attempt, processor_s=limit, wall_s=20 * limit)
    if status is None:
        return TIMED_OUT
    return SURVIVED if status == 0 else KILLED


def _forked(
    attempt: Callable[[], int], wall_s: float, processor_s: float | None = None, log: Path = Path(os.devnull)
) -> int | None:
    """The exit status of a function in a fork whose output goes to a file; nothing, when it ran out of time."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        status = 3
        try:
            os.setpgid(0, 0)
            output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(output, 1)
            os.dup2(output, 2)
            if processor_s is not None:
                seconds = int(processor_s) + 1
                resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))
            status = attempt()
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(status)
    deadline = time.monotonic() + wall_s
    while True:
        ended, wait_status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        if time.monotonic() > deadline:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return None
        time.sleep(0.01)
    out_of_time = os.WIFSIGNALED(wait_status) and os.WTERMSIG(wait_status) in (signal.SIGXCPU, signal.SIGKILL)
    return None if out_of_time else os.waitstatus_to_exitcode(wait_status)


def report(options: argparse.Namespace, outcomes: dict[Mutant, str], seconds: float) -> None:
    """A row per package, then every survivor; those in `mutants_equivalent.json` are counted apart."""
    reasons = {
        (entry["file"], entry["function"], entry["change"]): entry["reason"]
        for entry in json.loads(EQUIVALENT.read_text())
    }
    rows = []
    for mutant, outcome in outcomes.items():
        file = str(mutant.path.relative_to(SOURCES))
        reason = reasons.get((file, mutant.function, mutant.change)) if outcome in (SURVIVED, UNCOVERED) else None
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
        if row["outcome"] in (SURVIVED, UNCOVERED):
            note = f"  (equivalent: {row['equivalent']})" if "equivalent" in row else ""
            print(f"{row['outcome']}: {row['file']}:{row['line']} {row['function']}: {row['change']}{note}")
    if options.out:
        options.out.write_text(json.dumps({"seed": options.seed, "mutants": rows}, indent=1))


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "-"


WARM = (msgspec, np, pa, scipy.stats)

if __name__ == "__main__":
    main()
