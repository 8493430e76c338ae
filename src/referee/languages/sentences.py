"""Where sentences end, in any script; the sentences of a text are the whole text, with every space.

    splitter("de")("Er kam z. B. mit Dr. Maus. Sie blieb.")    ["Er kam z. B. mit Dr. Maus. ", "Sie blieb."]

The package `sentencex` proposes the borders, and rules by script correct them. It ends sentences after some
abbreviations (French "M. Dupont") and after Japanese quotations that the sentence continues (「行く。」と言った), and
never inside quotation marks. Marks of other scripts that it does not know in every language (។, །) are added. Thai and
Lao have no mark: there a sentence ends with a line, with ? or !, or where a space follows a polite particle.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import cache, lru_cache

import regex

from referee.languages import base, language
from referee.languages.paper_sentences import has_listed_abbreviations, listed_abbreviations
from referee.languages.script import CLOSING, ENDS, UNSPACED_LETTER

Splitter = Callable[[str], list[str]]
IsAbbreviation = Callable[[tuple[str, ...], str], bool]

_UNREADABLE = re.compile(r"[^\S\n ]|[\ud800-\udfff]")
"""Characters at which `sentencex` fails: spaces that are not ASCII, and halves of a pair."""
_CLOSING = "".join(sorted(CLOSING)) + "“‘«‹"
"""What may follow the mark at once; German closes with the quotation marks that open elsewhere."""
_CLOSINGS = f"[{regex.escape(_CLOSING, special_only=False)}]"
_OPENING = "\"'“‘„«‹([{「『（【〔《〈［｛｢¿¡"
_OPENINGS = f"[{regex.escape(_OPENING, special_only=False)}]"
_DASHES = "-–—―"
_BEFORE_WORD = f"{_DASHES} {_OPENING}"
_NO_SPACES = UNSPACED_LETTER
_AFTER_FOREIGN_MARK = regex.compile(
    rf"(?:[。！？｡॥।؟۔։።፧፨။។៕།༎]+{_CLOSINGS}*\s*|(?<=ครับ|ค่ะ|คะ|จ้ะ|จ๊ะ) +)(?![。！？｡॥।؟۔։።፧፨။។៕།༎])"
)
_PLAIN_WORD = regex.compile(r"(?<![\p{L}\p{M}.])[\p{L}\p{M}]{2,}\.$")
_LINES = regex.compile(r"\n\s*")
_START = rf"[{_DASHES}]?\s?{_OPENINGS}*"
_AFTER_MARK = regex.compile(rf"[.!?…]{_CLOSINGS}*\s+(?={_START}[\p{{Lu}}\p{{Nd}}])|[!?]+{_CLOSINGS}*(?={_NO_SPACES})")
_AFTER_MARK_IN_ONE_CASE = regex.compile(
    rf"[.!?…]{_CLOSINGS}*\s+(?={_START}[\p{{L}}\p{{Nd}}])|[!?]+{_CLOSINGS}*(?={_NO_SPACES})"
)
_OPENED = regex.compile(rf"(?<=\s){_OPENINGS}+$")
_QUOTATION = regex.compile(r"[「『“《（]|[」』”》）]")
_CONTINUES = regex.compile(
    r"(?:と(?!ても|ころ|にかく|うとう|き|つぜん|りあえず)|って|など|なんて|なの|を|は(?![いじ])|が(?!ん)|の(?!ち)|に(?!わ)"
    r"|も(?![うし])|だった|です|でした|で(?![もはすし]))"
)
"""What continues a sentence after a Japanese quotation."""
_ENUMERATION = regex.compile(r"\s*\(?\p{Nd}+(?:\.\p{Nd}+)*\.")
_INITIALS = regex.compile(r"(?:\p{Lu}\.-)+\p{Lu}")
_MARKED_OTHERWISE = regex.compile(r"(?:ครับ|ค่ะ|คะ|จ้ะ|จ๊ะ|\p{Greek}\p{M}*\s?[;\u037e])$")
"""A polite particle, a Greek question mark."""
_IS_UNSPACED = regex.compile(_NO_SPACES)
_QUOTES = regex.compile(f"{_OPENINGS}|{_CLOSINGS}")
_NEVER_FIRST = frozenset(",;:.…)]}=/%&|>!?，；：、）」』】》〉،؛")
_NO_STOP = regex.compile(r"[\p{Thai}\p{Lao}]")
_MAY_END = frozenset(
    {"etc", "usw", "usf", "ecc", "itd", "itp", "т.д", "т.п", "enz", "atd", "apod", "osv", "o.s.v", "stb"}
)
"""Abbreviations that close a list: before a capital they end the sentence."""
_ORDINARY = frozenset(
    {"al", "all", "art", "Art", "com", "fr", "ha", "im", "Mar", "Me", "no", "No", "Nos", "num", "of", "post", "им"}
)
"""Common words that the package lists as abbreviations; they are so before a number only."""
_WORDS_KEPT = 1 << 16
_CHUNK = 5_000
_CHUNK_END = regex.compile(r"[\s。！？]")
_WINDOW = 80
"""Characters before and behind a border that are looked at: they hold three words."""


@cache
def splitter(code: str) -> Splitter:
    """Function that splits a text of this language into sentences, each with the spaces behind it."""
    code = base(code)
    is_abbreviation = _abbreviations(code)

    def split(text: str) -> list[str]:
        if not text.strip():
            return [text] if text else []
        readable = _UNREADABLE.sub(" ", text)
        cased = any(map(str.isupper, text))
        last = next((index for index in reversed(range(len(text))) if text[index].isalnum()), 0)
        sentences, start = [], 0
        borders = {_behind_spaces(readable, border) for border in _proposed(code, readable)}
        borders.update(_added(code, readable, borders, cased=cased))
        for border in sorted(borders):
            if border > last:
                # Only marks are left, and they belong to the last sentence.
                break
            if _holds(readable, start, border, is_abbreviation, cased=cased):
                sentences.append(text[start:border])
                start = border
        return [*sentences, text[start:]]

    return split


def _proposed(code: str, text: str) -> Iterator[int]:
    """Borders by the package; quotation marks that open the next sentence are moved to it."""
    end = 0
    for piece in (piece for chunk in _chunks(text) for piece in _pieces(code, chunk)):
        end += len(piece)
        opened = _OPENED.search(piece)
        moved = opened is not None and not text[end : end + 1].isspace()
        yield end - len(opened.group()) if opened is not None and moved else end


def _chunks(text: str) -> Iterator[str]:
    """A long text in parts: the package takes a time that grows with the square of the length."""
    start = 0
    while len(text) - start > 2 * _CHUNK and (match := _CHUNK_END.search(text, start + _CHUNK)) is not None:
        yield text[start : match.end()]
        start = match.end()
    yield text[start:]


def _pieces(code: str, text: str) -> list[str]:
    import sentencex

    try:
        return list(sentencex.segment(code, text))
    except BaseException as error:
        # The package panics on a text that it cannot read, which is no `Exception`.
        if type(error).__name__ != "PanicException":
            raise
        return [text]


def _behind_spaces(text: str, border: int) -> int:
    while border < len(text) and text[border].isspace():
        border += 1
    return border


def _added(code: str, text: str, known: Collection[int], *, cased: bool) -> list[int]:
    """Borders that the package may not know: lines, marks of other scripts, and those inside quotation marks."""
    borders, depth, end = [match.end() for match in _LINES.finditer(text)], 0, 0
    for match in _AFTER_FOREIGN_MARK.finditer(text):
        for mark in _QUOTATION.findall(text, end, match.end()):
            depth = depth + 1 if mark in "「『“《（" else max(0, depth - 1)
        end = match.end()
        if not depth:
            borders.append(end)
    for match in (_AFTER_MARK if cased else _AFTER_MARK_IN_ONE_CASE).finditer(text):
        end = match.end()
        if end in known:
            continue
        if match.group()[0] != "." or _ends_alone(code, tuple(text[max(0, end - _WINDOW) : end].split()[-3:])):
            borders.append(end)
    return borders


@lru_cache(_WORDS_KEPT)
def _ends_alone(code: str, words: tuple[str, ...]) -> bool:
    """Whether the package ends a sentence after these words where no quotation mark stands around them."""
    before = _QUOTES.sub("", " ".join(words)).strip()
    # The package takes common words for abbreviations (me, bien, so); where there is another list, that one decides.
    if _closes_list(words) or (has_listed_abbreviations(code) and _PLAIN_WORD.search(before)):
        return True
    return len(_pieces(code, f"{before} Xx xx.")) > len(_pieces(code, before))


def _closes_list(words: tuple[str, ...]) -> bool:
    return any("".join(words[-count:]).lower()[:-1] in _MAY_END for count in (1, 2))


def _holds(text: str, start: int, border: int, is_abbreviation: IsAbbreviation, *, cased: bool) -> bool:
    """Whether a sentence ends there, and not an abbreviation, an initial or a quotation."""
    end = border
    while end > start and text[end - 1].isspace():
        end -= 1
    before, gap, following = text[max(start, end - _WINDOW) : end], text[end:border], text[border : border + _WINDOW]
    first, bare = following[0], before.rstrip(_CLOSING)
    if "\n" in gap or not before:
        return bool(before)
    mark = bare[-1:]
    if _ENUMERATION.fullmatch(before):
        return False
    if mark not in ENDS and not _MARKED_OTHERWISE.search(bare):
        return False
    if first in _NEVER_FIRST or (not gap and (mark in ".…" or (mark in "!?" and not _IS_UNSPACED.match(first)))):
        return False
    if mark in ".!?…" and cased and following.lstrip(_BEFORE_WORD)[:1].islower():
        return False
    if mark == ".":
        kind = "A" if first.isupper() else "1" if first.isdigit() else "a"
        if bare == before and is_abbreviation(tuple(before.split()[-3:]), kind):
            return False
        return _NO_STOP.match(bare[-2:-1]) is None
    return not (before[-1] in _CLOSING and _CONTINUES.match(following))


def _abbreviations(code: str) -> IsAbbreviation:
    """Function that tells whether the last of some words is an abbreviation, by the kind of character that follows."""
    listed = listed_abbreviations(code)
    ours, before_numbers = language(code).abbreviations, language(code).number_abbreviations

    @lru_cache(_WORDS_KEPT)
    def is_abbreviation(words: tuple[str, ...], following: str) -> bool:
        if following == "A" and _closes_list(words):
            return False
        # "z. B." is listed as "z.B", and Italian "dell'art." is "art."
        for count in range(1, len(words) + 1):
            whole = "".join(words[-count:]).lstrip(_OPENING)[:-1].replace("’", "'")
            for word in (whole, whole.rpartition("'")[2]):
                if word in ours or (word in listed and not listed[word] and word not in _ORDINARY):
                    return True
                if following == "1" and (word in before_numbers or word in listed):
                    return True
        return _INITIALS.fullmatch(words[-1][:-1]) is not None

    return is_abbreviation
