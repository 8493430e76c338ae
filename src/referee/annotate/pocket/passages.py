"""What is computed together: stretches of documents, as atoms with their pieces, lines and rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from referee.annotate.document import Document, Sentence
from referee.annotate.pocket.atoms import atoms
from referee.annotate.pocket.exact import Ends
from referee.annotate.pocket.pieces import Pieces
from referee.annotate.pocket.rows import ROOM, Rows, pack

LONGEST = 1 << 17
"""Characters of a stretch. A longer text is cut at a line break or, within a longer line, at white space."""

GIVEN = 2_000
"""Words of a run of sentences whose tokens are given; sentences are not cut."""


class Stretch(NamedTuple):
    """A part of a document: its text, and the number of characters in front of it."""

    start: int
    text: str


def stretches(text: str) -> Iterator[Stretch]:
    """The parts of a text that are annotated by themselves, nearly always one."""
    start = 0
    while len(text) - start > LONGEST:
        cut = text.rfind("\n", start, start + LONGEST) + 1
        if cut <= start:
            cut = _last_space(text, start, start + LONGEST)
        yield Stretch(start, text[start:cut])
        start = cut
    yield Stretch(start, text[start:] if start else text)


def _last_space(text: str, start: int, end: int) -> int:
    """Where to cut a line: behind the last white space, or at the end."""
    for index in range(end, max(start, end - 10_000), -1):
        if text[index - 1].isspace():
            return index
    return end


class Passage(NamedTuple):
    """Atoms of one or more stretches: their characters, their pieces and the rows that the pieces are in."""

    starts: np.ndarray
    ends: np.ndarray
    lines: np.ndarray
    """The number of each atom's line. Stretches do not share lines."""
    numbers: np.ndarray
    pieces: Ends
    rows: Rows


def of_text(text: str, edges: np.ndarray, pieces: Pieces) -> Passage:
    """The passage of stretches that are joined by line breaks; `edges` are the characters where they start."""
    spelled, starts, ends = atoms(text)
    first = np.array(starts, np.int64)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    lines = np.searchsorted(np.flatnonzero(codes == ord("\n")), first)
    return _passage(spelled, first, np.array(ends, np.int64), lines, np.searchsorted(edges, first, "right"), pieces)


class Again(NamedTuple):
    """Pieces of lines that did not fit a row, and rows of whole sentences for them."""

    pieces: np.ndarray
    rows: Rows


def long_lines(passage: Passage, sentences: np.ndarray) -> Again | None:
    """What must be read once more, now that the first atom of each sentence is known; None if nothing."""
    first, last = passage.pieces
    sizes = np.bincount(passage.lines, weights=last - first + 1)
    lines = passage.lines[sentences]
    # A line that is one sentence would be read in the same windows.
    is_long = (sizes[lines] > ROOM) & (np.bincount(lines)[lines] > 1)
    if not is_long.any():
        return None
    counts = np.diff(first[sentences], append=len(passage.numbers))
    pieces = np.flatnonzero(np.repeat(is_long, counts))
    return Again(pieces, pack(counts[is_long].tolist(), lines[is_long].tolist()))


class Given(NamedTuple):
    """Sentences of a document whose tokens are given."""

    text: str
    sentences: tuple[Sentence, ...]


def runs(document: Document) -> Iterator[Given]:
    """The parts of a document with given tokens that are annotated by themselves."""
    begin = count = 0
    for index, sentence in enumerate(document.sentences):
        count += len(sentence.words)
        if count >= GIVEN:
            yield Given(document.text, document.sentences[begin : index + 1])
            begin, count = index + 1, 0
    yield Given(document.text, document.sentences[begin:])


def of_tokens(parts: Sequence[Given], pieces: Pieces) -> tuple[Passage, np.ndarray]:
    """The passage of given tokens, and the number of atoms of each token. Sentences take the place of lines."""
    spelled: list[str] = []
    counts: list[int] = []
    lines: list[int] = []
    groups: list[int] = []
    line = 0
    for group, part in enumerate(parts):
        before = -1
        for sentence in part.sentences:
            line += 1
            for start, end in token_spans(sentence):
                token = atoms(part.text[start:end])[0] or [f" {part.text[start:end]}"]
                if start == before:
                    token[0] = token[0][1:]
                before = end
                spelled += token
                counts.append(len(token))
                lines += [line] * len(token)
                groups += [group] * len(token)
    nowhere = np.zeros(len(spelled), np.int64)
    passage = _passage(spelled, nowhere, nowhere, np.array(lines, np.int64), np.array(groups, np.int64), pieces)
    return passage, np.array(counts, np.int64)


def token_spans(sentence: Sentence) -> Iterator[tuple[int, int]]:
    """The characters of the tokens: words that are not a further part of the one in front of them."""
    return ((word.start, word.end) for word in sentence.words if word.part <= 1)


def _passage(
    spelled: Sequence[str],
    starts: np.ndarray,
    ends: np.ndarray,
    lines: np.ndarray,
    groups: np.ndarray,
    pieces: Pieces,
) -> Passage:
    numbers, counts = pieces.encode(spelled)
    last = np.cumsum(counts) - 1
    if not len(spelled):
        return Passage(starts, ends, lines, numbers, Ends(last, last), pack([], []))
    heads = np.flatnonzero(np.diff(lines, prepend=lines[0] - 1))
    rows = pack(np.add.reduceat(counts, heads).tolist(), groups[heads].tolist())
    return Passage(starts, ends, lines, numbers, Ends(last - counts + 1, last), rows)
