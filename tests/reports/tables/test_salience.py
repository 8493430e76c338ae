"""Salience maps on a terminal and in a pipe, and the table of importance."""

from __future__ import annotations

import io

import pytest
from scipy.stats import beta

from referee.analysis.salience.importance import importance
from referee.analysis.salience.record import Salience, Token, Weight
from referee.items import Item
from referee.reports.tables.salience import importance_table, maps, plain_words, shaded_words, show_maps
from referee.reports.terminal import plain
from referee.verdicts import Judged
from tests.support.items import item


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


ITEM = item(source="It was too full.", source_context=("A cup.", "It fell."))
FOUND = Salience(
    "s",
    "a",
    "er",
    0.4126,
    (
        Weight("source_context", 1, 0, 2, 0.0),
        Weight("source_context", 1, 3, 7, -0.1),
        Weight("source", 0, 0, 2, 0.123),
        Weight("source", 0, 3, 6, 0.00049),
        Weight("source", 0, 11, 15, 0.25, trigger=True),
        Weight("source", 0, 15, 16, 0.001, compared=False),
    ),
)


def test_the_published_test_has_a_row_of_its_own() -> None:
    twins = [
        Salience("s", f"q-{number}", "er", 0.4, weights, "g", (Token(1, 0.2), Token(number + 5, 0.3), Token(3, 0.1)))
        for number, weights in (
            (1, FOUND.weights),
            (2, (*FOUND.weights[2:4], Weight("source", 0, 11, 15, 0.3, trigger=True))),
        )
    ]
    made = importance(twins)
    assert made is not None
    table = importance_table([made])
    assert [row[1] for row in table.rows] == ["signed", "absolute", "tokens (published)"]
    assert table.rows[2][2:7] == ("2", "2", "4", "+30.0", "+15.0")
    assert "Welch" in (table.note or "")
    bare = importance([Salience("s", "a", "er", 0.4, FOUND.weights)])
    assert bare is not None
    assert [row[1] for row in importance_table([bare]).rows] == ["signed", "absolute"]


def test_words_in_a_pipe() -> None:
    assert plain_words(ITEM, FOUND) == "It fell(-10.0). It(+12.3) was too [full](+25.0).(+0.1)"


def test_a_map_in_a_pipe() -> None:
    stream = io.StringIO()
    maps([(ITEM, FOUND)], stream)
    title, head, body = stream.getvalue().splitlines()
    assert title == (
        "salience maps: [trigger word]; numbers: percentage points of probability lost when the word is removed"
    )
    assert head == "s a: probability of er 41.3%"
    assert body == "  It fell(-10.0). It(+12.3) was too [full](+25.0).(+0.1)"


def test_no_maps_no_words() -> None:
    stream = io.StringIO()
    maps([], stream)
    assert stream.getvalue() == ""


def test_the_more_a_word_counts_the_deeper_its_ground() -> None:
    found = shaded_words(ITEM, FOUND)
    assert found.plain == "It fell. It was too [full]."
    grounds = {found.plain[span.start : span.end]: span.style for span in found.spans}
    assert {word: style.bgcolor and style.bgcolor.name for word, style in grounds.items() if word.strip(" .")} == {  # type: ignore[union-attr]
        "fell": "rgb(181,205,241)",
        "It": "rgb(255,198,130)",
        "was": None,
        " too ": None,
        "[full]": "rgb(255,140,0)",
    }
    assert grounds["[full]"].bold  # type: ignore[union-attr]


def test_a_map_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = Terminal()
    maps([(ITEM, FOUND)], stream)
    shown = stream.getvalue()
    assert "48;2;255;140;0m[full]" in shown
    assert "orange" in shown
    assert "(+25.0)" not in shown


