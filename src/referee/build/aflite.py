"""AFLite (Sakaguchi et al. 2020; "Back to Square One", Appendix D): removes items that a linear model can solve.

An item becomes a vector: its texts with each candidate, side by side. In each round an ensemble of linear classifiers,
each trained on a random part, predicts the rest. Items that most classifiers get right from the vectors alone contain
an artifact, and the worst are removed. Twins stay in the same part, or one would teach the answer to the other.

Vectors and rounds are kept in a work folder, so a killed command resumes. Every random draw follows from the seed, the
round and the classifier, so the result is the same.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import numpy as np

from referee.build.linear import Labels, Matrix, fit, standardised
from referee.errors import InputError, UsageError
from referee.io.parts import Parts
from referee.io.progress import Bars, Progress, no_bars, no_progress
from referee.items import Item
from referee.protocols import Embeds, Model
from referee.sets import Fingerprint, Items, canonical, format_of, save

CHUNK = 256
"""Number of items whose vectors are computed and stored at a time."""

Embed = Callable[[Sequence[str]], Matrix]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of the filter; `train`, `cut` and `keep` are numbers of items.

    Each classifier learns from `train` items. A round removes at most `cut` items: those that most classifiers get
    right, if their share is at least `tau`. The filter stops when a round removes fewer, or when `keep` items are left.
    """

    classifiers: int = 64
    train: int
    cut: int
    tau: float = 0.75
    keep: int
    seed: int = 0


class Round(msgspec.Struct, frozen=True):
    """One round: number of items, accuracy of classifiers on unseen items, items at `tau` or above, and the removed."""

    items: int
    accuracy: float
    above: int
    removed: list[int]


class Filtered(msgspec.Struct, frozen=True):
    """The kept items, by index in the set, and the rounds; `accuracy` is that of classifiers on the kept items."""

    kept: list[int]
    rounds: list[Round]
    accuracy: float


@dataclass(frozen=True)
class AfliteResult:
    """What AFLite made of a set: iterating gives the items that it kept.

    `accuracy` is that of linear classifiers on the kept items, `groups` and `groups_left` count groups before and
    after, and `groups_torn` those that lost some of their members. `fingerprint` is that of the file, if one was
    written.
    """

    items: int
    kept: tuple[Item, ...]
    rounds: tuple[Round, ...]
    accuracy: float
    groups: int
    groups_left: int
    groups_torn: int
    fingerprint: Fingerprint | None

    def __iter__(self) -> Iterator[Item]:
        return iter(self.kept)


