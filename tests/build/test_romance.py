"""Catalan, French, Italian, Portuguese and Spanish templates: every sentence is read again, without the engine.

Genders of nouns come straight from the word files, which test_romance_dictionaries.py checks.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest

from referee.items import Item
from tests.support.generated import NO_REFERENT, NOUNS, OVERLAPS, PRIORS, marked, rows, template_items, texts

LANGUAGES = ("ca", "es", "fr", "it", "pt")
GENDERS = ("m", "f")
AGREEING = ("size", "look", "state", "lives", "tastes", "event", "pleonastic", "manner", "verb")

ARTICLES = {
    "ca": {"m": {"el", "l'", "un", "del", "pel"}, "f": {"la", "l'", "una"}},
    "fr": {"m": {"le", "l'", "un"}, "f": {"la", "l'", "une"}},
    "es": {"m": {"el", "del", "al", "un"}, "f": {"la", "una"}},
    "it": {
        "m": {"il", "lo", "l'", "un", "uno", "al", "allo", "all'", "dal", "dallo", "dall'"},
        "f": {"la", "l'", "una", "un'", "alla", "all'", "dalla", "dall'"},
    },
    "pt": {"m": {"o", "do", "pelo", "um"}, "f": {"a", "da", "pela", "uma"}},
}
VOWEL = "h?[aeiouàèéíòóú]"
NEVER = {
    # la is not elided before an i that has no stress.
    "ca": rf"\b(?:el|del|al|pel) {VOWEL}|\bla (?!infermera){VOWEL}|\bl'(?!{VOWEL})|\bl'infermera|\b(?:a|de|per) el\b",
    # No elision where there must be one, one where there must be none, articles that do not contract.
    "fr": r"\b(?:le|la|de|je|ne|me|se|que) (?:[aeiouâàéèêëîïôûœ]|h(?!ibou|érisson|omard|ache|arpe))"
    r"|\bl'(?![aeiouâàéèêëîïôûœh])|\bl'h(?:ibou|érisson|omard|ache|arpe)|\b(?:de|à) les?\b",
    # A feminine noun that begins with a stressed a would take el.
    "es": r"\b(?:a|de) el\b|\b(?:la|una) h?(?:á|agua\b|ala\b|alma\b|ama\b|arma\b|arpa\b|aula\b|ave\b|hacha\b)",
    "it": r"\b(?:il|dal|al) (?:[aeiouèh]|z|s[bcdfglmnpqrtv]|gn|pn|ps)"
    r"|\b(?:lo|dallo|allo) (?!z|s[bcdfglmnpqrtv]|gn|pn|ps)"
    r"|\b(?:la|una|dalla|alla) [aeiouèh]|\bun (?:z|s[bcdfglmnpqrtv]|gn|pn|ps)|\buno (?!z|s[bcdfglmnpqrtv]|gn|pn|ps)"
    r"|l'(?![aeiouèh])|\b(?:a|da|di|in) (?:il|lo|la|l')(?!\w)",
    "pt": r"\b(?:de|em|por) (?:o|a|os|as)\b",
}
"""What none of the sentences may hold."""
PRONOUNS = {
    "ca": {("el", "la"), ("ell", "ella"), ("ho", "la")},
    "fr": {("il", "elle"), ("cela", "elle"), ("c'", "elle")},
    "es": {("lo", "la"), ("él", "ella")},
    "it": {("lui", "lei"), ("gli", "le")},
    "pt": {("ele", "ela"), ("o", "a"), ("dele", "dela"), ("isso", "ela")},
}
TASTES = {f"had a {taste} taste" for taste in ("sweet", "bitter", "sour")}
LOOKS = {"was looking around", "was running around", "lasted only a minute"}
INVARIABLE: dict[str, set[str]] = {
    "ca": set(),
    "fr": {"huge", "tiny", *LOOKS, *TASTES},
    "es": set(),
    "it": set(),
    "pt": {"big", "huge", "happy", "was happy", "was hungry", *LOOKS, *TASTES}
    | {"happened yesterday", "happened very quickly"},
}
"""What does not agree, by its English: there the pronoun shows the gender."""
EATING = {"ca": r"\bmenjar\b", "fr": r"mangée?\b", "es": r"\bcomió\b", "it": r"mangiat[oa]\b", "pt": r"\bcomeu\b"}
DRINKING = {"ca": r"\bbeure\b", "fr": r"\bbue?\b", "es": r"\bbebió\b", "it": r"bevut[oa]\b", "pt": r"\bbebeu\b"}
AND = {"ca": " i ", "fr": " et ", "es": " y ", "it": " e ", "pt": " e "}
each_language = pytest.mark.parametrize("code", LANGUAGES)


@cache
def gender_of(code: str) -> dict[str, str]:
    """The gender of every noun, which must be one wherever it stands."""
    found: dict[str, str] = {}
    for row in (row for name in NOUNS for row in rows(code, name)):
        assert found.setdefault(row["word"], row["gender"]) == row["gender"], row
    return found


@cache
def phrases(code: str, *names: str) -> re.Pattern[str]:
    """A noun of these sets with what stands before it."""
    nouns = "|".join(sorted((re.escape(row["word"]) for name in names for row in rows(code, name)), key=len)[::-1])
    return re.compile(rf"(?:(?<![\w'])(?P<article>\w+(?: |'))|(?<![\w'-]))(?P<noun>{nouns})(?![\w-])", re.IGNORECASE)


def found_phrases(code: str, item: Item, text: str) -> list[tuple[str, str]]:
    """Articles and nouns of a text."""
    return read(code, text, ("noun",) if item.label == "gender" else ("animal", "food", "drink", "human"))


@cache
def read(code: str, text: str, names: tuple[str, ...]) -> list[tuple[str, str]]:
    matches = phrases(code, *names).finditer(text)
    return [((match["article"] or "").strip().lower(), match["noun"].lower()) for match in matches]


def words(text: str) -> list[str]:
    return re.findall(r"\w'|[\w-]+", text.lower())


def antecedent(item: Item) -> str:
    (span,) = (span for span in item.spans if span.role == "antecedent" and span.field == "target_context")
    return marked(item, span)


def head(phrase: str) -> str:
    return re.split(r"[ ']", phrase.lower(), maxsplit=1)[1]


def agree(code: str, masculine: str, feminine: str) -> bool:
    """Whether the second is the feminine of the first, by its ending alone."""
    if code == "ca":
        return feminine == _catalan_feminine(masculine)
    if masculine + "e" == feminine:
        return code == "fr" and re.search(r"[éiutsdl]$", masculine) is not None
    if code == "fr":
        return (masculine[:-1] + "se", masculine[-1:]) == (feminine, "x") or (masculine, feminine) == ("gros", "grosse")
    return masculine[-1:] == "o" and masculine[:-1] + "a" == feminine


@each_language
def test_there_are_enough_words(code: str) -> None:
    least = {"animal": 25, "food": 15, "drink": 5, "human": 20, "noun": 300, "verb": 60}
    assert all(len(rows(code, name)) >= number for name, number in least.items())
    for name in NOUNS:
        masculine = sum(row["gender"] == "m" for row in rows(code, name)) / len(rows(code, name))
        assert 0.4 < masculine < 0.6, name


@each_language
def test_texts_are_clean(code: str) -> None:
    target = re.compile(r"[A-ZÀ-Ý][a-zà-ÿœA-ZÀ-Ý, '-]*[^ ][.]|¡Vaya!|Waouh !|Caram!|Caspita!|Nossa!")
    english = re.compile(r"[A-Z][a-zA-Z, -]*[a-z][.!]")
    for item in template_items(code):
        assert all(english.fullmatch(text) for text in (*item.source_context, item.source)), item
        for text in texts(item):
            assert target.fullmatch(text), text
            assert "  " not in text and " ," not in text and "' " not in text, text


@each_language
def test_english_articles(code: str) -> None:
    for item in template_items(code):
        for text in (*item.source_context, item.source):
            assert not re.search(r"\ba [aeiou]|\ban [^aeiou]", text), text


@each_language
def test_words_change_where_they_meet(code: str) -> None:
    never = re.compile(NEVER[code], re.IGNORECASE)
    for text in {text for item in template_items(code) for text in texts(item)}:
        assert not never.search(text), text


@each_language
def test_articles_agree_with_nouns(code: str) -> None:
    genders = gender_of(code)
    number: dict[str | None, int] = {name: 2 if name == "verb-overlap" else 4 for name in OVERLAPS}
    number |= {"gender": 1, "verb-prior": 0}
    for item in template_items(code):
        context = found_phrases(code, item, item.target_context[0])
        assert len(context) == number.get(item.label, 2), item
        for text in texts(item):
            for article, noun in found_phrases(code, item, text):
                assert article in ARTICLES[code][genders[noun]], text


@each_language
def test_forms_of_a_word_agree(code: str) -> None:
    for name in AGREEING:
        for row in rows(code, name):
            if "m" not in row:
                continue
            masculine, feminine = words(row["m"]), words(row["f"])
            assert len(masculine) == len(feminine), row
            pairs = [(one, other) for one, other in zip(masculine, feminine, strict=True) if one != other]
            different = [pair for pair in pairs if pair not in PRONOUNS[code]]
            assert all(agree(code, one, other) for one, other in different), row
            assert bool(different) != (row["en"] in INVARIABLE[code]), row
            if name == "state":
                assert row["pl"] == (row["m"] if row["m"].endswith("x") else _plural(code, row["m"])), row


def _catalan_feminine(masculine: str) -> str:
    if re.search("[aiu]t$", masculine) and masculine not in ("petit", "diminut"):
        return masculine[:-1] + "da"
    for ending, other in (("ós", "osa"), ("os", "ossa"), ("í", "ina"), ("è", "ena")):
        if masculine.endswith(ending):
            return masculine.removesuffix(ending) + other
    return masculine + "a"


def _plural(code: str, masculine: str) -> str:
    if code == "ca" and masculine.endswith("ós"):
        return masculine.removesuffix("ós") + "osos"
    if code != "it":
        return masculine + "s"
    return re.sub(r"co$", "cho", masculine)[:-1] + "i"


@each_language
def test_alternatives_differ_by_gender_and_nothing_else(code: str) -> None:
    for item in template_items(code):
        assert [candidate.features["gender"] for candidate in item.candidates] == list(GENDERS)
        masculine, feminine = (words(candidate.text) for candidate in item.candidates)
        assert len(masculine) == len(feminine), item
        different = [(one, other) for one, other in zip(masculine, feminine, strict=True) if one != other]
        assert different, item
        for pair in different:
            assert pair in PRONOUNS[code] or agree(code, *pair), item
        if item.label not in NO_REFERENT and not any(pair in PRONOUNS[code] for pair in different):
            assert code != "pt", item


@each_language
def test_right_answer_has_the_gender_of_its_noun(code: str) -> None:
    for item in template_items(code):
        if item.label in PRIORS:
            assert item.gold is None
            continue
        assert item.gold is not None
        assert item.reference == item.candidates[item.gold].text
        gender = GENDERS[item.gold]
        if item.label in NO_REFERENT:
            assert gender == "m", item
            continue
        assert gender_of(code)[head(antecedent(item))] == gender, item


@each_language
def test_nouns_that_compete_differ_in_gender(code: str) -> None:
    for item in template_items(code):
        if item.label not in ("verb-prior", "gender"):
            assert sorted(item.features["genders"]) == ["f", "m"], item


@each_language
def test_right_answer_is_the_one_asked_for(code: str) -> None:
    """Reads the coreference from the sentences: whose verb, object or subject comes again."""
    for item in template_items(code):
        if item.label not in OVERLAPS:
            continue
        assert item.gold is not None
        clauses = re.split(AND[code], item.target_context[0])
        assert len(clauses) == 2, item
        noun, text = head(antecedent(item)), item.candidates[item.gold].text
        own = next(clause for clause in clauses if re.search(rf"\b{noun}\b", clause, re.IGNORECASE))
        assert item.features["clause"] == ("first" if own is clauses[0] else "second"), item
        if "verb" in item.label:
            for verb in (EATING[code], DRINKING[code]):
                assert bool(re.search(verb, own.lower())) == bool(re.search(verb, text.lower())), item
        if item.label != "verb-overlap":
            (named,) = (noun for _, noun in found_phrases(code, item, text))
            assert named != noun and named in [noun for _, noun in found_phrases(code, item, own)], item


@each_language
def test_world_knowledge_asks_for_what_the_predicate_says(code: str) -> None:
    names = {name: {row["word"] for row in rows(code, name)} for name in ("animal", "food")}
    lives = {row["en"] for row in rows(code, "lives")}
    for item in template_items(code):
        if item.label == "world-knowledge":
            said = re.sub(r"^It |\.$", "", item.source)
            assert head(antecedent(item)) in names["animal" if said in lives else "food"], item


@each_language
def test_orders_are_balanced(code: str) -> None:
    items = template_items(code)
    for name in OVERLAPS:
        clauses = Counter((item.features["clause"], item.gold) for item in items if item.label == name)
        assert clauses["first", 0] == clauses["second", 0] and clauses["first", 1] == clauses["second", 1], name
    for name in ("role-prior", "markable", "world-knowledge", "event", "pleonastic"):
        forms = Counter(item.features["form"] for item in items if item.label == name)
        first = sum(forms[form] for form in forms if form.startswith(("active", "animal-first")))
        assert first * 2 == sum(forms.values()), name
    orders = Counter(item.features["genders"] for item in items if item.label == "position-prior")
    assert orders["mf"] == orders["fm"]


@pytest.mark.parametrize("code", ["ca", "es", "it", "pt"])
def test_genders_are_those_of_the_endings(code: str) -> None:
    other = {
        "ca": "mapa moto pa paraigua planeta tramvia",
        "es": "mapa moto planeta tranvía",
        "it": "moto pianeta radio",
        "pt": "cometa guarda-chuva guarda-roupa mapa moto planeta prisão",
    }[code].split()
    for word, gender in gender_of(code).items():
        if word[-1] in "oa":
            assert (gender == ("m" if word[-1] == "o" else "f")) != (word in other), word
