"""The names of values, suites and kinds of evaluation."""

from __future__ import annotations

import pytest

from referee.reports import wording
from referee.reports.wording import vocabulary as words
from referee.stats.levels import Against


@pytest.mark.parametrize(
    ("kind", "rule", "name"),
    [
        (None, None, "s"),
        ("contrastive", None, "s (scores)"),
        ("generative", "paper", "s (generation, rule paper)"),
        (None, "token", "s (rule token)"),
    ],
)
def test_suites_are_named_by_how_they_were_evaluated(kind: str | None, rule: str | None, name: str) -> None:
    assert wording.suite_name("s", kind, rule) == name  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("more_groups", "needs"),
    [
        (1, "needs about 1 more group"),
        (2, "needs about 2 more groups"),
        (14_000, "needs about 14,000 more groups"),
        (None, "more groups at these rates would not decide"),
    ],
)
def test_what_is_inconclusive_says_what_would_decide(more_groups: int | None, needs: str) -> None:
    assert words.inconclusive(more_groups) == f"inconclusive ({needs})"
    assert words.inconclusive_against_chance(more_groups) == f"inconclusive against chance ({needs})"
    assert words.against_chance(0.5, Against("inconclusive", more_groups)) == (
        f"inconclusive against chance (50.0%; {needs})"
    )


def test_values_have_names() -> None:
    assert wording.name_of("gender", "f") == "feminine"
    assert wording.name_of("colour", "f") == "f"
