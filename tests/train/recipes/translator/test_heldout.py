"""What is held out, what of it was seen, and how well it is translated."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from referee.errors import InputError
from referee.train.recipes.translator import corpus, heldout
from referee.train.recipes.translator.corpus import Pair as Example
from referee.train.recipes.translator.corpus import Split
from tests.support.held_out import ENGLISH, GERMAN, KNOWN, Echo, line


def test_lines_are_read_as_they_were_written(tmp_path: Path) -> None:
    lines = [line(0, ENGLISH, GERMAN), line(1, ("Да?",), ("Oui.",))]
    (tmp_path / "test.jsonl").write_text("".join(json.dumps(asdict(one)) + "\n" for one in lines))
    assert heldout.read_test(tmp_path) == lines
    heldout.check(Split([], [], lines), lines, tmp_path)
    with pytest.raises(InputError, match="the 2 held-out lines differ from the 1 of the present data"):
        heldout.check(Split([], [], lines[:1]), lines, tmp_path)


def test_only_long_sentences_tell_that_something_was_seen() -> None:
    split = Split([line(0, (f"{KNOWN} Yes.",), ("Ja.",)), line(1, ("Short.", "A" * 40), ("Kurz.",))], [], [])
    found = heldout.seen(split, [Example("fr", "B" * 30, "C"), Example("fr", "B" * 29, "C")])
    assert found == {KNOWN, "A" * 40, "B" * 30}


def test_what_is_translated() -> None:
    lines = [
        line(0, ENGLISH, (" ".join(GERMAN),)),
        line(1, ("Who?",), ("Wer?",)),
        line(2, ("One. Two.",), ("Un.", "Deux."), language="fr"),
        line(3, ("Really?",), ("Echt?",), corpus="reference x"),
    ]
    documents = [text.item for text in heldout.documents(lines)]
    assert [(item.source, item.reference) for item in documents] == [
        (" ".join(ENGLISH), " ".join(GERMAN)),
        ("One. Two.", "Un. Deux."),
    ]
    sentences = [(text.item.source, text.item.reference) for text in heldout.single(lines)]
    assert sentences == [("It is new.", "Sie ist neu."), ("Two.", "Deux.")]
    assert [text.item.source for text in heldout.subtitles(lines)] == ["Really?"]


def test_quality_and_what_was_seen() -> None:
    texts = heldout.documents(
        [line(0, (*ENGLISH, KNOWN), GERMAN), line(1, (*ENGLISH, "But nobody has ever seen this one here."), GERMAN)]
    )
    model = Echo({text.item.source: " ".join(GERMAN) for text in texts})
    found = heldout.measured(model, texts, {KNOWN})["de"]
    assert [score["value"] for score in found["quality"]] == pytest.approx([100, 100])
    assert (found["texts"], found["passages"]) == (2, 2)
    assert (found["sentences"], found["sentences seen"], found["texts with nothing seen"]) == (2, 1, 1)
    assert found["texts of known films"] == 2


def test_how_far_text_alone_keeps_films_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two scenes of a film that share nothing: one is held out, by its hash, the other is not."""
    monkeypatch.setattr(corpus, "HELD_OUT", 0.5)
    scenes = [line(number, (f"Scene {number}.", "Yes."), GERMAN) for number in range(40)]
    lines = [replace(scene, document=f"film {scene.number // 2}") for scene in scenes]
    alone = line(40, ("Nobody knows.",), ("Niemand weiß es.",))
    found = heldout.joined_by_text([*lines, replace(alone, document=None)])
    assert (found["contexts"], found["with id"]) == (41, 40)
    held_out = {each.number for each in corpus.split([replace(each, document=None) for each in lines]).test}
    assert found["held out by text"] == len(held_out)
    assert found["of films in the rest"] == sum(number ^ 1 not in held_out for number in held_out) > 0
