"""Confusion tables of one run and of two."""

from __future__ import annotations

import msgspec

from referee.analysis.comparison.written import WrittenChange
from referee.reports.tables.written import change_table, confusion_table
from referee.reports.terminal import plain
from tests.reports.wording.test_written import FORMAL, INFORMAL


def test_expected_against_written() -> None:
    assert plain(confusion_table("t", FORMAL)).splitlines() == [
        "t: formality, expected and written",
        "expected  items  formal %  informal %  other form %  none found %  ambiguous %",
        "formal       70      85.7         0.0           0.0          14.3          0.0",
        "informal    140      42.9        42.9           0.0          14.3          0.0",
        "Percent of the outputs in which the value was expected.",
    ]


def test_tense_has_a_place_for_lemmas() -> None:
    assert confusion_table("t", msgspec.structs.replace(FORMAL, feature="tense")).note.endswith("not measured.")


def test_two_runs_side_by_side() -> None:
    table = change_table("B against A", WrittenChange(base=FORMAL, other=INFORMAL), "A", "B")
    assert plain(table).splitlines()[:8] == [
        "B against A: formality, expected and written",
        "expected  written     items   A %   B %  change (pp)",
        "formal    formal         70  85.7  42.9        -42.9",
        "formal    informal       70   0.0  42.9        +42.9",
        "formal    none found     70  14.3  14.3         +0.0",
        "informal  formal        140  42.9   0.0        -42.9",
        "informal  informal      140  42.9  85.7        +42.9",
        "informal  none found    140  14.3  14.3         +0.0",
    ]
    assert table.note.startswith("A is biased towards formal, B is biased towards informal.")
