from __future__ import annotations

import pytest

from referee.annotate.document import Document
from referee.annotate.resolve.possessives import OWNED, SUBJECT, owned, stands_alone
from tests.support.coreferent import parsed


def _answer(document: Document, sentence: int, index: int) -> tuple[str, float] | None:
    assert stands_alone(document.sentences[sentence], index)
    answer = owned(document, sentence, index)
    return None if answer is None else (document.text[answer[0].start : answer[0].end], answer[1])


@pytest.mark.parametrize("form", ["mine", "yours", "his", "hers", "ours", "theirs"])
def test_the_subject_is_what_is_owned(form: str) -> None:
    document = parsed(f"This/DET/2/det book/NOUN/4/nsubj is/AUX/4/cop {form}/PRON/0/root ./PUNCT/4/punct")
    assert _answer(document, 0, 3) == ("This book", SUBJECT)


def test_the_nearest_noun_that_somebody_owns() -> None:
    document = parsed(
        "Your/PRON/2/nmod:poss car/NOUN/3/nsubj passed/VERB/0/root a/DET/5/det bus/NOUN/3/obj",
        "Mine/PRON/2/nsubj stood/VERB/0/root",
    )
    assert _answer(document, 1, 0) == ("Your car", OWNED)


def test_no_noun_is_owned() -> None:
    assert (
        _answer(parsed("A/DET/2/det car/NOUN/3/nsubj stood/VERB/0/root", "Mine/PRON/2/nsubj left/VERB/0/root"), 1, 0)
        is None
    )
    assert _answer(parsed("It/PRON/3/nsubj is/AUX/3/cop mine/PRON/0/root"), 0, 2) is None


def test_a_mine_with_coal_and_his_book_do_not_stand_alone() -> None:
    document = parsed("They/PRON/2/nsubj mine/VERB/0/root his/PRON/4/nmod:poss coal/NOUN/2/obj")
    assert [stands_alone(document.sentences[0], index) for index in range(4)] == [False] * 4
