"""What a text wrote, by the tables of each language."""

from __future__ import annotations

import pytest

from referee.languages import language, languages
from referee.languages.forms import Reading, has_forms, has_rival, is_listed, read, read_case, values_of


@pytest.mark.parametrize(
    ("code", "text", "value"),
    [
        ("de", "Haben Sie Zeit?", "formal"),
        ("de", "Sie haben Zeit.", "formal"),
        ("de", "Was ist Ihr Beruf?", "formal"),
        ("de", "Wer seid Ihr?", "informal"),
        ("de", "Ihr bleibt hier.", "informal"),
        ("de", "Wen sucht ihr?", "informal"),
        ("de", "Ich sehe Dich.", "informal"),
        ("es", "¿Cómo está usted?", "formal"),
        ("es", "No quiero ayudarte.", "informal"),
        ("es", "¿Qué hiciste?", "informal"),
        ("es", "Es una parte triste.", None),
        ("fr", "Où êtes-vous ?", "formal"),
        ("fr", "Je t’aime.", "informal"),
        ("it", "Scusi, dov'è?", "formal"),
        ("it", "Che cosa vuoi?", "informal"),
        ("pl", "Czy mogę pani pomóc?", "formal"),
        ("pl", "Co robisz?", "informal"),
        ("pl", "To jest nasz dom.", None),
        ("pt", "Onde você mora?", "formal"),
        ("pt", "Onde estás?", "informal"),
        ("ru", "Подождите вас.", "formal"),
        ("ru", "Что делаешь?", "informal"),
        ("ru", "Лишь бы успеть.", None),
        ("ru", "На сайте.", None),
        ("es", "Dieciséis de mayo.", None),
    ],
)
def test_address(code: str, text: str, value: str | None) -> None:
    assert read(text, code, "formality").values == (frozenset() if value is None else {value})


def test_a_capital_tells_inside_a_sentence_only() -> None:
    assert read("Ich mag sie.", "de", "formality") == Reading()
    assert read("Ich mag Sie.", "de", "formality", doubt=True) == Reading(frozenset({"formal"}))
    # So do they in a word that is all capitals.
    assert read("ICH MAG SIE.", "de", "formality", doubt=True) == Reading(unclear=True)
    # At the start she, they and the polite form look the same: only a source without she and they decides.
    assert read("Sie mag das.", "de", "formality", doubt=True) == Reading(unclear=True)
    assert (has_rival("You like it.", "en", "formality"), has_rival("You go.", "en", "formality")) == (True, False)
    # Of a source language without such words it is not known.
    assert has_rival("Tú vas.", "es", "formality")


@pytest.mark.parametrize(
    ("code", "text", "value"),
    [
        ("de", "Ich sehe ihn.", "m"),
        ("de", "Es ist kalt.", "n"),
        ("es", "Ya la encontramos.", "f"),
        ("es", "Quiero verlo.", "m"),
        ("es", "La casa es grande.", None),
        ("es", "Carla es lo que es.", None),
        ("fr", "Elle est là.", "f"),
        ("fr", "Je le veux.", "m"),
        ("fr", "Le chat dort.", None),
        ("it", "Non la voglio.", "f"),
        ("it", "La casa di vederlo.", "m"),
        ("it", "È la casa.", None),
        ("it", "È il mio.", "m"),
        ("it", "La mia casa di Carla.", None),
        ("pt", "É a casa.", None),
        ("ru", "Мой дом.", None),
        ("ru", "Он мой.", "m"),
        ("pl", "Widzę ją.", "f"),
        ("pt", "Gosto dele.", "m"),
        ("pt", "Quero vê-la.", "f"),
        ("ru", "Она тут.", "f"),
    ],
)
def test_gender(code: str, text: str, value: str | None) -> None:
    assert read(text, code, "gender").values == (frozenset() if value is None else {value})


@pytest.mark.parametrize(
    ("code", "text"), [("de", "Ich gebe ihm das."), ("fr", "Je l'aime."), ("pl", "Widzę go."), ("ru", "Я вижу его.")]
)
def test_a_form_of_two_genders_decides_nothing(code: str, text: str) -> None:
    assert read(text, code, "gender") == Reading(unclear=True)


def test_a_demonstrative_is_another_form() -> None:
    assert read("Das war gut.", "de", "gender") == Reading(other=True)
    assert read("Das Haus war gut.", "de", "gender") == Reading()
    assert read("Eso es.", "es", "gender").other


