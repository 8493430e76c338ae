"""Which word of an item is explained by which others, and where those stand in what a model reads."""

from __future__ import annotations

from typing import Any

import pytest

from referee.analysis.salience.record import Token
from referee.analysis.salience.triggers import Marks
from referee.items import REPEATED, Candidate, Item, Task
from referee.protocols import Explanation, InGap, InTranslation, ScorePair, TokenSalience
from referee.runs.salience_requests import ANOTHER_TASK, NO_GOLD, NO_WORD, explained, question, salience
from referee.scoring.options import ScoringOptions
from tests.support.explainer import Explainer
from tests.support.items import item

PLAIN = ScoringOptions()
CONTEXT = ScoringOptions(context=2, separator=" | ")
IN_CONTEXT: dict[str, Any] = {
    "source": "It ran!",
    "source_context": ("First.", "The dog.", "A cat?"),
    "target_context": ("Erst.", "Der Hund.", "Eine Katze?"),
    "gold": 1,
}


def translated(source_item: Item, options: ScoringOptions = PLAIN) -> InTranslation:
    request = question(source_item, options, "translate")
    assert isinstance(request, InTranslation)
    return request


def test_a_translation() -> None:
    request = translated(item(gold=1))
    assert request.pair == ScorePair("It was hungry.", "Sie war hungrig.", "en", "de")
    assert request.pair.target[request.start : request.end] == "Sie"
    assert [request.pair.source[start:end] for start, end in request.words] == ["It", "was", "hungry", "."]


def test_context_is_read_too() -> None:
    request = translated(item(**IN_CONTEXT), CONTEXT)
    assert request.pair.source == "The dog. | A cat? | It ran!"
    assert request.pair.given == "Der Hund. | Eine Katze? | "
    expected = ["The", "dog", ".", "A", "cat", "?", "It", "ran", "!"]
    assert [request.pair.source[start:end] for start, end in request.words] == expected


def test_words_are_placed_in_their_texts() -> None:
    in_context = item(**IN_CONTEXT)
    values = tuple(float(number) for number in range(9))
    record = salience("s", in_context, CONTEXT, Explanation(0.25, values), Marks((("source", 0, 3, 6),)))
    assert [(weight.field, weight.index, weight.start, weight.end) for weight in record.weights] == [
        ("source_context", 1, 0, 3),
        ("source_context", 1, 4, 7),
        ("source_context", 1, 7, 8),
        ("source_context", 2, 0, 1),
        ("source_context", 2, 2, 5),
        ("source_context", 2, 5, 6),
        ("source", 0, 0, 2),
        ("source", 0, 3, 6),
        ("source", 0, 6, 7),
    ]
    assert [weight.value for weight in record.weights] == list(values)
    assert [weight.trigger for weight in record.weights] == [False] * 7 + [True, False]
    assert [weight.compared for weight in record.weights] == [True, True, False] * 3
    assert (record.target, record.probability, record.item, record.group) == ("Sie", 0.25, "a", "a")


def test_tokens_of_the_source_and_the_end_token_are_kept() -> None:
    in_context = item(**IN_CONTEXT)
    start = len("The dog. | A cat? | ")
    tokens = (
        TokenSalience(5, 0, 3, 0.1),
        TokenSalience(6, start - 1, start + 2, 0.2),
        TokenSalience(8, start + 3, start + 5, 0.123456789),
        TokenSalience(0, -1, -1, 0.5),
    )
    record = salience("s", in_context, CONTEXT, Explanation(0.25, (0.0,) * 9, tokens=tokens), Marks())
    assert record.tokens == (Token(6, 0.2, is_it=True), Token(8, 0.1234568), Token(0, 0.5))
    plain = item(source="See it.")
    token = TokenSalience(3, 3, 6, 0.5)
    assert salience("s", plain, PLAIN, Explanation(0.5, (0.1,) * 3, tokens=(token,)), Marks()).tokens == (
        Token(3, 0.5, is_it=True),
    )


