"""Tables of sets that were made."""

from __future__ import annotations

from collections import Counter

from referee.build.aflite import AfliteResult, Round
from referee.build.templates import Tally as TemplateTally
from referee.perturbations import Tally
from referee.reports.tables.built import aflite_table, item_text, perturbed_table, reasons, templates_table
from tests.support.items import item


def test_templates_with_reasons_by_name() -> None:
    tallies = {"gender": TemplateTally(1_200), "event": TemplateTally(3, Counter(b=5, a=2_000))}
    table = templates_table("French", tallies)
    assert table.title == "French templates"
    assert table.rows == [("gender", "1,200", "none"), ("event", "3", "a (2,000), b (5)")]


def test_perturbations_with_the_most_frequent_reason_first() -> None:
    table = perturbed_table("a set", [Tally("swap", 2_000, 1_990, Counter({"has no twin": 1, "has no gap": 9}))])
    assert table.title == "a set"
    assert table.rows == [("swap", "2,000", "1,990", "has no gap (9), has no twin (1)")]
    assert reasons([]) == "none"


def test_rounds_of_aflite_and_what_is_left() -> None:
    filtered = AfliteResult(6, (item(),), (Round(6, 0.75, 5, [0, 1, 2, 3, 4]),), 0.5, 3, 1, 1, None)
    table = aflite_table(filtered)
    assert table.rows == [("1", "6", "75.0", "5", "5"), ("left", "1", "50.0", "", "")]
    assert table.note == "1 of 3 groups remain, 1 of them incomplete."


def test_an_item_to_be_read() -> None:
    text = item_text(item(source_context=("I saw a dog.",), target_context=("Ich sah einen Hund.",)))
    assert text.splitlines() == [
        "a",
        "  I saw a dog. It was hungry.",
        "  -> Ich sah einen Hund.",
        "  * Er war hungrig.",
        "    Sie war hungrig.",
        "    Es war hungrig.",
    ]
    assert "*" not in item_text(item(gold=None))
