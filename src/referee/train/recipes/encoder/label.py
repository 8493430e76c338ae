"""Running text with labels that teachers find and a lexicon corrects.

`python -m referee.train.recipes.encoder.label TEXT PREPARED WEIGHTS OUT TEACHER...` writes the file OUT. WEIGHTS is the
masked language model that the teachers came from; PREPARED also holds `labels.tsv.xz`, forms whose analyses in a
lexicon agree: form, language, UPOS, gender, number, case, animacy and lemma, with `*` where analyses differ.
"""

from __future__ import annotations

import argparse
import lzma
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from referee.annotate.pocket.scripts import LemmaScript, lemma_script
from referee.errors import InputError
from referee.io.files import existing
from referee.logs import logger
from referee.train.recipes.command import run
from referee.train.recipes.encoder import passages
from referee.train.recipes.encoder.examples import (
    ENDS,
    ENDS_SENTENCE,
    HEAD,
    LEMMA,
    PART,
    SPLIT,
    TAG,
    UNKNOWN,
    WORDS,
    Examples,
)
from referee.train.recipes.encoder.inventory import FEATURES, Inventory
from referee.train.recipes.encoder.model import COLUMNS, Annotator, Found, find
from referee.train.recipes.encoder.numbered import Numbered, number_all
from referee.train.recipes.encoder.passages import LANGUAGES
from referee.train.recipes.encoder.teach import load, started, tokens_of

LONGEST = 124
"""Pieces of a passage."""
_SURE = {"split": 0.5, "upos": 0.5, "lemma": 0.5, "arc": 0.4, "label": 0.5, "feats": 0.4}
"""A label that the teachers find less probable than this is not learned."""
_NO_HEAD = -2
_ANY = "*"
_LEXICON = "labels.tsv.xz"
_LEXICON_FEATURES = ("Gender", "Number", "Case", "Animacy")

Lexicon = dict[tuple[str, str], list[int | None]]
"""Numbers of UPOS, features and lemma script by language and form; None where analyses disagree."""


class Passages:
    """Texts and their atoms in flat arrays."""

    def __init__(self, languages: Sequence[int], texts: Sequence[str], numbers: Sequence[Numbered]) -> None:
        self.texts = texts
        self.languages = np.array(languages, np.int8)
        self.pieces = np.concatenate([one.pieces for one in numbers])
        counts = np.concatenate([one.counts for one in numbers]).astype(np.int64)
        self.of_atom = np.repeat(np.arange(len(texts)), [len(one.counts) for one in numbers])
        self.last = np.cumsum(counts) - 1
        self.first = self.last - counts + 1
        self.starts = np.concatenate([one.starts for one in numbers])
        self.ends = np.concatenate([one.ends for one in numbers])

    def examples(self, ends_sentence: np.ndarray, words: np.ndarray, first: np.ndarray, part: np.ndarray) -> Examples:
        """Sentences that end at some atoms; a word is given by its last atom, its first atom, and its part."""
        last_atoms = np.flatnonzero(ends_sentence)
        first_atoms = np.concatenate([[0], last_atoms[:-1] + 1])
        sentence = np.cumsum(ends_sentence) - ends_sentence
        first_piece = np.concatenate([self.first[first_atoms], [len(self.pieces)]]).astype(np.int32)
        offset = first_piece[sentence]
        atoms = np.stack([self.first - offset, self.last - offset, np.zeros(len(offset), np.int64)], axis=1)
        table = np.full((len(words), 8), UNKNOWN, np.int16)
        table[:, 0] = self.first[first] - offset[words]
        table[:, 1] = self.last[words] - offset[words]
        table[:, PART] = part
        counted = np.bincount(sentence[words], minlength=len(last_atoms))
        return Examples(
            self.languages[self.of_atom[last_atoms]],
            np.zeros(len(last_atoms), np.int16),
            first_piece,
            np.concatenate([first_atoms, [len(offset)]]).astype(np.int32),
            np.concatenate([[0], np.cumsum(counted)]).astype(np.int32),
            self.pieces,
            atoms.astype(np.int16),
            table,
            np.full((len(words), len(FEATURES)), UNKNOWN, np.int8),
        )

    def texts_of(self, examples: Examples) -> list[range]:
        """The sentences of each passage."""
        passage = self.of_atom[examples.first_atom[:-1]]
        firsts = np.flatnonzero(np.diff(passage, prepend=-1))
        return [range(first, last) for first, last in zip(firsts, [*firsts[1:], len(passage)], strict=True)]


def labelled(
    listed: Passages, models: Sequence[Annotator], inventory: Inventory, tokens: Sequence[int]
) -> tuple[Examples, np.ndarray, np.ndarray]:
    """Sentences, then words, then all other labels; also the first and the last atom of every word."""
    whole = np.diff(listed.of_atom, append=-1) != 0
    ends = np.flatnonzero(whole)
    starts = np.concatenate([[0], ends[:-1] + 1])
    plain = listed.examples(whole, ends, starts, np.zeros(len(ends), np.int64))
    borders = find(models, plain, listed.texts_of(plain), tokens).borders
    ends_sentence = (borders == ENDS_SENTENCE) | whole
    last = np.flatnonzero((borders >= ENDS) | ends_sentence)
    first = np.concatenate([[0], last[:-1] + 1])
    single = listed.examples(ends_sentence, last, first, np.zeros(len(last), np.int64))
    found = find(models, single, listed.texts_of(single), tokens)
    split = np.where(found.sure["split"] >= _SURE["split"], found.words[:, SPLIT], 0)
    words_of = np.array([1 + len(script.further) for script in inventory.splits])
    # A passage that would not fit a row with its splits keeps its tokens whole.
    passage = listed.of_atom[last]
    split = np.where(np.bincount(passage, words_of[split])[passage] > WORDS, 0, split)
    count = words_of[split]
    place = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    part = np.where(np.repeat(count, count) > 1, np.minimum(place + 1, 3), 0)
    last, first, split = np.repeat(last, count), np.repeat(first, count), np.repeat(split, count)
    words = listed.examples(ends_sentence, last, first, part)
    found = find(models, words, listed.texts_of(words), tokens)
    found.words[:, SPLIT] = np.where(place == 0, split, UNKNOWN)
    words.atoms[:, 2] = np.where(ends_sentence, ENDS_SENTENCE, np.where(borders >= ENDS, ENDS, 0))
    return _sure(words, found), first, last


