"""Tokenizers of `ct2:` models: those of transformers, and plain sentencepiece, for which transformers is not needed."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from referee.errors import InputError, MissingError, UsageError
from referee.models.hf.language_codes import has_languages, language_code
from referee.models.hf.load import first_line, is_damage
from referee.models.hf.untrusted import check_files

_HUGGING_FACE = ("tokenizer_config.json", "tokenizer.json")
_SENTENCEPIECE = ("sentencepiece.model", "*.spm", "*.model")

Tokens = tuple[str, ...]


class Tokenizer(Protocol):
    """Texts to the tokens that the model's vocabulary names, and back."""

    @property
    def longest(self) -> int | None:
        """The longest input that it knows of."""

    @property
    def start(self) -> Tokens:
        """What a text begins with where there is no source."""

    def source(self, text: str, language: str) -> Tokens:
        """All tokens of a source, special ones included."""

    def target(self, text: str, language: str) -> tuple[Tokens, Tokens]:
        """The tokens that say the target language, and those of the text, without the end."""

    def plain(self, text: str) -> Tokens:
        """A text without anything special."""

    def decode(self, tokens: Sequence[str]) -> str:
        """The text that a translation's tokens stand for."""


@dataclass(frozen=True)
class HuggingFaceTokens:
    """A tokenizer of transformers, which marks languages itself unless other tokens are named."""

    tokenizer: Any
    eos: str
    source_prefix: Tokens | None
    target_prefix: Tokens | None
    codes: dict[str, str | None] = field(default_factory=dict)

    @property
    def longest(self) -> int | None:
        """What the tokenizer says; it says a very large number where it does not know."""
        longest = int(self.tokenizer.model_max_length)
        return longest if longest < 10**9 else None

    @property
    def start(self) -> Tokens:
        """The start token, or the end token where that separates texts, as in GPT-2."""
        token = self.tokenizer.bos_token or self.tokenizer.eos_token
        return (str(token),) if token else ()

    def source(self, text: str, language: str) -> Tokens:
        """All tokens of a source; the prefix stands in place of the language code."""
        codes = self._set("src_lang", language, self.source_prefix)
        tokens = self._tokens(self.tokenizer(text).input_ids)
        return tokens if self.source_prefix is None else self.source_prefix + tokens[codes:]

    def target(self, text: str, language: str) -> tuple[Tokens, Tokens]:
        """The language code, or the prefix in its place, and the tokens of the text."""
        codes = self._set("tgt_lang", language, self.target_prefix)
        tokens = self._tokens(self.tokenizer(text_target=text).input_ids)
        if tokens[-1:] == (self.eos,):
            tokens = tokens[:-1]  # the model adds it
        return tokens[:codes] if self.target_prefix is None else self.target_prefix, tokens[codes:]

    def plain(self, text: str) -> Tokens:
        """A text without anything special."""
        return self._tokens(self.tokenizer(text, add_special_tokens=False).input_ids)

    def decode(self, tokens: Sequence[str]) -> str:
        """The text, without special tokens."""
        ids = self.tokenizer.convert_tokens_to_ids(list(tokens))
        return str(self.tokenizer.decode(ids, skip_special_tokens=True))

    def _set(self, side: str, language: str, prefix: Tokens | None) -> int:
        """Sets the language of one side, and tells how many tokens will say it."""
        if not has_languages(self.tokenizer):
            return 0
        if prefix is not None:
            code = self.tokenizer.src_lang  # any: the prefix will replace it
        elif language not in self.codes:
            code = self.codes[language] = self._code(language)
        else:
            code = self.codes[language]
        if getattr(self.tokenizer, side) != code:
            setattr(self.tokenizer, side, code)
        return 1

    def _code(self, language: str) -> str | None:
        try:
            return language_code(self.tokenizer, language)
        except UsageError as error:
            raise UsageError(error.problem, "set its token with source_prefix= or target_prefix=") from None

    def _tokens(self, ids: list[int]) -> Tokens:
        return tuple(self.tokenizer.convert_ids_to_tokens(ids))


@dataclass(frozen=True)
class PieceTokens:
    """Plain sentencepiece models, one for each side; what else the model wants must be said."""

    sources: Any
    targets: Any
    end: Tokens
    source_prefix: Tokens
    target_prefix: Tokens
    longest: int | None = None

    @property
    def start(self) -> Tokens:
        """The start token, or else the end token."""
        number = self.targets.bos_id() if self.targets.bos_id() >= 0 else self.targets.eos_id()
        return (str(self.targets.id_to_piece(number)),) if number >= 0 else ()

    def source(self, text: str, language: str) -> Tokens:  # noqa: ARG002 the prefix says it
        """The prefix, the pieces, the end."""
        return (*self.source_prefix, *self.sources.encode(text, out_type=str), *self.end)

    def target(self, text: str, language: str) -> tuple[Tokens, Tokens]:  # noqa: ARG002 the prefix says it
        """The prefix and the pieces."""
        return self.target_prefix, self.plain(text)

    def plain(self, text: str) -> Tokens:
        """The pieces."""
        return tuple(self.targets.encode(text, out_type=str))

    def decode(self, tokens: Sequence[str]) -> str:
        """The text of pieces."""
        return str(self.targets.decode_pieces(list(tokens)))


def open_tokenizer(folder: Path, config: dict[str, Any], source: str | None, target: str | None) -> Tokenizer:
    """The tokenizer in a folder; if it holds both kinds, that of transformers, if that is installed.

    `source` and `target` are tokens, separated by spaces, in place of the language codes.
    """
    source_prefix, target_prefix = (tuple(text.split()) if text is not None else None for text in (source, target))
    eos = str(config.get("eos_token") or "</s>")
    hugging_face = any((folder / name).is_file() for name in _HUGGING_FACE)
    if hugging_face and (transformers := optional("transformers")):
        return HuggingFaceTokens(_pretrained(transformers, folder), eos, source_prefix, target_prefix)
    sides = [folder / "source.spm", folder / "target.spm"]
    if not all(path.is_file() for path in sides):
        sides = 2 * [path for pattern in _SENTENCEPIECE for path in sorted(folder.glob(pattern))][:1]
    if not sides:
        remedy = (
            "install it with `pip install 'referee[hf]'`"
            if hugging_face
            else "give the folder of the original model with tokenizer="
        )
        problem = "has a tokenizer that needs transformers" if hugging_face else "has no tokenizer"
        raise MissingError(problem, remedy, folder)
    if not (sentencepiece := optional("sentencepiece")):
        remedy = "install it with `pip install sentencepiece`"
        raise MissingError("has a tokenizer that needs sentencepiece", remedy, folder)
    # Models that OpenNMT trained start from <s> and say in the config what a source ends with; all others want </s>.
    end = (eos,) if config.get("decoder_start_token") != "<s>" else ()
    try:
        sources, targets = (sentencepiece.SentencePieceProcessor(model_file=str(path)) for path in sides)
    except (OSError, RuntimeError) as error:
        raise InputError("is not a sentencepiece model", "choose another folder with tokenizer=", sides[0]) from error
    return PieceTokens(sources, targets, end, source_prefix or (), target_prefix or ())


def optional(name: str) -> Any:
    """A library, or None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _pretrained(transformers: Any, folder: Path) -> Any:
    transformers.utils.logging.set_verbosity_error()
    check_files(folder)
    try:
        return transformers.AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
    except BaseException as error:
        if not is_damage(error):
            raise
        problem = f"has a tokenizer that cannot be loaded: {first_line(error)}"
        raise InputError(problem, "give the folder of the original model with tokenizer=", folder) from error
