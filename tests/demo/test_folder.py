"""The demo's folder: continued, replaced, and nothing of anybody else's touched."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from referee.demo.folder import NOTE, PAGE, Note, claim, earlier
from referee.errors import InputError, RefereeError, RunError

OWN = Note(status="done", identity="one", sets=["de-x"], runs=["de-x"], extra=[PAGE, "pocket.de"])


def fill(folder: Path, note: Note) -> None:
    """What a demo leaves."""
    claim(folder, note)
    (folder / "sets").mkdir()
    (folder / "sets/de-x.jsonl").write_text("{}")
    run = folder / "runs/de-x"
    (run / "parts").mkdir(parents=True)
    for name in (
        "run.json",
        "verdicts.parquet",
        "findings.json",
        "items.jsonl.gz",
        ".lock",
        "parts/00000000",
        ".run.json.x.part",
    ):
        (run / name).write_text("")
    for name in (PAGE, "pocket.de"):
        (folder / name).write_text("")


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_the_same_demo_is_continued(tmp_path: Path) -> None:
    fill(tmp_path / "demo", OWN)
    before = names(tmp_path / "demo")
    claim(tmp_path / "demo", msgspec.structs.replace(OWN, status="running"))
    assert names(tmp_path / "demo") == before


def test_another_demo_is_replaced(tmp_path: Path) -> None:
    fill(tmp_path, OWN)
    claim(tmp_path, msgspec.structs.replace(OWN, identity="two"))
    assert names(tmp_path) == {NOTE}
    found = earlier(tmp_path)
    assert found is not None
    assert found.identity == "two"


def test_what_others_put_there_stays(tmp_path: Path) -> None:
    fill(tmp_path, OWN)
    mine = ["mine.txt", "sets/mine.jsonl", "runs/mine/run.json", "runs/de-x/notes.txt"]
    for name in mine:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("mine")
    claim(tmp_path, msgspec.structs.replace(OWN, identity="two"))
    assert all((tmp_path / name).read_text() == "mine" for name in mine)
    assert not (tmp_path / "runs/de-x/run.json").exists()
    assert not (tmp_path / "sets/de-x.jsonl").exists()


def test_a_note_cannot_name_what_lies_elsewhere(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "parts").mkdir(parents=True)
    (outside / "run.json").write_text("mine")
    (outside / "x.jsonl").write_text("mine")
    folder = tmp_path / "demo"
    wrong = ["../../outside", "../outside", str(outside)]
    claim(folder, Note(status="done", identity="one", sets=["../../outside/x"], runs=[*wrong, "link"], extra=wrong))
    (folder / "runs").mkdir()
    (folder / "runs/link").symlink_to(outside)
    claim(folder, OWN)
    assert (outside / "run.json").read_text() == (outside / "x.jsonl").read_text() == "mine"
    assert (outside / "parts").is_dir()


@pytest.mark.parametrize("name", ["sets", "runs"])
def test_a_folder_of_somebody_else_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(RunError, match=f"contains '{name}', which is not from the demo. Choose another --out"):
        claim(tmp_path, OWN)


@pytest.mark.parametrize("text", ["", "[1]", '{"referee_demo": 2}', "\xff"])
def test_a_note_of_somebody_else_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / NOTE).write_text(text, encoding="latin-1")
    with pytest.raises(RunError, match=NOTE):
        claim(tmp_path, OWN)
    assert (tmp_path / NOTE).read_text(encoding="latin-1") == text


def test_files_beside_are_no_reason_to_refuse(tmp_path: Path) -> None:
    # An earlier form of the demo left items and scores here.
    (tmp_path / "items.jsonl").write_text("")
    claim(tmp_path, OWN)
    assert names(tmp_path) == {"items.jsonl", NOTE}


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"is a file, not a folder. Choose another --out"):
        earlier(tmp_path / "file")
    with pytest.raises(RefereeError, match="file"):
        claim(tmp_path / "file/below", OWN)
