"""`ct2:` models of CTranslate2: translators, and generators, which read from left to right.

Scores are those of the other kinds: the language code at the start of a target is given, every other token is scored,
a target's end included; a generator's text follows a start token. Nothing is truncated.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from referee.errors import InputError, MissingError, UsageError
from referee.models.ct2.tokenizers import Tokenizer, Tokens, open_tokenizer, optional
from referee.models.hf import batches
from referee.models.hf.load import folder_sha256
from referee.models.spec import ModelSpec
from referee.models.tokens import common_prefix, too_long
from referee.protocols import Answers, Identity, Model, ScorePair, ScoreText, TokenScores, TranslateDoc

_COMMON = ("compute_type", "device", "inter_threads", "intra_threads", "tokenizer", "tokens")
_TEXTS = ("prefix", "source_prefix", "target_prefix")

Job = TypeVar("Job", bound=Hashable)
Result = TypeVar("Result")


@dataclass(frozen=True)
class Settings:
    """The model's folder: what it is, and what the user and its own configuration say about it."""

    sha256: str
    config: dict[str, Any]
    options: Mapping[str, str]
    beam: int
    budget: int
    together: int
    workers: int
    limit: int | None

    def run(
        self, jobs: Iterable[tuple[int, Job]], cost: Callable[[Job], int], work: Callable[[list[Job]], list[Result]]
    ) -> Iterator[tuple[int, Result]]:
        """Does numbered jobs in batches, equal ones once."""
        numbers: dict[Job, list[int]] = {}
        for number, job in jobs:
            numbers.setdefault(job, []).append(number)
        once = list(numbers)
        for index, result in batches.run(once, [cost(job) for job in once], self.budget * self.workers, work):
            for number in numbers[once[index]]:
                yield number, result

    def share(self, jobs: Sequence[object]) -> int:
        """How many jobs of a batch each worker gets."""
        return -(-len(jobs) // self.workers)


@dataclass(frozen=True)
class _PairJob:
    source: Tokens
    target: Tokens
    scored: int
    """How many tokens are scored, counted from the end of the target, which is one of them."""


@dataclass(frozen=True)
class Ct2Translator:
    """An encoder-decoder model that scores and translates."""

    model: Any
    tokenizer: Tokenizer
    settings: Settings

    @property
    def together(self) -> int:
        """How many requests are computed in one go: enough to fill batches of similar length."""
        return self.settings.together

    def identity(self) -> Identity:
        """Files by hash; what else scores and translations depend on."""
        options = {key: self.settings.options[key] for key in _TEXTS if key in self.settings.options}
        settings = {"compute_type": self.model.compute_type, "beam": str(self.settings.beam), **options}
        return Identity(self.settings.sha256, settings)

    def score_pairs(self, pairs: Sequence[ScorePair]) -> Answers:
        """Log-probabilities of every target's tokens."""
        source_of, target_of = cache(self._source), cache(self.tokenizer.target)
        jobs: list[tuple[int, _PairJob]] = []
        for number, pair in enumerate(pairs):
            source = source_of(pair.source, pair.source_lang)
            code, pieces = target_of(pair.given + pair.target, pair.target_lang)
            given = common_prefix(target_of(pair.given, pair.target_lang)[1], pieces) if pair.given else 0
            length = max(self._length(source), len(code) + len(pieces) + 1)
            if refusal := _empty(source) or too_long(length, self.settings.limit):
                yield number, TokenScores(refused=refusal)
            else:
                jobs.append((number, _PairJob(source, code + pieces, len(pieces) - given + 1)))
        yield from self.settings.run(jobs, lambda job: len(job.source) + len(job.target) + 1, self._score)

    def translate(self, sources: Sequence[TranslateDoc]) -> Iterator[tuple[int, str]]:
        """Translations of whole documents, greedily or by beam."""
        target_of = cache(self.tokenizer.target)
        jobs: list[tuple[int, tuple[Tokens, Tokens]]] = []
        for number, source in enumerate(sources):
            tokens = self._document(source)
            if refusal := too_long(self._length(tokens), self.settings.limit):
                raise InputError(f"text {number + 1} cannot be translated: {refusal}", "leave it out or shorten it")
            jobs.append((number, (tokens, target_of("", source.target_lang)[0])))
        yield from self.settings.run(jobs, lambda job: 3 * len(job[0]) * self.settings.beam, self._translate)

    def refuses(self, source: TranslateDoc) -> str:
        """Why a document cannot be translated; empty where it can."""
        return too_long(self._length(self._document(source)), self.settings.limit)

    def _document(self, source: TranslateDoc) -> Tokens:
        return self._source(" ".join(source.sentences), source.source_lang)

    def _source(self, text: str, language: str) -> Tokens:
        """The tokens of a source, without those that the model adds by itself."""
        config = self.settings.config
        tokens = self.tokenizer.source(self.settings.options.get("prefix", "") + text, language)
        if config.get("add_source_bos") and tokens[:1] == (config.get("bos_token"),):
            tokens = tokens[1:]
        if config.get("add_source_eos") and tokens[-1:] == (config.get("eos_token"),):
            tokens = tokens[:-1]
        return tokens

    def _length(self, source: Tokens) -> int:
        return len(source) + sum(bool(self.settings.config.get(key)) for key in ("add_source_bos", "add_source_eos"))

    def _score(self, jobs: list[_PairJob]) -> list[TokenScores]:
        results = self.model.score_batch(
            [list(job.source) for job in jobs],
            [list(job.target) for job in jobs],
            max_batch_size=self.settings.share(jobs),
            max_input_length=0,  # it would cut at 1024 tokens
        )
        return [_last(result.log_probs, job.scored) for job, result in zip(jobs, results, strict=True)]

    def _translate(self, jobs: list[tuple[Tokens, Tokens]]) -> list[str]:
        # One call for each greatest length, so that it does not depend on what else is in the batch.
        found: list[str] = []
        for longest, group in groupby(jobs, lambda job: -(-len(job[0]) // 32) * 64 + 32):
            together = list(group)
            prefixes = [list(prefix) for _, prefix in together]
            results = self.model.translate_batch(
                [list(source) for source, _ in together],
                prefixes if any(prefixes) else None,
                max_batch_size=self.settings.share(together),
                beam_size=self.settings.beam,
                max_input_length=0,
                max_decoding_length=min(longest, self.settings.limit or longest),
                min_decoding_length=0,
            )
            for prefix, result in zip(prefixes, results, strict=True):
                found.append(self.tokenizer.decode(result.hypotheses[0][len(prefix) :]))
        return found


@dataclass(frozen=True)
class Ct2Generator:
    """A decoder-only model that scores sentences."""

    model: Any
    tokenizer: Tokenizer
    settings: Settings

    @property
    def together(self) -> int:
        """How many requests are computed in one go: enough to fill batches of similar length."""
        return self.settings.together

    def identity(self) -> Identity:
        """Files by hash, and the type it computes in."""
        return Identity(self.settings.sha256, {"compute_type": self.model.compute_type})

    def score_texts(self, texts: Sequence[ScoreText]) -> Answers:
        """Log-probabilities of every token from the start of what is scored."""
        start = self.tokenizer.start
        jobs: list[tuple[int, tuple[Tokens, int]]] = []
        for number, text in enumerate(texts):
            pieces = self.tokenizer.plain(text.text)
            given = common_prefix(self.tokenizer.plain(text.text[: text.start]), pieces) if text.start else 0
            tokens = start + pieces
            # Without a start token nothing predicts the first token, so it cannot be scored.
            scored = len(tokens) - max(1, len(start) + given)
            if refusal := too_long(len(tokens), self.settings.limit) or ("no token to score" if scored < 1 else ""):
                yield number, TokenScores(refused=refusal)
            else:
                jobs.append((number, (tokens, scored)))
        yield from self.settings.run(jobs, lambda job: len(job[0]), self._score)

    def _score(self, jobs: list[tuple[Tokens, int]]) -> list[TokenScores]:
        results = self.model.score_batch(
            [list(tokens) for tokens, _ in jobs], max_batch_size=self.settings.share(jobs), max_input_length=0
        )
        return [_last(result.log_probs, scored) for (_, scored), result in zip(jobs, results, strict=True)]


def open_ct2(spec: ModelSpec, tokenizer: Tokenizer | None = None) -> Model:
    """`ct2:DIR[,tokenizer=DIR][,compute_type=...][,device=...][,tokens=N][,inter_threads=N][,intra_threads=N]`.

    Translators have also `[,beam=N][,prefix=TEXT][,source_prefix=TOKENS][,target_prefix=TOKENS]`. A tokenizer is
    looked for in the folder unless one is given.
    """
    ctranslate2 = optional("ctranslate2")
    if ctranslate2 is None:
        raise MissingError("needs CTranslate2", "install it with `pip install ctranslate2`", spec.text)
    folder = Path(spec.name)
    if not (folder / "model.bin").is_file():
        remedy = "name a folder that a converter of CTranslate2 wrote"
        raise MissingError("holds no model of CTranslate2 (no model.bin)", remedy, folder)
    name, positions = _read_header(folder / "model.bin")
    generator = name.endswith("DecoderSpec")
    spec.only(*_COMMON, *(() if generator else ("beam", *_TEXTS)))
    config = _config(folder / "config.json")
    place = Path(spec.options.get("tokenizer", spec.name))
    tokenizer = tokenizer or open_tokenizer(place, config, spec)
    device = spec.options.get("device") or ("cuda" if ctranslate2.get_cuda_device_count() else "cpu")
    cuda = device.startswith("cuda")
    settings = Settings(
        sha256=_sha256(folder, place),
        config=config,
        options=spec.options,
        beam=spec.number("beam", 1),
        budget=spec.number("tokens", 16_000 if cuda else 1_500),
        together=4_096 if cuda else 192,
        workers=spec.number("inter_threads", 1),
        limit=min((limit for limit in (positions, tokenizer.longest) if limit), default=None),
    )
    if generator:
        return Ct2Generator(_load(ctranslate2.Generator, spec, device), tokenizer, settings)
    return Ct2Translator(_load(ctranslate2.Translator, spec, device), tokenizer, settings)


def _config(path: Path) -> dict[str, Any]:
    """What the converter says about special tokens; models of before 2023 have no such file."""
    try:
        return dict(json.loads(path.read_text("utf-8"))) if path.is_file() else {}
    except ValueError:
        raise InputError("is no JSON object", "convert the model again", path) from None


def _sha256(folder: Path, tokenizer: Path) -> str:
    """The hash of the model's folder, and of the tokenizer's where that is another."""
    hashes = [folder_sha256(place) for place in dict.fromkeys((folder, tokenizer))]
    return hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()


def _load(kind: Callable[..., Any], spec: ModelSpec, device: str) -> Any:
    options: dict[str, Any] = {
        key: spec.number(key, 1) for key in ("inter_threads", "intra_threads") if key in spec.options
    }
    device, _, index = device.partition(":")
    if index.isdecimal():
        options["device_index"] = int(index)
    try:
        return kind(spec.name, device=device, compute_type=spec.options.get("compute_type", "default"), **options)
    except (RuntimeError, ValueError) as error:
        problem = f"cannot be loaded as a translator or generator: {str(error).rstrip('.')}"
        raise InputError(problem, "check the folder and the options device and compute_type", spec.name) from error


def _read_header(path: Path) -> tuple[str, int | None]:
    """The name of the model's class, and how many positions its tables have; None where positions have no table."""
    with path.open("rb") as file:
        try:
            version = _unpack(file, "I")
            if version < 4:  # of 2020; how variables are stored was different
                return "", None
            name = _string(file)
            _unpack(file, "I")
            positions = []
            for _ in range(_unpack(file, "I")):
                variable = _string(file)
                shape = [_unpack(file, "I") for _ in range(_unpack(file, "B"))]
                _unpack(file, "B")
                file.seek(_unpack(file, "I"), 1)
                if variable.endswith("position_encodings/encodings"):
                    positions.append(shape[0])
        except (struct.error, UnicodeDecodeError):
            raise InputError("is no model of CTranslate2, or damaged", "convert the model again", path) from None
    return name, min(positions, default=None)


def _unpack(file: BinaryIO, form: str) -> int:
    return int(struct.unpack(f"<{form}", file.read(struct.calcsize(form)))[0])


def _string(file: BinaryIO) -> str:
    return file.read(_unpack(file, "H")).rstrip(b"\0").decode()


def _last(logprobs: Sequence[float], count: int) -> TokenScores:
    if len(logprobs) < count:
        problem = "the model has no start token of its own, and the target no language code"
        raise UsageError(problem, "name the token that a target starts with by target_prefix=")
    return TokenScores(tuple(logprobs[len(logprobs) - count :]))


def _empty(source: Tokens) -> str:
    """CTranslate2 gives every token of a target the score 0 where there is no source."""
    return "" if source else "the source is empty"
