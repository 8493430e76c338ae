"""A small part of a set: whole groups, drawn evenly from every combination of genders, or any items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

import numpy as np

from referee.items import Item


def drawn(items: Iterable[Item], groups: int, seed: str) -> list[Item]:
    """The items of N groups, in the order of the set; the same seed draws the same ones."""
    members: dict[str, list[Item]] = {}
    for item in items:
        members.setdefault(item.group_id, []).append(item)
    piles: dict[str, list[str]] = {}
    for group, grouped in members.items():
        piles.setdefault(_kind(grouped), []).append(group)
    draw = Random(seed)  # noqa: S311 no secret
    waiting = [piles[kind] for kind in sorted(piles)]
    for pile in waiting:
        draw.shuffle(pile)
    # Where the piles do not divide the number, no kind is always the one that gets more.
    draw.shuffle(waiting)
    chosen: set[str] = set()
    while len(chosen) < groups and any(waiting):
        for pile in waiting:
            if pile and len(chosen) < groups:
                chosen.add(pile.pop())
    return [item for group, grouped in members.items() if group in chosen for item in grouped]


def keep_some(items: Iterable[Item], size: int, seed: int, kept: list[Item]) -> Iterator[Item]:
    """Pass items on; afterwards `kept` holds `size` of them, each drawn with the same chance."""
    draws = np.random.default_rng(seed)
    for number, item in enumerate(items):
        if number < size:
            kept.append(item)
        elif size and (index := int(draws.integers(number + 1))) < size:
            kept[index] = item
        yield item


def _kind(members: Iterable[Item]) -> str:
    """What a sample should have as much of as of any other: the genders of the nouns, and which is right."""
    return "+".join(sorted({f"{item.features.get('genders', '')}>{item.feature('gender') or ''}" for item in members}))
