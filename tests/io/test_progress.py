"""How long work tells how far it is."""

from __future__ import annotations

from referee.io.progress import counted, no_bars, no_progress


def test_an_item_counts_when_the_next_is_asked_for() -> None:
    told: list[tuple[int, int | None]] = []
    passing = counted("ab", lambda done, total: told.append((done, total)), 2)
    assert (next(passing), told) == ("a", [])
    assert (next(passing), told) == ("b", [(1, 2)])
    assert (list(passing), told) == ([], [(1, 2), (2, 2)])


def test_nobody_looking() -> None:
    assert list(counted("ab", no_progress)) == ["a", "b"]
    with no_bars("any step") as progress:
        progress(1, None)
