"""Text of strangers as a page can show it: whole, and with nothing in it that acts on what stands around it."""

from __future__ import annotations

import re

_SURROGATE = re.compile(r"[\ud800-\udfff]")
# Controls but line feed and tab; what changes the direction of the text that follows; separators of lines.
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def well_formed(text: str) -> str:
    """Halves of a character that cannot be written as UTF-8 become the sign for what is unknown."""
    return _SURROGATE.sub("\ufffd", text)


def visible(text: str) -> str:
    """Control characters by their number; the script of the page has the same rule."""
    return _HIDDEN.sub(lambda match: f"‹U+{ord(match[0]):04X}›", well_formed(text))
