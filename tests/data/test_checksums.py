"""Digests of files, plain or packed, and the record of those that no source publishes."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import pytest

from referee.data.checksums import RECORD, Digest, digest_of, record, recorded
from referee.errors import InputError

BODY = b"one line\nanother\n"
SHA = hashlib.sha256(BODY).hexdigest()
BLOB = "4daf2f1eabb7d020b51d8b5bdfcb2ef063ee6f46"
"""What `git hash-object` says of `BODY`."""


@pytest.mark.parametrize("name", ["file.txt", "file.txt.gz"])
def test_a_digest_is_that_of_the_content(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(BODY, mtime=0) if name.endswith(".gz") else BODY)
    assert digest_of(path) == Digest(len(BODY), SHA)


@pytest.mark.parametrize("name", ["file.txt", "file.txt.gz"])
def test_a_blob_id_is_that_of_git(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(BODY, mtime=0) if name.endswith(".gz") else BODY)
    assert digest_of(path, blob=True) == Digest(len(BODY), SHA, BLOB)


def test_the_blob_id_of_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert digest_of(tmp_path / "empty", blob=True).blob == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


@pytest.mark.parametrize("damage", [b"no gzip", gzip.compress(BODY, mtime=0)[:-6]])
def test_a_damaged_file_is_said(damage: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file.txt.gz"
    path.write_bytes(damage)
    with pytest.raises(InputError, match=r"file\.txt\.gz: is a damaged gzip file .*. Delete it and download it again"):
        digest_of(path)


@pytest.mark.parametrize(
    ("expected", "difference"),
    [
        (Digest(), None),
        (Digest(17, SHA), None),
        (Digest(sha256=SHA), None),
        (Digest(3, SHA), "expected 3 bytes, but found 17"),
        (Digest(17, "00"), f"expected SHA-256 00, but found {SHA}"),
        (Digest(blob=BLOB), None),
        (Digest(17, blob=BLOB), None),
        (Digest(3, blob=BLOB), "expected 3 bytes, but found 17"),
        (Digest(17, blob="00"), f"expected git blob id 00, but found {BLOB}"),
    ],
)
def test_only_what_is_expected_is_compared(expected: Digest, difference: str | None) -> None:
    assert expected.mismatch(Digest(len(BODY), SHA, BLOB)) == difference


@pytest.mark.parametrize(("digest", "known"), [(Digest(), False), (Digest(3), False), (Digest(sha256=SHA), True)])
def test_a_size_alone_identifies_nothing(digest: Digest, known: bool) -> None:
    assert digest.is_known == known
    assert Digest(blob=BLOB).is_known


def test_the_record_grows(tmp_path: Path) -> None:
    assert recorded(tmp_path) == {}
    record(tmp_path, "b.txt", Digest(2, "bb"))
    record(tmp_path, "a.txt", Digest(1, "aa"))
    record(tmp_path, "b.txt", Digest(3, "cc"))
    assert recorded(tmp_path) == {"a.txt": Digest(1, "aa"), "b.txt": Digest(3, "cc")}
    assert (tmp_path / RECORD).read_text().index("a.txt") < (tmp_path / RECORD).read_text().index("b.txt")
