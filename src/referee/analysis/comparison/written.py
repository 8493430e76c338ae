"""What two runs wrote on the same items."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from referee.analysis.comparison.pairing import ItemPair
from referee.analysis.written_forms import WrittenForms, written_form, written_forms


class WrittenChange(msgspec.Struct, frozen=True, kw_only=True):
    """The confusion tables of two runs for one feature, on the items that both evaluated."""

    base: WrittenForms
    other: WrittenForms


def written_changes(pairs: Sequence[ItemPair]) -> list[WrittenChange]:
    """One entry per feature that the expected forms show; empty for scores."""
    base, other = (
        [form for item, verdict in verdicts if (form := written_form(item, verdict)) is not None]
        for verdicts in (
            ((pair.item, pair.base) for pair in pairs),
            ((pair.item, pair.other) for pair in pairs),
        )
    )
    return [
        WrittenChange(base=first, other=second)
        for first, second in zip(written_forms(base), written_forms(other), strict=True)
    ]
