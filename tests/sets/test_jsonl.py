"""Items as lines of JSON: one byte string each, and errors that name the line."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from referee import sets
from referee.errors import InputError
from referee.sets.jsonl import canonical, decode, read_items, write_items
from tests.support.items import item


def test_the_order_of_metadata_does_not_matter_to_the_hash() -> None:
    assert sets.canonical(item(meta={"a": 1, "b": 2})) == sets.canonical(item(meta={"b": 2, "a": 1}))


def test_a_line_without_schema_is_of_this_version(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(sets.canonical(item()).replace(b'"schema":2,', b""))
    assert list(sets.load(path)) == [item()]


def test_defaults_are_left_out_and_one_item_is_one_line() -> None:
    line = canonical(item(source="a\nb"))
    assert b"\n" not in line
    assert not any(name in line for name in (b"origin", b"spans", b"meta", b"label"))
    file = BytesIO()
    write_items([item(id="a"), item(id="b")], file)
    assert [decode(text, "x", None).id for text in file.getvalue().splitlines()] == ["a", "b"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"  ", "x.jsonl:2: is blank, expected a JSON object. Write one item per line."),
        (b'{"id": ', "x.jsonl:2: is not valid JSON"),
        (
            b'{"id": "a", "task": "guess"}',
            "x.jsonl:2: field 'task': invalid enum value 'guess'. Choose translate, fill or",
        ),
        (b'{"id": 3}', "x.jsonl:2: field 'id': expected str, got int. Correct the item."),
        (canonical(item()).replace(b'"schema":2', b'"schema":1'), "field 'schema': is not 2, the schema version"),
        # What is wrong with the whole line comes before what is wrong with a field of it.
        (b'{"id": 3, "task": }', "x.jsonl:2: is not valid JSON"),
        (b'{"id": "\xff"}', "x.jsonl:2: is not valid UTF-8. Convert it with `iconv -t UTF-8`."),
    ],
)
def test_errors_name_line_field_and_fix(line: bytes, message: str) -> None:
    with pytest.raises(InputError) as raised:
        decode(line, Path("x.jsonl"), 2)
    assert message in str(raised.value)


def test_a_file_is_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(canonical(item(id="a")) + b"\n" + b"{}\n")
    items = read_items(path)
    assert next(items).id == "a"
    with pytest.raises(InputError, match=r"x\.jsonl:2: field 'id': is missing"):
        next(items)
