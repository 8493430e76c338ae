"""Russian and Polish templates: every sentence is read again, without the engine that made it.

Words and genders come straight from the files, which test_slavic_dictionaries.py checks.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest

from referee.items import is_mixed_script
from tests.support.generated import NO_REFERENT, NOUNS, OVERLAPS, PRIORS, marked, rows, template_items, texts

LANGUAGES = ("ru", "pl")
GENDERS = ("m", "f", "n")
AGREEING = ("verb", "lives", "tastes", "event", "pleonastic", "size", "state")
CASES = ("word", "acc", "dat", "ins")
LETTERS = {"ru": "А-Яа-яЁё", "pl": "A-Za-zĄĆĘŁŃÓŚŹŻąćęłńóśźż", "en": "A-Za-zé"}

each_language = pytest.mark.parametrize("code", LANGUAGES)


@cache
def gender_of(code: str) -> dict[str, str]:
    """The gender of a noun by any of its forms."""
    found: dict[str, str] = {}
    for row in (row for name in NOUNS for row in rows(code, name)):
        for form in (row[case] for case in CASES if row.get(case)):
            # "ворона" is a crow, and the accusative of a raven: sentences with it are told by their spans.
            found[form] = row["gender"] if found.get(form, row["gender"]) == row["gender"] else "?"
    return found


def words(text: str) -> list[str]:
    return re.findall(r"[\w-]+", text.lower())


@each_language
def test_texts_are_clean(code: str) -> None:
    english = re.compile(rf"[A-Z][{LETTERS['en']}, -]*[.!]")
    target = re.compile(rf"[{LETTERS[code]}][{LETTERS[code]}, -]*[.!]")
    for item in template_items(code):
        assert all(english.fullmatch(text) for text in (*item.source_context, item.source)), item
        for text in texts(item):
            assert target.fullmatch(text) and text[0].isupper(), text
            assert "  " not in text and " ," not in text and not is_mixed_script(text), text


@each_language
def test_one_alternative_for_each_gender(code: str) -> None:
    for item in template_items(code):
        assert [candidate.features["gender"] for candidate in item.candidates] == list(GENDERS)
        assert len({candidate.text for candidate in item.candidates}) == 3, item


@each_language
def test_right_answer_has_the_gender_of_its_noun(code: str) -> None:
    nouns = {(row["en"], row["gender"]) for name in NOUNS for row in rows(code, name)}
    for item in template_items(code):
        if item.label in PRIORS:
            assert item.gold is None
            continue
        assert item.gold is not None
        gender = GENDERS[item.gold]
        assert item.reference == item.candidates[item.gold].text
        if item.label in NO_REFERENT:
            assert gender == "n"
            continue
        spans = [span for span in item.spans if span.role == "antecedent"]
        there = {span.field: marked(item, span) for span in spans}
        known = gender_of(code)[there["target_context"].lower()]
        assert known in (gender, "?"), item
        assert (re.sub(r"^(the|an?) ", "", there["source_context"].lower()), gender) in nouns, item


@each_language
def test_right_answer_stands_where_words_come_again(code: str) -> None:
    """Of two clauses the one that shares more words with the text has the antecedent."""
    for item in template_items(code):
        if item.label not in OVERLAPS:
            continue
        clauses = item.source_context[0].split(" and ")
        shared = [len(_content(clause) & _content(item.source)) for clause in clauses]
        right = 0 if shared[0] > shared[1] else 1
        (antecedent,) = (span for span in item.spans if (span.role, span.field) == ("antecedent", "source_context"))
        assert shared[0] != shared[1] and marked(item, antecedent).lower() in clauses[right].lower(), item
        assert item.features["clause"] == ("first", "second")[right], item


def _content(text: str) -> set[str]:
    return set(words(text)) - {"the", "it"}


@each_language
def test_right_answer_is_what_can_be_meant(code: str) -> None:
    kinds = {"markable": "animal", "animal": "animal", "food": "food"}
    for item in template_items(code):
        if item.label in ("markable", "world-knowledge"):
            kind = kinds[str(item.label) if item.label == "markable" else item.features["form"].split("-")[1]]
            (antecedent,) = (span for span in item.spans if (span.role, span.field) == ("antecedent", "source_context"))
            noun = marked(item, antecedent).lower().removeprefix("the ")
            assert noun in {row["en"] for row in rows(code, kind)}, item
        if item.label == "world-knowledge":
            predicates = {row["en"] for row in rows(code, {"animal": "lives", "food": "tastes"}[kind])}
            assert item.source.removeprefix("It ").removesuffix(".") in predicates, item


@each_language
def test_nouns_that_compete_differ_in_gender(code: str) -> None:
    for item in template_items(code):
        if item.label in (*OVERLAPS, "role-prior", "position-prior", "markable", "world-knowledge"):
            assert len(set(item.features["genders"])) == 2, item


@each_language
def test_orders_are_balanced(code: str) -> None:
    items = template_items(code)
    for name in OVERLAPS:
        clauses = Counter(item.features["clause"] for item in items if item.label == name)
        forms = Counter(item.features["form"] for item in items if item.label == name)
        assert set(clauses) == {"first", "second"} and len(set(clauses.values())) == 1, name
        assert len(forms) == 4 and len(set(forms.values())) == 1, name
    forms = Counter(item.features["form"] for item in items if item.label == "markable")
    assert set(forms) == {"animal-first", "human-first"} and len(set(forms.values())) == 1
    for name in ("role-prior", "world-knowledge", "event", "pleonastic"):
        forms = Counter(item.features["form"].split("-")[0] for item in items if item.label == name)
        assert set(forms) == {"active", "passive"} and len(set(forms.values())) == 1, name
    pairs = Counter(item.features["genders"] for item in items if item.label in ("position-prior", "verb-overlap"))
    assert all(pairs[pair] == pairs[pair[::-1]] for pair in pairs), pairs


@each_language
def test_gold_genders_are_spread(code: str) -> None:
    for name in (*OVERLAPS, "markable", "world-knowledge", "gender"):
        golds = Counter(item.gold for item in template_items(code) if item.label == name)
        assert set(golds) == {0, 1, 2} and max(golds.values()) < 0.6 * golds.total(), (name, golds)


# The ending of the past tense, seen by the eye alone.

VERBS = {"ru": ("съел", "выпил", "ел", "пил", "был(?!и)"), "pl": ("zjadł", "wypił", "jadł", "pił", "został")}
ENDINGS = {"ru": {"m": "", "f": "а", "n": "о"}, "pl": {"m": "", "f": "a", "n": "o"}}
ALTERNATIVE = {
    "ru": {
        "m": r"он|его|весь|\w+(л|з|с|х|к|г|лся)|\w+[иы]м|доволен|голоден",
        "f": r"она|её|всю|\w+(ла|лась|ой|на)",
        "n": r"оно|это|его|всё|\w+(ло|лось|им|ым|но)",
    },
    "pl": {
        "m": r"on|go|\w+(ł|y|i)",
        "f": r"ona|ją|\w+(ła|a)",
        "n": r"ono|je|to|\w+(ło|e)",
    },
}
"""What a word may look like that is not the same in all three alternatives."""


@each_language
def test_verbs_end_as_their_nouns_want(code: str) -> None:
    endings = ENDINGS[code]
    verb = re.compile(
        rf"(?<![\w-])(\w+)(?: szybko (?:go|ją|je)| быстро)? ({'|'.join(VERBS[code])})(\w?)\b", re.IGNORECASE
    )
    seen: Counter[str] = Counter()
    for item in template_items(code):
        for text in texts(item):
            for noun, _, ending in verb.findall(text):
                if (gender := gender_of(code).get(noun.lower())) is not None:
                    assert ending == endings[gender], text
                    seen[str(item.label)] += 1
            for noun, participle in re.findall(r"^(.+) (?:был[ао]?|został[ao]?) (съеден\w?|zjedzon\w)\b", text):
                wanted = {"m": ("съеден", "zjedzony"), "f": ("съедена", "zjedzona"), "n": ("съедено", "zjedzone")}
                assert participle in wanted[gender_of(code)[noun.lower()]], text
                seen["passive"] += 1
    assert set(seen) == {"role-prior", *OVERLAPS, "world-knowledge", "event", "pleonastic", "passive"}


GOVERNED = {
    "ru": {
        "acc": (r"(?:съел|выпил)[ао]? (?!его|её)(\w+)", r"Я увидел (\w+)"),
        "dat": (r"(\w+) (?:он|она|оно) показал",),
        "ins": (r"перед (\w+) и", r"перед \w+ и (\w+)", r"съеден[ао]? (\w+)", r"остал\w+ довол\w+ (\w+)"),
    },
    "pl": {
        "acc": (
            r"(?:[Zz]jadł|[Ww]ypił)[ao]? (?!go|ją|je)(\w+)",
            r"Zobaczyłem (\w+)",
            r"przez (\w+)",
            r"ochotę na (\w+)",
        ),
        "dat": (r"(\w+) i \w+ (?:chciało|było|nudziło)", r"i (\w+) (?:chciało|było|nudziło)", r"(\w+) wydał[ao]? się"),
        "ins": (r"przed (\w+) i", r"przed \w+ i (\w+)"),
    },
}
"""The case that verbs and prepositions want."""


@each_language
def test_nouns_stand_in_the_case_that_is_wanted(code: str) -> None:
    every = {
        text for item in template_items(code) for text in texts(item) if not text.endswith((" go.", " ją.", " je."))
    }
    for case, patterns in GOVERNED[code].items():
        every_row = [row for name in NOUNS for row in rows(code, name)]
        known = {row.get(case) or (row["word"] if case == "acc" and "dat" not in row else "") for row in every_row}
        for pattern in patterns:
            found = [(noun.lower(), text) for text in every for noun in re.findall(rf"\b{pattern}", text)]
            assert len(found) > 20, pattern
            assert all(noun in known for noun, _ in found), next(pair for pair in found if pair[0] not in known)


@each_language
def test_alternatives_end_as_their_gender_wants(code: str) -> None:
    for alternatives in {tuple(candidate.text for candidate in item.candidates) for item in template_items(code)}:
        bags = [set(words(text)) for text in alternatives]
        same = set.intersection(*bags)
        for gender, bag in zip(GENDERS, bags, strict=True):
            assert bag - same, alternatives
            for word in bag - same:
                assert re.fullmatch(ALTERNATIVE[code][gender], word), (alternatives, gender, word)


def test_polish_neuter_object_is_careful() -> None:
    """`go` for the neuter would be colloquial and would hide the gender."""
    for item in template_items("pl"):
        if item.label in ("verb-prior", "subject-verb-overlap"):
            assert [candidate.features["pronoun"] for candidate in item.candidates] == ["go", "ją", "je"]


def test_russian_accusative_never_stands_alone() -> None:
    """`его` is masculine and neuter: the word beside it must show which."""
    for item in template_items("ru"):
        for candidate in item.candidates:
            if {"его", "её"} & set(words(candidate.text)):
                assert re.search(r"\b(его весь|её всю|его всё)\.$", candidate.text), candidate
