"""What a model can be asked, and what it answers. Each ability is a small protocol: a model has those it implements.

No caller looks at a model's class. What a model leaves out has a default here, at the end of this module.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

import msgspec

from referee.items import Task

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class ScorePair:
    """A translation to score: `target` given `source`; `given` is target text before it that is not scored.

    `origin` names the item that the pair belongs to, so that shared prefixes are computed once; no answer depends on
    it.
    """

    source: str
    target: str
    source_lang: str
    target_lang: str
    given: str = ""
    origin: str = field(default="", compare=False)


@dataclass(frozen=True)
class ScoreText:
    """A sentence to score, from character `start` on; `lang` is its language, empty where it is not known."""

    text: str
    start: int = 0
    origin: str = field(default="", compare=False)
    lang: str = ""


@dataclass(frozen=True)
class ScoreCandidates:
    """The candidates of one item, to be scored in one call.

    `source` is the sentence to translate, the sentence with its gap `_`, or the premise and its question. `context`
    are the sentences before it, each followed by `separator`.
    """

    source: str
    candidates: tuple[str, ...]
    context: tuple[str, ...] = ()
    separator: str = " "
    origin: str = field(default="", compare=False)


@dataclass(frozen=True)
class Blank:
    """A sentence with one gap `_`, single words to compare in it, the text `given` before it, and the language."""

    text: str
    words: tuple[str, ...]
    given: str = ""
    lang: str = ""


@dataclass(frozen=True)
class TranslateDoc:
    """A document to translate, joined by `separator`; the last sentence is evaluated, the others are its context."""

    sentences: tuple[str, ...]
    source_lang: str
    target_lang: str
    separator: str = " "

    @property
    def text(self) -> str:
        """The whole document."""
        return self.separator.join(self.sentences)


@dataclass(frozen=True)
class ChooseOption:
    """A premise, the question about it, and the options to choose from."""

    text: str
    options: tuple[str, ...]


class TokenScores(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Log-probabilities of the scored tokens (or one score per candidate), in order; or why not.

    `tokens` is equal for requests that are the same to the model, where it knows its tokens: such candidates are ties.
    """

    logprobs: tuple[float, ...] = ()
    refused: str = ""
    tokens: str = ""


