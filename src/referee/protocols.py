"""What is asked of a model, and what it answers. Abilities are small protocols: a model has those it can do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import msgspec


@dataclass(frozen=True)
class ScorePair:
    """A translation to score: `target` given `source`; `given` is target text before it that is not scored.

    `origin` says which pairs belong together, so that what they share is computed once; it is no part of the question.
    """

    source: str
    target: str
    source_lang: str
    target_lang: str
    given: str = ""
    origin: str = field(default="", compare=False)


@dataclass(frozen=True)
class ScoreText:
    """A sentence to score, from character `start` on."""

    text: str
    start: int = 0
    origin: str = field(default="", compare=False)


@dataclass(frozen=True)
class Blank:
    """A sentence with one gap `_`, and single words to compare in it."""

    text: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class TranslateDoc:
    """A text to translate; the sentences are one document, of which the last is wanted."""

    sentences: tuple[str, ...]
    source_lang: str
    target_lang: str


@dataclass(frozen=True)
class ChooseOption:
    """A premise, what is asked about it, and the options to choose from."""

    text: str
    options: tuple[str, ...]


class TokenScores(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Log-probabilities of the scored tokens, in order; or why there are none."""

    logprobs: tuple[float, ...] = ()
    refused: str = ""


class Identity(msgspec.Struct, frozen=True):
    """What a model is: the hash of its weights, configuration and tokenizer, and what else its scores depend on."""

    sha256: str
    settings: Mapping[str, str] = {}


Answers = Iterator[tuple[int, TokenScores]]
"""Numbers of requests and their answers, in the order in which they get done."""


@runtime_checkable
class Model(Protocol):
    """What every model can do.

    Beside its abilities a model may have `together`, how many requests it computes in one go (else each alone), and
    `refuses`, which says of a source to translate why it cannot be.
    """

    def identity(self) -> Identity:
        """What it is."""


@runtime_checkable
class ScoresPairs(Model, Protocol):
    """Can score a translation given its source."""

    def score_pairs(self, pairs: Sequence[ScorePair]) -> Answers:
        """Scores each."""


@runtime_checkable
class ScoresTexts(Model, Protocol):
    """Can score a sentence."""

    def score_texts(self, texts: Sequence[ScoreText]) -> Answers:
        """Scores each."""


@runtime_checkable
class FillsBlanks(Model, Protocol):
    """Can compare single words in one position."""

    def fill_blanks(self, blanks: Sequence[Blank]) -> Answers:
        """One log-probability for each word."""


@runtime_checkable
class Translates(Model, Protocol):
    """Can translate."""

    def translate(self, sources: Sequence[TranslateDoc]) -> Iterator[tuple[int, str]]:
        """Translates each."""


@runtime_checkable
class Chooses(Model, Protocol):
    """Can be asked which option is right."""

    def choose(self, questions: Sequence[ChooseOption]) -> Answers:
        """One score for each option, higher is better."""
