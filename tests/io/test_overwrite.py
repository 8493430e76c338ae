"""Which files may be replaced: ours and empty ones, others with force, inputs and files of runs never."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from referee.errors import InputError
from referee.io.overwrite import check_overwrite, is_run_folder


def ours(path: Path) -> bool:
    return path.read_bytes().startswith(b"ours")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files by the name of what they are; a run and a model; the current folder."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("ours", "ours"), ("mine", "mine"), ("empty", ""), ("model/config.json", "{}")):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    Path("run/parts").mkdir(parents=True)
    for name in ("run.json", "verdicts.parquet", "items.jsonl.gz", "parts/00000000", "report.html"):
        Path("run", name).write_text("ours")
    return tmp_path


@pytest.mark.parametrize("name", ["new", "deep/new", "ours", "empty", "run/report.html", "/dev/null", "/dev/full"])
def test_what_loses_nothing(name: str, here: Path) -> None:
    check_overwrite(Path(name), ours)


@pytest.mark.parametrize("name", ["mine", "./mine", "deep/../mine", "model/config.json"])
def test_a_file_of_somebody_else_needs_force(name: str, here: Path) -> None:
    Path("deep").mkdir()
    words = r"already exists and was not written by referee. Choose another path, or replace the file with --force\."
    with pytest.raises(InputError, match=words):
        check_overwrite(Path(name), ours)
    check_overwrite(Path(name), ours, force=True)


def links() -> list[str]:
    """Other names of `ours`, which is an input here."""
    Path("soft").symlink_to("ours")
    Path("soft-soft").symlink_to("soft")
    os.link("ours", "hard")
    Path("other").symlink_to(".")
    return ["ours", "./ours", "run/../ours", "soft", "soft-soft", "hard", "other/ours", str(Path("ours").resolve())]


@pytest.mark.parametrize("force", [False, True])
def test_an_input_is_never_replaced(force: bool, here: Path) -> None:
    for name in links():
        for given in ("ours", "soft", "hard"):
            with pytest.raises(InputError, match=r"is an input of this command \(.*\). Choose another path\."):
                check_overwrite(Path(name), ours, inputs=[Path("absent"), Path(given)], force=force)


@pytest.mark.parametrize("force", [False, True])
def test_a_file_in_an_input_folder_is_never_replaced_unless_it_is_ours(force: bool, here: Path) -> None:
    os.link("model/config.json", "hard.json")
    Path("soft.json").symlink_to("model/config.json")
    for name in ("model/config.json", "hard.json", "soft.json"):
        with pytest.raises(InputError, match=r"is an input of this command \(model\)"):
            check_overwrite(Path(name), ours, inputs=[Path("model")], force=force)
    Path("model/page.html").write_text("ours")
    check_overwrite(Path("model/page.html"), ours, inputs=[Path("model")])
    check_overwrite(Path("model/new"), ours, inputs=[Path("model")])


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize(
    "name",
    ["run.json", "verdicts.parquet", "findings.json", "items.jsonl.gz", ".lock", "parts/00000000", "parts/new",
     "salience-prediction-difference.jsonl.gz"],
)  # fmt: skip
def test_a_file_of_a_run_is_never_replaced_nor_added(name: str, force: bool, here: Path) -> None:
    Path("soft").symlink_to(Path("run", name).resolve())
    for path in (Path("run", name), Path("soft")):
        with pytest.raises(InputError, match=r"is a file of the run in .*run. Choose another path"):
            check_overwrite(path, lambda _: True, force=force)


def test_a_run_json_of_somebody_else_is_an_ordinary_file(here: Path) -> None:
    Path("run.json").write_text("mine")
    with pytest.raises(InputError, match="was not written by referee"):
        check_overwrite(Path("run.json"), ours)
    check_overwrite(Path("run.json"), ours, force=True)


def test_what_cannot_be_a_file_is_one_sentence(here: Path) -> None:
    Path("loop").symlink_to("loop")
    with pytest.raises(InputError, match="is a folder, not a file"):
        check_overwrite(Path("model"), ours, force=True)
    for name in ("loop", "x" * 300):
        with pytest.raises(InputError, match="cannot be written") as error:
            check_overwrite(Path(name), ours)
        assert "\n" not in str(error.value)


def test_run_folders(here: Path) -> None:
    assert is_run_folder(Path("run"))
    assert not is_run_folder(Path("model"))
