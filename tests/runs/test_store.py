"""The run folder: who may use it, and what lies in it."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest

from referee import sets, verdicts
from referee.errors import RunError
from referee.items import SetOrigin
from referee.runs import store as runs
from referee.runs.store import Counts, Inputs, RunInfo, SuiteInput
from referee.runs.versions import package_versions
from referee.scoring.decision import contrastive
from referee.verdicts import Kind, Verdict
from tests.support.items import item

ROOT = Path(__file__).resolve().parents[2]
INPUTS = Inputs("scores:x", "ab12", {"better": "higher"}, [SuiteInput("s", 3, "cd34567890")])


def info(status: str = "running", inputs: Inputs = INPUTS) -> RunInfo:
    running = RunInfo(
        status="running",
        inputs=inputs,
        counts=Counts(items=3, judged=2, tied=1, truncated=0, dropped={"no candidates": 1}),
        seed=1,
        resamples=2,
        signature="s#cd34",
        command=["referee", "eval"],
        versions=package_versions(),
        started=runs.now(),
    )
    return running if status == "running" else msgspec.structs.replace(running, status="done", finished=runs.now())


def test_run_json_comes_back(tmp_path: Path) -> None:
    for stored in (info(), info("done")):
        runs.write_info(tmp_path, stored)
        assert runs.read_info(tmp_path) == stored
    written = json.loads((tmp_path / "run.json").read_text())
    assert (written["schema"], written["status"]) == (3, "done")
    assert (tmp_path / "run.json").read_text().endswith("}\n")


def test_what_is_no_run_folder(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"is not a run folder \(no run\.json\)"):
        runs.read_info(tmp_path)


@pytest.mark.parametrize(
    "content", ["", "{", '{"status": "done"}', "[]", '{"schema": 3}', '{"schema": 3, "status": 7}']
)
def test_a_run_json_that_cannot_be_read(content: str, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(content)
    with pytest.raises(RunError, match=r"run\.json: cannot be read"):
        runs.read_info(tmp_path)


@pytest.mark.parametrize("schema", [1, 2, 4])
def test_a_run_of_another_version_is_one_sentence(schema: int, tmp_path: Path) -> None:
    runs.write_info(tmp_path, info())
    text = (tmp_path / "run.json").read_text()
    (tmp_path / "run.json").write_text(text.replace('"schema": 3', f'"schema": {schema}'))
    with pytest.raises(RunError, match=rf"another version of referee \(run schema {schema}, expected 3\)"):
        runs.read_info(tmp_path)


def test_a_new_folder_is_made(tmp_path: Path) -> None:
    with runs.claimed(tmp_path / "a" / "run", INPUTS) as earlier:
        assert earlier is None
        assert (tmp_path / "a" / "run").is_dir()


def test_an_empty_folder_may_be_used(tmp_path: Path) -> None:
    with runs.claimed(tmp_path, INPUTS) as earlier:
        assert earlier is None


def test_an_earlier_start_is_given_back(tmp_path: Path) -> None:
    started = info()
    runs.write_info(tmp_path, started)
    with runs.claimed(tmp_path, INPUTS) as earlier:
        assert earlier == started


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    with (
        pytest.raises(RunError, match=r"contains other files. Choose a new folder for --out"),
        runs.claimed(tmp_path, INPUTS),
    ):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_run_killed_before_its_first_file_was_whole_can_be_started_again(tmp_path: Path) -> None:
    code = """
import os, signal, sys
from pathlib import Path
from referee.runs import store as runs
from tests.runs.test_store import INPUTS, info
with runs.claimed(Path(sys.argv[1]), INPUTS):
    os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
    runs.write_info(Path(sys.argv[1]), info())
