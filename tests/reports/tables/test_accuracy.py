"""What findings look like to a reader."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from referee.analysis.accuracy import Findings, GroupScore, Row
from referee.analysis.bias.preferences import Preference
from referee.analysis.chance_level import ChanceLevel
from referee.analysis.corpus.dataset import DatasetStatistics, Length
from referee.reports.format import interval, percent
from referee.reports.tables.accuracy import dataset_tables, summary, tables
from referee.reports.terminal import plain
from referee.runs.store import Counts, Inputs, RunInfo
from referee.stats.levels import Against
from referee.stats.proportions import Proportion
from referee.verdicts import Rule


def row(key: str, items: int, correct: int, tied: int = 0) -> Row:
    return Row(key, items, correct, tied, correct / items, (0.25, 0.755), items)


def shared(count: int, items: int = 8) -> Proportion:
    return Proportion(count, count / items, (0.1, 0.7), items)


def contrastive(suite: str = "s") -> Findings:
    return Findings(
        suite=suite,
        kind="contrastive",
        rule=None,
        chance=ChanceLevel(1 / 3, "guess"),
        overall=row("all", 8, 5, 1),
        by={"label": [row("[red]", 4, 1), row("y", 4, 4, 1)], "distance": [row("0", 8, 5, 1)]},
        group=GroupScore(groups=4, score=0.125, interval=(0.0, 0.5), singles=0),
        without_gold=0,
        preferences=[],
    )


def generative(rule: Rule, correct: int) -> Findings:
    return Findings(
        suite="s",
        kind="generative",
        rule=rule,
        chance=None,
        overall=row("all", 8, correct),
        by={"label": [row("x", 8, correct)]},
        group=None,
        without_gold=0,
        preferences=[],
    )


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0.0"), (1.0, "100.0"), (2 / 3, "66.7"), (0.0004, "0.0"), (0.9996, "100.0"), (0.5, "50.0")],
)
def test_percent(share: float, text: str) -> None:
    assert percent(share) == text


def test_interval() -> None:
    assert interval((0.25, 0.755)) == "25.0–75.5"


def test_contrastive_findings() -> None:
    (table,) = tables([contrastive()])
    assert table.title == "s"
    assert table.columns == ("", "items", "accuracy %", "95% CI", "ties")
    assert list(table.rows) == [
        ("all items", "8", "62.5", "25.0–75.5", "1"),
        ("group score (4 groups)", "", "12.5", "0.0–50.0", ""),
        ("label: [red]", "4", "25.0", "25.0–75.5", "0"),
        ("label: y", "4", "100.0", "25.0–75.5", "1"),
        ("distance: 0", "8", "62.5", "25.0–75.5", "1"),
    ]
    assert table.note == "Chance level 33.3%. Ties count as errors."
    assert "label: [red]" in plain(table)


def test_both_rules_stand_side_by_side() -> None:
    (table,) = tables([generative("paper", 2), generative("token", 6)])
    assert table.columns == ("", "items", "accuracy % (paper)", "95% CI", "accuracy % (token)", "95% CI")
    assert list(table.rows) == [
        ("all items", "8", "25.0", "25.0–75.5", "75.0", "25.0–75.5"),
        ("label: x", "8", "25.0", "25.0–75.5", "75.0", "25.0–75.5"),
    ]
    assert table.note == ""


def group(groups: int, score: float, **changes: Any) -> GroupScore:
    return GroupScore(groups=groups, score=score, interval=(0.0, 1.0), **({"singles": 0} | changes))


LEVELS = [
    (ChanceLevel(0.5, "guess"), "50.0%"),
    (ChanceLevel(0.5, "referents"), "50.0%, any antecedent"),
    (ChanceLevel(0.6, "heuristic", "gender", "n"), "60.0%, always neuter"),
]


@pytest.mark.parametrize(("chance", "words"), LEVELS)
def test_the_chance_level_is_shown_with_its_reason(chance: ChanceLevel, words: str) -> None:
    """And a star is explained by the interval, where there is one."""
    found = msgspec.structs.replace(contrastive(), chance=chance, group=None, against=Against("above"))
    (table,) = tables([found])
    assert table.note == (
        f"Chance level {words}; * significantly above chance (the whole CI is above). Ties count as errors."
    )
    assert table.rows[0][2] == "62.5*"


@pytest.mark.parametrize("standing", ["at", "not_above", "below", "inconclusive"])
def test_no_star_without_an_interval_above_chance(standing: Any) -> None:
    (table,) = tables([msgspec.structs.replace(contrastive(), against=Against(standing))])
    assert table.rows[0][2] == "62.5"
    assert "*" not in table.note


def test_both_chance_levels_of_a_group_score_and_what_it_leaves_out() -> None:
    scored = group(4, 0.75, singles=1200, chance=0.5, independent_chance=0.25, against=Against("above"))
    (table,) = tables([msgspec.structs.replace(contrastive(), group=scored)])
    assert table.note == (
        "Chance level 33.3%, of the group score 50.0% (25.0% guessing each item by itself); "
        "* significantly above chance (the whole CI is above). Ties count as errors. "
        "1,200 items without a group do not count in the group score."
    )
    assert table.rows[1][:4] == ("group score (4 groups)", "", "75.0*", "0.0–100.0")


def test_group_scores_of_both_rules() -> None:
    found = [
        msgspec.structs.replace(generative("paper", 4), group=group(3, 0.25)),
        msgspec.structs.replace(generative("token", 4), group=group(3, 0.75)),
    ]
    (table,) = tables(found)
    assert table.rows[1] == ("group score (3 groups)", "", "25.0", "0.0–100.0", "75.0", "0.0–100.0")


def test_preferences_where_there_is_no_gold() -> None:
    found = msgspec.structs.replace(
        contrastive(), overall=None, by={}, group=None, without_gold=8,
        preferences=[Preference(None, "gender", 8, {"m": shared(5), "f": shared(1), "tied": shared(2)})],
    )  # fmt: skip
    (table,) = tables([found])
    assert table.title == "s: choices without a correct answer (8 items)"
    assert table.columns == ("feature", "value", "chosen", "%", "95% CI")
    assert list(table.rows) == [
        ("gender", "m", "5", "62.5", "10.0–70.0"),
        ("gender", "f", "1", "12.5", "10.0–70.0"),
        ("gender", "tied", "2", "25.0", "10.0–70.0"),
    ]


def test_gold_and_no_gold_give_two_tables() -> None:
    found = msgspec.structs.replace(
        contrastive(), without_gold=2, preferences=[Preference(None, "gender", 2, {"m": shared(2, 2)})]
    )
    assert [table.title for table in tables([found])] == [
        "s",
        "s: choices without a correct answer (2 items)",
    ]


def test_a_table_for_every_suite() -> None:
    assert [table.title for table in tables([contrastive("a"), contrastive("b")])] == ["a", "b"]


def test_nothing_judged_gives_no_table() -> None:
    assert tables([msgspec.structs.replace(contrastive(), overall=None, by={}, group=None)]) == []


def info(counts: Counts | None) -> RunInfo:
    return RunInfo(
        status="done", inputs=Inputs("m", "x", {}, []), counts=counts, seed=1, resamples=1, signature="", command=[],
        versions={}, started="",
    )  # fmt: skip


def test_summary() -> None:
    counts = Counts(items=10, judged=7, tied=2, truncated=0, dropped={"no candidates": 3})
    assert summary(info(counts)) == "7 of 10 items evaluated; tied 2, truncated 0, dropped 3 no candidates"
    none = Counts(items=10, judged=10, tied=0, truncated=0, dropped={})
    assert summary(info(none)) == "10 of 10 items evaluated; tied 0, truncated 0, dropped 0"
    assert summary(info(None)) == "not finished"


def test_dataset_tables() -> None:
    statistics = DatasetStatistics(
        items=3,
        groups=2,
        candidates=6,
        with_gold=2,
        with_expected=1,
        counts={"label": {"[red]": 1, "y": 2}},
        lengths={"source": {"moses": Length(3, 13 / 3, 3.2145), "spaces": Length(3, 2.0, 0.0)}},
    )
    lengths, labels = dataset_tables("x.jsonl", statistics)
    assert lengths.title == "x.jsonl: 3 items in 2 groups, 6 candidates; 2 items with gold, 1 with expected forms"
    assert lengths.columns == ("length in tokens", "texts", "Moses", "sd", "spaces", "sd")
    assert list(lengths.rows) == [("source", "3", "4.33", "3.21", "2.00", "0.00")]
    assert (labels.title, labels.columns) == ("items by label", ("label", "items"))
    assert list(labels.rows) == [("[red]", "1"), ("y", "2")]
