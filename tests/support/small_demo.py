"""The demo at a size for tests: a few groups of each template, drawn once for all tests."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from referee.demo.plan import Sample
from referee.items import Item

SHARE = 0.05


@cache
def _drawn(sample: Sample, share: float) -> tuple[Item, ...]:
    return tuple(_items(sample, share))


_items = Sample.items


def _kept(sample: Sample, share: float) -> Iterator[Item]:
    return iter(_drawn(sample, share))


def remember_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets every demo in this process draw its items from memory; what is drawn stays the same."""
    monkeypatch.setattr(Sample, "items", _kept)
