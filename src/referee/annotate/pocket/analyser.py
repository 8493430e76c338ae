"""From atoms to words of one language: the encoder, the heads and the lexicon, for many lines at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import repeat
from typing import NamedTuple, Protocol

import numpy as np

from referee.annotate.document import Sentence, Word
from referee.annotate.pocket import borders
from referee.annotate.pocket.exact import Ends
from referee.annotate.pocket.heads import PARTS, Heads
from referee.annotate.pocket.passages import Given, Stretch, long_lines, of_text, of_tokens
from referee.annotate.pocket.pieces import Pieces
from referee.annotate.pocket.rows import Rows, place, spelled
from referee.annotate.pocket.scores import Scorer, WordScores
from referee.annotate.pocket.scripts import split
from referee.annotate.pocket.syntax import parse
from referee.annotate.pocket.tags import Lemmas, Tags
from referee.pocket.encoder import PocketEncoder

BATCH = 512
"""Pieces that the encoder gets at once: more do not fit its caches, and it slows down."""

LEXICAL = ("Gender", "Number", "Case", "Animacy")
"""The features that a lexicon decides, in the order of its answers."""


class Chosen(Protocol):
    """What a lexicon says of words."""

    @property
    def upos(self) -> np.ndarray:
        """Numbers of parts of speech, -1 where the heads decide."""

    @property
    def values(self) -> np.ndarray:
        """Numbers of the values of the four features, -1 where the heads decide."""

    @property
    def lemmas(self) -> Sequence[str | None]:
        """Lemmas, None where the heads decide."""


class Ranker(Protocol):
    """A lexicon that knows the columns of the scores."""

    def choose(self, forms: Sequence[str], upos: np.ndarray, feats: np.ndarray, lemmas: Sequence[str]) -> Chosen:
        """The most probable entry of each form. Lemmas are the heads'; they decide between equal entries."""


class _Words(NamedTuple):
    """Words before their annotation: one row per word, sentences by their lengths."""

    forms: list[str]
    pieces: Ends
    starts: np.ndarray
    ends: np.ndarray
    parts: np.ndarray
    lengths: np.ndarray


