"""The shipped translator is what its card says, and the card says what was measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee import pocket
from referee.build.templates import open_templates
from referee.models.ct2.settings import Ct2Options
from referee.models.pocket import with_ct2
from referee.pocket import forms, store
from referee.pocket.store import TRANSLATOR, PocketModel
from referee.train.recipes.translator import corpus, probes
from referee.train.recipes.translator.tables import put_into

FOLDER = Path(pocket.__path__[0]) / "translator"
LARGEST = 24 * 10**6


@pytest.fixture(scope="module")
def translator() -> PocketModel:
    checksum = (FOLDER / store.CHECKSUM).read_text().split()
    assert checksum[1] == TRANSLATOR.file
    return store.read(FOLDER / TRANSLATOR.file, TRANSLATOR, checksum[0])


@pytest.fixture(scope="module")
def card() -> str:
    return (FOLDER / "CARD.md").read_text(encoding="utf-8")


def test_the_weights_are_in_the_package_once_and_small() -> None:
    files = [path for path in FOLDER.iterdir() if path.is_file()]
    assert [path.name for path in files if path.stat().st_size > 10**6] == [TRANSLATOR.file]
    assert sum(path.stat().st_size for path in files) <= LARGEST


def test_figures_are_those_of_this_translator(translator: PocketModel, card: str) -> None:
    figures = json.loads((FOLDER / "figures.json").read_text(encoding="utf-8"))
    assert figures["translator"] == translator.sha256
    assert put_into(card, figures) == card


def test_the_card_names_what_the_file_says_of_itself(translator: PocketModel, card: str) -> None:
    about = translator.about
    assert tuple(about["languages"]) == corpus.LANGUAGES
    numbers = [
        sum(weight.size for weight in translator.weights.values()),
        about["size"]["vocabulary"],
        *about["data"]["lines"].values(),
        *about["data"]["examples"].values(),
        sum(about["data"]["examples"].values()),
        sum(about["data"]["held out lines"].values()),
        sum(about["data"]["watched lines"].values()),
        *(stage["steps"] for stage in about["stages"]),
    ]
    for number in numbers:
        assert f"{number:,}" in card
    for stage in about["stages"]:
        assert str(stage["loss on unseen films"]) in card
    assert about["licence"] == "CC-BY-SA-4.0"


@pytest.mark.slow
@pytest.mark.parametrize(("language", "template"), [("de", "world-knowledge"), ("de", "gender"), ("pt", "pleonastic")])
def test_the_accuracies_of_the_card_come_out(language: str, template: str) -> None:
    """The same figure on the processor that the card was measured on; another may round a few items otherwise."""
    pytest.importorskip("ctranslate2")
    figures = json.loads((FOLDER / "figures.json").read_text(encoding="utf-8"))["templates"][language][template]
    items = list(open_templates(language).items([template]))
    for tokens in (500, 3000):
        model = with_ct2(forms.shipped(TRANSLATOR), Ct2Options("pocket", compute_type="int8", tokens=tokens))
        again = probes._template(model, language, items)
        assert again["items"] == figures["items"] == probes.ITEMS
        assert again["accuracy"] == pytest.approx(figures["accuracy"], abs=0.01)
