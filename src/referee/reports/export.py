"""A table for a spreadsheet (CSV) and for a paper (LaTeX); the report page's script has the same rules."""

from __future__ import annotations

import re
from pathlib import Path

from referee.io.files import atomic_write
from referee.reports.model import Page
from referee.reports.page.text import visible
from referee.reports.tables.scorecard import card_table
from referee.reports.terminal import Table

_NUMBER = r"[+-]?\d+(?:\.\d+)?"
_FIGURE = re.compile(rf"{_NUMBER}(?: to {_NUMBER})?[%*]?")
_FORMULA = re.compile(r"[=+\-@\t\n＝＋－＠]")
_QUOTED = re.compile(r'[",\n]')
_SIGNED = re.compile(r"(?<![^ ])[+-]\d+(?:\.\d+)?(?![^ *])")
_RANGE = re.compile(r"(?<=\d)-(?=\d)")
_SPECIAL = re.compile(r"[\\{}$&#_%~^<>|]")
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}


def csv_text(table: Table) -> str:
    """Heads and rows; a cell that a spreadsheet would run as a formula gets an apostrophe in front."""
    return "".join(",".join(map(_csv_cell, row)) + "\r\n" for row in (table.columns, *table.rows))


def latex_text(table: Table) -> str:
    """A `table` for the package booktabs, with title and note."""
    sides = "".join("l" if place in table.left else "r" for place in range(len(table.columns)))
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


def write_all(contents: Page, folder: Path) -> int:
    """Every table of a page into a folder, in both formats; how many tables there are."""
    tables = [
        *(card_table(card) for card in contents.cards),
        *contents.summary,
        *(table for part in contents.parts for table in (*part.tables, *part.details)),
    ]
    for number, table in enumerate(tables, 1):
        name = f"{number:02d}-{_file_name(table.title)}"
        # Spreadsheets take a file without the mark at its start for one in an old encoding.
        for ending, text in ((".csv", "\ufeff" + csv_text(table)), (".tex", latex_text(table))):
            with atomic_write(folder / (name + ending)) as file:
                file.write(text.encode())
    return len(tables)


def _file_name(title: str) -> str:
    """Letters and digits of a title, whatever else is in it."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60] or "table"


def _csv_cell(cell: str) -> str:
    text = visible(cell).strip(" ")
    if _FORMULA.match(text) and not _FIGURE.fullmatch(text):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text


def _latex_row(row: tuple[str, ...], left: tuple[int, ...]) -> str:
    cells = [_latex_words(cell) if place in left else _latex_figure(cell) for place, cell in enumerate(row)]
    return "    " + " & ".join(cells) + r" \\"


def _latex_words(cell: str) -> str:
    """Two spaces before a name make it a part of the one above."""
    return (r"\quad " if cell.startswith("  ") else "") + _latex(_plain(cell))


def _latex_figure(cell: str) -> str:
    """With a true minus, and a dash in ranges."""
    return _SIGNED.sub(lambda match: f"${match[0]}$", _RANGE.sub("--", _latex(_plain(cell))))


def _plain(text: str) -> str:
    """One line."""
    return re.sub(r"[\n\t ]+", " ", visible(text)).strip(" ")


def _latex(text: str) -> str:
    """Nothing in it is a command; what stands after the end of a row is not taken for its option."""
    escaped = _SPECIAL.sub(lambda match: _LATEX.get(match[0], f"\\{match[0]}"), text)
    return "{}" + escaped if escaped.startswith(("[", "*")) else escaped
