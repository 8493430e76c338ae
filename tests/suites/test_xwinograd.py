from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.items import Item
from referee.suites.xwinograd import FILE, SUITES, token_offsets
from tests.support.published import assert_names_its_command, named, published_text, read_items, refusal, write

COUNTS = {"en": 2325, "fr": 83, "ja": 959, "pt": 263, "ru": 315, "zh": 16}
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


@pytest.mark.parametrize("language", COUNTS)
def test_every_published_row_comes_back(shared_data: Path, language: str) -> None:
    items = read_items(named(SUITES, f"xwinograd/{language}"), shared_data)
    assert len(items) == COUNTS[language]
    code = "jp" if language == "ja" else language
    rows = [row for row in published_text(shared_data / FILE).split("\n") if row.startswith(f"{code}\t")]
    assert [published(item) for item in items] == rows
    for item in items:
        referents = item.meta["candidates"]
        assert [referent[0] for referent in referents] == [candidate.text for candidate in item.candidates]
        assert [referent[3] for referent in referents].index(True) == item.gold
        spans = [item.source[span.start : span.end] for span in item.spans]
        assert spans == [referent[0] for referent in referents if not _overlaps(referent[1], item.meta["pronoun"][1])]


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
        ("en\tx", "has 2 columns instead of 7"),
        (row(tokens=["Its", "cup"]), "field 'tokens': 'cup' is not at character 4 of the sentence"),
        (row(tokens="x"), "field 'tokens': Expected `array`, got `str`"),
        (row()[:-1], "field 'candidates': Input data was truncated"),
        (row(pronoun=["it", [8, 9], ["it"]]), "field 'pronoun': 'it' is not at tokens [8, 9]"),
        (row(pronoun=["it", [9, 99], ["it"]]), "field 'tokens': there are 12, so that [9, 99] lies outside"),
        (row(pronoun=["it", [9], ["it"]]), "field 'pronoun': Expected `array` of length 2"),
        (row(referents=[["lid", [1, 2], ["lid"], False]] * 2), "field 'candidates': 0 of 2 are right"),
        (row(referents=[["lid", [1, 2], ["lid"], "yes"]]), "field 'candidates': Expected `bool`, got `str`"),
    ],
)
def test_bad_rows_are_refused(tmp_path: Path, line: str, message: str) -> None:
    write(tmp_path, FILE, f"{row()}\n{line}\n")
    assert f"dataset.tsv:2: {message}" in refusal(named(SUITES, "xwinograd/en"), tmp_path)


def test_what_is_not_there_names_its_command(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)
