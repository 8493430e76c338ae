"""MT-Wino-X: original files where they are there, German rebuilt from LM-Wino-X where not."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest

from referee.errors import MissingError
from referee.items import Item
from referee.suites.winox import lm_file
from referee.suites.winox_mt import NO_GENDER, SAME_GENDER, SUITES, mt_file, rebuild
from tests.support.published import (
    assert_names_its_command,
    marked,
    named,
    published_lines,
    read_items,
    refusal,
    write_lines,
)


def left_out(path: Path) -> Counter[str]:
    """How many samples of German LM-Wino-X fall away, by reason."""
    return Counter(reason for _, _, reason in rebuild(path) if isinstance(reason, str))


def contrast(language: str = "de", **changes: object) -> dict[str, Any]:
    """A line as the dataset card shows it."""
    return {
        "qID": "3UDT-1",
        "sentence": "The woman looked for a different vase for the bouquet because it was too small.",
        "translation1": "Die Frau suchte nach einer anderen Vase für den Blumenstrauß, weil sie zu klein war.",
        "translation2": "Die Frau suchte nach einer anderen Vase für den Blumenstrauß, weil er zu klein war.",
        "answer": 1,
        "pronoun1": "sie",
        "pronoun2": "er",
        "referent1_en": "vase",
        "referent2_en": "bouquet",
        f"true_translation_referent_of_pronoun1_{language}": "Vase",
        f"true_translation_referent_of_pronoun2_{language}": "Blumenstrauß",
        f"false_translation_referent_of_pronoun1_{language}": "Vase",
        f"false_translation_referent_of_pronoun2_{language}": "Blumenstrauß",
    } | changes


def schema(**changes: object) -> dict[str, Any]:
    """A line of German LM-Wino-X."""
    return {
        "qID": "3UDT-1",
        "sentence": "The woman looked for a different vase for the bouquet because it was too small.",
        "context_en": "The woman looked for a different vase for the bouquet because _ was too small.",
        "context_de": "Die Frau suchte nach einer anderen Vase für den Blumenstrauß, weil _ zu klein war.",
        "option1_en": "the vase",
        "option2_en": "the bouquet",
        "option1_de": "die Vase",
        "option2_de": "der Blumenstrauß",
        "answer": 1,
        "context_referent_of_option1_de": "Vase",
        "context_referent_of_option2_de": "Blumenstrauß",
    } | changes


def by_place(item: Item) -> dict[tuple[str, str, int], list[str]]:
    """The words of every span, by role, field and index."""
    words: dict[tuple[str, str, int], list[str]] = {}
    for role, field, index, text in marked(item):
        words.setdefault((role, field, index), []).append(text)
    return words


def published(item: Item, language: str) -> dict[str, Any]:
    """The record that an original item was made of."""
    assert item.gold is not None
    record: dict[str, Any] = {"qID": item.id, "sentence": item.source, "answer": item.gold + 1}
    for n, candidate in enumerate(item.candidates, 1):
        record[f"translation{n}"] = candidate.text
        record[f"pronoun{n}"] = candidate.features["pronoun"]
        record[f"referent{n}_en"] = candidate.features["referent_en"]
    meta = dict(item.meta)
    normalised: dict[str, str] = meta.pop("normalised", {})
    assert all(key.endswith(language) for key in meta)
    return record | meta | normalised


def german(data: Path) -> list[Item]:
    return read_items(named(SUITES, "wino-x/mt/en-de"), data)


FEATURES = [
    {"pronoun": "sie", "gender": "f", "referent": "Vase", "referent_en": "vase", "position": "first"},
    {"pronoun": "er", "gender": "m", "referent": "Blumenstrauß", "referent_en": "bouquet", "position": "second"},
]
SPANS = {
    ("pronoun", "source", 0): ["it"],
    ("antecedent", "source", 0): ["vase"],
    ("distractor", "source", 0): ["bouquet"],
    ("pronoun", "candidate", 0): ["sie"],
    ("pronoun", "candidate", 1): ["er"],
    ("antecedent", "candidate", 0): ["Vase"],
    ("antecedent", "candidate", 1): ["Vase"],
    ("distractor", "candidate", 0): ["Blumenstrauß"],
    ("distractor", "candidate", 1): ["Blumenstrauß"],
}


def test_the_original_is_read_losslessly(tmp_path: Path) -> None:
    line = contrast()
    write_lines(tmp_path, mt_file("de"), [line])
    (item,) = german(tmp_path)
    assert published(item, "de") == line
    assert (item.task, item.source_lang, item.target_lang, item.group) == ("translate", "en", "de", "3UDT")
    assert [candidate.features for candidate in item.candidates] == FEATURES
    assert by_place(item) == SPANS


def test_a_rebuilt_item_is_what_the_original_is(tmp_path: Path) -> None:
    write_lines(tmp_path / "lm", lm_file("de"), [schema()])
    write_lines(tmp_path / "mt", mt_file("de"), [contrast()])
    (rebuilt,), (original,) = german(tmp_path / "lm"), german(tmp_path / "mt")
    assert (rebuilt.source, rebuilt.candidates, rebuilt.gold) == (original.source, original.candidates, original.gold)
    assert (rebuilt.spans, rebuilt.group) == (original.spans, original.group)
    assert rebuilt.meta["rebuilt"] == "LM-Wino-X"


@pytest.mark.parametrize("language", ["fr", "ru"])
def test_synthetic_originals_come_back(language: str, synthetic_data: Path) -> None:
    suite = named(SUITES, f"wino-x/mt/en-{language}")
    items = read_items(suite, synthetic_data)
    lines = published_lines(synthetic_data / f"winograd-multilingual/wino-x/mt_wino_x.en-{language}.jsonl")
    assert [published(item, language) for item in items] == lines
    assert {(item.task, item.source_lang, item.target_lang) for item in items} == {("translate", "en", language)}


def test_synthetic_french(synthetic_data: Path) -> None:
    leaked, full = read_items(named(SUITES, "wino-x/mt/en-fr"), synthetic_data)
    assert (leaked.group, full.group, leaked.gold, full.gold) == ("8VTENT", "8VTENT", 0, 1)
    assert [candidate.features for candidate in full.candidates] == [
        {"pronoun": "elle", "gender": "f", "referent": "tente", "referent_en": "tent", "position": "first"},
        {"pronoun": "il", "gender": "m", "referent": "coffre", "referent_en": "trunk", "position": "second"},
    ]
    assert marked(full) == [
        ("pronoun", "source", 0, "it"),
        ("distractor", "source", 0, "tent"),
        ("antecedent", "source", 0, "trunk"),
        ("trigger", "source", 0, "was"),
        ("trigger", "source", 0, "full"),
        *(
            mark
            for n, pronoun in enumerate(("elle", "il"))
            for mark in (
                ("pronoun", "candidate", n, pronoun),
                ("distractor", "candidate", n, "tente"),
                ("antecedent", "candidate", n, "coffre"),
            )
        ),
    ]


def test_synthetic_russian(synthetic_data: Path) -> None:
    (soup,) = read_items(named(SUITES, "wino-x/mt/en-ru"), synthetic_data)
    # The right translation has one referent, the wrong one another form of the other.
    assert [candidate.features["referent"] for candidate in soup.candidates] == ["Суп", "миска"]
    assert [candidate.features["gender"] for candidate in soup.candidates] == ["m", "f"]
    assert set(soup.meta["normalised"]) == {"pronoun1", "pronoun2", "translation1", "translation2"}
    # "It was late" has a capital: the other is meant.
    assert marked(soup)[0] == ("pronoun", "source", 0, "it")
    assert soup.spans[0].start > 20


def test_synthetic_german_is_rebuilt(synthetic_data: Path) -> None:
    items = german(synthetic_data)
    assert [(item.id, item.gold) for item in items] == [
        ("3QDRUM-1", 0),
        ("3QDRUM-2", 1),
        ("4RCOAT-1", 0),
        ("5SCOAT-2", 1),
    ]
    assert left_out(synthetic_data / lm_file("de")) == {SAME_GENDER: 1, NO_GENDER: 1}
    # "sein Mantel" is masculine, as "den Mantel" of another line says; a sentence starts with a capital.
    assert [[candidate.features["pronoun"] for candidate in item.candidates] for item in items] == [
        *(["sie", "es"], ["sie", "es"]),
        ["Er", "Sie"],
        ["sie", "ihn"],
    ]
    assert [candidate.text for candidate in items[3].candidates] == [
        "Auf dem Dachboden sah die Motte den Mantel und mied sie.",
        "Auf dem Dachboden sah die Motte den Mantel und mied ihn.",
    ]
    coat = items[2]
    assert coat.meta == {
        "rebuilt": "LM-Wino-X",
        "context_de": "Er tauschte seinen Mantel gegen die Weste. _ war viel zu warm.",
        "option1_de": "sein Mantel",
        "option2_de": "die Weste",
    }
    # Its first word, "Er", is another's pronoun.
    places = [(span.index, span.start) for span in coat.spans if (span.role, span.field) == ("pronoun", "candidate")]
    assert places == [(0, 43), (1, 43)]
    assert [words for role, field, _, words in marked(coat) if field == "source"] == ["It", "coat", "vest"]


@pytest.mark.parametrize(
    ("changes", "start"),
    [
        ({"context_en": "Then _ fell. It broke.", "sentence": "Then it fell. It broke."}, 5),
        ({"context_en": "It fell. Then The _ broke.", "sentence": "It fell. Then it broke."}, 14),
        ({"context_en": "No gap here.", "sentence": "It fell."}, 0),
        ({"context_en": "They saw _ fall.", "sentence": "All of them saw it fall."}, 16),
    ],
)
def test_it_is_found_where_the_gap_is(tmp_path: Path, changes: dict[str, str], start: int) -> None:
    write_lines(tmp_path, lm_file("de"), [schema(**changes)])
    (item,) = german(tmp_path)
    (pronoun,) = (span for span in item.spans if (span.role, span.field) == ("pronoun", "source"))
    assert (pronoun.start, pronoun.end) == (start, start + 2)


def test_genders_of_pronouns(tmp_path: Path) -> None:
    forms = {"de": ("er", "sie", "es"), "fr": ("ils", "elles"), "ru": ("он", "она", "оно")}
    for language, pronouns in forms.items():
        lines = [
            contrast(language, qID=f"{pronoun}-1", pronoun1=pronoun, translation1=f"{pronoun} x", translation2="y x")
            for pronoun in pronouns
        ]
        write_lines(tmp_path, mt_file(language), lines)
        items = read_items(named(SUITES, f"wino-x/mt/en-{language}"), tmp_path)
        genders = [item.candidates[0].features["gender"] for item in items]
        assert genders == ["m", "f", "n"][: len(pronouns)]


def test_the_original_goes_before_the_rebuilt(tmp_path: Path) -> None:
    write_lines(tmp_path, lm_file("de"), [schema()])
    write_lines(tmp_path, mt_file("de"), [contrast(qID="other-2")])
    assert [item.id for item in german(tmp_path)] == ["other-2"]


def test_the_words_that_tell_twins_apart_are_triggers(tmp_path: Path) -> None:
    lines = [schema(), schema(qID="3UDT-2", sentence=schema()["sentence"].replace("too small", "much too large"))]
    write_lines(tmp_path, lm_file("de"), lines)
    one, other = german(tmp_path)
    assert by_place(one)["trigger", "source", 0] == ["small"]
    assert by_place(other)["trigger", "source", 0] == ["much", "large"]


@pytest.mark.parametrize(
    ("changes", "pronouns"),
    [
        ({"option2_de": "das Bukett"}, ["sie", "es"]),
        ({"option2_de": "den Strauß"}, ["sie", "ihn"]),  # an accusative says so itself
        ({"option1_de": "Die Vase", "option2_de": "Der Strauß"}, ["sie", "er"]),  # capitals of options do not count
        ({"context_de": "Es gab keinen Platz. _ war zu groß."}, ["Sie", "Er"]),
        ({"context_de": "_ war zu groß."}, ["Sie", "Er"]),
        ({"context_de": "Es gab keinen Platz; _ war zu groß."}, ["sie", "er"]),
        ({"option1_de": "ihre Vase"}, ["sie", "er"]),
    ],
)
def test_the_gap_becomes_the_pronoun_that_agrees(tmp_path: Path, changes: dict[str, str], pronouns: list[str]) -> None:
    write_lines(tmp_path, lm_file("de"), [schema(**changes)])
    (item,) = german(tmp_path)
    assert [candidate.features["pronoun"] for candidate in item.candidates] == pronouns
    context = changes.get("context_de", schema()["context_de"])
    assert [candidate.text for candidate in item.candidates] == [context.replace("_", form) for form in pronouns]


def test_what_cannot_be_told_apart_falls_away(tmp_path: Path) -> None:
    lines = [
        schema(),
        schema(qID="a-1", option2_de="die Blume"),
        schema(qID="b-1", option2_de="mein Blumenstrauß"),  # masculine, say the articles elsewhere in the file
        schema(qID="c-1", option2_de="mein Dings"),
    ]
    write_lines(tmp_path, lm_file("de"), lines)
    assert [item.id for item in german(tmp_path)] == ["3UDT-1", "b-1"]
    assert left_out(tmp_path / lm_file("de")) == {SAME_GENDER: 1, NO_GENDER: 1}


def test_counts_of_the_paper(shared_data: Path) -> None:
    """Table 1 has 3,774 samples in 1,887 schemas; Table 12 sentences of 17.8 (2.86) and translations of 17.15 (3.1)."""
    items = german(shared_data)
    assert (len(items), len({item.group for item in items})) == (3742, 1873)
    assert left_out(shared_data / lm_file("de")) == {SAME_GENDER: 2089, NO_GENDER: 4}
    lengths = [len(item.source.split(" ")) for item in items]
    assert (round(mean(lengths), 1), round(stdev(lengths), 2)) == (17.8, 2.86)
    translated = [len(candidate.text.split(" ")) for item in items for candidate in item.candidates]
    assert mean(translated) == pytest.approx(17.15, abs=0.03)
    # A.6: neutral antecedents are right in about 31 % of the samples.
    right = Counter(item.feature("gender") for item in items)
    assert right["n"] / len(items) == pytest.approx(0.31, abs=0.005)
    # By construction each noun of a schema is right once, so neither position nor gender helps.
    assert abs(Counter(item.feature("position") for item in items)["first"] - len(items) / 2) < 5


def test_every_item_says_what_bias_and_salience_need(shared_data: Path) -> None:
    items = german(shared_data)
    roles = [{(span.role, span.field) for span in item.spans} for item in items]
    assert all({"gender", "position", "pronoun"} <= set(c.features) for item in items for c in item.candidates)
    assert all(("pronoun", "source") in own and ("pronoun", "candidate") in own for own in roles)
    assert sum(("trigger", "source") in own for own in roles) > 0.99 * len(items)
    assert sum(("antecedent", "source") in own for own in roles) > 0.98 * len(items)
    for item in items:
        (pronoun,) = (span for span in item.spans if span.role == "pronoun" and span.field == "source")
        assert item.source[pronoun.start : pronoun.end].lower() == "it"


@pytest.mark.parametrize("pronouns", [("oн", "oнa"), ("он", "она")])
def test_russian_pronouns_are_normalised(tmp_path: Path, pronouns: tuple[str, str]) -> None:
    line = contrast(
        "ru",
        translation1=f"Шкаф больше вазы, потому что {pronouns[0]} старый.",
        translation2=f"Шкаф больше вазы, потому что {pronouns[1]} старая.",
        pronoun1=pronouns[0],
        pronoun2=pronouns[1],
    )
    write_lines(tmp_path, mt_file("ru"), [line])
    (item,) = read_items(named(SUITES, "wino-x/mt/en-ru"), tmp_path)
    assert [candidate.features["pronoun"] for candidate in item.candidates] == ["он", "она"]
    assert [candidate.features["gender"] for candidate in item.candidates] == ["m", "f"]
    assert by_place(item)["pronoun", "candidate", 1] == ["она"]
    assert ("normalised" in item.meta) == (pronouns[0] == "oн")
    assert published(item, "ru") == line


def test_french_agreement_does_not_hide_the_pronoun(tmp_path: Path) -> None:
    line = contrast(
        "fr",
        translation1="Elle acheta un billet avec la carte, mais elle a été refusée.",
        translation2="Elle acheta un billet avec la carte, mais il a été refusé.",
        pronoun1="elle",
        pronoun2="il",
    )
    write_lines(tmp_path, mt_file("fr"), [line])
    (item,) = read_items(named(SUITES, "wino-x/mt/en-fr"), tmp_path)
    places = {(span.index, span.start) for span in item.spans if span.role == "pronoun" and span.field == "candidate"}
    assert places == {(0, 42), (1, 42)}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"answer": 3}, "field 'answer': invalid enum value 3"),
        ({"pronoun1": None}, "field 'pronoun1': expected str, got null"),
        ({"qID": "x"}, "field 'qID': 'x' does not end in -1 or -2"),
        ({"translation3": "?"}, "field 'translation3': is not a known field"),
        ({"true_translation_referent_of_pronoun1_de": 3}, "field 'true_translation_referent_of_pronoun1_de'"),
    ],
)
def test_bad_records_are_refused(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    write_lines(tmp_path, mt_file("de"), [contrast(qID="a-1"), contrast() | changes])
    assert f"mt_wino_x.en-de.jsonl:2: {message}" in refusal(named(SUITES, "wino-x/mt/en-de"), tmp_path)


@pytest.mark.parametrize("language", ["de", "ru"])
def test_referents_may_be_missing(language: str, tmp_path: Path) -> None:
    pronouns = {"de": ("sie", "er"), "ru": ("она", "он")}[language]
    line = contrast(pronoun1=pronouns[0], pronoun2=pronouns[1])
    write_lines(tmp_path, mt_file(language), [{key: value for key, value in line.items() if "referent" not in key}])
    (item,) = read_items(named(SUITES, f"wino-x/mt/en-{language}"), tmp_path)
    assert set(item.candidates[0].features) == {"pronoun", "gender"}
    assert item.meta == {}


def test_a_pronoun_in_which_translations_agree_is_found_if_it_stands_there_once(tmp_path: Path) -> None:
    texts = {"translation1": "Sie sagt, dass sie fehlt.", "translation2": "Er sagt, dass er und er fehlen."}
    write_lines(tmp_path, mt_file("de"), [contrast(**texts, pronoun1="dass", pronoun2="er")])
    (item,) = german(tmp_path)
    marks = by_place(item)
    assert marks["pronoun", "candidate", 0] == ["dass"]
    assert ("pronoun", "candidate", 1) not in marks


def test_what_is_not_there_names_its_command(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)


@pytest.mark.parametrize("language", ["fr", "ru"])
def test_french_and_russian_are_not_rebuilt(language: str, tmp_path: Path) -> None:
    write_lines(tmp_path, lm_file(language), [schema()])
    with pytest.raises(MissingError, match=f"mt_wino_x.en-{language}.jsonl"):
        named(SUITES, f"wino-x/mt/en-{language}").open(tmp_path)
