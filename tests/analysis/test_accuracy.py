"""Findings worked out by hand."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from referee.analysis.accuracy import Findings, GroupScore, Row, dimension_of, findings
from referee.analysis.chance_level import ChanceLevel
from referee.items import Candidate, Item
from referee.scoring.decision import contrastive, generative
from referee.stats.worst_group import clopper_pearson, mean_interval
from referee.verdicts import Rule, Verdict
from tests.support.items import item

M, F, N = 0, 1, 2
"""The candidates of `item()` by gender."""

Judged = list[tuple[Item, Verdict]]


def scored(number: int, gold: int | None, best: int, tied: bool = False, **changes: object) -> tuple[Item, Verdict]:
    """An item whose candidate `best` got the best score, shared with another where `tied`."""
    made = item(id=f"i{number}", gold=gold, **changes)
    scores = [1.0 if place == best or (tied and place == (best + 1) % 3) else 0.0 for place in range(3)]
    return made, contrastive(made.id, scores, gold, higher=True)


JUDGED: Judged = [
    scored(1, M, best=M, group="g1", label="x", distance=0, features={"case": "acc"}),
    scored(2, F, best=M, group="g1", label="x", distance=10, features={"case": "dat"}),
    scored(3, M, best=M, group="g2", label="y", distance=2, features={"case": "acc"}),
    scored(4, N, best=N, group="g2", label="y"),
    scored(5, N, best=N, tied=True, group="g3", label="y", distance=2),
    scored(6, F, best=F, label=None, distance=10),
]


def only(found: list[Findings]) -> Findings:
    assert len(found) == 1
    return found[0]


def preferred(found: Findings) -> dict[str, dict[str, int]]:
    return {each.feature: {value: share.count for value, share in each.shares.items()} for each in found.preferences}


def figures(rows: list[Row]) -> list[tuple[str, int, int, int]]:
    return [(row.key, row.items, row.correct, row.tied) for row in rows]


def test_overall() -> None:
    found = only(findings("s", JUDGED))
    assert (found.suite, found.kind, found.rule, found.without_gold, found.preferences) == (
        "s",
        "contrastive",
        None,
        0,
        [],
    )
    assert found.overall is not None
    assert figures([found.overall]) == [("all", 6, 4, 1)]
    assert found.overall.accuracy == 4 / 6
    assert found.overall.groups == 4
    # Groups g1 (1 of 2), g2 (2 of 2), g3 (0 of 1, the tie) and the item that stands alone.
    assert found.overall.interval == mean_interval(np.array([1.0, 2, 0, 1]), np.array([2.0, 2, 1, 1]))


def test_breakdowns() -> None:
    found = only(findings("s", JUDGED))
    assert list(found.by) == ["label", "gender", "distance", "paired"]
    assert figures(found.by["label"]) == [("x", 2, 1, 0), ("y", 3, 2, 1)]
    assert figures(found.by["gender"]) == [("f", 2, 1, 0), ("m", 2, 2, 0), ("n", 2, 1, 1)]
    # In the order of the numbers, not of their digits; the item without a distance is left out.
    assert figures(found.by["distance"]) == [("0", 1, 1, 0), ("2", 2, 1, 1), ("10", 2, 1, 0)]
    y = found.by["label"][1]
    assert (y.accuracy, y.groups) == (2 / 3, 2)
    assert y.interval == mean_interval(np.array([2.0, 0]), np.array([2.0, 1]))


def test_breakdown_by_any_feature() -> None:
    found = only(findings("s", JUDGED, dimensions=("case", "nothing")))
    assert list(found.by) == ["case", "paired"]
    assert figures(found.by["case"]) == [("acc", 2, 2, 0), ("dat", 1, 0, 0)]


def test_what_an_item_is_called() -> None:
    named = item(label="l", distance=3, features={"gender": "of the item", "case": "acc"}, gold=F)
    assert [dimension_of(named, name) for name in ("label", "distance", "candidates", "gender", "case", "x")] == [
        "l", "3", "3", "f", "acc", None,
    ]  # fmt: skip
    without_gold = item(features={"gender": "of the item"}, gold=None)
    assert dimension_of(without_gold, "gender") == "of the item"
    assert [dimension_of(without_gold, name) for name in ("label", "distance")] == [None, None]


def test_pronouns_are_the_same_wherever_they_stand() -> None:
    """Table 13 of ContraCAT: accuracy by the pronoun that is right."""
    made = [
        (Candidate("Er kam.", {"pronoun": "Er"}), Candidate("Sie kam.", {"pronoun": "Sie"})),
        (Candidate("Da kam er.", {"pronoun": "er"}), Candidate("Da kam sie.", {"pronoun": "sie"})),
    ]
    judged = [
        (own, contrastive(own.id, [1.0, 0.0], own.gold, higher=True))
        for number, candidates in enumerate(made)
        for gold in (0, 1)
        for own in [item(id=f"{number}{gold}", candidates=candidates, gold=gold)]
    ]
    found = only(findings("s", judged, dimensions=("pronoun",)))
    assert figures(found.by["pronoun"]) == [("er", 2, 2, 0), ("sie", 2, 0, 0)]


def test_clauses_are_shown_without_asking() -> None:
    judged = [scored(number, M, best, features={"clause": clause}) for number, (best, clause) in enumerate(
        [(M, "first"), (M, "first"), (F, "second")]
    )]  # fmt: skip
    assert figures(only(findings("s", judged)).by["clause"]) == [("first", 2, 2, 0), ("second", 1, 0, 0)]


def test_groups() -> None:
    found = only(findings("s", JUDGED)).group
    assert found is not None
    # g1 has an incorrect member, g2 none; g3 and the last item stand alone and do not count.
    assert (found.groups, found.score, found.singles) == (2, 0.5, 2)
    assert found.interval == clopper_pearson(1, 2)
    # A guess that is the same for the whole group is correct in a third, one for each item in a ninth.
    assert (found.chance, found.independent_chance) == pytest.approx((1 / 3, 1 / 9))
    assert found.against is not None
    assert found.against.standing == "inconclusive"


def test_no_group_score_where_every_item_stands_alone() -> None:
    assert only(findings("s", [JUDGED[0], JUDGED[2], JUDGED[5]])).group is None


def test_chance() -> None:
    found = only(findings("s", JUDGED))
    assert found.chance == ChanceLevel(1 / 3, "guess")
    assert found.against is not None
    assert found.against.standing == "inconclusive"
    two = item(id="two", candidates=(Candidate("a"), Candidate("b")), gold=0)
    mixed = [JUDGED[0], (two, contrastive("two", [1.0, 0.0], 0, higher=True))]
    # The first item has a masculine answer, the other none: always masculine, else a guess.
    assert only(findings("s", mixed)).chance == ChanceLevel((1 + 1 / 2) / 2, "heuristic", "gender", "m")


def test_a_model_that_never_decides_is_not_compared_with_chance() -> None:
    found = only(findings("s", [scored(number, M, best=M, tied=True) for number in range(40)]))
    assert found.overall is not None
    assert (found.overall.accuracy, found.overall.tied) == (0.0, 40)
    assert found.against is None


def test_a_tie_is_wrong_and_counted() -> None:
    found = only(findings("s", [scored(1, M, best=M, tied=True), scored(2, M, best=M)]))
    assert found.overall is not None
    assert figures([found.overall]) == [("all", 2, 1, 1)]


def test_without_gold_there_are_preferences_instead() -> None:
    judged = [scored(number, None, best, label="x") for number, best in enumerate([M, F, F, F])]
    judged.append(scored(9, None, best=N, tied=True, label="x"))
    found = only(findings("s", judged))
    assert (found.overall, found.by, found.group, found.chance) == (None, {}, None, None)
    assert found.without_gold == 5
    assert preferred(found) == {"gender": {"m": 1, "f": 3, "tied": 1}}


def test_gold_and_no_gold_in_one_set_are_kept_apart() -> None:
    found = only(findings("s", [*JUDGED, scored(7, None, best=F, group="g1", label="x")]))
    assert found.overall is not None
    assert (found.overall.items, found.overall.correct, found.without_gold) == (6, 4, 1)
    assert preferred(found) == {"gender": {"f": 1}}
    assert figures(found.by["label"])[0] == ("x", 2, 1, 0)


def test_dropped_items_are_left_out() -> None:
    bare = item(id="bare", candidates=(), gold=None, label="x", group="g2")
    dropped = Verdict(item="bare", kind="contrastive", dropped="no candidates")
    assert findings("s", [*JUDGED, (bare, dropped)]) == findings("s", JUDGED)
    found = only(findings("s", [(bare, dropped)]))
    assert (found.overall, found.without_gold, found.preferences) == (None, 0, [])


def test_a_group_that_lost_a_member_has_no_group_score() -> None:
    """Two of three members are correct and the third was too long: nobody knows whether all would be correct."""
    items = [item(id=f"{group}{number}", group=group) for group in ("whole", "torn") for number in range(3)]
    right = [(one, contrastive(one.id, (1.0, 0.0, 0.0), 0, higher=True)) for one in items]
    lost = Verdict(item="torn2", kind="contrastive", dropped="too long")
    found = only(findings("s", [*right[:5], (items[5], lost)]))
    assert found.overall is not None
    assert (found.overall.items, found.overall.accuracy) == (5, 1.0)
    assert found.group is not None
    assert (found.group.groups, found.group.singles) == (1, 0)
    assert (found.incomplete, found.incomplete_groups) == (1, ["torn"])
    pairs = [right[0], (items[1], msgspec.structs.replace(lost, item="whole1"))]
    alone = only(findings("s", [pairs[0], pairs[1]]))
    assert alone.group is None
    assert (alone.incomplete, alone.incomplete_groups) == (1, ["whole"])
    single = item(id="single", group="single")
    dropped = msgspec.structs.replace(lost, item="single")
    assert only(findings("s", [*right, (single, dropped)])).incomplete == 0


def test_a_member_that_is_not_applicable_is_lost_too() -> None:
    items = [item(id=f"i{number}", group="g") for number in range(3)]
    verdicts = [Verdict(item=one.id, kind="generative", correct=True, choice=0, means="pronoun") for one in items]
    verdicts[2] = Verdict(item="i2", kind="generative", means="none")
    found = only(findings("s", zip(items, verdicts, strict=True)))
    assert (found.group, found.incomplete_groups, found.not_applicable) == (None, ["g"], 1)


def output(number: int, paper: bool, token: bool, **changes: object) -> tuple[Item, Verdict]:
    made = item(id=f"i{number}", expected=("er",), **changes)
    return made, generative(made.id, "...", {"paper": paper, "token": token})


OUTPUTS: Judged = [
    output(1, paper=True, token=True, label="x", group="g"),
    output(2, paper=False, token=True, label="x", group="g"),
    output(3, paper=False, token=False, label="y"),
    output(4, paper=True, token=False, label="y"),
    output(5, paper=False, token=True, label="y"),
]


def test_both_rules_side_by_side() -> None:
    paper, token = findings("s", OUTPUTS, ("paper", "token"))
    # The items are always masculine: whoever writes that is always correct.
    always = ChanceLevel(1.0, "heuristic", "gender", "m")
    assert [(each.kind, each.rule, each.chance) for each in (paper, token)] == [
        ("generative", "paper", always),
        ("generative", "token", always),
    ]
    assert paper.overall is not None
    assert token.overall is not None
    assert figures([paper.overall, token.overall]) == [("all", 5, 2, 0), ("all", 5, 3, 0)]
    assert figures(paper.by["label"]) == [("x", 2, 1, 0), ("y", 3, 1, 0)]
    assert figures(token.by["label"]) == [("x", 2, 2, 0), ("y", 3, 1, 0)]
    assert isinstance(paper.group, GroupScore)
    assert isinstance(token.group, GroupScore)
    assert (paper.group.score, token.group.score) == (0, 1)
    assert (paper.group.groups, paper.group.singles) == (1, 3)


@pytest.mark.parametrize("rule", ["paper", "token"])
def test_one_rule_is_the_same_as_in_company(rule: Rule) -> None:
    both = {each.rule: each for each in findings("s", OUTPUTS, ("paper", "token"))}
    assert findings("s", OUTPUTS, (rule,)) == [both[rule]]


def test_dropped_outputs_are_left_out() -> None:
    dropped = Verdict(item="d", kind="generative", dropped="no expected form")
    rules: tuple[Rule, ...] = ("paper", "token")
    assert findings("s", [*OUTPUTS, (item(id="d"), dropped)], rules) == findings("s", OUTPUTS, rules)


def translated(
    number: int, choice: int | None, *, used: bool | None = None, several: bool = False
) -> tuple[Item, Verdict]:
    """An item whose alternative M is right, and a translation that used `choice`."""
    made = item(id=f"i{number}")
    verdict = Verdict(
        item=made.id,
        kind="generative",
        correct=choice == M,
        choice=choice,
        tied=several,
        output="...",
        antecedent=used,
    )
    return made, verdict


def test_translations_by_alternatives_have_no_rule() -> None:
    judged = [translated(1, M), translated(2, F), translated(3, None), translated(4, None, several=True)]
    found = only(findings("s", judged, ("paper", "token")))
    assert (found.kind, found.rule) == ("generative", None)
    assert found.chance == ChanceLevel(1.0, "heuristic", "gender", "m")
    assert found.overall is not None
    assert (found.overall.items, found.overall.correct, found.overall.tied, found.overall.other) == (4, 1, 1, 1)


def test_forms_and_alternatives_in_one_set() -> None:
    """What was decided by alternatives counts under both rules."""
    paper, token = findings("s", [OUTPUTS[1], translated(9, M), translated(8, F)], ("paper", "token"))
    assert paper.overall is not None
    assert token.overall is not None
    assert (paper.overall.correct, token.overall.correct, paper.overall.items) == (1, 2, 3)


def test_accuracy_where_the_antecedent_was_translated_as_expected() -> None:
    judged = [translated(1, M, used=True), translated(2, F, used=False), translated(3, M, used=False), translated(4, F)]
    found = only(findings("s", judged))
    assert figures(found.by["antecedent noun"]) == [("not used", 2, 1, 0), ("used", 1, 1, 0)]
    assert "antecedent noun" not in only(findings("s", JUDGED)).by


def test_preferences_of_translations_stand_once() -> None:
    made = item(gold=None)
    verdict = Verdict(item=made.id, kind="generative", choice=N, output="Es war hungrig.")
    found = only(findings("s", [(made, verdict)], ("paper", "token")))
    assert (found.rule, preferred(found)) == (None, {"gender": {"n": 1}})
