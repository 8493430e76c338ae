"""What the heads learn from, prepared on the machine that has the treebanks.

`python -m referee.train.recipes.encoder.prepare DATA PIECES OUT` writes the sentences of the treebanks as arrays
(`train.npz`, and `measured.npz`: the files that are only measured on), the classes that occur (`inventory.json`), and a
copy of the pieces.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from referee.annotate.pocket.atoms import atoms
from referee.annotate.pocket.pieces import Pieces
from referee.io.files import atomic_write, existing
from referee.logs import logger
from referee.train.recipes.command import run
from referee.train.recipes.encoder.conventions import harmonise
from referee.train.recipes.encoder.examples import LENGTH, TEXT, Builder, Examples, marked_features
from referee.train.recipes.encoder.inventory import INVENTORY, Inventory, count
from referee.train.recipes.encoder.passages import LANGUAGES
from referee.train.recipes.encoder.tokens import Token, joined, tokens
from referee.train.recipes.encoder.treebanks import MEASURED, TELLING, TRAINING, Sentence, read, sentences
from referee.train.recipes.encoder.vocabulary import PIECES

LONGEST = TEXT - 2
"""Pieces of a sentence: with the language and the end it must fit a text."""
_LONGEST_MEASURED = LENGTH - 2

Texts = list[tuple[str, list[Token]]]


def tokenised(treebank: Sequence[Sentence]) -> Texts:
    """Texts and tokens of the sentences whose words spell their text."""
    listed: Texts = []
    for sentence in treebank:
        found = tokens(sentence.text, sentence.rows)
        if found:
            _, starts, ends = atoms(sentence.text)
            whole = joined(found, starts, ends)
            if all(token.start in starts and token.end in ends for token in whole):
                listed.append((sentence.text, whole))
    return listed


def examples(
    treebanks: Mapping[tuple[str, int], Sequence[Texts]], inventory: Inventory, pieces: Pieces, longest: int = LONGEST
) -> Examples:
    """Arrays of treebank files by language and style."""
    builder = Builder(inventory, pieces)
    for (language, style), files in treebanks.items():
        for texts in files:
            marked = marked_features(words for _, words in texts)
            for text, words in texts:
                if len(pieces.encode(atoms(text)[0]).numbers) <= longest:
                    builder.add(language, style, text, words, marked)
    return builder.examples()


def _new(members: Iterable[Sentence], seen: set[str]) -> list[Sentence]:
    """Sentences that did not occur yet, and short ones: everybody says them."""
    listed = []
    for sentence in members:
        if sentence.text not in seen:
            listed.append(sentence)
            if len(sentence.text) >= TELLING:
                seen.add(sentence.text)
    return listed


def main() -> None:
    """Prepare from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("pieces", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    model = existing(arguments.pieces).read_bytes()
    pieces = Pieces(model, LANGUAGES)
    learned: dict[tuple[str, int], list[Texts]] = {}
    for language, styles in TRAINING.items():
        seen: set[str] = set()
        for style, files in enumerate(styles):
            for file in files:
                members = _new(sentences(arguments.data, file), seen)
                texts = tokenised([replace(one, rows=harmonise(file, one.rows)) for one in members])
                logger.info(f"{language} {style} {file}: {len(texts):,} of {len(members):,} sentences")
                learned.setdefault((language, style), []).append(texts)
    inventory = count(words for members in learned.values() for texts in members for _, words in texts)
    sizes = {name: len(values) for name, values in inventory.features.items()}
    logger.info(f"{len(inventory.lemmas)} lemma scripts, {len(inventory.splits)} splits, features {sizes}")
    inventory.save(arguments.out / INVENTORY)
    with atomic_write(arguments.out / PIECES) as copy:
        copy.write(model)
    train = examples(learned, inventory, pieces)
    train.save(arguments.out / "train.npz")
    measured = {(language, 0): [tokenised(list(read(arguments.data, name)))] for language, name in MEASURED.items()}
    examples(measured, inventory, pieces, longest=_LONGEST_MEASURED).save(arguments.out / "measured.npz")
    logger.info(f"{len(train):,} sentences, {len(train.words):,} words, {len(train.pieces):,} pieces")


if __name__ == "__main__":
    run(main)
