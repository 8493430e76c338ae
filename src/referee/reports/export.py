"""Tables for a spreadsheet (CSV) and for a paper (LaTeX).

This is the only place that writes the two formats: `referee report --tables` saves them to a folder, and the page
carries the same text for its download buttons. The other way round, with the page's script as the only writer, there
would be no files without a browser. Packed, the texts of all tables take less room than the tables' own HTML.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from referee.io.files import atomic_write
from referee.io.overwrite import Recognises
from referee.io.text import visible
from referee.reports.model import Table

RECORD = "tables.json"
"""The record of the tables in a folder."""

_NUMBER = r"[+-]?\d+(?:\.\d+)?"
_FIGURE = re.compile(rf"{_NUMBER}(?:(?: to |–){_NUMBER})?%?(?: pp)?\*?")
_FORMULA = re.compile(r"[=+\-@\t\n＝＋－＠]")
_QUOTED = re.compile(r'[",\n]')
_SIGNED = re.compile(r"(?<![^ ])[+-]\d+(?:\.\d+)?(?![^ *\\])")
_RANGE = re.compile(r"(?<=\d)[-–](?=\d)")
_SPECIAL = re.compile(r"[\\{}$&#_%~^<>|]")
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}


@dataclass(frozen=True)
class TableFiles:
    """What is saved of one table: a file name without its suffix, and the text of the two files."""

    name: str
    csv: str
    tex: str


def csv_text(table: Table) -> str:
    """Column heads and rows; a cell that a spreadsheet would run as a formula gets a leading apostrophe."""
    return "".join(",".join(map(_csv_cell, row)) + "\r\n" for row in (table.columns, *table.rows))


def latex_text(table: Table) -> str:
    """A `table` environment for the package booktabs, with caption and note."""
    sides = "".join("l" if column in table.left else "r" for column in range(len(table.columns)))
    rows = [_latex_row(row, table.left) for row in table.rows]
    lines = [
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{{_latex(_plain(table.title))}}}",
        rf"  \begin{{tabular}}{{{sides}}}",
        r"    \toprule",
        "    " + " & ".join(_latex_words(name) for name in table.columns) + r" \\",
        r"    \midrule",
        *rows,
        r"    \bottomrule",
        r"  \end{tabular}",
        *([rf"  \par\smallskip{{\footnotesize {_latex(_plain(table.note))}}}"] if table.note else []),
        r"\end{table}",
    ]
    return "% needs \\usepackage{booktabs}\n" + "\n".join(lines) + "\n"


def table_files(table: Table) -> TableFiles:
    """A table in both formats, with a name to save them under."""
    # Spreadsheets take a file without a byte order mark for one in a legacy encoding.
    return TableFiles(_file_name(table.title), "\ufeff" + csv_text(table), latex_text(table))


class _Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was written into a folder: names of files and the SHA-256 of their content."""

    referee_tables: Literal[1]
    files: dict[str, str]


def write_tables(
    tables: Sequence[Table], folder: Path, check: Callable[[Path, Recognises], None] | None = None
) -> None:
    """Write tables into a folder as numbered CSV and LaTeX files, and a record of them, `tables.json`.

    `check` is called with every path before the first file is written, and with what recognises a file of ours there:
    the record has its hash, since neither format has room for a mark.
    """
    contents = {
        f"{number:02d}-{files.name}{suffix}": text.encode()
        for number, files in enumerate(map(table_files, tables), 1)
        for suffix, text in ((".csv", files.csv), (".tex", files.tex))
    }
    if check is not None:
        for name in (*contents, RECORD):
            check(folder / name, wrote_table)
    # The record comes first: a file that is not there yet is in it, but no file is there without it.
    earlier = _record(folder)
    record = _Record(1, (earlier.files if earlier else {}) | {name: _sha256(text) for name, text in contents.items()})
    with atomic_write(folder / RECORD) as file:
        file.write(msgspec.json.format(msgspec.json.encode(record, order="sorted"), indent=2) + b"\n")
    for name, content in contents.items():
        with atomic_write(folder / name) as file:
            file.write(content)


def wrote_table(path: Path) -> bool:
    """Whether `write_tables` wrote a file, and nobody changed it since."""
    record = _record(path.parent)
    if record is None or path.name == RECORD:
        return record is not None
    try:
        return record.files.get(path.name) == _sha256(path.read_bytes())
    except OSError:
        return False


def _record(folder: Path) -> _Record | None:
    try:
        return msgspec.json.decode((folder / RECORD).read_bytes(), type=_Record)
    except (OSError, ValueError, RecursionError):
        return None


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _file_name(title: str) -> str:
    """Letters and digits of a title, whatever else is in it."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60] or "table"


def _csv_cell(cell: str) -> str:
    text = visible(cell).strip(" ")
    if _FORMULA.match(text) and not _FIGURE.fullmatch(text):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text


def _latex_row(row: tuple[str, ...], left: tuple[int, ...]) -> str:
    cells = [_latex_words(cell) if column in left else _latex_figure(cell) for column, cell in enumerate(row)]
    return "    " + " & ".join(cells) + r" \\"


def _latex_words(cell: str) -> str:
    """Indented where two leading spaces make the row a part of the one above."""
    return (r"\quad " if cell.startswith("  ") else "") + _latex(_plain(cell))


def _latex_figure(cell: str) -> str:
    """A figure with a true minus, and a dash in ranges."""
    return _SIGNED.sub(lambda match: f"${match[0]}$", _RANGE.sub("--", _latex(_plain(cell))))


def _plain(text: str) -> str:
    """The text in one line."""
    return re.sub(r"[\n\t ]+", " ", visible(text)).strip(" ")


def _latex(text: str) -> str:
    """Escape all commands; a leading bracket or star would be read as an option of the row above."""
    escaped = _SPECIAL.sub(lambda match: _LATEX.get(match[0], f"\\{match[0]}"), text)
    return "{}" + escaped if escaped.startswith(("[", "*")) else escaped
