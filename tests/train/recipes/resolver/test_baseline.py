from __future__ import annotations

from referee.train.recipes.resolver.baseline import nearest_subjects
from tests.support.coreferent import parsed


def test_the_nearest_agreeing_subject() -> None:
    document = parsed(
        "Boys/NOUN/2/nsubj/Number=Plur broke/VERB/0/root cups/NOUN/2/obj/Number=Plur",
        "Tea/NOUN/2/nsubj/Number=Sing helps/VERB/0/root",
        "They/PRON/2/nsubj/Number=Plur drank/VERB/0/root it/PRON/2/obj/Number=Sing",
        "It/PRON/2/nsubj/Number=Sing cooled/VERB/0/root",
    )
    found = [document.text[each.antecedent.start : each.antecedent.end] for each in nearest_subjects(document)]
    assert found == ["Boys", "Tea", "Tea"]


def test_a_coordination_is_plural() -> None:
    document = parsed(
        "Ann/PROPN/4/nsubj and/CCONJ/3/cc Ben/PROPN/1/conj sang/VERB/0/root", "They/PRON/2/nsubj left/VERB/0/root"
    )
    [only] = nearest_subjects(document)
    assert only.antecedent.head == 0
    assert nearest_subjects(parsed("They/PRON/2/nsubj left/VERB/0/root")) == []
