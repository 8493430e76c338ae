from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from referee.analysis.salience.triggers import marks
from referee.items import Candidate, Item
from referee.suites.scat import SIDES, SUITES
from tests.support.published import (
    assert_names_its_command,
    in_both,
    marked,
    named,
    published_text,
    read_items,
    refusal,
    span_of,
    write,
)

FIELDS = {"en": "source", "fr": "candidate", "context.en": "source_context", "context.fr": "target_context"}


def line_of(item: Item, side: str) -> str:
    """The published line, with its marks put back by other means than ours."""
    if side in item.meta.get("published", {}):
        return str(item.meta["published"][side])
    texts = {"en": item.source, "fr": item.reference or ""}
    texts |= {"context.en": "".join(item.source_context), "context.fr": "".join(item.target_context)}
    spans = [span for span in item.spans if (span.field, span.index) == (FIELDS[side], 0)]
    parts = []
    for place, character in enumerate((*texts[side], "")):
        ending = [span for span in spans if span.end == place]
        starting = [span for span in spans if span.start == place]
        parts += ["</p>" for span in ending if span.role == "pronoun"]
        parts += ["<hoff> " for span in ending if span.role != "pronoun"]
        parts += [" <hon>" for span in starting if span.role != "pronoun"]
        parts += ["<p>" for span in starting if span.role == "pronoun"]
        parts.append(character)
    return "".join(parts).strip()


@pytest.mark.parametrize(
    ("data", "name", "size"),
    in_both({"train": 5, "valid": 1, "test": 2}, {"train": 11471, "valid": 145, "test": 1000}),
)
def test_every_published_line_comes_back(data: Path, name: str, size: int) -> None:
    items = read_items(named(SUITES, f"scat-en-fr/{name}"), data)
    assert len(items) == size
    for side in SIDES:
        lines = published_text(data / f"scat-en-fr/highlighted.{name}.{side}").split("\n")
        assert [line_of(item, side) for item in items] == lines[:-1]


def test_an_item_field_by_field(synthetic_data: Path) -> None:
    second = list(named(SUITES, "scat-en-fr/train").open(synthetic_data))[1]
    source, paragraph = "I think it is broken.", "The kit is on the table. Here is the clock."
    reference, contrast, french = (
        "Je crois qu'il est cassé.",
        "Je crois qu'elle est cassée.",
        "Voici le réveil. Il sonne.",
    )
    assert second == Item(
        id="scat.train.1",
        group="contrapro-fr-2",
        task="translate",
        source_lang="en",
        target_lang="fr",
        source_context=(paragraph,),
        source=source,
        target_context=(french,),
        candidates=(
            Candidate(reference, {"pronoun": "il", "gender": "m"}),
            Candidate(contrast, {"pronoun": "elle", "gender": "f"}),
        ),
        gold=0,
        reference=reference,
        label="il",
        features={"marked": "context", "number": "sing"},
        spans=(
            span_of("it", source, "pronoun", "source"),
            span_of("il", reference, "pronoun", "candidate"),
            span_of("elle", contrast, "pronoun", "candidate", 1),
            span_of("clock", paragraph, "trigger", "source_context"),
            span_of("réveil", french, "trigger", "target_context"),
        ),
        meta={"base": "contrapro-fr-2"},
    )


def test_marks_inside_words_are_repaired_and_named(synthetic_data: Path) -> None:
    lamp, tables, blank = list(named(SUITES, "scat-en-fr/train").open(synthetic_data))[2:]
    assert lamp.meta["repairs"] == ["fr: pronoun mark inside a word"]
    assert ("pronoun", "candidate", 0, "elle") in marked(lamp)
    assert lamp.reference == "La lampe brille quand il fait noir, elle est belle et il est tard."
    assert tables.meta["repairs"] == ["fr: damaged highlight"]
    assert ("trigger", "candidate", 0, "tables") in marked(tables)
    # The base has a space there that does not break.
    assert tables.reference == "Nous avons vendu les tables\u00a0: elles bougeaient."
    # Underscores stand for the pronoun, so the sentence is not found in the base.
    assert (blank.candidates, blank.gold, blank.label, "base" in blank.meta) == ((), None, None, False)


def test_highlighted_source_words_are_the_triggers_of_salience(synthetic_data: Path) -> None:
    items = list(named(SUITES, "scat-en-fr/train").open(synthetic_data))
    first, second, *_ = marks(items)
    # Highlights of the translation are not words of the source.
    assert first.triggers == ()
    assert [field for field, *_ in second.triggers] == ["source_context"]


def test_a_highlighted_pronoun_is_not_a_trigger(synthetic_data: Path) -> None:
    keys, _ = named(SUITES, "scat-en-fr/test").open(synthetic_data)
    assert ("highlighted pronoun", "source", 0, "they") in marked(keys)
    assert marks([keys])[0].triggers == ()
    assert keys.features["marked"] == "context"


def test_several_translators_of_one_example_are_one_group(synthetic_data: Path) -> None:
    groups = [
        item.group for name in ("train", "test") for item in named(SUITES, f"scat-en-fr/{name}").open(synthetic_data)
    ]
    assert groups.count("contrapro-fr-0") == 2


def test_published_repairs(shared_data: Path) -> None:
    items = [item for suite in SUITES for item in suite.open(shared_data)]
    repairs = Counter(repair for item in items for repair in item.meta.get("repairs", ()))
    assert repairs["fr: pronoun mark inside a word"] == 720
    assert repairs["en: pronoun mark inside a word"] == 1233
    assert sum("base" not in item.meta for item in items) == 18
    test = list(named(SUITES, "scat-en-fr/test").open(shared_data))
    assert sum(any(span.role == "trigger" for span in item.spans) for item in test) == 983
    assert sum(bool(of_item.triggers) for of_item in marks(test)) == 18


def test_files_of_different_length_are_refused(tmp_path: Path, synthetic_data: Path) -> None:
    suite = named(SUITES, "scat-en-fr/test")
    for name in suite.files:
        text = published_text(synthetic_data / name)
        write(tmp_path, name, text + "\n" * name.endswith("context.fr"))
    assert "expected 2 lines, as many as highlighted.test.en has, but found 3" in refusal(suite, tmp_path)


def test_missing_files_are_named(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)
