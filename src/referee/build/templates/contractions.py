"""Contractions in a text whose nouns and pronouns are marked: the marks stay around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import takewhile

from referee.languages.schema import Change

_MARK = re.compile("[\ue000-\uf8ff]")


def marks(number: int) -> tuple[str, str]:
    """Two private-use characters that mark the start and end of a span while a text is composed."""
    return chr(0xE000 + 2 * number), chr(0xE001 + 2 * number)


def rewritten(text: str, changes: Iterable[Change]) -> str:
    """The text after all changes, which are applied as if there were no marks."""
    plain = _MARK.sub("", text)
    placed: list[tuple[int, str]] | None = None
    for pattern, replacement in changes:
        if pattern.search(plain) is None:
            continue
        if placed is None:
            placed = [(match.start() - number, match[0]) for number, match in enumerate(_MARK.finditer(text))]
        plain, placed = _changed(plain, placed, pattern, replacement)
    return text if placed is None else _marked(plain, placed)


def _changed(
    text: str, placed: list[tuple[int, str]], pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str]
) -> tuple[str, list[tuple[int, str]]]:
    """The text after one change, and the new offsets of the marks."""
    changed = ""
    end = 0
    moved = list(placed)
    touched = []
    for match in pattern.finditer(text):
        changed += text[end : match.start()]
        new = replacement(match)
        for index, (offset, mark) in enumerate(placed):
            if match.start() < offset < match.end():
                moved[index] = len(changed) + _inside(match[0], new, offset - match.start(), mark), mark
                touched.append(index)
            elif offset > match.start():
                moved[index] = len(changed) + len(new) + offset - match.end(), mark
        changed += new
        end = match.end()
    changed += text[end:]
    for index in touched:
        moved[index] = _border(changed, *moved[index]), moved[index][1]
    return changed, moved


def _inside(old: str, new: str, offset: int, mark: str) -> int:
    """Where a mark in the midst of `old` stands in `new`: next to the same letters, or around all that changed."""
    before = _alike(old, new)
    after = _alike(old[before:][::-1], new[before:][::-1])
    if offset <= before:
        return offset
    if len(old) - offset <= after:
        return len(new) - (len(old) - offset)
    return before if _opens(mark) else len(new) - after


def _alike(one: str, other: str) -> int:
    """The length of the common beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _border(text: str, offset: int, mark: str) -> int:
    """The offset of a mark moved out of a word: to its start if the mark opens a span, else to its end."""
    while 0 < offset < len(text) and text[offset - 1 : offset + 1].isalnum():
        offset += -1 if _opens(mark) else 1
    return offset


def _opens(mark: str) -> bool:
    return ord(mark) % 2 == 0


def _marked(text: str, placed: list[tuple[int, str]]) -> str:
    parts = []
    end = 0
    for offset, mark in sorted(placed, key=lambda one: one[0]):
        parts += [text[end:offset], mark]
        end = offset
    return "".join([*parts, text[end:]])
