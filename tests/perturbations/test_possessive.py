from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.io.files import text_lines
from referee.items import Item, Span
from referee.languages import language
from referee.perturbations import Dropped, Tally, attacked, choose
from referee.perturbations.edits import edited, text_at
from referee.perturbations.possessive import extend
from referee.perturbations.published.possessive import extended
from referee.suites import load
from tests.support.items import item
from tests.support.published import english_lines, german_lines, in_both

# What the published rule garbles, because it takes pieces of other words, or another noun, for the antecedent.
SPOILED = {
    "maria": {4268, 4327, 6168, 8309},
    "woman": {4268, 4327, 6168, 6359, 6574, 7291, 7671, 7818, 7985, 8309, 8595, 8904, 9005, 9152},
}
COUNTS = {"maria": 3848, "woman": 3839}


def owned(text: str, language: str, key: str, gender: str | None = None) -> str:
    """The text, whose antecedent stands in brackets, with its owner."""
    start, end = text.index("["), text.index("]") - 1
    plain = text.replace("[", "").replace("]", "")
    edits = extend(plain, Span("antecedent", "source", start, end), language, key, gender)
    return f"({edits.reason})" if isinstance(edits, Dropped) else edited(plain, edits)


@pytest.mark.parametrize(
    ("text", "key", "made"),
    [
        ("[The cup] fell.", "maria", "Maria's cup fell."),
        ("[The cup] fell.", "woman", "The woman's cup fell."),
        ("I saw [a cup].", "woman", "I saw the woman's cup."),
        ("Take [your old cup]!", "my-mother", "Take my mother's old cup!"),
        ("Take [your old cup]!", "my-best-friends-mother", "Take the old cup of my best friend's mother!"),
        ("[This cup] fell.", "my-best-friends-mother", "This cup of my best friend's mother fell."),
        ("I see [no cup].", "maria", "(the antecedent has no known determiner)"),
        ("[Cups] fell.", "maria", "(the antecedent has no known determiner)"),
        ("When the next cup comes, [the cup] falls.", "man", "When the next cup comes, the man's cup falls."),
    ],
)
def test_english(text: str, key: str, made: str) -> None:
    assert owned(text, "en", key) == made


@pytest.mark.parametrize(
    ("text", "gender", "key", "made"),
    [
        ("[Die Tasse] fiel.", "f", "maria", "Marias Tasse fiel."),
        ("[Der alte Becher] fiel.", "m", "maria", "Marias alter Becher fiel."),
        ("Mit [der alten Tasse].", "f", "maria", "Mit Marias alter Tasse."),
        ("Mit [dem alten Becher].", "m", "peter", "Mit Peters altem Becher."),
        ("[Das alte Glas] fiel.", "n", "lisa", "Lisas altes Glas fiel."),
        ("[Die Tasse] fiel.", "f", "woman", "Die Tasse von der Frau fiel."),
        ("Ich sah [einen Becher].", "m", "woman", "Ich sah einen Becher von der Frau."),
        ("[Mein Becher] fiel.", "m", "woman", "Der Becher von der Frau fiel."),
        ("[mein Glas] fiel.", "n", "woman", "das Glas von der Frau fiel."),
        ("[Dein alter Becher] fiel.", "m", "man", "Der alte Becher von dem Mann fiel."),
        ("Nimm [deinen alten Becher].", "m", "dog", "Nimm den alten Becher von dem Hund."),
        ("In [eurer Tasse].", "f", "doctor-f", "In der Tasse von der Ärztin."),
        ("Da ist [Ihre Tasse].", "f", "cat", "Da ist die Tasse von der Katze."),
        ("Na: [Ihre Tasse] fiel.", "f", "cat", "Na: Die Tasse von der Katze fiel."),
        ("[Der Becher Omega] fiel.", "m", "woman", "Der Becher Omega von der Frau fiel."),
        ("[Die Tasse aus Ton] fiel.", "f", "woman", "Die Tasse von der Frau aus Ton fiel."),
        ("[Kein Becher] fiel.", "m", "woman", "(the antecedent has no article, demonstrative or possessive)"),
        ("[Jede Tasse] fiel.", "f", "maria", "(the antecedent has no article, demonstrative or possessive)"),
        ("[Tee] half.", "m", "maria", "(the antecedent has no known determiner)"),
        ("[Die Becher] fielen.", "m", "maria", "(the antecedent does not agree with its gender)"),
        ("[Der Becher] fiel.", None, "maria", "(the gender of the antecedent is not known)"),
    ],
)
def test_german(text: str, gender: str | None, key: str, made: str) -> None:
    assert owned(text, "de", key, gender) == made


