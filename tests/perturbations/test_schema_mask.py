"""The zero-shot form of twins: what the gap is filled with, and which word is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from referee.items import Candidate, Item, Origin, Span
from referee.perturbations.base import Dropped
from referee.perturbations.published import schemas as published
from referee.perturbations.schema_mask import masked, refused, special_words


def twins(
    sources: tuple[str, str], options: tuple[str, str], golds: tuple[Any, Any] = (0, 1), **more: Any
) -> list[Item]:
    return [
        Item(
            id=f"t-{number}",
            group="t",
            task="fill",
            source_lang="en",
            target_lang="en",
            source=source,
            candidates=tuple(map(Candidate, options)),
            gold=gold,
            **more,
        )
        for number, (source, gold) in enumerate(zip(sources, golds, strict=True))
    ]


def texts(results: list[Item | Dropped]) -> list[str]:
    return [result.reason if isinstance(result, Dropped) else result.source for result in results]


@pytest.mark.parametrize(
    ("options", "owners"),
    [(("James", "Ann"), ("James'", "Ann's")), (("the boss", "Tess"), ("the boss's", "Tess's"))],
)
@pytest.mark.parametrize(("pronoun", "rest"), [("his", "in the van"), ("Their", "in"), ("her", "old van")])
def test_owners(options: tuple[str, str], owners: tuple[str, str], pronoun: str, rest: str) -> None:
    pair = twins((f"We saw _ {rest} run.", f"We saw _ {rest} stand."), options, features={"pronoun": pronoun})
    assert texts(masked(pair)) == [f"We saw {owner} {rest} _." for owner in owners]


@pytest.mark.parametrize(
    ("pronoun", "rest"), [("her", "in the van"), ("her", "to"), ("him", "old van"), ("", "old van")]
)
def test_no_owners(pronoun: str, rest: str) -> None:
    pair = twins((f"We saw _ {rest} run.", f"We saw _ {rest} stand."), ("Ann", "Bea"), features={"pronoun": pronoun})
    assert texts(masked(pair)) == [f"We saw Ann {rest} _.", f"We saw Bea {rest} _."]


@pytest.mark.parametrize("form", [masked, published.masked])
def test_candidates_are_ordered_by_the_answer(form: Any) -> None:
    pair = twins(("Ann saw Bea as _ was in.", "Ann saw Bea as _ was out."), ("Ann", "Bea"))
    for members, words in ((pair, ["in", "out"]), (pair[::-1], ["in", "out"])):
        results = form(members)
        assert [[each.text for each in item.candidates] for item in results] == [words] * 2
        assert [item.gold for item in results] == [item.gold for item in members]
    first = form(pair)[0]
    assert first.origin == Origin("t-0", "mask-special-word", "probe")
    assert (first.features, first.reference, first.expected, first.group) == ({"part": "mask"}, None, (), "t")


def test_spans_stay_where_no_gap_is() -> None:
    source = "Ann saw Bea as _ was in."
    spans = (Span("antecedent", "source", 0, 3), Span("trigger", "source", 21, 23), Span("pronoun", "source", 15, 16))
    pair = twins((source, source.replace("in", "out")), ("Ann", "Bea"))
    marked = twins((source, source), ("Ann", "Bea"), spans=spans)[0]
    result = masked([marked, pair[1]])[0]
    assert isinstance(result, Item)
    assert [(span.role, result.source[span.start : span.end]) for span in result.spans] == [
        ("antecedent", "Ann"),
        ("pronoun", "Ann"),
    ]


def test_a_sentence_is_closed() -> None:
    pair = twins(("Ann saw Bea as _ was in", "Ann saw Bea as _ was out"), ("Ann", "Bea"))
    assert texts(masked(pair)) == ["Ann saw Bea as Ann was _.", "Ann saw Bea as Bea was _."]
    asks = twins(("Ann saw Bea as _ was in?", "Ann saw Bea as _ was out?"), ("Ann", "Bea"))
    assert texts(masked(asks)) == ["Ann saw Bea as Ann was _?", "Ann saw Bea as Bea was _?"]


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        ("a (b) c", "a (d) c", ("b", "d")),
        ("a b c", "a b c", None),
        ("a b c", "a d e", None),
        ("a b", "a b c", None),
        ("a _ c", "a b c", None),
        ("a ... c", "a b c", None),
        ("a b, c", "a b c", None),
    ],
)
def test_the_word_that_differs(one: str, other: str, words: tuple[str, str] | None) -> None:
    places = special_words(one, other)
    assert (places and tuple(text[slice(*place)] for text, place in zip((one, other), places, strict=True))) == words


def test_what_is_refused() -> None:
    sources = ("Ann saw Bea as _ was in.", "Ann saw Bea as _ was out.")
    assert refused(twins(sources, ("Ann", "Bea"))) is None
    assert refused(twins(sources, ("Ann", "Bea"), (None, 1))) == Dropped("the twins do not have different answers")
    assert refused(twins(sources, ("Ann_", "Bea"))) == Dropped("a candidate contains the gap sign")
    assert refused(twins(sources, ("Ann", "Bea"))[:1]) == Dropped("has no twin")
    three = [*twins(sources, ("Ann", "Bea")), *twins(sources[:1], ("Ann", "Bea"), (0,))]  # type: ignore[arg-type]
    assert refused(three) == Dropped("has more than one twin")
    assert refused(twins(sources, ("Ann", "Bea", "Cleo"))) == Dropped("does not have two candidates")  # type: ignore[arg-type]
    assert texts(masked(twins(sources, ("A_", "Bea")))) == ["a candidate contains the gap sign"] * 2
