"""What statistics read: the items of a set with what was said about each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.items import Item, SetOrigin
from referee.verdicts import Kind, Verdict


@dataclass(frozen=True)
class Judged:
    """One set, judged in one way: items and verdicts, one for one; `origin` names the set it was made of."""

    suite: str
    kind: Kind
    items: Sequence[Item]
    verdicts: Sequence[Verdict]
    origin: SetOrigin | None = None

    def __iter__(self) -> Iterator[tuple[Item, Verdict]]:
        return zip(self.items, self.verdicts, strict=True)

    def __len__(self) -> int:
        return len(self.items)
