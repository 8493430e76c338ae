"""Comparisons as tables and words."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from referee.analysis.comparison.compare import AllSuites, BreakdownRow, Comparison, RunPair, compare_runs
from referee.analysis.comparison.flips import Flip, Said
from referee.analysis.comparison.pairing import Unpaired
from referee.reports.tables.comparison import comparison_tables, conditions, flip_text, in_words, letter, missed
from referee.reports.terminal import plain
from referee.runs.store import Inputs, RunInfo, SuiteInput
from referee.scoring.decision import contrastive
from referee.stats.paired import MacroDifference, PairedDifference
from referee.stats.proportions import proportion
from referee.verdicts import Judged
from tests.support.items import item

LINE = PairedDifference(
    items=400,
    groups=200,
    base=0.75,
    other=0.782,
    difference=0.032,
    interval=(0.01, 0.054),
    both_right=290,
    only_base=10,
    only_other=23,
    both_wrong=77,
    p=0.0012,
    mcnemar=0.0351,
    cohen_g=0.197,
    odds_ratio=2.3,
    cohen_h=0.076,
    detectable=0.0411,
    holm=0.0024,
)
WORSE = msgspec.structs.replace(LINE, difference=-0.032, interval=(-0.054, -0.01))
COMPARISON = Comparison(
    suite="x",
    kind="contrastive",
    rule=None,
    unpaired=Unpaired(),
    items=LINE,
    groups=None,
    without_gold=0,
    same=None,
    by={},
    right_to_wrong=[],
    wrong_to_right=[],
)
RUNS = [("runs/old", "scores:old"), ("runs/new", "scores:new"), ("runs/other", "scores:other")]


def versus(*comparisons: Comparison, **changes: object) -> RunPair:
    return RunPair(0, 1, comparisons, **changes)  # type: ignore[arg-type]


def changed(**changes: object) -> Comparison:
    return msgspec.structs.replace(COMPARISON, **changes)


def texts(found: RunPair) -> list[str]:
    return [plain(table) for table in comparison_tables(RUNS, [found])[1:]]


# --- words


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (LINE, "B is better by 3.2 points (1.0 to 5.4)"),
        (WORSE, "A is better by 3.2 points (1.0 to 5.4)"),
        (
            msgspec.structs.replace(LINE, holm=0.06),
            "no difference shown (p 0.0012 before correction); the set could have shown 4.1 points",
        ),
        (msgspec.structs.replace(LINE, p=0.3, holm=0.6), "no difference shown; the set could have shown 4.1 points"),
        (msgspec.structs.replace(LINE, p=0.3, holm=None), "no difference shown; the set could have shown 4.1 points"),
        (msgspec.structs.replace(LINE, holm=None), "B is better by 3.2 points (1.0 to 5.4)"),
        (
            msgspec.structs.replace(LINE, p=1.0, holm=1.0, only_base=0, only_other=0),
            "the same are right in both; the set could have shown 4.1 points",
        ),
        (
            msgspec.structs.replace(LINE, p=1.0, holm=1.0, detectable=None),
            "no difference shown; fewer than 6 groups can show none",
        ),
    ],
)
def test_a_line_in_words(line: PairedDifference, words: str) -> None:
    assert in_words(line, "A", "B") == words


def test_what_would_be_missed() -> None:
    five = "would be missed more than one time in five"
    assert missed(LINE) == f"with these 400 items (200 groups), differences under 4.1 points {five}"
    assert (
        missed(msgspec.structs.replace(LINE, groups=400))
        == f"with these 400 items, differences under 4.1 points {five}"
    )
    few = msgspec.structs.replace(LINE, items=4, groups=2, detectable=None)
    assert missed(few) == "with these 4 items (2 groups) no difference could be shown: it takes 6 groups or more"


def test_letters() -> None:
    assert [letter(place) for place in (0, 1, 25, 26)] == ["A", "B", "Z", "R27"]


# --- tables


def test_one_suite() -> None:
    names, table, effects = comparison_tables(RUNS[:2], [versus(COMPARISON)])
    assert plain(names).splitlines() == [
        "runs",
        "   run       model",
        "A  runs/old  scores:old",
        "B  runs/new  scores:new",
    ]
    assert table.title == "B against A"
    assert dict(zip(table.columns, table.rows[0], strict=True)) == {
        "": "x",
        "items": "400",
        "A %": "75.0",
        "B %": "78.2",
        "difference": "+3.2",
        "95 % interval": "+1.0 to +5.4",
        "p": "0.0012",
        "p (Holm)": "0.0024",
        "could show": "4.1",
        "in words": "B is better by 3.2 points (1.0 to 5.4)",
    }
    assert table.note == missed(LINE)
    assert effects.rows == [("x", "290", "10", "23", "77", "+0.197", "2.30", "+0.076", "0.0351")]


@pytest.mark.parametrize(
    ("only_base", "only_other", "ratio", "shown"), [(0, 0, None, "-"), (0, 4, None, "inf"), (4, 0, 0.0, "0.00")]
)
def test_odds_that_have_no_ratio(only_base: int, only_other: int, ratio: float | None, shown: str) -> None:
    line = msgspec.structs.replace(LINE, only_base=only_base, only_other=only_other, odds_ratio=ratio)
    (_, _, effects) = comparison_tables(RUNS, [versus(changed(items=line))])
    assert effects.rows[0][6] == shown


def test_groups_rules_and_kinds_are_told_apart() -> None:
    found = versus(
        changed(groups=WORSE),
        changed(kind="generative", rule="paper"),
        changed(kind="generative", rule="token"),
        changed(suite="y"),
    )
    names = [row[0] for row in comparison_tables(RUNS, [found])[1].rows]
    assert names == [
        "x, by scores",
        "x, by scores: whole groups",
        "x, translated by paper",
        "x, translated by token",
        "y",
    ]


def test_all_suites() -> None:
    mean = MacroDifference(
        suites=2, groups=9, base=0.5, other=0.5, difference=0.0, interval=(-0.1, 0.1), p=1.0, detectable=0.2
    )
    found = versus(
        COMPARISON,
        changed(suite="y"),
        all_suites=[AllSuites(kind="contrastive", rule=None, suites=["x", "y"], mean=mean)],
    )
    table, effects = comparison_tables(RUNS, [found])[1:]
    assert table.rows[-1][0] == "all suites (2, each counts the same)"
    assert table.note == (
        "could show: smaller differences would be missed more than one time in five; "
        "all suites: the mean of the differences of the suites, attacked sets left out"
    )
    assert len(effects.rows) == 2


def test_what_was_not_compared_is_said() -> None:
    unpaired = Unpaired(other_content=1, only_base=2, only_other=3, not_judged=4)
    found = versus(
        changed(unpaired=unpaired),
        only_base=[("y", "contrastive"), ("z", "generative")],
        only_other=[("v", "contrastive")],
    )
    note = comparison_tables(RUNS, [found])[1].note
    assert "not compared of x: 1 with other content, 2 only in A, 3 only in B, 4 not judged by both" in note
    assert "only in A: y by scores, z translated; only in B: v by scores" in note


def test_breakdowns() -> None:
    found = versus(changed(by={"label": [BreakdownRow("early", LINE), BreakdownRow("late", WORSE)]}))
    table = comparison_tables(RUNS, [found])[-1]
    assert (table.title, table.columns[:3]) == ("B against A by label", ("", "label", "items"))
    assert [row[1:3] + row[-1:] for row in table.rows] == [
        ("early", "400", "B is better by 3.2 points (1.0 to 5.4)"),
        ("late", "400", "A is better by 3.2 points (1.0 to 5.4)"),
    ]


def test_where_nothing_is_right() -> None:
    same = proportion([True] * 3 + [False], np.arange(4))
    without = {"items": None, "without_gold": 4, "same": same, "unpaired": Unpaired(only_base=1)}
    (text,) = texts(versus(changed(**without)))
    assert text.splitlines()[0] == "B against A: where there is no right answer"
    assert text.splitlines()[2].split()[:4] == ["x", "4", "3", "75.0"]
    assert text.splitlines()[3] == "not compared of x: 1 only in A"


def test_several_runs() -> None:
    titles = [
        table.title
        for table in comparison_tables(
            RUNS, [versus(COMPARISON), RunPair(0, 2, [COMPARISON]), RunPair(1, 2, [COMPARISON])]
        )
    ]
    assert titles[:2] == ["runs", "B against A"]
    assert titles[3::2] == ["C against A", "C against B"]


def test_tables_of_what_was_really_compared() -> None:
    """Every row has as many cells as there are columns, whatever there is to compare."""
    items = [item(id=f"{n}", group=f"{n // 2}", gold=None if n > 7 else 0, label="z") for n in range(12)]
    runs = [
        [
            Judged(suite, "contrastive", items, [contrastive(i.id, s, i.gold, higher=True) for i in items])
            for suite in ("x", "y")
        ]
        for s in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    ]
    tables = comparison_tables(RUNS, compare_runs(runs, ["label"], all_pairs=True))
    assert len(tables) == 1 + 4
    for table in tables:
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert max(table.left) < len(table.columns)


# --- conditions


def info(model: str = "hf:a", digest: str = "1", content: str = "a" * 64, **settings: str) -> RunInfo:
    return RunInfo(
        status="done",
        inputs=Inputs(model, digest * 64, settings, [SuiteInput("x", 4, content), SuiteInput("y", 2, "c" * 64)]),
        seed=1,
        resamples=1,
        signature="",
        command=[],
        versions={},
        started="",
    )


def test_equal_conditions_need_no_words() -> None:
    assert conditions(info(norm="ppl"), info("hf:renamed", norm="ppl")) == []


def test_other_conditions_are_said() -> None:
    base = info(norm="ppl", separator=" ", part="whole")
    other = info("hf:b", "2", "b" * 64, norm="sum", separator="|", part="whole", beam="4")
    assert conditions(base, other) == [
        "other model (hf:a, hf:b)",
        "other beam (not set, 4)",
        "other norm (ppl, sum)",
        "other separator (' ', |)",
        "other content of x (4 items #aaaaaaaa, 4 items #bbbbbbbb)",
    ]


# --- flips


def said(choice: int | None, *scores: float, margin: float | None = None, output: str | None = None) -> Said:
    return Said(choice=choice, tied=False, scores=scores, margin=margin, output=output)


def flip(**changes: object) -> Flip:
    made = Flip(
        suite="x",
        kind="contrastive",
        rule=None,
        item="a",
        direction="right to wrong",
        label=None,
        context=("The dog barked.",),
        source="It was hungry.",
        candidates=("Er war hungrig.", "Es war hungrig."),
        gold=0,
        expected=(),
        base=said(0, -1.25, -2.5, margin=1.25),
        other=said(1, -3.0, -2.0, margin=-1.0),
        change=-2.0,
    )
    return msgspec.structs.replace(made, **changes)


def test_a_flip_to_read() -> None:
    assert flip_text(flip(), "A", "B").splitlines() == [
        "x a: right to wrong, margin +1.25 to -1",
        "  The dog barked. It was hungry.",
        "  * A     -1.25<  B        -3   Er war hungrig.",
        "    A      -2.5   B        -2<  Es war hungrig.",
    ]


def test_a_flip_of_translations() -> None:
    made = flip(
        kind="generative",
        rule="token",
        candidates=(),
        gold=None,
        expected=("er", "der"),
        base=said(None, output="Er war hungrig."),
        other=said(None, output="Es war hungrig."),
        change=None,
    )
    assert flip_text(made, "A", "C").splitlines() == [
        "x a: right to wrong by token",
        "  The dog barked. It was hungry.",
        "  * er, der",
        "  A: Er war hungrig.",
        "  C: Es war hungrig.",
    ]


def test_texts_cannot_command_the_terminal() -> None:
    hostile = flip_text(flip(source="It\x1b[2Jwas\r\nhungry.", item="a\x07", candidates=("E\u202er", "Es")), "A", "B")
    assert hostile.replace("\n", "").isprintable()
    assert len(hostile.splitlines()) == 4
