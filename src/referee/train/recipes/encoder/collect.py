"""The running text of the pocket encoder, of sources whose licences allow weights to be passed on.

Films and scenes that are held out for the translator are held out here too, so both can be measured on them.

`python -m referee.train.recipes.encoder.collect DATA OUT` writes what the training reads: `text.jsonl.xz`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from referee.io.files import text_lines
from referee.logs import logger
from referee.train.recipes.command import run
from referee.train.recipes.encoder.passages import FILE, TRAIN, WATCH, Passage, by_language, write
from referee.train.recipes.encoder.treebanks import TRAINING, sentences
from referee.train.recipes.translator import corpus

LICENCES = {**corpus.LICENCES, "Tatoeba Challenge": "CC-BY-2.0"}
"""What the corpora are published under; those of the treebanks are in the card."""

_CHALLENGE = {"deu-eng": ("de", "en"), "eng-fra": ("en", "fr"), "eng-spa": ("en", "es"), "eng-rus": ("en", "ru")}


def passages(data: Path, split: corpus.Split) -> Iterator[Passage]:
    """Passages of all sources that are learned from, nothing twice, and nothing that is held out."""
    seen = {*films(split.watch), *films(split.test)}
    for passage in (*films(split.train), *single_sentences(data), *treebanks(data)):
        if passage not in seen and (passage.english or passage.other):
            seen.add(passage)
            yield passage


def films(lines: Iterable[corpus.Line]) -> Iterator[Passage]:
    """Scenes and chats, up to five sentences each, with their translation."""
    for line in lines:
        yield Passage(line.language, " ".join(line.english), " ".join(line.other))


def single_sentences(data: Path) -> Iterator[Passage]:
    """Tatoeba's sentences."""
    for pair in corpus.tatoeba(data):
        yield Passage(pair.language, pair.english, pair.other)
    for name, languages in _CHALLENGE.items():
        for row in text_lines(data / "parallel/tatoeba-challenge" / f"{name}.devtest.tsv"):
            sides = dict(zip(languages, (side.strip() for side in row.split("\t")[2:4]), strict=True))
            (language,) = sides.keys() - {"en"}
            yield Passage(language, sides["en"], sides[language])


def treebanks(data: Path) -> Iterator[Passage]:
    """The sentences that the heads learn from too."""
    for language, styles in TRAINING.items():
        for file in chain.from_iterable(styles):
            for sentence in sentences(data, file):
                yield Passage("de", sentence.text, "") if language == "en" else Passage(language, "", sentence.text)


def main() -> None:
    """Collect from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    split = corpus.split(corpus.read(arguments.data))
    learned = list(passages(arguments.data, split))
    arguments.out.mkdir(parents=True, exist_ok=True)
    write(arguments.out / FILE, {TRAIN: learned, WATCH: list(films(split.watch))})
    for language, texts in by_language(learned).items():
        logger.info(f"{language}: {len(texts):,} passages, {sum(map(len, texts)):,} characters")


if __name__ == "__main__":
    run(main)
