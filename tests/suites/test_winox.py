from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from referee.items import Candidate, Item
from referee.suites.winox import ARTICLES, SUITES, gender_of, noun_of, positions
from tests.support.published import (
    assert_names_its_command,
    in_both,
    named,
    published_lines,
    read_items,
    refusal,
    write_lines,
)

COUNTS = {"de": 5835, "fr": 2793, "ru": 1487}
STEMS = {"de": 2918, "fr": 1398, "ru": 762}


def record(language: str, **changes: object) -> dict[str, Any]:
    return {
        "qID": "Q-2",
        "sentence": "The cup broke the plate because it was hard.",
        "context_en": "The cup broke the plate because _ was hard.",
        f"context_{language}": "A _ B.",
        "option1_en": "the cup",
        "option2_en": "the plate",
        f"option1_{language}": "a",
        f"option2_{language}": "b",
        "answer": 2,
        f"context_referent_of_option1_{language}": "aa",
        f"context_referent_of_option2_{language}": "bb",
    } | changes


def file(language: str) -> str:
    return f"winograd-multilingual/wino-x/lm_wino_x.en-{language}.jsonl"


def published(item: Item, language: str) -> dict[str, Any]:
    """The record of which the item is either side."""
    own, other = ("en", language) if item.target_lang == "en" else (language, "en")
    assert item.gold is not None
    record: dict[str, Any] = {"qID": item.id, f"context_{own}": item.source, "answer": item.gold + 1}
    for n, candidate in enumerate(item.candidates, 1):
        record[f"option{n}_{own}"] = candidate.text
        record[f"option{n}_{other}"] = candidate.features[f"option_{other}"]
        record[f"context_referent_of_option{n}_{language}"] = candidate.features["referent"]
    meta = dict(item.meta)
    normalised: dict[str, str] = meta.pop("normalised", {})
    return record | meta | normalised


SIZES = {language: (COUNTS[language], STEMS[language]) for language in COUNTS}
SYNTHETIC = {"de": (6, 4), "fr": (2, 2), "ru": (2, 1)}


@pytest.mark.parametrize("ending", ["", "/english"])
@pytest.mark.parametrize(("data", "language", "size"), in_both(SYNTHETIC, SIZES))
def test_every_published_record_comes_back(data: Path, language: str, size: tuple[int, int], ending: str) -> None:
    items = read_items(named(SUITES, f"wino-x/lm/en-{language}{ending}"), data)
    members = Counter(item.group for item in items)
    assert (len(items), len(members)) == size
    assert set(members.values()) <= {1, 2}
    assert [published(item, language) for item in items] == published_lines(data / file(language))
    read = "en" if ending else language
    assert {(item.task, item.source_lang, item.target_lang) for item in items} == {("fill", read, read)}


def test_both_sides_have_the_same_ids_groups_and_answers(published_data: Path) -> None:
    russian = read_items(named(SUITES, "wino-x/lm/en-ru"), published_data)
    english = read_items(named(SUITES, "wino-x/lm/en-ru/english"), published_data)
    assert [(i.id, i.group, i.gold) for i in russian] == [(i.id, i.group, i.gold) for i in english]
    assert all(candidate.text == candidate.text.strip() for item in russian for candidate in item.candidates)


def test_no_published_word_is_mistyped(shared_data: Path) -> None:
    assert not any("normalised" in item.meta for item in named(SUITES, "wino-x/lm/en-ru").open(shared_data))


def test_both_sides_of_an_item(synthetic_data: Path) -> None:
    german, english = (
        read_items(named(SUITES, f"wino-x/lm/en-de{ending}"), synthetic_data)[0] for ending in ("", "/english")
    )
    sentence = "The drum did not fit on the shelf because it was too wide."
    assert german == Item(
        id="3QDRUM-1",
        task="fill",
        source_lang="de",
        target_lang="de",
        source="Die Trommel passte nicht ins Regal, weil _ zu breit war.",
        candidates=(
            Candidate(
                "die Trommel", {"referent": "Trommel", "option_en": "the drum", "gender": "f", "position": "first"}
            ),
            Candidate(
                "das Regal", {"referent": "Regal", "option_en": "the shelf", "gender": "n", "position": "second"}
            ),
        ),
        gold=0,
        group="3QDRUM",
        meta={"sentence": sentence, "context_en": sentence.replace(" it ", " _ ")},
    )
    assert english == Item(
        id="3QDRUM-1",
        task="fill",
        source_lang="en",
        target_lang="en",
        source="The drum did not fit on the shelf because _ was too wide.",
        candidates=(
            Candidate("the drum", {"referent": "Trommel", "option_de": "die Trommel", "position": "first"}),
            Candidate("the shelf", {"referent": "Regal", "option_de": "das Regal", "position": "second"}),
        ),
        gold=0,
        group="3QDRUM",
        meta={"sentence": sentence, "context_de": german.source},
    )


