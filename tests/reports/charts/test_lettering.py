"""Text in a drawing: cleaned, measured and shortened without a font."""

from __future__ import annotations

import pytest

from referee.reports.charts.lettering import clean, shortened, width, wrapped


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [("a  b\n\tc", "a b c"), ("", "(no name)"), (" \n ", "(no name)"), ("a\uffffb\x00", "a\ufffdb‹U+0000›")],
)
def test_clean(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


@pytest.mark.parametrize(
    ("text", "room", "shown"),
    [
        ("short", 100, "short"),
        ("abcdefghij", 50, "abcd…hij"),
        ("ab cdefgh ij", 45, "ab c…ij"),
        ("", 10, ""),
        ("abc", 1, "…"),
        # A sign of several characters is kept or left out as one.
        ("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 70, "👩‍👩‍👧…👩‍👩‍👧"),
    ],
)
def test_shortened(text: str, room: float, shown: str) -> None:
    assert shortened(text, room, 10) == shown
    assert width(shown, 10) <= room or shown == "…"


def test_widths() -> None:
    assert width("iii", 10) < width("nnn", 10) < width("MMM", 10) < width("中中中", 10)
    assert width("e\u0301", 10) == width("e", 10)


def test_wrapped() -> None:
    assert wrapped("one two three", 60, 10) == ["one two", "three"]
    assert wrapped("", 60, 10) == []
    assert wrapped("unbreakable", 10, 10) == ["unbreakable"]
