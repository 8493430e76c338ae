"""Prediction difference (Wino-X, Equation 2): how much each word of an input contributes to a predicted word.

Each token of the input is taken away in turn: its embedding becomes zeros, before positions are added to it. What the
probability of the predicted word loses is the token's salience; the salience of a word is the mean over its tokens.
An item has one row per such token, and one with nothing removed; rows of all items share batches. The decoder runs up
to the predicted word only, and the output layer at that word only.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

from referee.errors import RefereeError
from referee.items import GAP
from referee.models.hf import batches
from referee.models.hf.batches import padded
from referee.models.hf.fsmt import decoder_options, source_embeddings
from referee.models.hf.load import Loaded
from referee.models.hf.logits import feeder_of, logprobs_at
from referee.models.hf.masked import Masked
from referee.models.hf.offsets import TokenOffsets, locator
from referee.models.hf.seq2seq import Seq2Seq
from referee.models.hf.tokens import Tokens
from referee.models.tokens import too_long
from referee.protocols import (
    Characters,
    ExplainRequest,
    Explanation,
    InGap,
    InTranslation,
    ScorePair,
    TokenSalience,
)

ANOTHER_TASK = "another task"
NOT_LOCATED = "its tokens cannot be placed in its text"
NOT_A_NUMBER = "probability is NaN"
WORD_NOT_COVERED = "no token stands for the predicted word"


@dataclass(frozen=True)
class Job:
    """A predicted word in tokens: what goes in, and which `targets` are to come out at which `positions`.

    `inputs` go into the decoder, up to the last target; empty without one. `words` are the tokens of each word.
    `characters` are those of each token of a translator's source; `end` is the index of its end token.
    """

    number: int
    source: Tokens
    words: tuple[tuple[int, ...], ...]
    inputs: Tokens
    positions: tuple[int, ...]
    targets: Tokens
    characters: tuple[Characters | None, ...] = ()
    end: int | None = None

    @property
    def removable(self) -> list[int]:
        """The tokens that are taken away: those of words, and the end token."""
        end = () if self.end is None else (self.end,)
        return sorted({token for word in self.words for token in word}.union(end))


@dataclass(frozen=True)
class _Row:
    """A job with one token of its source taken away, or none."""

    job: Job
    removed: int | None


_Predict = Callable[[list[_Row]], batches.Done[float]]


def in_translations(
    model: Seq2Seq, requests: Sequence[ExplainRequest], tokens: int | None = None
) -> Iterator[tuple[int, Explanation]]:
    """Explains words of translations, in the order in which they are computed; `tokens` is the size of a batch."""
    budget = tokens or model.loaded.budget(cpu=1_500, gpu=60_000)
    return _explain(pair_jobs(model, requests), _translating(model.loaded), budget)


def in_gaps(
    model: Masked, requests: Sequence[ExplainRequest], tokens: int | None = None
) -> Iterator[tuple[int, Explanation]]:
    """Explains words in gaps, in the order in which they are computed; `tokens` is the size of a batch."""
    budget = tokens or model.loaded.budget(cpu=2_500, gpu=32_000)
    return _explain(gap_jobs(model, requests), _masked(model.loaded), budget)


def pair_jobs(model: Seq2Seq, requests: Sequence[ExplainRequest]) -> Iterator[Job | tuple[int, str]]:
    """The jobs of words in translations; where there can be none, the number of the request, and why."""
    pairs = [(number, request) for number, request in enumerate(requests) if isinstance(request, InTranslation)]
    yield from ((number, ANOTHER_TASK) for number, other in enumerate(requests) if not isinstance(other, InTranslation))
    sources = model.located([(word.pair.source, *_languages(word.pair)) for _, word in pairs])
    targets = model.located(
        [(word.pair.given + word.pair.target, *_languages(word.pair)) for _, word in pairs], "target"
    )
    before = len(model.prefix)
    begin = int(model.loaded.model.config.decoder_start_token_id)
    end_token = model.loaded.tokenizer.eos_token_id
    for number, word in pairs:
        given = len(word.pair.given)
        source = sources[word.pair.source, *_languages(word.pair)]
        target = targets[word.pair.given + word.pair.target, *_languages(word.pair)]
        if source is None or target is None:
            yield number, NOT_LOCATED
        elif refusal := too_long(max(len(source.tokens), len(target.tokens)), model.loaded.max_length):
            yield number, refusal
        elif not (positions := target.of(given + word.start, given + word.end)):
            yield number, WORD_NOT_COVERED
        else:
            labels = tuple(target.tokens[position] for position in positions)
            words = _tokens_of(source, word.words, before)
            end = len(source.tokens) - 1 if words and source.tokens[-1] == end_token else None
            inputs = (begin, *target.tokens[: positions[-1]])
            characters = tuple(
                None if span is None else (span[0] - before, span[1] - before) for span in source.characters
            )
            yield Job(number, source.tokens, words, inputs, positions, labels, characters, end)


def gap_jobs(model: Masked, requests: Sequence[ExplainRequest]) -> Iterator[Job | tuple[int, str]]:
    """The jobs of words in gaps: as many masks as the word has tokens, and all of it predicted at once."""
    gaps = [(number, request) for number, request in enumerate(requests) if isinstance(request, InGap)]
    yield from ((number, ANOTHER_TASK) for number, other in enumerate(requests) if not isinstance(other, InGap))
    if not gaps:
        return
    mask = int(model.loaded.tokenizer.mask_token_id)
    filled = [word.given + word.text.replace(GAP, word.word) for _, word in gaps]
    for (number, word), located in zip(gaps, locator(model.loaded.tokenizer)(filled, "source"), strict=True):
        gap = len(word.given) + word.text.index(GAP)
        if located is None:
            yield number, NOT_LOCATED
        elif refusal := too_long(len(located.tokens), model.loaded.max_length):
            yield number, refusal
        elif not (positions := located.of(gap, gap + len(word.word))):
            yield number, WORD_NOT_COVERED
        else:
            longer = len(word.word) - len(GAP)
            words = [(start + longer, end + longer) if start > gap else (start, end) for start, end in word.words]
            source = [mask if index in positions else token for index, token in enumerate(located.tokens)]
            targets = tuple(located.tokens[position] for position in positions)
            # A token that holds some of the predicted word is a mask: nothing of it can be taken away.
            removable = [
                tuple(index for index in indices if index not in positions) for indices in _tokens_of(located, words, 0)
            ]
            yield Job(number, tuple(source), tuple(removable), (), positions, targets)


def mean_of_tokens(tokens: tuple[int, ...], values: Callable[[int], float]) -> float | None:
    """The salience of a word, from those of its tokens."""
    return math.fsum(values(token) for token in tokens) / len(tokens) if tokens else None


def _explain(
    jobs: Iterator[Job | tuple[int, str]], predict: _Predict, budget_: int
) -> Iterator[tuple[int, Explanation]]:
    rows: list[_Row] = []
    for job in jobs:
        if isinstance(job, Job):
            rows += [_Row(job, removed) for removed in (None, *job.removable)]
        else:
            yield job[0], Explanation(refused=job[1])
    left = Counter(row.job.number for row in rows)
    probabilities: dict[int, dict[int | None, float]] = {number: {} for number in left}
    costs = [len(row.job.source) + len(row.job.inputs) for row in rows]
    for index, probability in batches.run(rows, costs, budget_, predict):
        row = rows[index]
        of_job = probabilities[row.job.number]
        of_job[row.removed] = probability
        if len(of_job) == left[row.job.number]:
            yield row.job.number, _explanation(row.job, of_job)


def _explanation(job: Job, without: dict[int | None, float]) -> Explanation:
    whole = without[None]
    if any(map(math.isnan, without.values())):
        return Explanation(refused=NOT_A_NUMBER)
    values = tuple(mean_of_tokens(word, lambda token: whole - without[token]) for word in job.words)
    tokens = tuple(
        TokenSalience(job.source[index], *(job.characters[index] or (-1, -1)), whole - without[index])
        for index in (job.removable if job.characters else ())
    )
    return Explanation(whole, values, tokens=tokens)


def _translating(loaded: Loaded) -> _Predict:
    model = loaded.model
    encoder = model.get_encoder()
    feeder = feeder_of(model)
    pad = int(model.config.pad_token_id or 0)

    @torch.inference_mode()
    def predict(rows: list[_Row]) -> batches.Done[float]:
        sources, mask = padded([row.job.source for row in rows], pad, loaded.device)
        # The decoder often has the same module for its embeddings: only the encoder runs with tokens taken away.
        with taken_away(source_embeddings(model), [row.removed for row in rows]):
            encoded = encoder(input_ids=sources, attention_mask=mask)
        inputs, _ = padded([row.job.inputs for row in rows], pad, loaded.device)
        return _probabilities(
            loaded,
            feeder,
            lambda: model(
                attention_mask=mask,
                encoder_outputs=encoded,
                decoder_input_ids=inputs,
                use_cache=False,
                **decoder_options(model, inputs),
            ),
            rows,
        )

    return predict


def _masked(loaded: Loaded) -> _Predict:
    model = loaded.model
    feeder = feeder_of(model)
    pad = int(loaded.tokenizer.pad_token_id)

    @torch.inference_mode()
    def predict(rows: list[_Row]) -> batches.Done[float]:
        tokens, mask = padded([row.job.source for row in rows], pad, loaded.device)
        with taken_away(model.get_input_embeddings(), [row.removed for row in rows]):
            return _probabilities(loaded, feeder, lambda: model(input_ids=tokens, attention_mask=mask), rows)

    return predict


def _probabilities(
    loaded: Loaded, feeder: torch.nn.Module | None, forward: Callable[[], Any], rows: list[_Row]
) -> batches.Done[float]:
    """For each row the product of its targets' probabilities."""
    numbers = [number for number, row in enumerate(rows) for _ in row.job.positions]
    positions = [position for row in rows for position in row.job.positions]
    targets = [target for row in rows for target in row.job.targets]
    values, _ = logprobs_at(feeder, forward, numbers, positions, targets)

    def results() -> list[float]:
        logprobs = iter(values.tolist())
        return [math.exp(math.fsum(next(logprobs) for _ in row.job.targets)) for row in rows]

    return batches.read(loaded.device, results)


@contextmanager
def taken_away(embeddings: torch.nn.Module, removed: Sequence[int | None]) -> Iterator[None]:
    """Embeds one token of each row as zeros; None leaves a row as it is."""
    rows = [row for row, token in enumerate(removed) if token is not None]
    columns = [token for token in removed if token is not None]
    calls = 0

    def zeros(_: torch.nn.Module, __: Any, output: torch.Tensor) -> torch.Tensor:
        nonlocal calls
        calls += 1
        output = output.clone()
        output[rows, columns] = 0
        return output

    handle = embeddings.register_forward_hook(zeros)
    try:
        yield
    finally:
        handle.remove()
    if calls != 1:
        problem = f"words cannot be removed from this model, which reads its embeddings {calls} times instead of once"
        raise RefereeError(problem, "choose another model")


def _tokens_of(located: TokenOffsets, words: Sequence[Characters], before: int) -> tuple[tuple[int, ...], ...]:
    """The tokens of each word, in a text that begins `before` characters earlier than the words count."""
    return tuple(located.of(before + start, before + end) for start, end in words)


def _languages(pair: ScorePair) -> tuple[str, str]:
    return pair.source_lang, pair.target_lang
