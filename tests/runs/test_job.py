"""A run, whole or interrupted at any moment: the same verdicts, nothing left over."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import referee as package
from referee import sets, verdicts
from referee.errors import InputError, RunError, UsageError
from referee.io.files import content_sha256
from referee.io.parts import Parts
from referee.items import Item, SetOrigin
from referee.models.files import ScoreFile, TranslationFile
from referee.runs import store as runs
from referee.runs.job import Job, carry_out
from referee.runs.store import Inputs, read_findings, read_info
from referee.scoring.options import ScoringOptions
from referee.sets import ItemSet
from tests.support.habits import Habit, asking, attacked, base
from tests.support.items import item
from tests.support.jobs import job

CHUNK, ITEMS = 10, 35
CHUNKS = 4
LEFT = {".lock", "run.json", "verdicts.parquet", "findings.json", "items.jsonl.gz"}


class StopError(Exception):
    """The moment at which a run is interrupted."""


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "CHUNK", CHUNK)


def items() -> list[Item]:
    cases = [item(id=f"i{number}", gold=number % 3, group=f"g{number // 2}") for number in range(ITEMS)]
    cases[4] = item(id="bare", candidates=(), gold=None)
    return cases


@pytest.fixture
def request_(tmp_path: Path) -> Job:
    """35 items in 4 chunks, one of them without candidates, some tied."""
    draws = Random(1)
    (tmp_path / "scores").write_text("".join(f"{draws.randrange(9)}\n" for _ in range(3 * (ITEMS - 1))))
    sets.save(items(), tmp_path / "x.jsonl")
    model = ScoreFile(tmp_path / "scores")
    return job(f"scores:{model.path}", model, [sets.load(tmp_path / "x.jsonl")], command=["referee", "eval"])


@pytest.fixture
def whole(request_: Job, tmp_path: Path) -> Path:
    """A run that nothing interrupted."""
    carry_out(request_, tmp_path / "whole")
    return tmp_path / "whole"


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def assert_same(folder: Path, whole: Path) -> None:
    """The same verdicts and findings, and nothing left over."""
    assert set(content(folder)) == set(content(whole)) == LEFT
    for name in ("verdicts.parquet", "findings.json"):
        assert (folder / name).read_bytes() == (whole / name).read_bytes()
    one, other = read_info(folder), read_info(whole)
    assert (one.status, one.inputs, one.counts, one.signature) == ("done", other.inputs, other.counts, other.signature)


def test_what_a_run_leaves(request_: Job, tmp_path: Path) -> None:
    result = carry_out(request_, tmp_path / "run")
    assert set(content(tmp_path / "run")) == LEFT
    info = read_info(tmp_path / "run")
    assert info == result.info
    assert not result.reused
    (suite,) = info.inputs.suites
    fingerprint = request_.sets[0].items.fingerprint()
    assert (suite.name, suite.items, suite.sha256) == (str(tmp_path / "x.jsonl"), ITEMS, fingerprint.sha256)
    assert info.inputs.model_sha256 == content_sha256(tmp_path / "scores")
    assert info.inputs.settings == {"better": "higher"}
    assert (info.schema, info.status, info.seed, info.command) == (3, "done", 12345, ["referee", "eval"])
    assert info.finished is not None
    assert info.started <= info.finished
    assert read_findings(tmp_path / "run") == result.findings
    stored = list(verdicts.read(tmp_path / "run" / "verdicts.parquet"))
    assert [(suite, verdict.item) for suite, verdict in stored] == [(str(tmp_path / "x.jsonl"), i.id) for i in items()]


def test_the_signature_says_how_to_repeat_it(request_: Job, tmp_path: Path) -> None:
    info = carry_out(request_).info
    suite, model = request_.sets[0].items.fingerprint().sha256[:8], content_sha256(tmp_path / "scores")[:8]
    assert info.signature == (
        f"{tmp_path}/x.jsonl#{suite}(35)|model:scores#{model}|better:higher"
        f"|resamples:1000|seed:12345|version:{package.__version__}"
    )


def test_counts(request_: Job, tmp_path: Path) -> None:
    result = carry_out(request_)
    scores = [float(line) for line in (tmp_path / "scores").read_text().split()]
    triples = [scores[start : start + 3] for start in range(0, len(scores), 3)]
    tied = sum(sorted(triple)[-1] == sorted(triple)[-2] for triple in triples)
    assert tied > 1
    counts = result.info.counts
    assert counts is not None
    assert (counts.items, counts.judged, counts.tied, counts.dropped) == (35, 34, tied, {"no candidates": 1})
    golds = [entry.gold for entry in items() if entry.gold is not None]
    right = [
        max(triple) == triple[gold] and triple.count(max(triple)) == 1
        for triple, gold in zip(triples, golds, strict=True)
    ]
    overall = result.findings[0].overall
    assert overall is not None
    assert (overall.items, overall.correct, overall.tied) == (34, sum(right), tied)


def test_without_a_folder_the_result_is_the_same(request_: Job, whole: Path) -> None:
    result = carry_out(request_)
    assert result.findings == read_findings(whole)
    assert result.info.counts == read_info(whole).counts


def test_progress_ends_with_everything(request_: Job) -> None:
    ticks: list[tuple[int, int | None]] = []
    carry_out(request_, progress=lambda done, total: ticks.append((done, total)))
    assert ticks == [(10, 35), (20, 35), (30, 35), (35, 35)]


# --- interruption


@pytest.mark.parametrize("after", range(1, CHUNKS + 1))
def test_an_interrupted_run_is_continued(
    after: int, request_: Job, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0

    def stop(done: int, total: int | None) -> None:
        nonlocal calls
        calls += 1
        if calls == after:
            raise StopError

    with pytest.raises(StopError):
        carry_out(request_, tmp_path / "run", stop)
    interrupted = read_info(tmp_path / "run")
    assert (interrupted.status, interrupted.counts, interrupted.finished) == ("running", None, None)
    assert not (tmp_path / "run" / "verdicts.parquet").exists()
    redone = spy_on_parts(monkeypatch)
    ticks: list[int] = []
    result = carry_out(request_, tmp_path / "run", lambda done, total: ticks.append(done))
    assert redone == [runs.part_name(number) for number in range(after, CHUNKS)]
    assert ticks == [10, 20, 30, 35]
    assert not result.reused
    assert_same(tmp_path / "run", whole)


def spy_on_parts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of all parts that are written."""
    names: list[str] = []
    original = Parts.write

    def spied(self: Parts[Any], name: str, value: object) -> None:
        names.append(name)
        original(self, name, value)

    monkeypatch.setattr(Parts, "write", spied)
    return names


