"""Whether a translation holds the expected form, by the published rule and by the one that mends it."""

from __future__ import annotations

import unicodedata

import pytest

from referee.languages.sentences import splitter
from referee.scoring.form_match import found_by_paper, found_by_token, hits, paper_sentence, with_context

CASES = [
    # language, sentence, form, by paper, by token
    ("de", "Er kam.", "er", True, True),
    ("de", "Da kam er.", "er", True, True),
    ("de", "Da kam er, und sie ging.", "sie", True, True),
    ("de", "Da kam sie.", "er", False, False),
    ("de", "", "er", False, False),
    ("de", "   ", "er", False, False),
    ("de", "...", "er", False, False),
    # A longer word holds the letters of the form, not the form.
    ("de", "Der Vater erkannte Peter.", "er", False, False),
    ("de", "Diesieben", "sie", False, False),
    ("fr", "Elles parlent.", "elle", False, False),
    ("ru", "Она пришла.", "он", False, False),
    ("pl", "Ona go widziała.", "on", False, False),
    ("ru", "Это замо\u0301к.", "к", False, False),  # an accent does not end a word
    ("hi", "हिन्दी अच्छी है", "हि", False, False),  # nor does a vowel sign
    # Punctuation glued to a word.
    ("de", "»Er«, sagte sie.", "sie", True, True),
    ("de", "Kam er? Nein!", "er", True, True),
    ("de", "Kam (er) nicht?", "er", True, True),
    ("de", "Das – er – nicht", "er", True, True),
    ("de", "Das —er— nicht", "er", False, True),  # only ASCII punctuation is deleted
    ("de", "Kam „er“ nicht?", "er", False, True),
    ("ru", "Пришёл «он»?", "он", False, True),
    ("de", "Kam er…", "er", False, True),
    ("en", 'He said "it" twice.', "it", True, True),
    ("en", "He said 'it' twice.", "it", True, True),
    ("de", "Er rief: 'Sie ist da!'", "sie", True, True),
    ("de", "Das Wort 'sie' fehlt.", "sie", True, True),
    ("fr", "Il a écrit 'elle' ici.", "elle", True, True),
    ("it", "Ha detto: 'vieni con lui'", "lui", True, True),
    ("it", "Ha scritto ‘lui’ qui.", "lui", False, True),
    # Elision: the apostrophe ends the clitic.
    ("fr", "Je t'aime.", "t'", False, True),
    ("fr", "Je t’aime.", "t'", False, True),
    ("fr", "Je t'aime.", "t’", False, True),
    ("fr", "T'aime-t-il ?", "t'", False, True),
    ("fr", "Je te vois.", "t'", False, False),
    ("fr", "Il est petit'", "t'", False, False),
    ("fr", "Je l'ai vue.", "l'", False, True),
    ("fr", "Je l'ai vue.", "ai", False, True),
    ("fr", "Je la vois.", "l'", False, False),
    ("fr", "Il l'a vu.", "la", True, False),  # "l'a" is not "la"
    ("fr", "Qu'elle vienne.", "elle", False, True),
    ("it", "Non l'ho vista.", "l'", False, True),
    ("it", "Non l’ho vista.", "ho", False, True),
    ("it", "Non lho vista.", "l'", False, False),
    # Contraction: the apostrophe begins the clitic.
    ("en", "I think it's late.", "it", False, True),
    ("en", "I think it's late.", "its", True, False),
    ("en", "I think it’s late.", "it", False, True),
    ("en", "We saw its tail.", "it", False, False),
    ("de", "Ich hab's gesehen.", "'s", False, True),
    # Hyphens end words.
    ("fr", "Donne-le à Marie.", "le", False, True),
    ("fr", "Donne-le-lui.", "lui", False, True),
    ("fr", "Vient-elle ?", "elle", False, True),
    # Forms of several words.
    ("fr", "C'est à elle que je parle.", "à elle", True, True),
    ("fr", "C'est à « elle » que je parle.", "à elle", False, True),
    ("fr", "Elle est à lui.", "à elle", False, False),
    ("fr", "À bientôt, elle part.", "à elle", False, False),
    ("de", "Das ist der von ihr.", "von ihr", True, True),
    # Case, where it is only a matter of position or style.
    ("fr", "ELLE VIENT.", "elle", True, True),
    ("fr", "Elle vient.", "ELLE", True, True),
    ("de", "Da kam ER.", "er", True, True),
    ("ru", "Она пришла.", "она", True, True),
    # German polite forms inside a sentence.
    ("de", "Kommen Sie mit?", "Sie", True, True),
    ("de", "Kommen Sie mit?", "sie", True, False),
    ("de", "Kommen sie mit?", "Sie", True, False),
    ("de", "Kommen sie mit?", "sie", True, True),
    ("de", "Ich helfe Ihnen.", "ihnen", True, False),
    ("de", "Ich helfe ihnen.", "ihnen", True, True),
    ("de", "Das ist Ihre Tasche.", "ihre", True, False),
    ("de", "Das ist ihre Tasche.", "Ihre", True, False),
    ("de", "Ja, Sie kommen.", "sie", True, False),
    ("de", "Gut – Sie kommen.", "sie", True, False),
    ("de", "Er sagt, Sie kommen, sie nicht.", "sie", True, True),  # a later one is right
    # At the start of a sentence every word is capitalised.
    ("de", "Sie kommen.", "sie", True, True),
    ("de", "Sie kommen.", "Sie", True, True),
    ("de", "Ihre Tasche fehlt.", "ihre", True, True),
    ("de", "- Sie kommen.", "sie", True, True),
    ("de", "– Sie kommen.", "sie", True, True),
    ("de", "„Sie kommen“, rief er.", "sie", False, True),
    ("de", '"Sie kommen", rief er.', "sie", True, True),
    ("de", "»Sie kommen«, rief er.", "sie", False, True),
    ("de", "Er rief: Sie kommen!", "sie", True, True),
    ("de", "Er rief: „Sie kommen!“", "sie", False, True),
    ("de", "Er rief: »Sie kommen!«", "sie", False, True),
    ("de", "Halt! Sie kommen.", "sie", True, True),
    ("de", "Nun … Sie kommen.", "sie", True, True),
    ("de", "Nun... Sie kommen.", "sie", True, True),
    ("de", "♪ Sie kommen ♪", "sie", True, True),
    ("en", "Then THEY came.", "they", True, True),  # no such rule elsewhere
    # All in capitals, they distinguish nothing.
    ("de", "HABEN SIE SIE GESEHEN?", "Sie", True, True),
    ("de", "DA KOMMT SIE.", "sie", True, True),
    ("de", "Ich meine SIE!", "Sie", True, True),
    ("de", "ICH HELFE IHNEN.", "Ihnen", True, True),
    ("de", "ER WEISS DAS.", "weiß", False, True),
    # Scripts without spaces, particles and conjunctions: nothing was published, so both rules are the same.
    ("zh", "昨天她走了。", "她", True, True),
    ("zh", "昨天他们走了。", "他", False, False),
    ("ja", "昨日、彼女は笑った。", "彼女", True, True),
    ("ja", "昨日、彼女は笑った。", "彼", False, False),
    ("th", "เมื่อวานเธอไปตลาด", "เธอ", True, True),
    ("ko", "그녀는 갔다.", "그녀", True, True),
    ("ar", "وهي هنا", "هي", True, True),
    ("ar", "وَهِيَ هُنا", "هي", True, True),
    ("he", "אמרה שהיא כאן", "היא", True, True),
    # Composed and decomposed letters.
    ("fr", unicodedata.normalize("NFD", "Il est là-bas, là."), "là", False, True),
    ("fr", "Il est là.", unicodedata.normalize("NFD", "là"), False, True),
    ("pl", unicodedata.normalize("NFD", "Widzę ją tam."), "ją", False, True),
    ("ru", unicodedata.normalize("NFD", "Я вижу её."), "её", False, True),
    ("ru", unicodedata.normalize("NFD", "Это мой дом."), "мои", False, False),
]


