"""Perturbations by name: attacks, baselines and probes; plug-ins add theirs under `referee.perturbations`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import InputError, UsageError
from referee.io.progress import Progress, counted, no_progress
from referee.items import Item, SetOrigin
from referee.perturbations.base import Dropped, Perturbation, changed, changed_twin, together
from referee.perturbations.single_token import single_tokens
from referee.protocols import Model
from referee.registry import lookup, named, plugins
from referee.sets import Fingerprint, Items, ItemSet, as_set, save

if TYPE_CHECKING:
    from referee.perturbations.senses import Synonyms


def perturbations(thesaurus: str | None = None, wordnets: str | None = None) -> dict[str, Perturbation]:
    """All perturbations by name; `thesaurus` or `wordnets` are for those that need synonyms."""
    from referee.perturbations.choice_baselines import hidden_perturbations
    from referee.perturbations.phrases import phrase_perturbations
    from referee.perturbations.possessive import possessive_perturbations
    from referee.perturbations.schemas import winograd_perturbations
    from referee.perturbations.synonyms import synonym_perturbation

    @cache
    def opened() -> Synonyms:
        from referee.perturbations.senses import of_thesaurus, open_wordnets
        from referee.perturbations.thesaurus import open_thesaurus

        if wordnets is not None:
            return open_wordnets(wordnets)
        if thesaurus is None:
            problem = "the perturbation 'synonym' needs a thesaurus"
            raise UsageError(problem, "give one with --thesaurus, or two wordnets with --wordnets")
        return of_thesaurus(open_thesaurus(thesaurus))

    shipped = (
        *phrase_perturbations(),
        *possessive_perturbations(),
        synonym_perturbation(opened),
        *winograd_perturbations(),
        *hidden_perturbations(),
    )
    return named((*shipped, *plugins("referee.perturbations", Perturbation)))


def choose(
    names: Iterable[str], *, paper: bool = False, thesaurus: str | None = None, wordnets: str | None = None
) -> list[Perturbation]:
    """Perturbations by name, each once; the name of a family stands for all its members.

    With `paper` they are the published forms, which not all have.
    """
    if thesaurus is not None and wordnets is not None:
        raise UsageError("--thesaurus and --wordnets exclude each other", "remove one of them")
    available = perturbations(thesaurus, wordnets)
    chosen: dict[str, Perturbation] = {}
    for name in names:
        family = [member for member in available.values() if member.name.startswith(f"{name}/")]
        for member in family or [lookup("perturbation", name, available)]:
            chosen[member.name] = _as_published(member) if paper else member
    return list(chosen.values())


def hidden_by(change: str) -> str:
    """What a baseline takes away, as in "the premise"; unknown if its plug-in is not installed."""
    perturbation = perturbations().get(change)
    return (perturbation.hides if perturbation else "") or f"what '{change}' hides"


def _as_published(perturbation: Perturbation) -> Perturbation:
    if perturbation.paper is None:
        raise UsageError(f"the perturbation '{perturbation.name}' has no published form", "remove --paper")
    return replace(perturbation, apply=perturbation.paper, apply_group=perturbation.paper_group)


@dataclass
class Tally:
    """Counts of a perturbation: items, changed items, and dropped items by reason."""

    perturbation: str
    items: int = 0
    changed: int = 0
    dropped: Counter[str] = field(default_factory=Counter)


def attacked(items: Iterable[Item], perturbation: Perturbation, tally: Tally | None = None) -> Iterator[Item]:
    """The changed items one by one, counted in `tally`."""
    return _attacked(items, [(perturbation, tally or Tally(perturbation.name))])


def perturb(
    items: Items,
    *names: str,
    paper: bool = False,
    thesaurus: str | None = None,
    wordnets: str | None = None,
    single_token: Mapping[str, Model] | None = None,
) -> ItemSet:
    """Perturb a set; items that do not fit are skipped.

    `names` are perturbations, or families such as `phrase`. `paper` gives the published form. `thesaurus` has the
    nouns for `synonym`, or `wordnets`, two WN-LMF files "source,target", for synonyms by sense. `single_token` leaves
    only groups whose candidates are single tokens for these opened masked models. Every changed item names its
    original in `origin`.

    >>> import referee
    >>> changed = referee.perturb(referee.templates("de", "gender"), "phrase/he-said")
    >>> next(iter(changed)).origin
    Origin(item='de-gender-0', change='phrase/he-said', kind='attack')
    """
    chosen = single_tokens(choose(names, paper=paper, thesaurus=thesaurus, wordnets=wordnets), single_token or {})
    perturbed, _ = perturbed_set(as_set(items), chosen)
    return perturbed


def perturbed_set(challenge: ItemSet, chosen: Sequence[Perturbation]) -> tuple[ItemSet, Callable[[], list[Tally]]]:
    """The set that perturbations make of the originals, and a function that tells the counts of its last reading.

    Items made of the same original stand next to each other.
    """
    tallies: list[Tally] = []

    def read() -> Iterator[Item]:
        tallies[:] = [Tally(perturbation.name) for perturbation in chosen]
        return _attacked(challenge, list(zip(chosen, tallies, strict=True)))

    name = "+".join((challenge.name, *(perturbation.name for perturbation in chosen)))
    origin = SetOrigin(challenge.name, chosen[0].name, chosen[0].kind) if len(chosen) == 1 else None
    return ItemSet(name, read, origin), lambda: list(tallies)


def save_perturbed(
    items: Items, chosen: Sequence[Perturbation], out: Path, progress: Progress = no_progress
) -> tuple[Fingerprint, list[Tally]]:
    """Write the set that perturbations make to a file; if nothing can be changed, that is an error and no file."""
    originals = as_set(items)
    perturbed, tallies = perturbed_set(originals, chosen)

    def some() -> Iterator[Item]:
        yield from counted(perturbed, progress)
        if not any(tally.changed for tally in tallies()):
            # Raised while the file is being written, so that none is left behind.
            raise nothing_changed(originals.name, tallies())

    return save(some(), out), tallies()


def _attacked(items: Iterable[Item], chosen: Sequence[tuple[Perturbation, Tally]]) -> Iterator[Item]:
    by_group = any(perturbation.apply_group for perturbation, _ in chosen)
    for members in _groups(items) if by_group else ([item] for item in items):
        columns = [_applied(members, perturbation) for perturbation, _ in chosen]
        for results in zip(*columns, strict=True):
            for result, (perturbation, tally) in zip(results, chosen, strict=True):
                tally.items += 1
                if isinstance(result, Dropped):
                    tally.dropped[result.reason] += 1
                else:
                    _check_origin(result, perturbation)
                    tally.changed += 1
                    yield result


def _groups(items: Iterable[Item]) -> list[list[Item]]:
    """The items by group; reads the whole set, because twins need not be neighbours."""
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(item.group_id, []).append(item)
    return list(groups.values())


def _applied(members: Sequence[Item], perturbation: Perturbation) -> Sequence[Item | Dropped]:
    try:
        if perturbation.apply_group is not None:
            return perturbation.apply_group(members)
        return [perturbation.apply(item) for item in members]
    except ValueError as error:
        name = members[0].id if len(members) == 1 else members[0].group_id
        problem = f"the perturbation '{perturbation.name}' makes an invalid item of '{name}' ({error})"
        raise InputError(problem, "remove that perturbation, and report the bug") from error


def _check_origin(item: Item, perturbation: Perturbation) -> None:
    """Refuse an item that does not name the perturbation as its origin."""
    origin = item.origin
    if origin is None or (origin.change, origin.kind) != (perturbation.name, perturbation.kind):
        expected = f"changed(item, {perturbation.name!r}, kind={perturbation.kind!r}, ...)"
        problem = f"the item '{item.id}' lacks the perturbation '{perturbation.name}' as its origin"
        raise InputError(problem, f"create the items of the plug-in with {expected}")


def nothing_changed(name: str, tallies: Sequence[Tally]) -> InputError:
    """The error for a set of which no item can be perturbed."""
    if not any(tally.items for tally in tallies):
        return InputError("has no items", "use a set with at least one item", name)
    reasons = dict.fromkeys(reason for tally in tallies for reason, _ in tally.dropped.most_common())
    return InputError(f"no item can be changed ({', '.join(reasons)})", "choose another perturbation or set", name)


__all__ = [
    "Dropped",
    "Perturbation",
    "Tally",
    "attacked",
    "changed",
    "changed_twin",
    "choose",
    "hidden_by",
    "nothing_changed",
    "perturb",
    "perturbations",
    "perturbed_set",
    "save_perturbed",
    "single_tokens",
    "together",
]
