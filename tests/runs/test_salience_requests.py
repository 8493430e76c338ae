"""Which word of an item is explained by which others, and where those stand in what a model reads."""

from __future__ import annotations

from typing import Any

import pytest

from referee.analysis.salience.triggers import Marks
from referee.items import Candidate, Item, Task
from referee.protocols import Explanation, InGap, InTranslation, ScorePair
from referee.runs.salience_requests import ANOTHER_TASK, NO_GOLD, NO_WORD, question, salience
from referee.scoring.options import ScoringOptions
from tests.support.items import item

PLAIN = ScoringOptions()
CONTEXT = ScoringOptions(context=2, separator=" | ")
IN_CONTEXT: dict[str, Any] = {
    "source": "It ran!",
    "source_context": ("First.", "The dog.", "A cat?"),
    "target_context": ("Erst.", "Der Hund.", "Eine Katze?"),
    "gold": 1,
}


def translated(made: Item, options: ScoringOptions = PLAIN) -> InTranslation:
    asked = question(made, options, "translate")
    assert isinstance(asked, InTranslation)
    return asked


def test_a_translation() -> None:
    asked = translated(item(gold=1))
    assert asked.pair == ScorePair("It was hungry.", "Sie war hungrig.", "en", "de")
    assert asked.pair.target[asked.start : asked.end] == "Sie"
    assert [asked.pair.source[start:end] for start, end in asked.words] == ["It", "was", "hungry", "."]


def test_context_is_read_too() -> None:
    asked = translated(item(**IN_CONTEXT), CONTEXT)
    assert asked.pair.source == "The dog. | A cat? | It ran!"
    assert asked.pair.given == "Der Hund. | Eine Katze? | "
    expected = ["The", "dog", ".", "A", "cat", "?", "It", "ran", "!"]
    assert [asked.pair.source[start:end] for start, end in asked.words] == expected


def test_words_are_placed_in_their_texts() -> None:
    made = item(**IN_CONTEXT)
    values = tuple(float(number) for number in range(9))
    found = salience("s", made, CONTEXT, Explanation(0.25, values), Marks((("source", 0, 3, 6),)))
    assert [(each.field, each.index, each.start, each.end) for each in found.weights] == [
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
    assert [each.value for each in found.weights] == list(values)
    assert [each.trigger for each in found.weights] == [False] * 7 + [True, False]
    assert [each.compared for each in found.weights] == [True, True, False] * 3
    assert (found.target, found.probability, found.item, found.group) == ("Sie", 0.25, "a", "a")


def test_other_words_that_the_twin_has_not_are_not_compared() -> None:
    marks = Marks((("source", 0, 7, 13),), ((3, 6), (7, 13)))
    found = salience("s", item(), PLAIN, Explanation(0.5, (0.1, 0.2, 0.3, 0.4)), marks)
    assert [(each.trigger, each.compared) for each in found.weights] == [
        (False, True),
        (False, False),
        (True, True),
        (False, False),
    ]


def test_a_mark_inside_of_a_trigger_is_none() -> None:
    found = salience("s", item(), PLAIN, Explanation(0.5, (0.1,) * 4), Marks((("source", 0, 7, 14),)))
    assert [each.trigger for each in found.weights] == [False, False, True, False]


def test_words_without_tokens_are_left_out() -> None:
    found = salience("s", item(), PLAIN, Explanation(0.5, (0.1, None, 0.123456789, 0.4)), Marks())
    assert [(each.start, each.value) for each in found.weights] == [(0, 0.1), (7, 0.1234568), (13, 0.4)]


FILL: dict[str, Any] = {
    "task": "fill",
    "source": "The cup is in the box: the _ is big.",
    "source_context": ("Not read.",),
    "candidates": (Candidate("cup"), Candidate("box")),
    "target_lang": "en",
}


def test_a_gap() -> None:
    made = item(**FILL)
    asked = question(made, CONTEXT, "fill")
    assert isinstance(asked, InGap)
    assert (asked.text, asked.word) == (made.source, "cup")
    assert " ".join(asked.text[start:end] for start, end in asked.words) == "The cup is in the box : the is big ."
    found = salience("s", made, CONTEXT, Explanation(0.5, (0.0,) * 11), Marks())
    assert found.target == "cup"
    assert {(each.field, each.index) for each in found.weights} == {("source", 0)}


@pytest.mark.parametrize(
    ("made", "task", "expected"),
    [
        (item(), "fill", ANOTHER_TASK),
        (item(task="choose"), "translate", ANOTHER_TASK),
        (item(task="choose"), "fill", ANOTHER_TASK),
        (item(**FILL), "translate", ANOTHER_TASK),
        (item(gold=None), "translate", NO_GOLD),
        (item(candidates=(), gold=None), "translate", NO_GOLD),
        (item(candidates=(Candidate("gleich"), Candidate("gleich"))), "translate", NO_WORD),
        (item(**(FILL | {"candidates": (Candidate(""), Candidate("box"))})), "fill", NO_WORD),
    ],
)
def test_why_nothing_is_asked(made: Item, task: Task, expected: str) -> None:
    assert question(made, PLAIN, task) == expected
