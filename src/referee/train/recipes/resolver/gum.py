"""Documents of GUM with the mentions and entities of their annotators, and the licence of each genre."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from referee.annotate.document import ROOT, Document, Sentence, Word
from referee.errors import RefereeError
from referee.io.files import existing

FREE = ("academic", "bio", "conversation", "court", "interview", "news", "speech", "textbook", "vlog", "voyage")
"""Genres whose texts are CC BY, CC BY-SA or in the public domain. The others (essay, fiction, letter, podcast, whow)
are CC BY-NC-SA: they serve for measuring only."""
_MINIMAL = re.compile(r"-cf\d+\*?-(\d+(?:,\d+)*)-")
_BRACKET = re.compile(r"\(([^()]+)(\))?|([^()]+)\)")


class GoldMention(NamedTuple):
    """A mention: its entity, its characters and those of its head words, and whether its head is a noun or a name."""

    entity: int
    start: int
    end: int
    heads: tuple[tuple[int, int], ...]
    upos: str
    sentence: int


class GoldDocument(NamedTuple):
    """A document with its gold parse, and its mentions in the order of their first characters."""

    document: Document
    genre: str
    mentions: tuple[GoldMention, ...]


class _Row(NamedTuple):
    """A line of CoNLL-U with the characters of its token."""

    word: Word
    entity: str


def training(folder: Path) -> list[GoldDocument]:
    """The documents of `sources/` whose genre is free and which are neither in dev nor in test."""
    held_out = {gold.document.id for gold in measured(folder)}
    documents = [
        gold
        for genre in FREE
        for gold in read(folder / "sources" / f"{genre}.conllu.gz")
        if gold.document.id not in held_out
    ]
    if not documents:
        raise RefereeError(f"{folder}: found no training documents of GUM", "give the folder UD_English-GUM")
    return documents


def measured(folder: Path, *parts: str) -> list[GoldDocument]:
    """The documents of dev and test, or of the parts named."""
    return [gold for part in parts or ("dev", "test") for gold in read(folder / f"en_gum-ud-{part}.conllu.gz")]


def read(path: Path) -> Iterator[GoldDocument]:
    """The documents of a CoNLL-U file with GUM's `Entity=` in its last column."""
    with gzip.open(existing(path), "rt", encoding="utf-8") as file:
        lines: list[str] = []
        for line in file:
            if line.startswith("# newdoc id") and lines:
                yield _document(lines)
                lines = []
            lines.append(line.rstrip("\n"))
        if lines:
            yield _document(lines)


def _document(lines: list[str]) -> GoldDocument:
    """Sentences of a paragraph are joined by a space, paragraphs by a line break."""
    name = genre = text = ""
    sentences: list[list[_Row]] = []
    block: list[str] = []
    separator = ""
    for line in [*lines, ""]:
        if line.startswith("#"):
            key, _, value = line[1:].partition("=")
            key = key.strip()
            if key == "newdoc id":
                name = value.strip()
            elif key == "meta::genre":
                genre = value.strip()
            elif key == "newpar":
                separator = "\n"
        elif line:
            block.append(line)
        elif block:
            text += separator if text else ""
            rows, piece = _rows(block, len(text))
            sentences.append(rows)
            text += piece
            block, separator = [], " "
    return GoldDocument(
        Document(
            name,
            text,
            "en",
            tuple(
                Sentence(rows[0].word.start, rows[-1].word.end, tuple(row.word for row in rows)) for rows in sentences
            ),
            "gold",
        ),
        genre,
        _mentions(sentences),
    )


def _rows(block: list[str], offset: int) -> tuple[list[_Row], str]:
    """The words of a sentence that starts at `offset`, and its text."""
    text = ""
    rows: list[_Row] = []
    last, part, start, end = 0, 0, 0, 0
    for line in block:
        fields = line.split("\t")
        number, form, lemma, upos, xpos, feats, head, deprel, _, misc = fields
        if "." in number:
            continue
        spaced = "" if "SpaceAfter=No" in misc.split("|") else " "
        if "-" in number:
            last, part = int(number.partition("-")[2]), 0
            start, end = offset + len(text), offset + len(text) + len(form)
            text += form + spaced
            continue
        if int(number) > last:
            part = 0
            start, end = offset + len(text), offset + len(text) + len(form)
            text += form + spaced
        else:
            part += 1
        rows.append(
            _Row(
                Word(form, lemma, upos, "" if feats == "_" else feats, int(head) - 1 if head != "0" else ROOT, deprel,
                     start, end, part, xpos),
                next((field[7:] for field in misc.split("|") if field.startswith("Entity=")), ""),
            )
        )  # fmt: skip
    return rows, text.rstrip()


def _mentions(sentences: list[list[_Row]]) -> tuple[GoldMention, ...]:
    """Read the brackets of `Entity=`: `(4-person-new-...` opens a mention, `4)` closes it."""
    mentions: list[GoldMention] = []
    for index, rows in enumerate(sentences):
        still_open: dict[str, list[tuple[int, str]]] = {}
        for position, row in enumerate(rows):
            for opened, closed_at_once, closed in _BRACKET.findall(row.entity):
                if opened:
                    group, _, details = opened.partition("-")
                    still_open.setdefault(group, []).append((position, details))
                    if not closed_at_once:
                        continue
                else:
                    group = closed
                first, details = still_open[group].pop()
                mentions.append(_mention(int(group.partition("[")[0]), rows, first, position, details, index))
    return tuple(sorted(mentions, key=lambda mention: (mention.start, -mention.end)))


def _mention(entity: int, rows: list[_Row], first: int, last: int, details: str, sentence: int) -> GoldMention:
    """The detail after the centre number lists the words of the mention that are its head, from 1."""
    listed = _MINIMAL.search(details)
    if listed is None:
        raise RefereeError(f"GUM: cannot read the entity '{entity}-{details}'", "use GUM of 2020 or later")
    numbers = [first + int(number) - 1 for number in listed[1].split(",")]
    words = [rows[number].word for number in numbers]
    inside = range(first, last + 1)
    # Of several head words (a name), the one that the others hang from gives the part of speech.
    top = next((word for word in words if word.head not in numbers and word.head not in inside), words[0])
    return GoldMention(
        entity, rows[first].word.start, rows[last].word.end, tuple((word.start, word.end) for word in words), top.upos,
        sentence,
    )  # fmt: skip
