"""What holds for all suites together."""

from __future__ import annotations

import gzip
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import referee
from referee import sets
from referee.errors import UnknownNameError
from referee.items import SetOrigin
from referee.suites import load, suites
from referee.suites.contracat import PHRASES
from tests.suites.test_contracat import ABSENT as CONTRACAT
from tests.suites.test_square_one import ABSENT as SQUARE_ONE
from tests.support.items import item
from tests.support.published import SYNTHETIC, read_items

# What lies in the folders of challenge sets but is no set: word lists, rules, outputs, other forms of the same items.
NO_SETS = re.compile(
    r"""contracat/(templates/vocabulary/|resources/|example_scores|.*/commandline_args\.txt|.*/predictions\.json)
    |contracat/templates/2_coreference_step/(event|pleonastic)/\w+/genders\.txt
    |ctxpro/(RELEASE\.tsv|(rules|paper/outputs)/)
    |contrapro-fr/docids\.selected
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
    "contrapro-fr",
    "scat-en-fr",
    "bawden-en-fr",
    "enhanced-wsc",
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


def test_every_published_set_is_read_by_a_suite(published_data: Path) -> None:
    read = {file for suite in suites().values() for file in suite.files}
    there = {
        path.relative_to(published_data).as_posix().removesuffix(".gz")
        for folder in FOLDERS
        for path in (published_data / folder).rglob("*")
        if path.is_file()
    }
    assert {file for file in there - read if not NO_SETS.match(file)} == set()


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory, synthetic_data: Path) -> Path:
    """The synthetic folder with every file packed on its own."""
    folder = tmp_path_factory.mktemp("packed")
    for path in synthetic_data.rglob("*"):
        if path.is_file():
            copy = folder / f"{path.relative_to(synthetic_data)}.gz"
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    return folder


def synthetic_suites() -> list[str]:
    """Suites that can be read from the synthetic folder."""
    allowed = {name: len(suite.files) - 1 if suite.needs == "any" else 0 for name, suite in suites().items()}
    return [n for n, suite in suites().items() if suite.files and len(suite.missing(SYNTHETIC)) <= allowed[n]]


def test_there_is_a_synthetic_file_in_every_format() -> None:
    there = synthetic_suites()
    assert {name.split("/")[0] for name in there} == {n.split("/")[0] for n, suite in suites().items() if suite.files}
    assert len(there) >= 94


@pytest.mark.parametrize("name", synthetic_suites())
def test_packed_files_give_the_same_items(name: str, packed: Path) -> None:
    items = read_items(suites()[name], SYNTHETIC)
    assert items
    assert list(load(name, data=packed)) == items


def test_what_is_not_here_is_known(shared_data: Path) -> None:
    missing = {name for name, suite in suites().items() if suite.presence(shared_data) == "no"}
    expected = {"contrapro", "winogrande/train_xl", "ctxpro/paper/gender/en-fr", "ctxpro/paper/gender/en-pt"}
    expected |= {"wino-x/mt/en-fr", "wino-x/mt/en-ru", "contracat/contrapro/full"}
    expected |= {f"contracat/{name}" for name in CONTRACAT} | set(SQUARE_ONE)
    assert {name for name in missing if not name.startswith("ctxpro/release/")} == expected


def test_a_set_is_opened_by_file_or_by_name(tmp_path: Path) -> None:
    sets.save([item()], tmp_path / "mine.jsonl")
    assert list(load(str(tmp_path / "mine.jsonl"), data=tmp_path)) == [item()]
    opened = load("huws", data=SYNTHETIC)
    assert (opened.name, len(list(opened))) == ("huws", 4)
    with pytest.raises(UnknownNameError, match=r"unknown suite 'wcs' \(did you mean wsc"):
        load("wcs", data=tmp_path)


def test_published_changes_name_the_suite_they_were_made_of() -> None:
    origins = {name: suite.origin for name, suite in suites().items() if suite.origin is not None}
    phrases = (f"phrase-addition/{name}" for name in PHRASES)
    attacks = ("possessive/maria", "possessive/woman", "synonyms", *phrases)
    square_one = {name: origin for name, origin in origins.items() if name.startswith("square-one/")}
    assert square_one["square-one/part-sent/dev"] == SetOrigin("square-one/pairs/dev", "part-sent", "baseline")
    assert origins == {
        **{f"contracat/{name}": SetOrigin("contracat/contrapro", name, "attack") for name in attacks},
        **square_one,
        **{
            f"wino-x/lm/en-{language}/english": SetOrigin(f"wino-x/lm/en-{language}", "english", "parallel")
            for language in ("de", "fr", "ru")
        },
        **{
            f"enhanced-wsc/{name}": SetOrigin("enhanced-wsc/original", name, "attack")
            for name in ("voice", "tense", "number", "gender", "rel_clause", "syn", "adverb", "random_context")
        },
        **{
            f"enhanced-wsc/{name}": SetOrigin("enhanced-wsc/original", name, "probe")
            for name in ("scrambled", "freqnoun")
        },
    }
    assert all(origin.of in suites() for origin in origins.values())


def blind(source: str, candidates: list[str], context: Sequence[str] = ()) -> list[float]:
    """Always prefers the same text, whatever the context is."""
    del source, context
    return [-float(sorted(candidates).index(candidate)) for candidate in candidates]


@pytest.mark.parametrize(
    ("name", "accuracy", "chance"),
    [
        ("contrapro-fr", 5 / 7, 5 / 7),
        ("scat-en-fr/test", 1.0, 1.0),
        # A block has each candidate as often correct as incorrect: without context half of it is correct.
        ("bawden-en-fr/anaphora", 0.5, 0.5),
        ("bawden-en-fr/lexical-choice", 0.5, 0.5),
        ("enhanced-wsc/original", 0.5, 0.5),
        ("enhanced-wsc", 0.5, 0.5),
    ],
)
def test_a_suite_runs_from_items_to_the_report(
    name: str, accuracy: float, chance: float, tmp_path: Path, synthetic_data: Path
) -> None:
    run = referee.evaluate(blind, name, data=synthetic_data)
    (findings,) = run.findings
    assert findings.overall is not None and findings.chance is not None
    assert findings.overall.accuracy == pytest.approx(accuracy)
    assert findings.chance.level == pytest.approx(chance)
    assert run.diagnose().suites
    referee.report(run, out=tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size > 10000
