"""Pronouns without an antecedent: what counts as correct by other means, incorrect and not applicable, by language."""

from __future__ import annotations

from functools import cache

import pytest

import referee
from referee.build.templates import shipped
from referee.items import Candidate, Item
from referee.languages import language
from referee.scoring.decision import chosen
from referee.scoring.no_antecedent import has_no_antecedent, rendering
from tests.support.items import item

PRONOUN, OTHER, NONE = (True, "pronoun"), (True, "other"), (None, "none")
WRONG, NOUN = (False, "pronoun"), (False, None)


@cache
def examples(code: str) -> dict[str, Item]:
    """The first item of the templates `event` and `pleonastic` with each source."""
    items: dict[str, Item] = {}
    for made in referee.templates(code, "event", "pleonastic"):
        items.setdefault(made.source, made)
    return items


CASES: dict[str, dict[str, list[tuple[str, tuple[bool | None, str | None]]]]] = {
    "de": {
        "It came as a surprise.": [
            ("Es kam überraschend.", PRONOUN),
            ("Das kam überraschend.", OTHER),
            ("Das war eine Überraschung.", OTHER),
            ("Überraschend war das nicht.", OTHER),
            ("Was für eine Überraschung!", OTHER),
            ("Überraschenderweise.", OTHER),
            ("DAS KAM ÜBERRASCHEND.", OTHER),
            ("ES KAM ÜBERRASCHEND.", PRONOUN),
            ("DAS HEISST, ES KAM ÜBERRASCHEND.", PRONOUN),
            ("Er kam überraschend.", WRONG),
            ("Sie kam überraschend.", WRONG),
            ("Die war eine Überraschung.", WRONG),
            ("Der Hund kam überraschend.", NOUN),
            ("Die Nuss war eine Überraschung.", NOUN),
            ("Der Angriff kam überraschend.", NONE),
            ("It came as a surprise.", NOUN),
            ("", NOUN),
            ("...", NOUN),
        ],
        "It resulted in chaos.": [
            ("Es führte zu Chaos.", PRONOUN),
            ("Dies führte zu Chaos.", OTHER),
            ("Daraus entstand Chaos.", OTHER),
            ("Die Folge war Chaos.", OTHER),
            ("Der Hund fraß die Nuss, was zu Chaos führte.", OTHER),
            ("Der Hund fraß die Nuss, wodurch Chaos entstand.", OTHER),
            ("Der Hund fraß das Futter, das zu Chaos führte.", NOUN),
            ("Der Hund fraß die Nuss und sorgte für Chaos.", NONE),
            ("Sie führte zu Chaos.", WRONG),
            ("Damit war das Chaos da.", OTHER),
            ("Damit der Regen kein Chaos bringt, wartete man.", NONE),
            ("Darüber hinaus herrschte Chaos.", NONE),
        ],
        "It is a shame.": [
            ("Es ist schade.", PRONOUN),
            ("Das ist schade.", OTHER),
            ("Schade.", OTHER),
            ("Wie schade!", OTHER),
            ("Leider.", OTHER),
            ("Sie ist schade.", WRONG),
        ],
        "It was raining.": [
            ("Es regnete.", PRONOUN),
            ("Draußen regnete es.", PRONOUN),
            ("Regen fiel.", OTHER),
            ("Er regnete.", WRONG),
            # "Schade" renders another sentence than this one.
            ("Schade.", NONE),
        ],
        "It seemed this was unnecessary.": [
            ("Es schien, dass dies unnötig war.", PRONOUN),
            ("Es schien, als wäre sie unnötig.", PRONOUN),
            ("Anscheinend war das unnötig.", OTHER),
            ("Das schien unnötig.", OTHER),
            ("Sie schien unnötig.", WRONG),
        ],
        "It is hard to believe this is true.": [
            ("Kaum zu glauben, dass das wahr ist.", OTHER),
            ("Es ist kaum zu glauben.", PRONOUN),
        ],
    },
    "fr": {
        "It was unexpected.": [
            ("C'était inattendu.", PRONOUN),
            ("Ça n'était pas prévu.", OTHER),
            ("Cela fut une surprise.", OTHER),
            ("Quelle surprise !", OTHER),
            ("Le chien a mangé la noix, ce qui était une surprise.", OTHER),
            ("Elle était inattendue.", WRONG),
            ("Ce moment restera.", NONE),
        ],
        "It was raining.": [
            ("Il pleuvait.", PRONOUN),
            ("Elle pleuvait.", WRONG),
            ("La pluie tombait.", OTHER),
            ("On entendait le vent.", NONE),
        ],
    },
    "es": {
        "It was unexpected.": [
            ("Fue inesperado.", PRONOUN),
            ("Eso fue una sorpresa.", OTHER),
            ("Todos comieron, lo cual fue una sorpresa.", OTHER),
            ("¡Qué sorpresa!", OTHER),
            ("Fue inesperada.", WRONG),
            # A dropped subject, and a predicate that does not show a gender.
            ("Fue una sorpresa.", NONE),
        ],
        "It was rainy outside.": [
            ("Fuera estaba lluvioso.", PRONOUN),
            ("Fuera llovía.", OTHER),
            ("Fuera estaba lluviosa.", WRONG),
            ("Fuera hacía frío.", NONE),
        ],
    },
    "it": {
        "It was unexpected.": [
            ("È stato inaspettato.", PRONOUN),
            ("Questo fu una sorpresa.", OTHER),
            ("Ciò fu una sorpresa.", OTHER),
            ("Tutti mangiarono, il che fu una sorpresa.", OTHER),
            ("È stata inaspettata.", WRONG),
            ("Questo giorno resterà nella memoria.", NONE),
        ],
        "It was sunny outside.": [
            ("Fuori c'era il sole.", OTHER),
            ("Fuori faceva caldo.", NONE),
        ],
    },
    "pt": {
        "It was unexpected.": [
            ("Isso foi inesperado.", PRONOUN),
            ("Isto foi uma surpresa.", OTHER),
            ("Todos comeram, o que foi uma surpresa.", OTHER),
            ("Que surpresa!", OTHER),
            ("Ela foi uma surpresa.", WRONG),
            ("Foi uma surpresa.", NONE),
        ],
        "It was rainy outside.": [("Lá fora chovia.", OTHER), ("Lá fora fazia frio.", NONE)],
    },
    "ca": {
        "It was unexpected.": [
            ("Va ser inesperat.", PRONOUN),
            ("Això va ser una sorpresa.", OTHER),
            ("Tothom va menjar, cosa que va ser una sorpresa.", OTHER),
            ("Quina sorpresa!", OTHER),
            ("Va ser inesperada.", WRONG),
            ("Va ser una sorpresa.", NONE),
        ],
        "It was sunny outside.": [("A fora feia sol.", OTHER), ("A fora feia fred.", NONE)],
    },
    "ru": {
        "It resulted in chaos.": [
            ("Это привело к хаосу.", PRONOUN),
            ("Начался хаос.", OTHER),
            ("Все ели, что привело к хаосу.", OTHER),
            ("Она привела к хаосу.", WRONG),
            ("Кругом был хаос.", NONE),
        ],
        "It was drizzling.": [
            ("Моросило.", PRONOUN),
            ("Шёл мелкий дождь.", OTHER),
            ("Она моросила.", WRONG),
            ("Дул ветер.", NONE),
        ],
    },
    "pl": {
        "It came as a surprise.": [
            ("Było to dużym zaskoczeniem.", PRONOUN),
            # The verb agrees with the predicate noun, not with a noun of the context.
            ("To była wielka niespodzianka.", OTHER),
            ("Wszyscy jedli, co zdziwiło każdego.", OTHER),
            ("Co za niespodzianka!", OTHER),
            ("Była dużym zaskoczeniem.", WRONG),
            ("Wszyscy się zdziwili.", NONE),
        ],
        "It was raining.": [("Padało.", PRONOUN), ("Padał deszcz.", OTHER), ("Padała.", WRONG), ("Wiał wiatr.", NONE)],
    },
    "uk": {
        "It resulted in chaos.": [
            ("Це призвело до хаосу.", PRONOUN),
            ("Почався хаос.", OTHER),
            ("Усі їли, що призвело до хаосу.", OTHER),
            ("Вона призвела до хаосу.", WRONG),
            ("Навколо був хаос.", NONE),
        ],
        "It was drizzling.": [("Мрячило.", PRONOUN), ("Ішов дощ.", OTHER), ("Дув вітер.", NONE)],
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("code", "source", "output", "outcome"),
    [
        (code, source, output, outcome)
        for code, sources in CASES.items()
        for source, outputs in sources.items()
        for output, outcome in outputs
    ],
)
def test_outcomes(code: str, source: str, output: str, outcome: tuple[bool | None, str | None]) -> None:
    verdict = chosen(examples(code)[source], output)
    assert (verdict.correct, verdict.means) == outcome
    assert verdict.not_applicable is (outcome == NONE)


def test_every_language_with_templates_has_words_for_other_means() -> None:
    assert set(CASES) == set(shipped())
    for code in shipped():
        table = language(code).pronouns
        assert table is not None
        assert table.neutral and table.relative and table.phrases, code


@pytest.mark.parametrize("code", shipped())
def test_every_source_of_an_event_or_pleonastic_item_is_rendered_by_its_own_candidate(code: str) -> None:
    for case in examples(code).values():
        for index, candidate in enumerate(case.candidates):
            verdict = chosen(case, candidate.text)
            assert (verdict.correct, verdict.means, verdict.choice) == (index == case.gold, "pronoun", index)


def test_an_item_with_an_antecedent_keeps_the_strict_rule() -> None:
    markable = next(iter(referee.templates("de", "markable")))
    assert not has_no_antecedent(markable)
    verdict = chosen(markable, "Schade.")
    assert (verdict.correct, verdict.means) == (False, None)
    prior = next(iter(referee.templates("de", "role-prior")))
    assert not has_no_antecedent(prior)
    assert (chosen(prior, "Das war groß.").correct, chosen(prior, "Das war groß.").means) == (None, None)


def own(**changes: object) -> Item:
    candidates = tuple(
        Candidate(f"{word} dauerte lange.", {"gender": gender, "pronoun": word})
        for word, gender in (("Er", "m"), ("Sie", "f"), ("Es", "n"))
    )
    return item(candidates=candidates, gold=2, source="It took long.", **changes)


@pytest.mark.parametrize(
    ("function", "correct"), [("event", True), ("pleonastic", True), ("anaphoric", False), ("", False)]
)
def test_an_item_of_your_own_names_the_function_of_its_pronoun(function: str, correct: bool) -> None:
    case = own(features={"function": function} if function else {})
    assert has_no_antecedent(case) is correct
    assert chosen(case, "Lange hat das gedauert.").correct is correct


def test_a_sentence_that_translates_the_context_too_names_all_nouns() -> None:
    case = examples("de")["It was raining."]
    assert rendering(case, "Der Hund fraß die Nuss im Trockenen.").means == "none"
    assert rendering(case, "Der Hund stand im Trockenen.").correct is False


def test_a_language_without_a_table_has_no_other_means() -> None:
    case = own(features={"function": "event"}, target_lang="af")
    assert rendering(case, "Dit was lank.").means == "none"
    assert rendering(case, "Es dauerte.").means == "pronoun"
