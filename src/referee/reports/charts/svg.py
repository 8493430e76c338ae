"""Drawings of matplotlib made fit for a page: small, in the page's colours and font, and with unique ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from typing import NamedTuple
from xml.etree import ElementTree as ET

_NUMBER = re.compile(r"-?\d+\.\d+")
_SPACES = re.compile(r"\s*([A-Za-z])\s*")
_TOKEN = re.compile(r"@(\d+)@")
_LINK = re.compile(r"url\(#(\w+)\)")
_KEPT = frozenset({"path", "use", "text", "pattern", "rect"})
_IDLE = {
    "font-family",
    ("font-weight", "400"),
    ("stroke-linecap", "butt"),
    ("stroke-linejoin", "miter"),
    ("stroke-width", "1"),
    ("stroke-dashoffset", "0"),
    ("text-anchor", "start"),
}
"""Settings that repeat the default."""
_SIZE = "13px"
_LARGEST, _WIDEST = 1.2 / 16, 60.0
"""The width of a drawing at most, in rem: for each of its pixels, since letters would be larger than those around it,
and in all, since names and figures would be too far from their marks."""


class Lettering(NamedTuple):
    """A text, and the whole of it where that was shortened."""

    shown: str
    whole: str = ""


def page_svg(drawn: str, letters: Sequence[Lettering], colours: Mapping[str, str], title: str, about: str) -> str:
    """An `svg` element for a page; text number n of the drawing, written `@n@`, becomes the n-th of `letters`.

    `colours` are those drawn with and the page's variables for them; another one is an error. There is no namespace:
    HTML needs none.
    """
    source = ET.fromstring(drawn)  # noqa: S314 - our own drawing, with no text of strangers in it yet
    copies = [(_copied(element, letters, colours), in_defs) for element, in_defs in _elements(source)]
    shared, same = _without_doubles([element for element, in_defs in copies if in_defs])
    drawing = ET.Element("svg")
    if shared:
        ET.SubElement(drawing, "defs").extend(shared)
    for style, alike in groupby((element for element, in_defs in copies if not in_defs), _look_of_symbol):
        elements = list(alike)
        drawing.extend(elements if style is None else [_gathered(style, elements)])
    whole = title + about + ET.tostring(drawing, "unicode")
    key = "chart-" + sha256(whole.encode("utf-8")).hexdigest()[:10]
    names = {name: f"{key}-{number}" for name, number in same.items()}
    for element in drawing.iter():
        _renamed(element, names)
    return _framed(drawing, source.attrib["viewBox"], key, title, about)


def _framed(drawing: ET.Element, box: str, key: str, title: str, about: str) -> str:
    widest = min(float(box.split()[2]) * _LARGEST, _WIDEST)
    names = [("title", title)] + ([("desc", about)] if about else [])
    for index, (tag, text) in enumerate(names):
        element = ET.Element(tag, {"id": f"{key}-{tag}"})
        element.text = text
        drawing.insert(index, element)
    drawing.attrib.update(
        {
            "viewBox": _plain(box),
            "role": "img",
            "aria-labelledby": " ".join(f"{key}-{tag}" for tag, _ in names),
            "style": f"display:block;width:100%;max-width:{widest:g}rem;height:auto;font-family:inherit;"
            f"font-size:{_SIZE};font-variant-numeric:tabular-nums",
        }
    )
    return ET.tostring(drawing, "unicode")


def _elements(parent: ET.Element, *, in_defs: bool = False) -> Iterator[tuple[ET.Element, bool]]:
    """All drawn elements without their groups, and whether an element is only there to be referred to."""
    for child in parent:
        tag = _local(child.tag)
        if tag in _KEPT:
            # The background is a path without colour.
            if in_defs or child.get("style") != "fill: none":
                yield child, in_defs
        elif tag in ("g", "defs"):
            yield from _elements(child, in_defs=in_defs or tag == "defs")


def _copied(element: ET.Element, letters: Sequence[Lettering], colours: Mapping[str, str]) -> ET.Element:
    copy = ET.Element(_local(element.tag))
    style = dict(part.split(": ") for part in element.get("style", "").split("; ") if part)
    for name, value in element.attrib.items():
        name = _local(name)
        if name in ("fill", "stroke"):
            style[name] = value
        elif name == "d":
            copy.set(name, _SPACES.sub(r"\1", _plain(value)).strip())
        elif name not in ("style", "clip-path", "transform"):
            copy.set(name, _plain(value))
    if style:
        copy.set("style", ";".join(_settings(style, colours)))
    copy.extend(_copied(child, letters, colours) for child in element)
    if copy.tag == "text":
        _write(copy, element.text or "", letters)
    return copy


def _settings(style: Mapping[str, str], colours: Mapping[str, str]) -> Iterator[str]:
    for name, value in style.items():
        value = _plain(value)
        if name in _IDLE or (name, value) in _IDLE or (name, value) == ("font-size", _SIZE):
            continue
        if name in ("fill", "stroke") and value != "none" and not value.startswith("url("):
            value = f"var(--{colours[value]})"
        yield f"{name}:{value}"


def _write(element: ET.Element, text: str, letters: Sequence[Lettering]) -> None:
    number = _TOKEN.fullmatch(text)
    if number is None:
        raise ValueError(f"text that did not come through a sheet: {text}")
    shown, whole = letters[int(number[1])]
    if whole:
        title = ET.SubElement(element, "title")
        title.text, title.tail = whole, shown
    else:
        element.text = shown


def _look_of_symbol(element: ET.Element) -> str | None:
    return element.get("style") if element.tag == "use" else None


def _gathered(style: str, symbols: Iterable[ET.Element]) -> ET.Element:
    """A group with the style that its symbols share."""
    group = ET.Element("g", {"style": style})
    for symbol in symbols:
        del symbol.attrib["style"]
        group.append(symbol)
    return group


def _without_doubles(shared: Iterable[ET.Element]) -> tuple[list[ET.Element], dict[str, int]]:
    """The distinct definitions, and for every id the index of its definition."""
    kept: dict[str, ET.Element] = {}
    indices: dict[str, int] = {}
    for element in shared:
        name = element.attrib.pop("id")
        content = ET.tostring(element, "unicode")
        kept.setdefault(content, element)
        indices[name] = list(kept).index(content)
        element.set("id", name)
    return list(kept.values()), indices


def _renamed(element: ET.Element, names: Mapping[str, str]) -> None:
    if (name := element.get("id")) is not None:
        element.set("id", names[name])
    if (link := element.get("href")) is not None:
        element.set("href", f"#{names[link.removeprefix('#')]}")
    if (style := element.get("style")) is not None:
        element.set("style", _LINK.sub(lambda link: f"url(#{names[link[1]]})", style))


def _plain(text: str) -> str:
    """Numbers rounded to a hundredth of a pixel."""
    return _NUMBER.sub(lambda number: f"{round(float(number[0]), 2):g}", text)


def _local(name: str) -> str:
    return name.rpartition("}")[2]
