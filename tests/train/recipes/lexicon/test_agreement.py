"""Genders of nouns from the words before them."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from referee.train.recipes.lexicon.agreement import counted_words


@pytest.mark.parametrize(
    ("language", "lines", "expected"),
    [
        ("es", ["la mesa", "una mesa", "esta mesa"], {"mesa": ("Fem", "Sing"), "mesas": ("Fem", "Plur")}),
        ("es", ["los peces"] * 3, {"peces": ("Masc", "Plur")}),
        ("es", ["la crisis"] * 3, {"crisis": ("Fem", "*")}),
        ("es", ["el agua"] * 9 + ["las aguas"] * 3, {"aguas": ("Fem", "Plur")}),
        ("es", ["la radio", "el radio", "la radio"], {}),
        ("es", ["la mesa"] * 2, {}),
        ("it", ["un'opera"] * 3, {"opera": ("Fem", "Sing"), "opere": ("Fem", "Plur")}),
        ("it", ["l'uso"] * 5, {}),
        ("it", ["la città"] * 3, {"città": ("Fem", "*")}),
        ("it", ["il libro"] * 3, {"libro": ("Masc", "Sing"), "libri": ("Masc", "Plur")}),
        ("pt", ["o copo", "no copo", "um copo"], {"copo": ("Masc", "Sing")}),
    ],
)
def test_words_before_a_noun_tell_its_gender(
    tmp_path: Path, language: str, lines: list[str], expected: dict[str, tuple[str, str]]
) -> None:
    path = tmp_path / "text.jsonl.xz"
    with lzma.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(["train", language, "", line]) + "\n" for line in lines)
    forms = (form for word in counted_words(path, language) for form in word.forms)
    assert {form: (tag.gender, tag.number) for form, tag in forms} == expected
