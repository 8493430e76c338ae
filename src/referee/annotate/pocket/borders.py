"""Tokens and sentences from the scores of borders behind atoms."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

INSIDE, TOKEN, SENTENCE = range(3)
"""Kinds of border: the token goes on, the token ends, token and sentence end."""

LONGEST = 300
"""Words of a sentence; a longer one is cut where a border is most probable."""

_SHORTEST = 100
# A forced cut leaves at least this much in front of it.
_SPACES = frozenset(" \N{NO-BREAK SPACE}\N{THIN SPACE}\N{NARROW NO-BREAK SPACE}")


class Tokens(NamedTuple):
    """Tokens as runs of atoms, and sentences as runs of tokens."""

    first: np.ndarray
    """The first atom of each token."""
    last: np.ndarray
    """The last atom of each token."""
    sentences: np.ndarray
    """The first token of each sentence."""


def tokens(text: str, starts: np.ndarray, ends: np.ndarray, lines: np.ndarray, scores: np.ndarray) -> Tokens:
    """Tokens of atoms, given by their characters, the numbers of their lines, and the scores of the three borders.

    The end of a line ends a sentence, whatever the scores say; a token can hold a space between digits only.
    """
    if not len(starts):
        nothing = np.empty(0, np.int64)
        return Tokens(nothing, nothing, nothing)
    kinds = scores.argmax(axis=1)
    for atom in np.flatnonzero((kinds[:-1] == INSIDE) & (ends[:-1] != starts[1:])).tolist():
        if not _is_within_number(text, ends[atom], starts[atom + 1]):
            kinds[atom] = TOKEN + int(scores[atom, SENTENCE] > scores[atom, TOKEN])
    kinds[-1] = SENTENCE
    kinds[:-1][lines[:-1] != lines[1:]] = SENTENCE
    last = np.flatnonzero(kinds)
    first = np.concatenate([[0], last[:-1] + 1])
    finished = np.flatnonzero(kinds[last] == SENTENCE)
    sentences = np.concatenate([[0], finished[:-1] + 1])
    gain = scores[last, SENTENCE] - scores[last, TOKEN]
    return Tokens(first, last, _cut(sentences, finished + 1, gain))


def _is_within_number(text: str, end: int, start: int) -> bool:
    """Whether there is one space between these characters, and digits on both sides."""
    return text[end:start] in _SPACES and text[end - 1].isnumeric() and text[start].isnumeric()


def _cut(sentences: np.ndarray, ends: np.ndarray, gain: np.ndarray) -> np.ndarray:
    """Cut long sentences behind the tokens with the highest `gain`."""
    long = np.flatnonzero(ends - sentences > LONGEST)
    if not len(long):
        return sentences
    further: list[int] = []
    for start, end in zip(sentences[long].tolist(), ends[long].tolist(), strict=True):
        while end - start > LONGEST:
            window = gain[start + _SHORTEST - 1 : min(start + LONGEST, end - 1)]
            start += _SHORTEST + int(window.argmax())
            further.append(start)
    return np.sort(np.concatenate([sentences, np.array(further, np.int64)]))
