"""Findings on the sets of a run: each set alone, and what two sets show together."""

from __future__ import annotations

from collections.abc import Sequence

from referee.analysis.findings import Needs, findings_on, gather
from referee.items import Item, SetOrigin
from referee.scoring.decision import chosen, contrastive
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
