from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.annotate.align.links import Link, grow_diag_final_and, read_pharaoh

CASES: dict[str, tuple[set[Link], set[Link], list[Link]]] = {
    "both say the same": ({(0, 0), (1, 1)}, {(0, 0), (1, 1)}, [(0, 0), (1, 1)]),
    "a neighbour of a sure link, with a word still alone": ({(0, 0), (0, 1)}, {(0, 0)}, [(0, 0), (0, 1)]),
    "a diagonal neighbour": ({(0, 0), (1, 1)}, {(0, 0)}, [(0, 0), (1, 1)]),
    "growing goes on from what was added": (
        {(0, 0), (1, 1), (2, 2)},
        {(0, 0)},
        [(0, 0), (1, 1), (2, 2)],
    ),
    "no neighbour, but both words alone": ({(0, 0), (5, 7)}, {(0, 0)}, [(0, 0), (5, 7)]),
    "no neighbour, and one word has a link": ({(0, 0), (0, 7)}, {(0, 0)}, [(0, 0)]),
    "a neighbour whose words both have links": ({(0, 0), (1, 1), (0, 1)}, {(0, 0), (1, 1)}, [(0, 0), (1, 1)]),
    "only one direction": ({(2, 1)}, set(), [(2, 1)]),
    "two for the same word from one direction": (set(), {(0, 4), (1, 4)}, [(0, 4)]),
    "nothing": (set(), set(), []),
}


@pytest.mark.parametrize(("forward", "backward", "joined"), CASES.values(), ids=CASES)
def test_growing(forward: set[Link], backward: set[Link], joined: list[Link]) -> None:
    assert grow_diag_final_and(forward, backward) == joined


_links = st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)))


@given(_links, _links)
def test_growing_lies_between_intersection_and_union(forward: set[Link], backward: set[Link]) -> None:
    joined = set(grow_diag_final_and(forward, backward))
    assert forward & backward <= joined <= forward | backward


@given(_links)
def test_a_written_line_is_read_as_it_was(links: set[Link]) -> None:
    written = " ".join(f"{source}-{target}" for source, target in sorted(links))
    assert read_pharaoh(written, 7, 7) == sorted(links)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("0-0 1:1", "'1:1' is not a link"),
        ("0-0 1", "'1' is not a link"),
        ("-1-0", "'-1-0' is not a link"),
        ("0-0-0", "'0-0-0' is not a link"),
        ("3-0", "3-0. is out of range .3 source and 2 target tokens"),
        ("0-2", "0-2' is out of range"),
        ("0-" + "9" * 5000, "is not a link"),
    ],
)
def test_a_line_that_is_wrong(line: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        read_pharaoh(line, 3, 2)
