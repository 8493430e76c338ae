from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.items import Candidate, Item
from referee.suites.xwinograd import FILE, SUITES, token_offsets
from tests.support.published import (
    assert_names_its_command,
    in_both,
    marked,
    named,
    published_text,
    read_items,
    refusal,
    span_of,
    write,
)

COUNTS = {"en": 2325, "fr": 83, "ja": 959, "pt": 263, "ru": 315, "zh": 16}
SYNTHETIC = {"en": 2, "fr": 1, "ja": 2, "pt": 1, "ru": 1, "zh": 1}
SENTENCE = 'Its lid hit it "hard", so it broke.'
TOKENS = ["Its", "lid", "hit", "it", "``", "hard", "''", ",", "so", "it", "broke", "."]
REFERENTS = [["lid", [1, 2], ["lid"], False], ["it", [3, 4], ["it"], True]]


def row(
    *,
    lang: str = "en",
    sentence: str = SENTENCE,
    tokens: object = TOKENS,
    pronoun: object = ("it", [9, 10], ["it"]),
    referents: object = REFERENTS,
) -> str:
    cells = [json.dumps(tokens), json.dumps(pronoun), json.dumps(referents)]
    return "\t".join([lang, "made.up", "?", sentence, *cells])


def published(item: Item) -> str:
    meta = item.meta
    sentence = item.source.replace("_", meta["pronoun"][0])
    cells = [json.dumps(meta[key]) for key in ("tokens", "pronoun", "candidates")]
    return "\t".join([meta["lang"], str(item.label), meta["source"], sentence, *cells])


