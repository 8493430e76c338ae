"""Charts of curves."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import msgspec
import pytest

from referee.analysis.accuracy import Findings
from referee.reports.charts import distance_curve, learning_curve
from referee.reports.charts.curves import short
from tests.support.pictures import Picture, near, picture
from tests.support.planted import distant, findings_from, judged, labelled, paired


def heights(seen: Picture, colour: str, panel: int = 0) -> list[float]:
    """The values of a curve, from left to right."""
    # Words stand a third of their size below the height they name.
    high, low = (sorted(y - 4 for words, _, y in seen.texts if words == level)[panel] for level in ("75", "25"))
    quarter = (low - high) / 2
    dots = [
        (x, 75 - (y - high) / quarter * 25)
        for fill, x, y in seen.symbols
        if fill == colour and high - quarter - 1 < y < low + quarter + 1
    ]
    return [value for _, value in sorted(dots)]


def test_accuracy_and_groups_over_training_sizes() -> None:
    points = [
        (size, {"twins": paired([(True, number < whole) for number in range(10)])})
        for size, whole in ((0, 0), (100, 2), (1000, 5), (10000, 10))
    ]
    chart = learning_curve(list(reversed(points)))
    seen = picture(chart)
    assert heights(seen, "c1", 0) == near([50, 60, 75, 100])
    assert heights(seen, "c1", 1) == near([0, 20, 50, 100])
    assert {"accuracy (%), 95% CI", "group score (%), 95% CI", "chance 50.0%"} <= set(seen.words)
    first, second, third, fourth = sorted({x for fill, x, _ in seen.symbols if fill == "c1"})
    # A step for each tenfold, and one for no training at all.
    assert [second - first, third - second, fourth - third] == near([second - first] * 3)
    assert chart is not None
    assert chart.title == "suite: learning curve"
    assert "twins from 50.0% to 100.0%" in chart.about


def test_sizes_that_lie_near_each_other_are_not_logarithmic() -> None:
    seen = picture(learning_curve([(size, {"a": labelled({"x": (4, 2)})}) for size in (100, 200, 400)]))
    first, second, third = sorted({x for fill, x, _ in seen.symbols if fill == "c1"})
    assert (third - second) == pytest.approx(2 * (second - first), abs=0.05)
    assert "group score (%), 95% CI" not in seen.words


def test_suites_and_a_size_that_one_lacks() -> None:
    points = [(1, {"a": labelled({"x": (4, 1)}), "b": labelled({"x": (4, 4)})}), (5, {"a": labelled({"x": (4, 3)})})]
    seen = picture(learning_curve(points))
    assert heights(seen, "c1") == near([25, 75])
    assert heights(seen, "c2") == near([100])
    assert {"a", "b"} <= set(seen.words)


def test_one_size_is_no_curve() -> None:
    assert learning_curve([]) is None
    assert learning_curve([(10, {"a": labelled({"x": (4, 1)})})]) is None
    assert learning_curve([(10, {"a": findings_from([])}), (20, {"a": findings_from([])})]) is None


def test_accuracy_over_distance() -> None:
    chart = distance_curve({"run": distant({0: (1200, 900), 1: (10, 5), 3: (8, 2)})})
    seen = picture(chart)
    assert heights(seen, "c1") == near([75, 50, 25])
    assert {"0", "1", "3", "1.2k", "10", "8", "items", "distance", "chance 100.0%"} <= set(seen.words)
    assert chart is not None
    assert "run from 75.0% to 25.0%" in chart.about
    assert chart.title == "suite: accuracy by distance"


def test_far_distances_are_taken_together() -> None:
    counts = {distance: (64 if distance < 2 else 2, 32 if distance < 2 else 1) for distance in range(40)}
    seen = picture(distance_curve({"run": distant(counts)}))
    assert heights(seen, "c1") == near([50] * len(heights(seen, "c1")))
    assert "Distances with few items are pooled." in seen.words
    names = [words for words in seen.words if "–" in words or words.endswith("+")]
    assert names
    assert names[-1].endswith("+")
    assert len(heights(seen, "c1")) <= 12


def test_pooled_items_of_few_groups_are_few_observations() -> None:
    counts = {distance: (64 if distance < 2 else 2, 32 if distance < 2 else 1) for distance in range(40)}
    alone = distant(counts)
    together = [msgspec.structs.replace(row, groups=1) for row in alone.by["distance"]]
    grouped = msgspec.structs.replace(alone, by={**alone.by, "distance": together})

    def height_of_band(findings: Findings) -> float:
        chart = distance_curve({"run": findings})
        assert chart is not None
        # Of the shapes, the band is the one without curves: the other is a dot.
        shapes = [path.attrib["d"] for path in ET.fromstring(chart.svg).iterfind("defs/path")]
        (band,) = [shape for shape in shapes if "C" not in shape]
        points = [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", band)]
        end = max(x for x, _ in points)
        ends = [y for x, y in points if x == end]
        return max(ends) - min(ends)

    assert height_of_band(grouped) > height_of_band(alone) + 10


def test_runs_with_other_distances() -> None:
    seen = picture(distance_curve({"one": distant({0: (4, 4), 1: (4, 2)}), "two": distant({1: (4, 1), 2: (4, 0)})}))
    assert heights(seen, "c1") == near([100, 50])
    assert heights(seen, "c2") == near([25, 0])


def test_one_distance_is_no_curve() -> None:
    assert distance_curve({}) is None
    assert distance_curve({"run": distant({0: (4, 4)})}) is None
    assert distance_curve({"run": findings_from(judged("a", 4, 1))}) is None


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "0"), (999, "999"), (1000, "1k"), (2558, "2.56k"), (999_499, "999k"), (999_999, "1M"), (40_398, "40.4k")],
)
def test_counts_are_short(number: int, words: str) -> None:
    assert short(number) == words
