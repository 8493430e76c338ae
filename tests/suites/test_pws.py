from __future__ import annotations

from pathlib import Path

import pytest

from referee.items import Candidate, Item
from referee.suites.pws import COLUMNS, FILE, SUFFIXES, SUITES, right_answer
from tests.support.published import (
    assert_names_its_command,
    in_both,
    named,
    published_text,
    read_items,
    refusal,
    write,
)

COUNTS = {"en": 301, "hu": 244, "fr": 214, "pt": 273, "pt2": 155, "zh": 290, "ja": 280, "ja2": 162, "ru": 280}
NO_GOLD = {"en": 0, "hu": 5, "fr": 5, "pt": 0, "pt2": 22, "zh": 5, "ja": 4, "ja2": 5, "ru": 2}
SMALL_COUNTS = {"en": 3, "hu": 1, "fr": 1, "pt": 1, "pt2": 2, "zh": 1, "ja": 1, "ja2": 1, "ru": 1}
SMALL_NO_GOLD = {"en": 0, "hu": 0, "fr": 1, "pt": 0, "pt2": 2, "zh": 0, "ja": 0, "ja2": 0, "ru": 0}


def published(item: Item, version: str) -> dict[str, str]:
    """The filled cells of the row that the item knows."""
    suffix, meta = SUFFIXES[version], dict(item.meta)
    cells = {f"sentence_{suffix}": item.source, f"snippet_{suffix}": item.question or ""}
    cells |= {f"answer{n}_{suffix}": candidate.text for n, candidate in enumerate(item.candidates, 1)}
    if item.gold is not None:
        cells[f"correct_answer_{suffix}"] = item.candidates[item.gold].text
    elif "gold_unknown" in meta:
        cells[f"correct_answer_{suffix}"] = meta.pop("gold_unknown")
    cells |= meta.pop("stray", {})
    return {column: text for column, text in (cells | meta).items() if text}


def table(*rows: dict[str, str]) -> str:
    lines = [COLUMNS, *([row.get(column, "") for column in COLUMNS] for row in rows)]
    return "".join("\t".join(line) + "\n" for line in lines)


def row(**cells: str) -> dict[str, str]:
    return {
        "idx": "4",
        "orig_id": "2",
        "sentence_en": "Ada fed Bo as she was kind.",
        "snippet_en": "Who was kind?",
        "answer1_en": "Ada",
        "answer2_en": "Bo",
        "correct_answer_en": "Ada",
        "source_en": "made up",
    } | cells


@pytest.mark.parametrize(
    ("data", "name", "sizes"), in_both({"table": (SMALL_COUNTS, SMALL_NO_GOLD)}, {"table": (COUNTS, NO_GOLD)})
)
def test_the_whole_table_comes_back(data: Path, name: str, sizes: tuple[dict[str, int], dict[str, int]]) -> None:
    header, *lines = [line.split("\t") for line in published_text(data / FILE).split("\n") if line]
    rebuilt: dict[str, dict[str, str]] = {}
    counts, without_gold = sizes
    for version in counts:
        items = read_items(named(SUITES, f"pws/{version}"), data)
        assert len(items) == counts[version]
        assert sum(item.gold is None for item in items) == without_gold[version]
        language = version[:2]
        assert {(item.task, item.source_lang, item.target_lang) for item in items} == {("choose", language, language)}
        for item in items:
            rebuilt.setdefault(item.meta["idx"], {}).update(published(item, version))
    assert [[rebuilt[line[0]].get(column, "") for column in header] for line in lines] == lines


