from __future__ import annotations

import fcntl
import gzip
import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from referee.data.download import Result
from referee.errors import DownloadError, InputError
from tests.support.full_disk import limited
from tests.support.hostile_server import Script, whole
from tests.support.wanted_files import BLOB, BODY, OTHER, SHA, TAG, error_of, fetch, left, named_by_git, source, unknown


def test_fetches_a_file_and_reports_progress(web: Script, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    web.play(whole(BODY, ETag=TAG))
    seen: list[tuple[int, int | None]] = []
    result = fetch(
        source(web),
        tmp_path,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert result == Result(source(web), tmp_path / "set/file.txt", "fetched", len(BODY))
    assert result.path.read_bytes() == BODY
    assert left(tmp_path) == ["set/file.txt"]
    assert seen[-1] == (len(BODY), len(BODY))
    assert caplog.messages == []
    (request,) = web.requests
    assert request["accept-encoding"] == "identity"
    assert request["user-agent"].startswith("referee/")


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_that_is_there_and_right_is_not_fetched(web: Script, tmp_path: Path, packed: bool) -> None:
    path = tmp_path / ("set/file.txt.gz" if packed else "set/file.txt")
    path.parent.mkdir()
    path.write_bytes(gzip.compress(BODY) if packed else BODY)
    for force in (False, True):
        result = fetch(source(web), tmp_path, force=force)
        assert result == Result(source(web), path, "already there", len(BODY))
    assert web.requests == []


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_that_is_there_and_wrong_is_kept_unless_forced(web: Script, tmp_path: Path, packed: bool) -> None:
    web.play(whole(BODY))
    path = tmp_path / ("set/file.txt.gz" if packed else "set/file.txt")
    path.parent.mkdir()
    path.write_bytes(gzip.compress(OTHER) if packed else OTHER)
    message = error_of(source(web), tmp_path)
    assert message == (
        f"{path}: differs from the file at {web.url}/file.txt (expected {len(BODY)} bytes, but found "
        f"{len(OTHER)}). Move it away, or replace it with --force."
    )
    assert left(tmp_path) == [str(path.relative_to(tmp_path))]
    assert web.requests == []
    assert fetch(source(web), tmp_path, force=True).outcome == "fetched"
    assert left(tmp_path) == ["set/file.txt"]
    assert (tmp_path / "set/file.txt").read_bytes() == BODY


def test_a_damaged_packed_file_is_said_and_can_be_replaced(web: Script, tmp_path: Path) -> None:
    web.play(whole(BODY))
    path = tmp_path / "set/file.txt.gz"
    path.parent.mkdir()
    path.write_bytes(gzip.compress(BODY)[:-20])
    with pytest.raises(InputError, match="damaged gzip"):
        fetch(source(web), tmp_path)
    fetch(source(web), tmp_path, force=True)
    assert left(tmp_path) == ["set/file.txt"]


def test_a_wrong_checksum_leaves_nothing(web: Script, tmp_path: Path) -> None:
    forged = b"\0" * len(BODY)
    web.play(whole(forged, ETag=TAG))
    message = error_of(source(web), tmp_path)
    got = hashlib.sha256(forged).hexdigest()
    assert f"the downloaded file differs from the published one (expected SHA-256 {SHA}, but found {got})." in message
    assert left(tmp_path) == []
    assert len(web.requests) == 1


def test_a_wrong_file_does_not_replace_what_is_there_even_if_forced(web: Script, tmp_path: Path) -> None:
    web.play(whole(b"\0" * len(BODY)))
    path = tmp_path / "set/file.txt"
    path.parent.mkdir()
    path.write_bytes(OTHER)
    with pytest.raises(DownloadError):
        fetch(source(web), tmp_path, force=True)
    assert path.read_bytes() == OTHER
    assert left(tmp_path) == ["set/file.txt"]


@pytest.mark.parametrize("size", [len(BODY), None])
def test_a_file_is_verified_by_its_git_blob_id(
    web: Script, tmp_path: Path, caplog: pytest.LogCaptureFixture, size: int | None
) -> None:
    web.play(whole(BODY))
    assert fetch(named_by_git(web, size), tmp_path).outcome == "fetched"
    # The repository vouches for the content, so nothing is recorded and nothing is said.
    assert left(tmp_path) == ["set/file.txt"]
    assert caplog.messages == []
    for force in (False, True):
        assert fetch(named_by_git(web, size), tmp_path, force=force).outcome == "already there"
    assert len(web.requests) == 1


@pytest.mark.parametrize("size", [len(BODY), None])
def test_a_file_with_another_blob_id_is_not_installed(web: Script, tmp_path: Path, size: int | None) -> None:
    forged = b"\0" * len(BODY)
    web.play(whole(forged))
    got = hashlib.sha1(b"blob %d\0" % len(forged) + forged, usedforsecurity=False).hexdigest()
    assert error_of(named_by_git(web, size), tmp_path) == (
        f"{web.url}/file.txt: the downloaded file differs from the published one (expected git blob id {BLOB}, but "
        f"found {got}). Run the command again, or copy the file there yourself."
    )
    assert left(tmp_path) == []


def test_a_file_of_another_size_than_its_repository_lists_is_not_installed(web: Script, tmp_path: Path) -> None:
    web.play(whole(BODY))
    message = error_of(named_by_git(web, size=7), tmp_path)
    assert "expected 7 bytes, but the source has 10240" in message
    assert left(tmp_path) == []


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_put_there_by_hand_is_held_against_its_blob_id(web: Script, tmp_path: Path, packed: bool) -> None:
    path = tmp_path / ("set/file.txt.gz" if packed else "set/file.txt")
    path.parent.mkdir()
    path.write_bytes(gzip.compress(BODY) if packed else BODY)
    assert fetch(named_by_git(web), tmp_path).outcome == "already there"
    path.write_bytes(gzip.compress(BODY[::-1]) if packed else BODY[::-1])
    assert f"(expected git blob id {BLOB}, but found" in error_of(named_by_git(web), tmp_path)
    assert web.requests == []


def test_without_a_checksum_what_came_is_noted_and_compared_later(
    web: Script, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    web.play(whole(BODY))
    fetch(unknown(web), tmp_path)
    assert caplog.messages == [
        f"set/file.txt: the source publishes no checksum, so SHA-256 {SHA} was recorded in checksums.json"
    ]
    assert json.loads((tmp_path / "checksums.json").read_bytes()) == {
        "set/file.txt": {"size": len(BODY), "sha256": SHA}
    }
    assert fetch(unknown(web), tmp_path).outcome == "already there"

    path = tmp_path / "set/file.txt"
    path.write_bytes(BODY[:-1])
    assert "differs from the file at" in error_of(unknown(web), tmp_path)
    path.unlink()
    web.play(whole(OTHER))
    assert "differs from the published one" in error_of(unknown(web), tmp_path)
    assert left(tmp_path) == ["checksums.json"]
    assert fetch(unknown(web), tmp_path, force=True).size == len(OTHER)
    assert fetch(unknown(web), tmp_path).outcome == "already there"


def test_a_file_put_there_by_hand_without_a_known_checksum_is_left_alone(web: Script, tmp_path: Path) -> None:
    path = tmp_path / "set/file.txt"
    path.parent.mkdir()
    path.write_bytes(OTHER)
    assert fetch(unknown(web), tmp_path) == Result(unknown(web), path, "already there", len(OTHER))
    assert web.requests == []


def test_a_damaged_record_is_said(web: Script, tmp_path: Path) -> None:
    (tmp_path / "checksums.json").write_text("[]")
    with pytest.raises(InputError, match="is not a valid record of checksums"):
        fetch(unknown(web), tmp_path)


@pytest.mark.parametrize("path", ["../out.txt", "/etc/out.txt", "set/../../out.txt", ""])
def test_paths_out_of_the_folder_are_refused(web: Script, tmp_path: Path, path: str) -> None:
    assert "is outside the data folder" in error_of(replace(source(web), path=path), tmp_path / "data")
    assert left(tmp_path) == []
    assert web.requests == []


@pytest.mark.parametrize("url", ["ftp://host/file", "file:///etc/passwd", "host/file"])
def test_other_addresses_are_refused(web: Script, tmp_path: Path, url: str) -> None:
    assert "is not a web address" in error_of(replace(source(web), url=url), tmp_path)


def test_two_processes_do_not_write_the_same_part(web: Script, tmp_path: Path) -> None:
    part = tmp_path / "set/file.txt.part"
    part.parent.mkdir()
    with part.open("ab") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert "is being downloaded by another process" in error_of(source(web), tmp_path)
    assert web.requests == []


def test_a_folder_that_cannot_be_written(web: Script, tmp_path: Path) -> None:
    (tmp_path / "set").write_text("a file where a folder should be")
    assert "cannot be written (" in error_of(source(web), tmp_path)


def test_a_full_disk_is_one_sentence_and_the_download_resumes(web: Script, tmp_path: Path) -> None:
    for size in (0, len(BODY) // 2):
        web.play(whole(BODY))
        with limited(size):
            problem = error_of(source(web), tmp_path)
        assert "cannot be written (File too large)" in problem
        assert not (tmp_path / "set/file.txt").exists()
    web.play(whole(BODY))
    assert fetch(source(web), tmp_path).outcome == "fetched"
    assert (tmp_path / "set/file.txt").read_bytes() == BODY
