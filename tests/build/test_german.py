"""German templates: every sentence is parsed and solved again, with grammar and words that are written down here.

Words of the gender template are checked with german-nouns (a lexicon made from Wiktionary), and not without it.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from referee.build.templates import open_templates
from referee.items import Item
from tests.build.test_german_paper import lines
from tests.support.generated import OVERLAPS, rows, template_items

DEFAULT = {
    "role-prior": 2000,
    "position-prior": 1656,
    "verb-prior": 889,
    "markable": 4608,
    "verb-overlap": 2240,
    "object-overlap": 10752,
    "subject-overlap": 9984,
    "object-verb-overlap": 10752,
    "subject-verb-overlap": 9984,
    "world-knowledge": 5000,
    "event": 2000,
    "pleonastic": 2000,
    "gender": 3588,
}

# Grammar: articles by case and gender, genders and weak nouns by word.
ARTICLES = {
    "NOM": {"der": "m", "die": "f", "das": "n"},
    "ACC": {"den": "m", "die": "f", "das": "n"},
    "INDEF": {"einen": "m", "eine": "f", "ein": "n"},
}
DATIVE = {"dem": "mn", "der": "f", "vom": "mn", "von der": "f"}
ANIMALS = {
    "m": "Hund Wolf Bär Tiger Löwe Hase Affe Adler Frosch",
    "f": "Katze Kuh Giraffe Maus Ente Schildkröte Eule Taube Ziege",
    "n": "Schaf Eichhörnchen Pferd Schwein Zebra Känguru Reh",
}
THINGS = {
    "m": "Keks Kuchen Hotdog Käse Apfel Tee Saft",
    "f": "Nuss Frucht Karotte Wurst Pizza Milch Limonade",
    "n": "Brot Ei Fleisch Eis Steak Wasser",
}
WEAK = {"Bär": "Bären", "Löwe": "Löwen", "Hase": "Hasen", "Affe": "Affen"}
HUMANS = {
    "m": "Architekt Bäcker Tischler Tänzer Zahnarzt Ingenieur Bauer Gärtner Journalist Musiker Apotheker Fotograf "
    "Pilot Polizist Präsident Student Lehrer Schriftsteller",
    "f": "Architektin Bäckerin Tischlerin Tänzerin Zahnärztin Ingenieurin Bäuerin Gärtnerin Journalistin Musikerin "
    "Apothekerin Fotografin Pilotin Polizistin Präsidentin Studentin Lehrerin Schriftstellerin",
}
ANIMAL, THING, HUMAN = (
    {word: gender for gender, words in nouns.items() for word in words.split()} for nouns in (ANIMALS, THINGS, HUMANS)
)
GENDER = ANIMAL | THING | HUMAN
WEAK_HUMANS = "Architekt Bauer Journalist Fotograf Pilot Polizist Präsident Student"
PRONOUNS = {("er", "sie", "es"), ("ihn", "sie", "es")}

CONTEXTS = [
    "NOM hat ACC gefressen.",
    "NOM wurde DAT gefressen.",
    "Ich stand vor DAT und DAT.",
    "NOM und NOM waren (?:hungrig|müde|glücklich|nett).",
    "NOM hat gefressen und NOM hat getrunken.",
    "NOM hat getrunken und NOM hat gefressen.",
    "NOM hat ACC gefressen und NOM hat ACC getrunken.",
    "NOM hat ACC getrunken und NOM hat ACC gefressen.",
    "Ich sah INDEF.",
    "Wow!",
]
LIVES = "war hungrig|schaute sich um|schlief ein|war müde|war glücklich"
TASTES = "schmeckte gut|hatte einen (?:bitteren|sauren) Geschmack|war köstlich|war schlecht geworden"
TEXTS = [
    "IT war (?:groß|klein|riesig|winzig).",
    "(?:Ich habe|Du hast|Ihr habt|Er hat|Sie hat|Wir haben|Sie haben) IT [a-zäöüß]+(?: gelassen)?.",
    "Aber IT war (?:hungriger|müder|glücklicher|netter).",
    "IT hat (?:viel|schnell|langsam|fröhlich|wenig) (?:gefressen|getrunken).",
    "IT mochte ACC.",
    "NOM mochte IT.",
    "IT hat ACC schnell (?:gefressen|getrunken).",
    "NOM hat IT schnell (?:gefressen|getrunken).",
    f"IT (?:{LIVES}|{TASTES}).",
    "IT (?:kam überraschend|ist tatsächlich passiert|führte zu Chaos|war eine lustige Situation).",
    "IT (?:regnete|ist schade|schien, dass dies unnötig war|ist schwer zu glauben, dass das wahr ist).",
]
_CLAUSE = re.compile(r"(?:der|die|das) (\w+) hat (?:(?:den|die|das) (\w+) )?(gefressen|getrunken)", re.IGNORECASE)


def _pattern(text: str) -> re.Pattern[str]:
    noun = "([A-ZÄÖÜ][\\w-]*)"
    text = text.replace(".", r"\.")
    for case, forms in ARTICLES.items():
        text = text.replace(case, f"(?P<{case}>{'|'.join(forms)}) {noun}")
    text = text.replace("DAT", f"(?P<DAT>{'|'.join(DATIVE)}) {noun}").replace("IT", "(?P<IT>er|ihn|sie|es)")
    # Names may come twice: they are numbered.
    counts: Counter[str] = Counter()

    def numbered(match: re.Match[str]) -> str:
        counts[match[1]] += 1
        return f"(?P<{match[1]}{counts[match[1]]}>"

    return re.compile(re.sub(r"\(\?P<(\w+)>", numbered, text))


_CONTEXTS = [_pattern(text) for text in CONTEXTS]
_TEXTS = [_pattern(text) for text in TEXTS]


@cache
def made(name: str) -> tuple[Item, ...]:
    return tuple(item for item in template_items("de") if item.label == name)


def phrases(text: str, patterns: list[re.Pattern[str]]) -> list[tuple[str, str, str]]:
    """Case, article and noun of every noun phrase; a text that is no sentence known here fails."""
    lowered = text[0].lower() + text[1:]
    match = next((found for form in (text, lowered) for p in patterns if (found := p.fullmatch(form))), None)
    assert match is not None, text
    groups = match.groups()
    names = {number - 1: re.sub(r"\d", "", name) for name, number in match.re.groupindex.items()}
    return [(case, groups[at], groups[at + 1]) for at, case in sorted(names.items()) if case != "IT"]


def lemma(noun: str) -> str:
    return next((word for word, declined in WEAK.items() if declined == noun), noun)


def check(case: str, article: str, noun: str) -> None:
    """An article fits its noun, and a weak noun is declined."""
    assert case == "NOM" or noun not in WEAK, f"{noun} is not declined"
    gender = GENDER[noun if case == "NOM" else lemma(noun)]
    assert gender in (DATIVE[article] if case == "DAT" else ARTICLES[case][article])


@pytest.mark.parametrize("name", DEFAULT)
def test_every_sentence_agrees(name: str) -> None:
    contexts = {context for item in made(name) for context in item.target_context}
    texts = {candidate.text for item in made(name) for candidate in item.candidates}
    for sentences, patterns in ((contexts, _CONTEXTS), (texts, _TEXTS)):
        for sentence in sentences:
            for case, article, noun in phrases(sentence, patterns):
                if case != "INDEF":
                    check(case, article, noun)


@pytest.mark.parametrize("name", DEFAULT)
def test_alternatives_differ_in_the_pronoun_only(name: str) -> None:
    for item in made(name):
        tokens = [re.findall(r"\w+|\W", candidate.text) for candidate in item.candidates]
        different = [at for at, column in enumerate(zip(*tokens, strict=True)) if len(set(column)) > 1]
        assert len(different) == 1
        assert tuple(line[different[0]].lower() for line in tokens) in PRONOUNS
        assert [candidate.features["gender"] for candidate in item.candidates] == ["m", "f", "n"]


@pytest.mark.parametrize("name", OVERLAPS)
def test_overlap_is_solved_by_what_comes_again(name: str) -> None:
    for item in made(name):
        clauses = _CLAUSE.findall(item.target_context[0])
        text = item.candidates[0].text
        if name == "verb-overlap":
            fitting = [clause for clause in clauses if clause[2] in text]
        elif name.startswith("object"):
            fitting = [clause for clause in clauses if re.search(rf"\b{clause[1]}\b", text)]
        else:
            fitting = [clause for clause in clauses if re.search(rf"\b{clause[0]}\b", text)]
        assert (len(clauses), len(fitting)) == (2, 1)
        antecedent = fitting[0][1] if name.startswith("subject") else fitting[0][0]
        assert item.gold == "mfn".index(GENDER[antecedent])
        assert item.features["clause"] == ("first" if fitting[0] == clauses[0] else "second")
        if "-verb-" in name:
            assert fitting[0][2] in text


def test_other_golds() -> None:
    for name in ("event", "pleonastic"):
        assert {item.gold for item in made(name)} == {2}
    for name in ("role-prior", "position-prior", "verb-prior"):
        assert {item.gold for item in made(name)} == {None}
    for item in made("markable") + made("world-knowledge"):
        nouns = [lemma(noun) for _, _, noun in phrases(item.target_context[0], _CONTEXTS)]
        wants_animal = item.label == "markable" or re.search(LIVES, item.candidates[0].text) is not None
        (antecedent,) = [noun for noun in nouns if (noun in ANIMAL) == wants_animal]
        assert item.gold == "mfn".index(GENDER[antecedent])


@pytest.mark.parametrize("name", [name for name in DEFAULT if name not in ("verb-prior", "gender")])
def test_orders_are_balanced(name: str) -> None:
    orders = Counter(
        tuple(lemma(noun) for _, _, noun in phrases(item.target_context[0], _CONTEXTS)) for item in made(name)
    )
    golds: Counter[int] = Counter()
    for nouns, count in orders.items():
        half = len(nouns) // 2
        assert orders[nouns[half:] + nouns[:half]] == count
    for item in made(name):
        if item.gold is None or name in ("event", "pleonastic"):
            continue
        nouns = tuple(lemma(noun) for _, _, noun in phrases(item.target_context[0], _CONTEXTS))
        own = [nouns[1], nouns[3]] if name.startswith("subject") else [nouns[0], nouns[len(nouns) // 2]]
        golds[["mfn".index(GENDER[noun]) for noun in own].index(item.gold)] += 1
    assert golds[0] == golds[1]


def test_there_are_thirteen_templates() -> None:
    assert list(open_templates("de").templates) == list(open_templates("de", paper=True).templates) == list(DEFAULT)


@pytest.mark.parametrize(("name", "count"), DEFAULT.items())
def test_counts(name: str, count: int) -> None:
    assert len(made(name)) == len(lines(made(name))) == count


@pytest.mark.parametrize("name", DEFAULT)
def test_typography(name: str) -> None:
    sentences: set[str] = set()
    for item in made(name):
        sentences |= {*item.source_context, item.source, *item.target_context, *(one.text for one in item.candidates)}
    for sentence in sentences:
        assert re.fullmatch(r"[A-ZÄÖÜ][^ ]*( [^ .,!]([^ .!]*[^ .,!])?,?)*[.!]", sentence), sentence


def test_nouns_are_declined_after_einen() -> None:
    """Without a lexicon: what ends like a weak noun is none any more in the accusative."""
    for item in made("gender"):
        match = re.fullmatch(r"Ich sah (einen|eine|ein) ([A-ZÄÖÜ][\w-]+)\.", item.target_context[0])
        assert match is not None
        assert item.gold == ["einen", "eine", "ein"].index(match[1])
        if match[1] == "einen":
            assert not re.search(r"(?:[^äe]e|ant|ist|bär|net|lit|met)$", match[2]), match[2]


def test_a_and_an() -> None:
    for item in made("gender"):
        match = re.fullmatch(r"I saw (an?) (.+)\.", item.source_context[0])
        assert match is not None
        sounds = re.match(r"[aeiou]|hour", match[2], re.IGNORECASE) and not re.match(r"uni|eu|one\b|use", match[2])
        assert match[1] == ("an" if sounds else "a"), match[0]


def test_word_lists() -> None:
    for name, least in (("noun", 1100), ("verb", 100)):
        found = rows("de", name)
        assert len(found) >= least
        for column in ("en", "word"):
            assert max(Counter(row[column].lower() for row in found).values()) == 1
    assert {row["word"]: row["gender"] for row in rows("de", "human")} == HUMAN
    for row in rows("de", "human"):
        weak = {"Bauer": "Bauern"}.get(row["word"], row["word"] + "en")
        assert (row["acc"], row["dat"]) == ((weak, weak) if row["word"] in WEAK_HUMANS.split() else ("", ""))
    assert all(re.fullmatch(r"(?:\w+en|\w+t|fallen gelassen)", row["word"]) for row in rows("de", "verb"))


@cache
def lexicon() -> dict[str, list[dict[str, str]]]:
    """Entries by lemma, without names; the file is read as it is, for the package leaves it open."""
    found = find_spec("german_nouns")
    if found is None or not found.submodule_search_locations:
        pytest.skip("german-nouns is not installed")
    folder = Path(next(iter(found.submodule_search_locations)))
    entries: dict[str, list[dict[str, str]]] = defaultdict(list)
    with (folder / "nouns.csv").open(encoding="utf-8", newline="") as file:
        for entry in csv.DictReader(file):
            if "name" not in entry["pos"] and "Toponym" not in entry["pos"]:
                entries[entry["lemma"]].append(entry)
    return entries


def said(word: str, field: str) -> set[str]:
    """What the lexicon has in a field and its variants (`genus`, `genus 1`, ...)."""
    return {cell for entry in lexicon()[word] for name, cell in entry.items() if name.startswith(field) and cell}


@pytest.mark.parametrize("name", ["noun", "animal", "food", "drink", "human"])
def test_genders_and_forms_of_a_lexicon(name: str) -> None:
    for row in rows("de", name):
        word, genders = row["word"], said(row["word"], "genus")
        # The nouns of the gender template have no second gender; some of the printed ones do ("das Keks" in Austria).
        assert genders == {row["gender"]} if name == "noun" else row["gender"] in genders, word
        for column, case in (("acc", "akkusativ"), ("dat", "dativ")):
            if column in row:
                assert (row[column] or word) in said(word, f"{case} singular"), (word, case)
