"""The text that the encoder learns from: films, single sentences, treebanks."""

from __future__ import annotations

from pathlib import Path

import pytest

for package in ("torch", "sentencepiece", "google.protobuf"):
    pytest.importorskip(package)

from referee.train.recipes.encoder import collect, passages  # noqa: E402
from referee.train.recipes.encoder.passages import FILE, LANGUAGES, Passage, by_language  # noqa: E402
from referee.train.recipes.translator import corpus  # noqa: E402
from tests.support import small_treebanks, tiny_translator  # noqa: E402
from tests.support.small_translator import called  # noqa: E402


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tiny_translator.write(tmp_path_factory.mktemp("collect"))
    challenge = folder / "parallel/tatoeba-challenge"
    for name, row in (
        ("deu-eng", "deu\teng\tDas ist eine Probe.\tThis is a sample."),
        ("eng-fra", "eng\tfra\tThis is a sample.\tCeci est un échantillon."),
        ("eng-spa", "eng\tspa\tThis is a sample.\tEsto es una muestra."),
    ):
        (challenge / f"{name}.devtest.tsv").write_text(f"{row}\n", encoding="utf-8")
    small_treebanks.write(folder)
    return folder


@pytest.fixture(scope="module")
def parts(data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Passage]]:
    out = tmp_path_factory.mktemp("collected")
    with pytest.MonkeyPatch.context() as patch:
        # Of so few films, one in a hundred is none.
        patch.setattr(corpus, "HELD_OUT", 0.0)
        patch.setattr(corpus, "WATCHED", 0.5)
        called(collect.main, data, out)
    return passages.read(out / FILE)


def test_sides_are_where_they_belong(parts: dict[str, list[Passage]]) -> None:
    assert Passage("de", "This is a sample.", "Das ist eine Probe.") in parts["train"]
    assert Passage("fr", "This is a sample.", "Ceci est un échantillon.") in parts["train"]


def test_every_language_has_its_treebanks(parts: dict[str, list[Passage]]) -> None:
    texts = by_language(parts["train"])
    for language in LANGUAGES:
        assert small_treebanks.sentence(language, small_treebanks.PER_MEASURED).text in texts[language]


def test_measured_sentences_are_not_collected(parts: dict[str, list[Passage]]) -> None:
    texts = by_language(parts["train"])
    for language in LANGUAGES:
        measured = {small_treebanks.sentence(language, number).text for number in range(small_treebanks.PER_MEASURED)}
        assert measured.isdisjoint(texts[language])


def test_nothing_is_there_twice_or_in_both_parts(parts: dict[str, list[Passage]]) -> None:
    assert len(set(parts["train"])) == len(parts["train"])
    # Some of the invented single sentences and scenes are in both.
    assert set(parts["train"]).isdisjoint(parts["watch"])
    assert parts["watch"]
