"""French, Spanish, Italian and Portuguese templates: every sentence is read again, without the engine that made it.

Genders of nouns come straight from the word files, and are checked against treebanks (with the public data) and
dictionaries (Debian: lttoolbox, apertium-fra-cat, apertium-eng-spa, apertium-cat-ita, apertium-por-cat, ...;
hunspell-fr-comprehensive, hunspell-pt-pt; $REFEREE_DICTIONARIES names a folder they were unpacked in).
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pytest

from referee.items import Item
from tests.support.generated import NO_REFERENT, NOUNS, OVERLAPS, PRIORS, made, marked, rows, texts

LANGUAGES = ("fr", "es", "it", "pt")
GENDERS = ("m", "f")
AGREEING = ("size", "look", "state", "lives", "tastes", "event", "pleonastic", "manner", "verb")

ARTICLES = {
    "fr": {"m": {"le", "l'", "un"}, "f": {"la", "l'", "une"}},
    "es": {"m": {"el", "del", "al", "un"}, "f": {"la", "una"}},
    "it": {
        "m": {"il", "lo", "l'", "un", "uno", "al", "allo", "all'", "dal", "dallo", "dall'"},
        "f": {"la", "l'", "una", "un'", "alla", "all'", "dalla", "dall'"},
    },
    "pt": {"m": {"o", "do", "pelo", "um"}, "f": {"a", "da", "pela", "uma"}},
}
NEVER = {
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
    "fr": {("il", "elle"), ("cela", "elle"), ("c'", "elle")},
    "es": {("lo", "la"), ("él", "ella")},
    "it": {("lui", "lei"), ("gli", "le")},
    "pt": {("ele", "ela"), ("o", "a"), ("dele", "dela"), ("isso", "ela")},
}
TASTES = {f"had a {taste} taste" for taste in ("sweet", "bitter", "sour")}
LOOKS = {"was looking around", "was running around", "lasted only a minute"}
INVARIABLE: dict[str, set[str]] = {
    "fr": {"huge", "tiny", *LOOKS, *TASTES},
    "es": set(),
    "it": set(),
    "pt": {"big", "huge", "happy", "was happy", "was hungry", *LOOKS, *TASTES}
    | {"happened yesterday", "happened very quickly"},
}
"""What does not agree, by its English: there the pronoun shows the gender."""
EATING = {"fr": r"mangée?\b", "es": r"\bcomió\b", "it": r"mangiat[oa]\b", "pt": r"\bcomeu\b"}
DRINKING = {"fr": r"\bbue?\b", "es": r"\bbebió\b", "it": r"bevut[oa]\b", "pt": r"\bbebeu\b"}
AND = {"fr": " et ", "es": " y ", "it": " e ", "pt": " e "}
TREEBANKS = {"fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese"}
DISAGREE: dict[str, set[str]] = {
    "fr": set(),
    "es": {"coliflor", "moto", "serpiente"},
    "it": set(),
    "pt": {"meia"},
}
"""Nouns that the treebanks have with another gender more often, wrongly."""
ANALYSERS = {
    "fr": ("apertium-fra-cat/fra-cat", "apertium-oci-fra/fra-oci"),
    "es": ("apertium-eng-spa/spa-eng", "apertium-spa-ita/spa-ita", "apertium-es-pt/es-pt"),
    "it": ("apertium-cat-ita/ita-cat", "apertium-srd-ita/ita-srd", "apertium-spa-ita/ita-spa"),
    "pt": ("apertium-por-cat/por-cat", "apertium-es-pt/pt-es", "apertium-pt-gl/pt-gl"),
}
SPELLING = {
    "fr": (("fr.dic", r"^([\w-]+)\S*\s.*po:nom.*is:(mas|fem|epi)"),),
    "pt": (("pt_PT.dic", r"^([\w-]+)\S*\s+\[CAT=(?:nc|a_nc),G=(m|f|2)"),),
}
NOT_ATTESTED = {
    "fr": "",
    "es": (
        "arcoíris batido bocadillo cactus candelabro carretilla cazo filete golondrina hervidor palangana "
        "ropero saltamontes tortilla"
    ),
    "it": (
        "aragosta aranciata arcobaleno avvocata benda bollitore candeliere cavalletta ciotola comignolo "
        "cornetto fienile frittata giraffa guanciale limonata lucchetto palloncino pantofola posacenere "
        "racchetta salsiccia staccionata stampella talpa zattera"
    ),
    "pt": ("berinjela cacto escorregador garçonete luminária marionete pera trailer trator trilha"),
}
"""Neither in the treebanks nor in those dictionaries: checked by hand."""

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
    target = re.compile(r"[A-ZÀ-Ý][a-zà-ÿœA-ZÀ-Ý, '-]*[^ ][.]|¡Vaya!|Waouh !|Caspita!|Nossa!")
    english = re.compile(r"[A-Z][a-zA-Z, -]*[a-z][.!]")
    for item in made(code):
        assert all(english.fullmatch(text) for text in (*item.source_context, item.source)), item
        for text in texts(item):
            assert target.fullmatch(text), text
            assert "  " not in text and " ," not in text and "' " not in text, text


@each_language
def test_english_articles(code: str) -> None:
    for item in made(code):
        for text in (*item.source_context, item.source):
            assert not re.search(r"\ba [aeiou]|\ban [^aeiou]", text), text


@each_language
def test_words_change_where_they_meet(code: str) -> None:
    never = re.compile(NEVER[code], re.IGNORECASE)
    for text in {text for item in made(code) for text in texts(item)}:
        assert not never.search(text), text


@each_language
def test_articles_agree_with_nouns(code: str) -> None:
    genders = gender_of(code)
    number: dict[str | None, int] = {name: 2 if name == "verb-overlap" else 4 for name in OVERLAPS}
    number |= {"gender": 1, "verb-prior": 0}
    for item in made(code):
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


def _plural(code: str, masculine: str) -> str:
    if code != "it":
        return masculine + "s"
    return re.sub(r"co$", "cho", masculine)[:-1] + "i"


@each_language
def test_alternatives_differ_by_gender_and_nothing_else(code: str) -> None:
    for item in made(code):
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
    for item in made(code):
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
    for item in made(code):
        if item.label not in ("verb-prior", "gender"):
            assert sorted(item.features["genders"]) == ["f", "m"], item


@each_language
def test_right_answer_is_the_one_asked_for(code: str) -> None:
    """Reads the coreference from the sentences: whose verb, object or subject comes again."""
    for item in made(code):
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
    for item in made(code):
        if item.label == "world-knowledge":
            said = re.sub(r"^It |\.$", "", item.source)
            assert head(antecedent(item)) in names["animal" if said in lives else "food"], item


@each_language
def test_orders_are_balanced(code: str) -> None:
    items = made(code)
    for name in OVERLAPS:
        clauses = Counter((item.features["clause"], item.gold) for item in items if item.label == name)
        assert clauses["first", 0] == clauses["second", 0] and clauses["first", 1] == clauses["second", 1], name
    for name in ("role-prior", "markable", "world-knowledge", "event", "pleonastic"):
        forms = Counter(item.features["form"] for item in items if item.label == name)
        first = sum(forms[form] for form in forms if form.startswith(("active", "animal-first")))
        assert first * 2 == sum(forms.values()), name
    orders = Counter(item.features["genders"] for item in items if item.label == "position-prior")
    assert orders["mf"] == orders["fm"]


@pytest.mark.parametrize("code", ["es", "it", "pt"])
def test_genders_are_those_of_the_endings(code: str) -> None:
    other = {
        "es": "mapa moto planeta tranvía",
        "it": "moto pianeta radio",
        "pt": "cometa guarda-chuva guarda-roupa mapa moto planeta prisão",
    }[code].split()
    for word, gender in gender_of(code).items():
        if word[-1] in "oa":
            assert (gender == ("m" if word[-1] == "o" else "f")) != (word in other), word


@each_language
def test_genders_are_those_of_treebanks(code: str, shared_data: Path) -> None:
    found = treebank(shared_data, code)
    known = {word: counts for word in gender_of(code) if (counts := found.get(word))}
    assert len(known) > 170
    wrong = {word for word, counts in known.items() if 2 * counts[gender_of(code)[word]] < sum(counts.values())}
    assert wrong == DISAGREE[code]


@each_language
def test_genders_are_those_of_dictionaries(code: str, shared_data: Path) -> None:
    found = dictionaries(code)
    if not found:
        pytest.skip("not all of the dictionaries are installed")
    treebanks = treebank(shared_data, code)
    genders = gender_of(code)
    assert not {word for word, known in found.items() if genders[word] not in known and "mf" not in known}
    assert {word for word in genders if word not in found and word not in treebanks} == set(NOT_ATTESTED[code].split())


@cache
def treebank(data: Path, code: str) -> dict[str, Counter[str]]:
    """How often a noun in the singular, as it is written, has each gender."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for path in sorted((data / "ud").glob(f"UD_{TREEBANKS[code]}-*/*.conllu.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                cells = line.split("\t")
                if len(cells) == 10 and cells[3] == "NOUN" and "Number=Plur" not in cells[5]:
                    gender = re.search(r"Gender=(Masc|Fem)(?:\||$)", cells[5])
                    if gender:
                        found[cells[1].lower()][gender[1][0].lower()] += 1
    return found


def dictionaries(code: str) -> dict[str, set[str]]:
    """The genders (m, f, mf) that dictionaries give each noun; nothing unless all are installed."""
    root = Path(os.environ.get("REFEREE_DICTIONARIES", "/")) / "usr/share"
    analysers = [root / "apertium" / f"{name}.automorf.bin" for name in ANALYSERS[code]]
    spelling = [(root / "hunspell" / name, pattern) for name, pattern in SPELLING.get(code, ())]
    program = shutil.which("lt-proc")
    if program is None or not all(path.is_file() for path in (*analysers, *(path for path, _ in spelling))):
        return {}
    genders = gender_of(code)
    found: dict[str, set[str]] = defaultdict(set)
    for path in analysers:
        text = "\n".join(f"{noun} ." for noun in genders)
        analysed = subprocess.run([program, str(path)], input=text, capture_output=True, text=True, check=True)
        for form, analyses in re.findall(r"\^([^/$]+)/([^$]*)\$", analysed.stdout):
            found[form.lower()].update(re.findall(r"<n>(?:<acr>)?<(mf|m|f)><s[gp]>(?!\+)", analyses))
    for path, pattern in spelling:
        for form, gender in re.findall(pattern, path.read_text(encoding="utf-8"), re.MULTILINE):
            found[form].add({"mas": "m", "fem": "f", "epi": "mf", "2": "mf"}.get(gender, gender))
    return {word: found[word] for word in genders if found.get(word)}