def _overlaps(one: list[int], other: list[int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


@pytest.mark.parametrize(("data", "language", "size"), in_both(SYNTHETIC, COUNTS))
def test_every_published_row_comes_back(data: Path, language: str, size: int) -> None:
    items = read_items(named(SUITES, f"xwinograd/{language}"), data)
    assert [item.id for item in items] == [f"xwinograd.{language}.{row}" for row in range(size)]
    assert {(item.task, item.source_lang, item.target_lang) for item in items} == {("fill", language, language)}
    code = "jp" if language == "ja" else language
    rows = [row for row in published_text(data / FILE).split("\n") if row.startswith(f"{code}\t")]
    assert [published(item) for item in items] == rows
    for item in items:
        referents = item.meta["candidates"]
        assert [referent[0] for referent in referents] == [candidate.text for candidate in item.candidates]
        assert [referent[3] for referent in referents].index(True) == item.gold
        spans = [item.source[span.start : span.end] for span in item.spans]
        assert spans == [referent[0] for referent in referents if not _overlaps(referent[1], item.meta["pronoun"][1])]


def test_a_synthetic_row_field_by_field(synthetic_data: Path) -> None:
    crow, cooks = read_items(named(SUITES, "xwinograd/en"), synthetic_data)
    sentence = "The crow dropped the shell near its nest because it was heavy."
    gap = "The crow dropped the shell near its nest because _ was heavy."
    assert crow == Item(
        id="xwinograd.en.0",
        task="fill",
        source_lang="en",
        target_lang="en",
        source=gap,
        candidates=(Candidate("The crow"), Candidate("the shell")),
        gold=1,
        label="original",
        features={"pronoun": "it"},
        spans=(
            span_of("The crow", gap, "antecedent", "source"),
            span_of("the shell", gap, "antecedent", "source"),
        ),
        meta={
            "lang": "en",
            "source": "?",
            "tokens": sentence.replace(".", " .").split(),
            "pronoun": ["it", [9, 10], ["it"]],
            "candidates": [
                ["The crow", [0, 2], ["The", "crow"], False],
                ["the shell", [3, 5], ["the", "shell"], True],
            ],
        },
    )
    assert (cooks.source, cooks.gold) == ('"_ cooks" met the guests before they sat down.', 0)
    # The other overlaps the gap; this one moves with it, and ends where its text does.
    assert marked(cooks) == [("antecedent", "source", 0, "the guests")]
    japanese = read_items(named(SUITES, "xwinograd/ja"), synthetic_data)
    assert [(item.label, item.source.count("_")) for item in japanese] == [("test", 1), ("train", 1)]


def test_antecedents_may_touch_the_gap(tmp_path: Path) -> None:
    referents = [["ab", [0, 1], ["ab"], True], ["ef", [2, 3], ["ef"], False]]
    write(
        tmp_path,
        FILE,
        row(sentence="abcdef", tokens=["ab", "cd", "ef"], pronoun=["cd", [1, 2], ["cd"]], referents=referents),
    )
    (item,) = read_items(named(SUITES, "xwinograd/en"), tmp_path)
    assert (item.source, marked(item)) == (
        "ab_ef",
        [("antecedent", "source", 0, "ab"), ("antecedent", "source", 0, "ef")],
    )


def test_the_pronoun_that_is_meant_becomes_the_gap(tmp_path: Path) -> None:
    write(tmp_path, FILE, row() + "\n" + row(lang="jp") + "\n")
    (item,) = read_items(named(SUITES, "xwinograd/en"), tmp_path)
    assert item.source == 'Its lid hit it "hard", so _ broke.'
    assert (item.gold, item.label) == (1, "made.up")
    assert [item.source[span.start : span.end] for span in item.spans] == ["lid", "it"]
    (japanese,) = read_items(named(SUITES, "xwinograd/ja"), tmp_path)
    assert (japanese.id, japanese.target_lang, japanese.meta["lang"]) == ("xwinograd.ja.0", "ja", "jp")


def test_antecedents_after_the_gap_move_with_it(tmp_path: Path) -> None:
    referents = [["hit it", [2, 5], ["hit", "it", "``"], True], ["Its lid", [0, 2], ["Its", "lid"], False]]
    write(tmp_path, FILE, row(pronoun=["Its", [0, 1], ["Its"]], referents=referents))
    (item,) = read_items(named(SUITES, "xwinograd/en"), tmp_path)
    assert item.source.startswith("_ lid hit it")
    # The second overlaps the gap, so it has no place left.
    assert [item.source[span.start : span.end] for span in item.spans] == ["hit it"]


@pytest.mark.parametrize(
    ("sentence", "tokens", "expected"),
    [
        ("a b", ["a", "b"], [(0, 1), (2, 3)]),
        ("don't", ["do", "n't"], [(0, 2), (2, 5)]),
        ('" a "', ["``", "a", "``"], [(0, 1), (2, 3), (4, 5)]),
        ("''a''", ["''", "a", "''"], [(0, 2), (2, 3), (3, 5)]),
        ("\u732b\u72ac", ["\u732b", "\u72ac"], [(0, 1), (1, 2)]),
    ],
)
def test_tokens_are_found(sentence: str, tokens: list[str], expected: list[tuple[int, int]]) -> None:
    assert token_offsets(sentence, tokens) == expected


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("en\tx", "expected 7 columns, but found 2"),
        (row(tokens=["Its", "cup"]), "field 'tokens': 'cup' is not at character 4 of the sentence"),
        (row(tokens="x"), "field 'tokens': Expected `array`, got `str`"),
        (row()[:-1], "field 'candidates': Input data was truncated"),
        (row(pronoun=["it", [8, 9], ["it"]]), "field 'pronoun': 'it' is not at tokens [8, 9]"),
        (row(pronoun=["it", [9, 99], ["it"]]), "field 'tokens': [9, 99] is out of range (12 tokens)"),
        (row(pronoun=["it", [9, 9], ["it"]]), "field 'tokens': [9, 9] is out of range (12 tokens)"),
        (row(pronoun=["it", [-1, 9], ["it"]]), "field 'tokens': [-1, 9] is out of range (12 tokens)"),
        (row(pronoun=["it", [9, 13], ["it"]]), "field 'tokens': [9, 13] is out of range (12 tokens)"),
        (
            row(referents=[["lid", [1, 2], ["lid"], True]] * 2),
            "field 'candidates': expected one correct candidate, but found 2 of 2",
        ),
        (row(pronoun=["it", [9], ["it"]]), "field 'pronoun': Expected `array` of length 2"),
        (
            row(referents=[["lid", [1, 2], ["lid"], False]] * 2),
            "field 'candidates': expected one correct candidate, but found 0 of 2",
        ),
        (row(pronoun=["it", [9, 10], ["it"], 0]), "field 'pronoun': Expected `array` of at most length 3"),
        (row(referents=[["lid", [1, 2], ["lid"], True, 0]]), "field 'candidates': Expected `array` of at most"),
        (row(referents=[["lid", [1, 2], ["lid"], "yes"]]), "field 'candidates': Expected `bool`, got `str`"),
    ],
)
def test_bad_rows_are_refused(tmp_path: Path, line: str, message: str) -> None:
    write(tmp_path, FILE, f"{row()}\n{line}\n")
    assert f"dataset.tsv:2: {message}" in refusal(named(SUITES, "xwinograd/en"), tmp_path)


def test_what_is_not_there_names_its_command(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)
