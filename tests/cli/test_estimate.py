from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from referee.analysis.corpus.frequencies import read_priors
from tests.conftest import Command
from tests.support.parallel_sample import GERMAN, sentences


@pytest.fixture
def corpus(tmp_path: Path) -> tuple[Path, Path]:
    rows = sentences(300)
    source, target = tmp_path / "c.en", tmp_path / "c.de.gz"
    source.write_text("".join(f"{text}\n" for text, _ in rows), encoding="utf-8")
    target.write_bytes(gzip.compress("".join(f"{text}\n" for _, text in rows).encode()))
    return source, target


def test_priors(corpus: tuple[Path, Path], tmp_path: Path, referee: Command) -> None:
    out = tmp_path / "priors.json"
    # A packed file may be named without its ending.
    shown = referee("estimate", "priors", corpus[0], tmp_path / "c.de", "--target-lang", "de", "--out", out)
    assert shown.code == 0
    assert shown.out.startswith("pronouns in 300 lines, en-de\n")
    assert "learned from 300 pairs (few: rare translations are unreliable)." in shown.out
    assert f"Counts written to {out}." in shown.err
    printed = referee("estimate", "priors", *corpus, "--target-lang", "de", "--json")
    assert printed.code == 0
    assert printed.out.encode() == out.read_bytes()
    assert read_priors(out).occurrences == json.loads(printed.out)["occurrences"] > 100


def test_priors_with_links_from_elsewhere(tmp_path: Path, referee: Command) -> None:
    paths = [tmp_path / name for name in ("a.en", "a.de", "a.align")]
    for path, column in zip(paths, zip(*GERMAN, strict=True), strict=True):
        path.write_text("".join(f"{text}\n" for text in column), encoding="utf-8")
    source, target, links = paths
    told = referee("estimate", "priors", source, target, "--target-lang", "de", "--alignment", links, "--json")
    found = json.loads(told.out)
    assert [(count["gender"], count["translations"]) for count in found["genders"]] == [("m", 1), ("f", 1), ("n", 3)]
    limited = referee(
        "estimate", "priors", source, target, "--target-lang", "de", "--alignment", links, "--limit", 1, "--json"
    )
    assert json.loads(limited.out)["occurrences"] == 1
    links.write_text("0-0\n" * len(GERMAN), encoding="utf-8")
    wrong = referee("estimate", "priors", source, target, "--target-lang", "de", "--alignment", links)
    assert (wrong.code, wrong.out) == (1, "")
    assert wrong.err == (
        f"error: {links}:12: '0-0' is out of range (0 source and 0 target tokens). "
        "Use the texts that the aligner read, with a space between tokens.\n"
    )
    links.write_text("0-0\n", encoding="utf-8")
    short = referee("estimate", "priors", source, target, "--target-lang", "de", "--alignment", links)
    assert short.code == 1
    assert f"{links}: expected 12 lines, as many as {source} has, but found 1" in short.err


@pytest.mark.parametrize(
    ("options", "code", "problem"),
    [
        (["--target-lang", "xx"], 1, "unknown language 'xx'"),
        (["--target-lang", "de", "--word", "it is"], 2, "--word: 'it is' is not a single word"),
        (["--target-lang", "de", "--word", ""], 2, "--word: '' is not a single word"),
        (
            ["--target-lang", "de", "--alignment", "x", "--longest", "9"],
            2,
            "have no effect with --alignment. Remove them.",
        ),
        (["--target-lang", "de", "--alignment", "nowhere"], 1, "nowhere: does not exist"),
        (["--target-lang", "de", "--limit", "0"], 2, "--limit"),
        ([], 2, "--target-lang"),
    ],
)
def test_priors_refuses(
    options: list[str], code: int, problem: str, corpus: tuple[Path, Path], referee: Command
) -> None:
    told = referee("estimate", "priors", *corpus, *options)
    assert (told.code, told.out) == (code, "")
    assert problem in told.err
    assert "Traceback" not in told.err


def test_unequal_lines_and_broken_files(corpus: tuple[Path, Path], tmp_path: Path, referee: Command) -> None:
    short = tmp_path / "short"
    short.write_text("Es\n", encoding="utf-8")
    told = referee("estimate", "priors", corpus[0], short, "--target-lang", "de")
    assert told.code == 1
    assert f"{short}: expected 300 lines, as many as {corpus[0]} has, but found 1." in told.err
    broken = tmp_path / "broken"
    broken.write_bytes(b"Es\n" * 150 + b"\xff\n" + b"Es\n" * 149)
    told = referee("estimate", "priors", corpus[0], broken, "--target-lang", "de")
    assert told.code == 1
    assert f"{broken}:151: is not valid UTF-8" in told.err


def test_hostile_lines_are_counted(tmp_path: Path, referee: Command) -> None:
    rows = [*sentences(50), ("it " * 50_000, "es " * 50_000), ("\x00it\u202e<b>", "es\x00[red]"), ("it", "")]
    source, target = tmp_path / "s", tmp_path / "t"
    for path, column in zip((source, target), zip(*rows, strict=True), strict=True):
        path.write_text("".join(f"{text}\n" for text in column), encoding="utf-8")
    found = json.loads(referee("estimate", "priors", source, target, "--target-lang", "de", "--json").out)
    assert found["lines"] == 53
    assert found["skipped"] == 50_001
    assert found["skipped_lines"] == {"empty": 1, "longer than 100 tokens": 1}


@pytest.fixture
def outputs(tmp_path: Path) -> list[Path]:
    texts = {
        "ref.de": "Er kam.\nSie kam.\nEs kam.\n\n",
        "one.de": "Er kam.\nEs kam.\nEs kam.\nEs\n",
        "two.de": "Er kam.\nDa kam sie.\n\n\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [tmp_path / name for name in texts]


def test_coverage(outputs: list[Path], referee: Command) -> None:
    reference, one, two = outputs
    shown = referee("estimate", "coverage", one, reference, two, "--target-lang", "de")
    assert shown.code == 0
    assert shown.out.startswith(f"pronouns in translations and in {reference}\n")
    assert len(shown.out.splitlines()) == 2 + 8 + 2 + 1
    told = json.loads(referee("estimate", "coverage", one, reference, two, "--target-lang", "de", "--json").out)
    assert told["reference"] == str(reference)
    assert {
        Path(name).name: [
            (own["gender"], own["reference"], own["translations"], own["same"]) for own in found["genders"]
        ]
        for name, found in told["translations"].items()
    } == {
        "one.de": [("m", 1, 1, 1), ("f", 1, 0, 0), ("n", 1, 3, 1), ("all", 3, 4, 2)],
        "two.de": [("m", 1, 1, 1), ("f", 1, 1, 1), ("n", 1, 0, 0), ("all", 3, 2, 2)],
    }


def test_coverage_refuses(outputs: list[Path], tmp_path: Path, referee: Command) -> None:
    reference, one, two = outputs
    twice = referee("estimate", "coverage", one, reference, one, "--target-lang", "de")
    assert (twice.code, twice.err) == (2, "error: a file of translations is given twice. Give each file once.\n")
    two.write_text("Er\n", encoding="utf-8")
    short = referee("estimate", "coverage", one, reference, two, "--target-lang", "de")
    assert short.code == 1
    assert f"{reference}: expected 1 lines, as many as {two} has, but found 4." in short.err
    unknown = referee("estimate", "coverage", one, reference, "--target-lang", "german")
    assert "unknown language 'german'" in unknown.err
