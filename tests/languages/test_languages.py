"""Every language folder is whole: it holds files that are known, and each of them can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.errors import InputError
from referee.languages import Language, base, language, languages, read_language
from referee.languages.schema import Attacks, Connectives, Contractions, Pronouns

FILES = {
    "language.toml", "pronouns.toml", "contractions.toml", "attacks.toml", "connectives.toml", "templates.toml",
    "forms.toml", "paper.toml", "words", "grammar.py", "nouns.py", "__init__.py", "lexicon.xz", "noun_forms.py",
    "compounds.py", "sgjp.py", "opencorpora.py", "nouns.tsv.gz", "names.tsv.gz", "animacy.py", "LICENSE.words",
}  # fmt: skip


@pytest.mark.parametrize(
    ("code", "expected"), [("de", "de"), ("de-AT", "de"), ("zh-Hant-TW", "zh"), ("pt_BR", "pt"), ("DE", "de"), ("", "")]
)
def test_base(code: str, expected: str) -> None:
    assert base(code) == expected


def test_a_region_has_what_its_language_has() -> None:
    assert language("de-AT") is language("de")
    assert (language("de-AT").name, language("de-AT").code) == ("German", "de")


def test_a_language_without_a_folder_is_empty() -> None:
    assert language("xx") == Language(name="", code="xx")
    assert language("xx").contractions == Contractions()
    assert language("../de").folder == ""
    assert (language("xx").pronouns, language("xx").attacks, language("xx").connectives) == (None, None, None)


def test_languages_are_those_with_a_file() -> None:
    assert {"de", "en", "nl", "ru", "zh"} <= set(languages())
    assert "en" in languages("attacks.toml") and "en" not in languages("templates.toml")
    assert languages("no-such-file") == ()
    assert list(languages()) == sorted(languages())


@pytest.mark.parametrize("code", languages())
def test_a_folder_is_whole(code: str) -> None:
    known = language(code)
    folder = Path(known.folder)
    assert known.code == folder.name == code
    assert known.name[0].isupper() and len(known.iso3) == 3 and len(known.script) == 4
    assert {path.name for path in folder.iterdir() if path.name != "__pycache__"} <= FILES
    tables = (
        ("pronouns.toml", known.pronouns, Pronouns),
        ("attacks.toml", known.attacks, Attacks),
        ("connectives.toml", known.connectives, Connectives),
    )
    for file, table, kind in tables:
        assert isinstance(table, kind) is (folder / file).is_file()
    assert bool(known.contractions.changes) is (folder / "contractions.toml").is_file()
    if (folder / "templates.toml").is_file():
        assert len(known.genders) >= 2
        assert known.forms("it") or all(known.forms("it", case) for case in known.words["it"])


def test_forms_by_gender_and_case() -> None:
    assert language("fr").forms("def") == {"m": "le", "f": "la"}
    assert language("de").forms("def", "dat") == {"m": "dem", "f": "der", "n": "dem"}
    assert language("de").forms("def") is None
    assert language("de").forms("def", "voc") is None
    assert language("fr").forms("nothing") is None


GERMAN = 'name = "German"\ncode = "de"\ngenders = ["m", "f"]\n'


@pytest.mark.parametrize(
    ("file", "content", "told"),
    [
        ("language.toml", GERMAN + "nmae = 1\n", ["language.toml:4", "'nmae'", "not a known field"]),
        ("language.toml", GERMAN + "folder = 'x'\n", ["language.toml:4", "'folder'", "Use one of name, code, iso3"]),
        ("language.toml", 'code = "de"\n', ["language.toml", "'name'", "is missing"]),
        ("language.toml", GERMAN + "iso3 = 3\n", ["language.toml:4", "'iso3'", "expected str, got int"]),
        ("language.toml", GERMAN.replace('"f"', '"m"'), ["language.toml:3", "'genders'", "genders, each once"]),
        ("language.toml", GERMAN + '[words.it]\nx = "er"\n', ["language.toml:4", "'x' of 'it'"]),
        ("pronouns.toml", "m = ['er']\nf = 'sie'\n", ["pronouns.toml:2", "'f'"]),
        ("pronouns.toml", "femi = ['sie']\n", ["pronouns.toml:1", "'femi'"]),
        ("contractions.toml", "before = 'a'\nuncertain = 'h'\n", ["contractions.toml:2", "'uncertain'"]),
        ("connectives.toml", "articles = ['le']\n", ["connectives.toml", "'conjunctions'", "is missing"]),
        ("attacks.toml", "quotes = ['«']\n", ["attacks.toml:1", "'quotes'"]),
        ("attacks.toml", "x =\ny = 1\n", ["attacks.toml:1", "not valid TOML"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(tmp_path: Path, file: str, content: str, told: list[str]) -> None:
    (tmp_path / "language.toml").write_text(GERMAN, encoding="utf-8")
    (tmp_path / file).write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as error:
        getattr(read_language(tmp_path), file.removesuffix(".toml"))
    for words in told:
        assert words in str(error.value)
