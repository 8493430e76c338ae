"""What holds for every chart: it is small, the page's own, the same every time, and whatever is named in it is text."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest

from referee.reports.charts import (
    accuracy_by,
    accuracy_by_language,
    choice_rates,
    distance_curve,
    group_scores,
    learning_curve,
    opening_chart,
    perturbation_effects,
    trigger_salience,
)
from referee.reports.charts.drawing import INK, Sheet, draw
from referee.reports.charts.lettering import clean, width
from referee.reports.model import Chart
from tests.support.pictures import picture
from tests.support.planted import attacked, distant, findings_from, judged, labelled, paired, salient

HOSTILE = {
    "script": "</text></svg><script>alert(1)</script>",
    "attribute": "\" onload='alert(1)' x=\"",
    "entity": "a &amp; b & c",
    "formula": "$x_1^2$ \\frac{1}{$",
    "token": "@0@",
    "comment": "--><!-- ]]> <![CDATA[ <?php",
    "arabic": "النص من اليمين",
    "emoji": "👩‍👩‍👧 🙂🏽",
    "thai": "ภาษาไทย",
    "chinese": "中文",
    "control": "a\x00b\x1bc\x85d",
    "override": "abc\u202edef",
    "surrogate": "a\ud800b",
    "no character": "a\uffffb",
    "lines": "a\nb\tc\u2028d",
    "empty": "",
    "spaces": "   ",
    "long": "word" * 200,
}
TAGS = {"svg", "title", "desc", "defs", "path", "pattern", "rect", "text", "g", "use"}


def every(name: str = "name") -> list[Chart]:
    """One of each kind, with strangers' names wherever there may be one."""
    runs = {name: labelled({name: (12, 8), "b": (6, 1)}, name), f"{name}2": labelled({name: (12, 4)}, name)}
    twins = paired([(True, False)] * 3 + [(True, True)], name)
    languages = {"copa/et": name, "copa/qu": "Quechua"}
    spoken = {name: [findings_from(judged(suite, 8, 5), suite) for suite in languages]}
    salience = salient([(0.5, [0.1, 0.2]), (0.4, [0.1])])
    charts = [
        accuracy_by(runs),
        accuracy_by_language(spoken, languages, {"Quechua"}),
        group_scores({name: twins}),
        choice_rates({name: twins, f"{name}2": twins}),
        perturbation_effects({"run": attacked(9, {name: 4, "no-cands": 6}, 12)}),
        trigger_salience({name: salience, f"{name}2": salience}),
        learning_curve([(size, {name: twins, f"{name}2": runs[name]}) for size in (0, 10, 200)]),
        distance_curve({name: distant({0: (9, 8), 1: (9, 2)}), f"{name}2": distant({0: (9, 8), 2: (9, 2)})}),
    ]
    opening = opening_chart({name: {name: twins, "b": runs[name]}, f"{name}2": {name: twins}})
    assert opening is not None
    charts += [opening, replace(opening, svg=opening.wide)]
    drawn = [chart for chart in charts if chart is not None]
    assert len(drawn) == len(charts)
    return drawn


@pytest.fixture(scope="module")
def charts() -> list[Chart]:
    return every()


def test_colours_are_those_of_the_page(charts: list[Chart]) -> None:
    for chart in charts:
        text = re.sub(r'(href="|url\()#chart-[0-9a-f]{10}-\d+', r"\1", chart.svg)
        assert not re.search(r"#[0-9a-fA-F]{3,8}\b|rgb|hsl", text)
        values = re.findall(r"(?:fill|stroke|color):([^;\"]+)", text)
        assert values
        assert not [value for value in values if not re.fullmatch(r"none|url\(\)|var\(--[a-z]+\d?\)", value)]
        # Not as attributes either, where no variable is understood.
        assert not re.search(r' (fill|stroke|color)="', text)


def test_it_is_small_quiet_and_plain(charts: list[Chart]) -> None:
    for chart in charts:
        root = ET.fromstring(chart.svg)
        assert {element.tag for element in root.iter()} <= TAGS
        assert len(chart.svg.encode()) < 25_000
        assert not re.search(r"https?:|//|<\?|<!|@import|font-family:(?!inherit)|clip-path|metadata|data:", chart.svg)
        assert chart.svg.startswith("<svg viewBox=")
        assert {"width", "height"}.isdisjoint(root.attrib)
        assert "max-width" in root.attrib["style"]


