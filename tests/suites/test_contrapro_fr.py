from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from referee.items import Candidate, Item
from referee.suites.contrapro_fr import CONTEXTS, CURRENT, SUITES, Example, pronouns, read_examples
from tests.support.published import (
    assert_names_its_command,
    in_both,
    marked,
    published_text,
    read_items,
    refusal,
    span_of,
    write,
)

(SUITE,) = SUITES


def lines_of(items: list[Item]) -> dict[str, list[str]]:
    """Every line of the eight files that the items come from."""
    lines: dict[str, list[str]] = {name: [] for name in SUITE.files}
    for item in items:
        lines[CURRENT[0]] += [item.source] * 2
        lines[CURRENT[1]] += [candidate.text for candidate in item.candidates]
        for size, names in CONTEXTS.items():
            for name, context in zip(names, (item.source_context, item.target_context), strict=True):
                lines[name] += [*(context[-size:] if len(context) >= size else [""] * size)] * 2
    return lines


@pytest.mark.parametrize(("data", "name", "size"), in_both({"contrapro-fr": 7}, {"contrapro-fr": 14000}))
def test_every_published_line_comes_back(data: Path, name: str, size: int) -> None:
    items = read_items(SUITE, data)
    assert (SUITE.name, len(items)) == (name, size)
    for file, lines in lines_of(items).items():
        assert "".join(f"{line}\n" for line in lines) == published_text(data / file), file


def test_an_item_field_by_field(synthetic_data: Path) -> None:
    items = list(SUITE.open(synthetic_data))
    reference = "Elle est tombée de l'étagère."
    contrast = "Il est tombé de l'étagère."
    assert items[0] == Item(
        id="contrapro-fr-0",
        group="contrapro-fr-0",
        task="translate",
        source_lang="en",
        target_lang="fr",
        source_context=("What a noise.", "The cat jumped.", "Where is the cup?"),
        source="It fell off the shelf.",
        target_context=("Quel bruit.", "Le chat a sauté.", "Où est la tasse ?"),
        candidates=(
            Candidate(reference, {"pronoun": "Elle", "gender": "f"}),
            Candidate(contrast, {"pronoun": "Il", "gender": "m"}),
        ),
        gold=0,
        reference=reference,
        label="elle",
        features={"number": "sing"},
        spans=(
            span_of("It", "It fell off the shelf.", "pronoun", "source"),
            span_of("Elle", reference, "pronoun", "candidate"),
            span_of("Il", contrast, "pronoun", "candidate", 1),
        ),
    )


def test_the_longest_context_that_is_there_is_taken(synthetic_data: Path) -> None:
    items = list(SUITE.open(synthetic_data))
    assert [len(item.source_context) for item in items] == [3, 2, 1, 0, 3, 3, 3]
    assert items[1].target_context == ("Le jardin est sec.", "Regarde les arbres.")


def test_the_same_sentences_in_another_context_are_one_group(synthetic_data: Path) -> None:
    groups = [item.group for item in SUITE.open(synthetic_data)]
    assert groups[4] == groups[0] == "contrapro-fr-0"
    assert len(set(groups)) == 6


def test_the_pronoun_is_the_first_in_which_the_translations_differ(synthetic_data: Path) -> None:
    lamp = list(SUITE.open(synthetic_data))[5]
    assert marked(lamp) == [("pronoun", "candidate", 0, "elle"), ("pronoun", "candidate", 1, "il")]
    assert pronouns(["qu'il et il", "qu'il et elle"]) == [(9, 11), (9, 13)]
    with pytest.raises(ValueError, match="do not differ in a pronoun"):
        pronouns(["Il est beau.", "Il est belle."])


def test_examples_without_context(synthetic_data: Path) -> None:
    third = list(read_examples(synthetic_data))[2]
    assert third == Example(2, "I think it is broken.", ("Je crois qu'il est cassé.", "Je crois qu'elle est cassée."))
    assert third.id == "contrapro-fr-2"


def test_published_sizes(shared_data: Path) -> None:
    items = list(SUITE.open(shared_data))
    assert Counter(item.label for item in items) == dict.fromkeys(("il", "elle", "ils", "elles"), 3500)
    lengths = Counter(len(item.source_context) for item in items)
    # Fewer than 1, 2 and 3 sentences before: 11, 34 and 78.
    assert (lengths[0], lengths[0] + lengths[1], 14000 - lengths[3]) == (11, 34, 78)
    assert len({item.group for item in items}) == 13916


@pytest.mark.parametrize(
    ("file", "change", "message"),
    [
        (CURRENT[1], lambda text: text + "Une ligne.\n", "expected 14 lines, but found 15"),
        (CURRENT[0], lambda text: text.replace("It fell", "It felt", 1), "is not repeated in the next one"),
        (CURRENT[1], lambda text: text.replace("Il est tombé", "Elle est tombé", 1), "do not differ in a pronoun"),
        (CONTEXTS[2][0], lambda text: text + "Two.\n", "expected 28 lines, but found 29"),
        (CONTEXTS[3][1], lambda text: text.replace("Quel bruit.", "", 1), "differs between its two lines"),
        (CONTEXTS[3][1], lambda text: text.replace("Quel bruit.", "", 2), "expected 3 sentences or 3 empty lines"),
        (CONTEXTS[1][1], lambda text: text.replace("Où est la tasse ?", "", 2), "only this side or OpenSubs.c1"),
    ],
)
def test_damaged_files_are_refused(
    file: str, change: object, message: str, tmp_path: Path, synthetic_data: Path
) -> None:
    assert callable(change)
    for name in SUITE.files:
        text = published_text(synthetic_data / name)
        write(tmp_path, name, change(text) if name == file else text)
    assert message in refusal(SUITE, tmp_path)


def test_an_odd_number_of_lines_is_refused(tmp_path: Path) -> None:
    for name in SUITE.files:
        write(tmp_path, name, "It.\n")
    assert "expected two lines per example, but found 1" in refusal(SUITE, tmp_path)


def test_missing_files_are_named(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)
