"""Charts of what stands behind an accuracy."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from referee.analysis.bias.decisions import ChoiceRate
from referee.reports.charts import choice_rates, perturbation_effects, trigger_salience
from tests.support.pictures import near, picture
from tests.support.planted import attacked, findings_from, judged, labelled, paired, salient

TWINS = [(True, False)] * 6 + [(True, True)] * 2
"""Who is asked for the first noun is right, who is asked for the second in two of eight."""


def leaning(feature: str, value: str) -> ChoiceRate:
    (own,) = [
        each for one in paired(TWINS).tendencies if one.feature == feature for each in one.values if each.value == value
    ]
    return own


def test_bars_of_what_was_chosen_and_lines_where_it_is_right() -> None:
    chart = choice_rates({"run": paired(TWINS)})
    seen = picture(chart)
    # Values by name: f, m; first, second.
    assert seen.bars("c1") == near([12.5, 87.5, 87.5, 12.5])
    assert seen.uprights("ink") == near([50] * 4)
    assert [words for words in seen.words if words in ("gender", "feminine", "masculine", "position")] == [
        "gender", "feminine", "masculine", "position",
    ]  # fmt: skip
    assert [words for words in seen.words if words[0] in "+-"] == ["-37.5", "+37.5", "+37.5", "-37.5"]
    low, high = leaning("gender", "m").interval
    # What is beyond the scale stays at its end.
    assert seen.spans("ink")[1] == near([50 + 100 * low, min(100, 50 + 100 * high)])
    assert chart is not None
    assert chart.title == "suite: chosen and correct values"
    assert "Largest excess: masculine, +37.5 pp." in chart.about


def test_three_genders_need_half_of_the_scale() -> None:
    assert "100" in picture(choice_rates({"run": findings_from(judged("a", 30, 30))})).words
    balanced = [case for gold in range(3) for case in judged(str(gold), 30, 30, gold=gold)]
    half = picture(choice_rates({"run": findings_from(balanced)}))
    assert "100" not in half.words
    end = max(x for _, corners in half.shapes for x, _ in corners)
    assert half.value(end, "0", "50") == pytest.approx(100 / 3, abs=0.02)


def test_no_excess_is_not_the_largest() -> None:
    balanced = [case for gold in range(3) for case in judged(str(gold), 30, 30, gold=gold)]
    chart = choice_rates({"run": findings_from(balanced)})
    assert chart is not None
    assert "excess" not in chart.about


def test_nothing_to_lean_to_no_chart() -> None:
    assert choice_rates({}) is None
    assert choice_rates({"run": findings_from([])}) is None


def test_attacks_from_the_worst_on_and_baselines_apart() -> None:
    own = attacked(16, {"swap": 18, "phrase/he-said": 4, "no-cands": 8, "part-sent/words": 6, "no-premise": 7})
    chart = perturbation_effects({"run": own})
    seen = picture(chart)
    apart = "baselines (evidence removed)"
    rows = ["phrase/he-said", "swap", apart, "part-sent/words", "no-premise", "no-cands"]
    assert [words for words in seen.words if words in rows] == rows
    assert seen.dots("bad") == near([20])
    assert seen.dots("accent") == near([30, 35, 40])
    assert seen.dots("ring bad") == near([80])
    assert [words for words in seen.words if words[0] in "+-"] == ["-60.0", "+10.0", "-50.0", "-45.0", "-40.0"]
    assert own.attacks is not None
    (drop,) = [each for each in own.attacks.drops if each.perturbation == "phrase/he-said"]
    assert seen.spans("bad") == [near([max(0, 80 + 100 * end) for end in drop.interval])]
    assert seen.spans("line")[0] == near([80, 20])
    assert chart is not None
    assert "Worst perturbation: phrase/he-said, -60.0 pp." in chart.about


def test_a_change_that_may_be_chance_has_no_colour() -> None:
    assert picture(perturbation_effects({"run": attacked(10, {"swap": 10})})).dots("soft") == near([50])
    assert picture(perturbation_effects({"run": attacked(4, {"swap": 18})})).dots("good") == near([90])


def test_attacks_on_several_runs() -> None:
    results = {"one": attacked(16, {"swap": 10}), "two": attacked(12, {"swap": 2, "no-cands": 6})}
    chart = perturbation_effects(results)
    seen = picture(chart)
    assert seen.dots("c1") == near([50])
    assert seen.dots("c2") == near([10, 30])
    assert seen.dots("ring c2") == near([60, 60])
    assert chart is not None
    assert "Worst perturbation: swap, -40.0 pp on average." in chart.about


def test_no_attack_no_chart() -> None:
    assert perturbation_effects({}) is None
    assert perturbation_effects({"run": labelled({"a": (3, 1)})}) is None


def test_trigger_words_against_the_others() -> None:
    values = [(0.1 * number, [0.0, 0.01 * number]) for number in range(11)]
    chart = trigger_salience({"run": salient(values)})
    seen = picture(chart)
    triggers, others = np.arange(11) * 0.1, np.array([each for _, own in values for each in own])
    dots = [seen.value(x, "0", "1") for fill, x, y in seen.symbols if fill == "ink" and y > seen.position("0")[1]]
    assert dots == near([triggers.mean(), others.mean()])
    # The middle nine tenths, and the middle half, of both.
    spans = [seen.value(x, "0", "1") for colour, ends in seen.strokes if colour == "c1" for x, _ in ends]
    assert sorted(spans) == near(np.quantile(triggers, [0.05, 0.25, 0.75, 0.95]).tolist())
    assert {"11", "22", "trigger words", "other words"} <= set(seen.words)
    assert chart is not None
    assert "Means: run: trigger words 0.500, other words 0.025." in chart.about


def test_words_that_are_not_compared_do_not_count() -> None:
    (one,) = salient([(0.5, [0.1, 0.9])])
    weights = (*one.weights[:2], msgspec.structs.replace(one.weights[2], compared=False))
    chart = trigger_salience({"run": [msgspec.structs.replace(one, weights=weights)]})
    assert chart is not None
    assert "trigger words 0.500, other words 0.100" in chart.about


def test_salience_of_several_runs() -> None:
    seen = picture(trigger_salience({"one": salient([(0.5, [0.1])]), "two": salient([(-0.5, [0.0])])}))
    assert {"one", "two", "-0.5", "0.5"} <= set(seen.words)
    assert "-0" not in seen.words


def test_no_triggers_no_chart() -> None:
    assert trigger_salience({}) is None
    assert trigger_salience({"run": []}) is None
    assert trigger_salience({"run": salient([(0.5, [])])}) is None


@pytest.mark.parametrize("name", ["swap", "an attack with a name so long that it stands above its row"])
def test_no_line_goes_through_a_name(name: str) -> None:
    seen = picture(perturbation_effects({"run": attacked(16, {name: 4, "phrase/he-said": 6, "no-cands": 8})}))
    above = ["baselines (evidence removed)", *([name, "no-cands"] if len(name) > 20 else [])]
    upright = [(ends[0][1], ends[-1][1]) for _, ends in seen.strokes if ends[0][0] == ends[-1][0]]
    assert upright
    for words in above:
        # A line may end where letters with a descender do.
        _, base = seen.position(words)
        assert not [ends for ends in upright if min(ends) < base - 2 and max(ends) > base - 8]
