"""Which set is a form of which."""

from __future__ import annotations

import pytest

from referee.analysis.setups import HIDDEN, hides, place
from referee.perturbations import perturbations


@pytest.mark.parametrize(
    ("suite", "dataset", "setup"),
    [
        ("wsc", "wsc", "original"),
        ("wsc+no-cands", "wsc", "no-cands"),
        ("wsc+part-sent/words", "wsc", "part-sent/words"),
        ("wsc+mask-special-word", "wsc", "zero-shot"),
        ("xcopa/it/test+no-premise", "xcopa/it/test", "no-premise"),
        ("xcopa/it/test+no-question", "xcopa/it/test", "no-question"),
        ("wsc+swap", "wsc+swap", "original"),
        ("square-one/pairs/wsc", "square-one wsc", "original"),
        ("square-one/no-cands/wsc", "square-one wsc", "no-cands"),
        ("square-one/zero-shot/wsc", "square-one wsc", "zero-shot"),
        ("square-one/pairs/wsc+part-sent", "square-one wsc", "part-sent"),
        ("square-one/new-splits/dev", "square-one/new-splits/dev", "original"),
    ],
)
def test_places(suite: str, dataset: str, setup: str) -> None:
    assert place(suite) == (dataset, setup)


def test_baselines_are_perturbations() -> None:
    assert set(HIDDEN) <= set(perturbations())
    assert all("baseline" in perturbations()[name].about for name in HIDDEN)


def test_what_is_hidden() -> None:
    assert hides("no-premise") == "the premise"
    assert hides("part-sent/words") == hides("part-sent")
    assert hides("swap") == hides("mask-special-word") == hides("zero-shot") == hides("original") == ""