def filter_aflite(
    items: Items,
    model: Model,
    *,
    classifiers: int = 64,
    train: int | None = None,
    cut: int | None = None,
    tau: float = 0.75,
    keep: int | None = None,
    seed: int = 0,
    out: str | PathLike[str] | None = None,
    work: str | PathLike[str] | None = None,
    bars: Bars = no_bars,
) -> AfliteResult:
    """Remove the items whose answer linear classifiers guess from vectors alone (AFLite).

    Args:
        items: Items with gold and the same number of candidates each.
        model: An opened model that embeds texts, such as `referee.open_model("mlm:NAME")`.
        classifiers: Number of classifiers in a round.
        train: Number of items each classifier learns from; by default a tenth.
        cut: Number of items that a round removes at most; by default a fiftieth.
        tau: The share of classifiers that must be right on what is removed.
        keep: Stop when so few items are left; by default as `train`.
        seed: Another seed draws other parts.
        out: A file for the kept items.
        work: A folder that keeps vectors and rounds, so that the same call resumes; by default next to `out` until it
            is done.
        bars: Opens the progress of a step.

    >>> import numpy, referee
    >>> from referee.protocols import Identity
    >>> class Lengths:
    ...     def identity(self):
    ...         return Identity("lengths")
    ...     def embed(self, texts):
    ...         return numpy.array([[len(text)] for text in texts], numpy.float32)
    >>> items = list(referee.templates("fr", "gender"))[:40]
    >>> result = filter_aflite(items, Lengths(), classifiers=4)
    >>> result.items == len(result.kept) + sum(len(done.removed) for done in result.rounds)
    True

    """
    target = None if out is None else Path(out)
    if target is not None:
        format_of(target)
    given = list(items)
    check(given)
    settings = settings_for(len(given), classifiers=classifiers, train=train, cut=cut, tau=tau, keep=keep, seed=seed)
    if not isinstance(model, Embeds):
        raise UsageError("the model does not embed texts", "use a masked language model such as mlm:NAME")
    key = work_key(given, model.identity().sha256)
    with _work_folder(None if work is None else Path(work), target, key) as folder:
        with bars("embedding") as progress:
            features = vectors(given, model.embed, folder, progress)
        with bars("filtering") as progress:
            filtered = aflite(features, given, settings, folder, progress)
        kept = tuple(given[index] for index in filtered.kept)
        fingerprint = None if target is None else save(kept, target)
    before, after = (Counter(item.group_id for item in some) for some in (given, kept))
    return AfliteResult(
        items=len(given),
        kept=kept,
        rounds=tuple(filtered.rounds),
        accuracy=filtered.accuracy,
        groups=len(before),
        groups_left=len(after),
        groups_torn=sum(before[group] > count for group, count in after.items()),
        fingerprint=fingerprint,
    )


@contextmanager
def _work_folder(work: Path | None, out: Path | None, key: str) -> Iterator[Path]:
    """The folder for vectors and rounds; unless it was asked for, it is removed when all is done."""
    if work is not None:
        yield work / key
    elif out is None:
        with TemporaryDirectory(prefix="referee-") as folder:
            yield Path(folder)
    else:
        parent = out.with_name(out.name + ".work")
        yield parent / key
        # Only what this call made: another may be under way there, or the folder somebody's own.
        Parts(parent / key, bytes).remove()
        with suppress(OSError):
            parent.rmdir()


