from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from referee.annotate.pocket.atoms import atoms


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("", []),
        (" \t\n", []),
        ("l'école", [" l", "'", "école"]),
        ("10,5\u00a0km!!!", [" 10", ",", "5", " km", "!!!"]),
        ("«Да?!»", [" «", "Да", "?", "!", "»"]),
        ("e\u0301te\u0301", [" e\u0301te\u0301"]),
    ],
)
def test_a_text_falls_into_atoms(text: str, spelled: list[str]) -> None:
    assert atoms(text)[0] == spelled


@given(st.text())
def test_atoms_hold_every_character_that_is_not_white_space(text: str) -> None:
    spelled, starts, ends = atoms(text)
    assert [text[start:end] for start, end in zip(starts, ends, strict=True)] == [atom.lstrip(" ") for atom in spelled]
    assert "".join(text[start:end] for start, end in zip(starts, ends, strict=True)) == regex.sub(
        r"[\s\p{Cc}]", "", text
    )
