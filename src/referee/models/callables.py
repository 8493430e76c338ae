"""Any Python callable as a model: one that translates a list of texts, or one that scores the candidates of an item.

The signature says which of the two it is. A function with one required parameter translates; a function whose
parameters are named `source` and `candidates`, and possibly `context`, scores:

>>> def translate(sentences: list[str]) -> list[str]:
...     return [sentence.replace("The cup", "Die Tasse") for sentence in sentences]
>>> def score(source: str, candidates: list[str], context: list[str]) -> list[float]:
...     return [-abs(len(source) - len(candidate)) for candidate in candidates]
>>> type(callable_model(translate)).__name__, type(callable_model(score)).__name__
('TranslateModel', 'ScoreModel')

If a signature cannot be read, `translating(function)` or `scoring(function)` says it:

>>> translating(lambda *texts: list(texts[0]), name="echo").name
'echo'
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Protocol

from referee.errors import RefereeError, UsageError
from referee.models.code_hash import code_sha256
from referee.protocols import Answers, Identity, ScoreCandidates, TokenScores, TranslateDoc

TOGETHER = 64
"""The most texts that a translating function gets in one call."""

_SHOWN = 60
_SIGNATURES = (
    "write it as f(sentences: list[str]) -> list[str] to translate, or as "
    "f(source: str, candidates: list[str], context: list[str]) -> list[float] to score (context may be left out), "
    "or wrap it in referee.models.callables.translating(f) or scoring(f)"
)


class Translate(Protocol):
    """Translates a list of texts into a list of as many texts.

    A text is the source of an item. With `context=N` the N sentences before it stand in front of it, joined by the
    separator.

    >>> def translate(sentences: list[str]) -> list[str]:
    ...     return ["Es fiel." for _ in sentences]
    """

    def __call__(self, sentences: list[str], /) -> Iterable[str]:
        """One translation per text."""


class Score(Protocol):
    """Scores all candidates of one item; higher is better.

    `source` is the sentence to translate, the sentence with its gap `_`, or the premise and the question about it on
    a line of its own. `context` are the sentences before it, as many as `context=N` asks for.

    >>> def score(source: str, candidates: list[str], context: list[str]) -> list[float]:
    ...     return [candidate.count("er") / len(candidate) for candidate in candidates]
    """

    def __call__(self, *, source: str, candidates: list[str], context: list[str]) -> Iterable[float]:
        """One finite number per candidate."""


class ScoreSource(Protocol):
    """Scores all candidates of one item, as `Score` does; context stands in front of the source."""

    def __call__(self, *, source: str, candidates: list[str]) -> Iterable[float]:
        """One finite number per candidate."""


@dataclass(frozen=True)
class TranslateModel:
    """A function that translates, as a model."""

    function: Callable[[list[str]], Any]
    name: str
    together: int = TOGETHER

    def identity(self) -> Identity:
        """The name, and the code as far as `code_hash` covers it."""
        return Identity(self._sha256, {"callable": self.name})

    def translate(self, sources: Sequence[TranslateDoc]) -> Iterator[tuple[int, str]]:
        """The translations of all sources, in one call."""
        if not sources:
            return
        texts = [source.text for source in sources]
        what = f"{len(texts)} texts, of which the first is {_shown(texts[0])}"
        translations = _listed(self.name, _called(self.name, what, partial(self.function, list(texts))), what)
        if len(translations) != len(texts):
            problem = f"returned {len(translations)} translations for {what}"
            raise RefereeError(problem, "return one translation per text, in the same order", self.name)
        for index, (text, translation) in enumerate(zip(texts, translations, strict=True)):
            if not isinstance(translation, str):
                problem = f"returned {_shown(translation)} as the translation of {_shown(text)}"
                raise RefereeError(problem, "return a string for each text", self.name)
            yield index, translation

    @cached_property
    def _sha256(self) -> str:
        return code_sha256(self.function)


@dataclass(frozen=True)
class ScoreModel:
    """A function that scores candidates, as a model; `call` passes it a request in the way that it wants."""

    function: Callable[..., Any]
    name: str
    call: Callable[[Callable[..., Any], ScoreCandidates], Any]

    def identity(self) -> Identity:
        """The name, and the code as far as `code_hash` covers it."""
        return Identity(self._sha256, {"callable": self.name})

    @property
    def one_by_one(self) -> bool:
        """Whether the function gets the sentences of the context as a list."""
        return self.call in (_by_keyword, _by_position)

    def score_candidates(self, requests: Sequence[ScoreCandidates]) -> Answers:
        """One call per item, one score per candidate."""
        for index, request in enumerate(requests):
            yield index, TokenScores(tuple(self._scores(request)))

    def _scores(self, request: ScoreCandidates) -> Iterator[float]:
        what = f"item {request.origin}" if request.origin else f"the source {_shown(request.source)}"
        scores = _listed(self.name, _called(self.name, what, partial(self.call, self.function, request)), what)
        if len(scores) != len(request.candidates):
            problem = f"returned {len(scores)} scores for the {len(request.candidates)} candidates of {what}"
            raise RefereeError(problem, "return one score per candidate, in the same order", self.name)
        for candidate, score in zip(request.candidates, scores, strict=True):
            number = _number(score)
            if number is None:
                problem = f"returned {_shown(score)} as the score of {_shown(candidate)}, a candidate of {what}"
                raise RefereeError(problem, "return a finite number for each candidate", self.name)
            yield number

    @cached_property
    def _sha256(self) -> str:
        return code_sha256(self.function)


def translating(function: Callable[[list[str]], Any], *, name: str | None = None) -> TranslateModel:
    """A function that translates, whatever its signature: it gets one list of texts.

    >>> model = translating(lambda *texts: [text.upper() for text in texts[0]], name="upper")
    >>> list(model.translate([TranslateDoc(("It fell.",), "en", "de")]))
    [(0, 'IT FELL.')]
    """
    return TranslateModel(function, _name(function, name))


def scoring(function: Callable[..., Any], *, context: bool = True, name: str | None = None) -> ScoreModel:
    """A function that scores, whatever its signature: it gets source, candidates and context, in this order.

    With `context=False` it gets source and candidates, and any context stands in front of the source.

    >>> model = scoring(lambda *given: [len(text) for text in given[1]], name="longest")
    >>> next(model.score_candidates([ScoreCandidates("It fell.", ("Er fiel.", "Sie fiel."))]))
    (0, TokenScores(logprobs=(8.0, 9.0), refused='', tokens=''))
    """
    return ScoreModel(function, _name(function, name), _by_position if context else _by_position_without_context)


def callable_model(function: object, name: str | None = None) -> TranslateModel | ScoreModel:
    """The model that a callable is; its signature says whether it translates or scores."""
    if not callable(function) or inspect.isclass(function) or inspect.iscoroutinefunction(function):
        kind = "a class" if inspect.isclass(function) else "asynchronous" if callable(function) else "not callable"
        problem = f"{_shown(function)} cannot be used as a model, since it is {kind}"
        raise UsageError(problem, "use a spec such as 'hf:NAME', a function, or an object with __call__")
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise UsageError(f"the signature of {_name(function)} cannot be read", _SIGNATURES) from None
    required = [parameter for parameter in parameters if _is_required(parameter)]
    by_keyword = {
        parameter.name
        for parameter in parameters
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    }
    names = {parameter.name for parameter in required}
    if {"source", "candidates"} <= by_keyword and names <= {"source", "candidates", "context"}:
        call = _by_keyword if "context" in by_keyword else _by_keyword_without_context
        return ScoreModel(function, _name(function, name), call)
    positional = len(required) == 1 and required[0].kind is not inspect.Parameter.KEYWORD_ONLY
    if positional and not names & {"candidates", "context"}:
        return TranslateModel(function, _name(function, name))
    problem = f"{_name(function)}{inspect.signature(function)} neither translates nor scores"
    raise UsageError(problem, _SIGNATURES)


def _is_required(parameter: inspect.Parameter) -> bool:
    variable = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    return not variable and parameter.default is parameter.empty


def _by_keyword(function: Callable[..., Any], request: ScoreCandidates) -> object:
    return function(source=request.source, candidates=list(request.candidates), context=list(request.context))


def _by_keyword_without_context(function: Callable[..., Any], request: ScoreCandidates) -> object:
    return function(source=_joined(request), candidates=list(request.candidates))


def _by_position(function: Callable[..., Any], request: ScoreCandidates) -> object:
    return function(request.source, list(request.candidates), list(request.context))


def _by_position_without_context(function: Callable[..., Any], request: ScoreCandidates) -> object:
    return function(_joined(request), list(request.candidates))


def _joined(request: ScoreCandidates) -> str:
    return request.separator.join((*request.context, request.source))


def _called(name: str, what: str, call: Callable[[], object]) -> object:
    try:
        return call()
    except RefereeError:
        raise
    except Exception as error:
        # The user's own code: whatever it raises, the user must learn on which item.
        said = f"{type(error).__name__}: {error}".rstrip(": .")
        raise RefereeError(f"raised {said} on {what}", "fix the function, then run again to resume", name) from error


def _listed(name: str, returned: Any, what: str) -> list[Any]:
    """What a function returned, as a list; a text or a dictionary is none, though Python can iterate over it."""
    if not isinstance(returned, str | bytes | dict):
        try:
            return list(returned)
        except TypeError:
            pass
    raise RefereeError(f"returned {_shown(returned)} for {what}", "return a list of results", name)


def _number(score: Any) -> float | None:
    """A number, also one of numpy or torch; infinity is none, and an item with NaN is dropped later."""
    if isinstance(score, str | bytes | bool):
        return None
    try:
        number = float(score)
    except (TypeError, ValueError, OverflowError, RuntimeError):
        return None
    return None if math.isinf(number) else number


def _name(function: Any, name: str | None = None) -> str:
    """The name that was given, else module and qualified name."""
    if name is not None:
        if not name.strip():
            raise UsageError("name= is empty", "use a word, or omit name=")
        return name
    while isinstance(function, partial):
        function = function.func
    named = function if hasattr(function, "__qualname__") else type(function)
    module = getattr(named, "__module__", None) or "builtins"
    return f"{module}.{named.__qualname__}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
