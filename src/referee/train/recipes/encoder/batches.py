"""Batches for the heads: rows that hold several texts, each with its own language token, positions and attention."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import Tensor

from referee.pocket.encoder_vocabulary import END, PAD
from referee.train.recipes.encoder.examples import FIRST, HEAD, LAST, LENGTH, TEXT, WORDS, Examples

IGNORED = -100
ROOT = -1
STYLES_OF_LANGUAGE = 4
"""Annotation styles that a language has at most."""


@dataclass(frozen=True)
class Batch:
    """Arrays of some rows; pieces and heads are places in their row (the head 0 is the root)."""

    pieces: Tensor
    positions: Tensor
    text: Tensor
    """The number of the text that a piece belongs to; pieces look only at their own text."""
    style: Tensor
    atoms: Tensor
    """First and last piece, border."""
    words: Tensor
    """The columns of `Examples.words`, with the head as a place in the row."""
    feats: Tensor
    sentence: Tensor
    """The number of a word's sentence, -1 for padding."""
    atom_source: Tensor
    word_source: Tensor
    """Where atoms and words stand in the examples, -1 for padding."""

    def to(self, device: str) -> Batch:
        """The same batch on a device."""
        return Batch(*(getattr(self, field.name).to(device, non_blocking=True) for field in fields(self)))

    def rows(self, first: int, count: int) -> Batch:
        """Some of the rows."""
        parts = {field.name: getattr(self, field.name)[first : first + count] for field in fields(self)}
        return Batch(**parts)

    def mask(self) -> Tensor:
        """Which pieces look at which."""
        return self.text[:, :, None] == self.text[:, None, :]


@dataclass(frozen=True)
class Drawing:
    """How texts are drawn from treebanks."""

    flatness: float = 0.5
    """Languages are drawn with their number of sentences to this power."""
    single: float = 0.3
    """The share of texts that are one sentence."""
    unstyled: float = 0.3
    """The share of texts in other styles that are given out as the first style."""


class Drawer:
    """Draws rows of random texts: consecutive sentences of one treebank."""

    def __init__(self, examples: Examples, languages: Sequence[int], drawing: Drawing, *seed: int) -> None:
        """Take the tokens of the languages, and numbers that decide what is drawn."""
        self.examples, self.drawing, self.seed = examples, drawing, seed
        self.tokens = np.array(languages)
        self.chance = np.random.default_rng(seed)
        self.sizes = np.diff(examples.first_piece)
        self.members = [np.flatnonzero(examples.language == number) for number in range(len(languages))]
        sizes = np.array([len(members) for members in self.members], float)
        shares = np.where(sizes > 0, sizes**drawing.flatness, 0)
        self.shares = shares / shares.sum()

    def seeded(self, number: int) -> Drawer:
        """A drawer of other texts from the same examples."""
        return Drawer(self.examples, self.tokens.tolist(), self.drawing, *self.seed, number + 1)

    def text(self) -> range:
        """Sentences of a random text."""
        language = self.chance.choice(len(self.members), p=self.shares)
        first = last = int(self.chance.choice(self.members[language]))
        if self.chance.random() < self.drawing.single:
            return range(first, first + 1)
        room = int(self.chance.integers(24, TEXT - 2, endpoint=True))
        size = int(self.sizes[first])
        while last + 1 < len(self.examples) and self._follows(last):
            size += int(self.sizes[last + 1])
            if size > room:
                break
            last += 1
        return range(first, last + 1)

    def _follows(self, last: int) -> bool:
        same = self.examples.language[last] == self.examples.language[last + 1]
        return bool(same and self.examples.treebank[last] == self.examples.treebank[last + 1])

    def draw(self, rows: int) -> Batch:
        """Random rows."""
        texts = next(filled(self.examples, iter(self.text, None), rows))
        unstyled = self.chance.random(sum(map(len, texts))) < self.drawing.unstyled
        return packed(self.examples, texts, self.tokens, unstyled)


def filled(examples: Examples, texts: Iterable[range], rows: int) -> Iterator[list[list[range]]]:
    """Texts by rows, `rows` rows at a time."""
    listed: list[list[range]] = []
    left_pieces = left_words = 0
    for text in texts:
        pieces = int(examples.first_piece[text.stop] - examples.first_piece[text.start]) + 2
        words = int(examples.first_word[text.stop] - examples.first_word[text.start])
        if pieces > LENGTH or words > WORDS:
            raise ValueError(f"a text of {pieces} pieces and {words} words does not fit a row")
        if pieces > left_pieces or words > left_words:
            if len(listed) == rows:
                yield listed
                listed = []
            listed.append([])
            left_pieces, left_words = LENGTH, WORDS
        listed[-1].append(text)
        left_pieces, left_words = left_pieces - pieces, left_words - words
    if listed:
        yield listed


def packed(examples: Examples, texts: Sequence[Sequence[range]], languages: np.ndarray, unstyled: np.ndarray) -> Batch:
    """Put texts into rows; every text is a range of sentences. `unstyled` texts are given out as the first style."""
    placed = _Placed(examples, texts)
    arrays = (*placed.pieces(languages, unstyled), *placed.atoms_and_words())
    return Batch(*(torch.from_numpy(array) for array in arrays))


