"""What a suite is: its files, what is missing of them, and how it opens."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from referee.errors import MissingError
from referee.items import Item, SetOrigin
from referee.suites.suite import Suite, is_there
from tests.support.items import item


def suite(needs: Literal["all", "any"] = "all", origin: SetOrigin | None = None) -> Suite:
    def read(data: Path) -> Iterator[Item]:
        return iter([item(source=str(data))])

    return Suite("mine", "about", ("a/one.txt", "a/two.txt"), read, "paper", "licence", needs, origin)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/one.txt").write_text("1\n")
    return tmp_path


def test_a_file_is_there_plain_or_packed(data: Path) -> None:
    (data / "a/two.txt.gz").write_bytes(gzip.compress(b"2\n"))
    assert is_there(data / "a/one.txt")
    assert is_there(data / "a/two.txt")
    assert not is_there(data / "a/three.txt")
    assert not is_there(data / "a")
    assert suite().missing(data) == []


def test_a_suite_needs_all_files_or_any(data: Path) -> None:
    assert suite().missing(data) == ["a/two.txt"]
    with pytest.raises(MissingError, match=r"the suite 'mine' is not in the data folder .* \(missing: a/two\.txt\)"):
        suite().open(data)
    assert list(suite("any").open(data)) == [item(source=str(data))]
    (data / "a/one.txt").unlink()
    with pytest.raises(MissingError, match="Run `referee data get mine`"):
        suite("any").open(data)


def test_presence_says_whether_a_suite_can_be_read(data: Path) -> None:
    assert (suite().presence(data), suite("any").presence(data)) == ("no", "partly")
    (data / "a/two.txt").write_text("2\n")
    assert (suite().presence(data), suite("any").presence(data)) == ("yes", "yes")
    assert (suite().presence(data / "a"), suite("any").presence(data / "a")) == ("no", "no")


def test_an_opened_suite_has_its_name_and_origin(data: Path) -> None:
    origin = SetOrigin("other", "swap", "attack")
    opened = suite("any", origin).open(data)
    assert (opened.name, opened.origin) == ("mine", origin)
    # It can be read again.
    assert list(opened) == list(opened)
