"""Chance levels worked out by hand: guesses, referents, constant heuristics, groups."""

from __future__ import annotations

import numpy as np
import pytest

from referee.analysis.chance_level import ChanceLevel, Chances, GroupLevel
from referee.items import Candidate, Item
from referee.stats.groups import index_groups
from tests.support.items import item


def nouns(gold: int, *places: str, genders: str = "mfn", roles: tuple[str, ...] = ()) -> Item:
    """Three pronouns; those with a place are the pronouns of nouns in the context."""
    candidates = tuple(
        Candidate(gender, {"gender": gender} | ({"position": place, "referent": role} if place else {}))
        for gender, place, role in zip(genders, places, roles or places, strict=True)
    )
    return item(candidates=candidates, gold=gold)


def plain(gold: int, count: int = 2) -> Item:
    return item(candidates=tuple(Candidate(f"c{number}") for number in range(count)), gold=gold)


def chances(*items: Item) -> Chances:
    columns = Chances()
    for one in items:
        columns.add(one)
    return columns


def level(*items: Item) -> ChanceLevel | None:
    return chances(*items).level()


def test_a_guess_among_candidates() -> None:
    assert level(plain(0), plain(1)) == ChanceLevel(0.5, "guess")
    assert level(plain(0), plain(1, 4)) == ChanceLevel(0.375, "guess")


def test_equal_candidates_are_one_answer() -> None:
    texts = tuple(map(Candidate, ("er", "sie", "sie")))
    assert level(item(candidates=texts, gold=2, features={"repeated": "candidates"})) == ChanceLevel(0.5, "guess")


def test_a_guess_is_among_referents() -> None:
    """German overlap templates: er, sie and es are offered, but only two of them are pronouns of nouns."""
    balanced = [nouns(0, "first", "second", ""), nouns(1, "first", "second", ""), nouns(2, "", "first", "second"),
                nouns(1, "", "first", "second")]  # fmt: skip
    assert level(*balanced) == ChanceLevel(0.5, "referents")


def test_one_noun_leaves_all_pronouns() -> None:
    """The gender template: there is nothing to guess among referents, only a pronoun to know."""
    genders = [
        item(
            candidates=tuple(
                Candidate(one, {"gender": one} | ({"referent": "noun"} if one == noun else {})) for one in "mfn"
            ),
            gold="mfn".index(noun),
        )
        for noun in "mfn"
    ]
    assert level(*genders) == ChanceLevel(1 / 3, "guess")


def test_a_pronoun_without_a_noun_is_guessed_among_all() -> None:
    """Pleonastic: neither noun is meant; always neuter is always correct."""
    assert level(nouns(2, "first", "second", ""), nouns(2, "first", "second", "")) == ChanceLevel(
        1.0, "heuristic", "gender", "n"
    )


@pytest.mark.parametrize(
    ("golds", "expected"),
    [
        ((0, 0, 0, 1), ChanceLevel(0.75, "heuristic", "gender", "m")),
        ((0, 1, 1, 1), ChanceLevel(0.75, "heuristic", "gender", "f")),
        ((0, 1, 0, 1), ChanceLevel(0.5, "guess")),
    ],
)
def test_the_best_constant_heuristic(golds: tuple[int, ...], expected: ChanceLevel) -> None:
    items = [item(candidates=(Candidate("er", {"gender": "m"}), Candidate("sie", {"gender": "f"})), gold=gold)
             for gold in golds]  # fmt: skip
    assert level(*items) == expected


def test_always_first_and_always_the_subject() -> None:
    first = [nouns(0, "first", "second", ""), nouns(1, "second", "first", ""), nouns(2, "", "second", "first"),
             nouns(1, "first", "second", "")]  # fmt: skip
    assert level(*first) == ChanceLevel(0.75, "heuristic", "position", "first")
    subject = [
        nouns(0, "first", "second", "", roles=("subject", "object", "")),
        nouns(1, "first", "second", "", roles=("object", "subject", "")),
        nouns(2, "first", "", "second", roles=("object", "", "subject")),
    ]
    assert level(*subject) == ChanceLevel(1.0, "heuristic", "referent", "subject")


def test_what_takes_understanding_is_no_heuristic() -> None:
    """Markable detection: always the animal, never the person, is the answer itself."""
    items = [nouns(0, "first", "second", "", roles=("animal", "human", "")),
             nouns(1, "first", "second", "", roles=("human", "animal", ""))]  # fmt: skip
    assert level(*items) == ChanceLevel(0.5, "referents")


def test_where_a_value_is_not_offered_a_heuristic_guesses() -> None:
    items = [nouns(0, "first", "second", ""), plain(0)]
    assert level(*items) == ChanceLevel(0.75, "heuristic", "gender", "m")


def test_two_candidates_with_the_value_share_the_choice() -> None:
    four = item(candidates=tuple(Candidate(str(n), {"gender": gender}) for n, gender in enumerate("nfmm")), gold=2)
    assert level(four) == ChanceLevel(0.5, "heuristic", "gender", "m")


def expected_form(**features: str) -> Item:
    return item(candidates=(), gold=None, expected=("x",), features=features)


def test_expected_forms_have_the_heuristics_only() -> None:
    formal, informal = expected_form(address="formal"), expected_form(address="informal sing")
    assert level(formal, formal, informal) == ChanceLevel(2 / 3, "heuristic", "address", "formal")
    assert level(expected_form()) is None
    assert level(formal, expected_form()) is None
    assert level() is None


def test_levels_of_a_group_score() -> None:
    """Pairs of two candidates: one guess for both is correct in half of them, one for each in a quarter."""
    pairs = chances(plain(0), plain(1), plain(0), plain(1))
    everything = np.ones(4, np.bool_)
    assert pairs.group_level(everything, index_groups("aabb")) == GroupLevel(0.5, 0.25)
    # The smallest chance of a group counts, for items with different numbers of candidates.
    mixed = chances(plain(0), plain(1, 4), plain(0), plain(1))
    assert mixed.group_level(everything, index_groups("aabb")) == GroupLevel(0.375, (1 / 8 + 1 / 4) / 2)
    # Items that stand alone are left out.
    some = np.array([True, True, False, False])
    assert mixed.group_level(some, index_groups("aa")) == GroupLevel(0.25, 1 / 8)


def test_a_heuristic_that_is_always_correct_in_some_groups() -> None:
    pairs = [item(candidates=(Candidate("er", {"gender": "m"}), Candidate("sie", {"gender": "f"})), gold=gold)
             for gold in (0, 0, 0, 0, 0, 1)]  # fmt: skip
    found = chances(*pairs).group_level(np.ones(6, np.bool_), index_groups("aabbcc"))
    assert found == GroupLevel(2 / 3, 0.25)


def test_groups_of_expected_forms() -> None:
    forms = chances(expected_form(address="formal"), expected_form(address="formal"))
    assert forms.group_level(np.ones(2, np.bool_), index_groups("aa")) == GroupLevel(1.0, None)
    assert chances(expected_form()).group_level(np.ones(1, np.bool_), index_groups("a")) is None