def test_pronouns_of_others_are_known_from_the_reference() -> None:
    reference = "He gave it to her."
    found = read("He gave him to her.", "en", "animacy", reference=reference, expected="it")
    assert found == Reading(frozenset({"animate"}))
    assert read("He gave it to her.", "en", "animacy", reference=reference, expected="it").values == {"inanimate"}
    assert read("He gave to her.", "en", "animacy", reference=reference, expected="it") == Reading()
    assert read("He gave it to her.", "en", "animacy").values == {"animate", "inanimate"}


@pytest.mark.parametrize(
    ("code", "text", "value"),
    [
        ("de", "Das tue ich.", "present"),
        ("de", "Das tun wir nicht.", "present"),
        ("de", "Das habe ich getan.", "past"),
        ("de", "Ich würde es tun.", "conditional"),
        ("de", "Das wirst du.", "future"),
        ("es", "No lo haré.", "future"),
        ("es", "Lo hizo.", "past"),
        ("es", "Voy a hacerlo.", "future"),
        ("es", "María está detrás.", "present"),
        ("fr", "Je le ferai.", "future"),
        ("fr", "Je l'ai fait.", "past"),
        ("it", "Lo farò.", "future"),
        ("it", "L'ho fatto.", "past"),
        ("pl", "Zrobiłbym to.", "conditional"),
        ("pt", "Não o farei.", "future"),
        ("ru", "Я сделал бы это.", "conditional"),
        ("ru", "Я сделал это.", "past"),
    ],
)
def test_tense(code: str, text: str, value: str) -> None:
    assert read(text, code, "tense").values == {value}


@pytest.mark.parametrize(
    ("code", "text"),
    [("fr", "La caméra du Sahara."), ("it", "Però."), ("pl", "Tytułem."), ("pt", "O verão."), ("es", "¡Compré!")],
)
def test_words_that_end_like_verbs(code: str, text: str) -> None:
    assert read(text, code, "tense") == Reading()


def test_the_perfect_without_its_participle_decides_nothing() -> None:
    assert read("Ja, das habe ich.", "de", "tense") == Reading(unclear=True)


def test_a_verb_that_is_not_finite_is_another_form() -> None:
    assert read("Einfach machen!", "de", "tense") == Reading(other=True)


@pytest.mark.parametrize(
    ("code", "text", "expected", "case", "reading"),
    [
        ("ru", "С машиной.", "машину", "acc", Reading(frozenset({"ins"}))),
        ("ru", "На машине.", "машину", "acc", Reading(unclear=True)),
        ("ru", "Машина.", "машину", "acc", Reading(frozenset({"nom"}))),
        ("ru", "Со мной.", "мне", "dat", Reading(frozenset({"ins"}))),
        ("ru", "Дом.", "машину", "acc", Reading()),
        ("pl", "Z kobietą.", "kobietę", "acc", Reading(frozenset({"ins"}))),
        ("pl", "Kobiety.", "kobietę", "acc", Reading(unclear=True)),
        ("de", "Das Haus.", "Haus", "nom", Reading()),
    ],
)
def test_case(code: str, text: str, expected: str, case: str, reading: Reading) -> None:
    assert read_case(text, code, expected, case) == reading


def test_all_of_ctxpro_has_tables() -> None:
    assert set(languages("forms.toml")) == {"de", "en", "es", "fr", "it", "pl", "pt", "ru"}
    for code in ("de", "es", "fr", "it", "pl", "pt", "ru"):
        assert all(has_forms(code, feature) for feature in ("formality", "gender", "tense"))
        assert values_of(code, "formality") == ("formal", "informal")
        assert values_of(code, "tense") == ("present", "past", "future", "conditional")
    assert {code for code in languages() if has_forms(code, "case")} == {"pl", "ru"}
    assert values_of("ru", "case") == ("nom", "gen", "dat", "acc", "ins", "loc")
    assert values_of("en", "animacy") == ("animate", "inanimate")
    assert (values_of("en", "case"), values_of("th", "gender"), read("x", "th", "gender")) == ((), (), Reading())


def test_which_forms_a_table_has() -> None:
    assert is_listed("Sie", "de", "formality") and is_listed("dich", "de", "formality")
    assert not is_listed("gehen", "de", "tense") and not is_listed("x", "th", "tense")


@pytest.mark.parametrize("code", languages("forms.toml"))
def test_all_tables_can_be_searched(code: str) -> None:
    for feature in ("formality", "gender", "animacy", "tense"):
        forms = language(code).form_tables.of(feature)
        for value, spellings in (forms.values if forms else {}).items():
            for form in spellings:
                reading = read(f"x {form} x", code, feature)
                assert value in reading.values or reading.unclear or form in language(code).form_tables.clitics.forms, (
                    form
                )
