"""The table of datasets, baselines and zero-shot."""

from __future__ import annotations

from pathlib import Path

import msgspec

import referee
from referee.analysis.accuracy import Findings, findings
from referee.items import Candidate, Item, SetOrigin
from referee.reports.export import csv_text, latex_text
from referee.reports.records import shortcut_records
from referee.reports.tables.accuracy import tables
from referee.reports.tables.square_one import shortcut_counts, shortcut_items, square_one_table
from referee.reports.terminal import plain
from referee.scoring.decision import contrastive
from referee.suites import suites
from referee.verdicts import Verdict
from tests.analysis.test_shortcuts import run
from tests.support.items import item


def result(suite: str, pairs: int, right: int, origin: SetOrigin | None = None) -> Findings:
    """So many twins, of which so many pairs are right and in the others one of both."""
    judged: list[tuple[Item, Verdict]] = []
    for number in range(pairs):
        for twin in (0, 1):
            own = item(id=f"{number}-{twin}", group=str(number), candidates=(Candidate("x"), Candidate("y")), gold=0)
            scores = [1.0, 0.0] if number < right or twin else [0.0, 1.0]
            judged.append((own, contrastive(own.id, scores, 0, higher=True)))
    (found,) = findings(suite, judged)
    return msgspec.structs.replace(found, origin=origin)


def baseline(of: str, change: str, pairs: int = 4, right: int = 2) -> Findings:
    return result(f"{of}+{change}", pairs, right, SetOrigin(of, change, "baseline"))


def probe(of: str, change: str, pairs: int = 4, right: int = 2) -> Findings:
    return result(f"{of}+{change}", pairs, right, SetOrigin(of, change, "probe"))


def setups(found: list[Findings]) -> list[tuple[str, str]]:
    table = square_one_table(found)
    return [] if table is None else [(row[0], row[1]) for row in table.rows]


def test_a_row_for_every_dataset_and_setup() -> None:
    found = [
        result("wsc", 20, 18),
        probe("wsc", "mask-special-word", 10, 0),
        baseline("wsc", "no-cands", 20, 5),
        baseline("wsc", "part-sent", 20, 3),
        result("winogrande/dev", 10, 5),
        baseline("winogrande/dev", "no-cands", 10, 5),
    ]
    assert setups(found) == [
        ("wsc", "original"),
        ("wsc", "no-cands"),
        ("wsc", "part-sent"),
        ("wsc", "mask-special-word"),
        ("winogrande/dev", "original"),
        ("winogrande/dev", "no-cands"),
    ]
    table = square_one_table(found)
    assert table is not None
    assert table.rows[0][2:4] == ("40", "95.0*")
    assert table.rows[0][5:8] == ("50.0", "20", "90.0*")
    assert table.rows[0][9:] == ("50.0", "25.0")
    # Half of the single answers of a pair are correct by chance.
    assert table.rows[2][3] == "57.5 "
    assert table.rows[3][7] == "0.0 "
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert "significantly above chance" in table.note


def test_the_published_sets_make_the_same_table() -> None:
    names = [f"square-one/{setup}/wsc" for setup in ("pairs", "no-cands", "part-sent", "zero-shot")]
    assert setups([result(name, 4, 2, suites()[name].origin) for name in names]) == [
        ("square-one/pairs/wsc", "original"),
        ("square-one/pairs/wsc", "no-cands"),
        ("square-one/pairs/wsc", "part-sent"),
        ("square-one/pairs/wsc", "zero-shot"),
    ]


def test_a_baseline_without_its_dataset_has_a_row_too() -> None:
    assert setups([baseline("wsc", "no-cands")]) == [("wsc", "no-cands")]


def test_variants_of_a_baseline_stand_beside_each_other() -> None:
    found = [result("wsc", 4, 2), baseline("wsc", "part-sent/words"), baseline("wsc", "part-sent")]
    assert setups(found) == [("wsc", "original"), ("wsc", "part-sent/words"), ("wsc", "part-sent")]


def test_without_a_baseline_there_is_no_table() -> None:
    attack = result("wsc+swap", 4, 2, SetOrigin("wsc", "swap", "attack"))
    assert setups([result("wsc", 4, 2), attack, result("wsc+no-cands", 4, 2)]) == []


def test_it_is_shown_at_the_end() -> None:
    shown = tables([result("wsc", 20, 18), baseline("wsc", "no-cands", 20, 5)])
    assert shown[-1].title == "datasets, baselines and zero-shot"
    assert "wsc      original" in plain(shown[-1])


def test_accuracies_that_beat_chance_have_a_mark() -> None:
    (table,) = tables([result("wsc", 20, 18)])
    assert [row[2] for row in table.rows] == ["95.0*", "90.0*"]
    assert "of the group score 50.0% (25.0%" in table.note
    assert "* significantly above chance" in table.note
    (other,) = tables([result("wsc", 20, 0)])
    assert [row[2] for row in other.rows] == ["50.0", "0.0"]
    assert "significantly" not in other.note


def test_shortcuts_have_a_table_of_counts_and_one_of_items() -> None:
    (shortcuts,) = run()
    counts, items = shortcut_counts(shortcuts), shortcut_items(shortcuts)
    assert counts.title == "wsc: associative items and solved baselines"
    assert counts.columns == ("associative", "no-cands", "part-sent", "items", "%")
    assert [tuple(map(str.strip, row)) for row in counts.rows][:3] == [
        ("yes", "yes", "yes", "2", "50.0"),
        ("yes", "yes", "no", "1", "25.0"),
        ("yes", "no", "yes", "0", "0.0"),
    ]
    assert counts.note.startswith("4 of 7 items. ")
    assert items.columns == ("item", "sentence", "associative", "no-cands", "part-sent")
    assert len(items.rows) == 7
    assert items.rows[2] == ("door-1", "The door fell because _ was old (1).", "no", "no", "")
    assert csv_text(items).splitlines()[1] == "cup-1,The cup fell because _ was old (1).,yes,yes,yes"
    assert "The cup fell because" in latex_text(items)


def test_shortcuts_are_in_json() -> None:
    (record,) = shortcut_records(run())
    assert record["counts"][0] == {"associative": True, "no_cands": True, "part_sent": True, "items": 2}
    assert (record["suite"], record["complete"], len(record["items"])) == ("wsc", 4, 7)


def test_wsc_with_both_baselines_has_the_tables_in_diagnosis_and_report(synthetic_data: Path) -> None:
    """The labels of the published file reach the items, and the tables come from one run."""
    original = suites()["wsc"].open(synthetic_data)
    assert {one.features["associative"] for one in original} <= {"0", "1"}

    def longest(source: str, candidates: list[str]) -> list[int]:
        return [len(candidate) for candidate in candidates]

    run_of = referee.evaluate(longest, "wsc", perturb=("no-cands", "part-sent"), data=synthetic_data)
    diagnosis = referee.diagnose(run_of)
    assert [found.suite for found in diagnosis.shortcuts] == ["wsc"]
    titles = {table.title for table in referee.report(run_of).tables()}
    assert {"wsc: associative items and solved baselines", "wsc: shortcuts by item"} <= titles