def test_without_colour_nothing_is_coloured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    stream = Terminal()
    maps([(ITEM, FOUND)], stream)
    assert "48;2" not in stream.getvalue()


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_nothing_in_an_item_steers_the_terminal(stream: io.StringIO) -> None:
    source = "Red \x1b[31mink\x07 [red]x[/red] \u202eabc\r\nend"
    hostile = item(id="\x1b[2J", source=source)
    maps([(hostile, Salience("\x1b", "\x1b[2J", "\x1b]0;x\x07", 0.5, (Weight("source", 0, 0, 3, 0.5),)))], stream)
    shown = stream.getvalue()
    assert "\x1b[31m" not in shown
    assert "\x1b[2J" not in shown
    assert "\x1b]0" not in shown
    assert "\u202e" not in shown
    assert "\x07" not in shown
    assert "[red]x[/red]" in shown


def judged(*items: Item) -> list[Judged]:
    return [Judged("s", "contrastive", items, ())]


def test_items_with_triggers_come_first() -> None:
    without = Salience("s", "b", "er", 0.5, (Weight("source", 0, 0, 2, 0.5),))
    unknown = Salience("s", "gone", "er", 0.5, ())
    stream = io.StringIO()
    show_maps(judged(ITEM, item(id="b")), [unknown, without, FOUND], 1, stream)
    assert stream.getvalue().splitlines()[1] == "s a: probability of er 41.3%"
    stream = io.StringIO()
    show_maps(judged(ITEM, item(id="b")), [unknown, without, FOUND], 5, stream)
    assert [line for line in stream.getvalue().splitlines() if line.startswith("s ")] == [
        "s a: probability of er 41.3%",
        "s b: probability of er 50.0%",
    ]


def worst_group_interval(share: float, groups: int) -> tuple[float, float]:
    """Groups that all have one share: only the weight of the worst group moves it, which is Beta(1, groups)."""
    moved = float(beta(1, groups).ppf(0.975))
    return share * (1 - moved), share + (1 - share) * moved


def test_the_table_of_importance() -> None:
    records = [
        Salience(
            "s",
            str(number),
            "er",
            0.5,
            tuple(Weight("source", 0, n, n + 1, value, n == 0) for n, value in enumerate(values)),
        )
        for number, values in enumerate(3 * [(0.4, 0.1, -0.1), (0.5, 0.2, 0.0), (0.3, 0.0, 0.1), (0.45, 0.1, 0.05)])
    ]
    made = importance(records)
    assert made is not None
    table = importance_table([made])
    assert len(table.rows) == 2
    assert all(len(row) == len(table.columns) for row in table.rows)
    signed, absolute = (dict(zip(table.columns, row, strict=True)) for row in table.rows)
    assert signed["suite"] == "s"
    assert (signed["items"], signed["triggers"], signed["others"]) == ("12", "12", "24")
    assert signed["mean (pp)"] == "+41.2"
    assert signed["d"] == f"{made.signed.d:+.2f}"
    # The trigger word always ranks first of three: (3 - 1/2) / 3, twelve times, so the worst group decides.
    low, high = worst_group_interval(5 / 6, 12)
    assert (signed["mean rank %"], signed["95% CI"]) == ("83.3", f"{100 * low:.1f}–{100 * high:.1f}")
    assert signed["interpretation"] == (
        "Trigger words are much more salient than other words (mean rank 83.3%, 50.0% if equal; large effect)."
    )
    assert {absolute[name] for name in ("mean rank %", "95% CI", "p (ranks)", "interpretation")} == {""}
    assert absolute["salience"] == "absolute"
    assert "salience of trigger words" in plain(table)


def test_a_table_where_nothing_varies() -> None:
    records = [
        Salience("s", str(n), "er", 0.5, (Weight("source", 0, 0, 1, 0.1, True), Weight("source", 0, 1, 2, 0.1)))
        for n in range(3)
    ]
    made = importance(records)
    assert made is not None
    row = dict(zip(importance_table([made]).columns, importance_table([made]).rows[0], strict=True))
    assert {row[name] for name in ("d", "p (words)", "d_z", "p (items)")} == {"-"}
    # No spread is no certainty: the worst group gives the interval its width.
    low, high = worst_group_interval(0.5, 3)
    assert (row["mean rank %"], row["95% CI"]) == ("50.0", f"{100 * low:.1f}–{100 * high:.1f}")
    assert row["interpretation"] == "Inconclusive (needs about 7 more groups): mean rank 50.0%, 50.0% if equal."
