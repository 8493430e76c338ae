"""Russian forms by pymorphy3."""

from __future__ import annotations

import pytest

from referee.languages.analyses import Analysis, agreed
from referee.languages.ru.opencorpora import analyses

pymorphy3 = pytest.importorskip("pymorphy3", reason="pymorphy3 is not installed")


@pytest.fixture(scope="module")
def morphology() -> object:
    return pymorphy3.MorphAnalyzer(lang="ru")


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("демоном", Analysis("NOUN", "Masc", "Sing", "Ins", "Anim", "демон")),
        ("сирота", Analysis("NOUN", "*", "Sing", "Nom", "Anim", "сирота")),
        ("ёлками", Analysis("NOUN", "Fem", "Plur", "Ins", "Inan", "елка")),
        ("Анной", Analysis("PROPN", "Fem", "Sing", "Ins", "Anim", "Анна")),
        ("сделала", Analysis("VERB", "Fem", "Sing", "", "", "сделать")),
        ("которому", Analysis("PRON", "*", "Sing", "Dat", "*", "который")),
        ("красивую", Analysis("ADJ", "Fem", "Sing", "Acc", "", "красивый")),
        ("должна", Analysis("ADJ", "Fem", "Sing", "", "", "должен")),
        ("во", Analysis("ADP", "", "", "", "", "во")),
    ],
)
def test_columns_on_which_all_analyses_agree(morphology: object, form: str, expected: Analysis) -> None:
    assert agreed(analyses(morphology, form)) == expected  # type: ignore[arg-type]


def test_names_need_a_capital_and_unknown_words_have_none(morphology: object) -> None:
    assert analyses(morphology, "анной") == ()  # type: ignore[arg-type]
    assert analyses(morphology, "бурмяк") == ()  # type: ignore[arg-type]
