"""What a perturbation is: a named change of an item, or the reason why it does not fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from referee.items import ChangeKind, Item, Origin


@dataclass(frozen=True)
class Dropped:
    """Why an item cannot be changed. Reasons are counted, so they name a kind of item, not one item."""

    reason: str


Apply = Callable[[Item], "Item | Dropped"]
ApplyGroup = Callable[[Sequence[Item]], "Sequence[Item | Dropped]"]
"""What becomes of the members of a group, one for one."""


@dataclass(frozen=True)
class Perturbation:
    """`apply` changes an item; `paper`, where there is one, does it as published, faults included.

    `kind` says what it is for, and `hides` what a baseline takes away, as in "the premise". `languages` are those of
    which it has words; `example` shows the change on a sentence. Where a change depends on the
    whole group of an item, such as its twin, `apply_group` (and `paper_group`) is used instead; `apply` is then for an
    item that stands alone.
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
    """Changes all members of a group, or none."""

    def apply_group(members: Sequence[Item]) -> Sequence[Item | Dropped]:
        made = [apply(item) for item in members]
        if all(isinstance(each, Item) for each in made):
            return made
        return [each if isinstance(each, Dropped) else Dropped("its twin cannot be changed") for each in made]

    return apply_group
