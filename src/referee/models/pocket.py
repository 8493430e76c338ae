"""`pocket`: the translator that comes with the package, from English into the language of the items.

CTranslate2 runs it, with eight-bit weights, or with `engine=hf` transformers, with the same numbers in float32. What
differs is that CTranslate2 also rounds what goes into a product to eight bits; with `compute_type=float32` it does not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from referee.errors import MissingError, UsageError
from referee.models.ct2.tokenizers import Tokens, optional
from referee.models.spec import ModelSpec, parse
from referee.pocket.store import Translator
from referee.protocols import Answers, Identity, ScorePair, TranslateDoc

_CT2_OPTIONS = ("compute_type", "inter_threads", "intra_threads")


class Engine(Protocol):
    """What runs the network."""

    @property
    def together(self) -> int:
        """How many requests it computes in one go."""

    def identity(self) -> Identity:
        """What it is."""

    def score_pairs(self, pairs: Sequence[ScorePair]) -> Answers:
        """Scores each."""

    def translate(self, sources: Sequence[TranslateDoc]) -> Iterator[tuple[int, str]]:
        """Translates each."""

    def refuses(self, source: TranslateDoc) -> str:
        """Why a document cannot be translated."""


@dataclass(frozen=True)
class Pocket:
    """A translator that is told the target language by the first token of the source."""

    engine: Engine
    languages: tuple[str, ...]
    sha256: str

    @property
    def together(self) -> int:
        """How many requests are computed in one go."""
        return self.engine.together

    def identity(self) -> Identity:
        """The shipped file, the engine, and what else scores depend on."""
        inner = self.engine.identity()
        whole = hashlib.sha256(f"{self.sha256} {type(self.engine).__name__}".encode()).hexdigest()
        return Identity(whole, inner.settings)

    def score_pairs(self, pairs: Sequence[ScorePair]) -> Answers:
        """Log-probabilities of every target's tokens."""
        self._check((pair.source_lang, pair.target_lang) for pair in pairs)
        return self.engine.score_pairs([replace(pair, source=code(pair.target_lang) + pair.source) for pair in pairs])

    def translate(self, sources: Sequence[TranslateDoc]) -> Iterator[tuple[int, str]]:
        """Translations of whole documents."""
        self._check((source.source_lang, source.target_lang) for source in sources)
        return self.engine.translate([_told(source) for source in sources])

    def refuses(self, source: TranslateDoc) -> str:
        """Why a document cannot be translated; empty where it can."""
        return self.engine.refuses(_told(source))

    def _check(self, asked: Iterable[tuple[str, str]]) -> None:
        for source, target in dict.fromkeys(asked):
            if _base(source) != "en" or _base(target) not in self.languages:
                problem = f"the pocket translator does not translate from '{source}' into '{target}'"
                raise UsageError(problem, f"it translates from English into {', '.join(self.languages)}")


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
    """`pocket[,engine=ct2|hf][,beam=N][,compute_type=...][,device=...][,tokens=N]`."""
    from referee.pocket.forms import marian_folder, shipped

    engine = spec.option("engine", ("ct2", "hf"), "ct2")
    spec.only("beam", "device", "engine", "tokens", *(_CT2_OPTIONS if engine == "ct2" else ()))
    translator = shipped()
    options = "".join(f",{key}={value}" for key, value in spec.options.items() if key != "engine")
    if engine == "hf":
        try:
            from referee.models.hf.seq2seq import open_seq2seq
        except ImportError as error:
            problem = f"engine=hf, which can be looked into, needs a package that is not installed ({error})"
            raise MissingError(problem, "install it with `pip install 'referee[hf]'`", spec.text) from None

        opened = open_seq2seq(parse(f"hf:{marian_folder(translator)}{options}"))
        return Pocket(opened, tuple(translator.about["languages"]), translator.sha256)
    if optional("ctranslate2") is None:
        raise MissingError("needs CTranslate2", "install it with `pip install ctranslate2`", spec.text)
    return with_ct2(translator, options)


def with_ct2(translator: Translator, options: str = "") -> Pocket:
    """Any stored translator, run by CTranslate2."""
    from referee.models.ct2.translator import open_ct2
    from referee.pocket.forms import ct2_folder, vocabulary

    tokens = PocketTokens(vocabulary(translator).processor(), translator.about["size"]["positions"])
    opened: Any = open_ct2(parse(f"ct2:{ct2_folder(translator)}{options}"), tokens)
    return Pocket(opened, tuple(translator.about["languages"]), translator.sha256)


def _told(source: TranslateDoc) -> TranslateDoc:
    """The same with the language to translate into before the first sentence."""
    first, *rest = source.sentences
    return replace(source, sentences=(code(source.target_lang) + first, *rest))


def code(language: str) -> str:
    """What stands before a source to say into which language."""
    return f">>{_base(language)}<< "


def _base(language: str) -> str:
    """The language without region or script: `pt` of `pt-BR`."""
    return language.partition("-")[0]
