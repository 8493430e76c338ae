"""Perturbations: named changes of an item, each of which may give a reason why it does not fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from referee.items import ChangeKind, Item, Origin


@dataclass(frozen=True)
class Dropped:
    """The reason why an item cannot be changed. Reasons are counted, so they name a kind of item, not one item."""

    reason: str


Apply = Callable[[Item], "Item | Dropped"]
ApplyGroup = Callable[[Sequence[Item]], "Sequence[Item | Dropped]"]
"""From the members of a group to the results, one for one."""


@dataclass(frozen=True)
class Perturbation:
    """A change of items: `apply` is the corrected form, `paper` the published one, faults included.

    `kind` says what it is for, and `hides` what a baseline takes away, as in "the premise". `languages` are those of
    which it has words; `example` shows the change on a sentence. A change that depends on the whole group of an item,
    such as its twin, has `apply_group` (and `paper_group`); `apply` is then for an item that stands alone.
    """

    name: str
    about: str
    languages: tuple[str, ...]
    apply: Apply
    example: str = ""
    paper: Apply | None = None
    apply_group: ApplyGroup | None = None
    paper_group: ApplyGroup | None = None
    kind: ChangeKind = "attack"
    hides: str = ""


def changed(
    item: Item,
    name: str,
    *,
    kind: ChangeKind = "attack",
    meta: Mapping[str, Any] | None = None,
    **fields: Any,  # noqa: ANN401
) -> Item:
    """The item with other `fields`, and with the change `name` as its origin.

    It is grouped with its original: its group is the original's id.
    """
    kept = dict(item.meta if meta is None else meta)
    if item.group is not None:
        kept["original_group"] = item.group
    return _with_origin(item, Origin(item.id, name, kind), group=item.id, meta=kept, **fields)


def changed_twin(item: Item, name: str, *, kind: ChangeKind = "attack", **fields: Any) -> Item:  # noqa: ANN401
    """As `changed`, but the item stays in its group, so that it is scored together with its twin."""
    return _with_origin(item, Origin(item.id, name, kind), group=item.group_id, **fields)


def _with_origin(item: Item, origin: Origin, **fields: Any) -> Item:  # noqa: ANN401
    features = item.features | fields.pop("features", {})
    return msgspec.structs.replace(item, id=f"{item.id}+{origin.change}", features=features, origin=origin, **fields)


def together(apply: Apply) -> ApplyGroup:
    """A function that changes all members of a group, or none."""

    def apply_group(members: Sequence[Item]) -> Sequence[Item | Dropped]:
        results = [apply(item) for item in members]
        if all(isinstance(result, Item) for result in results):
            return results
        dropped = Dropped("its twin cannot be changed")
        return [result if isinstance(result, Dropped) else dropped for result in results]

    return apply_group