class Analyser:
    """Everything that is needed for one language."""

    def __init__(
        self, encoder: PocketEncoder, pieces: Pieces, heads: Heads, language: str, ranker: Ranker | None
    ) -> None:
        self._encoder, self._pieces, self._ranker = encoder, pieces, ranker
        self._language = pieces.language(language)
        self._scorer = Scorer(heads, language)
        self._tags = Tags(heads.about)
        self._lemmas = Lemmas(heads.about.lemma_scripts)
        names = [name for name, _ in heads.about.features]
        self._lexical = [names.index(name) + 1 if name in names else None for name in LEXICAL]

    def annotate(self, stretches: Sequence[Stretch]) -> list[list[Sentence]]:
        """The sentences of each stretch of text."""
        text = "\n".join([stretch.text for stretch in stretches])
        sizes = np.fromiter((len(stretch.text) + 1 for stretch in stretches), np.int64, len(stretches))
        edges = np.cumsum(sizes) - sizes
        passage = of_text(text, edges, self._pieces)
        vectors = self._vectors(passage.numbers, passage.rows)
        scores = self._scorer.borders(vectors, passage.pieces)
        tokens = borders.tokens(text, passage.starts, passage.ends, passage.lines, scores)
        again = long_lines(passage, tokens.first[tokens.sentences])
        if again is not None:
            # A window may begin within a sentence, and a sentence may have words of two windows.
            vectors[again.pieces] = self._vectors(passage.numbers[again.pieces], again.rows)
        starts, ends = passage.starts[tokens.first], passage.ends[tokens.last]
        pieces = Ends(passage.pieces.first[tokens.first], passage.pieces.last[tokens.last])
        forms = [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        words = self._split(_Words(forms, pieces, starts, ends, np.zeros_like(starts), tokens.sentences), vectors)
        stretch_of = np.searchsorted(edges, words.starts, "right") - 1
        shift = np.array([stretch.start for stretch in stretches], np.int64) - edges
        words = words._replace(starts=words.starts + shift[stretch_of], ends=words.ends + shift[stretch_of])
        sentences = _sentences(self._annotated(words, vectors), words.lengths)
        owners = stretch_of[np.cumsum(words.lengths) - words.lengths]
        return _shared(sentences, np.bincount(owners, minlength=len(stretches)))

    def tag(self, parts: Sequence[Given]) -> list[list[Sentence]]:
        """The sentences of each run of given tokens, with their words and with everything else predicted."""
        passage, counts = of_tokens(parts, self._pieces)
        vectors = self._vectors(passage.numbers, passage.rows)
        known = [word for part in parts for sentence in part.sentences for word in sentence.words]
        of_word = np.cumsum([word.part <= 1 for word in known], dtype=np.int64) - 1
        last = np.cumsum(counts) - 1
        pieces = Ends(passage.pieces.first[last - counts + 1][of_word], passage.pieces.last[last][of_word])
        words = _Words(
            [word.form for word in known],
            pieces,
            np.array([word.start for word in known], np.int64),
            np.array([word.end for word in known], np.int64),
            np.array([word.part for word in known], np.int64),
            np.array([len(sentence.words) for part in parts for sentence in part.sentences], np.int64),
        )
        sentences = _sentences(self._annotated(words, vectors), words.lengths)
        return _shared(sentences, np.array([len(part.sentences) for part in parts]))

    def _vectors(self, numbers: np.ndarray, rows: Rows) -> np.ndarray:
        """The encoder's vectors of all pieces, as whole numbers."""
        vectors = np.empty((len(numbers), self._encoder.width), np.float32)
        for chosen, states in self._encoder.batches(spelled(rows, numbers, self._language), BATCH):
            place(rows, chosen, states, vectors)
        return self._scorer.grounded(vectors)

    def _split(self, tokens: _Words, vectors: np.ndarray) -> _Words:
        """Words of tokens; `lengths` of the tokens are the first tokens of the sentences."""
        scripts = self._scorer.splits(vectors, tokens.pieces)
        counts = np.ones(len(tokens.forms), np.int64)
        forms: list[str] = []
        known = self._scorer.about.split_scripts
        done = 0
        for token in np.flatnonzero(scripts).tolist():
            words = split(tokens.forms[token], known[scripts[token]])
            counts[token] = len(words)
            forms += tokens.forms[done:token]
            forms += words
            done = token + 1
        forms += tokens.forms[done:]
        of_word = np.repeat(np.arange(len(counts)), counts)
        before = np.cumsum(counts) - counts
        parts = np.arange(len(of_word)) - before[of_word] + 1
        parts[counts[of_word] == 1] = 0
        edges = before[tokens.lengths]
        return _Words(
            forms,
            Ends(tokens.pieces.first[of_word], tokens.pieces.last[of_word]),
            tokens.starts[of_word],
            tokens.ends[of_word],
            parts,
            np.diff(edges, append=len(of_word)),
        )

    def _annotated(self, words: _Words, vectors: np.ndarray) -> list[Word]:
        """Words with all that the heads and the lexicon say."""
        if not words.forms:
            return []
        scores = self._scorer.words(vectors, words.pieces, np.minimum(words.parts, PARTS - 1))
        best = self._tags.best(scores.tags)
        lemmas = self._lemmas.of(words.forms, scores.lemmas)
        if self._ranker is not None:
            self._look_up(self._ranker, words.forms, scores, best, lemmas)
        upos, feats = self._tags.texts(best)
        heads, relations = parse(self._scorer, scores, words.lengths)
        columns = zip(
            words.forms,
            lemmas,
            upos,
            feats,
            heads.tolist(),
            map(self._scorer.about.deprels.__getitem__, relations.tolist()),
            words.starts.tolist(),
            words.ends.tolist(),
            words.parts.tolist(),
            repeat(""),
        )
        return list(map(partial(tuple.__new__, Word), columns))

    def _look_up(
        self, ranker: Ranker, forms: list[str], scores: WordScores, best: np.ndarray, lemmas: list[str]
    ) -> None:
        """Put what the lexicon says in place of the heads' answers."""
        size = len(self._tags.upos)
        chosen = ranker.choose(forms, scores.tags[:, :size], scores.tags[:, size:], lemmas)
        for column, answer in zip((0, *self._lexical), (chosen.upos, *chosen.values.T), strict=True):
            if column is not None:
                decided = np.flatnonzero(answer >= 0)
                best[decided, column] = answer[decided]
        for index, lemma in enumerate(chosen.lemmas):
            if lemma is not None:
                lemmas[index] = lemma


def _sentences(words: list[Word], lengths: np.ndarray) -> list[Sentence]:
    """Sentences of the lengths."""
    sentences = []
    end = 0
    for length in lengths.tolist():
        start, end = end, end + length
        members = tuple(words[start:end])
        sentences.append(Sentence(members[0].start, members[-1].end, members) if members else Sentence(0, 0, ()))
    return sentences


def _shared(sentences: list[Sentence], counts: np.ndarray) -> list[list[Sentence]]:
    """Sentences by what they belong to."""
    members = iter(sentences)
    return [[next(members) for _ in range(count)] for count in counts.tolist()]