def _sure(examples: Examples, found: Found) -> Examples:
    """The examples with the labels that are sure enough."""
    for name, column in COLUMNS.items():
        if name != "split":
            unsure = found.sure[name] < _SURE[name]
            examples.words[:, column] = np.where(
                unsure, _NO_HEAD if column == HEAD else UNKNOWN, found.words[:, column]
            )
    examples.words[:, SPLIT] = found.words[:, SPLIT]
    # The features of a word are learned together or not at all: the least sure decides.
    least = found.sure["feats"].min(axis=1, keepdims=True)
    examples.feats[:] = np.where(least < _SURE["feats"], UNKNOWN, found.feats)
    return examples


def read_lexicon(path: Path, inventory: Inventory) -> Lexicon:
    """Read the forms whose analyses agree."""
    upos = {name: number for number, name in enumerate(inventory.upos)}
    scripts: dict[LemmaScript, int] = {script: number for number, script in enumerate(inventory.lemmas)}
    entries: Lexicon = {}
    with lzma.open(existing(path), "rt", encoding="utf-8") as lines:
        for line in lines:
            form, language, tag, *values, lemma = line.rstrip("\n").split("\t")
            numbers = [None if tag == _ANY else upos.get(tag)]
            for name, value in zip(_LEXICON_FEATURES, values, strict=True):
                known = inventory.features[name]
                numbers.append(known.index(value) if value in known else None)
            numbers.append(None if lemma == _ANY else scripts.get(lemma_script(form, lemma)))
            entries[language, form] = numbers
    return entries


def correct(
    examples: Examples,
    listed: Passages,
    first: np.ndarray,
    last: np.ndarray,
    lexicon: Lexicon,
) -> int:
    """Put the labels of the lexicon over those that were found; the number of words that it knows."""
    columns = [FEATURES.index(name) for name in _LEXICON_FEATURES]
    begins = set(examples.first_word.tolist())
    passage = listed.of_atom[last]
    starts, ends = listed.starts[first].tolist(), listed.ends[last].tolist()
    hits = 0
    for word in np.flatnonzero(examples.words[:, PART] == 0).tolist():
        language = LANGUAGES[listed.languages[passage[word]]]
        form = listed.texts[passage[word]][starts[word] : ends[word]]
        entry = lexicon.get((language, form))
        if entry is None and word in begins:
            entry = lexicon.get((language, form.lower()))
        if entry is None:
            continue
        hits += 1
        tag, *values, script = entry
        if tag is not None:
            examples.words[word, TAG] = tag
        if script is not None:
            examples.words[word, LEMMA] = script
        for column, value in zip(columns, values, strict=True):
            if value is not None:
                examples.feats[word, column] = value
    return hits


def main() -> None:
    """Label from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=Path)
    parser.add_argument("prepared", type=Path)
    parser.add_argument("weights", type=Path, help="the masked language model that the teachers came from")
    parser.add_argument("out", type=Path)
    parser.add_argument("teachers", type=Path, nargs="+")
    parser.add_argument("--characters", type=int, default=6_000_000, help="of each language (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    models = []
    for path in arguments.teachers:
        begun = started(arguments.weights, arguments.prepared, arguments.device)
        load(begun.model, path)
        models.append(begun.model.eval())
    inventory, pieces = begun.inventory, begun.pieces
    listed = read_passages(arguments.text, pieces.model, arguments.characters, arguments.processes)
    examples, first, last = labelled(listed, models, inventory, tokens_of(pieces))
    hits = correct(examples, listed, first, last, read_lexicon(arguments.prepared / _LEXICON, inventory))
    logger.info(f"{len(examples):,} sentences, {len(examples.words):,} words, {hits:,} of them in the lexicon")
    examples.save(arguments.out)


def read_passages(path: Path, model: bytes, characters: int, processes: int) -> Passages:
    """Random passages of every language."""
    chosen: list[tuple[int, str]] = []
    for language, texts in passages.by_language(passages.read(path)[passages.TRAIN]).items():
        random.Random(1).shuffle(texts)  # noqa: S311 no secret
        left = characters
        for text in texts:
            if left < 0:
                break
            chosen.append((LANGUAGES.index(language), text))
            left -= len(text)
    numbers = list(number_all([text for _, text in chosen], model, processes))
    short = [
        (language, text, one)
        for (language, text), one in zip(chosen, numbers, strict=True)
        if 0 < len(one.pieces) <= LONGEST
    ]
    if not short:
        raise InputError(f"has no passage of 1 to {LONGEST} pieces", "make the text again with collect.py", path)
    languages, texts_of, numbered = zip(*short, strict=True)
    return Passages(languages, texts_of, numbered)


if __name__ == "__main__":
    run(main)
