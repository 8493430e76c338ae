"""From a translation to a verdict: which candidate or form its last sentence holds."""

from __future__ import annotations

import math

import pytest

from referee.items import Candidate, Span
from referee.scoring.decision import can_match, chosen, compared, contrastive, matched
from tests.support.items import item

FORMS = item(candidates=(), gold=None, expected=("sie",))


@pytest.mark.parametrize(
    ("sentence", "gold", "choice", "tied", "correct"),
    [
        ("Er war hungrig.", 0, 0, False, True),
        ("Sie war hungrig.", 0, 1, False, False),
        ("Sie war hungrig.", None, 1, False, None),
        ("Das Kind war hungrig.", 0, None, False, False),
        ("Das Kind war hungrig.", None, None, False, None),
    ],
)
def test_the_candidate_that_is_used(
    sentence: str, gold: int | None, choice: int | None, tied: bool, correct: bool | None
) -> None:
    verdict = chosen(item(gold=gold), sentence, antecedent=True)
    assert (verdict.item, verdict.kind, verdict.output, verdict.antecedent) == ("a", "generative", sentence, True)
    assert (verdict.choice, verdict.tied, verdict.correct) == (choice, tied, correct)


def test_several_candidates_are_a_tie_and_wrong() -> None:
    verdict = chosen(item(gold=1), "Weil er und sie hungrig waren.")
    assert (verdict.choice, verdict.tied, verdict.correct, verdict.antecedent) == (None, True, False, None)


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("scores", [(-1.0, math.nan), (math.nan, -1.0), (math.nan, math.nan), (math.nan,)])
def test_nan_is_never_correct(scores: tuple[float, ...], higher: bool) -> None:
    verdict = contrastive("a", scores, 0, higher=higher)
    assert verdict.dropped == "score is NaN"
    assert (verdict.correct, verdict.choice, verdict.tied, verdict.scores) == (None, None, False, ())


def test_a_probability_of_zero_can_be_compared() -> None:
    assert contrastive("a", (-math.inf, -9.0), 1, higher=True).correct
    assert contrastive("a", (-math.inf, -math.inf), 1, higher=True).tied


def test_what_can_be_matched() -> None:
    gap = item(task="fill", source="Ann saw _.", candidates=(Candidate("Bea"), Candidate("Cleo")))
    assert can_match(item())
    assert can_match(FORMS)
    assert not can_match(item(candidates=(), gold=None))
    assert not can_match(gap)


def test_what_cannot_be_matched_is_dropped() -> None:
    verdict = matched(item(candidates=(), gold=None), "Er war hungrig.")
    assert (verdict.item, verdict.kind, verdict.dropped) == ("a", "generative", "no expected form")
    assert (verdict.correct, verdict.output) == (None, None)


def test_the_last_sentence_counts() -> None:
    verdict = matched(FORMS, "Sie schlief. Er war hungrig.")
    assert (verdict.output, verdict.correct, verdict.found) == (
        "Er war hungrig.",
        False,
        {"paper": False, "token": False},
    )
    verdict = matched(FORMS, "Er schlief. Sie war hungrig.")
    assert (verdict.output, verdict.correct, verdict.found) == (
        "Sie war hungrig.",
        True,
        {"paper": True, "token": True},
    )


def test_the_noun_is_looked_for_in_the_context() -> None:
    context = "Ich sah die Ziege."
    span = Span("antecedent", "target_context", context.index("die"), context.index("."), 0)
    one = item(target_context=(context,), spans=(span,), gold=1)
    assert matched(one, "Ich sah die Ziege. Sie war hungrig.").antecedent is True
    assert matched(one, "Ich sah den Bock. Sie war hungrig.").antecedent is False
    assert matched(one, "Sie war hungrig.").antecedent is None
    assert matched(item(gold=1), "Ich sah die Ziege. Sie war hungrig.").antecedent is None


@pytest.mark.parametrize(
    ("code", "form", "output", "sentence", "found"),
    [
        ("zh", "她", "他昨天走了。今天她来了。", "今天她来了。", True),
        ("zh", "他", "他昨天走了。今天她来了。", "今天她来了。", False),
        ("ja", "彼", "彼が来た。彼女は笑った。", "彼女は笑った。", False),
        ("hi", "वह", "वह घर गया। वह वहीं रहा।", "वह वहीं रहा।", True),
        ("ko", "그녀", "그는 갔다. 그녀는 남았다.", "그녀는 남았다.", True),
    ],
)
def test_the_last_sentence_in_other_scripts(code: str, form: str, output: str, sentence: str, found: bool) -> None:
    verdict = matched(item(candidates=(), gold=None, expected=(form,), target_lang=code), output)
    assert (verdict.output, verdict.found, verdict.correct) == (sentence, {"paper": found, "token": found}, found)


def test_the_published_rule_searches_the_published_sentence() -> None:
    verdict = matched(item(candidates=(), gold=None, expected=("er",), target_lang="de"), "- Kam er? - Sie kam.")
    assert (verdict.output, verdict.found) == ("- Sie kam.", {"paper": True, "token": False})


TWICE = item(candidates=tuple(map(Candidate, ("A.", "B.", "A.", "B."))), gold=2, features={"repeated": "candidates"})


@pytest.mark.parametrize(
    ("scores", "correct", "tied", "choice"),
    [
        ((-1.0, -2.0, -1.0, -2.0), True, False, 2),
        ((-2.0, -1.0, -2.0, -1.0), False, False, 1),
        ((-1.0, -1.0, -1.0, -1.0), False, True, None),
        ((-1.0, -3.0, -2.0, -3.0), True, False, 2),  # a file may score the same text in two ways
    ],
)
def test_the_same_text_is_one_answer(scores: tuple[float, ...], correct: bool, tied: bool, choice: int | None) -> None:
    verdict = compared(TWICE, scores, higher=True)
    assert (verdict.correct, verdict.tied, verdict.choice, verdict.scores) == (correct, tied, choice, scores)


def test_nothing_to_choose_from() -> None:
    same = item(candidates=(Candidate("A."), Candidate("A.")), gold=0, features={"repeated": "candidates"})
    verdict = compared(same, (-1.0, -1.0), higher=True)
    assert (verdict.dropped, verdict.correct) == ("all candidates are the same", None)


def test_other_items_are_compared_as_before() -> None:
    plain = item()
    scores = (-1.0, -3.0, -2.0)
    assert compared(plain, scores, higher=True) == contrastive("a", scores, 0, higher=True)
    assert compared(plain, scores, higher=False) == contrastive("a", scores, 0, higher=False)
