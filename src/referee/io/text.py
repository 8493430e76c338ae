"""Text of strangers made safe to show: whole, and with nothing in it that acts on the text around it."""

from __future__ import annotations

import re

_SURROGATE = re.compile(r"[\ud800-\udfff]")
# Control characters except line feed and tab, characters that change the direction of text, line separators.
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_BREAKS = re.compile(r"[\n\t]+")


def well_formed(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot encode, by U+FFFD."""
    return _SURROGATE.sub("\ufffd", text)


def visible(text: str) -> str:
    """Write control characters as their code points; dom.js has the same rule for items."""
    return _HIDDEN.sub(lambda match: f"‹U+{ord(match[0]):04X}›", well_formed(text))


def one_line(text: str) -> str:
    r"""Write control characters as their code points, and line breaks as spaces.

    >>> one_line("red\x1b[2J\nerror: none")
    'red‹U+001B›[2J error: none'
    """
    return _BREAKS.sub(" ", visible(text))


def json_visible(text: str) -> str:
    r"""Escape what JSON may hold as it is but a terminal would act on; the value stays the same.

    >>> json_visible('{"label": "\x9b2J"}')
    '{"label": "\\u009b2J"}'
    """
    return _HIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def recordable(name: str) -> str:
    r"""A file name or an argument as text that UTF-8 can encode; bytes that are not UTF-8 are written as `\xff`.

    >>> recordable("caf\udce9.jsonl")
    'caf\\xe9.jsonl'
    """
    if not _SURROGATE.search(name):
        return name
    try:
        return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        # Not a byte of a file name, but half a character from elsewhere.
        return well_formed(name)