@pytest.mark.parametrize(("language", "sentence", "form", "paper", "token"), CASES)
def test_both_rules(language: str, sentence: str, form: str, paper: bool, token: bool) -> None:
    assert hits(sentence, [form], language) == {"paper": paper, "token": token}


def test_one_of_several_forms_is_enough() -> None:
    assert hits("Je l'ai vue.", ["la", "l'"], "fr") == {"paper": False, "token": True}
    assert hits("Je la vois.", ["l'", "la"], "fr") == {"paper": True, "token": True}
    assert hits("Je la vois.", ["le", "les"], "fr") == {"paper": False, "token": False}
    assert hits("Je la vois.", [], "fr") == {"paper": False, "token": False}


def test_a_form_without_letters_is_never_found() -> None:
    assert not found_by_token("a - b", ["-"], "en")


def test_the_paper_deletes_punctuation_from_the_output_only() -> None:
    assert not found_by_paper("Je t'aime", ["t'"])
    assert not found_by_paper("Viens avec-moi", ["avec-moi"])
    assert found_by_paper("Viens a-vec moi!", ["avec moi"])


def test_the_paper_deletes_punctuation_without_a_space_in_its_place() -> None:
    assert found_by_paper("l'ho", ["lho"])
    assert not found_by_paper("er/sie", ["er"])


