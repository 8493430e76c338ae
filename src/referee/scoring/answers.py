"""Answers of a model: from the cache where possible, else computed, in batches that are always the same.

A key is the hash of everything a score depends on: weights, configuration, tokenizer, options and text. So model B
never sees the scores of model A, and a model that changed under the same name is scored again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import msgspec

from referee.protocols import Adapts, Identity
from referee.scoring.cache import Cache

T = TypeVar("T")
R = TypeVar("R")

_VERSION = 2
"""To be raised whenever the same request would get another number."""
_AT_ONCE = 500
"""Answers that are stored in one go."""
_PAID_AT_ONCE = 20
"""Answers of a service that are lost at most when the process is killed."""


@dataclass(frozen=True)
class RequestKind(Generic[T, R]):
    """One kind of request to a model: its name, the function that answers, and the type of the answers.

    `together` requests are answered in one batch; 0 means that each is independent. `spread` answers many such batches
    at once, where there are several workers. `adapts` is a model that may send other parameters than it is asked to:
    an answer is stored under those that were sent.
    """

    what: str
    compute: Callable[[Sequence[T]], Iterator[tuple[int, R]]]
    answer_type: type[R]
    together: int = 0
    spread: Callable[[str, list[list[T]]], Iterator[tuple[int, list[tuple[int, R]]]]] | None = None
    adapts: Adapts | None = None


def cached(
    cache: Cache | None,
    identity: Identity,
    asking: RequestKind[T, R],
    requests: Sequence[T],
    done: Callable[[int], None],
) -> list[R]:
    """Answer all requests: from the cache where possible, equal ones once, new answers stored as they come."""
    unique: dict[T, int] = {}
    indices = [unique.setdefault(request, len(unique)) for request in requests]
    questions = list(unique)
    counts = [0] * len(questions)
    for index in indices:
        counts[index] += 1
    answers: dict[int, R] = {}
    keys: list[bytes] = []
    if cache is not None:
        _restore(cache, identity, asking.adapts)
        asked = _as_sent(identity, asking.adapts)
        keys = _keys(asked, asking, questions)
        stored = cache.get(keys)
        for index, key in enumerate(keys):
            if key in stored:
                answers[index] = msgspec.msgpack.decode(stored[key], type=asking.answer_type)
                done(counts[index])
    fresh: list[tuple[bytes, bytes]] = []
    try:
        for index, answer in _computed(asking, questions, answers.keys()):
            if index not in answers:
                done(counts[index])
            answers[index] = answer
            if cache is not None:
                sent = _as_sent(identity, asking.adapts)
                key = keys[index] if sent == asked else _key(sent, asking.what, questions[index])
                fresh.append((key, msgspec.msgpack.encode(answer)))
                if len(fresh) >= (_PAID_AT_ONCE if asking.adapts else _AT_ONCE):
                    cache.put([*fresh, *_adaptation(identity, asking.adapts)])
                    fresh = []
    finally:
        if cache is not None and fresh:
            cache.put([*fresh, *_adaptation(identity, asking.adapts)])
    return [answers[index] for index in indices]


def _computed(asking: RequestKind[T, R], questions: list[T], answered: Collection[int]) -> Iterator[tuple[int, R]]:
    """New answers, each with the index of its question.

    A batch always consists of the same questions: where one answer is missing, the whole batch is computed again. So
    the last digits of a score are the same however often a run was interrupted, and however many workers it has.
    """
    if not asking.together:
        missing = [index for index in range(len(questions)) if index not in answered]
        for number, answer in asking.compute([questions[index] for index in missing]) if missing else ():
            yield missing[number], answer
        return
    goes = [go for go in _goes(questions, asking.together) if any(index not in answered for index in go)]
    wanted = [[questions[index] for index in go] for go in goes]
    spread = asking.spread or (lambda _, lists: ((n, list(asking.compute(one))) for n, one in enumerate(lists)))
    if not wanted:
        return
    for number, answers in spread(asking.what, wanted):
        for offset, answer in answers:
            yield goes[number][offset], answer


def _goes(questions: Sequence[object], size: int) -> Iterator[list[int]]:
    """Indices of questions in batches of about `size`; those of one origin stay together, since they share work."""
    go: list[int] = []
    origin = None
    for index, question in enumerate(questions):
        question_origin = getattr(question, "origin", None)
        if len(go) >= size and (not question_origin or question_origin != origin):
            yield go
            go = []
        go.append(index)
        origin = question_origin
    if go:
        yield go


def _keys(identity: Identity, asking: RequestKind[T, R], questions: list[T]) -> list[bytes]:
    """The key of each question; where questions are computed in batches, it says in which.

    The last digits of a score depend on its batch. So an answer that another batch gave, of a part of the set or of
    another set, is not taken: a run has the same bytes with a cache and without.
    """
    keys = [_key(identity, asking.what, request) for request in questions]
    if not asking.together:
        return keys
    for go in _goes(questions, asking.together):
        batch = hashlib.sha256(b"".join(keys[index] for index in go)).digest()
        for index in go:
            keys[index] = hashlib.sha256(keys[index] + batch).digest()
    return keys


def _as_sent(identity: Identity, model: Adapts | None) -> Identity:
    """The model with the parameters that its service takes."""
    sent = model.sent() if model else ""
    settings = {**identity.settings, "sent": sent} if sent else identity.settings
    return Identity(identity.sha256, settings, identity.generation)


def _restore(cache: Cache, identity: Identity, model: Adapts | None) -> None:
    """Begin with the parameters under which the answers of earlier runs are stored."""
    if model and not model.sent():
        key = _key(identity, "sent")
        if known := cache.get([key]).get(key):
            model.adapt(known.decode())


def _adaptation(identity: Identity, model: Adapts | None) -> list[tuple[bytes, bytes]]:
    """What is to be restored by later runs."""
    return [(_key(identity, "sent"), model.sent().encode())] if model and model.sent() else []


def _key(identity: Identity, what: str, request: object = None) -> bytes:
    fields = {name: value for name, value in vars(request).items() if name != "origin"} if request else {}
    settings = dict(identity.settings) | dict(identity.generation if what == "translate" else {})
    parts = [_VERSION, identity.sha256, sorted(settings.items()), what, sorted(fields.items())]
    return hashlib.sha256(msgspec.json.encode(parts)).digest()
