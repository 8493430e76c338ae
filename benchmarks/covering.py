"""Which tests run which lines of a package, for `mutants.py`: one pass with coverage.py, kept in a cache file.

A test file is measured again when it changes, and all are when the sources change.
"""

from __future__ import annotations

import hashlib
import json
import resource
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import coverage
import hypothesis
import pytest
from mutation import Mutant, mutants

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src" / "referee"
PACKAGES = ("scoring", "analysis", "stats", "perturbations", "runs")
TESTS = (*(f"tests/{package}" for package in PACKAGES), "tests/cli/test_compare.py", "tests/cli/test_diagnose.py")
# A network, a browser, COMET, or a process of its own in every test.
LEFT_OUT = ("test_comet.py", "test_models.py", "test_kill.py", "test_planted_trigger.py", "test_winograd.py")
MOST_TESTS = 40
SLOWEST_TEST_S = 8.0


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
        mirror = f"/test_{mutant.path.stem}.py::"
        names = [
            name
            for name, test in self.tests.items()
            if test.seconds <= SLOWEST_TEST_S and (path in test.lines or (not mutant.function and mirror in name))
            if not mutant.function or any(first <= line <= last for line in test.lines[path])
        ]
        names.sort(key=lambda name: self.tests[name].seconds)
        # Parametrised tests have precedence by turns: forty cases of one function show less than forty functions.
        turns: Counter[str] = Counter()
        rank = {}
        for name in names:
            function = name.partition("[")[0]
            rank[name] = (mirror not in name, turns[function])
            turns[function] += 1
        names.sort(key=rank.__getitem__)
        return sorted(names[:MOST_TESTS], key=lambda name: self.tests[name].seconds)

    def runs_on_import(self, mutant: Mutant) -> bool:
        """Whether the change must be there before the module is imported."""
        lines = self.imported.get(str(mutant.path.relative_to(ROOT)), [])
        first, last = mutant.lines
        return not mutant.function or any(first <= line <= last for line in lines)


def test_files() -> list[str]:
    """The files with tests that are fast and need no network of their own."""
    paths = (
        path for name in TESTS for path in ([ROOT / name] if name.endswith(".py") else (ROOT / name).rglob("test_*.py"))
    )
    return sorted(str(path.relative_to(ROOT)) for path in paths if path.name not in LEFT_OUT)


def measured(cache: Path, in_fork: Callable[[Callable[[], int]], object]) -> TestMap:
    """Which test runs which lines, from the cache file where the test file and the sources are as they were."""
    sources = hashlib.sha256(b"".join(path.read_bytes() for path in _source_files())).hexdigest()
    stored: dict[str, Any] = json.loads(cache.read_text()) if cache.exists() else {}
    files = stored["files"] if stored.get("sources") == sources else {}
    hashes = {name: hashlib.sha256((ROOT / name).read_bytes()).hexdigest() for name in test_files()}
    changed = [name for name in hashes if files.get(name, {}).get("sha256") != hashes[name]]
    if changed:
        print(f"measuring what the tests of {len(changed)} files run", flush=True)
        fresh = cache.with_suffix(".new")
        in_fork(lambda: _measure(changed, fresh))
        tests, imported = json.loads(fresh.read_text())
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
    run_pytest(files, plugin)
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


class Few:
    """Few examples for hypothesis, and the same ones for every mutant."""

    def pytest_sessionstart(self) -> None:
        hypothesis.settings.register_profile("mutants", deadline=None, max_examples=20, derandomize=True, database=None)
        hypothesis.settings.load_profile("mutants")


class _Measure(Few):
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


def run_pytest(files: Sequence[str], plugin: object, *options: str) -> int:
    """Run the tests of some files in this process."""
    fixed = ["-q", "-W", "ignore::pytest.PytestAssertRewriteWarning", "-p", "no:cacheprovider", "-p", "no:xdist"]
    return int(pytest.main([*fixed, *options, *files], plugins=[plugin]))
