"""The names of values, suites and kinds of evaluation."""

from __future__ import annotations

import pytest

from referee.reports import wording


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


def test_values_have_names() -> None:
    assert wording.name_of("gender", "f") == "feminine"
    assert wording.name_of("colour", "f") == "f"
