"""Sentence pairs aligned by hand, in the forms in which they are published; tokens are separated by single spaces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from referee.annotate.align.links import Link, read_marked
from referee.annotate.align.tokens import spaced_spans
from referee.annotate.protocols import SentencePair, Tokens
from referee.errors import InputError
from referee.io.files import text_lines


class Gold(NamedTuple):
    """A pair (English first), its sure links, and all that are sure or possible."""

    pair: SentencePair
    sure: frozenset[Link]
    possible: frozenset[Link]


def alibi(folder: Path) -> list[Gold]:
    """ALIBI: French stories; files have the French text first, lines are numbered."""
    gold = []
    for path in sorted(folder.glob("*.align.txt")):
        story = path.name.removesuffix(".align.txt")
        files = [folder / f"{story}.{part}.txt" for part in ("en", "fr", "align")]
        sides = [[line.partition("\t")[2] for line in text_lines(file)] for file in files]
        gold += _paired(files[2], sides, turned=True)
    return gold


def in_three_files(source: Path, target: Path, links: Path, *, turned: bool = False) -> list[Gold]:
    """Two texts and their links, which name the source first, or with `turned` the target."""
    sides = [list(text_lines(path)) for path in (source, target, links)]
    return _paired(links, sides, turned=turned)


def in_columns(path: Path) -> list[Gold]:
    """A table of source, target and links."""
    rows = [line.split("\t") for line in text_lines(path)]
    for number, row in enumerate(rows, 1):
        if len(row) != 3:
            raise InputError(f"expected 3 columns but found {len(row)}", "download the file again", path, number)
    return _paired(path, list(zip(*rows, strict=True)), turned=False)


def _paired(path: Path, sides: Sequence[Sequence[str]], *, turned: bool) -> list[Gold]:
    return list(_each(path, sides, turned=turned))


def _each(path: Path, sides: Sequence[Sequence[str]], *, turned: bool) -> Iterator[Gold]:
    for number, (source, target, line) in enumerate(zip(*sides, strict=True), 1):
        pair = SentencePair(*(Tokens(side, tuple(spaced_spans(side))) for side in (source, target)))
        lengths = [len(side.spans) for side in pair]
        try:
            sure, possible = read_marked(line, *(lengths[::-1] if turned else lengths), strict=False)
        except ValueError as error:
            raise InputError(str(error), "download the file again", path, number) from None
        if turned:
            sure, possible = ([(i, j) for j, i in links] for links in (sure, possible))
        yield Gold(pair, frozenset(sure), frozenset([*sure, *possible]))


def scores(links: Sequence[Sequence[Link]], gold: Sequence[Gold]) -> tuple[float, float, float]:
    """Precision over sure and possible links, recall over sure ones, and their harmonic mean (F1)."""
    found = sum(len(set(own)) for own in links)
    hits = sum(len(set(own) & pair.possible) for own, pair in zip(links, gold, strict=True))
    recalled = sum(len(set(own) & pair.sure) for own, pair in zip(links, gold, strict=True))
    precision, recall = hits / max(found, 1), recalled / max(sum(len(pair.sure) for pair in gold), 1)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)
