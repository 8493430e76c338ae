from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from referee.errors import InputError
from referee.items import Item
from referee.suites.records import json_lines, json_list, json_object, to_items, tsv


class Inner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    n: int


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str = msgspec.field(name="the name")
    inner: Inner


GOOD = '{"the name": "a", "inner": {"n": 1}}'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", ":2: is not valid JSON (Input data was truncated). Fix it, or "),
        ("{", ":2: is not valid JSON ("),
        ('{"the name": "a"}', ":2: field 'inner': is missing. Fix it, or "),
        ('{"the name": 1, "inner": {"n": 1}}', ":2: field 'the name': expected str, got int. Fix it, or "),
        ('{"the name": "a", "inner": {}}', ":2: field 'inner.n': is missing. Fix it, or "),
        ('{"the name": "a", "inner": {"n": "1"}}', ":2: field 'inner.n': expected int, got str. Fix it, or "),
        ('{"the name": "a", "inner": {"n": 1}, "x": 0}', ":2: field 'x': is not a known field. Fix it, or "),
        ("[]", ":2: expected object, got array. Fix it, or "),
    ],
)
def test_a_bad_line_is_placed_and_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(f"{GOOD}\n{line}\n{GOOD}\n")
    rows = json_lines(path, Record)
    assert next(rows) == (1, Record("a", Inner(1)))
    with pytest.raises(InputError) as raised:
        next(rows)
    assert str(raised.value).startswith(f"{path}{message}")
    assert str(raised.value).endswith("Fix it, or download the file again with `referee data get`.")


def test_a_line_that_is_not_utf8_is_placed(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(b'{"the name": "\xff", "inner": {"n": 1}}\n')
    with pytest.raises(InputError, match=r"set\.jsonl:1: is not valid UTF-8. Convert it with `iconv"):
        list(json_lines(path, Record))


def test_windows_line_ends_only_where_they_are_expected(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(f"{GOOD}\r\n{GOOD}\n".encode())
    assert [line for line, _ in json_lines(path, Record, crlf=True)] == [1, 2]
    with pytest.raises(InputError, match="CRLF"):
        list(json_lines(path, Record))


def test_a_list_counts_rows(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_text(f"[\n\n{GOOD},\n{GOOD}, {{}}]")
    rows = json_list(path, Record)
    assert [next(rows)[0], next(rows)[0]] == [1, 2]
    with pytest.raises(InputError, match=r"set\.json, record 3: field 'the name': is missing"):
        next(rows)


@pytest.mark.parametrize(("text", "message"), [("{}", "expected array, got object"), ("[1", "is not valid JSON")])
def test_a_file_that_is_no_list_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "set.json"
    path.write_text(text)
    with pytest.raises(InputError, match=rf"set\.json: {message}"):
        list(json_list(path, Record))


def test_records_of_an_object_come_with_their_keys(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_text(f'{{"10": {GOOD}, "2": {GOOD}, "x": {{}}}}')
    rows = json_object(path, Record)
    assert [(row, key) for row, (key, _) in (next(rows), next(rows))] == [(1, "10"), (2, "2")]
    with pytest.raises(InputError, match=r"set\.json:3: field 'the name': is missing"):
        next(rows)
    path.write_text(f'{{"1": {GOOD}, "1": {GOOD}}}')
    with pytest.raises(InputError, match=r"set\.json: the key '1' occurs twice"):
        list(json_object(path, Record))
    path.write_text("[]")
    with pytest.raises(InputError, match=r"set\.json: expected object, got array"):
        list(json_object(path, Record))


def test_every_row_of_a_table_has_as_many_columns(tmp_path: Path) -> None:
    path = tmp_path / "set.tsv"
    path.write_text('a\t"b\n \t\nc\n')
    rows = tsv(path, 2)
    assert [next(rows), next(rows)] == [(1, ["a", '"b']), (2, [" ", ""])]
    with pytest.raises(InputError, match=r"set\.tsv:3: expected 2 columns, but found 1"):
        next(rows)


def test_an_item_that_cannot_be_is_placed(tmp_path: Path) -> None:
    path = tmp_path / "set.tsv"
    path.write_text("one _\ntwo\n")
    with pytest.raises(InputError, match=r"set\.tsv:2: field 'source': has 0 gaps '_'"):
        list(to_items(path, tsv(path, 1), lambda line, cells: _fill(str(line), cells[0])))


def test_a_repeated_id_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "set.tsv"
    path.write_text("_\n_\n")
    with pytest.raises(InputError, match=r"set\.tsv:2: field 'id': 'same' occurs twice"):
        list(to_items(path, tsv(path, 1), lambda _, cells: _fill("same", cells[0])))


def _fill(id: str, source: str) -> Item:
    return Item(id=id, task="fill", source_lang="en", target_lang="en", source=source)
