"""Text of strangers made safe to show: whole, and with nothing in it that acts on the text around it."""

from __future__ import annotations

import re

_SURROGATE = re.compile(r"[\ud800-\udfff]")
# Control characters except line feed and tab, characters that change the direction of text, line separators.
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def well_formed(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot encode, by U+FFFD."""
    return _SURROGATE.sub("\ufffd", text)


def visible(text: str) -> str:
    """Write control characters as their code points; dom.js has the same rule for items."""
    return _HIDDEN.sub(lambda match: f"‹U+{ord(match[0]):04X}›", well_formed(text))
