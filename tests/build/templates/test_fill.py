"""Whole languages of templates: counted, written, sampled and listed."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from referee.build.templates import open_templates, shipped, templates
from referee.build.templates.fill import fill_templates, list_templates
from referee.errors import InputError, UnknownNameError, UsageError
from referee.io.files import content_sha256
from referee.io.progress import Progress, no_progress
from referee.sets import load


def test_what_is_counted_is_what_is_written(tmp_path: Path) -> None:
    told: list[int] = []
    out = tmp_path / "items.jsonl"
    filled = fill_templates(
        "fr", "event", "verb-prior", out=out, bars=lambda _: nullcontext(lambda done, _: told.append(done))
    )
    items = list(load(out))
    assert items == list(open_templates("fr").items(["event", "verb-prior"]))
    assert {name: tally.items for name, tally in filled.tallies.items()} == {
        name: sum(item.label == name for item in items) for name in ("event", "verb-prior")
    }
    assert (filled.items, filled.fingerprint) == (len(items), load(out).fingerprint())
    assert told == list(range(1, len(items) + 1))
    assert (filled.language, filled.language_name, filled.examples) == ("fr", "French", ())


def test_examples_are_drawn_from_all_items_by_the_seed() -> None:
    drawn = [fill_templates("fr", "gender", examples=20, seed=seed) for seed in (0, 0, 1)]
    assert drawn[0].examples == drawn[1].examples != drawn[2].examples
    numbers = [int(item.id.rpartition("-")[2]) for item in drawn[0].examples]
    assert len(set(numbers)) == 20
    assert max(numbers) > drawn[0].items / 2
    assert drawn[0].fingerprint is None
    few = fill_templates("fr", "gender", examples=10**6)
    assert len(few.examples) == few.items


def test_an_unknown_template_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="unknown template 'gendre'"):
        fill_templates("fr", "gendre", out=tmp_path / "items.jsonl")
    assert not list(tmp_path.iterdir())


def test_templates_are_listed_by_language_with_their_first_item() -> None:
    listed = {template.name: template for template in list_templates("fr")}
    assert {name.partition("/")[0] for name in listed} == {"fr"}
    item = next(open_templates("fr").items(["gender"]))
    assert item.gold is not None
    example = listed["fr/gender"].example
    assert example.startswith(f"{item.source_context[0]} {item.source} -> {item.target_context[0]}")
    assert example.endswith(item.candidates[item.gold].text)
    # Where nothing is correct, the first candidate is shown.
    prior = next(open_templates("fr").items(["role-prior"]))
    assert listed["fr/role-prior"].example.endswith(prior.candidates[0].text)


def test_all_shipped_languages_are_listed() -> None:
    assert {template.name.partition("/")[0] for template in list_templates()} == set(shipped())


def test_rare_nouns_are_not_used(tmp_path: Path) -> None:
    corpus = tmp_path / "train.fr"
    corpus.write_text("Une chaise tombe.\nUn fauteuil, le chien.\n" * 2, encoding="utf-8")
    steps: list[str] = []

    def bars(step: str) -> AbstractContextManager[Progress]:
        steps.append(step)
        return nullcontext(no_progress)

    with pytest.raises(InputError, match="all nouns of the word list 'food' are rare"):
        fill_templates("fr", "event", corpus=corpus, min_count=2)
    filled = fill_templates("fr", "gender", corpus=corpus, min_count=2, examples=10**6, bars=bars)
    assert steps == ["counting nouns", "generating"]
    assert {item.meta["words"]["noun"] for item in filled.examples} == {"chair", "armchair"}
    assert filled.rare is not None
    assert filled.rare.nouns - len(filled.rare.rare) == len({item.meta["words"]["noun"] for item in filled.examples})
    provenance = {"file": "train.fr", "sha256": content_sha256(corpus), "min_count": 2}
    assert all(item.meta["corpus"] == provenance for item in filled.examples)
    assert list(templates("fr", "gender", corpus=corpus, min_count=2)) == sorted(
        filled.examples, key=lambda item: int(item.id.rpartition("-")[2])
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_count": 5}, "--min-count needs a corpus"),
        ({"corpus": "x", "paper": True}, "--paper builds exactly the published sets"),
        ({"corpus": "x", "min_count": 0}, "--min-count: 0 is not a positive number"),
    ],
)
def test_options_that_do_not_fit(options: dict[str, Any], message: str) -> None:
    for call in (fill_templates, templates):
        with pytest.raises(UsageError, match=message):
            call("de", **options)