def settings_for(
    items: int,
    *,
    classifiers: int = 64,
    train: int | None = None,
    cut: int | None = None,
    tau: float = 0.75,
    keep: int | None = None,
    seed: int = 0,
) -> Settings:
    """Settings for a set of that size: classifiers learn from a tenth, a round removes a fiftieth.

    With larger parts, which overlap more, classifiers agree by chance and even a clean set loses many items.
    """
    chosen = Settings(
        classifiers=classifiers,
        train=train or max(2, items // 10),
        cut=cut or max(1, items // 50),
        tau=tau,
        keep=keep or train or max(2, items // 10),
        seed=seed,
    )
    if chosen.train >= items:
        raise UsageError(f"--train: {chosen.train} of {items} items leave none to predict", "choose a smaller number")
    if not 0 < tau <= 1:
        raise UsageError(f"--tau: {tau} is not a share", "choose a number above 0 and at most 1, such as 0.75")
    return chosen


def check(items: Sequence[Item]) -> int:
    """The number of candidates, which all items must share; each must have gold."""
    counts = {len(item.candidates) for item in items}
    for item in items:
        if item.gold is None:
            raise InputError(f"the item {item.id!r} has no gold", "use items with gold answers", field="gold")
    if len(counts) != 1:
        sizes = " and ".join(map(str, sorted(counts))) or "no"
        raise InputError(
            f"the items have {sizes} candidates, expected one number", "filter each number of candidates separately"
        )
    return counts.pop()


def vectors(items: Sequence[Item], embed: Embed, work: Path, progress: Progress = no_progress) -> Matrix:
    """One row per item: the vectors of its texts with each candidate, one after the other."""
    parts = Parts(work, bytes)
    rows = []
    for number, start in enumerate(range(0, len(items), CHUNK)):
        chunk = items[start : start + CHUNK]
        name = f"vectors-{number:05}"
        content = parts.read(name)
        if content is None:
            texts = [item.text_with(candidate) for item in chunk for candidate in item.candidates]
            content = embed(texts).astype(np.float32).tobytes()
            parts.write(name, content)
        rows.append(np.frombuffer(content, np.float32).reshape(len(chunk), -1))
        progress(start + len(chunk), len(items))
    return np.concatenate(rows)


def work_key(items: Sequence[Item], model_sha256: str) -> str:
    """A name for the items and the model that vectors were computed from."""
    digest = hashlib.sha256(f"{model_sha256} {CHUNK}".encode())
    for item in items:
        digest.update(canonical(item))
    return digest.hexdigest()[:16]


def aflite(
    features: Matrix, items: Sequence[Item], settings: Settings, work: Path, progress: Progress = no_progress
) -> Filtered:
    """Filter items by their vectors; rounds that are in the work folder are not computed again."""
    classes = check(items)
    labels = np.asarray([item.gold for item in items], np.int64)
    groups = _numbered([item.group_id for item in items])
    scaled = standardised(features)
    parts = Parts(work, list[Round])
    name = f"rounds-{hashlib.sha256(msgspec.json.encode(settings)).hexdigest()[:16]}"
    rounds = parts.read(name) or []
    left = _left(len(items), rounds)
    while True:
        number = len(rounds)
        scores, accuracy = _scores(scaled[left], labels[left], groups[left], classes, settings, number, progress)
        if _finished(rounds, len(left), settings):
            return Filtered(left.tolist(), rounds, accuracy)
        above = np.flatnonzero(scores >= settings.tau)
        # Ties are broken at random, not by the order of the file.
        draw = np.random.default_rng([settings.seed, number]).random(len(left))
        order = above[np.lexsort((draw[above], -scores[above]))]
        removed = left[np.sort(order[: min(settings.cut, len(left) - settings.keep)])]
        rounds.append(Round(len(left), accuracy, len(above), removed.tolist()))
        parts.write(name, rounds)
        left = _left(len(items), rounds)


def _finished(rounds: Sequence[Round], left: int, settings: Settings) -> bool:
    return left <= settings.keep or (bool(rounds) and len(rounds[-1].removed) < settings.cut)


def _scores(
    features: Matrix,
    labels: Labels,
    groups: Labels,
    classes: int,
    settings: Settings,
    number: int,
    progress: Progress,
) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], float]:
    """Per item, the share of classifiers that get it right without having seen it; and the accuracy over all items."""
    hits, votes = np.zeros(len(labels)), np.zeros(len(labels))
    for classifier in range(settings.classifiers):
        draws = np.random.default_rng([settings.seed, number, classifier])
        seen = _part(groups, settings.train, draws)
        rest = np.flatnonzero(~seen)
        model = fit(features[seen], labels[seen], classes)
        hits[rest] += model.predict(features[rest]) == labels[rest]
        votes[rest] += 1
        progress(number * settings.classifiers + classifier + 1, None)
    shares = np.divide(hits, votes, out=np.zeros_like(hits), where=votes > 0)
    return shares, float(hits.sum() / max(1.0, votes.sum()))


def _part(groups: Labels, size: int, draws: np.random.Generator) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """A mask of the items that a classifier learns from: whole groups until there are `size` items, but never all."""
    unique, sizes = np.unique(groups, return_counts=True)
    order = draws.permutation(len(unique))
    within = int(np.searchsorted(np.cumsum(sizes[order]), size)) + 1
    return np.isin(groups, unique[order[: min(within, len(unique) - 1)]])


def _numbered(names: Sequence[str]) -> Labels:
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.asarray([numbers[name] for name in names], np.int64)


def _left(count: int, rounds: Sequence[Round]) -> Labels:
    removed = [index for finished in rounds for index in finished.removed]
    return np.setdiff1d(np.arange(count), np.asarray(removed, np.int64))
