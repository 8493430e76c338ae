"""A drawing of matplotlib as the page holds it."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from referee.reports.charts.svg import Lettering, page_svg

COLOURS = {"#f00001": "ink", "#e00001": "c1"}


def drawing(body: str, letters: list[Lettering] | None = None) -> ET.Element:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10.123456 20">{body}</svg>'
    return ET.fromstring(page_svg(svg, letters or [], COLOURS, "a title", "about it"))


def test_numbers_are_rounded_and_default_settings_left_out() -> None:
    path = '<path d="M 1.23456 2 L 3 4.999999" style="fill: none; stroke: #f00001; stroke-width: 1"/>'
    root = drawing(f"<g>{path}</g>")
    assert root.attrib["viewBox"] == "0 0 10.12 20"
    (copy,) = root.iter("path")
    assert copy.attrib == {"d": "M1.23 2L3 5", "style": "fill:none;stroke:var(--ink)"}


@pytest.mark.parametrize(("width", "rem"), [(400, "30rem"), (900, "60rem")])
def test_letters_stay_as_large_as_those_around(width: int, rem: str) -> None:
    svg = page_svg(f'<svg viewBox="0 0 {width} 20"></svg>', [], COLOURS, "t", "")
    assert f"max-width:{rem};" in svg


def test_a_background_without_colour_is_left_out() -> None:
    assert list(drawing('<path d="M 0 0 L 1 1" style="fill: none"/>').iter("path")) == []


def test_texts_are_filled_in_and_shortened_ones_keep_the_whole() -> None:
    letters = [Lettering("plain <b>"), Lettering("sh…t", "short")]
    first, second = drawing('<text x="1" y="2">@0@</text><text x="1" y="2">@1@</text>', letters).iter("text")
    assert first.text == "plain <b>"
    assert [(child.tag, child.text, child.tail) for child in second] == [("title", "short", "sh…t")]


def test_equal_definitions_are_kept_once() -> None:
    symbols = "".join(f'<defs><path id="m{number}" d="M 0 0 L 1 1"/></defs>' for number in range(3))
    uses = "".join(f'<use href="#m{number}" x="{number}" style="fill: #e00001"/>' for number in range(3))
    root = drawing(symbols + uses)
    (definition,) = root.iter("path")
    (group,) = root.iter("g")
    assert group.attrib["style"] == "fill:var(--c1)"
    assert {use.attrib["href"] for use in group} == {f"#{definition.attrib['id']}"}


def test_words_that_go_around_the_sheet_are_refused() -> None:
    drawn = '<svg viewBox="0 0 1 1"><text>$x$</text></svg>'
    with pytest.raises(ValueError, match="did not come through a sheet"):
        page_svg(drawn, [], {}, "t", "")
