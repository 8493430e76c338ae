"""Words in a text: where a phrase stands once, and which words make alternatives differ."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.items import is_mixed_script
from referee.languages.text import changed_words, differing_words, find_once, normalise_cyrillic, starts_sentence


@pytest.mark.parametrize(
    ("part", "text", "found"),
    [
        ("cat", "The cat sat.", (4, 7)),
        ("The cat", "The cat sat.", (0, 7)),
        ("sat", "The cat sat.", (8, 11)),
        ("it", "The kitten bites it.", (17, 19)),  # not in "kitten", not in "bites"
        ("cat", "The cat saw a cat.", None),
        ("cat", "The cats sat.", None),
        ("cat", "The tomcat sat.", None),
        ("Cat", "The cat sat.", None),
        ("dog", "The cat sat.", None),
        ("", "The cat sat.", None),
        ("a.b", "axb a.b", (4, 7)),  # a full stop is no wildcard
        ("the (old) man", "Then the (old) man left.", (5, 18)),
        ("über", "Er geht über die Brücke, überhaupt.", (8, 12)),
        ("он", "она и он", (6, 8)),
        ("l'eau", "Il boit l'eau.", (8, 13)),
        ("cat", "cat", (0, 3)),
        ("她", "昨天她走了。", (2, 3)),
        ("เขา", "วันนี้เขาไป", (6, 9)),
        ("हि", "हिन्दी", None),
        ("cat", "", None),
    ],
)
def test_find_once(part: str, text: str, found: tuple[int, int] | None) -> None:
    assert find_once(part, text) == found


@given(st.text(), st.text(min_size=1))
def test_what_is_found_is_what_was_sought(text: str, part: str) -> None:
    span = find_once(part, text)
    assert span is None or text[slice(*span)] == part


def words_at(texts: list[str], spans: list[list[tuple[int, int]]]) -> list[list[str]]:
    return [[text[start:end] for start, end in own] for text, own in zip(texts, spans, strict=True)]


@pytest.mark.parametrize(
    ("texts", "changed"),
    [
        (["Er war da.", "Sie war da."], [["Er"], ["Sie"]]),
        # All are compared with the first, the first with the second.
        (["Er war da.", "Sie war da.", "Es war da."], [["Er"], ["Sie"], ["Es"]]),
        (["a x c", "a y c", "b x c"], [["x"], ["y"], ["b"]]),
        (["Il est parti.", "Elle est partie!"], [["Il", "parti"], ["Elle", "partie"]]),
        (["same", "same"], [[], []]),
        (["alone"], [[]]),
        (["l'ami est là", "l'amie est là"], [["ami"], ["amie"]]),
        (["", "a"], [[], []]),
        (["他走了。", "她走了。"], [["他"], ["她"]]),
        # Without spaces a longer word shifts nothing.
        (["昨天他走了。", "昨天汤姆走了。"], [["他"], ["汤", "姆"]]),
        (["เขาไปแล้ว", "เธอไปแล้ว"], [["เขา"], ["เธ", "อ"]]),
    ],
)
def test_changed_words(texts: list[str], changed: list[list[str]]) -> None:
    assert words_at(texts, changed_words(texts)) == changed


def test_punctuation_alone_is_no_change() -> None:
    assert changed_words(["Er, der Hund, schlief.", "Er - der Hund - schlief!"]) == [[], []]


def test_changed_words_are_given_by_their_place() -> None:
    assert changed_words(["bis er er war", "bis er sie war"]) == [[(7, 9)], [(7, 10)]]


@pytest.mark.parametrize(
    ("one", "other", "ours", "theirs"),
    [
        ("because it was too small.", "because it was too large.", ["small"], ["large"]),
        ("it was small.", "it was much too small.", [], ["much", "too"]),  # what one lacks is marked in the other
        ("He put it there.", "She puts it there.", ["He", "put"], ["She", "puts"]),
        ("same", "same", [], []),
        ("a b c", "b c", ["a"], []),  # not shifted: the rest is the same
        ("", "a", [], ["a"]),
    ],
)
def test_differing_words(one: str, other: str, ours: list[str], theirs: list[str]) -> None:
    assert words_at([one, other], list(differing_words(one, other))) == [ours, theirs]


@given(st.text("ab ."), st.text("ab ."))
def test_twins_without_their_differing_words_are_the_same(one: str, other: str) -> None:
    spans = differing_words(one, other)
    rest = [
        [word for word in re.finditer(r"\w+", text) if word.span() not in own]
        for text, own in zip((one, other), spans, strict=True)
    ]
    assert [word[0] for word in rest[0]] == [word[0] for word in rest[1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("она", "она"),
        ("o\u043d\u0430", "она"),
        ("\u043e\u043da, o\u043d \u0438 \u043e\u043do", "она, он и оно"),
        ("E\u0433\u043e", "Его"),
        ("\u0435\u0451 c\u0442\u043ep\u043e\u043d\u0430", "её сторона"),
        ("ace", "ace"),
        ("слово ace и o", "слово ace и o"),
        ("TV-\u043a\u0430\u043d\u0430\u043b", "TV-канал"),
        ("VIP\u043e\u043c", "VIPом"),
        ("o\u043d_o\u043d", "он_он"),
    ],
)
def test_look_alikes_in_mixed_words(text: str, expected: str) -> None:
    assert normalise_cyrillic(text) == expected


def test_every_look_alike_is_replaced() -> None:
    latin, cyrillic = "ABCEHKMOPTXYacekopxy", "АВСЕНКМОРТХУасекорху"
    assert normalise_cyrillic(f"ж{latin}ж") == f"ж{cyrillic}ж"
    assert not is_mixed_script(f"ж{cyrillic}ж")


@pytest.mark.parametrize(
    ("before", "starts"),
    [
        ("", True),
        ("Ja. ", True),
        ("- ", True),
        ("Er sagt: ", True),
        ("走了。", True),
        ("जाओ। ", True),
        ("نعم؟ ", True),
        ("Ja, ", False),
        ("a", False),
    ],
)
def test_where_a_sentence_starts(before: str, starts: bool) -> None:
    assert starts_sentence(f"{before}Sie", len(before)) is starts
