"""The published test over tokens equals pingouin's default on the tokens of an alignment made by hand."""

from __future__ import annotations

import random
import warnings
from itertools import combinations

import pytest

from referee.analysis.salience.importance import importance
from referee.analysis.salience.published import aligned, token_test
from referee.analysis.salience.record import Salience, Token, Weight

with warnings.catch_warnings():
    # What it imports is not ours to fix.
    warnings.simplefilter("ignore")
    import pingouin

WORDS = {"the": 1, "cup": 2, "is": 3, "too": 4, "lar": 5, "ge": 6, "small": 7, ".": 8, "it": 9, "</s>": 0, "now": 10}


def tokens(text: str, values: list[float]) -> tuple[Token, ...]:
    names = text.split()
    return tuple(Token(WORDS[name], value, name == "it") for name, value in zip(names, values, strict=True))


def twin(item: str, text: str, values: list[float], group: str = "g") -> Salience:
    weights = (Weight("source", 0, 0, 1, values[0], trigger=True), Weight("source", 0, 2, 3, values[1]))
    return Salience("s", item, "er", 0.5, weights, group, tokens(text, values))


def published(triggers: list[float], shared: list[float]) -> tuple[float, float]:
    table = pingouin.ttest(triggers, shared)
    return float(table["T"].iloc[0]), float(table.filter(regex="^p.val$").iloc[0, 0])


def test_triggers_and_shared_tokens_without_the_pronoun() -> None:
    one = twin("q-1", "the cup is it too lar ge . </s>", [0.1, 0.2, 0.3, 0.9, 0.4, 0.5, 0.6, 0.7, 0.8])
    other = twin("q-2", "the cup is it too small . </s>", [0.11, 0.21, 0.31, 0.91, 0.41, 0.51, 0.71, 0.81])
    found = token_test([other, one])
    triggers = [0.5, 0.6, 0.51]
    shared = [0.1, 0.11, 0.2, 0.21, 0.3, 0.31, 0.4, 0.41, 0.7, 0.71, 0.8, 0.81]
    assert found is not None
    assert (found.pairs, found.triggers, found.others) == (1, 3, 12)
    assert (found.t, found.p) == pytest.approx(published(triggers, shared))
    assert abs(found.d or 0) == pytest.approx(abs(pingouin.compute_effsize(triggers, shared, eftype="cohen")))


def test_welch_unless_there_are_as_many() -> None:
    one = twin("q-1", "the small . </s>", [0.1, 0.9, 0.3, 0.2])
    assert token_test([one, twin("q-2", "cup lar ge now", [0.5, 0.1, 0.2, 0.4])]) is None
    found = token_test([one, twin("q-2", "cup . lar ge", [0.5, 0.1, 0.2, 0.4])])
    assert found is not None
    assert (found.triggers, found.others) == (6, 2)
    equal = token_test([twin("a", "small .", [0.9, 0.3]), twin("b", "cup .", [0.5, 0.1])])
    assert equal is not None
    assert (equal.triggers, equal.others) == (2, 2)
    assert (equal.t, equal.p) == pytest.approx(published([0.9, 0.5], [0.3, 0.1]))


def test_what_follows_the_pronoun_in_the_second_twin_alone_is_passed_over() -> None:
    one = twin("q-1", "it is .", [0.9, 0.1, 0.2])
    other = twin("q-2", "it now is .", [0.9, 0.8, 0.1, 0.3])
    assert token_test([one, other]) is None
    # The other way round it counts.
    found = token_test([twin("q-1", "it now is .", [0.9, 0.8, 0.1, 0.3]), twin("q-2", "it is .", [0.9, 0.1, 0.2])])
    assert found is not None
    assert found.triggers == 1


def test_only_the_last_pronoun_is_left_out() -> None:
    found = token_test([twin("a", "it is it small", [0.1] * 3 + [0.9]), twin("b", "it is it now", [0.2] * 3 + [0.3])])
    assert found is not None
    # What the second twin has alone follows what the first has alone, not the pronoun.
    assert (found.triggers, found.others) == (2, 4)


def test_items_without_twins_or_tokens() -> None:
    one = twin("q-1", "the cup", [0.1, 0.2])
    assert token_test([one]) is None
    assert token_test([]) is None
    bare = Salience("s", "b", "er", 0.5, one.weights, "g")
    assert token_test([one, bare]) is None


def test_where_nothing_varies_there_is_no_test() -> None:
    found = token_test([twin("a", "small .", [0.5, 0.5]), twin("b", "now .", [0.5, 0.5])])
    assert found is not None
    assert (found.d, found.t, found.p) == (None, None, None)


def test_it_is_part_of_the_importance() -> None:
    pairs = [twin("q-1", "the small", [0.1, 0.9]), twin("q-2", "the now", [0.2, 0.4])]
    made = importance(pairs)
    assert made is not None
    assert made.tokens == token_test(pairs)
    assert made.tokens is not None
    assert made.tokens.triggers == 2


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("abc", "abc", [(0, 0), (1, 1), (2, 2)]),
        ("at", "ac", [(0, 0), (1, None), (None, 1)]),
        ("a", "", [(0, None)]),
        ("", "ab", [(None, 0), (None, 1)]),
        ("ab", "ba", [(0, None), (1, 0), (None, 1)]),
    ],
)
def test_alignments(one: str, other: str, expected: list[tuple[int | None, int | None]]) -> None:
    assert aligned(list(map(ord, one)), list(map(ord, other))) == expected


def test_alignments_are_complete_and_best() -> None:
    draw = random.Random(3)
    for _ in range(150):
        one, other = ([draw.randrange(3) for _ in range(draw.randrange(7))] for _ in range(2))
        columns = aligned(one, other)
        assert [index for index, _ in columns if index is not None] == list(range(len(one)))
        assert [index for _, index in columns if index is not None] == list(range(len(other)))
        equal = sum(a is not None and b is not None and one[a] == other[b] for a, b in columns)
        assert equal == longest_common(one, other)


def longest_common(one: list[int], other: list[int]) -> int:
    parts = {part for size in range(len(other) + 1) for part in combinations(other, size)}
    return max(size for size in range(len(one) + 1) for part in combinations(one, size) if part in parts)
