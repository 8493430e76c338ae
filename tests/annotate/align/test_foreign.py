from __future__ import annotations

import pytest

from referee.annotate.align.foreign import carried_over, forms
from referee.annotate.align.links import Link
from referee.annotate.align.tokens import spaced_spans
from referee.annotate.protocols import Tokens
from tests.support.small_aligner import pair


@pytest.mark.parametrize(
    ("text", "spans", "expected"),
    [
        ("a bc", ((0, 1), (2, 4)), ["a", "bc"]),
        ("1\u00a0000 x", ((0, 5), (6, 7)), ["1_000", "x"]),
        ("a b", ((0, 1), (1, 2), (2, 2)), ["a", "_", "_"]),
    ],
)
def test_forms_have_no_spaces_and_are_never_empty(
    text: str, spans: tuple[tuple[int, int], ...], expected: list[str]
) -> None:
    assert forms(Tokens(text, spans)) == expected
    assert len(" ".join(forms(Tokens(text, spans))).split()) == len(spans)


@pytest.mark.parametrize(
    ("source", "target", "links", "expected"),
    [
        ("The dog", "Der Hund", [(0, 0), (1, 1)], [(0, 0), (1, 1)]),
        ("dogs, cats", "Hunde, Katzen", [(0, 0), (1, 1)], [(0, 0), (1, 1), (2, 2)]),
        ("Stop!", "Halt.", [(0, 0)], [(0, 0)]),
        ("(yes)", "ja", [(0, 0)], [(1, 0)]),
        ("It's", "Es ist", [(0, 0), (0, 1)], [(0, 0), (0, 1), (1, 0), (1, 1)]),
        ("!?", "Ja", [(0, 0)], [(0, 0), (1, 0)]),
        ("a", "b", [], []),
    ],
)
def test_links_between_words_with_spaces_become_links_between_tokens(
    source: str, target: str, links: list[Link], expected: list[Link]
) -> None:
    both = pair(source, target)
    assert list(carried_over(links, both, (spaced_spans(source), spaced_spans(target)))) == expected
