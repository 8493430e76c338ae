"""Compact lexicons: writing, reading, looking forms up."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from referee.errors import InputError
from referee.languages import languages
from referee.languages.analyses import Analysis
from referee.languages.lexicon import Paradigm, encode_lexicon, encode_tag, lexicon_file, read_lexicon

SINGULAR = Analysis("NOUN", "Masc", "Sing", "Nom", "Inan")
PLURAL = Analysis("NOUN", "Masc", "Plur", "Gen", "Inan")
ADJECTIVE = Analysis("ADJ", "Fem", "*", "", "")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    paradigms = [
        Paradigm(0, "", {"": (0,), "ów": (1,)}),
        Paradigm(3, "y", {"szej": (2,)}),
        Paradigm(4, "człowiek", {"": (1,)}),
    ]
    content = encode_lexicon(
        {"language": "pl"},
        [encode_tag(tag) for tag in (SINGULAR, PLURAL, ADJECTIVE)],
        [paradigm.encode() for paradigm in paradigms],
        [((0,), ["dom", "stół"]), ((1,), ["najmił"]), ((0, 2), ["ludz"])],
    )
    path = tmp_path / "lexicon.xz"
    path.write_bytes(content)
    return path


def test_a_form_is_a_stem_with_an_ending(path: Path) -> None:
    lexicon = read_lexicon(path)
    assert lexicon.about == {"language": "pl"}
    assert lexicon.analyses("dom") == (SINGULAR._replace(lemma="dom"),)
    assert lexicon.analyses("stołów") == ()
    assert lexicon.analyses("stółów") == (PLURAL._replace(lemma="stół"),)
    assert lexicon.analyses("") == lexicon.analyses("domek") == ()


def test_a_lemma_may_lack_the_start_of_the_form_or_be_another_word(path: Path) -> None:
    lexicon = read_lexicon(path)
    assert lexicon.analyses("najmiłszej") == (ADJECTIVE._replace(lemma="miły"),)
    assert lexicon.analyses("ludz") == (SINGULAR._replace(lemma="ludz"), PLURAL._replace(lemma="człowiek"))


@pytest.mark.parametrize("content", [b"", b"no xz", lzma.compress(b"{}"), lzma.compress(b"{}\n\na\n\nb\n\nc")])
def test_a_damaged_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "lexicon.xz"
    path.write_bytes(content)
    with pytest.raises(InputError, match="is not a lexicon") as error:
        read_lexicon(path)
    assert error.value.file == path


def test_lexicons_are_in_the_folders_of_their_languages() -> None:
    assert lexicon_file("pl").parts[-3:] == ("languages", "pl", "lexicon.xz")


SHIPPED = {
    "de": ("Häusern", "Haus", "Neut", "Plur"),
    "es": ("casas", "*", "Fem", "Plur"),
    "fr": ("chevaux", "cheval", "Masc", "Plur"),
    "it": ("case", "*", "Fem", "Plur"),
    "pl": ("kobietami", "kobieta", "Fem", "Plur"),
    "pt": ("mão", "*", "Fem", "Sing"),
    "ru": ("демоном", "демон", "Masc", "Sing"),
}


@pytest.mark.parametrize("code", languages("lexicon.xz"))
def test_shipped_lexicons_are_small_name_their_sources_and_know_words(code: str) -> None:
    path = lexicon_file(code)
    assert path.stat().st_size <= 1_000_000
    lexicon = read_lexicon(path)
    assert lexicon.about["language"] == code
    assert all(source["source"] and source["licence"] for source in lexicon.about["sources"])
    form, *expected = SHIPPED[code]
    found = {(analysis.lemma, analysis.gender, analysis.number) for analysis in lexicon.analyses(form)}
    assert tuple(expected) in found
