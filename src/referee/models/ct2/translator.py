"""Translators of CTranslate2.

Scores are those of the other kinds: the language code at the start of a target is given, every other token is scored,
the end included. Nothing is truncated.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any

from referee.errors import InputError
from referee.models.ct2.settings import Settings, in_eight_bits, last_scores
from referee.models.ct2.tokenizers import Tokenizer, Tokens
from referee.models.tokens import common_prefix, fingerprint, too_long
from referee.protocols import Answers, Identity, ScorePair, TokenScores, TranslateDoc, Translation

_DEFAULT_LIMIT = "64 per 32 of the source, plus 32"


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
    def name(self) -> str:
        """What the user calls it."""
        return self.settings.options.text

    @property
    def together(self) -> int:
        """How many requests are computed in one batch: enough to fill batches of similar length."""
        return self.settings.together

    def identity(self) -> Identity:
        """Files by hash; what else scores and translations depend on."""
        options = self.settings.options
        settings = {"compute_type": self.model.compute_type, **options.texts()}
        limit = str(options.max_tokens) if options.max_tokens else _DEFAULT_LIMIT
        return Identity(self.settings.sha256, settings, {"beam": str(options.beam), "max_tokens": limit})

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
        yield from self.settings.run(
            jobs,
            self._score,
            cost=lambda job: len(job.source) + len(job.target) + 1,
            shape=self._shape(lambda job: (len(job.source), len(job.target))),
        )

    def translate(self, sources: Sequence[TranslateDoc]) -> Iterator[tuple[int, Translation]]:
        """Translations of whole documents, greedily or by beam."""
        target_of = cache(self.tokenizer.target)
        jobs: list[tuple[int, tuple[Tokens, Tokens]]] = []
        for number, source in enumerate(sources):
            tokens = self._document(source)
            if refusal := too_long(self._length(tokens), self.settings.limit):
                raise InputError(f"text {number + 1} cannot be translated: {refusal}", "remove or shorten it")
            jobs.append((number, (tokens, target_of("", source.target_lang)[0])))
        yield from self.settings.run(
            jobs,
            self._translate,
            cost=lambda job: 3 * len(job[0]) * self.settings.options.beam,
            shape=self._shape(lambda job: (len(job[0]), len(job[1]))),
        )

    def refuses(self, source: TranslateDoc) -> str:
        """Why a document cannot be translated; empty where it can."""
        return too_long(self._length(self._document(source)), self.settings.limit)

    def _shape(self, lengths: Callable[[Any], Hashable]) -> Callable[[Any], Hashable]:
        """What all jobs of a batch have in common: in eight bits their lengths, else nothing."""
        return lengths if in_eight_bits(self.model.compute_type) else lambda _: None

    def _document(self, source: TranslateDoc) -> Tokens:
        return self._source(source.text, source.source_lang)

    def _source(self, text: str, language: str) -> Tokens:
        """The tokens of a source, without those that the model adds by itself."""
        config = self.settings.config
        tokens = self.tokenizer.source((self.settings.options.prefix or "") + text, language)
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
        return [
            last_scores(result.log_probs, job.scored, fingerprint(job.source, job.target, job.scored))
            for job, result in zip(jobs, results, strict=True)
        ]

    def _most_tokens(self, source: Tokens) -> int:
        """How long a translation may get: the same for 32 lengths of sources, which are translated in one call."""
        longest = self.settings.options.max_tokens or -(-len(source) // 32) * 64 + 32
        return min(longest, self.settings.limit or longest)

    def _translate(self, jobs: list[tuple[Tokens, Tokens]]) -> list[Translation]:
        # One call for each greatest length, so that it does not depend on what else is in the batch.
        translations: list[Translation] = []
        end = self.settings.config.get("eos_token") or "</s>"
        for longest, group in groupby(jobs, lambda job: self._most_tokens(job[0])):
            together = list(group)
            prefixes = [list(prefix) for _, prefix in together]
            results = self.model.translate_batch(
                [list(source) for source, _ in together],
                prefixes if any(prefixes) else None,
                max_batch_size=self.settings.share(together),
                beam_size=self.settings.options.beam,
                max_input_length=0,
                max_decoding_length=longest,
                min_decoding_length=0,
                return_end_token=True,
            )
            for prefix, result in zip(prefixes, results, strict=True):
                tokens = result.hypotheses[0][len(prefix) :]
                whole = tokens[-1:] in ([], [end])  # an empty source has an empty translation
                text = self.tokenizer.decode(tokens[:-1] if whole else tokens)
                translations.append(Translation(text, truncated=not whole))
        return translations


def _empty(source: Tokens) -> str:
    """CTranslate2 gives every token of a target the score 0 where there is no source."""
    return "" if source else "the source is empty"