def test_it_can_be_heard(charts: list[Chart]) -> None:
    for chart in charts:
        root = ET.fromstring(chart.svg)
        assert root.get("role") == "img"
        title, about = root[0], root[1]
        assert (title.tag, title.text, about.tag, about.text) == ("title", chart.title, "desc", chart.about)
        assert root.get("aria-labelledby") == f"{title.get('id')} {about.get('id')}"


def test_names_inside_are_those_of_one_chart(charts: list[Chart]) -> None:
    # Two charts with the same drawing, but for the title.
    alike = [draw(title, "", 20, lambda sheet: sheet.dots([(5, 5)], INK)) for title in ("one", "two")]
    ids = Counter(name for chart in [*charts, *alike] for name in re.findall(r'\bid="([^"]+)"', chart.svg))
    assert set(ids.values()) == {1}
    for chart in [*charts, *alike]:
        ids_of_chart = set(re.findall(r'\bid="([^"]+)"', chart.svg))
        links = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', chart.svg)
        assert {one or other for one, other in links} <= ids_of_chart
    assert any("url(#" in chart.svg for chart in charts)


def test_the_same_every_time_and_settings_are_left_alone(charts: list[Chart]) -> None:
    before = dict(mpl.rcParams)
    assert every() == charts
    assert dict(mpl.rcParams) == before


_TASTE = """
text.usetex: True
axes.facecolor: red
axes.grid: True
axes.xmargin: 0.5
lines.dash_capstyle: round
lines.scale_dashes: False
font.size: 30
path.sketch: 1, 2, 3
savefig.bbox: tight
savefig.facecolor: blue
svg.fonttype: path
"""
_AGAIN = """
import hashlib, sys
from tests.reports.charts.test_drawing import every
assert "matplotlib.pyplot" not in sys.modules
print(hashlib.sha256("".join(chart.svg for chart in every()).encode()).hexdigest())
assert "matplotlib.pyplot" not in sys.modules
"""


def test_the_same_for_everyone(charts: list[Chart], tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_text(_TASTE, "utf-8")
    environment = {**os.environ, "MATPLOTLIBRC": str(tmp_path / "matplotlibrc"), "PYTHONHASHSEED": "7"}
    again = subprocess.run(
        [sys.executable, "-W", "error", "-c", _AGAIN],
        env=environment,
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=False,
    )
    assert again.stderr == ""
    assert again.stdout.strip() == hashlib.sha256("".join(chart.svg for chart in charts).encode()).hexdigest()


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, tuple[str, ...]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(name for name, _ in attrs)))


def _said(chart: Chart) -> str:
    """All text of a chart, which holds nothing but what it may."""
    root = ET.fromstring(chart.svg)
    assert {element.tag for element in root.iter()} <= TAGS
    # A browser reads it by the rules of HTML, and finds the same.
    reader = _Tags()
    reader.feed(chart.svg)
    assert [tag for tag, _ in reader.tags] == [element.tag for element in root.iter()]
    assert not any(attribute.startswith("on") for _, attributes in reader.tags for attribute in attributes)
    chart.svg.encode("utf-8")
    said = "".join(root.itertext())
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\ud800-\udfff\uffff]", said)
    return said


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_names_are_text(name: str) -> None:
    chart = accuracy_by({name: labelled({name: (4, 2), "b": (4, 1)}, name), "other": labelled({name: (4, 2)}, name)})
    assert chart is not None
    assert _said(chart).count(clean(name)) >= 3


def test_hostile_names_are_text_in_every_chart() -> None:
    name = "<script>$\\frac$&\ud800\x00ไทย"
    for chart in every(name):
        assert clean(name) in _said(chart)


def test_a_long_name_is_shortened_and_still_to_be_found() -> None:
    long = "/".join(["corpus"] * 40)
    chart = accuracy_by({"run": labelled({long + "/a": (4, 2), long + "/b": (4, 3)})})
    assert chart is not None
    names = [words for words in picture(chart).words if "…" in words]
    assert len(set(names)) == 2
    assert {name[-2:] for name in names} == {"/a", "/b"}
    assert f"<title>{long}/a</title>" in chart.svg
    assert all(width(name, 13) <= 400 for name in names)


def test_a_colour_that_the_page_does_not_have_is_refused() -> None:
    def paint(sheet: Sheet) -> None:
        sheet.lines([[(0, 0), (1, 1)]], "#123456")

    with pytest.raises(KeyError, match="#123456"):
        draw("t", "", 10, paint)


def test_matplotlib_is_not_needed_to_ask() -> None:
    code = "import sys, referee.reports.charts; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
