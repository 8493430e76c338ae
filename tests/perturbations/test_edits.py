from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.items import Candidate, Span
from referee.perturbations.edits import Edit, edited, rewritten, shifted, text_at
from tests.support.items import item

TEXT = "The red cup fell."
CUP = Span("antecedent", "source", 8, 11)


@pytest.mark.parametrize(
    ("edits", "text", "covered"),
    [
        ([], TEXT, "cup"),
        ([Edit(0, 3, "Maria's")], "Maria's red cup fell.", "cup"),
        ([Edit(8, 8, "old ")], "The red old cup fell.", "cup"),
        ([Edit(8, 8, "old ", inside=True)], "The red old cup fell.", "old cup"),
        ([Edit(11, 11, " of hers")], "The red cup of hers fell.", "cup"),
        ([Edit(11, 11, " of hers", inside=True)], "The red cup of hers fell.", "cup of hers"),
        ([Edit(8, 11, "mug")], "The red mug fell.", "mug"),
        ([Edit(9, 10, "oo")], "The red coop fell.", "coop"),
        ([Edit(4, 11, "mug")], "The mug fell.", "mug"),
        ([Edit(10, 16, "p was gone")], "The red cup was gone.", "cup was gone"),
        ([Edit(0, 0, "So: "), Edit(0, 1, "t"), Edit(16, 17, "!")], "So: the red cup fell!", "cup"),
        ([Edit(4, 12, "")], "The fell.", None),
    ],
)
def test_a_span_stays_on_its_words(edits: list[Edit], text: str, covered: str | None) -> None:
    assert edited(TEXT, edits) == text
    span = shifted(CUP, edits)
    assert (span and text[span.start : span.end]) == covered


def test_edits_that_overlap_are_refused() -> None:
    with pytest.raises(ValueError, match="overlap"):
        edited(TEXT, [Edit(0, 5, "a"), Edit(4, 6, "b")])


@st.composite
def edits_around(draw: st.DrawFn) -> tuple[str, Span, list[Edit]]:
    """A text, a span in it, and edits that leave the span alone but may touch its borders."""
    before, word, after = draw(st.text(max_size=8)), draw(st.text(min_size=1, max_size=5)), draw(st.text(max_size=8))
    text, span = before + word + after, Span("x", "source", len(before), len(before) + len(word))
    edits: list[Edit] = []
    for low, high in ((0, span.start), (span.end, len(text))):
        cuts = sorted(draw(st.lists(st.integers(low, high), min_size=2, max_size=4, unique=False)))
        edits += [Edit(*pair, draw(st.text(max_size=4))) for pair in zip(cuts[::2], cuts[1::2], strict=False)]
    return text, span, edits


@given(edits_around())
def test_edits_outside_never_change_what_a_span_covers(made: tuple[str, Span, list[Edit]]) -> None:
    text, span, edits = made
    moved = shifted(span, edits)
    assert moved is not None
    assert edited(text, edits)[moved.start : moved.end] == text[span.start : span.end]


@given(edits_around(), st.text(min_size=1, max_size=5))
def test_a_replaced_span_covers_the_new_words(made: tuple[str, Span, list[Edit]], new: str) -> None:
    text, span, edits = made
    edits = [*edits, Edit(span.start, span.end, new)]
    moved = shifted(span, edits)
    assert moved is not None
    assert edited(text, edits)[moved.start : moved.end] == new


def test_an_item_is_rewritten_where_edits_say() -> None:
    original = item(
        source_context=("A cup.", "A mug."),
        target_context=("Eine Tasse.", "Ein Becher."),
        reference="Er war hungrig.",
        spans=(
            Span("antecedent", "source_context", 2, 5, 1),
            Span("antecedent", "target_context", 4, 10, 1),
            Span("pronoun", "candidate", 0, 3, 1),
        ),
    )
    fields = rewritten(
        original,
        {
            ("source_context", 1): [Edit(0, 1, "The")],
            ("candidate", 0): [Edit(0, 2, "Der")],
            ("candidate", 1): [Edit(0, 0, "Und ")],
        },
    )
    assert fields["source_context"] == ("A cup.", "The mug.")
    assert "target_context" not in fields
    assert [candidate.text for candidate in fields["candidates"]] == [
        "Der war hungrig.",
        "Und Sie war hungrig.",
        "Es war hungrig.",
    ]
    assert fields["candidates"][1] == Candidate("Und Sie war hungrig.", {"gender": "f"})
    assert fields["reference"] == "Der war hungrig."
    assert [(span.start, span.end) for span in fields["spans"]] == [(4, 7), (4, 10), (4, 7)]


def test_texts_are_found_by_their_place() -> None:
    one = item(source_context=("a",), target_context=("b", "c"))
    places = [("source", 0), ("source_context", 0), ("target_context", 1), ("candidate", 2)]
    assert [text_at(one, place) for place in places] == ["It was hungry.", "a", "c", "Es war hungrig."]  # type: ignore[arg-type]
