"""Comparisons as tables and words."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from referee.analysis.comparison.compare import AllSuites, BreakdownRow, Comparison, RunPair, compare_runs
from referee.analysis.comparison.flips import Flip, Said
from referee.analysis.comparison.pairing import Unpaired
from referee.reports.tables.comparison import comparison_tables, flip_text, letter
from referee.reports.terminal import plain
from referee.reports.wording import detectable_sentence
from referee.scoring.decision import contrastive
from referee.stats.paired import MacroDifference, paired
from referee.stats.proportions import proportion
from referee.verdicts import Judged
from tests.reports.wording.test_comparison import LINE
from tests.support.items import item

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
    correct_to_incorrect=[],
    incorrect_to_correct=[],
)
RUNS = [("runs/old", "scores:old"), ("runs/new", "scores:new"), ("runs/other", "scores:other")]


def versus(*comparisons: Comparison, **changes: object) -> RunPair:
    return RunPair(0, 1, comparisons, **changes)  # type: ignore[arg-type]


def changed(**changes: object) -> Comparison:
    return msgspec.structs.replace(COMPARISON, **changes)


def texts(found: RunPair) -> list[str]:
    return [plain(table) for table in comparison_tables(RUNS, [found])[1:]]


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
        "difference (pp)": "+3.2",
        "95% CI": "+1.0 to +5.4",
        "p": "0.0012",
        "p (Holm)": "0.0024",
        "detectable (pp)": "4.1",
        "interpretation": "B is better by 3.2 pp (95% CI 1.0 to 5.4).",
    }
    assert table.note == detectable_sentence(LINE)
    assert effects.rows == [("x", "290", "10", "23", "77", "+0.197", "2.30", "+0.076", "0.0351")]


def test_a_gross_detectable_difference_is_not_worth_its_digits() -> None:
    """`compare` on six items could not have shown 125.3 points: above 60 no number is given."""
    base, other = [True] * 6, [False] + [True] * 5
    few = paired(base, other, np.arange(6))
    _, table, _ = comparison_tables(RUNS[:2], [versus(changed(items=few))])
    cells = dict(zip(table.columns, table.rows[0], strict=True))
    assert cells["detectable (pp)"] == ">60.0"
    assert cells["interpretation"].endswith("; too few groups to show any but the grossest difference.")
    assert table.note == "6 items: too few groups to show any but the grossest difference."


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
        "x (scores)",
        "x (scores): group score",
        "x (generation, rule paper)",
        "x (generation, rule token)",
        "y",
    ]


def test_all_suites() -> None:
    mean = MacroDifference(suites=2, groups=9, base=0.5, other=0.5, difference=0.0, interval=(-0.1, 0.1), p=1.0)
    found = versus(
        COMPARISON,
        changed(suite="y"),
        all_suites=[AllSuites(kind="contrastive", rule=None, suites=["x", "y"], mean=mean)],
    )
    table, effects = comparison_tables(RUNS, [found])[1:]
    assert table.rows[-1][0] == "all suites (mean of 2)"
    assert dict(zip(table.columns, table.rows[-1], strict=True))["detectable (pp)"] == "-"
    assert table.note == (
        "Detectable: minimum detectable difference (80% power). "
        "All suites: the mean over suites, without perturbed sets."
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
    assert "Not compared of x: 1 with other content, 2 only in A, 3 only in B, 4 not evaluated by both." in note
    assert "Only in A: y (scores), z (generation). Only in B: v (scores)." in note


def test_breakdowns() -> None:
    found = versus(changed(by={"label": [BreakdownRow("early", LINE), BreakdownRow("late", WORSE)]}))
    table = comparison_tables(RUNS, [found])[-1]
    assert (table.title, table.columns[:3]) == ("B against A by label", ("", "label", "items"))
    assert [row[1:3] + row[-1:] for row in table.rows] == [
        ("early", "400", "B is better by 3.2 pp (95% CI 1.0 to 5.4)."),
        ("late", "400", "A is better by 3.2 pp (95% CI 1.0 to 5.4)."),
    ]


def test_where_nothing_is_right() -> None:
    same = proportion([True] * 3 + [False], np.arange(4))
    without = {"items": None, "without_gold": 4, "same": same, "unpaired": Unpaired(only_base=1)}
    (text,) = texts(versus(changed(**without)))
    assert text.splitlines()[0] == "B against A: choices without a correct answer"
    assert text.splitlines()[2].split()[:4] == ["x", "4", "3", "75.0"]
    assert text.splitlines()[3] == "Not compared of x: 1 only in A."


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


# --- flips


def said(choice: int | None, *scores: float, margin: float | None = None, output: str | None = None) -> Said:
    return Said(choice=choice, tied=False, scores=scores, margin=margin, output=output)


def flip(**changes: object) -> Flip:
    made = Flip(
        suite="x",
        kind="contrastive",
        rule=None,
        item="a",
        direction="correct to incorrect",
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
        "x a: correct to incorrect, margin +1.25 to -1",
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
        "x a: correct to incorrect (rule token)",
        "  The dog barked. It was hungry.",
        "  * er, der",
        "  A: Er war hungrig.",
        "  C: Es war hungrig.",
    ]


def test_texts_cannot_command_the_terminal() -> None:
    hostile = flip_text(flip(source="It\x1b[2Jwas\r\nhungry.", item="a\x07", candidates=("E\u202er", "Es")), "A", "B")
    assert hostile.replace("\n", "").isprintable()
    assert len(hostile.splitlines()) == 4
