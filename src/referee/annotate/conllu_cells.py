r"""What a cell of CoNLL-U can hold, and how other characters are written in MISC.

`SpacesAfter`, `SpacesBefore` and `SpacesInToken` come from UDPipe, with its escapes: `\s`, `\t`, `\n`, `\r`, `\p` for
`|`, and `\\`. All other characters that would break a line are `\uXXXX`.
"""

from __future__ import annotations

import re

EMPTY = "_"

_UNSAFE = re.compile(r"[\\|\s\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_BREAKING = re.compile(r"(?:(?! )[\s\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069])+")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_NAMED = {" ": "\\s", "\t": "\\t", "\n": "\\n", "\r": "\\r", "|": "\\p", "\\": "\\\\"}
_CHARACTERS = {escape[1]: character for character, escape in _NAMED.items()}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.?)", re.DOTALL)
_NOT_IN_IDS = re.compile(r"[\s/%\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def cell(text: str) -> str:
    r"""A value that fits a column: white space other than a space becomes a space.

    >>> cell("New\n York"), cell("")
    ('New  York', '_')
    """
    if text.isprintable():
        # Nearly all are, and this is fast.
        return text or EMPTY
    return _SURROGATE.sub("\ufffd", _BREAKING.sub(" ", text))


def value(text: str) -> str:
    """A column as a value: `_` stands for none."""
    return "" if text == EMPTY else text


def escaped(text: str) -> str:
    r"""Characters as MISC can hold them.

    >>> escaped(" \n|")
    '\\s\\n\\p'
    """
    return _UNSAFE.sub(lambda match: _NAMED.get(match[0]) or f"\\u{ord(match[0]):04X}", text)


def unescaped(text: str) -> str:
    r"""The characters behind `escaped`; an unknown escape is a ValueError.

    >>> unescaped("\\s\\u00A0")
    ' \xa0'
    """
    return _ESCAPE.sub(_character, text)


def _character(match: re.Match[str]) -> str:
    name = match[1]
    if len(name) > 1:
        return chr(int(name[1:], 16))
    if name not in _CHARACTERS:
        raise ValueError(f"'\\{name}' is not a known escape")
    return _CHARACTERS[name]


def comment(text: str) -> str:
    """A name as a comment can hold it: spaces inside it stay."""
    inner = text.strip(" ")
    before, _, after = text.partition(inner) if inner else (text, "", "")
    return escaped(before) + " ".join(map(escaped, inner.split(" "))) + escaped(after)


def sentence_id(document: str, number: int) -> str:
    """The id of a sentence, without white space and slashes, which UD reserves.

    >>> sentence_id("my file", 1)
    'my%20file-1'
    """
    name = _NOT_IN_IDS.sub(lambda match: f"%{ord(match[0]):02X}", _SURROGATE.sub("\ufffd", document))
    return f"{name}-{number}" if name else str(number)
