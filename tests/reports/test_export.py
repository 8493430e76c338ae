"""Tables for spreadsheets and papers."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from referee.errors import InputError
from referee.io.overwrite import Recognises
from referee.reports.export import csv_text, latex_text, table_files, write_tables, wrote_table
from referee.reports.model import Table

TABLE = Table(
    "accuracy & more",
    ("", "items", "change", "95 % interval"),
    [("all items", "180", "-3.4", "78.9-83.4"), ("  gender: m", "60", "+1.0*", "-1.5 to +2.0")],
    note="chance 33.3 %\nor less",
)


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def test_csv() -> None:
    assert csv_text(TABLE) == (
        ",items,change,95 % interval\r\nall items,180,-3.4,78.9-83.4\r\ngender: m,60,+1.0*,-1.5 to +2.0\r\n"
    )


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("-1", "-1"),
        ("+12.50%", "+12.50%"),
        ("-1.5 to +2.0", "-1.5 to +2.0"),
        ("-1.5–2.0*", "-1.5–2.0*"),
        ("-3.4 pp", "-3.4 pp"),
        ("-3.4 ppm", "'-3.4 ppm"),
        ("-1+2", "'-1+2"),
        ("=1+2", "'=1+2"),
        ("  =1+2", "'=1+2"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-2 to =1", "'-2 to =1"),
        ("\t=1", "'\t=1"),
        ("\n=1", '"\'\n=1"'),
        ("\r=1", "‹U+000D›=1"),
        ("＝1", "'＝1"),
        ("1=1", "1=1"),
        ('say "no"', '"say ""no"""'),
        ("a,b", '"a,b"'),
        ("a\nb", '"a\nb"'),
        ("\x00\u202e", "‹U+0000›‹U+202E›"),
    ],
)
def test_cells_that_a_spreadsheet_would_run_are_defused(cell: str, written: str) -> None:
    assert csv_text(Table("t", ("h",), [(cell,)])) == f"h\r\n{written}\r\n"


def test_csv_is_read_back_as_it_was() -> None:
    cells = ('a "b"', "c,d", "e\nf", "größer")
    assert rows_of(csv_text(Table("t", ("1", "2", "3", "4"), [cells]))) == [["1", "2", "3", "4"], list(cells)]


def test_latex() -> None:
    assert latex_text(TABLE) == "\n".join(
        [
            r"% needs \usepackage{booktabs}",
            r"\begin{table}",
            r"  \centering",
            r"  \caption{accuracy \& more}",
            r"  \begin{tabular}{lrrr}",
            r"    \toprule",
            r"     & items & change & 95 \% interval \\",
            r"    \midrule",
            r"    all items & 180 & $-3.4$ & 78.9--83.4 \\",
            r"    \quad gender: m & 60 & $+1.0$* & $-1.5$ to $+2.0$ \\",
            r"    \bottomrule",
            r"  \end{tabular}",
            r"  \par\smallskip{\footnotesize chance 33.3 \% or less}",
            r"\end{table}",
            "",
        ]
    )


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        (r"\input{x}", r"\textbackslash{}input\{x\}"),
        ("a_b^c~d", r"a\_b\textasciicircum{}c\textasciitilde{}d"),
        ("$5 & #1 100 %", r"\$5 \& \#1 100 \%"),
        ("<b>|", r"\textless{}b\textgreater{}\textbar{}"),
        # After the end of a row these would be its options.
        ("[2em]", "{}[2em]"),
        ("*", "{}*"),
        ("a\n\nb", "a b"),
        ("-3.4", "-3.4"),
    ],
)
def test_nothing_in_a_cell_is_a_command(cell: str, written: str) -> None:
    assert f"    {written} \\\\\n" in latex_text(Table("t", ("h",), [(cell,)]))


def test_tables_are_written_to_a_folder(tmp_path: Path) -> None:
    write_tables([TABLE, TABLE, Table("/.. ", ("a",), [])], tmp_path / "new")
    names = ["01-accuracy-more", "02-accuracy-more", "03-table"]
    files = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert files == sorted([*(name + suffix for name in names for suffix in (".csv", ".tex")), "tables.json"])
    assert (tmp_path / "new" / "02-accuracy-more.csv").read_bytes().decode("utf-8-sig") == csv_text(TABLE)
    assert (tmp_path / "new" / "02-accuracy-more.tex").read_text(encoding="utf-8") == latex_text(TABLE)


def test_a_spreadsheet_can_tell_the_encoding() -> None:
    files = table_files(Table("Größe, 95% CI", ("a",), []))
    assert (files.name, files.csv) == ("gr-e-95-ci", "\ufeffa\r\n")


def test_a_table_is_ours_until_somebody_edits_it(tmp_path: Path) -> None:
    write_tables([TABLE], tmp_path)
    table, record = tmp_path / "01-accuracy-more.csv", tmp_path / "tables.json"
    assert wrote_table(table)
    assert wrote_table(record)
    table.write_text("edited")
    assert not wrote_table(table)
    assert not wrote_table(tmp_path / "other.csv")
    record.write_text("{}")
    assert not wrote_table(record)


def test_nothing_is_written_where_a_file_may_not_be_replaced(tmp_path: Path) -> None:
    def refuse(path: Path, recognises: Recognises) -> None:
        if path.suffix == ".tex":
            raise InputError("is mine", "choose another path", file=path)

    with pytest.raises(InputError, match="is mine"):
        write_tables([TABLE], tmp_path / "new", refuse)
    assert not (tmp_path / "new").exists()
