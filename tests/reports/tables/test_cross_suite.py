"""Tables of preferences, attacks and agreement."""

from __future__ import annotations

import msgspec

from referee.analysis.accuracy import Findings
from referee.analysis.bias.preferences import ORDERS, Preference
from referee.analysis.generation_agreement import Agreement
from referee.analysis.robustness import AttackEffect, Attacks
from referee.reports.tables.accuracy import tables
from referee.reports.tables.cross_suite import agreement_table, attack_tables, preference_tables
from tests.reports.tables.test_accuracy import contrastive, generative, row, shared


def drop(name: str, difference: float, p: float) -> AttackEffect:
    return AttackEffect(
        perturbation=name,
        kind="attack",
        suite=f"s+{name}",
        pairs=40,
        groups=20,
        unpaired=1,
        before=0.75,
        after=0.75 + difference,
        difference=difference,
        interval=(difference - 0.1, difference + 0.1),
        broken=9,
        gained=2,
        broken_share=None,
        p=p,
    )


ATTACKS = Attacks([drop("he-said", -0.175, 0.065), drop("possessive", 0.025, 1e-9)], 40, shared(20, 40))
AGREEMENT = Agreement(
    items=8, same=shared(6), kappa=0.5, both_right=4, only_scores=1, only_translations=2, both_wrong=1
)


def test_pairs_of_both_orders_are_told_from_items() -> None:
    preferences = [
        Preference("x", "position", 8, {"first": shared(8)}),
        Preference("x", ORDERS, 4, {"same antecedent": shared(4, 4)}),
    ]
    (table,) = preference_tables("s", preferences)
    assert table.title == "s: choices without a correct answer (8 items)"
    assert [cells[:4] for cells in table.rows] == [
        ("position", "first", "8", "100.0"),
        ("both orders (4 pairs)", "same antecedent", "4", "100.0"),
    ]


def test_a_table_for_every_label_where_there_are_several() -> None:
    preferences = [Preference(label, "gender", 8, {"m": shared(8)}) for label in ("x", "y")]
    assert [table.title.partition(":")[0] for table in preference_tables("s", preferences)] == ["s, x", "s, y"]


def test_attacks() -> None:
    (table,) = attack_tables("s", ATTACKS)
    assert table.title == "s: under perturbation"
    assert list(table.rows) == [
        ("he-said", "40", "75.0", "57.5", "-17.5", "-27.5 to -7.5", "0.0650", "9", "2"),
        ("possessive", "40", "75.0", "77.5", "+2.5", "-7.5 to +12.5", "<0.0001", "9", "2"),
    ]
    assert table.note == (
        "Correct before and under every perturbation: 20 of 40 items, 50.0% (95% CI 10.0–70.0). Not paired: 2."
    )


def test_every_perturbation_is_listed_under_its_kind() -> None:
    baseline, probe = (
        msgspec.structs.replace(drop(name, -0.2, 0.01), kind=kind)
        for name, kind in (("no-cands", "baseline"), ("mask-special-word", "probe"))
    )
    tables_ = attack_tables("s", msgspec.structs.replace(ATTACKS, drops=[baseline, *ATTACKS.drops, probe]))
    assert [(table.title, table.columns[0], [row[0] for row in table.rows]) for table in tables_] == [
        ("s: under perturbation", "perturbation", ["he-said", "possessive"]),
        ("s: baselines (evidence removed)", "baseline", ["no-cands"]),
        ("s: probes (another question)", "probe", ["mask-special-word"]),
    ]
    assert [table.note for table in tables_[1:]] == ["Not paired: 1."] * 2
    (alone,) = attack_tables("s", Attacks([baseline], 0, None))
    assert (alone.title, alone.note) == ("s: baselines (evidence removed)", "Not paired: 1.")


def test_attacks_come_after_the_accuracy_they_are_about() -> None:
    found = [msgspec.structs.replace(contrastive(), attacks=ATTACKS), contrastive("s+he-said")]
    assert [table.title for table in tables(found)] == ["s", "s: under perturbation", "s+he-said"]


def test_attacks_are_told_apart_by_rule() -> None:
    found = [msgspec.structs.replace(generative(rule, 4), attacks=ATTACKS) for rule in ("paper", "token")]
    assert [table.title for table in tables(found)][1:] == [
        "s (rule paper): under perturbation",
        "s (rule token): under perturbation",
    ]


def by_candidates() -> Findings:
    overall = msgspec.structs.replace(row("all", 8, 4, 1), other=2)
    return msgspec.structs.replace(generative("paper", 4), rule=None, overall=overall, by={})


def test_outputs_matched_by_candidates() -> None:
    (table,) = tables([by_candidates()])
    assert table.columns == ("", "items", "accuracy %", "95% CI", "ambiguous", "no match")
    assert table.rows[0][-2:] == ("1", "2")
    assert table.note == ("Decided by the candidate whose words are in the output; ambiguous and no match are errors.")


def test_scores_and_translations_stand_apart_and_are_compared() -> None:
    found = [contrastive(), msgspec.structs.replace(by_candidates(), agreement=AGREEMENT)]
    shown = tables(found)
    assert [table.title for table in shown] == ["s (scores)", "s (generation)", "s: scores and generation"]
    assert list(shown[2].rows) == [
        ("same choice", "6", "75.0"),
        ("both correct", "4", "50.0"),
        ("only scores", "1", "12.5"),
        ("only generation", "2", "25.0"),
        ("both incorrect", "1", "12.5"),
    ]
    assert shown[2].note == "Same choice: 95% CI 10.0–70.0%. Cohen's kappa 0.500."
    without_gold = msgspec.structs.replace(AGREEMENT, both_right=0, only_scores=0, only_translations=0, both_wrong=0)
    assert [cells[0] for cells in agreement_table("s", without_gold).rows] == ["same choice"]
    same = msgspec.structs.replace(AGREEMENT, kappa=None)
    assert agreement_table("s", same).note.endswith("kappa cannot be computed: both always choose the same.")
