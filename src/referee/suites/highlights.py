"""Texts of SCAT: the marks of pronouns and of highlighted words taken out, and what was wrong with them repaired.

A pronoun is between `<p>` and `</p>`. The marks were set by searching for its letters, so they are also inside words
("f<p>it</p>s"). Words that a translator highlighted are between `<hon>` and `<hoff>`, mostly with one more space on
either side. Where a second highlight was put into an already marked text, it may have cut a mark in two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_MARK = re.compile(r"<hon>|<hoff>|</?p>")
_CUT = re.compile(r"<(h(o(n|ff?)?)?)? *$")
"""The beginning of a mark into which another one was put."""
_OPENING = tuple("'’(«\"-“[")
_CLOSING = tuple(".,;:!?…)'’\"»-”]")

CharSpan = tuple[int, int]


@dataclass(frozen=True)
class Highlighted:
    """A text without its marks, where they were, and whether highlights were cut or lacked an end."""

    text: str
    pronouns: tuple[CharSpan, ...]
    highlights: tuple[CharSpan, ...]
    damaged: bool

    @property
    def whole(self) -> list[CharSpan]:
        """Marked pronouns that are words of their own."""
        return [span for span in self.pronouns if _is_word(self.text, span)]

    @property
    def has_parts(self) -> bool:
        """Whether a mark is inside a word."""
        return len(self.whole) < len(self.pronouns)

    def onto(self, text: str) -> Highlighted:
        """The same marks on a text that differs in its spaces only."""
        places = [index for index, character in enumerate(text) if not character.isspace()]
        moved = [tuple(_moved(self.text, span, places) for span in spans) for spans in (self.pronouns, self.highlights)]
        return Highlighted(text, moved[0], moved[1], self.damaged)


def squeezed(text: str) -> str:
    """The text without spaces, to which marks added some."""
    return "".join(text.split())


def parsed(line: str) -> Highlighted:
    """Take the marks out of a published line."""
    text, marks, whole = line, list[tuple[int, str]](), len(_MARK.findall(line))
    while match := _MARK.search(text):
        left, right = _without_spaces(text[: match.start()], match.group(), text[match.end() :])
        taken = len(text) - len(left) - len(right)
        # What was before stays, what was taken away moves to where it was.
        marks = [(place if place <= len(left) else max(len(left), place - taken), kind) for place, kind in marks]
        marks.append((len(left), match.group()))
        text = left + right
    marks.sort(key=lambda mark: mark[0])
    pronouns = _pairs([mark for mark in marks if mark[1] in ("<p>", "</p>")], "<p>", text)
    highlights = [mark for mark in marks if mark[1] in ("<hon>", "<hoff>")]
    damaged = len(marks) != whole or _is_nested(highlights)
    return Highlighted(text, tuple(pronouns), tuple(_pairs(highlights, "<hon>", text)), damaged)


def marked(text: str, pronouns: Sequence[CharSpan], highlights: Sequence[CharSpan]) -> str:
    """The line as it is published if nothing is wrong with it."""
    inserted = [(start, 0, " <hon>") for start, _ in highlights] + [(end, 3, "<hoff> ") for _, end in highlights]
    inserted += [(start, 1, "<p>") for start, _ in pronouns] + [(end, 2, "</p>") for _, end in pronouns]
    # Of marks at one place those that end come first; pronouns are inside highlights.
    order = {2: 0, 3: 1, 0: 2, 1: 3}
    parts, last = [], 0
    for place, kind, mark in sorted(inserted, key=lambda mark: (mark[0], order[mark[1]])):
        del kind
        parts += [text[last:place], mark]
        last = place
    return "".join((*parts, text[last:])).strip()


def _without_spaces(left: str, mark: str, right: str) -> tuple[str, str]:
    """What is before and after a mark, without the spaces that were added with it."""
    if _CUT.search(left):
        return left.rstrip(" "), right.lstrip(" ")
    if mark == "<hon>" and left.endswith(" ") and (left[:-1].endswith((" ", *_OPENING)) or left == " "):
        left = left[:-1]
    if mark == "<hoff>" and right.startswith("  "):
        right = f" {right.lstrip(' ')}"
    elif mark == "<hoff>" and right.startswith(" ") and (right[1:].startswith(_CLOSING) or right == " "):
        right = right[1:]
    return left, right.lstrip(" ") if left.endswith(" ") else right


def _pairs(marks: Sequence[tuple[int, str]], opens: str, text: str) -> list[CharSpan]:
    """What is between the outermost marks, without spaces at its ends; an end that is missing is the last one."""
    spans, depth, start = [], 0, 0
    for place, kind in marks:
        if kind == opens:
            start = start if depth else place
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                spans.append((start, place))
    if depth:
        spans.append((start, max((place for place, kind in marks if kind != opens), default=start)))
    trimmed = (_trimmed(text, span) for span in spans)
    return [span for span in trimmed if span[0] < span[1]]


def _trimmed(text: str, span: CharSpan) -> CharSpan:
    part = text[slice(*span)]
    start = span[0] + len(part) - len(part.lstrip())
    return start, max(start, start + len(part.strip()))


def _is_nested(highlights: Sequence[tuple[int, str]]) -> bool:
    kinds = [kind for _, kind in highlights]
    return kinds != ["<hon>", "<hoff>"] * (len(kinds) // 2)


def _is_word(text: str, span: CharSpan) -> bool:
    before, after = text[: span[0]][-1:], text[span[1] :][:1]
    return not (before.isalnum() or after.isalnum())


def _moved(text: str, span: CharSpan, places: Sequence[int]) -> CharSpan:
    start, end = (len(squeezed(text[:place])) for place in span)
    return places[start], places[end - 1] + 1
