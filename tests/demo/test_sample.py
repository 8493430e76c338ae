"""The demo's set is German that a German would write, and its answers are right."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from referee.demo.sample import sample
from referee.demo.systems import SYSTEMS, always_neuter, first_noun, mostly_right, score_lines, translation_lines
from referee.items import Item

# Written down again, so that a slip in the sample's own tables shows.
GENDER = {
    "Ball": "m", "Hut": "m", "Korb": "m",
    "Lampe": "f", "Vase": "f", "Tasche": "f",
    "Buch": "n", "Radio": "n", "Fass": "n",
}  # fmt: skip
GERMAN = {
    "ball": "Ball", "hat": "Hut", "basket": "Korb", "lamp": "Lampe", "vase": "Vase", "bag": "Tasche", "book": "Buch",
    "radio": "Radio", "barrel": "Fass", "large": "groß", "small": "klein", "low": "niedrig", "high": "hoch",
}  # fmt: skip
ARTICLE = {
    ("nominative", "m"): "der", ("nominative", "f"): "die", ("nominative", "n"): "das",
    ("accusative", "m"): "den", ("accusative", "f"): "die", ("accusative", "n"): "das",
    ("dative", "m"): "dem", ("dative", "f"): "der", ("dative", "n"): "dem",
}  # fmt: skip
PRONOUN = {"er": "m", "sie": "f", "es": "n"}

GERMAN_SENTENCES = {
    # What stands before the nouns governs their case.
    re.compile(r"(D\w\w) (\w+) passt nicht in (d\w\w) (\w+), weil (\w+) zu (\w+) ist\."): ("nominative", "accusative"),
    re.compile(r"Man sieht (d\w\w) (\w+) hinter (d\w\w) (\w+) nicht, weil (\w+) zu (\w+) ist\."): (
        "accusative",
        "dative",
    ),
}
ENGLISH_SENTENCES = (
    re.compile(r"The (\w+) does not fit into the (\w+) because it is too (\w+)\."),
    re.compile(r"You cannot see the (\w+) behind the (\w+) because it is too (\w+)\."),
)
# Too large to go in: the thing. Too small to take it: the place. Too low to be seen, too high to be seen over.
MEANT = {"large": 0, "small": 1, "low": 0, "high": 1}

ITEMS = list(sample())


def english(item: Item) -> tuple[str, str, str]:
    """First noun, second noun, trigger."""
    (match,) = filter(None, (pattern.fullmatch(item.source) for pattern in ENGLISH_SENTENCES))
    return match[1], match[2], match[3]


def test_size() -> None:
    # 6 things, each with the 2 places of another gender, in 2 sentences, twice.
    assert len(ITEMS) == 6 * 2 * 2 * 2
    assert len({item.id for item in ITEMS}) == len({item.source for item in ITEMS}) == len(ITEMS)


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_grammar_of_every_sentence(item: Item) -> None:
    first, second, trigger = english(item)
    for candidate in item.candidates:
        ((match, cases),) = [
            (match, cases)
            for pattern, cases in GERMAN_SENTENCES.items()
            if (match := pattern.fullmatch(candidate.text))
        ]
        nouns = (match[2], match[4])
        assert nouns == (GERMAN[first], GERMAN[second])
        assert [match[1].lower(), match[3]] == [
            ARTICLE[case, GENDER[noun]] for case, noun in zip(cases, nouns, strict=True)
        ]
        assert match[6] == GERMAN[trigger]
        assert candidate.features["pronoun"] == match[5]
        assert candidate.features["gender"] == PRONOUN[match[5]]
        places = {GENDER[nouns[0]]: "first", GENDER[nouns[1]]: "second"}
        assert candidate.features["position"] == places.get(PRONOUN[match[5]], "neither")


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_the_answer_follows_from_the_trigger(item: Item) -> None:
    *nouns, trigger = english(item)
    genders = [GENDER[GERMAN[noun]] for noun in nouns]
    assert genders[0] != genders[1]
    assert [candidate.features["pronoun"] for candidate in item.candidates] == ["er", "sie", "es"]
    assert item.gold is not None
    right = item.candidates[item.gold].features
    assert right["gender"] == genders[MEANT[trigger]]
    assert item.expected == (right["pronoun"],)
    assert item.features["position"] == right["position"] == ("first", "second")[MEANT[trigger]]
    spans = {span.role: item.source[span.start : span.end] for span in item.spans}
    assert spans == {"pronoun": "it", "antecedent": nouns[MEANT[trigger]], "trigger": trigger}
    # Whole words: not the "it" of "fit".
    words = {match.span() for match in re.finditer(r"\w+", item.source)}
    assert {(span.start, span.end) for span in item.spans} <= words


def test_candidates_differ_in_the_pronoun_alone() -> None:
    for item in ITEMS:
        words = [candidate.text.split() for candidate in item.candidates]
        for one, other in pairwise(words):
            differing = [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
            assert len(differing) == 1
            assert set(differing[0]) <= set(PRONOUN)


def test_twins_differ_in_one_english_word_and_in_their_answer() -> None:
    for one, other in zip(ITEMS[::2], ITEMS[1::2], strict=True):
        assert one.group == other.group
        assert one.label == other.label
        pairs = zip(one.source.split(), other.source.split(), strict=True)
        assert sum(mine != yours for mine, yours in pairs) == 1
        assert one.gold != other.gold
    assert len({item.group for item in ITEMS}) == len(ITEMS) // 2


def test_genders_are_balanced() -> None:
    golds = [item.gold for item in ITEMS]
    assert [golds.count(gold) for gold in range(3)] == [16, 16, 16]


def test_the_systems_have_the_habits_they_are_known_for() -> None:
    right = {name: [prefer(item) == item.gold for item in ITEMS] for name, prefer in SYSTEMS.items()}
    assert sum(right["always-neuter"]) == 16
    assert right["first-noun"] == [True, False] * 24
    assert 40 <= sum(right["mostly-right"]) < 48
    assert all(item.candidates[always_neuter(item)].features["gender"] == "n" for item in ITEMS)
    wrong = [item for item in ITEMS if mostly_right(item) != item.gold]
    assert all(mostly_right(item) == first_noun(item) for item in wrong)


def test_the_files_of_a_system() -> None:
    item = ITEMS[0]
    assert translation_lines([item], first_noun) == item.candidates[first_noun(item)].text + "\n"
    costs = [float(line) for line in score_lines([item], first_noun).split()]
    assert len(costs) == 3
    assert costs.index(min(costs)) == first_noun(item)
    assert len(set(costs)) == 3