@pytest.mark.parametrize(
    ("language", "text", "gender", "key", "made"),
    [
        ("fr", "[La tasse] est tombée.", "f", "woman", "La tasse de la femme est tombée."),
        ("fr", "[Ma tasse] est tombée.", "f", "maria", "La tasse de Maria est tombée."),
        ("fr", "[Mon assiette] est tombée.", "f", "maria", "L'assiette de Maria est tombée."),
        ("fr", "J'aime [notre jardin].", "m", "man", "J'aime le jardin de l'homme."),
        ("fr", "[Votre héros] dort.", "m", "man", "(the article before the antecedent is not certain)"),
        ("fr", "[Votre tasse] est là.", None, "man", "(the gender of the antecedent is not known)"),
        ("fr", "[L'assiette] est là.", "f", "man", "L'assiette de l'homme est là."),
        ("es", "[Su taza] cayó.", "f", "woman", "La taza de la mujer cayó."),
        ("es", "Rompió [el vaso].", "m", "dog", "Rompió el vaso del perro."),
        ("it", "[La mia tazza] è caduta.", "f", "company", "La tazza dell'azienda è caduta."),
        ("it", "Ecco [il mio specchio].", "m", "maria", "Ecco lo specchio di Maria."),
        ("it", "[Il tuo orologio] è qui.", "m", "maria", "L'orologio di Maria è qui."),
        ("pt", "[Minha xícara] caiu.", "f", "woman", "A xícara da mulher caiu."),
        ("ca", "[La meva tassa] ha caigut.", "f", "woman", "La tassa de la dona ha caigut."),
        ("ca", "Vaig veure [el meu arbre].", "m", "maria", "Vaig veure l'arbre de la Maria."),
        ("ca", "[Ma tassa] ha caigut.", "f", "robert", "La tassa d'en Robert ha caigut."),
        ("pt", "[A minha xícara] caiu.", "f", "woman", "A xícara da mulher caiu."),
        ("ru", "[Моя чашка] упала.", "f", "woman", "Чашка женщины упала."),
        ("ru", "Вот [чашка].", "f", "government", "Вот чашка правительства."),
        ("pl", "[Mój kubek] spadł.", "m", "dog", "Kubek psa spadł."),
        ("pl", "Oto [ten kubek].", "m", "maria", "Oto ten kubek Marii."),
        ("tr", "[Fincan] düştü.", None, "maria", "(no owners in the language 'tr')"),
    ],
)
def test_other_languages(language: str, text: str, gender: str | None, key: str, made: str) -> None:
    assert owned(text, language, key, gender) == made


ANTECEDENT = "antecedent"


def cup(**changes: object) -> Item:
    """An item whose antecedent is in the sentence before."""
    fields: dict[str, object] = {
        "source_context": ("The cup fell.",),
        "target_context": ("Die Tasse fiel.",),
        "gold": 1,
        "spans": (Span(ANTECEDENT, "source_context", 0, 7), Span(ANTECEDENT, "target_context", 0, 9)),
    }
    return item(**(fields | changes))


def test_both_sides_get_the_owner() -> None:
    (made,) = attacked([cup()], choose(["possessive/woman"])[0])
    assert (made.source_context, made.target_context) == (
        ("The woman's cup fell.",),
        ("Die Tasse von der Frau fiel.",),
    )
    places = [(span.field, span.index) for span in made.spans]
    covered = [text_at(made, place)[span.start : span.end] for span, place in zip(made.spans, places, strict=True)]
    assert covered == ["The woman's cup", "Die Tasse"]
    assert (made.gold, made.candidates) == (1, cup().candidates)


