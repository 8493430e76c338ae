"""How much each word of an input counts for a word that is predicted: prediction difference (Wino-X, Equation 2).

Each token of the input is taken away in turn: its embedding becomes zeros, before positions are added to it. What the
probability of the predicted word loses by that is the token's salience, and the mean over its tokens that of a word.
An item is as many rows as it has such tokens, and one; rows of all items share batches. The decoder runs up to the
predicted word only, and the output layer at that word only.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import torch

from referee.errors import RefereeError, UsageError
from referee.items import GAP
from referee.models.hf import batches
from referee.models.hf.load import Loaded, budget
from referee.models.hf.logits import feeder_of, logprobs_at
from referee.models.hf.masked import Masked
from referee.models.hf.offsets import Place, TokenOffsets, placer
from referee.models.hf.padding import padded
from referee.models.hf.seq2seq import Seq2Seq
from referee.models.hf.tokens import Tokens
from referee.models.pocket import Pocket, code
from referee.models.tokens import too_long
from referee.protocols import ScorePair

NOT_PLACED = "its tokens cannot be placed in its text"
NOT_THERE = "no token stands for the predicted word"


@dataclass(frozen=True)
class InTranslation:
    """A predicted word, characters `start` to `end` of the pair's target; `words` are those of the pair's source."""

    pair: ScorePair
    start: int
    end: int
    words: tuple[Place, ...]


@dataclass(frozen=True)
class InGap:
    """A predicted `word` in the gap of a text; `words` are those of that text, the gap none of them."""

    text: str
    word: str
    words: tuple[Place, ...]


Asked = InTranslation | InGap


@dataclass(frozen=True)
class Explained:
    """The probability of the predicted word, and what each word of the input takes from it when it is taken away.

    None for a word that no token stands for; `refused` where there is no explanation.
    """

    probability: float = 0.0
    values: tuple[float | None, ...] = ()
    refused: str = ""


@dataclass(frozen=True)
class Job:
    """A predicted word in tokens: what goes in, and which `targets` are to come out at which `positions`.

    `inputs` go into the decoder, up to the last target; empty without one. `words` are the tokens of each word.
    """

    number: int
    source: Tokens
    words: tuple[tuple[int, ...], ...]
    inputs: Tokens
    positions: tuple[int, ...]
    targets: Tokens


@dataclass(frozen=True)
class _Row:
    """A job with one token of its source taken away, or none."""

    job: Job
    removed: int | None


_Predict = Callable[[list[_Row]], batches.Done[float]]


def prediction_difference(
    model: object, asked: Sequence[Asked], tokens: int | None = None
) -> Iterator[tuple[int, Explained]]:
    """Explains each, in the order in which they get done; `tokens` are the padded tokens of a batch."""
    if isinstance(model, Masked):
        return _explain(masked_jobs(model, asked), _masked(model.loaded), _budget(model, tokens))
    translator, told = opened(model, asked)
    return _explain(pair_jobs(translator, told), _translating(translator.loaded), _budget(translator, tokens))


def opened(model: object, asked: Sequence[Asked]) -> tuple[Seq2Seq, Sequence[Asked]]:
    """The translator of transformers that a model is or holds, and what is asked of it as that translator needs it."""
    if isinstance(model, Seq2Seq):
        return model, asked
    if isinstance(model, Pocket) and isinstance(model.engine, Seq2Seq):
        return model.engine, [_told(each) for each in asked]
    problem = "this kind of model does not show how it comes to a prediction"
    raise UsageError(problem, "use an hf: or mlm: model, or pocket")


def pair_jobs(model: Seq2Seq, asked: Sequence[Asked]) -> Iterator[Job | tuple[int, str]]:
    """The jobs of words in translations; where there can be none, the number of what was asked, and why."""
    pairs = [(number, each) for number, each in enumerate(asked) if isinstance(each, InTranslation)]
    yield from ((number, "another task") for number, each in enumerate(asked) if not isinstance(each, InTranslation))
    sources = model.placed([(each.pair.source, *_languages(each.pair)) for _, each in pairs])
    targets = model.placed(
        [(each.pair.given + each.pair.target, *_languages(each.pair)) for _, each in pairs], "target"
    )
    before = len(model.spec.options.get("prefix", ""))
    begin = int(model.loaded.model.config.decoder_start_token_id)
    for number, each in pairs:
        given = len(each.pair.given)
        source = sources[each.pair.source, *_languages(each.pair)]
        target = targets[each.pair.given + each.pair.target, *_languages(each.pair)]
        if source is None or target is None:
            yield number, NOT_PLACED
        elif refusal := too_long(max(len(source.tokens), len(target.tokens)), model.loaded.max_length):
            yield number, refusal
        elif not (places := target.of(given + each.start, given + each.end)):
            yield number, NOT_THERE
        else:
            labels = tuple(target.tokens[place] for place in places)
            words = _tokens_of(source, each.words, before)
            yield Job(number, source.tokens, words, (begin, *target.tokens[: places[-1]]), places, labels)


def masked_jobs(model: Masked, asked: Sequence[Asked]) -> Iterator[Job | tuple[int, str]]:
    """The jobs of words in gaps: as many masks as the word has tokens, and all of it predicted at once."""
    gaps = [(number, each) for number, each in enumerate(asked) if isinstance(each, InGap)]
    yield from ((number, "another task") for number, each in enumerate(asked) if not isinstance(each, InGap))
    if not gaps:
        return
    mask = int(model.loaded.tokenizer.mask_token_id)
    all_placed = placer(model.loaded.tokenizer)([each.text.replace(GAP, each.word) for _, each in gaps], "source")
    for (number, each), placed in zip(gaps, all_placed, strict=True):
        gap = each.text.index(GAP)
        if placed is None:
            yield number, NOT_PLACED
        elif refusal := too_long(len(placed.tokens), model.loaded.max_length):
            yield number, refusal
        elif not (places := placed.of(gap, gap + len(each.word))):
            yield number, NOT_THERE
        else:
            longer = len(each.word) - len(GAP)
            words = [(start + longer, end + longer) if start > gap else (start, end) for start, end in each.words]
            source = [mask if place in places else token for place, token in enumerate(placed.tokens)]
            targets = tuple(placed.tokens[place] for place in places)
            # What holds some of the predicted word is a mask: there is nothing of it to be taken away.
            own = [tuple(place for place in tokens if place not in places) for tokens in _tokens_of(placed, words, 0)]
            yield Job(number, tuple(source), tuple(own), (), places, targets)


def mean_of_tokens(tokens: tuple[int, ...], values: Callable[[int], float]) -> float | None:
    """The salience of a word, from those of its tokens."""
    return math.fsum(values(token) for token in tokens) / len(tokens) if tokens else None


def _explain(jobs: Iterator[Job | tuple[int, str]], predict: _Predict, budget_: int) -> Iterator[tuple[int, Explained]]:
    rows: list[_Row] = []
    for job in jobs:
        if isinstance(job, Job):
            tokens = sorted({token for word in job.words for token in word})
            rows += [_Row(job, removed) for removed in (None, *tokens)]
        else:
            yield job[0], Explained(refused=job[1])
    left = Counter(row.job.number for row in rows)
    found: dict[int, dict[int | None, float]] = {number: {} for number in left}
    costs = [len(row.job.source) + len(row.job.inputs) for row in rows]
    for index, probability in batches.run(rows, costs, budget_, predict):
        row = rows[index]
        own = found[row.job.number]
        own[row.removed] = probability
        if len(own) == left[row.job.number]:
            yield row.job.number, _explained(row.job, own)


def _explained(job: Job, found: dict[int | None, float]) -> Explained:
    whole = found[None]
    return Explained(whole, tuple(mean_of_tokens(word, lambda token: whole - found[token]) for word in job.words))


def _translating(loaded: Loaded) -> _Predict:
    model = loaded.model
    encoder = model.get_encoder()
    feeder = feeder_of(model)
    pad = int(model.config.pad_token_id or 0)

    @torch.inference_mode()
    def predict(rows: list[_Row]) -> batches.Done[float]:
        sources, mask = padded([row.job.source for row in rows], pad, loaded.device)
        # The decoder often has the same module for its embeddings: only the encoder runs with tokens taken away.
        with taken_away(encoder.get_input_embeddings(), [row.removed for row in rows]):
            encoded = encoder(input_ids=sources, attention_mask=mask)
        inputs, _ = padded([row.job.inputs for row in rows], pad, loaded.device)
        return _probabilities(
            loaded,
            feeder,
            lambda: model(attention_mask=mask, encoder_outputs=encoded, decoder_input_ids=inputs, use_cache=False),
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

    def found() -> list[float]:
        each = iter(values.tolist())
        return [math.exp(math.fsum(next(each) for _ in row.job.targets)) for row in rows]

    return batches.read(loaded.device, found)


@contextmanager
def taken_away(embeddings: torch.nn.Module, places: Sequence[int | None]) -> Iterator[None]:
    """Embeds one token of each row as zeros, or none of it where its place is None."""
    rows = [row for row, place in enumerate(places) if place is not None]
    columns = [place for place in places if place is not None]
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
        problem = f"this model reads its embeddings {calls} times where once is expected, so none can be taken away"
        raise RefereeError(problem, "explain another model")


def _tokens_of(placed: TokenOffsets, words: Sequence[Place], before: int) -> tuple[tuple[int, ...], ...]:
    """The tokens of each word, where so many characters stand before the text in which words are counted."""
    return tuple(placed.of(before + start, before + end) for start, end in words)


def _languages(pair: ScorePair) -> tuple[str, str]:
    return pair.source_lang, pair.target_lang


def _told(asked: Asked) -> Asked:
    """The same with the target language before the source, as the pocket translator wants it."""
    if not isinstance(asked, InTranslation):
        return asked
    before = code(asked.pair.target_lang)
    words = tuple((start + len(before), end + len(before)) for start, end in asked.words)
    return replace(asked, pair=replace(asked.pair, source=before + asked.pair.source), words=words)


def _budget(model: Seq2Seq | Masked, tokens: int | None) -> int:
    cpu, gpu = (1_500, 60_000) if isinstance(model, Seq2Seq) else (2_500, 32_000)
    return tokens or budget(model.loaded, model.spec, cpu=cpu, gpu=gpu)
