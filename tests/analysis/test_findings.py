"""Findings on the sets of a run: each set alone, and what two sets show together."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from referee.analysis.findings import Gathered, Needs, findings_of, findings_on, gather
from referee.items import Item, SetOrigin
from referee.perturbations import changed
from referee.scoring.decision import chosen, contrastive, generative
from referee.verdicts import Judged, Verdict
from tests.support.items import item
from tests.support.judged_sets import first, hidden, judged, premises, right, right_but, twins

ITEMS = [item(id=f"i{number}", gold=number % 3, reference="Er war hungrig.") for number in range(6)]


def translated(suite: str, items: Sequence[Item]) -> Judged:
    return Judged(suite, "generative", items, [chosen(each, "Er war hungrig.") for each in items])


def scored(suite: str, items: Sequence[Item], origin: SetOrigin | None = None) -> Judged:
    verdicts = [contrastive(each.id, [1.0, 0.0, 0.0], each.gold, higher=True) for each in items]
    return Judged(suite, "contrastive", items, verdicts, origin)


def test_what_two_sets_need_is_kept_on_demand_only() -> None:
    bare = gather("few")
    assert (bare.outcomes, bare.judgements, bare.answers) == (None, None, None)
    full = gather("few", needs=Needs(attacks=True, agreement=True, parallel=True))
    assert full.outcomes == {None: [], "paper": [], "token": []}
    assert full.judgements == {}
    for kept in (bare, full):
        kept.add(ITEMS[0], contrastive("i0", [1.0, 0.0, 0.0], 0, higher=True))
        kept.add(ITEMS[1], Verdict(item="i1", kind="contrastive", dropped="too long"))
    assert full.judgements == {"i0": ("i0", True)}
    assert [outcome.correct for outcome in full.outcomes[None]] == [True, None]
    assert full.answers is not None
    assert full.answers.correct == [True, None]
    assert bare.judgements is None


def test_scores_have_no_quality_and_translations_do() -> None:
    (by_scores,) = findings_on([scored("few", ITEMS)])
    assert by_scores.quality == []
    (by_translation,) = findings_on([translated("few", ITEMS)])
    assert [score.segments for score in by_translation.quality] == [6, 6]


def test_agreement_where_a_set_was_judged_in_both_ways() -> None:
    by_scores, by_translation = findings_on([scored("few", ITEMS), translated("few", ITEMS)])
    assert by_scores.agreement is None
    assert by_translation.agreement is not None
    assert (by_translation.agreement.items, by_translation.agreement.both_right) == (6, 2)
    apart = findings_on([scored("few", ITEMS), translated("others", ITEMS)])
    assert [findings.agreement for findings in apart] == [None, None]


def test_attacks_are_found_on_the_original() -> None:
    items = premises(40)
    changed = hidden(items, "no-premise")
    original, perturbed = findings_on([judged("wet", items, right), judged("wet+dry", changed, right_but(2))])
    assert original.attacks is not None
    (drop,) = original.attacks.drops
    assert (drop.perturbation, drop.suite, drop.pairs, drop.difference) == ("no-premise", "wet+dry", 40, -0.5)
    assert perturbed.attacks is None
    assert perturbed.origin == SetOrigin("wet", "no-premise", "baseline")
    (alone,) = findings_on([judged("wet", items, right)])
    assert alone.attacks is None


def test_the_english_side_is_compared() -> None:
    own, english = twins(10), twins(10, target_lang="fr")
    origin = SetOrigin("own", "english", "parallel")
    sides = [judged("own", own, right), judged("english", english, first, origin)]
    result, side = findings_on(sides)
    assert result.english is not None
    assert (result.english.english, result.english.items, result.english.difference) == ("english", 20, 0.5)
    assert (side.english, side.origin) == (None, origin)
    attacked = SetOrigin("own", "english", "attack")
    assert findings_on([sides[0], judged("english", english, first, attacked)])[0].english is None
    assert (
        findings_on([sides[0], judged("other", english, first, SetOrigin("x", "english", "parallel"))])[0].english
        is None
    )


def test_breakdowns_are_those_asked_for() -> None:
    (findings,) = findings_on([judged("own", twins(4, label="it"), right)], ["label"])
    assert list(findings.by) == ["label"]


def test_agreement_where_only_one_of_the_sets_was_judged_in_both_ways() -> None:
    sets = [scored("few", ITEMS), scored("others", ITEMS), translated("few", ITEMS)]
    agreements = [findings.agreement for findings in findings_on(sets)]
    assert agreements[:2] == [None, None]
    assert agreements[2] is not None
    assert (agreements[2].items, agreements[2].same.count, agreements[2].both_wrong) == (6, 6, 4)


def gathered(sets: Sequence[Judged], needs: Sequence[Needs]) -> list[Gathered]:
    kept = [gather(of_set.suite, of_set.origin, needs=needed) for of_set, needed in zip(sets, needs, strict=True)]
    for columns, of_set in zip(kept, sets, strict=True):
        for one, verdict in of_set:
            columns.add(one, verdict)
    return kept


def test_sets_of_which_nothing_is_kept_do_not_hide_the_attacks_on_others() -> None:
    items = premises(40)
    sets = [judged("wet", items, right), judged("dry", hidden(items, "no-premise"), right_but(4)), scored("few", ITEMS)]
    wet, dry, few = findings_of(gathered(sets, [Needs(attacks=True), Needs(attacks=True), Needs()]))
    assert wet.attacks is not None
    assert [(drop.suite, drop.broken, drop.gained) for drop in wet.attacks.drops] == [("dry", 10, 0)]
    assert (dry.attacks, dry.origin) == (None, SetOrigin("wet", "no-premise", "baseline"))
    assert (few.attacks, few.origin) == (None, None)


def test_attacks_are_found_by_each_rule() -> None:
    """The paper's rule finds every form, the rule of tokens none of those in the attacked set."""
    items = [item(id=f"i{number}", expected=("er",)) for number in range(8)]
    attacked = [changed(one, "swap") for one in items]
    sets = [
        Judged(
            suite, "generative", of_set, [generative(one.id, "Er.", {"paper": True, "token": hit}) for one in of_set]
        )
        for suite, of_set, hit in (("plain", items, True), ("swapped", attacked, False))
    ]
    drops = {
        (findings.suite, findings.rule): [drop.difference for drop in findings.attacks.drops]
        for findings in findings_on(sets)
        if findings.attacks is not None
    }
    assert drops == {("plain", "paper"): [0.0], ("plain", "token"): [-1.0]}


@pytest.mark.parametrize(("own", "english"), [(Needs(), Needs(parallel=True)), (Needs(parallel=True), Needs())])
def test_without_the_judgements_of_both_sides_nothing_is_compared(own: Needs, english: Needs) -> None:
    side = judged("english", twins(4), first, SetOrigin("own", "english", "parallel"))
    results = findings_of(gathered([judged("own", twins(4), right), side], [own, english]))
    assert [findings.english for findings in results] == [None, None]


def test_a_side_that_was_judged_in_another_way_is_not_compared() -> None:
    origin = SetOrigin("few", "english", "parallel")
    assert [
        findings.english for findings in findings_on([translated("few", ITEMS), scored("side", ITEMS, origin)])
    ] == [
        None,
        None,
    ]