def test_an_antecedent_in_the_same_sentence_changes_in_every_candidate() -> None:
    sentence = "Die Tasse fiel, und {} brach."
    original = item(
        source="The cup fell and it broke.",
        candidates=tuple(
            type(candidate)(sentence.format(pronoun), candidate.features)
            for pronoun, candidate in zip(("er", "sie", "es"), item().candidates, strict=True)
        ),
        gold=1,
        reference=sentence.format("sie"),
        spans=(
            Span(ANTECEDENT, "source", 0, 7),
            *(Span(ANTECEDENT, "candidate", 0, 9, index) for index in range(3)),
            *(Span("pronoun", "candidate", 20, 20 + length, index) for index, length in enumerate((2, 3, 2))),
        ),
    )
    (made,) = attacked([original], choose(["possessive/maria"])[0])
    assert made.source == "Maria's cup fell and it broke."
    assert [candidate.text for candidate in made.candidates] == [
        f"Marias Tasse fiel, und {pronoun} brach." for pronoun in ("er", "sie", "es")
    ]
    assert made.reference == "Marias Tasse fiel, und sie brach."
    pronouns = [span for span in made.spans if span.role == "pronoun"]
    assert [made.candidates[span.index].text[span.start : span.end] for span in pronouns] == ["er", "sie", "es"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"spans": ()}, "no antecedent is marked on the source side"),
        ({"spans": cup().spans[:1]}, "no antecedent is marked on the target side"),
        ({"spans": (*cup().spans, Span(ANTECEDENT, "source", 0, 2))}, "more than one antecedent is marked"),
        (
            {"spans": (cup().spans[0], Span(ANTECEDENT, "candidate", 0, 2))},
            "the antecedent is not marked once in every candidate",
        ),
        ({"target_lang": "tr"}, "no owners in the language 'tr'"),
    ],
)
def test_what_does_not_fit_is_counted(changes: dict[str, object], reason: str) -> None:
    tally = Tally("x")
    assert list(attacked([cup(**changes)], choose(["possessive/maria"])[0], tally)) == []
    assert tally.dropped == {reason: 1}


def test_a_translation_without_anything_on_the_target_side_changes_its_source() -> None:
    original = cup(candidates=(), gold=None, target_context=(), spans=cup().spans[:1], expected=("sie",))
    (made,) = attacked([original], choose(["possessive/maria"])[0])
    assert made.source_context == ("Maria's cup fell.",)


RECORD = {
    "ante distance": 1,
    "ref pronoun": "Sie",
    "src ante phrase": "The cup",
    "ref ante phrase": "Die Tasse",
}


@pytest.mark.parametrize(
    ("change", "meta", "reason"),
    [
        ({}, {}, None),
        ({}, {"subsets": ["possessive/maria"]}, None),
        ({}, {"subsets": ["synonyms"]}, "not among the examples that were published"),
        ({"ref pronoun": "Es"}, {}, "the pronoun is not er or sie"),
        ({"ante distance": 2}, {}, "the antecedent is farther than one sentence"),
        ({"src ante phrase": "The cup on the table"}, {}, "the antecedent is not of two or three words"),
        ({"src ante phrase": "A mug"}, {}, "the antecedent is not in the text"),
    ],
)
def test_the_published_form_needs_a_record_that_fits(
    change: dict[str, object], meta: dict[str, object], reason: str | None
) -> None:
    tally = Tally("x")
    original = cup(meta={"record": RECORD | change, **meta})
    made = list(attacked([original], choose(["possessive/maria"], paper=True)[0], tally))
    assert dict(tally.dropped) == ({} if reason is None else {reason: 1})
    assert [one.target_context for one in made] == ([("Marias Tasse fiel.",)] if reason is None else [])


def test_the_published_form_without_records_says_where_they_are() -> None:
    tally = Tally("x")
    assert list(attacked([cup()], choose(["possessive/maria"], paper=True)[0], tally)) == []
    assert "contracat/contrapro/annotated" in next(iter(tally.dropped))


@pytest.mark.parametrize(
    ("text", "phrase", "key", "made"),
    [
        ("die Tasse fiel.", "Die Tasse", "woman", "die Tasse von der Frau fiel."),
        ("Dein Hut fiel.", "Dein Hut", "woman", "die Hut von der Frau fiel."),
        ("in dieser Welt und diese Welt", "diese Welt", "maria", "in Marias  Welt und diese Welt"),
        ("ein Hut und der Hut fiel.", "der Hut", "woman", "ein Hut und der  von der Frau und der Hut fiel."),
    ],
)
def test_faults_of_the_published_form(text: str, phrase: str, key: str, made: str) -> None:
    german = language("de").attacks
    assert german is not None
    edits = extended(text, phrase, german.owners[key], is_german=True)
    assert not isinstance(edits, Dropped)
    assert edited(text, edits) == made