def test_synthetic_rows_field_by_field(synthetic_data: Path) -> None:
    items = {version: read_items(named(SUITES, f"pws/{version}"), synthetic_data) for version in SMALL_COUNTS}
    assert items["en"][0] == Item(
        id="pws.en.1",
        task="choose",
        source_lang="en",
        target_lang="en",
        source="The crow dropped the shell because it was heavy.",
        question="it was heavy",
        candidates=(Candidate("the crow"), Candidate("the shell")),
        gold=1,
        group="pws-1",
        meta={"idx": "1", "orig_id": "1", "source_en": "made up"},
    )
    # What a version without sentence has is kept with the English one.
    stray = {"snippet_jap": "stray", "trans_jap": "W.", "comment_jap": "no sentence"}
    assert items["en"][1].meta == {
        "idx": "2",
        "orig_id": "1",
        "stray": stray,
        "source_en": "made up",
        "comment_en": "twin of 1",
    }
    (hungarian,), (french,), (chinese,) = items["hu"], items["fr"], items["zh"]
    assert (hungarian.gold, hungarian.meta["correct_answer_hu"]) == (1, "A kagyló.")
    assert (french.gold, french.meta["gold_unknown"], french.meta["comment_fr"]) == (None, "une noix", "gender is lost")
    assert "correct_answer_fr" not in french.meta
    assert chinese.gold == 1
    rui, ida = items["pt2"]
    # Without its second answer the item has no candidates; without snippet no question.
    assert (rui.candidates, rui.gold, rui.meta["answer1_por2"], "gold_unknown" in rui.meta) == (
        (),
        None,
        "o Rui",
        False,
    )
    assert (ida.question, ida.gold, ida.meta["gold_unknown"]) == (None, None, "")
    assert {item.group for version in items.values() for item in version} == {"pws-1", "pws-2"}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("Ada", 0), ("the cat", 1), ("ada ", 0), ("The cat.", 1), ("the  cat", 1), ("Adas", None), ("", None)],
)
def test_the_answer_is_found_despite_small_differences(answer: str, expected: int | None) -> None:
    assert right_answer(answer, ("Ada", "the cat")) == expected


def test_an_exact_answer_wins_and_an_ambiguous_one_is_none() -> None:
    assert right_answer("A", ("a", "A")) == 1
    assert right_answer("A.", ("a", "A")) is None


def test_versions_are_items_of_their_own(tmp_path: Path) -> None:
    cells = row(sentence_por2="Eva e Bia.", snippet_jap="?", comment_hu="nothing", trans_por="Rui")
    write(tmp_path, FILE, table(cells))
    (english,) = read_items(named(SUITES, "pws/en"), tmp_path)
    (portuguese,) = read_items(named(SUITES, "pws/pt2"), tmp_path)
    assert read_items(named(SUITES, "pws/ja"), tmp_path) == []
    assert (english.id, english.group, english.gold) == ("pws.en.4", "pws-2", 0)
    assert (portuguese.id, portuguese.target_lang, portuguese.candidates) == ("pws.pt2.4", "pt", ())
    assert published(english, "en") | published(portuguese, "pt2") == cells


@pytest.mark.parametrize(
    ("cells", "gold"),
    [
        ({"correct_answer_en": "bo."}, 1),
        ({"correct_answer_en": "Cy"}, None),
        ({"correct_answer_en": ""}, None),
        ({"answer2_en": ""}, None),
    ],
)
def test_odd_answers_are_kept(tmp_path: Path, cells: dict[str, str], gold: int | None) -> None:
    write(tmp_path, FILE, table(row(**cells)))
    (item,) = read_items(named(SUITES, "pws/en"), tmp_path)
    assert item.gold == gold
    assert published(item, "en") == {column: text for column, text in row(**cells).items() if text}


def test_bad_tables_are_refused(tmp_path: Path) -> None:
    suite = named(SUITES, "pws/en")
    write(tmp_path, FILE, table(row()).replace("orig_id", "old_id"))
    assert "pws.tsv:1: expected the columns idx, orig_id" in refusal(suite, tmp_path)
    write(tmp_path, FILE, table(row()) + "short\n")
    assert f"pws.tsv:3: expected {len(COLUMNS)} columns, but found 1" in refusal(suite, tmp_path)
    write(tmp_path, FILE, table(row(), row()))
    assert "pws.tsv:3: field 'id': 'pws.en.4' occurs twice" in refusal(suite, tmp_path)


def test_what_is_not_there_names_its_command(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)
