"""`pocket`: the translator that comes with the package, from English into the language of the items.

CTranslate2 runs it with eight-bit weights; with `engine=hf` transformers runs the same weights in float32. CTranslate2
also rounds the inputs of a product to eight bits; with `compute_type=float32` it does not. Explanations always come
from the form for transformers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from referee.errors import MissingError, UsageError
from referee.items import Task
from referee.languages import base
from referee.models.ct2.settings import Ct2Options
from referee.models.ct2.tokenizers import Tokens
from referee.models.spec import ModelSpec
from referee.pocket.store import TRANSLATOR, PocketModel
from referee.protocols import (
    PREDICTION_DIFFERENCE,
    Answers,
    ExplainRequest,
    Explains,
    Explanation,
    Identity,
    InTranslation,
    ScorePair,
    Translated,
    TranslateDoc,
)

if TYPE_CHECKING:
    from referee.models.hf.seq2seq import Seq2Seq

_CT2_OPTIONS = ("compute_type", "inter_threads", "intra_threads")


class Engine(Protocol):
    """The library that runs the network."""

    @property
    def together(self) -> int:
        """How many requests it computes in one batch."""

    def identity(self) -> Identity:
        """What it is."""

    def score_pairs(self, pairs: Sequence[ScorePair]) -> Answers:
        """Scores each."""

    def translate(self, sources: Sequence[TranslateDoc]) -> Iterator[tuple[int, Translated]]:
        """Translates each."""

    def refuses(self, source: TranslateDoc) -> str:
        """Why a document cannot be translated."""


@dataclass(frozen=True)
class Pocket:
    """A translator whose target language is the first token of the source; `device` is where explanations run."""

    engine: Engine
    translator: PocketModel
    name: str = "pocket"
    device: str | None = None
    explains: ClassVar[Task] = "translate"

    @property
    def languages(self) -> tuple[str, ...]:
        """The target languages."""
        return tuple(self.translator.about["languages"])

    @property
    def together(self) -> int:
        """How many requests are computed in one batch."""
        return self.engine.together

    def identity(self) -> Identity:
        """The shipped file, the engine, and what else scores depend on."""
        inner = self.engine.identity()
        whole = hashlib.sha256(f"{self.translator.sha256} {type(self.engine).__name__}".encode()).hexdigest()
        return Identity(whole, inner.settings, inner.generation)

    def score_pairs(self, pairs: Sequence[ScorePair]) -> Answers:
        """Log-probabilities of every target's tokens."""
        self._check((pair.source_lang, pair.target_lang) for pair in pairs)
        return self.engine.score_pairs([replace(pair, source=code(pair.target_lang) + pair.source) for pair in pairs])

    def translate(self, sources: Sequence[TranslateDoc]) -> Iterator[tuple[int, Translated]]:
        """Translations of whole documents."""
        self._check((source.source_lang, source.target_lang) for source in sources)
        return self.engine.translate([_with_code(source) for source in sources])

    def refuses(self, source: TranslateDoc) -> str:
        """Why a document cannot be translated; empty where it can."""
        return self.engine.refuses(_with_code(source))

    def explain(
        self, requests: Sequence[ExplainRequest], *, method: str = PREDICTION_DIFFERENCE, tokens: int | None = None
    ) -> Iterator[tuple[int, Explanation]]:
        """The salience of each source word for a word of the target, by the form for transformers."""
        return self._explainer.explain([_coded(request) for request in requests], method=method, tokens=tokens)

    @cached_property
    def _explainer(self) -> Explains:
        if isinstance(self.engine, Explains):
            return self.engine
        return _in_transformers(self.translator, Ct2Options(self.name, device=self.device))

    def _check(self, asked: Iterable[tuple[str, str]]) -> None:
        for source, target in dict.fromkeys(asked):
            if base(source) != "en" or base(target) not in self.languages:
                problem = f"the pocket translator does not translate from '{source}' into '{target}'"
                raise UsageError(problem, f"choose English into {', '.join(self.languages)}, or another model")


@dataclass(frozen=True)
class PocketTokens:
    """Pieces by sentencepiece; a language code at the start of a source is a token of its own."""

    processor: Any
    longest: int | None
    start: Tokens = ()

    def source(self, text: str, language: str) -> Tokens:  # noqa: ARG002 the code says into which
        """The code, the pieces, the end."""
        code, _, rest = text.partition("<< ")
        return (f"{code}<<", *self.plain(rest), "</s>")

    def target(self, text: str, language: str) -> tuple[Tokens, Tokens]:  # noqa: ARG002 the source says it
        """No code, and the pieces."""
        return (), self.plain(text)

    def plain(self, text: str) -> Tokens:
        """The pieces."""
        return tuple(self.processor.encode(text, out_type=str))

    def decode(self, tokens: Sequence[str]) -> str:
        """The text of pieces."""
        return str(self.processor.decode_pieces(list(tokens)))


def open_pocket(spec: ModelSpec) -> Pocket:
    """`pocket[,engine=ct2|hf][,beam=N][,max_tokens=N][,compute_type=...][,device=...][,tokens=N]`."""
    from referee.pocket.forms import shipped

    engine = spec.option("engine", ("ct2", "hf"), "ct2")
    spec.only("beam", "device", "engine", "max_tokens", "tokens", *(_CT2_OPTIONS if engine == "ct2" else ()))
    options = Ct2Options.of(spec)
    if engine == "ct2":
        return with_ct2(shipped(TRANSLATOR), options)
    translator = shipped(TRANSLATOR)
    return Pocket(_in_transformers(translator, options), translator, spec.text)


def with_ct2(translator: PocketModel, options: Ct2Options) -> Pocket:
    """Any stored translator, run by CTranslate2."""
    from referee.models.ct2.load import open_translator
    from referee.pocket.forms import ct2_folder, vocabulary

    tokens = PocketTokens(vocabulary(translator).processor(), translator.about["size"]["positions"])
    device = None if options.device == "auto" else options.device  # a name that only CTranslate2 has
    return Pocket(open_translator(ct2_folder(translator), options, tokens), translator, options.text, device)


def _in_transformers(translator: PocketModel, options: Ct2Options) -> Seq2Seq:
    """A stored translator, run by transformers, which shows what CTranslate2 does not."""
    from referee.pocket.forms import marian_folder

    try:
        from referee.models.hf.load import Checkpoint, load
        from referee.models.hf.seq2seq import Seq2Seq, Seq2SeqOptions
    except ImportError as error:
        problem = f"engine=hf needs a package that is not installed ({error})"
        raise MissingError(problem, "install it with `pip install 'referee[hf]'`", options.text) from None
    folder = str(marian_folder(translator))
    wanted = Checkpoint(options.text, "hf", folder, device=options.device, tokens=options.tokens)
    return Seq2Seq(load(wanted), Seq2SeqOptions(options.beam, max_tokens=options.max_tokens))


def _with_code(source: TranslateDoc) -> TranslateDoc:
    """The same document with the code of the target language before the first sentence."""
    first, *rest = source.sentences
    return replace(source, sentences=(code(source.target_lang) + first, *rest))


def _coded(request: ExplainRequest) -> ExplainRequest:
    """The same request with the code of the target language before the source; words move along."""
    if not isinstance(request, InTranslation):
        return request
    before = code(request.pair.target_lang)
    words = tuple((start + len(before), end + len(before)) for start, end in request.words)
    return replace(request, pair=replace(request.pair, source=before + request.pair.source), words=words)


def code(language: str) -> str:
    """The token before a source that names the target language."""
    return f">>{base(language)}<< "
