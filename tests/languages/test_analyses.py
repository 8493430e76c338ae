"""Analyses of forms."""

from __future__ import annotations

from referee.languages.analyses import UNCLEAR, Analysis, agreed, distinct

TASSE = [Analysis("NOUN", "Fem", "Sing", case, "", "Tasse") for case in ("Nom", "Acc", "Nom")]


def test_only_what_all_analyses_say_is_agreed() -> None:
    assert agreed(TASSE) == Analysis("NOUN", "Fem", "Sing", UNCLEAR, "", "Tasse")


def test_repeated_analyses_count_once() -> None:
    assert distinct(TASSE) == tuple(TASSE[:2])
