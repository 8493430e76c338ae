"""Which lexicons answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import referee.annotate.pocket.lexicon_sources as module
from referee.annotate.pocket.lexicon_sources import open_source
from referee.languages.analyses import Analysis
from referee.train.recipes.lexicon.paradigms import Word, build

NOUN = Analysis("NOUN", "Masc", "Sing", "Nom")


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, list[str]], None]:
    """Ship a lexicon with these nouns."""
    monkeypatch.setattr(module, "lexicon_file", lambda language: tmp_path / f"{language}.xz")

    def write(language: str, nouns: list[str]) -> None:
        (tmp_path / f"{language}.xz").write_bytes(build([Word(noun, ((noun, NOUN),)) for noun in nouns], {}))

    return write


def test_a_language_without_a_lexicon_has_none(shipped: Callable[[str, list[str]], None]) -> None:
    shipped("de", ["Tisch"])
    assert open_source("fi", optional=True) is None


def test_other_spellings_and_compounds_are_found(shipped: Callable[[str, list[str]], None]) -> None:
    shipped("de", ["Fluss", "Tisch"])
    shipped("ru", ["елка"])
    german, russian = open_source("de", optional=False), open_source("ru", optional=False)
    assert german is not None
    assert russian is not None
    assert german.version.startswith("lexicon ")
    assert [found.lemma for found in german.analyses("Fluß")] == ["Fluss"]
    assert [found.lemma for found in german.analyses("Flusstisch")] == ["Flusstisch"]
    assert [found.lemma for found in russian.analyses("ёлка")] == ["елка"]


@pytest.mark.parametrize(
    ("language", "package", "form"), [("pl", "morfeusz2", "kobietami"), ("ru", "pymorphy3", "ёлками")]
)
def test_an_installed_package_is_asked_first(
    shipped: Callable[[str, list[str]], None], language: str, package: str, form: str
) -> None:
    pytest.importorskip(package, reason=f"{package} is not installed")
    shipped(language, [form, "zzz"])
    both, core = open_source(language, optional=True), open_source(language, optional=False)
    assert both is not None
    assert core is not None
    assert both.version.startswith(f"{package} ")
    assert core.version.startswith("lexicon ")
    assert {found.case for found in both.analyses(form)} == {"Ins"}
    assert {found.case for found in core.analyses(form)} == {"Nom"}
    # What the package does not know may be in the shipped file.
    assert [found.lemma for found in both.analyses("zzz")] == ["zzz"]