def spy(monkeypatch: pytest.MonkeyPatch, name: str) -> list[tuple[Any, ...]]:
    """The arguments of every call of a function of the run folder."""
    calls: list[tuple[Any, ...]] = []
    original: Callable[..., Any] = getattr(runs, name)

    def spied(*arguments: Any) -> Any:
        calls.append(arguments)
        return original(*arguments)

    monkeypatch.setattr(runs, name, spied)
    return calls


def test_stopped_at_any_file(request_: Job, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file that a run writes is the one at which it is stopped, once."""
    stopped = 0
    while True:
        calls = 0

        def stopping(_: int, last: int = stopped) -> None:
            nonlocal calls
            if calls == last:
                raise StopError
            calls += 1

        folder = tmp_path / str(stopped)
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", stopping)
            try:
                carry_out(request_, folder)
                break
            except StopError:
                stopped += 1
        result = carry_out(request_, folder)
        assert_same(folder, whole)
        assert result.findings == read_findings(whole)
    assert stopped >= CHUNKS + 4  # run.json twice, verdicts, findings


@pytest.mark.parametrize("name", ["write_findings", "remove_parts"])
def test_stopped_between_files(
    name: str, request_: Job, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original: Callable[..., Any] = getattr(runs, name)

    def stopping(*arguments: Any) -> None:
        original(*arguments)
        raise StopError

    with monkeypatch.context() as patch:
        patch.setattr(runs, name, stopping)
        with pytest.raises(StopError):
            carry_out(request_, tmp_path / "run")
    carry_out(request_, tmp_path / "run")
    assert_same(tmp_path / "run", whole)


@pytest.mark.parametrize("file", [1, 4])
def test_a_killed_process(file: int, request_: Job, whole: Path, tmp_path: Path) -> None:
    code = """
import os, signal, sys
from pathlib import Path
from referee import sets
from referee.models.files import ScoreFile
from referee.runs import store
from referee.runs.job import Job, carry_out
from tests.support.jobs import job
store.CHUNK = int(sys.argv[2])
here = Path(sys.argv[1])
written = []
def killed(file):
    written.append(file)
    if len(written) == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
os.fsync = killed
carry_out(job("scores:x", ScoreFile(here / "scores"), [sets.load(here / "x.jsonl")]), here / "run")
"""
    command = [sys.executable, "-c", code, str(tmp_path), str(CHUNK), str(file)]
    assert subprocess.run(command, check=False).returncode == -9
    left = [path for path in (tmp_path / "run").rglob("*") if path.suffix == ".part"]
    assert 1 <= len(left) <= 2  # what the killed write had begun, and the verdict file that was under way
    carry_out(request_, tmp_path / "run")
    assert set(content(tmp_path / "run")) == set(content(whole))
    assert (tmp_path / "run" / "verdicts.parquet").read_bytes() == (whole / "verdicts.parquet").read_bytes()


def interrupted(request: Job, folder: Path, after: int = 3) -> list[Path]:
    """The parts of a run that was stopped after so many chunks."""

    def stop(done: int, total: int | None) -> None:
        if done >= after * CHUNK:
            raise StopError

    with pytest.raises(StopError):
        carry_out(request, folder, stop)
    return sorted((folder / "parts").iterdir())


@pytest.mark.parametrize("fault", ["empty", "cut", "gone", "foreign"])
def test_a_damaged_part_is_done_again(fault: str, request_: Job, whole: Path, tmp_path: Path) -> None:
    part = interrupted(request_, tmp_path / "run")[1]
    data = part.read_bytes()
    if fault == "gone":
        part.unlink()
    else:
        part.write_bytes({"empty": b"", "cut": data[: len(data) // 2], "foreign": b"hello\n"}[fault])
    carry_out(request_, tmp_path / "run")
    assert_same(tmp_path / "run", whole)


def test_a_part_with_a_flipped_byte_is_done_again(request_: Job, whole: Path, tmp_path: Path) -> None:
    part = interrupted(request_, tmp_path / "run")[1]
    data, info = part.read_bytes(), (tmp_path / "run" / "run.json").read_bytes()
    outcomes = set()
    for offset in range(0, len(data), 97):
        part.parent.mkdir(exist_ok=True)
        part.write_bytes(data[:offset] + bytes([data[offset] ^ 0xFF]) + data[offset + 1 :])
        (tmp_path / "run" / "run.json").write_bytes(info)
        try:
            carry_out(request_, tmp_path / "run")
        except Exception as error:
            outcomes.add(type(error).__name__)
        else:
            same = (tmp_path / "run" / "verdicts.parquet").read_bytes() == (whole / "verdicts.parquet").read_bytes()
            outcomes.add("the same bytes" if same else "other bytes")
    assert outcomes == {"the same bytes"}


# --- the same folder again


def test_a_finished_run_is_reused(request_: Job, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = content(whole)
    parts, infos = spy_on_parts(monkeypatch), spy(monkeypatch, "write_info")
    result = carry_out(request_, whole)
    assert result.reused
    assert result.findings == read_findings(whole)
    assert result.info == read_info(whole)
    assert (parts, infos, content(whole)) == ([], [], before)


def test_a_finished_run_can_be_broken_down_in_another_way(request_: Job, whole: Path) -> None:
    other = job(request_.name, request_.model, request_.sets, dimensions=("group", "gender"))
    result = carry_out(other, whole)
    # What has a group is told from what has none, whatever was asked for.
    assert (result.reused, list(result.findings[0].by)) == (True, ["gender", "paired"])
    assert read_findings(whole) == result.findings


def test_a_run_continued_under_another_name_has_one_name(request_: Job, whole: Path, tmp_path: Path) -> None:
    interrupted(request_, tmp_path / "run")
    renamed = sets.of_items("another name", items())
    carry_out(job(request_.name, request_.model, [renamed]), tmp_path / "run")
    stored = list(verdicts.read(tmp_path / "run" / "verdicts.parquet"))
    assert [verdict for _, verdict in stored] == [v for _, v in verdicts.read(whole / "verdicts.parquet")]
    (name,) = {suite for suite, _ in stored}
    assert read_info(tmp_path / "run").inputs.suites[0].name == name


def test_a_finished_run_without_its_verdicts_is_done_again(request_: Job, whole: Path, tmp_path: Path) -> None:
    before = content(whole)
    (whole / "verdicts.parquet").unlink()
    carry_out(request_, whole)
    assert content(whole)["verdicts.parquet"] == before["verdicts.parquet"]


def others(request: Job, folder: Path) -> dict[str, Job]:
    lines = (folder / "scores").read_text()
    (folder / "other").write_text(lines.replace("1", "2"))
    changed = sets.of_items(str(folder / "x.jsonl"), [*items()[:-1], item(id="other")])
    return {
        "scores": job("scores:other", ScoreFile(folder / "other"), request.sets),
        "better": job("scores:x,better=lower", ScoreFile(folder / "scores", "lower"), request.sets),
        "items": job(request.name, request.model, [changed]),
    }


@pytest.mark.parametrize("other", ["scores", "better", "items"])
@pytest.mark.parametrize("finished", [True, False])
def test_other_inputs_are_refused_and_nothing_changes(
    other: str, finished: bool, request_: Job, tmp_path: Path
) -> None:
    if finished:
        carry_out(request_, tmp_path / "run")
    else:
        interrupted(request_, tmp_path / "run")
    before = content(tmp_path / "run")
    with pytest.raises(RunError, match="already contains a different run"):
        carry_out(others(request_, tmp_path)[other], tmp_path / "run")
    assert content(tmp_path / "run") == before


def test_a_folder_in_use_is_refused(request_: Job, tmp_path: Path) -> None:
    with runs.claimed(tmp_path / "run", Inputs("x", "y", {}, [])):
        with pytest.raises(RunError, match="is in use by another process"):
            carry_out(request_, tmp_path / "run")
        assert set(content(tmp_path / "run")) == {".lock"}
    carry_out(request_, tmp_path / "run")
    assert read_info(tmp_path / "run").status == "done"


def test_a_model_that_does_not_fit_leaves_nothing_behind(request_: Job, tmp_path: Path) -> None:
    (tmp_path / "scores").write_text("1\n2\n")
    with pytest.raises(InputError, match="expected 102 scores, one per candidate, but found 2"):
        carry_out(request_, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_file_judges_one_set(request_: Job, tmp_path: Path) -> None:
    two = job(request_.name, request_.model, [*request_.sets, *request_.sets])
    with pytest.raises(UsageError, match="belongs to one suite"):
        carry_out(two, tmp_path / "run")
    assert not (tmp_path / "run").exists()


# --- translations


def test_translations(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("Da kommen Sie.\nEr kam.\nIrgendwas.\n")
    cases = [item(id="a", expected=("sie",)), item(id="b", expected=("er",)), item(id="c", candidates=(), gold=None)]
    model = TranslationFile(tmp_path / "out")
    result = carry_out(job("translations:out", model, [sets.of_items("x", cases)]), tmp_path / "run")
    # Both rules are reported, the paper's first; that one decides what is correct in the verdicts.
    assert [(entry.rule, entry.overall and entry.overall.correct) for entry in result.findings] == [
        ("paper", 2),
        ("token", 1),
    ]
    assert result.info.counts is not None
    assert (result.info.counts.judged, result.info.counts.dropped) == (2, {"no expected form": 1})
    stored = [verdict for _, verdict in verdicts.read(tmp_path / "run" / "verdicts.parquet")]
    assert [verdict.correct for verdict in stored] == [True, True, None]
    assert [verdict.found.get("token") for verdict in stored] == [False, True, None]
    assert result.info.inputs.settings == {}


# --- several sets, in both modes


def three_sets() -> Job:
    """A set of 4 items, an attack on 3 of them, and a side in another language with 5, one of them of its own."""
    english = [asking(0, 0, 1), asking(1, 1, 1), asking(2, 0, 0), asking(3, 0, 0), asking(4, 0, 0)]
    side = ItemSet("s-en", lambda: iter(english), SetOrigin("s", "english", "parallel"))
    challenges = [base(), attacked("p", 0, 1, 0), side]
    return job("x:y", Habit(), challenges, scoring=ScoringOptions(how="both"))


EXPECTED = [("s", [f"i{number}" for number in range(4)]), ("s+p", [f"i{number}+p" for number in range(3)])]
EXPECTED += [("s-en", [f"i{number}" for number in range(5)])]


def test_no_chunk_reaches_into_the_next_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "CHUNK_OF_MODELS", 2)
    sizes: list[tuple[str, int]] = []
    original = Parts.write

    def spied(self: Parts[Any], name: str, value: list[object]) -> None:
        sizes.append((name, len(value)))
        original(self, name, value)

    monkeypatch.setattr(Parts, "write", spied)
    ticks: list[tuple[int, int | None]] = []
    carry_out(three_sets(), tmp_path / "run", lambda done, total: ticks.append((done, total)))
    assert sizes == [(f"{number:08d}", size) for number, size in enumerate([2, 2, 2, 1, 2, 2, 1] * 2)]
    assert ticks[-1] == (24, 24)
    assert read_info(tmp_path / "run").inputs.chunk == 2
    stored = [(suite, verdict.kind, verdict.item) for suite, verdict in verdicts.read(tmp_path / "run" / runs.VERDICTS)]
    kinds = ("contrastive", "generative")
    assert stored == [(suite, kind, name) for kind in kinds for suite, names in EXPECTED for name in names]


def test_what_two_sets_or_two_modes_show_together() -> None:
    findings = carry_out(three_sets()).findings
    kinds = ("contrastive", "generative")
    assert [(entry.suite, entry.kind) for entry in findings] == [(name, kind) for name, _ in EXPECTED for kind in kinds]
    right = [entry.overall and (entry.overall.correct, entry.overall.items) for entry in findings]
    assert right == [(3, 4), (3, 4), (2, 3), (3, 3), (4, 5), (3, 5)]
    attacks = [entry.attacks and (entry.attacks.drops[0].before, entry.attacks.drops[0].after) for entry in findings]
    assert attacks == [(2 / 3, 2 / 3), (2 / 3, 1.0), None, None, None, None]
    agreements = [entry.agreement and (entry.agreement.items, entry.agreement.same.count) for entry in findings]
    assert agreements == [None, (4, 2), None, (3, 2), None, (5, 4)]
    sides = [
        entry.english and (entry.english.items, entry.english.unpaired, entry.english.only_english)
        for entry in findings
    ]
    assert sides == [(4, 1, 1), (4, 1, 0), None, None, None, None]


@pytest.mark.parametrize("size", [2, 3, 500])
def test_findings_are_recomputed_from_the_verdicts_of_all_sets(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "CHUNK_OF_MODELS", size)
    first = carry_out(three_sets(), tmp_path / "run")
    written = (tmp_path / "run" / runs.FINDINGS).read_bytes()
    (tmp_path / "run" / runs.FINDINGS).unlink()
    again = three_sets()
    result = carry_out(again, tmp_path / "run")
    assert (result.reused, result.findings) == (True, first.findings)
    assert isinstance(again.model, Habit)
    assert again.model.calls == []
    assert (tmp_path / "run" / runs.FINDINGS).read_bytes() == written


def test_a_run_without_a_folder_that_fails_leaves_nothing_behind(
    request_: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))

    def stop(done: int, total: int | None) -> None:
        raise StopError

    with pytest.raises(StopError):
        carry_out(request_, progress=stop)
    assert list((tmp_path / "temporary").iterdir()) == []
