"""Where the command line speaks: results on stdout, everything else on stderr."""

from __future__ import annotations

import sys

import pytest

from referee.cli import output
from referee.io.progress import no_progress
from referee.reports.model import Table

Captured = pytest.CaptureFixture[str]


def test_results_and_remarks(capsys: Captured) -> None:
    output.result("a result")
    output.say("a remark")
    assert capsys.readouterr() == ("a result\n", "a remark\n")


def test_json_is_one_object_with_unicode_as_it_is(capsys: Captured) -> None:
    output.print_json({"word": "süß", "counts": {1: 2}})
    assert capsys.readouterr().out == '{\n  "word": "süß",\n  "counts": {\n    "1": 2\n  }\n}\n'


def test_tables_below_each_other(capsys: Captured) -> None:
    output.show_tables([Table("one", ("a",), [("1",)]), Table("two", ("b",), [("2",)])])
    shown = capsys.readouterr().out
    assert shown.index("one") < shown.index("two")


def test_what_no_item_has_is_remarked(capsys: Captured) -> None:
    output.say_unknown(["label", "colour"], {"label"})
    output.say_unknown(None, set())
    assert capsys.readouterr().err.startswith("--by: no item has 'colour'. ")


def test_a_bar_is_for_terminals_only(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    with output.progress_bar("reading") as progress:
        assert progress is no_progress
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    for unit in ("items", "bytes"):
        with output.progress_bar("reading", unit) as progress:
            progress(1, 2)
            progress(2, None)
    shown = capsys.readouterr()
    assert (shown.out, "reading" in shown.err) == ("", True)
