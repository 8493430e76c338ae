"""Runs side by side, and the words about them."""

from __future__ import annotations

from referee.reports.charts.series import (
    chance_words,
    common_chance,
    keys,
    sentence,
    side_by_side,
    titled,
)
from tests.support.planted import labelled, paired

PLAIN = labelled({"a": (8, 4)})
GROUPED = paired([(True, False), (True, True)])


def test_each_series_has_a_look_of_its_own() -> None:
    series, note = side_by_side(["a", "b", "c"])
    assert [one.name for one in series] == ["a", "b", "c"]
    assert len({one.colour for one in series}) == len({one.symbol for one in series}) == 3
    assert note == ""


def test_more_names_than_colours() -> None:
    series, note = side_by_side(map(str, range(9)))
    assert len(series) == 8
    assert note == "Only the first 8 of 9 are shown."


def test_one_series_needs_no_legend() -> None:
    assert keys(side_by_side(["a"])[0]) == []
    assert [key.words for key in keys(side_by_side(["a", "b"])[0], "bar")] == ["a", "b"]


def test_words() -> None:
    other = labelled({"a": (8, 4)}, "other")
    assert titled([PLAIN, PLAIN], "accuracy by label") == "suite: accuracy by label"
    assert titled([PLAIN, other], "accuracy by label") == "Accuracy by label"
    assert sentence("", "One.", "", "Two.") == "One. Two."
    assert chance_words(None) == ""
    assert chance_words(0.5) == "The dashed line is the chance level, 50.0%."


def test_chance_where_all_agree() -> None:
    assert PLAIN.chance is not None
    assert common_chance([PLAIN, PLAIN]) == PLAIN.chance.level
    assert common_chance([PLAIN, GROUPED]) is None
