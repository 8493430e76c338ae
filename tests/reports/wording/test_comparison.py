"""Comparisons of runs, and the one sentence that says each."""

from __future__ import annotations

from math import ceil, log

import msgspec
import pytest
from scipy.stats import norm

from referee.analysis.comparison.pairing import Unpaired
from referee.reports import wording
from referee.runs.store import Inputs, RunInfo, SuiteInput
from referee.stats.paired import MacroDifference, PairedDifference

change = msgspec.structs.replace


def needs(groups: int, half_width: float, distance: float) -> str:
    """The rule of thumb of the note: K (h / d)² groups in all."""
    more = max(1, ceil(groups * (half_width / distance) ** 2) - groups)
    return f"needs about {more:,} more group{'' if more == 1 else 's'}"


def unchanged(half_width: float, groups: int) -> int:
    """Where nothing varies the end is the n-th root of its tail, so logarithms are in proportion to groups."""
    return ceil(groups * log(1 - half_width) / log(1 - 0.05)) - groups


LINE = PairedDifference(
    items=400,
    groups=200,
    base=0.75,
    other=0.782,
    difference=0.032,
    interval=(0.01, 0.054),
    both_right=290,
    only_base=10,
    only_other=23,
    both_wrong=77,
    p=0.0012,
    mcnemar=0.0351,
    cohen_g=0.197,
    odds_ratio=2.3,
    cohen_h=0.076,
    detectable=0.0411,
    holm=0.0024,
)
MEAN = MacroDifference(suites=2, groups=9, base=0.5, other=0.5, difference=0.0, interval=(-0.1, 0.1), p=1.0)
DIFFERENCES = [
    (LINE, "B is better by 3.2 pp (95% CI 1.0 to 5.4)."),
    (
        change(LINE, difference=-0.032, interval=(-0.054, -0.01), holm=None),
        "A is better by 3.2 pp (95% CI 1.0 to 5.4).",
    ),
    (
        change(LINE, holm=0.06),
        # Corrected by a factor of 50, p must reach 0.001 before it.
        f"Inconclusive ({needs(200, norm.isf(0.0005), norm.isf(0.0006))}) (p = 0.0012 before correction): "
        "differences over 5.4 pp are ruled out; minimum detectable difference 4.1 pp.",
    ),
    (
        change(LINE, difference=0.01, interval=(-0.02, 0.06), p=0.3, holm=0.6),
        f"Inconclusive ({needs(200, 0.05, 0.04)}): differences over 6.0 pp are ruled out; "
        "minimum detectable difference 4.1 pp.",
    ),
    # A difference is ruled out in both directions: by the end that is further from zero.
    (
        change(LINE, difference=-0.01, interval=(-0.07, 0.02), p=0.3, holm=0.6),
        f"Inconclusive ({needs(200, 0.06, 0.04)}): differences over 7.0 pp are ruled out; "
        "minimum detectable difference 4.1 pp.",
    ),
    (
        change(LINE, difference=0.0, interval=(-0.04, 0.04), p=1.0, holm=1.0),
        "Equal within 5.0 pp: larger differences are ruled out.",
    ),
    (
        change(LINE, difference=0.0, interval=(-0.018, 0.018), p=1.0, holm=1.0, only_base=0, only_other=0),
        "Equal within 5.0 pp: the same items are correct in both; larger differences are ruled out.",
    ),
    # The same items are not the same model: how much may still differ is said.
    (
        change(LINE, groups=50, difference=0.0, interval=(-0.07, 0.07), p=1.0, holm=1.0, only_base=0, only_other=0),
        f"Inconclusive (needs about {unchanged(0.07, 50)} more groups): the same items are correct in both; "
        "differences over 7.0 pp are ruled out; minimum detectable difference 4.1 pp.",
    ),
    (
        change(LINE, groups=9, difference=0.0, interval=(-0.3, 0.3), p=1.0, holm=1.0, detectable=None),
        f"Inconclusive ({needs(9, 0.3, 0.05)}): differences over 30.0 pp are ruled out; "
        "too few groups to show any but the grossest difference.",
    ),
    (MEAN, f"Inconclusive ({needs(9, 0.1, 0.05)}): differences over 10.0 pp are ruled out."),
]


@pytest.mark.parametrize(("line", "sentence"), DIFFERENCES)
def test_difference(line: PairedDifference | MacroDifference, sentence: str) -> None:
    assert wording.difference_verdict(line, "A", "B") == sentence


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (LINE, "400 items (200 groups): minimum detectable difference (80% power) 4.1 pp."),
        (change(LINE, items=1400, groups=1400), "1,400 items: minimum detectable difference (80% power) 4.1 pp."),
        (
            change(LINE, items=4, groups=2, detectable=None),
            "4 items (2 groups): too few groups to show any but the grossest difference.",
        ),
    ],
)
def test_what_these_items_can_show(line: PairedDifference, sentence: str) -> None:
    assert wording.detectable_sentence(line) == sentence


def test_what_was_not_compared() -> None:
    unpaired = Unpaired(other_content=1, only_base=2, only_other=3, not_judged=4)
    assert wording.unpaired_sentence("x", unpaired, "A", "B") == (
        "Not compared of x: 1 with other content, 2 only in A, 3 only in B, 4 not evaluated by both."
    )
    assert wording.unpaired_sentence("x", Unpaired(), "A", "B") == ""
    torn = Unpaired(not_judged=2, incomplete_groups=1)
    assert wording.unpaired_sentence("x", torn, "A", "B") == (
        "Not compared of x: 2 not evaluated by both. Left out of its group score: 1 group with such an item."
    )


def info(model: str = "hf:a", digest: str = "1", content: str = "a" * 64, **settings: str) -> RunInfo:
    return RunInfo(
        status="done",
        inputs=Inputs(model, digest * 64, settings, [SuiteInput("x", 4, content), SuiteInput("y", 2, "c" * 64)]),
        seed=1,
        resamples=1,
        signature="",
        command=[],
        versions={},
        started="",
    )


def test_conditions() -> None:
    assert wording.conditions(info(norm="ppl"), info("hf:renamed", norm="ppl")) == []
    base = info(norm="ppl", separator=" ", part="whole")
    other = info("hf:b", "2", "b" * 64, norm="sum", separator="|", part="whole", beam="4")
    assert wording.conditions(base, other) == [
        "model differs (hf:a, hf:b)",
        "beam differs (not set, 4)",
        "norm differs (ppl, sum)",
        "separator differs (' ', |)",
        "content of x differs (4 items #aaaaaaaa, 4 items #bbbbbbbb)",
    ]
