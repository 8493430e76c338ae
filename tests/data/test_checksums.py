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


@pytest.mark.parametrize("name", ["file.txt", "file.txt.gz"])
def test_a_digest_is_that_of_the_content(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(BODY, mtime=0) if name.endswith(".gz") else BODY)
    assert digest_of(path) == Digest(len(BODY), SHA)


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
    ],
)
def test_only_what_is_expected_is_compared(expected: Digest, difference: str | None) -> None:
    assert expected.mismatch(Digest(len(BODY), SHA)) == difference


def test_the_record_grows(tmp_path: Path) -> None:
    assert recorded(tmp_path) == {}
    record(tmp_path, "b.txt", Digest(2, "bb"))
    record(tmp_path, "a.txt", Digest(1, "aa"))
    record(tmp_path, "b.txt", Digest(3, "cc"))
    assert recorded(tmp_path) == {"a.txt": Digest(1, "aa"), "b.txt": Digest(3, "cc")}
    assert (tmp_path / RECORD).read_text().index("a.txt") < (tmp_path / RECORD).read_text().index("b.txt")
