"""`hf:` translation models of transformers: Marian, mBART, M2M100, NLLB, T5 and their kin.

The encoder runs once for all candidates of a source, and what their targets share at the start runs once in the
decoder. The language code at the start of a target is given, not scored; every other token is, the end included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, ClassVar, TypeVar

import torch
from msgspec import structs

from referee.items import Task
from referee.models.hf import batches
from referee.models.hf.batches import padded
from referee.models.hf.fsmt import decoder_options, is_fsmt
from referee.models.hf.language_codes import check_code, check_pair, code_id, language_code
from referee.models.hf.load import OPTIONS, Checkpoint, Loaded, load
from referee.models.hf.logits import feeder_of, logprobs_at
from referee.models.hf.offsets import Locator, TokenOffsets, locator
from referee.models.hf.tokens import Encoder, Side, Tokens, encoder
from referee.models.spec import ModelSpec
from referee.models.tokens import common_prefix, fingerprint, once, shared_prefix, too_long
from referee.protocols import (
    PREDICTION_DIFFERENCE,
    Answers,
    ExplainRequest,
    Explanation,
    Identity,
    ScorePair,
    TokenScores,
    TranslateDoc,
    Translation,
)

R = TypeVar("R")

TextInLanguages = tuple[str, str, str]
"""A text, the language of the source, that of the target."""

_DEFAULT_LIMIT = "2 x source + 20"
_WORTH_SHARING = 4
"""Tokens that candidates must share for a pass of its own over them to pay."""


@dataclass(frozen=True)
class Target:
    """A target in tokens: `inputs` go into the decoder, `labels` are to come out, from `first` on they are scored."""

    inputs: Tokens
    labels: Tokens
    first: int


@dataclass(frozen=True)
class Unit:
    """A source and all its targets: what is computed together."""

    source: Tokens
    targets: tuple[Target, ...]


@dataclass(frozen=True)
class Seq2SeqOptions:
    """How a translation model is used: beam size, text before every source, and language codes of its tokenizer.

    `max_tokens` is the most that a translation may have; by default twice the source plus 20.
    """

    beam: int = 1
    prefix: str | None = None
    source_code: str | None = None
    target_code: str | None = None
    max_tokens: int | None = None


@dataclass(frozen=True)
class Seq2Seq:
    """A translation model that scores, translates and explains translations."""

    loaded: Loaded
    options: Seq2SeqOptions = Seq2SeqOptions()
    explains: ClassVar[Task] = "translate"

    @property
    def name(self) -> str:
        """What the user calls it."""
        return self.loaded.name

    @property
    def together(self) -> int:
        """How many requests are computed in one batch: enough to fill batches of similar length."""
        return self.loaded.together

    def identity(self) -> Identity:
        """Weights and tokenizer by hash; what else scores depend on."""
        texts = {key: getattr(self.options, key) for key in ("prefix", "source_code", "target_code")}
        given = {key: text for key, text in texts.items() if text is not None}
        limit = str(self.options.max_tokens) if self.options.max_tokens else _DEFAULT_LIMIT
        generation = {"beam": str(self.options.beam), "max_tokens": limit}
        return Identity(self.loaded.sha256, {"dtype": self.loaded.dtype, **given}, generation)

    def score_pairs(self, pairs: Sequence[ScorePair]) -> Answers:
        """Log-probabilities of every target's tokens."""
        units: dict[Tokens, list[tuple[int, Target]]] = {}
        sources = self._encoded([(pair.source, pair.source_lang, pair.target_lang) for pair in pairs])
        targets = [(pair.given + pair.target, pair.source_lang, pair.target_lang) for pair in pairs]
        given = [(pair.given, pair.source_lang, pair.target_lang) for pair in pairs if pair.given]
        labels = self._encoded([*targets, *given], "target")
        for number, pair in enumerate(pairs):
            source = sources[pair.source, pair.source_lang, pair.target_lang]
            target = self._target(pair, labels)
            if refusal := too_long(max(len(source), len(target.labels)), self.loaded.max_length):
                yield number, TokenScores(refused=refusal)
            else:
                units.setdefault(source, []).append((number, target))
        numbers = {source: once(numbered) for source, numbered in units.items()}
        work = [Unit(source, tuple(of_source)) for source, of_source in numbers.items()]
        costs = [_cost(unit) for unit in work]
        for index, answers in batches.run(work, costs, self._budget, self._score):
            unit = work[index]
            for target, answer in zip(unit.targets, answers, strict=True):
                same = structs.replace(answer, tokens=fingerprint(unit.source, target.labels, target.first))
                yield from ((number, same) for number in numbers[unit.source][target])

    def translate(self, sources: Sequence[TranslateDoc]) -> Iterator[tuple[int, Translation]]:
        """Translations of whole documents, greedily or by beam."""
        languages: dict[str, list[int]] = {}
        for number, source in enumerate(sources):
            languages.setdefault(source.target_lang, []).append(number)
        for language, numbers in languages.items():
            jobs = [self._document(sources[number]) for number in numbers]
            costs = [2 * len(job) for job in jobs]
            budget_ = max(1, self._budget // self.options.beam)
            generate = partial(self._generate, language)
            for index, translation in batches.run(jobs, costs, budget_, generate):
                yield numbers[index], translation

    def refuses(self, source: TranslateDoc) -> str:
        """Why a document cannot be translated; empty where it can."""
        return too_long(len(self._document(source)), self.loaded.max_length)

    def explain(
        self, requests: Sequence[ExplainRequest], *, method: str = PREDICTION_DIFFERENCE, tokens: int | None = None
    ) -> Iterator[tuple[int, Explanation]]:
        """The salience of each source word for a word of the target."""
        from referee.models.explain import explain_translations

        return explain_translations(self, requests, method, tokens)

    @property
    def prefix(self) -> str:
        """The text before every source."""
        return self.options.prefix or ""

    def _document(self, source: TranslateDoc) -> Tokens:
        return self._source(source.text, source.source_lang, source.target_lang)

    @cached_property
    def _budget(self) -> int:
        return self.loaded.budget(cpu=1_500, gpu=60_000)

    @cached_property
    def _feeder(self) -> torch.nn.Module | None:
        return feeder_of(self.loaded.model)

    def _target(self, pair: ScorePair, encoded: Mapping[TextInLanguages, Tokens]) -> Target:
        labels = encoded[pair.given + pair.target, pair.source_lang, pair.target_lang]
        first = codes = 0 if self._target_code(pair.target_lang) is None else 1
        if pair.given:
            # The end of the sentence is no part of what was given.
            given = encoded[pair.given, pair.source_lang, pair.target_lang][:-1]
            first = max(codes, common_prefix(given, labels))
        start = self.loaded.model.config.decoder_start_token_id
        return Target((start, *labels[:-1]), labels, first)

    def _source(self, text: str, source_lang: str, target_lang: str) -> Tokens:
        return self._encoded([(text, source_lang, target_lang)])[text, source_lang, target_lang]

    def _encoded(self, asked: Sequence[TextInLanguages], side: Side = "source") -> dict[TextInLanguages, Tokens]:
        return self._once(asked, side, self._encode)

    def located(
        self, asked: Sequence[TextInLanguages], side: Side = "source"
    ) -> dict[TextInLanguages, TokenOffsets | None]:
        """The tokens of every text and where they stand in it, behind the option `prefix` on the source side."""
        return self._once(asked, side, self._locate)

    def _once(
        self, asked: Sequence[TextInLanguages], side: Side, read: Callable[[Sequence[str], Side], list[R]]
    ) -> dict[TextInLanguages, R]:
        """Every text once, with the languages it is asked in."""
        prefix = self.prefix if side == "source" else ""
        by_language: dict[tuple[str, str], dict[str, None]] = {}
        for text, source_lang, target_lang in asked:
            by_language.setdefault((source_lang, target_lang), {})[text] = None
        results: dict[TextInLanguages, R] = {}
        for languages, texts in by_language.items():
            self._set_languages(*languages)
            of_language = read([prefix + text for text in texts], side)
            results |= {(text, *languages): result for text, result in zip(texts, of_language, strict=True)}
        return results

    @cached_property
    def _encode(self) -> Encoder:
        return encoder(self.loaded.tokenizer)

    @cached_property
    def _locate(self) -> Locator:
        return locator(self.loaded.tokenizer)

    def _set_languages(self, source_lang: str, target_lang: str) -> None:
        check_pair(self.loaded.tokenizer, source_lang, target_lang)
        code = self.options.source_code or self._code(source_lang)
        if code is not None:
            self.loaded.tokenizer.src_lang = code
            self.loaded.tokenizer.tgt_lang = self._target_code(target_lang)

    def _target_code(self, target_lang: str) -> str | None:
        return self.options.target_code or self._code(target_lang)

    def check_codes(self) -> None:
        """Refuses codes that the tokenizer does not have; it would take them for unknown words."""
        for option, code in (("source_code", self.options.source_code), ("target_code", self.options.target_code)):
            if code:
                check_code(self.loaded.tokenizer, code, option)

    def _code(self, language: str) -> str | None:
        if language not in self._codes:
            self._codes[language] = language_code(self.loaded.tokenizer, language)
        return self._codes[language]

    @cached_property
    def _codes(self) -> dict[str, str | None]:
        """What languages are called: looked up once each, since a vocabulary is large."""
        return {}

    @torch.inference_mode()
    def _score(self, units: list[Unit]) -> batches.Done[list[TokenScores]]:
        model = self.loaded.model
        sources, mask = padded([unit.source for unit in units], self._pad, self.loaded.device)
        encoded = model.get_encoder()(input_ids=sources, attention_mask=mask)
        # By labels, not inputs: the input before the first difference is shared, but what it predicts is not.
        shared = min(shared_prefix([target.labels for target in unit.targets]) for unit in units)
        rows = [row for row, unit in enumerate(units) for _ in unit.targets]
        everyone = torch.tensor(rows, device=self.loaded.device)
        # What the targets of a unit share runs once, with the first of them in the lead.
        leaders = [replace(unit.targets[0], first=min(target.first for target in unit.targets)) for unit in units]
        past, of_leaders = None, None
        # Some models count positions from the padding token: its text in a target must not be counted in two parts.
        literal = any(self._pad in target.labels for unit in units for target in unit.targets)
        if shared >= _WORTH_SHARING and len(rows) > len(units) and not (literal or is_fsmt(model)):
            of_leaders, past = self._decode(leaders, 0, shared, encoded, mask, None)
            past.batch_select_indices(everyone)
        else:
            shared = 0
        encoded.last_hidden_state = encoded.last_hidden_state[everyone]
        targets = [target for unit in units for target in unit.targets]
        of_targets, _ = self._decode(targets, shared, None, encoded, mask[everyone], past)

        def results() -> list[list[TokenScores]]:
            led = of_leaders() if of_leaders is not None else [[] for _ in leaders]
            followed = iter(of_targets())
            return [
                [TokenScores((*values[target.first - leader.first :], *next(followed))) for target in unit.targets]
                for unit, leader, values in zip(units, leaders, led, strict=True)
            ]

        return batches.read(self.loaded.device, results)

    def _decode(
        self, targets: list[Target], start: int, end: int | None, encoded: Any, mask: torch.Tensor, past: Any
    ) -> tuple[Callable[[], list[list[float]]], Any]:
        """Runs tokens `start` to `end` of each target: what reads their log-probabilities, and what is to be kept."""
        inputs, _ = padded([target.inputs[start:end] for target in targets], self._pad, self.loaded.device)
        ranges = [range(max(start, target.first), _until(end, len(target.labels))) for target in targets]
        rows = [row for row, scored in enumerate(ranges) for _ in scored]
        positions = [position - start for scored in ranges for position in scored]
        labels = [target.labels[index] for target, scored in zip(targets, ranges, strict=True) for index in scored]

        def forward() -> Any:
            return self.loaded.model(
                attention_mask=mask,
                encoder_outputs=encoded,
                decoder_input_ids=inputs,
                past_key_values=past,
                use_cache=end is not None,
                **decoder_options(self.loaded.model, inputs),
            )

        values, output = logprobs_at(self._feeder, forward, rows, positions, labels)

        def results() -> list[list[float]]:
            logprobs = iter(values.tolist())
            return [[next(logprobs) for _ in scored] for scored in ranges]

        return results, output.past_key_values

    @property
    def _pad(self) -> int:
        return int(self.loaded.model.config.pad_token_id or 0)

    @torch.inference_mode()
    def _generate(self, language: str, jobs: list[Tokens]) -> list[Translation]:
        sources, mask = padded(jobs, self._pad, self.loaded.device)
        code = self._target_code(language)
        forced = {} if code is None else {"forced_bos_token_id": code_id(self.loaded.tokenizer, code)}
        outputs = self.loaded.model.generate(
            input_ids=sources,
            attention_mask=mask,
            num_beams=self.options.beam,
            do_sample=False,
            max_new_tokens=self._most_tokens(sources.shape[1]),
            forced_eos_token_id=None,
            **forced,
        ).tolist()
        # Each ends where it would have ended alone, whatever it was translated with. And not every tokenizer counts its
        # language codes among the special tokens.
        own = [output[: 1 + self._most_tokens(len(job))] for job, output in zip(jobs, outputs, strict=True)]
        kept = [[token for token in output if token not in forced.values()] for output in own]
        texts = self.loaded.tokenizer.batch_decode(kept, skip_special_tokens=True)
        # What the decoder starts from may be the token of the end.
        whole = [any(token in self._ends for token in output[1:]) for output in own]
        return [Translation(str(text), truncated=not ended) for text, ended in zip(texts, whole, strict=True)]

    @cached_property
    def _ends(self) -> frozenset[int]:
        """The tokens that end a translation."""
        model = self.loaded.model
        ends = model.generation_config.eos_token_id
        ends = model.config.eos_token_id if ends is None else ends
        return frozenset(ends if isinstance(ends, list) else [ends])

    def _most_tokens(self, source: int) -> int:
        """How long a translation may get: what does not end by itself has got lost."""
        longest = self.options.max_tokens or 2 * source + 20
        return min(longest, self.loaded.max_length - 1) if self.loaded.max_length else longest


def open_seq2seq(spec: ModelSpec) -> Seq2Seq:
    """`hf:NAME[,beam=N][,max_tokens=N][,dtype=...][,device=...][,tokens=N][,prefix=TEXT][,source_code=X][,target_code=Y]`."""
    spec.only(*OPTIONS, "beam", "max_tokens", "prefix", "source_code", "target_code")
    options = Seq2SeqOptions(
        spec.number("beam", 1),
        spec.options.get("prefix"),
        spec.options.get("source_code"),
        spec.options.get("target_code"),
        spec.number("max_tokens", 1) if "max_tokens" in spec.options else None,
    )
    model = Seq2Seq(load(Checkpoint.of(spec, "hf")), options)
    model.check_codes()
    return model


def _until(end: int | None, length: int) -> int:
    return length if end is None else min(end, length)


def _cost(unit: Unit) -> int:
    return len(unit.source) + max(len(target.labels) for target in unit.targets) * len(unit.targets)