class Translation(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A translation; `truncated` if it ends because it reached the model's limit of tokens."""

    text: str
    truncated: bool = False


Translated = str | Translation
"""The answer of a model that translates: a string where it does not know whether a limit was reached."""


Characters = tuple[int, int]
"""Where a word stands in a text: its first character, and the one after its last."""


@dataclass(frozen=True)
class InTranslation:
    """A predicted word, characters `start` to `end` of the pair's target; `words` are those of the pair's source."""

    pair: ScorePair
    start: int
    end: int
    words: tuple[Characters, ...]


@dataclass(frozen=True)
class InGap:
    """A predicted `word` in the gap of a text; `given` is the text before it, `words` are the other words of both."""

    text: str
    word: str
    words: tuple[Characters, ...]
    given: str = ""
    lang: str = ""


ExplainRequest = InTranslation | InGap

PREDICTION_DIFFERENCE = "prediction-difference"
"""The default method of explanation (Wino-X, Equation 2)."""
INSEQ = "inseq:"
"""The prefix of methods that the package inseq computes: `inseq:saliency`."""


@dataclass(frozen=True)
class TokenSalience:
    """A token of a translator's input: its number in the vocabulary, its characters, and its salience.

    The end token has no characters: both are -1.
    """

    token: int
    start: int
    end: int
    value: float


@dataclass(frozen=True)
class Explanation:
    """The probability of the predicted word, and the salience of each word of the input.

    The value of a word is None if no token covers it; `refused` says why there is no explanation. `tokens` are those
    of the words and the end token, where a method has values for them.
    """

    probability: float = 0.0
    values: tuple[float | None, ...] = ()
    refused: str = ""
    tokens: tuple[TokenSalience, ...] = ()


class Identity(msgspec.Struct, frozen=True):
    """What a model is: the hash of its weights, configuration and tokenizer, and what else its answers depend on.

    What only translations depend on is in `generation`: the beam, the limit of tokens (`max_tokens`).
    """

    sha256: str
    settings: Mapping[str, str] = {}
    generation: Mapping[str, str] = {}


Answers = Iterator[tuple[int, TokenScores]]
"""Indices of requests and their answers, in the order in which they are computed."""

Spread = Callable[[str, list[list[Any]]], Iterator[tuple[int, list[tuple[int, Any]]]]]
"""Computes many batches of requests for one ability at once: indices of batches and their answers, as they come."""


@runtime_checkable
class Model(Protocol):
    """Anything that can be evaluated."""

    def identity(self) -> Identity:
        """What the model is; a run resumes only with the same model."""


@runtime_checkable
class ScoresPairs(Model, Protocol):
    """A model that scores a translation given its source."""

    def score_pairs(self, pairs: Sequence[ScorePair]) -> Answers:
        """Token log-probabilities of each target."""


@runtime_checkable
class ScoresTexts(Model, Protocol):
    """A model that scores a sentence."""

    def score_texts(self, texts: Sequence[ScoreText]) -> Answers:
        """Token log-probabilities of each text."""


@runtime_checkable
class ScoresCandidates(Model, Protocol):
    """A model that scores all candidates of an item in one call."""

    def score_candidates(self, requests: Sequence[ScoreCandidates]) -> Answers:
        """One score per candidate, higher is better."""


@runtime_checkable
class FillsBlanks(Model, Protocol):
    """A model that compares single words in one position."""

    def fill_blanks(self, blanks: Sequence[Blank]) -> Answers:
        """One log-probability per word."""


@runtime_checkable
class Translates(Model, Protocol):
    """A model that translates."""

    def translate(self, sources: Sequence[TranslateDoc]) -> Iterator[tuple[int, Translated]]:
        """The translation of each document."""


@runtime_checkable
class Chooses(Model, Protocol):
    """A model that answers multiple-choice questions."""

    def choose(self, questions: Sequence[ChooseOption]) -> Answers:
        """One score per option, higher is better."""


@runtime_checkable
class Explains(Model, Protocol):
    """A model that shows how much each word of an input contributes to a prediction."""

    @property
    def explains(self) -> Task:
        """The task of the items that it explains."""

    def explain(
        self, requests: Sequence[ExplainRequest], *, method: str = PREDICTION_DIFFERENCE, tokens: int | None = None
    ) -> Iterator[tuple[int, Explanation]]:
        """Explains each request; `tokens` is the size of a batch in padded tokens, on which no value depends."""


@runtime_checkable
class Embeds(Model, Protocol):
    """A model that turns texts into vectors."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row per text."""


@runtime_checkable
class RecordedScores(Model, Protocol):
    """The scores of a system that ran elsewhere."""

    @property
    def better(self) -> Literal["higher", "lower"]:
        """Whether a higher or a lower score is better."""

    def scores(self, wanted: int) -> Iterator[float]:
        """Exactly `wanted` scores, none infinite, one per candidate, in item order; checked before the first."""


@runtime_checkable
class RecordedOutputs(Model, Protocol):
    """The outputs of a system that ran elsewhere."""

    def outputs(self, wanted: int) -> Iterator[str]:
        """Exactly `wanted` outputs, one per item, in item order; all are checked before the first."""


@runtime_checkable
class Batches(Protocol):
    """A model whose requests are computed in batches."""

    @property
    def together(self) -> int:
        """How many requests form one batch."""


@runtime_checkable
class Paced(Protocol):
    """A model with options on which no answer depends, such as a rate or a budget."""

    pacing: Collection[str]


@runtime_checkable
class Spreads(Protocol):
    """A model that runs on several workers."""

    spread: Spread


@runtime_checkable
class RefusesSources(Protocol):
    """A model that cannot translate every source."""

    def refuses(self, source: TranslateDoc) -> str:
        """Why a document cannot be translated; empty if it can."""


class Usage(msgspec.Struct, frozen=True):
    """Use of a paid service: requests, answers and tokens, and their cost at the prices that the user gave.

    `unreported` requests have no token counts, and are taken to cost the most they can. `sent` says which parameters
    the service refused, and what was sent in their place.
    """

    requests: int = 0
    answers: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    unreported: int = 0
    cost: float | None = None
    sent: tuple[str, ...] = ()


@runtime_checkable
class Metered(Protocol):
    """A model whose answers are paid for."""

    def usage(self) -> Usage:
        """What was used so far."""

    def resume(self, earlier: Usage) -> None:
        """Count what earlier starts of the same run used."""


@runtime_checkable
class Adapts(Protocol):
    """A model behind a service that may refuse a parameter; what is sent in its place is found out by asking."""

    def sent(self) -> str:
        """What is sent in another way than asked for; empty if nothing is, or nothing was found out yet."""

    def adapt(self, sent: str) -> None:
        """Begin with what an earlier run found out."""


@runtime_checkable
class KeepsSentences(Protocol):
    """A model that may get the sentences of a context one by one, and then needs no separator."""

    @property
    def one_by_one(self) -> bool:
        """Whether it gets them one by one."""


@runtime_checkable
class Named(Protocol):
    """A model with a name of its own."""

    @property
    def name(self) -> str:
        """What reports and run folders call it."""


def together(model: object) -> int:
    """How many requests the model computes in one batch; 0 if each is computed alone."""
    return model.together if isinstance(model, Batches) else 0


def spread(model: object) -> Spread | None:
    """The model's way to compute many batches at once; None if it runs in this process."""
    return model.spread if isinstance(model, Spreads) else None


def refuses(model: object) -> Callable[[TranslateDoc], str]:
    """The function that says why a document cannot be translated; by default every document can."""
    return model.refuses if isinstance(model, RefusesSources) else lambda _: ""


def pacing(model: object) -> Collection[str]:
    """The options of a model on which no answer depends."""
    return model.pacing if isinstance(model, Paced) else ()
