"""Verdicts from models that compute: items become questions, known answers come from the cache, the rest is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache as cache_of
from typing import Any, TypeVar

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
    Translates,
)
from referee.scoring import requests
from referee.scoring.cache import Cache, RequestKind, cached
from referee.scoring.decision import contrastive, matched
from referee.scoring.options import Part, ScoringOptions
from referee.scoring.passes import Tick
from referee.verdicts import Kind, Verdict

_ABILITIES = {
    "pairs": "score_pairs",
    "texts": "score_texts",
    "blanks": "fill_blanks",
    "candidates": "score_candidates",
    "choice": "choose",
    "translate": "translate",
}

R = TypeVar("R")

Decide = Callable[[Sequence[Item], Tick], list[Verdict]]


def computed(model: Model, suite: str, options: ScoringOptions, cache: Cache | None, *, generate: bool) -> Decide:
    """What judges items with the model; one that cannot do what is asked is refused at once."""
    if generate:
        if not isinstance(model, Translates):
            raise UsageError("this kind of model cannot translate", "choose one that can, or score candidates")
        return _translating(model, suite, options, cache)
    return _contrasting(model, suite, options, cache)


def _contrasting(model: Model, suite: str, options: ScoringOptions, cache: Cache | None) -> Decide:
    identity = model.identity()

    def decide(items: Sequence[Item], tick: Tick) -> list[Verdict]:
        found: dict[int, Verdict] = {}
        ways: dict[str, list[int]] = {}
        way_of = cache_of(lambda task, part: way(task, model, replace(options, part=part)))
        for place, item in enumerate(items):
            if item.candidates:
                ways.setdefault(way_of(item.task, _part(item, model, options)), []).append(place)
            else:
                found[place] = Verdict(item=item.id, kind="contrastive", dropped="no candidates")
        tick(len(found))
        for name, places in ways.items():
            asked = [_questions(name, items[place], options) for place in places]
            requests = [request for own in asked for request in own]
            step = len(places) / len(requests)

            def done(count: int, step: float = step) -> None:
                tick(count * step)

            answers = iter(cached(cache, identity, _asking(model, name, TokenScores), requests, done))
            for place, own in zip(places, asked, strict=True):
                given = [next(answers) for _ in own]
                found[place] = _verdict(items[place], name, given, suite, options)
        return [found[place] for place in range(len(items))]

    return decide


def _translating(model: Translates, suite: str, options: ScoringOptions, cache: Cache | None) -> Decide:
    identity = model.identity()
    refuses = protocols.refuses(model)

    def decide(items: Sequence[Item], tick: Tick) -> list[Verdict]:
        sources = [requests.source(item, options) for item in items]
        refusals = [refuses(source) for source in sources]
        kept = [source for source, refusal in zip(sources, refusals, strict=True) if not refusal]
        tick(len(sources) - len(kept))
        outputs = iter(cached(cache, identity, _asking(model, "translate", str), kept, tick))
        return [
            _refused(item, "generative", refusal, suite, options) if refusal else matched(item, next(outputs))
            for item, refusal in zip(items, refusals, strict=True)
        ]

    return decide


def way(task: Task, model: Model, options: ScoringOptions) -> str:
    """How this model judges items of a task; what it cannot judge is a usage error."""
    if task == "translate":
        if isinstance(model, ScoresPairs):
            return "pairs"
    elif options.part == "mask" and task == "fill":
        if isinstance(model, FillsBlanks):
            return "blanks"
        raise UsageError("this kind of model has no masks", "use mlm: for part=mask")
    elif isinstance(model, ScoresTexts):
        return "texts"
    if isinstance(model, ScoresCandidates):
        return "candidates"
    if isinstance(model, Chooses):
        return "choice"
    remedy = "translations are judged by hf:, ct2: and api: models, sentences by mlm: and causal: ones"
    raise UsageError(f"this kind of model cannot judge '{task}' items", remedy)


def _part(item: Item, model: Model, options: ScoringOptions) -> Part:
    """An item that compares words in one position says so itself; what has no masks reads the whole sentence."""
    own = item.features.get("part") == "mask" and options.part == "whole" and isinstance(model, FillsBlanks)
    return "mask" if own else options.part


def _questions(name: str, item: Item, options: ScoringOptions) -> list[Any]:
    if name == "pairs":
        return list(requests.pairs(item, options))
    if name == "texts":
        return list(requests.texts(item, options))
    if name == "candidates":
        return [requests.candidates(item, options)]
    return [requests.blank(item) if name == "blanks" else requests.question(item, options)]


def _asking(model: object, name: str, answer_type: type[R]) -> RequestKind[Any, R]:
    """How questions of one kind are put to this model."""
    compute = getattr(model, _ABILITIES[name])
    return RequestKind(_ABILITIES[name], compute, answer_type, protocols.together(model), protocols.spread(model))


def _verdict(item: Item, name: str, answers: list[TokenScores], suite: str, options: ScoringOptions) -> Verdict:
    if refusal := next((answer.refused for answer in answers if answer.refused), ""):
        return _refused(item, "contrastive", refusal, suite, options)
    if name in ("blanks", "candidates", "choice"):
        (answer,) = answers
        return contrastive(item.id, answer.logprobs, item.gold, higher=True)
    texts = [candidate.text for candidate in item.candidates]
    if name == "texts":
        texts = [request.text[request.start :] for request in requests.texts(item, options)]
    scores = [
        requests.normalised(answer.logprobs, text, options.norm) for answer, text in zip(answers, texts, strict=True)
    ]
    tokens = tuple(answer.logprobs for answer in answers)
    return contrastive(item.id, scores, item.gold, higher=True, token_scores=tokens)


def _refused(item: Item, kind: Kind, refusal: str, suite: str, options: ScoringOptions) -> Verdict:
    """A dropped item, counted under its reason; too long ones stop everything unless the user chose to drop them."""
    reason, _, detail = refusal.partition(": ")
    if reason == "too long" and options.too_long == "refuse":
        problem = f"the item {item.id} of {suite} is too long ({detail})"
        raise InputError(problem, "give less --context, or count such items out with --too-long drop")
    return Verdict(item=item.id, kind=kind, dropped=reason)
