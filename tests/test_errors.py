"""Errors are one sentence: place, problem, fix."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import errors
from referee.errors import InputError, RefereeError, UsageError


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (RefereeError("is wrong", "correct it"), "is wrong; correct it."),
        (RefereeError("is wrong", "correct it", Path("a.txt")), "a.txt: is wrong; correct it."),
        (RefereeError("is wrong", "correct it", "a.txt", 3), "a.txt:3: is wrong; correct it."),
        (RefereeError("is wrong", "correct it", "a.txt", 3, "gold"), "a.txt:3: field 'gold': is wrong; correct it."),
        (RefereeError("is wrong", "correct it", field="gold"), "field 'gold': is wrong; correct it."),
    ],
)
def test_the_sentence(error: RefereeError, sentence: str) -> None:
    assert str(error) == sentence


def test_an_error_is_placed_by_the_caller_who_knows_the_file() -> None:
    placed = InputError("is wrong", "correct it", field="gold").at("a.txt", 3)
    assert isinstance(placed, InputError)
    assert str(placed) == "a.txt:3: field 'gold': is wrong; correct it."
    assert placed.at("b.txt").line is None


def test_every_error_can_be_caught_and_only_misuse_has_code_two() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, RefereeError)]
    assert len(kinds) == 7
    for kind in kinds:
        with pytest.raises(RefereeError):
            raise kind("is wrong", "correct it")
        assert kind.exit_code == (2 if kind is UsageError else 1)