@pytest.mark.parametrize(
    ("option", "language", "gender"),
    [
        *((f"{article} Ding", "de", "m") for article in ("der", "den", "Der")),
        *((f"{article} Ding", "de", "f") for article in ("die", "ihre", "meine", "seine")),
        (" das Ding ", "de", "n"),
        *((f"{article} truc", "fr", gender) for article, gender in zip(("le", "un", "la", "une"), "mmff", strict=True)),
        *((option, "de", None) for option in ("sein Ding", "der", "Ding", "le Ding")),
        ("l' école", "fr", None),
        ("стол", "ru", None),
    ],
)
def test_an_article_says_the_gender(option: str, language: str, gender: str | None) -> None:
    assert gender_of(option, language) == gender


def test_articles_of_two_languages_are_known() -> None:
    assert {language: len(articles) for language, articles in ARTICLES.items()} == {"de": 7, "fr": 4}


@pytest.mark.parametrize(
    ("option", "noun"),
    [
        ("the cup", "cup"),
        ("An old cup", "old cup"),
        ("her the cup", "the cup"),
        ("cup", "cup"),
        ("theory of cups", "theory of cups"),
        ("our  cup", "cup"),
    ],
)
def test_a_noun_is_a_filler_without_its_article(option: str, noun: str) -> None:
    assert noun_of(option) == noun


@pytest.mark.parametrize(
    ("nouns", "text", "order"),
    [
        (("cup", "plate"), "The cup hit the plate.", ["first", "second"]),
        (("cup", "plate"), "The Plate hit the cup.", ["second", "first"]),
        (("cup", "plate"), "The cups hit the plate, no cup.", ["second", "first"]),
        (("tea cup", "plate"), "The cup hit the plate.", ["first", "second"]),
        (("cup", "plate"), "The cup fell.", []),
        (("cup", "plate"), "The plate fell.", []),
        (("cup", "Cup"), "The cup fell.", []),
        (("", "plate"), "The plate fell.", []),
    ],
)
def test_positions_need_both_nouns(nouns: tuple[str, str], text: str, order: list[str]) -> None:
    assert positions(nouns, text) == ([{"position": place} for place in order] if order else [{}, {}])


def test_the_space_before_a_russian_option_goes_and_stays_known(tmp_path: Path) -> None:
    line = record("ru", option1_ru=" чашка")
    write_lines(tmp_path, file("ru"), [line])
    (item,) = read_items(named(SUITES, "wino-x/lm/en-ru"), tmp_path)
    assert item.candidates[0].text == "чашка"
    assert item.group == "Q"
    assert published(item, "ru") == line


def test_latin_letters_in_russian_words_are_replaced_and_kept(tmp_path: Path) -> None:
    line = record("ru", context_ru="_ стaрый", option2_ru=" cтол", context_referent_of_option2_ru="стoла")
    write_lines(tmp_path, file("ru"), [line])
    (item,) = read_items(named(SUITES, "wino-x/lm/en-ru"), tmp_path)
    assert (item.source, item.candidates[1].text) == ("_ старый", "стол")
    assert item.candidates[1].features["referent"] == "стола"
    assert set(item.meta["normalised"]) == {"context_ru", "option2_ru", "context_referent_of_option2_ru"}
    assert published(item, "ru") == line


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answer": 0}, "field 'answer': invalid enum value 0"),
        ({"answer": "1"}, "field 'answer': expected int, got str"),
        ({"context_de": "No gap."}, "field 'source': has 0 gaps"),
        ({"option1_de": None}, "field 'option1_de': expected str, got null"),
        ({"option1_fr": "x"}, "field 'option1_fr': is not a known field"),
        ({"qID": "Q"}, "field 'qID': 'Q' does not end in -1 or -2"),
    ],
)
def test_bad_records_are_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    write_lines(tmp_path, file("de"), [record("de", qID="Q-1"), record("de") | change])
    assert f"en-de.jsonl:2: {message}" in refusal(named(SUITES, "wino-x/lm/en-de"), tmp_path)


def test_a_missing_field_is_named(tmp_path: Path) -> None:
    line = record("fr")
    del line["context_fr"]
    write_lines(tmp_path, file("fr"), [line])
    assert "field 'context_fr': is missing" in refusal(named(SUITES, "wino-x/lm/en-fr/english"), tmp_path)


def test_what_is_not_there_names_its_command(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)


def test_candidates_say_gender_and_position(shared_data: Path) -> None:
    german = read_items(named(SUITES, "wino-x/lm/en-de"), shared_data)
    first, second = german[0].candidates
    assert (first.features["gender"], first.features["position"]) == ("f", "first")
    assert (second.features["gender"], second.features["position"]) == ("m", "second")
    known = [[set(candidate.features) for candidate in item.candidates] for item in german]
    assert sum(all("gender" in own for own in both) for both in known) > 5800
    assert sum(all("position" in own for own in both) for both in known) > 5800


def test_the_position_is_that_of_the_language_that_is_read(tmp_path: Path) -> None:
    changes = {"context_de": "Weil _ hart war, zerbrach der Teller an der Tasse.", "option1_de": "die Tasse"}
    changes |= {"context_referent_of_option1_de": "Tasse", "context_referent_of_option2_de": "Teller"}
    write_lines(tmp_path, file("de"), [record("de", **changes)])
    for ending, order in (("", ["second", "first"]), ("/english", ["first", "second"])):
        (item,) = read_items(named(SUITES, f"wino-x/lm/en-de{ending}"), tmp_path)
        assert [candidate.features["position"] for candidate in item.candidates] == order
