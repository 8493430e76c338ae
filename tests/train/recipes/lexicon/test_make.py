"""The lexicon of a language from small sources."""

from __future__ import annotations

import json
import lzma
import sys
from pathlib import Path

import pytest

from referee.errors import UsageError
from referee.languages.analyses import Analysis
from referee.languages.lexicon import read_lexicon
from referee.train.recipes.lexicon import make
from referee.train.recipes.lexicon.paradigms import Word
from tests.train.recipes.lexicon.test_treebank import write_treebanks

NOUN = Analysis("NOUN", "Fem", "Sing")


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.jsonl.xz"
    with lzma.open(path, "wt", encoding="utf-8") as file:
        file.write(json.dumps(["train", "es", "The cup.", "la taza, la taza y una taza"]) + "\n")
    return path


def test_a_lexicon_is_written_with_its_sources(
    tmp_path: Path, text: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_treebanks(tmp_path, "es", {"UD_Spanish-PUD/es_pud-ud-test": [("mesa", "Fem", "Sing")] * 2})
    monkeypatch.setattr(make, "lexicon_file", lambda language: tmp_path / f"{language}.xz")
    monkeypatch.setattr(sys, "argv", ["make", "es", str(text), str(tmp_path)])
    make.main()
    lexicon = read_lexicon(tmp_path / "es.xz")
    assert [source["licence"] for source in lexicon.about["sources"]][1] == "CC BY, CC BY-SA"
    assert [(found.gender, found.number) for found in lexicon.analyses("tazas")] == [("Fem", "Plur")]
    assert [(found.gender, found.number) for found in lexicon.analyses("mesa")] == [("Fem", "Sing")]
    assert capsys.readouterr().out.startswith("es: 2 of 2 words, ")


def test_a_lexicon_that_is_too_large_loses_its_last_words(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = [Word(f"{number:x}", ((f"{number:x}", NOUN),)) for number in range(2000)]
    monkeypatch.setattr(make, "LARGEST", 800)
    content, size = make.smaller(chosen, {})
    assert len(content) <= 800
    assert 100 < size < 2000


@pytest.mark.parametrize("arguments", [[], ["fi", "a", "b"], ["fr", "a", "b"]])
def test_wrong_arguments_are_named(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["make", *arguments])
    with pytest.raises(UsageError):
        make.main()
