"""Russian and Polish words and sentences, read with a dictionary.

They want pymorphy3 (with pymorphy3-dicts-ru) for Russian and morfeusz2 for Polish, and are skipped without.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from referee.languages import language
from tests.build.test_slavic import AGREEING, CASES, GENDERS, LANGUAGES, words
from tests.support.generated import NOUNS, rows, template_items

THINGS = {"лист", "дуб", "teleskop", "młotek", "dąb", "bęben", "tort"}
"""Meant as things, though the dictionary also knows them as the name or nickname of somebody living."""

each_language = pytest.mark.parametrize("code", LANGUAGES)

Tag = tuple[str, str, str, str]
"""Part of speech, gender, case, and the lemma of a reading; a verb in the past is 'past'."""


@cache
def _russian() -> Callable[[str], list[Any]]:
    pytest.importorskip("pymorphy3_dicts_ru", reason="pymorphy3 and pymorphy3-dicts-ru check Russian forms")
    pymorphy3 = pytest.importorskip("pymorphy3", reason="pymorphy3 and pymorphy3-dicts-ru check Russian forms")
    return cache(pymorphy3.MorphAnalyzer(lang="ru").parse)


@cache
def russian(word: str) -> frozenset[Tag]:
    """The readings of a word in the singular that the dictionary knows."""
    short = {"masc": "m", "femn": "f", "neut": "n", None: "", "ms-f": ""}
    parts = {"NOUN": "noun", "VERB": "past", "ADJF": "adjective", "ADJS": "short", "PRTS": "short", "NPRO": "noun"}
    cases = {"nomn": "word", "accs": "acc", "datv": "dat", "ablt": "ins"}
    found = set()
    for reading in _russian()(word):
        tag = reading.tag
        if not reading.is_known or tag.number != "sing" or (tag.POS == "VERB" and tag.tense != "past"):
            continue
        animate = ":anim" if tag.animacy == "anim" else ""
        part = parts.get(tag.POS, "")
        found.add((part + animate, short[tag.gender], cases.get(tag.case, ""), reading.normal_form))
    return frozenset(found)


@cache
def _polish() -> Callable[[str], list[Any]]:
    morfeusz2 = pytest.importorskip("morfeusz2", reason="morfeusz2 checks Polish forms")
    return cache(morfeusz2.Morfeusz(praet="composite").analyse)


@cache
def polish(word: str) -> frozenset[Tag]:
    """The readings of a word in the singular; subgenders of the masculine are one."""
    parts = {"subst": "noun", "praet": "past", "adj": "adjective", "ppas": "adjective", "pact": "adjective"}
    cases = {"nom": "word", "acc": "acc", "dat": "dat", "inst": "ins"}
    found = set()
    for _, _, (_, lemma, tag, *_) in _polish()(word):
        part, *fields = tag.split(":")
        if part not in parts or "sg" not in fields[0].split("."):
            continue
        case, genders = ("", fields[1]) if part == "praet" else (fields[1], fields[2])
        # Masculine accusatives are those of persons and animals, or those of things.
        for one in case.split("."):
            for gender in genders.split("."):
                animate = ":anim" if part == "subst" and gender in ("m1", "m2") else ""
                found.add((parts[part] + animate, gender[0], cases.get(one, ""), lemma.split(":")[0]))
    return frozenset(found)


READ = {"ru": russian, "pl": polish}


@each_language
def test_nouns_are_in_the_dictionary(code: str) -> None:
    """Gender, every case, and animacy, on which the masculine accusative depends."""
    read, checked = READ[code], 0
    for name in NOUNS:
        for row in rows(code, name):
            for case in CASES:
                form = row.get(case) or (row["word"] if case == "acc" and name != "human" else "")
                if not form:
                    continue
                fitting = {tag for tag in read(form) if tag[1:] == (row["gender"], case, row["word"])}
                assert fitting, (name, row, case)
                living = any(tag[0] == "noun:anim" for tag in fitting)
                if name in ("animal", "human") and (code == "ru" or row["gender"] == "m"):
                    assert living, (name, row, case)
                if case == "acc" and row["gender"] == "m" and row["word"] not in THINGS:
                    known = any(tag[0] == "noun:anim" and tag[3] == row["word"] for tag in read(row["word"]))
                    assert living == known == (form != row["word"]), (name, row)
                checked += 1
    assert checked > 700


@each_language
def test_words_that_agree_are_in_the_dictionary(code: str) -> None:
    """Every word that is not the same in all genders has a reading of that gender."""
    tables: list[dict[str, str]] = [
        {gender: row[f"{case}{gender}"] for gender in GENDERS}
        for name in AGREEING
        for row in rows(code, name)
        for case in ("", "ins.")
        if f"{case}m" in row
    ]
    tables += [table for name, table in language(code).words.items() if name != "it"]
    pronouns = {"он": "m", "она": "f", "on": "m", "ona": "f", "to": "n"}
    checked = 0
    for forms in tables:
        bags = {gender: words(form) for gender, form in forms.items()}
        same = set.intersection(*map(set, bags.values()))
        for gender, bag in bags.items():
            for word in bag:
                if word in same:
                    continue
                genders = {pronouns[word]} if word in pronouns else {tag[1] for tag in READ[code](word) if tag[1]}
                assert gender in genders, (forms, word)
                checked += 1
    assert checked > 70


@pytest.mark.parametrize("person", ["i", "you", "he", "she", "we", "they"])
def test_polish_persons_are_in_the_dictionary(person: str) -> None:
    _polish()
    wanted = {
        "i": ("sg", "m1", "pri"),
        "you": ("sg", "m1", "sec"),
        "he": ("sg", "m1", "ter"),
        "she": ("sg", "f", "ter"),
        "we": ("pl", "m1", "pri"),
        "they": ("pl", "m1", "ter"),
    }[person]
    for row in rows("pl", "verb"):
        tags = [tag.split(":") for _, _, (_, _, tag, *_) in _polish()(row[person]) if tag.startswith("praet")]
        assert any(all(part in [x for field in tag for x in field.split(".")] for part in wanted) for tag in tags), row


PRONOUNS = {"он": "m", "она": "f", "оно": "n", "это": "n", "on": "m", "ona": "f", "ono": "n"}
SPEAKER = {"я", "stałem", "zobaczyłem"}


@each_language
def test_every_sentence_agrees(code: str) -> None:
    """In every clause the past tense and its predicate have the gender of the subject."""
    read = READ[code]
    contexts = {text for item in template_items(code) for text in item.target_context}
    # Without a subject of its own a sentence has the gender of its alternative; a context is impersonal then.
    sentences = {(text, "n") for text in contexts}
    sentences |= {(each.text, each.features["gender"]) for item in template_items(code) for each in item.candidates}
    verbs = 0
    for text, default in sentences:
        if code == "pl" and text.endswith((" go.", " ją.", " je.")):
            continue  # the verb has a person, the object has the gender
        # What follows "that" is the same in all alternatives.
        for clause in re.split(r", (?:что|że) ", text)[0].split(", а " if code == "ru" else ", a "):
            tokens = words(clause)
            if tokens[0] in SPEAKER:
                continue
            subject = _subject(tokens, read) or default
            for place, token in enumerate(tokens):
                tags = read(token)
                past = {gender for part, gender, _, _ in tags if part == "past"}
                if past and not (place == 0 and _is_subject(token, read)):
                    assert subject in past, (text, token)
                    verbs += 1
                if _is_predicate(code, tokens, place):
                    assert any(gender == subject for part, gender, _, _ in tags if part in ("adjective", "short")), (
                        text,
                        token,
                    )
    assert verbs > 5000


def _is_subject(token: str, read: Callable[[str], frozenset[Tag]]) -> bool:
    return any(part.startswith("noun") and case == "word" for part, _, case, _ in read(token))


def _subject(tokens: list[str], read: Callable[[str], frozenset[Tag]]) -> str | None:
    """The gender of a pronoun wherever it stands, or of a noun that comes first."""
    for token in tokens:
        if token in PRONOUNS:
            return PRONOUNS[token]
    first = {gender for part, gender, case, _ in read(tokens[0]) if part.startswith("noun") and case == "word"}
    return first.pop() if len(first) == 1 else None


def _is_predicate(code: str, tokens: list[str], place: int) -> bool:
    """An adjective right behind the verb *to be* and the like (with an adverb of degree between)."""
    degree = ("очень", "bardziej")
    before = [token for token in tokens[:place] if token not in degree]
    token = tokens[place]
    if not before or token in degree:
        return False
    if code == "ru":
        verb = before[-1] in ("был", "была", "было") or before[-1].startswith(("остал", "показал"))
        return verb and not token.endswith("ее")
    verb = before[-1] in ("był", "była", "było", "został", "została", "zostało") or " ".join(before[-2:]) in (
        "wydał się",
        "wydała się",
        "wydało się",
    )
    return verb and token not in ("to", "dużym", "w", "smutno")
