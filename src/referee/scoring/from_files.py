"""Items and a model to verdicts: who can judge what, and how an answer becomes a verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from referee.errors import InputError
from referee.items import Item, Task
from referee.languages.sentences import Splitter
from referee.models.files import ScoreFile, TranslationFile
from referee.protocols import Chooses, FillsBlanks, Model, ScoresCandidates, ScoresPairs, ScoresTexts, Translates
from referee.scoring.cache import Cache
from referee.scoring.decision import can_match, contrastive, matched
from referee.scoring.from_model import Tick, computed, way
from referee.scoring.options import ScoringOptions
from referee.sets import Fingerprint, Hasher, ItemSet
from referee.verdicts import Verdict


@dataclass(frozen=True)
class Judge:
    """One pass over a set, in order: `judge` the next items, or `skip` those that were judged before."""

    judge: Callable[[Sequence[Item], Tick], list[Verdict]]
    skip: Callable[[Sequence[Item]], None]


@dataclass(frozen=True)
class Survey:
    """What a first pass over a set shows: its fingerprint, and how much of it can be judged."""

    name: str
    fingerprint: Fingerprint
    candidates: int
    contrastable: int
    matchable: int
    tasks: frozenset[Task] = frozenset()
    perturbed: int = 0


def survey(challenge: ItemSet) -> Survey:
    """Reads, and so validates, the whole set before any work is done on it."""
    hasher = Hasher()
    candidates = contrastable = matchable = perturbed = 0
    tasks: set[Task] = set()
    for item in challenge:
        hasher.add(item)
        candidates += len(item.candidates)
        contrastable += bool(item.candidates)
        matchable += can_match(item)
        perturbed += item.origin is not None
        tasks.add(item.task)
    return Survey(
        challenge.name, hasher.fingerprint(), candidates, contrastable, matchable, frozenset(tasks), perturbed
    )


def start(model: Model, found: Survey, options: ScoringOptions, cache: Cache | None = None) -> Judge:
    """A judge for one pass over the surveyed set; a model that does not fit it is refused at once."""
    if isinstance(model, ScoreFile):
        require_candidates(found)
        return _contrast(model.scores(found.candidates), higher=model.better == "higher")
    if isinstance(model, TranslationFile):
        require_forms(found)
        return _match(model.outputs(found.fingerprint.items))
    generative_ = options.how == "generative" or (options.how == "auto" and _must_translate(model, found))
    (require_forms if generative_ else require_candidates)(found)
    if not generative_:
        for task in sorted(found.tasks):
            way(task, model, options)
    decide = computed(model, found.name, options, cache, generate=generative_)
    return Judge(decide, skip=_nothing)


def _must_translate(model: Model, found: Survey) -> bool:
    """Whether there is nothing to compare, or a model that can do nothing but translate."""
    if not found.contrastable:
        return True
    return isinstance(model, Translates) and not isinstance(
        model, ScoresPairs | ScoresTexts | ScoresCandidates | FillsBlanks | Chooses
    )


def require_candidates(found: Survey) -> None:
    """Refuses a set that has nothing to contrast."""
    if not found.contrastable:
        raise InputError(f"no item of {found.name} has candidates to score", "score translations of it instead")


def require_forms(found: Survey) -> None:
    """Refuses a set that does not say what a translation must hold."""
    if not found.matchable:
        problem = f"no item of {found.name} says which form a translation must hold"
        remedy = "score its candidates instead, or complete the suite if `referee list suites` calls it partly there"
        raise InputError(problem, remedy)


def _contrast(scores: Iterator[float], *, higher: bool) -> Judge:
    def take(item: Item) -> list[float]:
        return list(islice(scores, len(item.candidates)))

    def decide(item: Item) -> Verdict:
        if not (own := take(item)):
            return Verdict(item=item.id, kind="contrastive", dropped="no candidates")
        return contrastive(item.id, own, item.gold, higher=higher)

    return _one_by_one(decide, take)


def _match(outputs: Iterator[str]) -> Judge:
    splitters: dict[str, Splitter] = {}
    return _one_by_one(lambda item: matched(item, next(outputs), splitters), lambda _: next(outputs))


def _nothing(_: Sequence[Item]) -> None:
    """A model that computes needs not be told of what it need not do."""


def _one_by_one(decide: Callable[[Item], Verdict], take: Callable[[Item], object]) -> Judge:
    def judge(items: Sequence[Item], _: Tick) -> list[Verdict]:
        return [decide(item) for item in items]

    def skip(items: Sequence[Item]) -> None:
        for item in items:
            take(item)

    return Judge(judge, skip)
