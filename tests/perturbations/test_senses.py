"""Synonyms by sense, with two small wordnets of our own."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from referee.errors import InputError, MissingError, UsageError
from referee.items import Candidate, Item, Span
from referee.languages.de.nouns import read_nouns
from referee.perturbations import choose
from referee.perturbations.base import Dropped
from referee.perturbations.senses import of_thesaurus, open_wordnets
from referee.perturbations.synonyms import replaced
from tests.support.items import item
from tests.support.nouns_table import write_nouns

pytest.importorskip("wn")

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
  <Lexicon id="{0}" label="{0}" language="{0}" email="a@example.org" license="CC0" version="1">
"""
_TAIL = "  </Lexicon>\n</LexicalResource>\n"


def lexicon(code: str, words: dict[str, list[str]], numbers: dict[str, str], pos: str = "n") -> str:
    """A lexicon: the synsets of each word, the most frequent first, and the ILI number of each synset."""
    entries = "".join(
        f'<LexicalEntry id="{code}-e{index}"><Lemma writtenForm="{word}" partOfSpeech="{pos}"/>'
        + "".join(f'<Sense id="{code}-s{index}-{n}" synset="{code}-{synset}"/>' for n, synset in enumerate(synsets))
        + "</LexicalEntry>\n"
        for index, (word, synsets) in enumerate(words.items())
    )
    synsets = "".join(
        f'<Synset id="{code}-{name}" ili="{number}" partOfSpeech="{pos}"/>\n' for name, number in numbers.items()
    )
    return _HEAD.format(code) + entries + synsets + _TAIL


ENGLISH = lexicon(
    "en",
    {
        "cup": ["vessel", "trophy"],
        "ice cream": ["dessert"],
        "cream": ["fat"],
        "berry": ["fruit"],
        "lamp": ["light"],
        "idea": ["thought"],
    },
    {"vessel": "i1", "trophy": "i2", "dessert": "i3", "fat": "i4", "fruit": "i5", "light": "i6", "thought": ""},
)
GERMAN = lexicon(
    "de",
    {"Becher": ["a", "b"], "Tasse": ["a"], "Pokal": ["b"], "Eis": ["c"], "Beere": ["d"]},
    {"a": "i1", "b": "i2", "c": "i3", "d": "i5"},
)


@pytest.fixture
def files(tmp_path: Path) -> str:
    (tmp_path / "en.xml.gz").write_bytes(gzip.compress(ENGLISH.encode()))
    (tmp_path / "de.xml").write_text(GERMAN, encoding="utf-8")
    return f"{tmp_path / 'en.xml.gz'},{tmp_path / 'de.xml'}"


def asked(phrase: str, **changes: Any) -> Item:
    fields: dict[str, Any] = {
        "source_context": (f"See {phrase}.",),
        "target_context": ("Nimm den Becher.",),
        "spans": (Span("antecedent", "source_context", 4, 4 + len(phrase)),),
    }
    return item(**(fields | changes))


@pytest.mark.parametrize(
    ("phrase", "noun", "expected"),
    [
        ("the cup", "Becher", ["Tasse"]),
        ("The Cup", "Tasse", ["Becher"]),
        ("two cups", "Becher", ["Tasse"]),
        ("the old cup", "Becher", ["Tasse"]),
        ("the ice cream", "Sahne", ["Eis"]),
        ("some berries", "Beere", []),
        ("the lamp", "Lampe", "the sense of the antecedent is not in the target wordnet"),
        ("the idea", "Idee", "the sense of the antecedent has no number in the interlingual index"),
        ("the dog", "Hund", "the antecedent is not in the source wordnet"),
    ],
)
def test_the_first_sense_decides(files: str, phrase: str, noun: str, expected: list[str] | str) -> None:
    found = open_wordnets(files)(asked(phrase), noun)
    assert (found.reason if isinstance(found, Dropped) else found) == expected


def test_the_record_names_the_head(files: str) -> None:
    one = asked("the thing", meta={"record": {"src ante head lemma": "cup"}})
    assert open_wordnets(files)(one, "Becher") == ["Tasse"]


