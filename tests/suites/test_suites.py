"""What holds for all suites together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee import sets
from referee.errors import UnknownNameError
from referee.items import SetOrigin
from referee.suites import load, suites
from tests.support.items import item

# What lies in the folders of challenge sets but is no set: word lists, rules, outputs, other forms of the same items.
NO_SETS = re.compile(
    r"""contracat/(templates/vocabulary/|resources/|example_scores|.*/commandline_args\.txt|.*/predictions\.json)
    |ctxpro/(RELEASE\.tsv|(rules|paper/outputs)/)
    |copa/(copa\.dtd|gold\.\w+|copa-(dev|test)\.xml|\w+\.en\.jsonl)""",
    re.VERBOSE,
)
FOLDERS = (
    "xcopa",
    "winograd",
    "contracat",
    "ctxpro",
    "copa",
    "siqa",
    "winograd-multilingual",
    "parallel/voita-consistency-en-ru",
)


def test_names_do_not_repeat_and_files_stay_in_the_data_folder() -> None:
    found = suites()
    assert len(found) > 150
    for name, suite in found.items():
        assert re.fullmatch(r"[a-z0-9]+[a-z0-9/_-]*", name, re.IGNORECASE), name
        assert suite.about
        assert suite.paper
        assert suite.licence
        assert all(
            not Path(file).is_absolute() and ".." not in file and not file.endswith(".gz") for file in suite.files
        )


def test_every_published_set_is_read_by_a_suite(shared_data: Path) -> None:
    read = {file for suite in suites().values() for file in suite.files}
    there = {
        path.relative_to(shared_data).as_posix().removesuffix(".gz")
        for folder in FOLDERS
        for path in (shared_data / folder).rglob("*")
        if path.is_file()
    }
    assert {file for file in there - read if not NO_SETS.match(file)} == set()


def test_what_is_not_here_is_known(shared_data: Path) -> None:
    missing = {
        name for name, suite in suites().items() if suite.files and len(suite.missing(shared_data)) == len(suite.files)
    }
    expected = {"contrapro", "winogrande/train_xl", "ctxpro/paper/gender/en-fr", "ctxpro/paper/gender/en-pt"}
    expected |= {"wino-x/mt/en-fr", "wino-x/mt/en-ru"}
    assert {name for name in missing if not name.startswith("ctxpro/release/")} == expected


def test_a_set_is_opened_by_file_or_by_name(tmp_path: Path) -> None:
    sets.save([item()], tmp_path / "mine.jsonl")
    assert list(load(str(tmp_path / "mine.jsonl"), data=tmp_path)) == [item()]
    with pytest.raises(UnknownNameError, match=r"there is no suite 'wcs' \(did you mean wsc"):
        load("wcs", data=tmp_path)


def test_twins_of_wino_x_pair_up(shared_data: Path) -> None:
    for language, stems, items in (("de", 2918, 5835), ("fr", 1398, 2793), ("ru", 762, 1487)):
        groups: dict[str, list[int | None]] = {}
        for made in load(f"wino-x/lm/en-{language}", data=shared_data):
            groups.setdefault(made.group_id, []).append(made.gold)
        assert (len(groups), sum(map(len, groups.values()))) == (stems, items)
        twins = [golds for golds in groups.values() if len(golds) == 2]
        assert len(twins) == items - stems
        assert len(groups) - len(twins) == 2 * stems - items


def test_published_changes_name_the_suite_they_were_made_of() -> None:
    origins = {name: suite.origin for name, suite in suites().items() if suite.origin is not None}
    phrases = (f"phrase-addition/{name}" for name in ("true_separate", "and_it_true", "he_said"))
    attacks = ("possessive/maria", "possessive/woman", "synonyms", *phrases)
    assert origins == {
        **{f"contracat/{name}": SetOrigin("contracat/contrapro", name, "attack") for name in attacks},
        "square-one/no-cands/wsc": SetOrigin("square-one/pairs/wsc", "no-cands", "baseline"),
        "square-one/part-sent/wsc": SetOrigin("square-one/pairs/wsc", "part-sent", "baseline"),
        "square-one/zero-shot/wsc": SetOrigin("square-one/pairs/wsc", "zero-shot", "probe"),
        "square-one/zero-shot/wsc_lms": SetOrigin("square-one/pairs/wsc", "zero-shot/wsc_lms", "probe"),
        **{
            f"wino-x/lm/en-{language}/english": SetOrigin(f"wino-x/lm/en-{language}", "english", "parallel")
            for language in ("de", "fr", "ru")
        },
    }
    assert all(origin.of in suites() for origin in origins.values())
