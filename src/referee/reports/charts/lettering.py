"""Names of strangers in a drawing: cleaned, measured without knowing the font, shortened to fit."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

import regex

from referee.io.text import visible

ELLIPSIS = "…"
_NO_XML = re.compile("[\ufffe\uffff]")
_NARROW, _PLAIN, _BROAD, _FULL = 0.38, 0.62, 0.78, 1.0
"""Widths of characters in ems, as in DejaVu Sans: few fonts of pages are wider."""
BOLD = 1.12
"""How much wider bold letters are."""


def clean(text: str) -> str:
    """One line of text that XML can hold; a placeholder if nothing is left, since an empty name is easily missed."""
    return " ".join(_NO_XML.sub("\ufffd", visible(text)).split()) or "(no name)"


def width(text: str, size: float) -> float:
    """The approximate width of a text in a font of this size."""
    return size * sum(map(_ems, text))


def shortened(text: str, room: float, size: float) -> str:
    """The text, without its middle if it does not fit: names of one family differ at their ends."""
    if width(text, size) <= room:
        return text
    signs = regex.findall(r"\X", text)
    left = room - width(ELLIPSIS, size)
    start, end = 0, len(signs)
    while start < end:
        # In turn from both sides, until the next character does not fit.
        front = start <= len(signs) - end
        left -= width(signs[start] if front else signs[end - 1], size)
        if left < 0:
            break
        start, end = (start + 1, end) if front else (start, end - 1)
    return "".join(signs[:start]).rstrip() + ELLIPSIS + "".join(signs[end:]).lstrip()


def wrapped(text: str, room: float, size: float) -> list[str]:
    """The words of a text, in as many lines as they need."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


@cache
def _ems(sign: str) -> float:
    if unicodedata.combining(sign) or unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(sign) in "WF" or ord(sign) > 0xFFFF:
        return _FULL
    if sign in "ijlIt.,:;'|!/()[] ":
        return _NARROW
    return _BROAD if sign.isupper() or sign in "mw%@…" else _PLAIN
