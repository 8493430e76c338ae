"""Tables: plain in a pipe, drawn on a terminal, and never taking data for markup."""

from __future__ import annotations

import io
import re

import pytest

from referee.reports.model import Table
from referee.reports.terminal import plain, show

TABLE = Table("Title", ("name", "items", "%"), [("long name", "1", "100.0"), ("x", "12345", "5.0")], note="a note")


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def colourful(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")


def on_terminal(table: Table) -> str:
    stream = Terminal()
    show(table, stream)
    return stream.getvalue()


def uncoloured(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_plain() -> None:
    assert plain(TABLE) == (
        "Title\n"
        "name       items      %\n"
        "long name      1  100.0\n"
        "x          12345    5.0\n"
        "a note\n"
    )  # fmt: skip


def test_words_stand_left_and_figures_right() -> None:
    table = Table("t", ("a", "b", "c"), [("1", "x", "2"), ("333", "yyy", "444")], left=(0, 1))
    assert plain(table).splitlines()[2] == "1    x      2"


def test_no_note_no_line_and_no_spaces_at_the_end() -> None:
    table = Table("t", ("a", "b"), [("x", "")], left=(0, 1))
    assert plain(table) == "t\na  b\nx\n"


def test_a_table_without_rows() -> None:
    assert plain(Table("t", ("a", "bcd"), [])) == "t\na  bcd\n"


def test_rows_of_another_width_are_not_swallowed() -> None:
    with pytest.raises((ValueError, IndexError)):
        plain(Table("t", ("a", "b"), [("x",)]))


def test_in_a_pipe() -> None:
    stream = io.StringIO()
    show(TABLE, stream)
    assert stream.getvalue() == plain(TABLE) + "\n"


def test_standard_output_unless_told(capsys: pytest.CaptureFixture[str]) -> None:
    show(TABLE)
    assert capsys.readouterr().out == plain(TABLE) + "\n"


def test_on_a_terminal() -> None:
    text = on_terminal(TABLE)
    assert "\x1b[" in text
    lines = [line.rstrip() for line in uncoloured(text).splitlines()]
    assert lines[0].strip() == "Title"
    assert any(set(line.strip()) == {"─"} for line in lines)
    assert [line.split() for line in lines if "long name" in line] == [["long", "name", "1", "100.0"]]
    assert any("a note" in line for line in lines)
    # Figures end in one column.
    assert len({line.index(end) + len(end) for line in lines for end in ("100.0", "5.0") if line.endswith(end)}) == 1


MARKUP = ["[red]", "[/bold]", "[link=http://x]y[/link]", ":smile:", "[b]x[/b]", "\\[red]", "[1] 2"]


@pytest.mark.parametrize("label", MARKUP)
def test_markup_in_data_is_printed_as_it_is(label: str) -> None:
    table = Table(f"title {label}", (f"column {label}", "items"), [(f"cell {label}", "1")], note=f"note {label}")
    for text in (plain(table), uncoloured(on_terminal(table))):
        for place in ("title", "column", "cell", "note"):
            assert f"{place} {label}" in text


def test_a_long_label_is_folded_not_cut() -> None:
    label = "".join(f"{number:03}" for number in range(60))
    text = uncoloured(on_terminal(Table("t", ("a", "b"), [(label, "1")])))
    assert "…" not in text
    letters = "".join(re.findall(r"[0-9]+", text.replace(" 1", "")))
    assert label in letters
