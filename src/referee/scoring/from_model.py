"""Verdicts from models that compute: items become requests, answered from the cache or else by the model."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache as cache_of
from typing import Any

from referee import protocols
from referee.errors import InputError, UsageError
from referee.items import Item, Task
from referee.protocols import (
    Chooses,
    FillsBlanks,
    Model,
    ScoresCandidates,
    ScoresPairs,
    ScoresTexts,
    TokenScores,
    Translated,
    Translates,
)
from referee.scoring import requests
from referee.scoring.answers import RequestKind, cached
from referee.scoring.cache import Cache
from referee.scoring.decision import NOT_A_NUMBER, compared, matched
from referee.scoring.options import Part, ScoringOptions
from referee.scoring.passes import Tick
from referee.scoring.ties import same_tokens
from referee.verdicts import Kind, Verdict

_ABILITIES = {
    "pairs": "score_pairs",
    "texts": "score_texts",
    "blanks": "fill_blanks",
    "candidates": "score_candidates",
    "choice": "choose",
    "translate": "translate",
}

Decide = Callable[[Sequence[Item], Tick], list[Verdict]]


def computed(model: Model, suite: str, options: ScoringOptions, cache: Cache | None, *, generate: bool) -> Decide:
    """Function that evaluates items with the model; a model without the required ability is refused at once."""
    if generate:
        if not isinstance(model, Translates):
            raise UsageError(
                "this kind of model cannot translate", "choose a translation model, or use --how contrastive"
            )
        return _translating(model, suite, options, cache)
    return _contrasting(model, suite, options, cache)


def _contrasting(model: Model, suite: str, options: ScoringOptions, cache: Cache | None) -> Decide:
    identity = model.identity()

    def decide(items: Sequence[Item], tick: Tick) -> list[Verdict]:
        verdicts: dict[int, Verdict] = {}
        by_ability: dict[str, list[int]] = {}
        ability_of = cache_of(lambda task, part: ability_for(task, model, replace(options, part=part)))
        for index, item in enumerate(items):
            if item.candidates:
                by_ability.setdefault(ability_of(item.task, _part(item, model, options)), []).append(index)
            else:
                verdicts[index] = Verdict(item=item.id, kind="contrastive", dropped="no candidates")
        tick(len(verdicts))
        for ability, indices in by_ability.items():
            requests_per_item = [_questions(ability, items[index], options) for index in indices]
            requests = [request for item_requests in requests_per_item for request in item_requests]
            step = len(indices) / len(requests)

            def done(count: int, step: float = step) -> None:
                tick(count * step)

            answers = iter(cached(cache, identity, _asking(model, ability, TokenScores), requests, done))
            for index, item_requests in zip(indices, requests_per_item, strict=True):
                given = [next(answers) for _ in item_requests]
                verdicts[index] = _verdict(items[index], ability, given, suite, options)
        return [verdicts[index] for index in range(len(items))]

    return decide


def _translating(model: Translates, suite: str, options: ScoringOptions, cache: Cache | None) -> Decide:
    identity = model.identity()
    refuses = protocols.refuses(model)

    def decide(items: Sequence[Item], tick: Tick) -> list[Verdict]:
        sources = [requests.source(item, options) for item in items]
        refusals = [refuses(source) for source in sources]
        kept = [source for source, refusal in zip(sources, refusals, strict=True) if not refusal]
        tick(len(sources) - len(kept))
        outputs = iter(cached(cache, identity, _asking(model, "translate", Translated), kept, tick))
        return [
            _refused(item, "generative", refusal, suite, options)
            if refusal
            else matched(item, next(outputs), options.separator)
            for item, refusal in zip(items, refusals, strict=True)
        ]

    return decide


def ability_for(task: Task, model: Model, options: ScoringOptions) -> str:
    """Name of the ability with which this model evaluates items of a task; having none is a usage error."""
    if task == "translate":
        if isinstance(model, ScoresPairs):
            return "pairs"
    elif options.part == "mask" and task == "fill":
        if isinstance(model, FillsBlanks):
            return "blanks"
        raise UsageError("this kind of model cannot score a masked position", "use mlm:NAME, or another --part")
    elif isinstance(model, ScoresTexts):
        return "texts"
    if isinstance(model, ScoresCandidates):
        return "candidates"
    if isinstance(model, Chooses):
        return "choice"
    remedy = "use hf:, ct2: or api: for translations, mlm: or causal: for sentences"
    raise UsageError(f"this kind of model cannot score '{task}' items", remedy)


def _part(item: Item, model: Model, options: ScoringOptions) -> Part:
    """Part of the sentence to score: an item may ask for one masked position, where the model has masks."""
    masked = item.features.get("part") == "mask" and options.part == "whole" and isinstance(model, FillsBlanks)
    return "mask" if masked else options.part


def _questions(ability: str, item: Item, options: ScoringOptions) -> list[Any]:
    if ability == "pairs":
        return list(requests.pairs(item, options))
    if ability == "texts":
        return list(requests.texts(item, options))
    if ability == "candidates":
        return [requests.candidates(item, options)]
    return [requests.blank(item, options) if ability == "blanks" else requests.question(item, options)]


def _asking(model: object, ability: str, answer_type: Any) -> RequestKind[Any, Any]:  # noqa: ANN401 a type, or several
    """Requests of one kind to this model."""
    compute = getattr(model, _ABILITIES[ability])
    return RequestKind(
        _ABILITIES[ability],
        compute,
        answer_type,
        protocols.together(model),
        protocols.spread(model),
        model if isinstance(model, protocols.Adapts) else None,
    )


def _verdict(item: Item, ability: str, answers: list[TokenScores], suite: str, options: ScoringOptions) -> Verdict:
    if refusal := next((answer.refused for answer in answers if answer.refused), ""):
        return _refused(item, "contrastive", refusal, suite, options)
    if ability in ("blanks", "candidates", "choice"):
        (answer,) = answers
        return compared(item, answer.logprobs, higher=True)
    texts = [candidate.text for candidate in item.candidates]
    if ability == "texts":
        texts = [request.text[request.start :] for request in requests.texts(item, options)]
    scored = same_tokens(answers, texts)
    # No logarithm of a probability is NaN or positive infinity, and the two cannot be added up.
    if not all(value < math.inf for logprobs, _ in scored for value in logprobs):
        return Verdict(item=item.id, kind="contrastive", dropped=NOT_A_NUMBER)
    scores = [requests.normalised(logprobs, text, options.norm) for logprobs, text in scored]
    tokens = tuple(logprobs for logprobs, _ in scored)
    return compared(item, scores, higher=True, token_scores=tokens)


def _refused(item: Item, kind: Kind, refusal: str, suite: str, options: ScoringOptions) -> Verdict:
    """Verdict that drops an item with its reason; one that is too long is an error unless the user chose to drop it."""
    reason, _, detail = refusal.partition(": ")
    if reason == "too long" and options.too_long == "refuse":
        problem = f"the item {item.id} of {suite} is too long for the model ({detail})"
        raise InputError(problem, "lower --context, or drop such items with --too-long drop")
    return Verdict(item=item.id, kind=kind, dropped=reason)
