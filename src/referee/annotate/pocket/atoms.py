"""Atoms: the smallest parts of a text that can be tokens. The model decides which of them belong together."""

from __future__ import annotations

import regex

ATOM = regex.compile(r"[\p{L}\p{M}]+|\p{N}+|([^\p{L}\p{M}\p{N}\p{Cc}\s])\1*")
"""A run of letters, a run of digits, or a sign, repeated or not. Control characters count as white space."""


def atoms(text: str) -> tuple[list[str], list[int], list[int]]:
    """Atoms of a text as they are spelled for the pieces (with a space where one precedes), their starts and ends.

    >>> atoms("It's 5pm...")
    ([' It', "'", 's', ' 5', 'pm', '...'], [0, 2, 3, 5, 6, 8], [2, 3, 4, 6, 8, 11])
    """
    spelled: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    last = -1
    for match in ATOM.finditer(text):
        start, end = match.span()
        spelled.append(match[0] if start == last else " " + match[0])
        starts.append(start)
        ends.append(end)
        last = end
    return spelled, starts, ends