@pytest.mark.parametrize(
    ("language", "output", "last"),
    [
        ("de", "Der Hund schlief. Er war müde.", "Er war müde."),
        ("de", "Er war müde.", "Er war müde."),
        ("de", "Er war müde", "Er war müde"),
        ("de", "", ""),
        ("de", "   ", ""),
        ("de", "Was? Ja! Sie kam.", "Sie kam."),
        ("de", "Er traf Dr. Weber.", "Er traf Dr. Weber."),  # an abbreviation ends no sentence
        ("de", "Am 3. Mai kam er.", "Am 3. Mai kam er."),
        ("en", "Mr. Smith left. It was late.", "It was late."),
        ("fr", "Il est parti. Elle est restée.", "Elle est restée."),
        ("fr", "M. Dupont est là.", "M. Dupont est là."),
        ("it", "È tardi. Vado a casa.", "Vado a casa."),
        ("pl", "Przyszedł. Ona wyszła.", "Ona wyszła."),
        ("ru", "Он пришёл. Она ушла.", "Она ушла."),
        ("ru", "Он пришёл! Она ушла?", "Она ушла?"),
        ("qve", "One came. Two left.", "Two left."),  # no rules for Quechua: those of English
        ("zh", "他走了。她来了。", "她来了。"),
        ("ja", "雨だ！彼は「帰る。」と言った。", "彼は「帰る。」と言った。"),
        ("hi", "वह गया। वह आई।", "वह आई।"),
        ("ar", "هل هو هنا؟ نعم.", "نعم."),
        ("de", "- Wo ist es? - Da ist es.", "- Da ist es."),
        ("de", "SIE KAM. ER GING.", "ER GING."),
    ],
)
def test_last_sentence(language: str, output: str, last: str) -> None:
    assert with_context(output, splitter(language))[1] == last


def test_each_language_has_its_own_abbreviations() -> None:
    text = "Er kam mit ca. Hundert Leuten."
    assert with_context(text, splitter("de"))[1] == text
    assert with_context("Come by bus bzw. Take the train.", splitter("en"))[1] == "Take the train."
    assert with_context("Er kommt bzw. Sie kommt.", splitter("de"))[1] == "Er kommt bzw. Sie kommt."


def test_any_form_counts_by_both_rules() -> None:
    assert hits("Sie war hungrig.", ("er", "sie"), "de") == {"paper": True, "token": True}
    assert hits("Wir waren hungrig.", ("er", "sie"), "de") == {"paper": False, "token": False}


def test_the_paper_has_its_own_last_sentence() -> None:
    output = "- Ist er da? - Sie ist da."
    sentence = with_context(output, splitter("de"))[1]
    assert sentence == "- Sie ist da."
    paper = paper_sentence(output, ["er"], "de")
    assert paper == output
    assert hits(sentence, ["er"], "de", paper) == {"paper": True, "token": False}
    assert paper_sentence("他走了。", ["他"], "zh") is None
