"""`mlm:pocket`: the encoder that comes with the package, as a masked language model, run by transformers in float32.

In most rows of its training the first token names the language (`<de>`); so it does here, for the item knows its
language. A text without a language begins with `<s>`, as the other rows did.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol, TypeVar

from referee.annotate.pocket.atoms import ATOM
from referee.errors import UsageError
from referee.items import Task
from referee.languages import base
from referee.models.hf.embeddings import Vectors
from referee.models.hf.load import OPTIONS, Checkpoint, Loaded, load
from referee.models.hf.masked import Masked, open_masked
from referee.models.spec import ModelSpec
from referee.pocket import forms
from referee.pocket.encoder_vocabulary import END, EncoderVocabulary
from referee.pocket.store import ENCODER, PocketModel
from referee.protocols import (
    PREDICTION_DIFFERENCE,
    Answers,
    Blank,
    ExplainRequest,
    Explanation,
    Identity,
    InGap,
    ScoreText,
)


class _HasLanguage(Protocol):
    """A request that says the language of its text."""

    @property
    def lang(self) -> str: ...


_Request = TypeVar("_Request", bound=_HasLanguage)
_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class PocketMasked:
    """The encoder as a masked language model; texts of each language are read with their token in front."""

    loaded: Loaded
    vocabulary: EncoderVocabulary
    within_word: str = "show"
    _opened: dict[str, Masked] = field(default_factory=dict, init=False, repr=False, compare=False)
    explains: ClassVar[Task] = "fill"

    @property
    def name(self) -> str:
        """What the user calls it."""
        return self.loaded.name

    @property
    def together(self) -> int:
        """How many requests are computed in one batch."""
        return self.loaded.together

    def identity(self) -> Identity:
        """Weights and tokenizer by hash, read with language tokens; how pieces of a word are treated."""
        inner = self._plain.identity()
        return Identity(hashlib.sha256(f"{inner.sha256} languages".encode()).hexdigest(), inner.settings)

    def score_texts(self, texts: Sequence[ScoreText]) -> Answers:
        """The pseudo-log-likelihood of every token but the special ones."""
        return self._by_language(texts, Masked.score_texts)

    def fill_blanks(self, blanks: Sequence[Blank]) -> Answers:
        """The log-probability of each word in the gap; all must be single tokens there."""
        return self._by_language(blanks, Masked.fill_blanks)

    def explain(
        self, requests: Sequence[ExplainRequest], *, method: str = PREDICTION_DIFFERENCE, tokens: int | None = None
    ) -> Iterator[tuple[int, Explanation]]:
        """The salience of each word of a sentence for the word in its gap."""
        gaps = [request for request in requests if isinstance(request, InGap)]
        if len(gaps) < len(requests):
            # Nothing here translates: the plain model says so.
            return self._plain.explain(requests, method=method, tokens=tokens)
        return self._by_language(gaps, lambda masked, asked: masked.explain(asked, method=method, tokens=tokens))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One vector per text."""
        return self._plain.embed(texts)

    def _by_language(
        self, requests: Sequence[_Request], ask: Callable[[Masked, Sequence[_Request]], Iterator[tuple[int, _Answer]]]
    ) -> Iterator[tuple[int, _Answer]]:
        """Answers to requests, those of one language after the other."""
        by_language: dict[str, list[int]] = {}
        for number, request in enumerate(requests):
            by_language.setdefault(base(request.lang) if request.lang else "", []).append(number)
        for language in by_language:
            self._check(language)
        return self._answers(requests, by_language, ask)

    def _answers(
        self,
        requests: Sequence[_Request],
        by_language: dict[str, list[int]],
        ask: Callable[[Masked, Sequence[_Request]], Iterator[tuple[int, _Answer]]],
    ) -> Iterator[tuple[int, _Answer]]:
        for language, numbers in by_language.items():
            for index, answer in ask(self._of_language(language), [requests[number] for number in numbers]):
                yield numbers[index], answer

    def _check(self, language: str) -> None:
        if language and language not in self.vocabulary.languages:
            known = ", ".join(self.vocabulary.languages)
            problem = f"the pocket encoder does not know the language '{language}'"
            raise UsageError(problem, f"choose items in {known}, or another model")

    @property
    def _plain(self) -> Masked:
        return self._of_language("")

    def _of_language(self, language: str) -> Masked:
        """The model for one language: its tokenizer puts the token of the language in front."""
        if language not in self._opened:
            tokenizer = self._tokenizer(language)
            self._opened[language] = Masked(replace(self.loaded, tokenizer=tokenizer), self.within_word)
        return self._opened[language]

    def _tokenizer(self, language: str) -> Any:
        from tokenizers.processors import TemplateProcessing

        tokenizer = copy.deepcopy(self.loaded.tokenizer)
        # `<s>` or `<de>` in a text are characters like others.
        tokenizer.split_special_tokens = True
        if language:
            first = f"<{language}>"
            tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
                single=f"{first} $A </s>",
                special_tokens=[(first, self.vocabulary.language(language)), ("</s>", END)],
            )
        return tokenizer


def open_mlm(spec: ModelSpec) -> Masked | PocketMasked:
    """`mlm:pocket[,within_word=show|mask][,dtype=...][,device=...][,tokens=N]`, or a checkpoint of another name."""
    if spec.name != "pocket":
        return open_masked(spec)
    spec.only(*(option for option in OPTIONS if option != "allow_pickle"), "within_word")
    return with_transformers(forms.shipped(ENCODER), spec)


def with_transformers(encoder: PocketModel, spec: ModelSpec) -> PocketMasked:
    """Any stored encoder, run by transformers."""
    within_word = spec.option("within_word", ("show", "mask"), "show")
    wanted = Checkpoint.of(spec, "mlm")
    loaded = load(replace(wanted, name=str(forms.xlmr_folder(encoder, ATOM.pattern))))
    return PocketMasked(loaded, forms.encoder_vocabulary(encoder), within_word)
