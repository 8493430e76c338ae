from __future__ import annotations

import msgspec
import pytest

from referee.analysis.corpus.coverage import Compared, compare
from referee.reports.tables.corpus import choices_and_counts, coverage_table, coverages_table, priors_table
from referee.reports.terminal import plain
from tests.support.priors_sample import PREFERRED, priors, tendency

EVEN = {"m": 100, "f": 100, "n": 100}


def test_priors_as_the_paper_reads_them() -> None:
    """German: neuter 4.5 and 12 times as often as feminine and masculine; French: masculine 3.2 times as often."""
    german, french = priors_table(priors("de")), priors_table(priors("fr"))
    assert "masculine : feminine : neuter = 1.0 : 2.7 : 12.0." in german.note
    assert "masculine : feminine = 3.2 : 1.0." in french.note
    assert [row[:4] for row in german.rows] == [
        ("masculine", "er", "175,552", "6.4"),
        ("feminine", "sie*", "473,880", "17.1"),
        ("neuter", "es", "2,113,923", "76.5"),
    ]
    # No shares of the text in German, and the reason.
    assert {row[6:] for row in german.rows} == {("", "")}
    assert "* sie is ambiguous, so its count in the whole text says little." in german.note
    assert "Its polite use (12) is not counted." in german.note
    assert [row[6] for row in french.rows] == ["78.3", "21.7"]
    assert "*" not in plain(french)


def test_everything_that_became_of_the_word_is_told() -> None:
    note = priors_table(priors("de")).note
    assert "of several 1, other words 60, nothing 30, not aligned 9." in note
    assert "Other words: das 40, ihn 20." in note
    assert "Lines with 'it' that were not aligned: 9 longer than 100 tokens" in note
    assert "corrected in 3 lines" in priors_table(priors("ru")).note


def test_words_of_a_corpus_cannot_command_the_terminal() -> None:
    found = msgspec.structs.replace(priors("de"), other_words={"\x1b[2Jdas\u202e": 60})
    assert "Other words: [2Jdas 60." in priors_table(found).note


@pytest.mark.parametrize(("learned", "warned"), [(29_999, True), (30_000, False), (None, False)])
def test_few_pairs_to_learn_from_are_remarked(learned: int | None, warned: bool) -> None:
    found = msgspec.structs.replace(priors("ru"), learned_from=learned)
    assert ("(few: rare translations are unreliable)" in priors_table(found).note) is warned


def test_a_ratio_needs_all_genders() -> None:
    counts = [msgspec.structs.replace(count, translations=0) for count in priors("fr").genders]
    nothing = msgspec.structs.replace(priors("fr"), genders=tuple(counts), occurrences=100)
    assert " : " not in priors_table(nothing).note


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        (
            PREFERRED["de"],
            "Biased towards neuter, which is also the most frequent translation of 'it' in the corpus.\n",
        ),
        (
            {"m": 200, "f": 50, "n": 50},
            "Biased towards masculine, while neuter is the most frequent translation of 'it' in the corpus.",
        ),
        (EVEN, "Gender bias not significant"),
    ],
)
def test_choices_next_to_counts(chosen: dict[str, int], words: str) -> None:
    total = sum(chosen.values())
    table = choices_and_counts("set", tendency(chosen, dict.fromkeys("mfn", total // 3)), priors("de"))
    assert table.note.startswith(words)
    assert [row[-2:] for row in table.rows] == [
        ("175,552", "1,757,265"),
        ("473,880", "0"),
        ("2,113,923", "4,504,505"),
    ]


def test_the_order_of_genders_is_told_with_what_chance_gives() -> None:
    note = choices_and_counts("set", tendency(PREFERRED["ru"], dict.fromkeys("mfn", 703)), priors("ru")).note
    assert note.count("rho = +1.00, as high by chance in 16.7%.") == 2
    german = choices_and_counts("set", tendency(PREFERRED["de"], dict.fromkeys("mfn", 1258)), priors("de")).note
    assert german.count("rho") == 1  # the number of sie in all says nothing


def test_what_was_right_and_chosen() -> None:
    table = choices_and_counts("set", tendency({"m": 30, "f": 70}, {"m": 50, "f": 50}), priors("de"))
    assert [row[2:5] for row in table.rows] == [
        ("50 (50.0%)", "30 (30.0%)", "-20.0 (-22.0 to -18.0)"),
        ("50 (50.0%)", "70 (70.0%)", "+20.0 (+18.0 to +22.0)"),
        ("", "", ""),  # never offered
    ]


def test_counts_stand_alone_where_no_gender_was_chosen() -> None:
    table = choices_and_counts("set", [], priors("fr"))
    assert table.note == "Not measured: no evaluated candidates differ in gender."
    assert [row[2:5] for row in table.rows] == [("", "", "")] * 2


def test_coverage() -> None:
    lines = [Compared("Er kam.", "Er ging.", "1"), Compared("Es kam.", "Sie kam.", "2")]
    found = compare(lines, "de", left_out=3)
    table = coverage_table("set", found)
    assert table.title == "set: pronouns in translations and references"
    assert [row[:5] for row in table.rows] == [
        ("masculine", "er", "1", "1", "100.0"),
        ("feminine", "sie", "1", "0", "0.0"),
        ("neuter", "es", "0", "1", ""),
        ("all", "", "2", "2", "100.0"),
    ]
    assert "3 items without a reference or a translation are not counted." in table.note
    assert "Ambiguous, in both: sie." in table.note
    several = coverages_table("files", {"a": found, "b": found})
    assert [row[0] for row in several.rows] == ["a"] * 4 + ["b"] * 4
    assert all(len(row) == len(several.columns) for row in several.rows)
    assert all(len(row) == len(table.columns) for row in table.rows)
