"""The sentence pairs that the aligner learns from: the passages of the encoder's text, cut where both sides agree."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from unicodedata import normalize

from referee.annotate.align.tokens import token_spans
from referee.annotate.protocols import SentencePair, Tokens
from referee.io.files import existing
from referee.languages.sentences import splitter

LONGEST = 100
"""Tokens of a sentence at most."""


def passages(path: Path, language: str) -> Iterator[tuple[str, str]]:
    """English passages with their translations, of the part that is learned from."""
    with lzma.open(existing(path), "rb") as lines:
        for line in lines:
            part, other, english, translation = json.loads(line)
            if part == "train" and other == language and english and translation:
                yield normalize("NFC", english), normalize("NFC", translation)


def sentence_pairs(path: Path, language: str) -> list[SentencePair]:
    """Sentences of passages with as many sentences on both sides, other passages whole; none twice, none too long."""
    cut_english, cut_other = splitter("en"), splitter(language)
    pairs: dict[SentencePair, None] = {}
    for english, other in passages(path, language):
        ours, theirs = cut_english(english), cut_other(other)
        if len(ours) != len(theirs):
            ours, theirs = [english], [other]
        for one, two in zip(ours, theirs, strict=True):
            pair = SentencePair(tokenised(one.strip(), "en"), tokenised(two.strip(), language))
            if all(0 < len(side.spans) <= LONGEST for side in pair):
                pairs[pair] = None
    return list(pairs)


def tokenised(text: str, language: str) -> Tokens:
    """A sentence with the places of its tokens."""
    return Tokens(text, tuple(token_spans(text, language)))
