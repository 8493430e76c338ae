"""The demo on the pocket translator itself, with few items: what it finds, leaves behind, and does when interrupted."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from referee import sets, verdicts
from referee.demo.plan import SAMPLES, STEPS
from referee.demo.run import Told, demo
from referee.io.progress import Progress, no_progress
from referee.runs.store import read_info
from tests.support.small_demo import SHARE


def test_what_is_found(finished: tuple[Path, Told]) -> None:
    _, told = finished
    assert list(told.steps) == list(STEPS)
    by_name = {line.phenomenon: line for line in told.summary}
    gender = by_name["Noun gender"]
    assert gender.accuracy is not None
    assert gender.accuracy > 0.7
    bare = by_name["Noun gender, no context"]
    assert bare.accuracy is not None
    assert bare.accuracy < gender.accuracy
    assert told.sentence.startswith("The pocket translator ")
    assert told.quick


def test_what_is_left_behind(finished: tuple[Path, Told]) -> None:
    folder, told = finished
    assert {path.name for path in folder.iterdir()} == {
        "demo.json", "pocket.de", "pocket.scores", "report.html", "runs", "sets",
    }  # fmt: skip
    assert {path.stem for path in (folder / "sets").iterdir()} == {sample.file for sample in SAMPLES.values()}
    assert all(read_info(folder / "runs" / name).status == "done" for name in STEPS)
    gender = sets.load(folder / "sets/de-gender.jsonl").fingerprint()
    assert len((folder / "pocket.de").read_text().splitlines()) == gender.items
    assert len((folder / "pocket.scores").read_text().split()) == 3 * gender.items
    note = msgspec.json.decode((folder / "demo.json").read_bytes())
    assert note["status"] == "done"
    assert note["found"]["sentence"] == told.sentence


def test_the_steps_judge_the_same_items_with_and_without_context(finished: tuple[Path, Told]) -> None:
    folder, _ = finished
    with_context, without = (
        {(suite, each.item): each.scores for suite, each in verdicts.read(folder / "runs" / name / "verdicts.parquet")}
        for name in ("de-gender", "de-sentence")
    )
    assert set(with_context) < set(without)
    assert all(without[key] != scores for key, scores in with_context.items())


def test_an_interrupted_demo_is_continued(finished: tuple[Path, Told], tmp_path: Path) -> None:
    @contextmanager
    def until_fourth(step: str) -> Iterator[Progress]:
        if step.startswith("[4/"):
            raise KeyboardInterrupt
        yield no_progress

    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        demo(out, SHARE, until_fourth)
    assert not (out / "report.html").exists()
    started = (out / "runs/de-gender/run.json").stat().st_mtime_ns
    told = demo(out, SHARE)
    assert (out / "runs/de-gender/run.json").stat().st_mtime_ns == started
    folder, whole = finished
    assert (told.sentence, told.summary, told.steps) == (whole.sentence, whole.summary, whole.steps)
    for name in STEPS:
        one, other = (path / "runs" / name / "verdicts.parquet" for path in (out, folder))
        assert one.read_bytes() == other.read_bytes()


def test_the_demo_of_another_version_is_replaced(finished: tuple[Path, Told], tmp_path: Path) -> None:
    folder, whole = finished
    out = tmp_path / "out"
    shutil.copytree(folder, out)
    note = (out / "demo.json").read_text("utf-8")
    (out / "demo.json").write_text(re.sub(r'("identity": )"\w+"', r'\1"other"', note), "utf-8")
    (out / "sets/de-gender.jsonl").write_text("of another version")
    (out / "runs/de-gender/verdicts.parquet").write_text("of another version")
    (out / "mine.txt").write_text("mine")
    told = demo(out, SHARE)
    assert told.summary == whole.summary
    assert (out / "sets/de-gender.jsonl").read_bytes() == (folder / "sets/de-gender.jsonl").read_bytes()
    assert (out / "mine.txt").read_text() == "mine"
