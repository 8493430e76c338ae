"""Lines of one film stay together."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from referee.train.recipes.translator.films import films

LONG = "This sentence is long enough to be said in one film only, number {}."


def together(found: list[int]) -> set[frozenset[int]]:
    return {frozenset(line for line, film in enumerate(found) if film == each) for each in found}


def test_lines_share_a_film_by_a_long_sentence_or_two_in_a_row_or_an_id() -> None:
    lines = [
        [LONG.format(1), "Yes."],
        ["No.", LONG.format(1)],
        ["Where did you put it?", "On the kitchen table."],
        ["Hello.", "Where did you put it?", "On the kitchen table."],
        ["On the kitchen table.", "Where did you put it?"],
        ["Yes."],
        ["No."],
        ["Maybe."],
    ]
    documents = [None, None, None, None, None, "film", "film", None]
    assert together(films(lines, documents)) == {frozenset(own) for own in ((0, 1), (2, 3), (4,), (5, 6), (7,))}


def test_what_everybody_says_joins_nothing() -> None:
    lines = [[LONG.format("common"), LONG.format(number)] for number in range(60)]
    assert len(set(films(lines, [None] * 60))) == 60
    assert len(set(films(lines[:30], [None] * 30))) == 1


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 30), st.integers(1, 5)), min_size=1, max_size=30))
def test_windows_of_a_film_that_overlap_stay_together(windows: list[tuple[int, int, int]]) -> None:
    """Whatever the order: windows that share a telling sentence are one film, and films never mix."""
    lines = [[LONG.format(f"{film}-{place}") for place in range(start, start + size)] for film, start, size in windows]
    found = films(lines, [None] * len(lines))
    for one, (film, start, size) in enumerate(windows):
        for other, (another, begin, count) in enumerate(windows):
            if film != another:
                assert found[one] != found[other]
            elif start < begin + count and begin < start + size:
                assert found[one] == found[other]


@given(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=1, max_size=20))
def test_an_id_is_one_film(documents: list[str | None]) -> None:
    found = films([["Yes."] for _ in documents], documents)
    expected = {frozenset(n for n, each in enumerate(documents) if each == name) for name in documents if name}
    alone = {frozenset([number]) for number, name in enumerate(documents) if name is None}
    assert together(found) == expected | alone