def test_other_words_that_the_twin_has_not_are_not_compared() -> None:
    marks = Marks((("source", 0, 7, 13),), ((3, 6), (7, 13)))
    record = salience("s", item(), PLAIN, Explanation(0.5, (0.1, 0.2, 0.3, 0.4)), marks)
    assert [(weight.trigger, weight.compared) for weight in record.weights] == [
        (False, True),
        (False, False),
        (True, True),
        (False, False),
    ]


def test_a_mark_inside_of_a_trigger_is_none() -> None:
    record = salience("s", item(), PLAIN, Explanation(0.5, (0.1,) * 4), Marks((("source", 0, 7, 14),)))
    assert [weight.trigger for weight in record.weights] == [False, False, True, False]


def test_words_without_tokens_are_left_out() -> None:
    record = salience("s", item(), PLAIN, Explanation(0.5, (0.1, None, 0.123456789, 0.4)), Marks())
    assert [(weight.start, weight.value) for weight in record.weights] == [(0, 0.1), (7, 0.1234568), (13, 0.4)]


FILL: dict[str, Any] = {
    "task": "fill",
    "source": "The cup is in the box: the _ is big.",
    "source_context": ("Not read.",),
    "candidates": (Candidate("cup"), Candidate("box")),
    "target_lang": "en",
}


def test_a_gap() -> None:
    gap = item(**FILL)
    request = question(gap, PLAIN, "fill")
    assert isinstance(request, InGap)
    assert (request.text, request.word, request.given) == (gap.source, "cup", "")
    assert " ".join(request.text[start:end] for start, end in request.words) == "The cup is in the box : the is big ."
    record = salience("s", gap, PLAIN, Explanation(0.5, (0.0,) * 11), Marks())
    assert record.target == "cup"
    assert {(weight.field, weight.index) for weight in record.weights} == {("source", 0)}


def test_a_gap_after_its_context() -> None:
    gap = item(**(FILL | {"source_context": ("A _ gap.", "It rains.")}))
    request = question(gap, CONTEXT, "fill")
    assert isinstance(request, InGap)
    whole = request.given + request.text
    assert whole.endswith(gap.source)
    assert request.given == "A _ gap. | It rains. | "
    words = " ".join(whole[start:end] for start, end in request.words)
    assert words == "A gap . It rains . The cup is in the box : the is big ."
    record = salience("s", gap, CONTEXT, Explanation(0.5, (0.0,) * 17), Marks())
    places = {(weight.field, weight.index) for weight in record.weights}
    assert places == {("source_context", 0), ("source_context", 1), ("source", 0)}


@pytest.mark.parametrize(
    ("refused", "task", "expected"),
    [
        (item(), "fill", ANOTHER_TASK),
        (item(task="choose"), "translate", ANOTHER_TASK),
        (item(task="choose"), "fill", ANOTHER_TASK),
        (item(**FILL), "translate", ANOTHER_TASK),
        (item(gold=None), "translate", NO_GOLD),
        (item(candidates=(), gold=None), "translate", NO_GOLD),
        (item(candidates=(Candidate("gleich"), Candidate("gleich")), features=REPEATED), "translate", NO_WORD),
    ],
)
def test_why_nothing_is_asked(refused: Item, task: Task, expected: str) -> None:
    assert question(refused, PLAIN, task) == expected


def test_all_items_are_explained_or_counted() -> None:
    """Answers come last first; what has no request counts as done before the first of them."""
    cases = [item(id=f"i{number}", source=f"It was number {number}.") for number in range(4)]
    cases[1] = item(id="i1", gold=None)
    ticks: list[int] = []
    model = Explainer(refuses=frozenset({"It was number 2."}))
    records, left_out = explained(model, "inseq:x", "few", cases, [Marks()] * 4, PLAIN, 9, ticks.append)
    assert [(record.suite, record.item, record.target) for record in records] == [
        ("few", "i0", "Er"),
        ("few", "i3", "Er"),
    ]
    assert left_out == {NO_GOLD: 1, "too long": 1}
    assert ticks == [2, 3, 4]
    assert model.asked == [([f"It was number {number}." for number in (0, 2, 3)], "inseq:x", 9)]
