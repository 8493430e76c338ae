"""Classes of English nouns from WordNet's sense counts, and genders of first names from a census.

python -m referee.train.recipes.lexicon.english WORDNET NAMES TEXT OUT

`WORDNET` is the folder with `index.noun`, `data.noun` and `cntlist.rev` (Debian: wordnet-base), `NAMES` that with
`dist.male.first`, `dist.female.first` and `dist.all.last` (US census of 1990; package `names`), `TEXT` the
running text of the encoder.
"""

from __future__ import annotations

import gzip
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from referee.io.files import atomic_write, text_lines
from referee.train.recipes.lexicon.counting import count_forms

CLASSES = [
    "Tops",
    "act",
    "animal",
    "artifact",
    "attribute",
    "body",
    "cognition",
    "communication",
    "event",
    "feeling",
    "food",
    "group",
    "location",
    "motive",
    "object",
    "person",
    "phenomenon",
    "plant",
    "possession",
    "process",
    "quantity",
    "relation",
    "shape",
    "state",
    "substance",
    "time",
]
"""WordNet's files of nouns from number 03 on."""
_FIRST = 3
_SHARE = 0.15
_BOTH = 0.1
_COMMON_NAMES = 0.004
"""Percent of the population from which on a name is kept although the text does not have it."""
_WORDS = 0.1
"""How often a family name may occur as a word without a capital, for each time with one."""


def noun_classes(folder: Path, counts: Mapping[str, int]) -> dict[str, list[str]]:
    """Classes of the nouns that occur, the most frequent first; those under 15% of a noun's senses are left out."""
    weights: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for noun, kind, weight in _senses(folder):
        if counts.get(noun, 0) > 1:
            weights[noun][kind] += weight
    return {
        noun: [kind for kind in sorted(kinds, key=lambda kind: -kinds[kind]) if kinds[kind] >= share]
        for noun, kinds in weights.items()
        if (share := _SHARE * sum(kinds.values()))
    }


def _senses(folder: Path) -> Iterator[tuple[str, str, float]]:
    """Every sense of a noun of one word: the noun as spelled, its class, and its count (tags, and 1 / rank)."""
    tagged: Counter[tuple[str, str]] = Counter()
    for line in text_lines(folder / "cntlist.rev"):
        key, _, count = line.split(" ")
        lemma, _, sense = key.partition("%")
        kind, number, _ = sense.split(":", 2)
        if kind == "1":
            tagged[lemma, number] += int(count)
    ranks = _ranks(folder)
    seen: set[tuple[str, str]] = set()
    for line in text_lines(folder / "data.noun"):
        if line.startswith(" "):
            continue
        offset, number, _, size, *rest = line.split(" ")
        for word in rest[: 2 * int(size, 16) : 2]:
            if word.isalpha():
                lemma = word.lower()
                weight = 0 if (lemma, number) in seen else tagged[lemma, number]
                seen.add((lemma, number))
                yield word, CLASSES[int(number) - _FIRST], weight + 1 / ranks[lemma, offset]


def _ranks(folder: Path) -> dict[tuple[str, str], int]:
    """The place of a sense among those of its noun; the most frequent is 1."""
    ranks: dict[tuple[str, str], int] = {}
    for line in text_lines(folder / "index.noun"):
        if not line.startswith(" "):
            lemma, _, senses, *rest = line.split()
            for rank, offset in enumerate(rest[-int(senses) :], 1):
                ranks[lemma, offset] = rank
    return ranks


def name_kinds(folder: Path, counts: Mapping[str, int]) -> dict[str, str]:
    """`m`, `f` or `mf` for first names, `s` for names that are family names only."""
    shares = {file: _census(folder / file) for file in ("dist.male.first", "dist.female.first", "dist.all.last")}
    male, female, last = shares.values()
    kinds = {}
    for name in {*male, *female, *last}:
        first = male.get(name, 0) + female.get(name, 0)
        if counts.get(name, 0) < 2 and max(first, last.get(name, 0)) < _COMMON_NAMES:
            continue
        man, woman = male.get(name, 0) > _BOTH * first, female.get(name, 0) > _BOTH * first
        kind = "m" * man + "f" * woman or "s"
        # Borrow and Minister are words before they are family names.
        if counts.get(name.lower(), 0) <= counts.get(name, 0) * (_WORDS if kind == "s" else 1):
            kinds[name] = kind
    return kinds


def _census(path: Path) -> dict[str, float]:
    rows = (line.split() for line in text_lines(path))
    return {name.capitalize(): float(share) for name, share, *_ in rows}


def _write(path: Path, lines: list[str]) -> None:
    with atomic_write(path) as file:
        file.write(gzip.compress(("\n".join(sorted(lines)) + "\n").encode(), 9, mtime=0))


def main(arguments: list[str]) -> None:
    """Write `nouns.tsv.gz` and `names.tsv.gz`."""
    wordnet, names, text, out = map(Path, arguments)
    counts = count_forms(text, "en").total
    nouns = noun_classes(wordnet, counts)
    _write(out / "nouns.tsv.gz", [f"{noun}\t{' '.join(kinds)}" for noun, kinds in nouns.items()])
    kinds = name_kinds(names, counts)
    _write(out / "names.tsv.gz", [f"{name}\t{kind}" for name, kind in kinds.items()])
    sys.stdout.write(f"{len(nouns)} nouns, {len(kinds)} names\n")


if __name__ == "__main__":
    main(sys.argv[1:])