class _Placed:
    """Where the sentences of some texts stand in rows."""

    def __init__(self, examples: Examples, texts: Sequence[Sequence[range]]) -> None:
        self.examples, self.rows = examples, len(texts)
        listed = [text for members in texts for text in members]
        self.row_of_text = np.repeat(np.arange(len(texts)), [len(members) for members in texts])
        self.first_of_text = np.array([text.start for text in listed])
        self.sentences = np.concatenate([np.arange(text.start, text.stop) for text in listed])
        of_text = np.repeat(np.arange(len(listed)), [len(text) for text in listed])
        self.sizes = self._counts(examples.first_piece)
        # The language stands before a text, the end behind it.
        self.text_sizes = np.bincount(of_text, self.sizes, len(listed)).astype(np.int64) + 2
        self.text_start = _within(self.text_sizes, self.row_of_text)
        self.start = self.text_start[of_text] + 1 + _within(self.sizes, of_text)
        self.row = self.row_of_text[of_text]

    def _counts(self, firsts: np.ndarray) -> np.ndarray:
        return np.asarray(firsts[self.sentences + 1] - firsts[self.sentences], np.int64)

    def pieces(self, languages: np.ndarray, unstyled: np.ndarray) -> tuple[np.ndarray, ...]:
        """Pieces, positions, numbers of texts, and styles."""
        shape = (self.rows, LENGTH)
        pieces, positions = np.full(shape, PAD, np.int64), np.zeros(shape, np.int64)
        text, style = np.full(shape, -1, np.int64), np.zeros(shape, np.int64)
        source = _expanded(self.examples.first_piece[self.sentences], self.sizes)
        pieces.reshape(-1)[_expanded(self.row * LENGTH + self.start, self.sizes)] = self.examples.pieces[source]
        language = self.examples.language[self.first_of_text].astype(np.int64)
        treebank = self.examples.treebank[self.first_of_text].astype(np.int64)
        pieces[self.row_of_text, self.text_start] = languages[language]
        pieces[self.row_of_text, self.text_start + self.text_sizes - 1] = END
        number = 1 + language * STYLES_OF_LANGUAGE + treebank
        style[self.row_of_text, self.text_start] = np.where(unstyled | (treebank == 0), 0, number)
        everything = _expanded(self.row_of_text * LENGTH + self.text_start, self.text_sizes)
        positions.reshape(-1)[everything] = _expanded(np.zeros(len(language), np.int64), self.text_sizes)
        text.reshape(-1)[everything] = np.repeat(np.arange(len(language)), self.text_sizes)
        return pieces, positions, text, style

    def atoms_and_words(self) -> tuple[np.ndarray, ...]:
        """Labels of atoms and words, features, sentences, and where atoms and words stand in the examples."""
        counts, target, source = self._gathered(self.examples.first_atom, LENGTH)
        atoms = _scattered((self.rows, LENGTH, 3), target, self.examples.atoms[source], IGNORED)
        atoms.reshape(-1, 3)[target, :2] += np.repeat(self.start, counts)[:, None]
        atom_source = _scattered((self.rows, LENGTH), target, source, -1)
        counts, target, source = self._gathered(self.examples.first_word, WORDS)
        words = _scattered((self.rows, WORDS, 8), target, self.examples.words[source], IGNORED)
        flat = words.reshape(-1, 8)
        flat[target, FIRST] += np.repeat(self.start, counts)
        flat[target, LAST] += np.repeat(self.start, counts)
        head = flat[target, HEAD]
        place = head + 1 + np.repeat(_within(counts, self.row), counts)
        flat[target, HEAD] = np.where(head >= 0, place, np.where(head == ROOT, 0, IGNORED))
        feats = _scattered(
            (self.rows, WORDS, self.examples.feats.shape[1]), target, self.examples.feats[source], IGNORED
        )
        sentence = _scattered((self.rows, WORDS), target, np.repeat(np.arange(len(self.sentences)), counts), -1)
        return atoms, words, feats, sentence, atom_source, _scattered((self.rows, WORDS), target, source, -1)

    def _gathered(self, firsts: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For atoms or words: how many a sentence has, their places in the rows, and in the examples."""
        counts = self._counts(firsts)
        target = _expanded(self.row * width + _within(counts, self.row), counts)
        return counts, target, _expanded(firsts[self.sentences], counts)


def _scattered(shape: tuple[int, ...], target: np.ndarray, values: np.ndarray, otherwise: int) -> np.ndarray:
    array = np.full(shape, otherwise, np.int64)
    array.reshape(-1, *shape[2:])[target] = values
    return array


def _within(sizes: np.ndarray, group: np.ndarray) -> np.ndarray:
    """Where each member begins in its group; the members of a group stand together."""
    start = np.cumsum(sizes) - sizes
    first = np.flatnonzero(np.diff(group, prepend=-1))
    return np.asarray(start - np.repeat(start[first], np.diff(first, append=len(group))))


def _expanded(starts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """All numbers from each start on, as many as its size."""
    ends = np.cumsum(sizes)
    return np.asarray(np.repeat(starts - (ends - sizes), sizes) + np.arange(ends[-1] if len(ends) else 0))
