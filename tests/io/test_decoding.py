"""What a decoder complains of, in words."""

from __future__ import annotations

import msgspec
import pytest

from referee.io.decoding import explained, refuse_repeated_keys


class Cup(msgspec.Struct, forbid_unknown_fields=True):
    """What the lines below should be."""

    name: str
    size: int = 0
    lids: list[int] = []


def message(line: bytes) -> str:
    with pytest.raises(ValueError) as raised:
        msgspec.json.decode(line, type=Cup)
    return str(explained(raised.value, "correct it"))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"{}", "field 'name': is missing. Correct it."),
        (b'{"name": "a", "handle": 1}', "field 'handle': is not a known field. Correct it."),
        (b'{"name": 1}', "field 'name': expected str, got int. Correct it."),
        (b'{"name": "a", "lids": [1, "b"]}', "field 'lids[1]': expected int, got str. Correct it."),
        (b"[]", "expected object, got array. Correct it."),
        (b"{", "is not valid JSON (Input data was truncated). Correct it."),
    ],
)
def test_faults_name_the_field_and_the_fix(line: bytes, expected: str) -> None:
    assert message(line) == expected


def test_bytes_that_are_not_text() -> None:
    assert message(b'{"name": "\xff"}') == "is not valid UTF-8. Convert it with `iconv -t UTF-8`."


def test_errors_of_our_own_name_their_field() -> None:
    assert str(explained(ValueError("gold: is 3 of 2 candidates"), "fix it")) == (
        "field 'gold': is 3 of 2 candidates. Fix it."
    )
    assert str(explained(ValueError("nothing fits"), "fix it")) == "nothing fits. Fix it."


def test_a_field_within_a_list_has_its_whole_path() -> None:
    class Shelf(msgspec.Struct):
        cups: list[Cup]

    with pytest.raises(msgspec.ValidationError) as raised:
        msgspec.json.decode(b'{"cups": [{"name": "a"}, {}]}', type=Shelf)
    assert str(explained(raised.value, "fix it")) == "field 'cups[1].name': is missing. Fix it."


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (b'{"a": 1, "a": 1}', "a"),
        (b'{"x": {"b": 1, "c": 2, "b": 3}}', "b"),
        (b'[{"a": 1}, {"a": 1, "\\u0061": 2}]', "a"),
        (b'{"": 1, "": 2}', ""),
    ],
)
def test_repeated_keys(content: bytes, key: str) -> None:
    with pytest.raises(ValueError, match=f"^{key}: is given twice in one object"):
        refuse_repeated_keys(content)


def test_keys_that_are_not_repeated() -> None:
    for content in (
        b'{"a": {"a": [{"a": 1}, {"a": 2}]}}',
        b'{"a": "\\"a\\": 1, \\"a\\": 2"}',
        b"[]",
        b"7",
        b"1" * 9999,
    ):
        refuse_repeated_keys(content)
