"""Texts with slots: forms that agree, marks that never show, and slots that cannot be filled."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.build.templates.slots import english, target
from referee.build.templates.wordlists import WordEntry, WordList
from referee.errors import InputError, RefereeError, UnknownNameError
from referee.languages import Language
from tests.support.language_folder import ANIMALS, LANGUAGE, TEMPLATES, WriteFolder, items_of


@pytest.mark.parametrize(
    ("word", "own", "article"),
    [("dog", "", "a"), ("egg", "", "an"), ("hour", "", "an"), ("unicorn", "", "a"), ("umbrella", "", "an"),
     ("eucalyptus", "", "a"), ("ukulele", "", "a"), ("onion", "", "an"), ("union", "an", "an")],
)  # fmt: skip
def test_a_and_an(word: str, own: str, article: str) -> None:
    filling = {"n": WordEntry(word, {"word": "x"} | ({"en.an": own} if own else {}), "m")}
    text = english("I saw {an:n} {n}.", _sets(filling), (), pronoun=False)
    assert text.fill(filling)[0] == f"I saw {article} {word}."


def _sets(filling: dict[str, WordEntry]) -> dict[str, WordList]:
    return {slot: WordList(slot, ("en", "word", *word.forms), (word,)) for slot, word in filling.items()}


WORDS = st.text(st.characters(categories=["Ll", "Lu"]), min_size=1, max_size=8)


@pytest.fixture(scope="session")
def contracting(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder with contractions and nothing else."""
    path = tmp_path_factory.mktemp("contracting")
    (path / "contractions.toml").write_text('contract = [["de le", "du"]]\n', encoding="utf-8")
    return str(path)


@given(noun=WORDS, other=WORDS, article=WORDS | st.just("le"))
def test_marks_never_show_and_places_are_right(noun: str, other: str, article: str, contracting: str) -> None:
    tables = {"def": {"m": article, "f": article}}
    language = Language("x", "xx", genders=("m", "f"), words=tables, folder=contracting)
    filling = {"a": WordEntry("one", {"word": noun}, "m"), "b": WordEntry("two", {"word": other}, "f")}
    text, places = target("de {def:a} {a}, {b} et {a}", language, _sets(filling), ("a", "b")).fill(filling)
    assert text.isprintable()
    start = {place.slot: text[place.start : place.end] for place in places}
    assert start["a"].endswith(noun)
    assert start["b"] == other


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"animal": "en\tword\tgender\ndog\tchien\t\n"}, ["'dog' in slot 'a' has no gender"]),
        ({"size": "en\tm\nsmall\tpetit\n"}, ["'pair'", "'size'", "'f'", "en, m"]),
        ({"size": "en\tm\tf\nsmall\tpetit\t\n"}, ["'small'", "'f'"]),
        ({"templates": TEMPLATES.replace("{a} et", "{a.akk} et")}, ["'pair'", "'a'", "'akk'", "en, word, gender, pl"]),
        ({"templates": TEMPLATES.replace("{size.more}", "{size.mor}")}, ["'dropped'", "'en.mor'", "en.more"]),
        ({"templates": TEMPLATES.replace("{size:it}", "{size.ins:it}")}, ["'pair'", "'ins.m'", "en, m, f"]),
        ({"animal": ANIMALS + "scissors\tciseaux\tpl\n"}, ["'pair'", "'scissors'", "no singular", "'animal'"]),
        ({"size": "en\tm\tf\tgender\nscissors\tx\ty\tpl\n",
          "templates": TEMPLATES.replace("de {def:a} {a} et", "{def:size} et")}, ["'def'", "'scissors'", "pl"]),
        ({"templates": TEMPLATES.replace('size = "size" }\ndiffer', 'size = "sise" }\ndiffer')}, ["/sise.tsv", "size"]),
        ({"templates": TEMPLATES.replace("{def:a} {a} et", "{deff:a} {a} et")}, ["{deff:a}", "def"]),
        ({"templates": TEMPLATES.replace("{b}.", "{c}.")}, ["{c}", "a, b, size"]),
        ({"templates": TEMPLATES.replace("{a} and", "{a and")}, ["brace"]),
        ({"language": LANGUAGE.replace('m = "il", f = "elle"', 'm = "il"')}, ["'it'"]),
        ({"language": LANGUAGE.replace('m = "il", f = "elle"', 'm = "il", pl = "ils"')}, ["'it'"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(folder: WriteFolder, changed: dict[str, str], told: list[str]) -> None:
    with pytest.raises(RefereeError) as error:
        items_of(folder(**changed))
    assert isinstance(error.value, InputError | UnknownNameError)
    for words in told:
        assert words in str(error.value)