@pytest.fixture(scope="module")
def annotated(shared_data: Path) -> list[Item]:
    return list(load("contracat/contrapro/annotated", data=shared_data))


@pytest.mark.parametrize(("data", "name", "size"), in_both({"maria": 3, "woman": 2}, COUNTS))
def test_published_files_come_out_line_by_line(data: Path, name: str, size: int) -> None:
    annotated = load("contracat/contrapro/annotated", data=data)
    made = list(attacked(annotated, choose([f"possessive/{name}"], paper=True)[0]))
    assert len(made) == size
    path = data / "contracat/adversarial_ContraPro/possessive_extension" / name
    assert list(english_lines(made)) == list(text_lines(path / "en.txt"))
    assert list(german_lines(made)) == list(text_lines(path / "de.txt"))


SIZES = {
    "my-best-friends-mother": (11_514, 1_352_889, 1_572_485),
    "company": (11_517, 1_156_404, 1_331_502),
    "government": (11_517, None, 1_296_951),
    "man": (11_517, 1_110_336, 1_239_366),
    "dog": (11_517, 1_110_336, 1_239_366),
    "doctor-m": (11_517, None, 1_239_366),
    "my-mother": (11_517, 1_133_370, 1_343_019),
    "my-father": (11_517, 1_133_370, None),
    "lisa": (11_544, None, 1_153_891),
    "peter": (11_544, 1_090_293, 1_165_435),
    "david": (11_544, 1_090_293, None),
}
"""Of published files that are not in the data folder: lines, and characters of `en.txt` and `de.txt` where known."""


@pytest.mark.parametrize("name", SIZES)
def test_sizes_of_the_other_published_files(name: str, annotated: list[Item]) -> None:
    made = list(attacked(annotated, choose([f"possessive/{name}"], paper=True)[0]))
    english, german = list(english_lines(made)), list(german_lines(made))
    counts = [sum(len(line) + 1 for line in lines) for lines in (english, german)]
    lines, *known = SIZES[name]
    assert len(german) == lines
    assert [count if size else None for count, size in zip(counts, known, strict=True)] == known


def all_places(text: str, phrase: str, code: str, key: str) -> set[str]:
    """What the published rule gives where it hits the phrase itself, wherever in the text."""
    attacks = language(code).attacks
    assert attacks is not None
    owner = attacks.owners[key]
    made = set()
    pattern = r"\s*".join(map(re.escape, phrase.split()))
    for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE):
        edits = extended(match[0], match[0], owner, is_german=code == "de")
        assert not isinstance(edits, Dropped)
        behind = f" {owner.text}" if owner.place == "after" else ""
        made.add(text[: match.start()] + edited(match[0], edits[:1]) + behind + text[match.end() :])
    return made


@pytest.mark.parametrize("name", COUNTS)
def test_the_spoiled_examples_are_those_that_the_documentation_lists(name: str, annotated: list[Item]) -> None:
    spoiled = set()
    originals = {one.id: one for one in annotated}
    for one in attacked(annotated, choose([f"possessive/{name}"], paper=True)[0]):
        original = originals[one.group or ""]
        record = one.meta["record"]
        for span in original.spans:
            if span.role != "antecedent":
                continue
            is_source = span.field in ("source", "source_context")
            phrase, language = (record["src ante phrase"], "en") if is_source else (record["ref ante phrase"], "de")
            before, after = (text_at(each, (span.field, span.index)) for each in (original, one))
            if after not in all_places(before, phrase, language, name):
                spoiled.add(int(original.id.removeprefix("contrapro-")))
    assert spoiled == SPOILED[name]


def test_corrected_forms_replace_the_exact_span(annotated: list[Item]) -> None:
    for name in ("possessive/maria", "possessive/woman"):
        tally = Tally(name)
        originals = {one.id: one for one in annotated}
        for one in attacked(annotated, choose([name])[0], tally):
            original = originals[one.group or ""]
            for old in original.spans:
                if old.role == "antecedent":
                    before, after = (text_at(each, (old.field, old.index)) for each in (original, one))
                    assert after[: old.start] == before[: old.start]
                    assert after.endswith(before[old.end :])
        assert (tally.items, tally.changed) == (4272, 4145)
