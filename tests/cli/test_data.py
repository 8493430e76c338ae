"""`referee data get`, with a server that is really asked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.data import sources
from referee.data.sources import Source
from referee.suites import suites
from tests.conftest import Command
from tests.support.commands import answer
from tests.support.hostile_server import Script, serving, whole
from tests.support.published import SYNTHETIC
from tests.support.wanted_files import BODY, SHA, left


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Script]:
    """A server that has the files of `wsc`, whatever their content."""
    with serving() as script:
        script.play(whole(BODY))
        files = {
            path: Source(path, f"{script.url}/{path}", len(BODY), SHA, "CC BY 4.0") for path in suites()["wsc"].files
        }
        monkeypatch.setattr(sources, "all_sources", lambda: files)
        yield script


def test_files_are_told_one_by_one(web: Script, tmp_path: Path, referee: Command) -> None:
    outcome = referee("data", "get", "wsc", "--data", tmp_path)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.splitlines() == [
        f"fetched: {tmp_path / path} ({len(BODY)} bytes; licence: CC BY 4.0)" for path in suites()["wsc"].files
    ]
    assert left(tmp_path) == sorted(suites()["wsc"].files)
    again = referee("data", "get", "wsc", "--data", tmp_path)
    assert [line.partition(":")[0] for line in again.out.splitlines()] == ["already there"] * 2
    assert len(web.requests) == 2


def test_json(web: Script, tmp_path: Path, referee: Command) -> None:
    value = answer(referee("data", "get", "wsc", "--data", tmp_path, "--json"))
    assert value["folder"] == str(tmp_path)
    assert value["files"][0] == {
        "path": str(tmp_path / suites()["wsc"].files[0]),
        "outcome": "fetched",
        "bytes": len(BODY),
    }


def test_the_test_split_of_ctxpro_is_fetched_and_verified_by_blob_ids(
    tmp_path: Path, referee: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = suites()["ctxpro/release/auxiliary/en-pt/test"]
    bodies = [(SYNTHETIC / path).read_bytes() for path in suite.files]
    blobs = [hashlib.sha1(b"blob %d\0" % len(body) + body, usedforsecurity=False).hexdigest() for body in bodies]
    with serving() as script:
        files = {
            path: Source(path, f"{script.url}/{path}", None, None, "Apache-2.0", blob)
            for path, blob in zip(suite.files, blobs, strict=True)
        }
        monkeypatch.setattr(sources, "all_sources", lambda: files)
        script.play(*map(whole, bodies))
        outcome = referee("data", "get", suite.name, "--data", tmp_path)
        assert (outcome.code, outcome.err) == (0, "")
        assert [item.expected for item in suite.open(tmp_path)] == [("pintei",), ("nada",)]
        script.play(whole(bodies[1]))
        refused = referee("data", "get", suite.name, "--data", tmp_path / "other")
    assert refused.code == 1
    assert f"(expected git blob id {blobs[0]}, but found {blobs[1]})" in refused.err
    assert left(tmp_path / "other") == []


def test_what_came_before_a_failure_is_told(web: Script, tmp_path: Path, referee: Command) -> None:
    web.play(whole(BODY), lambda request: request.answer(404))
    outcome = referee("data", "get", "wsc", "--data", tmp_path)
    assert outcome.code == 1
    assert len(outcome.out.splitlines()) == 1
    assert "the server returned 404" in outcome.err


def test_a_file_of_somebody_elses_is_replaced_by_force(web: Script, tmp_path: Path, referee: Command) -> None:
    path = tmp_path / suites()["wsc"].files[0]
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    refused = referee("data", "get", "wsc", "--data", tmp_path)
    assert (refused.code, "--force" in refused.err, path.read_text()) == (1, True, "mine")
    assert referee("data", "get", "wsc", "--data", tmp_path, "--force").code == 0
    assert path.read_bytes() == BODY
