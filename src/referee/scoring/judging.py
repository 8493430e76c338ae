"""Items and a model's answers to verdicts, one item at a time and in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from referee.errors import InputError
from referee.items import Item
from referee.models.files import FileModel, ScoreFile
from referee.scoring import matching
from referee.sets import ChallengeSet, Fingerprint, Hasher
from referee.verdicts import Rule, Verdict


@dataclass(frozen=True)
class Judge:
    """One pass over a set: `take` the model's answer to the next item, then `decide` on it.

    Taking alone skips an item that was decided before.
    """

    take: Callable[[Item], Any]
    decide: Callable[[Item, Any], Verdict]


@dataclass(frozen=True)
class Survey:
    """What a first pass over a set shows: its fingerprint, and how much of it can be judged."""

    name: str
    fingerprint: Fingerprint
    candidates: int
    contrastable: int
    matchable: int


def survey(challenge: ChallengeSet) -> Survey:
    """Reads, and so validates, the whole set before any work is done on it."""
    hasher = Hasher()
    candidates = contrastable = matchable = 0
    for item in challenge:
        hasher.add(item)
        candidates += len(item.candidates)
        contrastable += bool(item.candidates)
        matchable += bool(item.expected)
    return Survey(challenge.name, hasher.fingerprint(), candidates, contrastable, matchable)


def start(model: FileModel, found: Survey) -> Judge:
    """A judge for one pass over the surveyed set; a model that does not fit it is refused at once."""
    if isinstance(model, ScoreFile):
        if not found.contrastable:
            raise InputError(f"no item of {found.name} has candidates to score", "score translations of it instead")
        return _contrast(model.scores(found.candidates), higher=model.better == "higher")
    if not found.matchable:
        problem = f"no item of {found.name} says which form a translation must hold"
        remedy = "score its candidates instead, or complete the suite if `referee list suites` calls it partly there"
        raise InputError(problem, remedy)
    return _match(model.outputs(found.fingerprint.items))


def contrastive(item: str, scores: Sequence[float], gold: int | None, *, higher: bool) -> Verdict:
    """The candidate with the best score wins; where the best score is shared nobody does, and that is wrong."""
    best = max(scores) if higher else min(scores)
    winners = [index for index, score in enumerate(scores) if score == best]
    tied = len(winners) > 1
    choice = None if tied else winners[0]
    # Equal scores share the better rank, as in a race.
    ranks = tuple(1 + sum((other > score) if higher else (other < score) for other in scores) for score in scores)
    return Verdict(
        item=item,
        kind="contrastive",
        correct=None if gold is None else choice == gold,
        tied=tied,
        choice=choice,
        scores=tuple(scores),
        ranks=ranks,
    )


def generative(item: str, output: str, found: dict[Rule, bool]) -> Verdict:
    """Right where the published rule found an expected form; what the other rule found is kept beside it."""
    return Verdict(item=item, kind="generative", correct=found["paper"], output=output, found=found)


def _contrast(scores: Iterator[float], *, higher: bool) -> Judge:
    def take(item: Item) -> list[float]:
        return list(islice(scores, len(item.candidates)))

    def decide(item: Item, own: list[float]) -> Verdict:
        if not own:
            return Verdict(item=item.id, kind="contrastive", dropped="no candidates")
        return contrastive(item.id, own, item.gold, higher=higher)

    return Judge(take, decide)


def _match(outputs: Iterator[str]) -> Judge:
    splitters: dict[str, matching.Splitter] = {}

    def take(_: Item) -> str:
        return next(outputs)

    def decide(item: Item, output: str) -> Verdict:
        if not item.expected:
            return Verdict(item=item.id, kind="generative", dropped="no expected form")
        if item.target_lang not in splitters:
            splitters[item.target_lang] = matching.splitter(item.target_lang)
        sentence = matching.last_sentence(output, splitters[item.target_lang])
        return generative(item.id, sentence, matching.found(sentence, item.expected, item.target_lang))

    return Judge(take, decide)
