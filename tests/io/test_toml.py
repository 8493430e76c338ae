from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from referee.errors import InputError, MissingError
from referee.io.toml import decode_toml, line_of, read_toml

TEXT = """name = "x"
size.width = 3

[owners]  # who
man = { text = "the man's",
        place = "before" }
"best friend".text = "a friend's"

[[forms]]
name = "one"
"""


class Table(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    size: int = 0


@pytest.mark.parametrize(
    ("field", "line"),
    [
        ("name", 1),
        ("size.width", 2),
        ("size", 2),
        ("size.height", None),
        ("owners", 4),
        ("owners.man.text", 5),
        ("owners.woman", 4),
        ("owners.best friend.text", 7),
        ("forms[0].name", 10),
        ("forms[...]", 9),
        ("nothing", None),
        ("", None),
    ],
)
def test_the_line_of_a_field(field: str, line: int | None) -> None:
    assert line_of(TEXT, field) == line


def test_a_table_is_typed(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text('name = "x"\n', encoding="utf-8")
    assert decode_toml(path, Table, extra={"size": 2}) == Table("x", 2)
    assert read_toml(path, "Correct the entry") == {"name": "x"}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'name = "x"\nsize = "y"\n', ["a.toml:2", "'size'", "expected int, got str", "Correct the entry"]),
        (b'name = "x"\nsiez = 1\n', ["a.toml:2", "'siez'", "not a known field. Use one of name, size."]),
        (b"size = 1\n", ["a.toml: ", "'name'", "is missing"]),
        (b"name =\nsize = 1\n", ["a.toml:1", "not valid TOML"]),
        (b'name = "\xff"\n', ["a.toml", "not valid TOML"]),
    ],
)
def test_what_is_wrong_has_file_line_and_field(tmp_path: Path, content: bytes, told: list[str]) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        decode_toml(path, Table)
    for words in told:
        assert words in str(error.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MissingError):
        decode_toml(tmp_path / "a.toml", Table)
