from __future__ import annotations

from referee.analysis.comparison.pairing import Unpaired, matched, shared
from referee.items import Item, Origin
from referee.scoring.decision import contrastive, generative
from referee.verdicts import Judged, Kind, Verdict
from tests.support.items import item


def judged(suite: str, *items: Item, kind: Kind = "contrastive", dropped: str = "") -> Judged:
    """The first candidate is always best."""
    verdicts = [
        Verdict(item=each.id, kind=kind, dropped="too long")
        if each.id == dropped
        else contrastive(each.id, [1.0, 0.0, 0.0], each.gold, higher=True)
        for each in items
    ]
    return Judged(suite, kind, items, verdicts)


def names(pairs: list[tuple[Judged, Judged]]) -> list[tuple[str, str]]:
    return [(mine.suite, its.suite) for mine, its in pairs]


def test_suites_are_matched_by_name_and_kind() -> None:
    base = [judged("x", item()), judged("y", item()), judged("z", item())]
    other = [judged("z", item(id="b")), judged("x", item()), judged("y", item(), kind="generative")]
    assert names(matched(base, other)) == [("x", "x"), ("z", "z")]


def test_a_set_that_was_only_renamed_is_the_same() -> None:
    base = [judged("x.jsonl", item()), judged("y.jsonl", item(id="b"))]
    other = [judged("sets/y.jsonl", item(id="b")), judged("sets/x.jsonl", item(source="It was thirsty."))]
    assert names(matched(base, other)) == [("y.jsonl", "sets/y.jsonl")]


def test_a_set_is_matched_once() -> None:
    base = [judged("x", item()), judged("y", item())]
    assert names(matched(base, [judged("z", item())])) == [("x", "z")]


def test_items_are_paired_by_id_whatever_their_order() -> None:
    one, two, three = item(id="1"), item(id="2", gold=1), item(id="3", gold=None)
    found = shared(judged("x", one, two, three), judged("x", three, two, one))
    assert [pair.item.id for pair in found.with_gold] == ["1", "2"]
    assert [pair.right(None) for pair in found.with_gold] == [(True, True), (False, False)]
    assert [pair.item.id for pair in found.without_gold] == ["3"]
    assert found.unpaired == Unpaired()


def test_what_is_not_paired_is_counted() -> None:
    base = judged("x", *(item(id=each) for each in "abcdef"), dropped="b")
    changed = item(id="a", source="It was thirsty.")
    other = judged("x", changed, *(item(id=each) for each in "bcdxyz"), dropped="c")
    found = shared(base, other)
    assert [pair.item.id for pair in found.with_gold] == ["d"]
    assert found.unpaired == Unpaired(other_content=1, only_base=2, only_other=3, not_judged=2)


def test_other_gold_is_other_content() -> None:
    found = shared(judged("x", item(gold=0)), judged("x", item(gold=1)))
    assert (found.with_gold, found.unpaired.other_content) == ([], 1)


def test_rules_where_forms_were_looked_for() -> None:
    one = item(expected=("er",))
    base = Judged("x", "generative", [one], [generative("a", "Er.", {"paper": True, "token": False})])
    other = Judged("x", "generative", [one], [generative("a", "Es.", {"paper": False, "token": False})])
    found = shared(base, other)
    assert found.rules == ("paper", "token")
    assert [found.with_gold[0].right(rule) for rule in found.rules] == [(True, False), (False, False)]
    assert shared(judged("x", item()), judged("x", item())).rules == (None,)


def test_attacked_sets_are_known() -> None:
    attacked = item(origin=Origin("b", "p", "attack"))
    assert shared(judged("x", attacked), judged("x", attacked)).perturbed
    assert not shared(judged("x", item()), judged("x", item())).perturbed


def test_one_attacked_item_makes_an_attacked_set() -> None:
    mixed = item(), item(id="c", origin=Origin("b", "p", "attack"))
    assert shared(judged("x", *mixed), judged("x", *mixed)).perturbed


def test_only_what_both_runs_judged_by_gold_is_compared_by_it() -> None:
    by_gold = judged("x", item())
    by_choice = Judged("x", "contrastive", [item()], [contrastive("a", [1.0, 0.0, 0.0], None, higher=True)])
    for base, other in ((by_gold, by_choice), (by_choice, by_gold)):
        pairs = shared(base, other)
        assert pairs.with_gold == []
        assert [pair.item.id for pair in pairs.without_gold] == ["a"]