def test_ranks_of_senses_go_before_their_order(tmp_path: Path) -> None:
    ranked = (
        ENGLISH.replace("WN-LMF-1.1.dtd", "WN-LMF-1.4.dtd")
        .replace('synset="en-vessel"/>', 'synset="en-vessel" n="2"/>')
        .replace('synset="en-trophy"/>', 'synset="en-trophy" n="1"/>')
    )
    (tmp_path / "en.xml").write_text(ranked, encoding="utf-8")
    (tmp_path / "de.xml").write_text(GERMAN, encoding="utf-8")
    synonyms = open_wordnets(f"{tmp_path / 'en.xml'},{tmp_path / 'de.xml'}")
    assert synonyms(asked("the cup"), "Becher") == ["Pokal"]


def test_determiner_noun_and_gold_change_as_with_a_thesaurus(files: str, tmp_path: Path) -> None:
    nouns = read_nouns(write_nouns(tmp_path / "nouns.csv"))
    pronouns = {"m": "Er", "f": "Sie", "n": "Es"}
    one = asked(
        "the cup",
        candidates=tuple(Candidate(f"{word} fiel.", {"gender": gender}) for gender, word in pronouns.items()),
        gold=0,
        spans=(Span("antecedent", "source_context", 4, 11), Span("antecedent", "target_context", 5, 15)),
    )
    by_sense = replaced(one, open_wordnets(files), nouns)
    assert isinstance(by_sense, Item)
    assert (by_sense.target_context, by_sense.gold) == (("Nimm die Tasse.",), 1)
    by_word = replaced(one, of_thesaurus(lambda noun: ["Tasse"] if noun == "Becher" else []), nouns)
    assert by_word == by_sense


def test_nothing_is_written_to_the_home_of_the_user(
    files: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    open_wordnets(files)
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("names", ["", "en.xml", "a,b,c", ",de.xml"])
def test_two_files_are_needed(names: str) -> None:
    with pytest.raises(UsageError, match="does not name two files"):
        open_wordnets(names)


def test_both_sources_at_once_are_refused() -> None:
    with pytest.raises(UsageError, match="exclude each other"):
        choose(["synonym"], thesaurus="a.dat", wordnets="a.xml,b.xml")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"cup\tTasse\n",
        b"<a/>",
        b"\x1f\x8b\x08\x00damaged",
        gzip.compress(ENGLISH.encode(), mtime=0)[:-200],
        ENGLISH.encode()[:-200],
        gzip.compress(b"no xml", mtime=0),
        b"\xff\xfe\x00",
    ],
)
def test_what_is_not_a_wordnet_is_refused(files: str, tmp_path: Path, content: bytes) -> None:
    bad = tmp_path / "bad.xml"
    bad.write_bytes(content)
    for names in (f"{bad},{files.split(',')[1]}", f"{files.split(',')[0]},{bad}"):
        with pytest.raises(InputError, match=r"bad\.xml: is not a valid WN-LMF lexicon"):
            open_wordnets(names)


def test_a_wordnet_without_numbers_or_nouns_is_refused(files: str, tmp_path: Path) -> None:
    bare = tmp_path / "bare.xml"
    bare.write_text(lexicon("de", {"Tasse": ["a"]}, {"a": ""}), encoding="utf-8")
    with pytest.raises(InputError, match="has no nouns with an interlingual index"):
        open_wordnets(f"{files.split(',')[0]},{bare}")
    bare.write_text(lexicon("en", {"run": ["a"]}, {"a": "i9"}, pos="v"), encoding="utf-8")
    with pytest.raises(InputError, match="has no nouns with an interlingual index"):
        open_wordnets(f"{bare},{files.split(',')[1]}")


def test_a_missing_file_is_named(files: str, tmp_path: Path) -> None:
    with pytest.raises(MissingError, match=r"none\.xml: does not exist"):
        open_wordnets(f"{tmp_path / 'none.xml'},{files.split(',')[1]}")


def test_other_target_languages_are_skipped(files: str, tmp_path: Path) -> None:
    nouns = read_nouns(write_nouns(tmp_path / "nouns.csv"))
    one = asked("the cup", target_lang="fr")
    assert replaced(one, open_wordnets(files), nouns) == Dropped("not into German")
