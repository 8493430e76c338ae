"""The chart that a page opens with: every figure with its interval and its chance level, and always a picture."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from referee.analysis.accuracy import Findings
from referee.reports.charts import most_rows, opening_chart
from referee.reports.charts.opening import NARROW, WIDE
from referee.reports.model import Chart
from tests.support.pictures import Picture, near, picture
from tests.support.planted import findings_from, judged, paired

TWINS = paired([(True, True)] * 6 + [(True, False)] * 4)
SINGLE = findings_from(judged("x", 20, 15))
RUN = {"Noun gender": SINGLE, "Antecedent choice": TWINS}


def wide(chart: Chart | None) -> Picture:
    assert chart is not None
    return picture(replace(chart, svg=chart.wide))


def in_percent(*values: float | None) -> list[float]:
    return [100 * value for value in values if value is not None]


def test_accuracy_group_score_intervals_and_chance_levels() -> None:
    chart = opening_chart({"run": RUN})
    assert SINGLE.overall is not None
    assert TWINS.overall is not None
    assert TWINS.group is not None
    for seen in (picture(chart), wide(chart)):
        assert seen.dots("c1") == near([75, 80])
        assert seen.dots("ring c1") == near([60])
        intervals = [SINGLE.overall.interval, TWINS.overall.interval, TWINS.group.interval]
        ends = [end for ends in seen.spans("c1") for end in ends]
        assert ends == near(in_percent(*(end for ends in intervals for end in ends)))
        assert SINGLE.chance is not None
        assert TWINS.chance is not None
        levels = in_percent(SINGLE.chance.level, TWINS.chance.level, TWINS.group.chance)
        assert seen.uprights("ink") == near(levels)
        assert len(levels) == 3
        assert {"accuracy", "group score", "chance level"} <= set(seen.words)


def test_figures_stand_next_to_their_marks() -> None:
    narrow = picture(opening_chart({"run": RUN}))
    heights = [(y, x) for words, x, y in narrow.texts if words in ("75.0", "80.0", "60.0")]
    marks = sorted((y, x) for look, x, y in narrow.symbols if "c1" in look and y > narrow.scale)
    assert [y for y, _ in heights] == near([y + 4 for y, _ in marks])
    # A wide screen has room for the intervals.
    assert "60.0 (26.2–87.8)" in wide(opening_chart({"run": RUN})).words


def test_words_say_what_marks_mean() -> None:
    chart = opening_chart({"run": RUN}, "phenomenon")
    assert chart is not None
    assert chart.title == "Accuracy and group score by phenomenon"
    assert chart.about == (
        "Accuracy is highest on Antecedent choice (80.0%) and lowest on Noun gender (75.0%). A filled mark is the "
        "accuracy on one phenomenon. A hollow mark is the group score: the share of groups in which all members are "
        "correct. Horizontal lines are 95% CIs. A vertical tick is the chance level: a figure is above chance if its "
        "whole CI lies to the right of it."
    )


def test_nothing_is_said_of_what_is_not_drawn() -> None:
    unknown = msgspec.structs.replace(SINGLE, chance=None)
    chart = opening_chart({"run": {"suite": unknown}})
    assert chart is not None
    assert chart.title == "Accuracy by suite"
    assert chart.about == "Accuracy is 75.0%. A filled mark is the accuracy on one suite. Horizontal lines are 95% CIs."
    assert {"group score", "chance level"}.isdisjoint(picture(chart).words)


def test_runs_have_their_own_colour_and_shape() -> None:
    chart = opening_chart({"one": RUN, "two": {"Antecedent choice": SINGLE}})
    seen = wide(chart)
    assert seen.dots("c1") == near([75, 80])
    assert seen.dots("c2") == near([75])
    assert {"one", "two"} <= set(seen.words)
    # Accuracies of one row stand together; the group score is below.
    heights = {look: y for look, _, y in seen.symbols if y > seen.scale}
    assert heights["c1"] < heights["c2"] < heights["ring c1"]
    assert chart is not None
    assert "highest on Antecedent choice (one, 80.0%)" in chart.about


def test_a_name_that_is_long_is_wrapped() -> None:
    long = "Noun gender, possessive without article (the donkey of the woman)"
    chart = opening_chart({"run": {long: SINGLE}})
    narrow, broad = picture(chart), wide(chart)
    for seen, width in ((narrow, NARROW), (broad, WIDE)):
        lines = [words for words in seen.words if words in long]
        assert " ".join(lines) == long
        assert len(lines) == 2
        assert all(0 <= x <= width for _, x, _ in seen.texts)
    # On a phone the name is above its marks, on a wide screen to the left of them.
    (dot,) = [y for look, _, y in narrow.symbols if look == "c1" and y > narrow.scale]
    assert narrow.position("donkey of the woman)")[1] < dot
    assert broad.value(broad.position("donkey of the woman)")[0]) < 0


def many(families: int, suites: int) -> dict[str, Findings]:
    return {f"family{family}/de/{suite}": TWINS for family in range(families) for suite in range(suites)}


def test_many_suites_are_still_a_picture() -> None:
    suites = many(4, 10) | {"family0/de/0": SINGLE, "alone": SINGLE}
    chart = opening_chart({"run": suites})
    seen = wide(chart)
    rows = [words for words in seen.words if words == "alone" or words.startswith("family")]
    assert rows == [*(f"family{family}/de (10 suites)" for family in range(4)), "alone"]
    # A mark for each suite; the line is from the lowest to the highest.
    assert sorted(seen.dots("c1")) == near([75, 75, *[80] * 39])
    assert seen.spans("c1")[0] == near([75, 80])
    assert "75.0–80.0" in seen.words
    assert chart is not None
    assert chart.title == "Accuracy and group score by family of suites"
    assert "The section All suites shows every suite with its 95% CI." in chart.about
    assert len(chart.svg) < 25_000


def test_families_are_as_small_as_a_picture_allows() -> None:
    chart = opening_chart({"run": {f"made/{name}/{part}": SINGLE for name in range(20) for part in ("dev", "test")}})
    assert sum(words.endswith("(2 suites)") for words in wide(chart).words) == 20


def test_runs_side_by_side_take_the_room_of_rows() -> None:
    suites = many(4, 5)
    assert opening_chart({"run": suites}) == opening_chart({"run": suites}, fold=False)
    seen = wide(opening_chart({"one": suites, "two": suites}))
    assert sum(words.endswith("(5 suites)") for words in seen.words) == 4
    assert [most_rows(runs) for runs in (1, 2, 3, 8)] == [30, 15, 10, 10]


def test_all_suites_with_their_intervals() -> None:
    suites = many(4, 10)
    assert len(suites) > most_rows(1)
    chart = opening_chart({"run": suites}, fold=False)
    assert len(picture(chart).dots("c1")) == 40
    assert chart is not None
    assert chart.title == "Accuracy and group score by suite"


def test_no_accuracy_no_chart() -> None:
    assert opening_chart({}) is None
    assert opening_chart({"run": {"suite": findings_from([])}}) is None
