from __future__ import annotations

import gzip
import logging
import subprocess
import sys
from pathlib import Path

import pytest

from referee.annotate.protocols import SourceText
from referee.annotate.texts import LONGEST_LINE, Form, checked_form, read_texts
from referee.errors import InputError, MissingError, UsageError


def written(folder: Path, content: str | bytes, name: str = "a.txt") -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("content", "form", "texts"),
    [
        ("It broke.\n\nWhy?\n", "auto", [("a", "It broke.\n\nWhy?")]),
        ("d1\tIt broke.\nd1\tWhy?\nd2\tHi\n", "auto", [("d1", "It broke.\nWhy?"), ("d2", "Hi")]),
        ("d1\tIt broke.\nd1\tWhy?\n", "text", [("a", "d1\tIt broke.\nd1\tWhy?")]),
        ("It\tbroke.\nWhy?\n", "auto", [("a", "It\tbroke.\nWhy?")]),
        ("d\ta\tb\n", "tsv", [("d", "a\tb")]),
        ("d\t\nd\tb", "tsv", [("d", "\nb")]),
        ("d\ta\ne\tb\nd\tc\n", "tsv", [("d", "a"), ("e", "b"), ("d", "c")]),
        ("\n\n", "auto", [("a", "\n")]),
        (f"{'x' * 201}\ty\n", "auto", [("a", f"{'x' * 201}\ty")]),
        ("\tIndented\n", "auto", [("a", "\tIndented")]),
        ("x" * 100_000, "auto", [("a", "x" * 100_000)]),
    ],
)
def test_forms(tmp_path: Path, content: str, form: Form, texts: list[tuple[str, str]]) -> None:
    assert list(read_texts([written(tmp_path, content)], form)) == [SourceText(*pair) for pair in texts]


def test_packed_files_and_names(tmp_path: Path) -> None:
    packed = written(tmp_path, gzip.compress(b"Hi"), "b.txt.gz")
    same = [written(tmp_path, "1", "x/c.txt"), written(tmp_path, "2", "y/c.txt")]
    texts = list(read_texts([packed, *same, written(tmp_path, "3", ".txt")]))
    assert [text.id for text in texts] == ["b", str(same[0]), str(same[1]), ".txt"]


def test_empty_lines_between_documents_are_counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = written(tmp_path, "d\ta\n\n \ne\tb\n")
    with caplog.at_level(logging.WARNING):
        assert len(list(read_texts([path]))) == 2
    assert caplog.messages == [f"{path}: skipped 2 empty lines (first in line 2)."]


def test_control_characters_stay_and_are_counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = written(tmp_path, "a\nb\x1bc\x7f\n\x85")
    with caplog.at_level(logging.WARNING):
        [text] = read_texts([path])
    assert text.text == "a\nb\x1bc\x7f\n\x85"
    assert caplog.messages == [f"{path}: treated 3 control characters (first in line 2) as white space."]


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        (b"a\nb\0c\n", 2, "has a NUL character"),
        (b"a\n\xff\n", 2, "is not valid UTF-8"),
        (b"\xef\xbb\xbfa\n", 1, "byte-order mark"),
        (b"a\r\n", 1, "CRLF"),
        ("é".encode() * (LONGEST_LINE + 1), 1, "has 1,000,001 characters in one line"),
        ("d\ta\n" * 1000 + "no tab\n", 1001, "has no tab between a document's id and its text"),
        ("d\ta\n" * 1000 + "\tb\n", 1001, "the document's id is empty"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, content: bytes | str, line: int, problem: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(InputError) as error:
        list(read_texts([path]))
    assert str(error.value).startswith(f"{path}:{line}: ")
    assert problem in str(error.value)


def test_missing_and_empty_files(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="does not exist"):
        list(read_texts([tmp_path / "none"]))
    with pytest.raises(InputError, match="is empty"):
        list(read_texts([written(tmp_path, "")]))


def test_stdin() -> None:
    code = "from pathlib import Path; from referee.annotate.texts import *; print(list(read_texts([Path('-')])))"
    done = subprocess.run([sys.executable, "-c", code], input="Hi\n", capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[SourceText(id='stdin', text='Hi')]"


def test_forms_by_name() -> None:
    assert checked_form("text") == "text"
    with pytest.raises(UsageError, match=r"--form: 'csv' is not a valid form\. Choose auto, text or tsv\."):
        checked_form("csv")
