"""Items to questions: context on both sides, gaps filled, cause before effect; and log-probabilities to scores."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest

from referee.items import Candidate, Item
from referee.protocols import Blank, ScoreCandidates, ScorePair, ScoreText, TranslateDoc
from referee.scoring import requests
from referee.scoring.options import Norm, Part, ScoringOptions
from tests.support.items import item

CONTEXT = item(source_context=("The dog ate.", "It ran."), target_context=("Der Hund aß.", "Er lief."))
TARGETS = ("Er war hungrig.", "Sie war hungrig.", "Es war hungrig.")


def fill(source: str, *words: str) -> Item:
    return item(task="fill", target_lang="en", source=source, candidates=tuple(map(Candidate, words)))


def choose(question: str | None) -> Item:
    return item(
        task="choose",
        target_lang="en",
        source="The man fell.",
        question=question,
        candidates=(Candidate("He slipped."), Candidate("He cried.")),
    )


@pytest.mark.parametrize(
    ("options", "source", "given"),
    [
        ({}, "It was hungry.", ""),
        ({"context": 0, "separator": "|"}, "It was hungry.", ""),
        ({"context": 1}, "It ran. It was hungry.", "Er lief. "),
        ({"context": 2}, "The dog ate. It ran. It was hungry.", "Der Hund aß. Er lief. "),
        ({"context": 9}, "The dog ate. It ran. It was hungry.", "Der Hund aß. Er lief. "),
        ({"context": 2, "separator": " <eos> "}, "The dog ate. <eos> It ran. <eos> It was hungry.", None),
    ],
)
def test_context_goes_along_on_both_sides(options: dict[str, Any], source: str, given: str | None) -> None:
    pairs = requests.pairs(CONTEXT, ScoringOptions(**options))
    given = "Der Hund aß. <eos> Er lief. <eos> " if given is None else given
    assert pairs == [ScorePair(source, target, "en", "de", given) for target in TARGETS]
    assert {pair.origin for pair in pairs} == {CONTEXT.id}


def test_sides_need_not_have_the_same_context() -> None:
    bare = item(source_context=("The dog ate.", "It ran."))
    (pair, *_) = requests.pairs(bare, ScoringOptions(context=1))
    assert (pair.source, pair.given) == ("It ran. It was hungry.", "")


def test_a_gap_is_filled() -> None:
    texts = requests.texts(fill("The cup did not fit the box: _ was big.", "the cup", "it"), ScoringOptions())
    assert texts == [
        ScoreText("The cup did not fit the box: the cup was big.", lang="en"),
        ScoreText("The cup did not fit the box: it was big.", lang="en"),
    ]
    assert {text.origin for text in texts} == {"a"}


def test_partial_scoring_begins_behind_the_filled_words() -> None:
    texts = requests.texts(fill("I saw _ run.", "the old cat", "it"), ScoringOptions(part="partial"))
    assert [text.text[text.start :] for text in texts] == [" run.", " run."]
    assert [text.start for text in texts] == [17, 8]


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("cause", ["He slipped. The man fell.", "He cried. The man fell."]),
        ("effect", ["The man fell. He slipped.", "The man fell. He cried."]),
        (None, ["The man fell. He slipped.", "The man fell. He cried."]),
        ("Who fell?", ["The man fell. Who fell? He slipped.", "The man fell. Who fell? He cried."]),
    ],
)
def test_causes_come_first(question: str | None, texts: list[str]) -> None:
    assert [text.text for text in requests.texts(choose(question), ScoringOptions())] == texts


def test_a_blank_keeps_its_gap() -> None:
    assert requests.blank(fill("I saw _ run.", "him", "it"), ScoringOptions()) == Blank(
        "I saw _ run.", ("him", "it"), lang="en"
    )


def in_context(item: Item) -> Item:
    return msgspec.structs.replace(item, source_context=("One _ two.", "It rains."))


@pytest.mark.parametrize("part", ["whole", "partial"])
def test_context_comes_before_a_filled_gap_and_is_not_scored(part: Part) -> None:
    filled = fill("I saw _ run.", "him", "it")
    options = ScoringOptions(context=1, separator=" | ", part=part)
    without = requests.texts(filled, ScoringOptions(part=part))
    for text, plain in zip(requests.texts(in_context(filled), options), without, strict=True):
        assert text.text == "It rains. | " + plain.text
        assert text.text[text.start :] == plain.text[plain.start :]
    assert requests.blank(in_context(filled), options) == Blank("I saw _ run.", ("him", "it"), "It rains. | ", "en")
    two = requests.blank(in_context(filled), ScoringOptions(context=9))
    assert two.given == "One _ two. It rains. "


@pytest.mark.parametrize("question", ["cause", "effect"])
def test_context_comes_before_a_premise(question: str) -> None:
    premise = in_context(choose(question))
    for text, plain in zip(
        requests.texts(premise, ScoringOptions(context=1)), requests.texts(premise, ScoringOptions()), strict=True
    ):
        assert (text.text, text.start) == ("It rains. " + plain.text, len("It rains. "))


def test_context_is_in_questions_and_candidates_of_every_task() -> None:
    options = ScoringOptions(context=1, separator=" ")
    for one in (fill("I saw _ run.", "him", "it"), choose("cause")):
        asked, plain = requests.question(in_context(one), options), requests.question(one, options)
        assert asked.text != plain.text
        assert "It rains. " + one.source in asked.text
        assert requests.candidates(in_context(one), options).context == ("It rains.",)
        assert requests.candidates(one, options).context == ()


@pytest.mark.parametrize(
    ("context", "sentences"),
    [
        (0, ("It was hungry.",)),
        (1, ("It ran.", "It was hungry.")),
        (5, ("The dog ate.", "It ran.", "It was hungry.")),
    ],
)
def test_a_document_to_translate(context: int, sentences: tuple[str, ...]) -> None:
    assert requests.source(CONTEXT, ScoringOptions(context=context)) == TranslateDoc(sentences, "en", "de")


@pytest.mark.parametrize("about", [CONTEXT, fill("I saw _ run.", "him", "it"), choose("cause"), choose(None)])
def test_a_question_holds_all_that_is_to_be_known(about: Item) -> None:
    question = requests.question(about, ScoringOptions(context=1))
    assert question.options == tuple(candidate.text for candidate in about.candidates)
    assert about.source in question.text
    if about.task == "translate":
        assert "It ran." in question.text
        assert "Er lief." not in question.text


@pytest.mark.parametrize(
    ("norm", "expected"),
    [("sum", -6.0), ("ppl", -2.0), ("char", -0.5)],
)
def test_normalisation(norm: Norm, expected: float) -> None:
    assert requests.normalised([-1.0, -2.0, -3.0], "a" * 12, norm) == expected


def test_ppl_is_the_logarithm_of_the_inverse_perplexity() -> None:
    logprobs = [math.log(1 / 4), math.log(1 / 16)]
    perplexity = (4 * 16) ** (1 / 2)
    assert requests.normalised(logprobs, "x", "ppl") == pytest.approx(-math.log(perplexity))


@pytest.mark.parametrize(("norm", "expected"), [("sum", -4.0), ("ppl", -2.0), ("char", -4.0)])
def test_an_empty_text_is_no_division_by_zero(norm: Norm, expected: float) -> None:
    assert requests.normalised([-1.0, -3.0], "", norm) == expected


def test_equal_sums_stay_equal_in_any_order() -> None:
    """Else the last digit would decide between candidates that are equally good."""
    numbers = [-0.1, -0.2, -0.3, -1e-9, -7.7]
    assert requests.normalised(numbers, "", "sum") == requests.normalised(numbers[::-1], "", "sum")


def test_candidates_are_one_request_in_every_task() -> None:
    options = ScoringOptions(context=1, separator=" <eos> ")
    assert requests.candidates(CONTEXT, options) == ScoreCandidates(
        "It was hungry.", TARGETS, ("It ran.",), " <eos> ", CONTEXT.id
    )
    assert requests.candidates(CONTEXT, ScoringOptions()).context == ()
    gap = requests.candidates(fill("The cup broke: _ fell.", "the cup", "it"), options)
    assert (gap.source, gap.candidates, gap.context) == ("The cup broke: _ fell.", ("the cup", "it"), ())
    assert requests.candidates(choose("cause"), options).source == "The man fell.\nWhat was the cause?"
    assert requests.candidates(choose("Why did he fall?"), options).source == "The man fell.\nWhy did he fall?"


def test_a_document_keeps_the_separator() -> None:
    document = requests.source(CONTEXT, ScoringOptions(context=1, separator=" <eos> "))
    assert document == TranslateDoc(("It ran.", "It was hungry."), "en", "de", " <eos> ")
