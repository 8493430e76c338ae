"""XWinograd: the pronoun becomes the gap.

The table gives the pronoun by token numbers, and its surface form may occur several times in a sentence: tokens are
walked through the sentence to find the one that is meant. They differ from the text only in quotation marks.
An antecedent that contains the pronoun ("their mothers") loses its span to the gap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec

from referee.items import GAP, Candidate, Item, Span
from referee.suites.records import to_items, tsv
from referee.suites.suite import Suite

T = TypeVar("T")

FILE = "winograd-multilingual/xwinograd/dataset.tsv"
PUBLISHED_CODES = {"en": "en", "fr": "fr", "ja": "jp", "pt": "pt", "ru": "ru", "zh": "zh"}

_QUOTES = ("``", "''")


class Pronoun(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The pronoun, the numbers of its first token and of the one after its last, its tokens."""

    text: str
    span: tuple[int, int]
    tokens: list[str]


class Referent(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """An answer that occurs in the sentence, placed like the pronoun, and whether it is right."""

    text: str
    span: tuple[int, int]
    tokens: list[str]
    correct: bool


_tokens = msgspec.json.Decoder(list[str])
_pronoun = msgspec.json.Decoder(Pronoun)
_referents = msgspec.json.Decoder(list[Referent])


def read(data: Path, language: str) -> Iterator[Item]:
    """The items of one language, numbered within it."""
    path = data / FILE
    ours = ((line, cells) for line, cells in tsv(path, 7) if cells[0] == PUBLISHED_CODES[language])
    rows = ((line, (row, cells)) for row, (line, cells) in enumerate(ours))
    return to_items(path, rows, lambda _, numbered: _item(f"xwinograd.{language}.{numbered[0]}", language, numbered[1]))


def token_offsets(sentence: str, tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Where each token starts and ends in the sentence."""
    offsets, position = [], 0
    for token in tokens:
        while position < len(sentence) and sentence[position].isspace():
            position += 1
        text = '"' if token in _QUOTES and not sentence.startswith(token, position) else token
        if not sentence.startswith(text, position):
            raise ValueError(f"tokens: {token!r} is not at character {position} of the sentence")
        offsets.append((position, position + len(text)))
        position += len(text)
    return offsets


def _item(id: str, language: str, cells: list[str]) -> Item:
    published, subset, origin, sentence, *columns = cells
    tokens = _decoded(columns[0], _tokens, "tokens")
    pronoun = _decoded(columns[1], _pronoun, "pronoun")
    referents = _decoded(columns[2], _referents, "candidates")
    offsets = token_offsets(sentence, tokens)
    start, end = _place(pronoun.span, offsets)
    if sentence[start:end] != pronoun.text:
        raise ValueError(f"pronoun: {pronoun.text!r} is not at tokens {list(pronoun.span)} of the sentence")
    right = [number for number, referent in enumerate(referents) if referent.correct]
    if len(right) != 1:
        raise ValueError(f"candidates: expected one correct candidate, but found {len(right)} of {len(referents)}")
    antecedents = [(_place(referent.span, offsets)[0], referent.text) for referent in referents]
    return Item(
        id=id,
        task="fill",
        source_lang=language,
        target_lang=language,
        source=sentence[:start] + GAP + sentence[end:],
        candidates=tuple(Candidate(referent.text) for referent in referents),
        gold=right[0],
        label=subset,
        features={"pronoun": pronoun.text},
        spans=tuple(
            _span(first if first < start else first + len(GAP) - len(pronoun.text), text)
            for first, text in antecedents
            # The text decides where it ends, not the last token: two published spans are one token too long.
            if sentence.startswith(text, first) and (first + len(text) <= start or first >= end)
        ),
        meta={
            "lang": published,
            "source": origin,
            "tokens": tokens,
            "pronoun": [pronoun.text, list(pronoun.span), pronoun.tokens],
            "candidates": [
                [referent.text, list(referent.span), referent.tokens, referent.correct] for referent in referents
            ],
        },
    )


def _decoded(cell: str, decoder: msgspec.json.Decoder[T], column: str) -> T:
    try:
        return decoder.decode(cell)
    except msgspec.DecodeError as error:
        raise ValueError(f"{column}: {str(error).partition(' - at ')[0]}") from None


def _place(span: tuple[int, int], offsets: list[tuple[int, int]]) -> tuple[int, int]:
    if not 0 <= span[0] < span[1] <= len(offsets):
        raise ValueError(f"tokens: {list(span)} is out of range ({len(offsets)} tokens)")
    return offsets[span[0]][0], offsets[span[1] - 1][1]


def _span(start: int, text: str) -> Span:
    return Span("antecedent", "source", start, start + len(text))


SUITES: tuple[Suite, ...] = tuple(
    Suite(
        name=f"xwinograd/{language}",
        about=f"XWinograd, {language}",
        files=(FILE,),
        read=partial(read, language=language),
        paper="Tikhonov and Ryabinin 2021, It's All in the Heads",
        licence="Apache 2.0",
    )
    for language in PUBLISHED_CODES
)
