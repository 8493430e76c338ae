"""Counts from files, in one call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.analysis.corpus.estimate import estimate_coverage, estimate_priors
from referee.analysis.corpus.frequencies import read_priors
from referee.errors import InputError, UnknownNameError, UsageError
from referee.io.progress import Progress, no_progress
from tests.support.parallel_sample import GERMAN


@pytest.fixture
def corpus(tmp_path: Path) -> list[Path]:
    """Source, target and links."""
    paths = [tmp_path / name for name in ("a.en", "a.de", "a.align")]
    for path, column in zip(paths, zip(*GERMAN, strict=True), strict=True):
        path.write_text("".join(f"{text}\n" for text in column), encoding="utf-8")
    return paths


def test_priors_with_links_are_counted_and_kept(corpus: list[Path], tmp_path: Path) -> None:
    steps: list[str] = []

    @contextmanager
    def bars(step: str) -> Iterator[Progress]:
        steps.append(step)
        yield no_progress

    source, target, links = corpus
    priors = estimate_priors(source, str(target), "de", alignment=links, out=tmp_path / "priors.json", bars=bars)
    assert [(count.gender, count.translations) for count in priors.genders] == [("m", 1), ("f", 1), ("n", 3)]
    assert read_priors(tmp_path / "priors.json") == priors
    assert steps == ["counting pronouns", "reading the alignment"]
    first = estimate_priors(source, target, "de", alignment=links, limit=1)
    assert (first.lines, first.occurrences) == (1, 1)


def test_without_links_an_aligner_learns(corpus: list[Path]) -> None:
    source, target, _ = corpus
    priors = estimate_priors(source, target, "de", learn_from=3, longest=50)
    assert priors.learned_from is not None
    assert priors.learned_from <= 3


def test_options_that_do_not_go_together(corpus: list[Path]) -> None:
    source, target, links = corpus
    with pytest.raises(UsageError, match="'it is' is not a single word"):
        estimate_priors(source, target, "de", word="it is")
    with pytest.raises(UsageError, match="have no effect with --alignment"):
        estimate_priors(source, target, "de", alignment=links, learn_from=3)


def test_latin_letters_in_russian_words_are_put_right(tmp_path: Path) -> None:
    system, reference = tmp_path / "system", tmp_path / "reference"
    system.write_text("Oн упал.\n", encoding="utf-8")
    reference.write_text("Он упал.\n", encoding="utf-8")
    (coverage,) = estimate_coverage([system], reference, "ru").values()
    assert (coverage.genders[0].reference, coverage.genders[0].translations) == (1, 1)


def test_every_system_is_checked_before_one_is_counted(tmp_path: Path) -> None:
    one, other, reference = (tmp_path / name for name in ("one", "other", "reference"))
    one.write_text("Er fiel.\nSie fiel.\n")
    other.write_text("Es fiel.\nEs fiel.\n")
    reference.write_text("Sie fiel.\nSie fiel.\n")
    coverage = estimate_coverage([one, other], reference, "de")
    assert list(coverage) == [str(one), str(other)]
    assert [rows.genders[1].translations for rows in coverage.values()] == [1, 0]
    with pytest.raises(UsageError, match="given twice"):
        estimate_coverage([one, one], reference, "de")
    other.write_text("Es fiel.\n")
    opened: list[str] = []

    @contextmanager
    def bars(step: str) -> Iterator[Progress]:
        opened.append(step)
        yield no_progress

    with pytest.raises(InputError, match="but found 2"):
        estimate_coverage([one, other], reference, "de", bars=bars)
    assert opened == []


def test_a_language_without_pronouns_is_refused_before_files_are_opened(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    with pytest.raises(UnknownNameError, match="unknown language 'xx'"):
        estimate_coverage([missing], missing, "xx")
    with pytest.raises(UnknownNameError, match="unknown language 'xx'"):
        estimate_priors(missing, missing, "xx")
