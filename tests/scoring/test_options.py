"""Options as a user gives them."""

from __future__ import annotations

from typing import Any

import pytest

from referee.errors import UsageError
from referee.scoring.options import ScoringOptions, scoring_options


def test_defaults() -> None:
    assert scoring_options() == ScoringOptions()
    assert ScoringOptions().settings() == {
        "how": "auto",
        "norm": "ppl",
        "part": "whole",
        "context": "0",
        "separator": " ",
        "too_long": "refuse",
    }


def test_settings_name_every_option() -> None:
    chosen = {"how": "both", "norm": "char", "part": "mask", "context": 3, "separator": "|", "too_long": "drop"}
    options = scoring_options(**chosen)
    assert options.settings() == {name: str(value) for name, value in chosen.items()}
    assert vars(options) == chosen


@pytest.mark.parametrize(
    ("option", "value", "remedy"),
    [
        ("how", "scores", "Choose auto, contrastive, generative or both"),
        ("norm", "mean", "Choose ppl, sum or char"),
        ("part", "half", "Choose whole, partial or mask"),
        ("too_long", "cut", "Choose refuse or drop"),
        ("context", "many", "Use a whole number"),
    ],
)
def test_a_wrong_value_is_answered_with_the_right_ones(option: str, value: Any, remedy: str) -> None:
    with pytest.raises(UsageError) as error:
        scoring_options(**{option: value})
    assert str(error.value).startswith(f"--{option.replace('_', '-')}: '{value}' is not a valid ")
    assert remedy in str(error.value)
