"""Suites by name into the data folder: families, folders of files, and what has no source."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest

from referee.data import sources
from referee.data.sources import Source
from referee.errors import MissingError, UnknownNameError
from referee.io.progress import Progress, no_progress
from referee.suites import fetch
from referee.suites.fetch import fetch_suites
from referee.suites.suite import Suite
from tests.support.hostile_server import Script, serving, whole
from tests.support.wanted_files import BODY, SHA, left


def suite(name: str, *files: str, needs: Literal["all", "any"] = "all") -> Suite:
    return Suite(name, "about", files, lambda _: iter(()), "paper", "CC BY 4.0", needs)


SUITES = (
    suite("fruit/apple", "fruit/apple.txt", "fruit/list.txt"),
    suite("fruit/pear", "fruit/pear.txt", "fruit/list.txt"),
    suite("fruit/plum", "fruit/plum.txt"),
    suite("nuts", "nuts/one.txt", "nuts/two.txt", needs="any"),
)
PUBLISHED = (
    "fruit/apple.txt",
    "fruit/pear.txt",
    "fruit/list.txt",
    "nuts/one.txt",
    "paper/out/a.txt",
    "paper/out/b.txt",
)


@pytest.fixture(autouse=True)
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Script]:
    """A server that has every published file, all with the same content; the plum was never published."""
    with serving() as script:
        script.play(whole(BODY))
        published = {path: Source(path, f"{script.url}/{path}", len(BODY), SHA, "CC BY 4.0") for path in PUBLISHED}
        monkeypatch.setattr(sources, "all_sources", lambda: published)
        monkeypatch.setattr(fetch, "suites", lambda: {one.name: one for one in SUITES})
        yield script


def test_a_suite_and_what_became_of_it(tmp_path: Path, web: Script) -> None:
    told: list[str] = []
    opened: list[str] = []

    @contextmanager
    def bars(step: str) -> Iterator[Progress]:
        opened.append(step)
        yield no_progress

    results = fetch_suites("fruit/apple", data=tmp_path, bars=bars, finished=lambda file: told.append(file.source.path))
    assert [result.outcome for result in results] == ["fetched", "fetched"]
    assert told == opened == ["fruit/apple.txt", "fruit/list.txt"] == left(tmp_path)
    assert [result.outcome for result in fetch_suites("fruit/apple", data=tmp_path)] == ["already there"] * 2
    assert len(web.requests) == 2


def test_a_family_without_the_one_that_has_no_source(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    results = fetch_suites("fruit", "fruit/pear", data=tmp_path)
    # A file that two suites need is fetched once.
    assert [result.source.path for result in results] == ["fruit/apple.txt", "fruit/list.txt", "fruit/pear.txt"]
    assert [message.split(":")[0] for message in caplog.messages] == ["skipped fruit/plum"]
    with pytest.raises(MissingError, match="has no public source"):
        fetch_suites("fruit/plum", data=tmp_path)


def test_a_suite_that_needs_any_of_its_files_is_content_with_the_published(tmp_path: Path) -> None:
    assert [result.source.path for result in fetch_suites("nuts", data=tmp_path)] == ["nuts/one.txt"]


def test_a_folder_of_published_files(tmp_path: Path) -> None:
    fetch_suites("paper/out", data=tmp_path)
    assert left(tmp_path) == ["paper/out/a.txt", "paper/out/b.txt"]


def test_one_published_file(tmp_path: Path) -> None:
    fetch_suites("paper/out/b.txt", data=tmp_path)
    assert left(tmp_path) == ["paper/out/b.txt"]


def test_a_file_that_differs_is_replaced_by_force_only(tmp_path: Path) -> None:
    fetch_suites("nuts", data=tmp_path)
    (tmp_path / "nuts/one.txt").write_text("mine")
    with pytest.raises(Exception, match="replace it with --force"):
        fetch_suites("nuts", data=tmp_path)
    assert fetch_suites("nuts", data=tmp_path, force=True)[0].outcome == "fetched"
    assert (tmp_path / "nuts/one.txt").read_bytes() == BODY


def test_an_unknown_name_is_answered_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean fruit/pear"):
        fetch_suites("fruit/peer", data=tmp_path)
    assert left(tmp_path) == []
