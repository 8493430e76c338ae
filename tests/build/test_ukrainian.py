"""Ukrainian templates: every sentence is read again, without the engine that made it.

Words and genders come straight from the files. Checks with a dictionary want pymorphy3 and pymorphy3-dicts-uk, and are
skipped without.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from referee.items import is_mixed_script
from referee.languages import language
from tests.support.generated import NO_REFERENT, NOUNS, OVERLAPS, PRIORS, marked, rows, template_items, texts

GENDERS = ("m", "f", "n")
AGREEING = ("verb", "lives", "tastes", "event", "pleonastic", "size", "state")
CASES = ("word", "acc", "dat", "ins")
VOWELS = "аеєиіїоуюя"
LETTER = "АБВГҐДЕЄЖЗИІЇЙКЛМНОПРСТУФХЦЧШЩЬЮЯабвгґдеєжзиіїйклмнопрстуфхцчшщьюя"
WORD = rf"[{LETTER}]+(?:['-][{LETTER}]+)*"
"""The alphabet is written out: ы, э, ё, ъ are not Ukrainian, and the apostrophe is U+0027 between letters."""


@cache
def agreeing() -> tuple[dict[str, str], ...]:
    """Every table of forms by gender, from words/ and language.toml; the pronouns are not among them."""
    tables = language("uk").words
    found = [{gender: row[gender] for gender in GENDERS} for name in AGREEING for row in rows("uk", name)]
    return tuple(found + [table for name, table in tables.items() if name != "it"])


@cache
def gender_of() -> dict[str, str]:
    """The gender of a noun by any of its forms."""
    found: dict[str, str] = {}
    for row in (row for name in NOUNS for row in rows("uk", name)):
        for form in (row[case] for case in CASES if row.get(case)):
            assert found.setdefault(form, row["gender"]) == row["gender"], form
    return found


def words(text: str) -> list[str]:
    return re.findall(WORD, text.lower())


def test_texts_are_clean() -> None:
    english = re.compile(r"[A-Z][A-Za-zé, -]*[.!]")
    target = re.compile(rf"{WORD}(?:,? {WORD})*[.!]")
    for item in template_items("uk"):
        assert all(english.fullmatch(text) for text in (*item.source_context, item.source)), item
        for text in texts(item):
            assert target.fullmatch(text) and text[0].isupper(), text
            assert not is_mixed_script(text), text


def test_one_alternative_for_each_gender() -> None:
    for item in template_items("uk"):
        assert [candidate.features["gender"] for candidate in item.candidates] == list(GENDERS)
        assert len({candidate.text for candidate in item.candidates}) == 3, item


def test_right_answer_has_the_gender_of_its_noun() -> None:
    nouns = {(row["en"].lower(), row["gender"]) for name in NOUNS for row in rows("uk", name)}
    for item in template_items("uk"):
        if item.label in PRIORS:
            assert item.gold is None
            continue
        assert item.gold is not None
        gender = GENDERS[item.gold]
        if item.label in NO_REFERENT:
            assert gender == "n"
            continue
        there = {span.field: marked(item, span) for span in item.spans if span.role == "antecedent"}
        assert gender_of()[there["target_context"].lower()] == gender, item
        assert (re.sub(r"^(the|an?) ", "", there["source_context"].lower()), gender) in nouns, item


def test_nouns_that_compete_differ_in_gender() -> None:
    for item in template_items("uk"):
        if item.label in (*OVERLAPS, "role-prior", "position-prior", "markable", "world-knowledge"):
            assert len(set(item.features["genders"])) == 2, item


def test_orders_and_genders_are_balanced() -> None:
    for name in (*OVERLAPS, "markable", "world-knowledge", "gender"):
        golds = Counter(item.gold for item in template_items("uk") if item.label == name)
        assert set(golds) == {0, 1, 2} and max(golds.values()) < 0.6 * golds.total(), (name, golds)
    for name in OVERLAPS:
        clauses = Counter(item.features["clause"] for item in template_items("uk") if item.label == name)
        assert set(clauses) == {"first", "second"} and len(set(clauses.values())) == 1, name
    forms = Counter(item.features["form"] for item in template_items("uk") if item.label == "markable")
    assert set(forms) == {"animal-first", "human-first"} and len(set(forms.values())) == 1


def test_there_are_many_nouns_of_every_gender() -> None:
    nouns = rows("uk", "noun")
    assert len({row["word"] for row in nouns}) == len({row["en"] for row in nouns}) == len(nouns) >= 150
    assert min(Counter(row["gender"] for row in nouns).values()) >= 50


# What the eye sees, without a dictionary.

ENDINGS = {"m": "в", "f": "ла", "n": "ло"}
ALTERNATIVE = {
    "m": r"він|його|\w*[аеиіїоуюя]в(ся)?|\w+ий|зник|замерз|висох|виріс|протік|погас|застряг|намок",
    "f": r"вона|її|[\w']+(ла|лася)|\w+[кншт]а|щаслива",
    "n": r"воно|це|його|[\w']+(ло|лося)|\w+[кншвт]е",
}
"""What a word may look like that is not the same in all three alternatives."""


def test_verbs_end_as_their_nouns_want() -> None:
    verb = re.compile(rf"({WORD})(?: швидко)? (з'ї|випи|ї|пи)(в|ла|ло)\b", re.IGNORECASE)
    seen: Counter[str] = Counter()
    for item in template_items("uk"):
        for text in texts(item):
            for noun, _, ending in verb.findall(text):
                if (gender := gender_of().get(noun.lower())) is not None:
                    assert ending == ENDINGS[gender], text
                    seen[str(item.label)] += 1
    assert set(seen) == {"role-prior", *OVERLAPS, "world-knowledge", "event", "pleonastic"}


def test_alternatives_end_as_their_gender_wants() -> None:
    for alternatives in {tuple(candidate.text for candidate in item.candidates) for item in template_items("uk")}:
        bags = [set(words(text)) for text in alternatives]
        same = set.intersection(*bags)
        for gender, bag in zip(GENDERS, bags, strict=True):
            for word in bag - same:
                assert re.fullmatch(ALTERNATIVE[gender], word.replace("'", "")), (alternatives, gender, word)


def test_accusative_never_stands_alone() -> None:
    """`його` is masculine and neuter: the clause behind it must show which."""
    shown = {
        "m": "його, бо він був смачний.",
        "f": "її, бо вона була смачна.",
        "n": "його, бо воно було смачне.",
    }
    for item in template_items("uk"):
        for candidate in item.candidates:
            assert "йому" not in words(candidate.text), candidate
            if {"його", "її"} & set(words(candidate.text)):
                assert item.label == "subject-verb-overlap", item
                assert candidate.text.endswith(shown[str(candidate.features["gender"])]), candidate


def test_and_sounds_well() -> None:
    """`й` after a vowel, `і` after a consonant and before й, є, ї, ю, я."""
    seen: Counter[str] = Counter()
    for item in template_items("uk"):
        for text in item.target_context:
            for before, link, after in re.findall(r"(\w) ([ій]) (\w)", text):
                assert link == ("й" if before in VOWELS and after not in "йєїюя" else "і"), text
                seen[link] += 1
    assert min(seen["і"], seen["й"]) > 1000


# With a dictionary.

Tag = tuple[str, str, str, str]
"""Part of speech, gender, case, and the lemma of a reading; a verb in the past is 'past'."""


@cache
def _parse() -> Callable[[str], list[Any]]:
    reason = "pymorphy3 and pymorphy3-dicts-uk check Ukrainian forms"
    pymorphy3 = pytest.importorskip("pymorphy3", reason=reason)
    pytest.importorskip("pymorphy3_dicts_uk", reason=reason)
    return cache(pymorphy3.MorphAnalyzer(lang="uk").parse)


@cache
def read(word: str) -> frozenset[Tag]:
    """The readings of a word in the singular that the dictionary knows; surnames are left aside."""
    genders = {"masc": "m", "femn": "f", "neut": "n"}
    parts = {"NOUN": "noun", "VERB": "past", "ADJF": "adjective", "NPRO": "pronoun"}
    cases = {"nomn": "word", "accs": "acc", "datv": "dat", "ablt": "ins"}
    found = set()
    for reading in _parse()(word):
        tag = reading.tag
        lemma = reading.normal_form
        if not reading.is_known or "plur" in tag or "Surn" in tag or tag.POS not in parts:
            continue
        if tag.POS == "VERB" and "past" not in tag:
            continue
        animate = ":anim" if tag.POS == "NOUN" and "anim" in tag else ""
        # Some nouns have no case where they are the lemma.
        case = "word" if tag.POS == "NOUN" and tag.case is None and word == lemma else cases.get(tag.case, "")
        found.add((parts[tag.POS] + animate, genders.get(tag.gender, ""), case, lemma))
    return frozenset(found)


def test_nouns_are_in_the_dictionary() -> None:
    """One gender, every case, and animacy, on which the masculine accusative depends."""
    checked = 0
    for name in NOUNS:
        for row in rows("uk", name):
            word = row["word"]
            known = {tag[1] for tag in read(word) if tag[0].startswith("noun") and tag[2:] == ("word", word)}
            assert known == {row["gender"]}, (name, row, known)
            for case in CASES:
                form = row.get(case) or (row["word"] if case == "acc" and name != "human" else "")
                if not form:
                    continue
                fitting = {tag for tag in read(form) if tag[1:] == (row["gender"], case, row["word"])}
                assert any(tag[0].startswith("noun") for tag in fitting), (name, row, case)
                if name in ("animal", "human") and row["gender"] == "m":
                    assert any(tag[0] == "noun:anim" for tag in fitting), (name, row, case)
                checked += 1
    assert checked > 600


def test_words_that_agree_are_in_the_dictionary() -> None:
    """Every word that is not the same in all genders has a reading of that gender and of no other."""
    checked = 0
    for forms in agreeing():
        bags = {gender: words(form) for gender, form in forms.items()}
        same = set.intersection(*map(set, bags.values()))
        for gender, bag in bags.items():
            for word in set(bag) - same:
                known = {tag[1] for tag in read(word) if not tag[0].startswith("noun") and tag[2] in ("word", "")}
                assert known == {gender}, (forms, word, known)
                checked += 1
    assert checked > 300


def test_of_one_word_all_forms_are_of_one_lemma() -> None:
    for forms in agreeing():
        split = [words(form) for form in forms.values()]
        if len({len(bag) for bag in split}) > 1:
            continue  # the neuter of an impersonal verb has no pronoun
        for same_place in zip(*split, strict=True):
            if len(set(same_place)) == 1 or same_place[0] in ("він", "упав", "увімкнувся"):
                continue
            lemmas = [{tag[3] for tag in read(word) if not tag[0].startswith("noun")} for word in same_place]
            assert set.intersection(*lemmas), (forms, lemmas)


GOVERN = {
    "acc": r"(?:з'ї|випи)(?:в|ла|ло) ({0})|побачив ({0})",
    "ins": r"перед ({0}) [ій] ({0})|насолоджува(?:вся|лася|лося) ({0})",
    "dat": r"^({0}) (?:він|вона|воно) припа(?:в|ла|ло) до смаку",
}
"""Where a noun has to have a case."""


@pytest.mark.parametrize("case", GOVERN)
def test_nouns_have_the_case_that_is_asked_for(case: str) -> None:
    pattern = re.compile(GOVERN[case].format(WORD))
    found: Counter[str] = Counter()
    for text in {text for item in template_items("uk") for text in texts(item)}:
        for match in pattern.finditer(text):
            found.update(noun.lower() for noun in match.groups() if noun and noun not in ("його", "її"))
    for noun in found:
        assert any(tag[0].startswith("noun") and tag[2] == case for tag in read(noun)), noun
    assert len(found) > {"acc": 250, "ins": 30, "dat": 5}[case]


PRONOUNS = {"він": "m", "вона": "f", "воно": "n", "це": "n"}


def test_every_sentence_agrees() -> None:
    """In every clause the past tense and its predicate have the gender of the subject."""
    # Without a subject of its own a sentence has the gender of its alternative.
    sentences = {(text, "") for item in template_items("uk") for text in item.target_context}
    sentences |= {
        (each.text, str(each.features["gender"])) for item in template_items("uk") for each in item.candidates
    }
    verbs = predicates = 0
    for text, default in sentences:
        # What follows "that" is the same in all alternatives.
        for clause in re.split(r", (?:а|бо) ", text.split(", що ")[0]):
            tokens = words(clause)
            if tokens[0] == "я" or "були" in tokens or tokens == ["ого"]:
                continue
            subject = _subject(tokens) or default
            assert subject, text
            found = 0
            for place, token in enumerate(tokens):
                past = {gender for part, gender, _, _ in read(token) if part == "past"}
                if past and token not in gender_of():  # "сік" is juice, and "he cut"
                    assert past == {subject}, (text, token)
                    found += 1
                before = [each for each in tokens[:place] if each != "дуже"]
                if before and before[-1] in ("був", "була", "було") and token != "дуже":
                    genders = {gender for part, gender, case, _ in read(token) if (part, case) == ("adjective", "word")}
                    assert genders == {subject}, (text, token)
                    predicates += 1
            assert found == 1, text
            verbs += found
    assert verbs > 3000 and predicates > 30


def _subject(tokens: list[str]) -> str | None:
    """The gender of a pronoun wherever it stands, or of a noun that comes first, by the dictionary."""
    for token in tokens:
        if token in PRONOUNS:
            return PRONOUNS[token]
    first = {gender for part, gender, case, _ in read(tokens[0]) if part.startswith("noun") and case == "word"}
    return first.pop() if len(first) == 1 else None