"""
    ending = subprocess.run([sys.executable, "-c", code, str(tmp_path / "run")], check=False, cwd=ROOT)
    assert ending.returncode == -9
    assert not (tmp_path / "run" / "run.json").exists()
    with runs.claimed(tmp_path / "run", INPUTS) as earlier:
        assert earlier is not None
        assert (earlier.status, runs.read_info(tmp_path / "run")) == ("running", earlier)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("precious")
    with (
        pytest.raises(RunError, match=r"is a file, not a folder. Choose another --out"),
        runs.claimed(tmp_path / "x", INPUTS),
    ):
        pass
    with pytest.raises(RunError, match="cannot be written"), runs.claimed(tmp_path / "x" / "run", INPUTS):
        pass
    assert (tmp_path / "x").read_text() == "precious"


def test_a_name_that_is_too_long(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="cannot be written"), runs.claimed(tmp_path / ("x" * 300), INPUTS):
        pass


OTHERS = {
    "another model": (
        msgspec.structs.replace(INPUTS, model_sha256="ffff"),
        "the content of scores:x has changed",
    ),
    "another option": (
        msgspec.structs.replace(INPUTS, settings={"better": "lower"}),
        "(better was higher, is now lower). Use another --out, or delete the folder.",
    ),
    "an option less": (msgspec.structs.replace(INPUTS, settings={}), "better was higher, is now not set"),
    "other content": (
        msgspec.structs.replace(INPUTS, suites=[SuiteInput("s", 3, "ee")]),
        "the sets were s (3 items, cd345678), are now s (3 items, ee)",
    ),
    "content that differs late": (
        msgspec.structs.replace(INPUTS, suites=[SuiteInput("s", 3, "cd3456789f")]),
        "the sets were s",
    ),
    "one set more": (msgspec.structs.replace(INPUTS, suites=INPUTS.suites * 2), "the sets were s"),
    "other chunks": (msgspec.structs.replace(INPUTS, chunk=7), "the chunk size was 1000, is now 7"),
}


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("status", ["running", "done"])
def test_a_run_with_other_inputs_is_refused(name: str, status: str, tmp_path: Path) -> None:
    runs.write_info(tmp_path, info(status))
    before = (tmp_path / "run.json").read_bytes()
    inputs, difference = OTHERS[name]
    with pytest.raises(RunError) as raised, runs.claimed(tmp_path, inputs):
        pass
    assert "already contains a different run" in str(raised.value)
    assert difference in str(raised.value)
    assert (tmp_path / "run.json").read_bytes() == before


@pytest.mark.parametrize(
    "renamed",
    [
        msgspec.structs.replace(INPUTS, model="scores:./x"),
        msgspec.structs.replace(INPUTS, suites=[SuiteInput("t", 3, "cd34567890")]),
    ],
)
def test_the_same_content_under_another_name_is_the_same_run(renamed: Inputs, tmp_path: Path) -> None:
    runs.write_info(tmp_path, info())
    with runs.claimed(tmp_path, renamed) as earlier:
        assert earlier is not None


def test_only_one_at_a_time(tmp_path: Path) -> None:
    with runs.claimed(tmp_path, INPUTS):
        with (
            pytest.raises(RunError, match=r"is in use by another process. Wait for it"),
            runs.claimed(tmp_path, INPUTS),
        ):
            pass
        with pytest.raises(RunError, match="is in use"), runs.claimed(tmp_path, OTHERS["another model"][0]):
            pass
    with runs.claimed(tmp_path, INPUTS):
        pass


def test_a_failure_gives_the_folder_free(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), runs.claimed(tmp_path, INPUTS):
        raise KeyboardInterrupt
    with runs.claimed(tmp_path, INPUTS):
        pass


def test_leftovers_of_killed_writes_go_with_the_parts(tmp_path: Path) -> None:
    runs.parts(tmp_path).write(runs.part_name(0), [contrastive("a", [1.0, 2.0], 0, higher=True)])
    (tmp_path / ".run.json.1234.part").write_text("half")
    runs.remove_parts(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_hidden_files_of_others_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    with pytest.raises(RunError, match="contains other files"), runs.claimed(tmp_path, INPUTS):
        pass
    assert [path.name for path in tmp_path.iterdir()] == [".git"]


def test_parts_that_are_not_there_can_be_removed(tmp_path: Path) -> None:
    runs.remove_parts(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_run_json_is_for_people_too(tmp_path: Path) -> None:
    runs.write_info(tmp_path, info())
    lines = (tmp_path / "run.json").read_text().splitlines()
    assert lines[:4] == ["{", '  "schema": 3,', '  "status": "running",', '  "inputs": {']
    runs.write_findings(tmp_path, [])
    assert (tmp_path / runs.FINDINGS).read_text() == "[]\n"


def test_times_are_in_utc_to_the_second() -> None:
    told = runs.now()
    assert len(told) == len("2026-01-31T12:00:00+00:00")
    assert told.endswith("+00:00")
    assert timedelta(0) <= datetime.now(UTC) - datetime.fromisoformat(told) < timedelta(minutes=1)


def test_remedies_name_the_command() -> None:
    typed = msgspec.structs.replace(info(), command=["referee", "eval", "my file"])
    called = msgspec.structs.replace(info(), command=[])
    assert runs.again(typed) == "run `referee eval 'my file'` again to resume it"
    assert runs.again(called) == "repeat the same call to resume it"
    assert runs.anew(typed) == "delete the folder and run `referee eval 'my file'` again"
    assert runs.anew(called) == "delete the folder and repeat the same call"


def test_a_difference_is_told_in_full(tmp_path: Path) -> None:
    settings = {"norm": "sum", "context": "1"}
    earlier = Inputs("hf:x", "ab", settings, [SuiteInput("s", 3, "cd34567890"), SuiteInput("t", 1, "ef")], 500)
    runs.write_info(tmp_path, info(inputs=earlier))
    others = [
        (
            msgspec.structs.replace(earlier, settings={"norm": "ppl", "how": "both"}),
            "context was 1, is now not set, and how was not set, is now both, and norm was sum, is now ppl",
        ),
        (
            msgspec.structs.replace(earlier, suites=earlier.suites[::-1]),
            "the sets were s (3 items, cd345678), t (1 items, ef), are now t (1 items, ef), s (3 items, cd345678)",
        ),
        (
            msgspec.structs.replace(earlier, suites=[SuiteInput("s", 2, "cd34567890"), earlier.suites[1]]),
            "the sets were s (3 items, cd345678), t (1 items, ef), are now s (2 items, cd345678), t (1 items, ef)",
        ),
        (msgspec.structs.replace(earlier, chunk=1000), "the chunk size was 500, is now 1000"),
    ]
    for inputs, difference in others:
        with pytest.raises(RunError) as raised, runs.claimed(tmp_path, inputs):
            pass
        problem = f"{tmp_path}: already contains a different run ({difference}). "
        assert str(raised.value).startswith(problem)


# --- items and verdicts

SETS = [
    SuiteInput("a", 2, "aa"),
    SuiteInput("none", 0, "00"),
    SuiteInput("b", 3, "bb", SetOrigin("a", "english", "parallel")),
]
KINDS: tuple[Kind, ...] = ("contrastive", "generative")


def stored(folder: Path, kinds: tuple[Kind, ...] = KINDS, items: int = 5, missing: int = 0) -> RunInfo:
    """A folder with the items of two sets and one that is empty, and verdicts on them in these modes."""
    sets.save([item(id=f"i{number}") for number in range(items)], folder / runs.ITEMS)
    every = [
        Verdict(item=f"i{number}", kind=kind, correct=True, scores=(1.0,), ranks=(1,), token_scores=((-0.5, -0.25),))
        if kind == "contrastive"
        else Verdict(item=f"i{number}", kind=kind, correct=True, output="Er.")
        for kind in kinds
        for number in range(5)
    ]
    with (folder / runs.VERDICTS).open("wb") as file, verdicts.writing(file) as write:
        write("any", every[: len(every) - missing])
    return info(inputs=msgspec.structs.replace(INPUTS, suites=SETS))


def test_every_set_has_its_verdicts_in_each_mode(tmp_path: Path) -> None:
    judged = runs.read_sets(tmp_path, stored(tmp_path))
    named = {"a": ["i0", "i1"], "b": ["i2", "i3", "i4"]}
    assert [(one.suite, one.kind) for one in judged] == [(suite, kind) for suite in named for kind in KINDS]
    assert [[entry.id for entry in one.items] for one in judged] == [named[one.suite] for one in judged]
    assert [[verdict.item for verdict in one.verdicts] for one in judged] == [named[one.suite] for one in judged]
    assert [{verdict.kind for verdict in one.verdicts} for one in judged] == [{one.kind} for one in judged]
    assert [one.origin for one in judged] == [None, None, SETS[2].origin, SETS[2].origin]


def test_scores_of_single_tokens_stay_in_the_file(tmp_path: Path) -> None:
    stored(tmp_path, ("contrastive",))
    assert [verdict.token_scores for verdict in runs.read_verdicts(tmp_path)] == [()] * 5
    kept = [verdict.token_scores for _, verdict in verdicts.read(tmp_path / runs.VERDICTS)]
    assert kept == [((-0.5, -0.25),)] * 5


@pytest.mark.parametrize(
    ("items", "missing", "held"),
    [(5, 1, "5 items and 9 verdicts"), (4, 0, "4 items and 10 verdicts"), (5, 6, "5 items and 4 verdicts")],
)
def test_a_folder_that_lacks_some(items: int, missing: int, held: str, tmp_path: Path) -> None:
    damaged = stored(tmp_path, items=items, missing=missing)
    with pytest.raises(RunError) as raised:
        runs.read_sets(tmp_path, damaged)
    assert f"expected 5 items by run.json, but found {held}. Delete the folder and run `referee eval" in str(
        raised.value
    )


def test_verdicts_of_an_earlier_version_are_an_error(tmp_path: Path) -> None:
    older = stored(tmp_path)
    table = pq.read_table(tmp_path / runs.VERDICTS)
    pq.write_table(table.drop_columns(["choice"]), tmp_path / runs.VERDICTS)
    with pytest.raises(
        RunError, match=r'cannot be read \(Field "choice" does not exist .*\)\. Delete the folder and run'
    ):
        runs.read_sets(tmp_path, older)
