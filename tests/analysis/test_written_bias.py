"""The bias of what was written, where some outputs show no value."""

from __future__ import annotations

import numpy as np
import pytest

from referee.analysis.bias.bias import Bias, biases
from referee.analysis.bias.decisions import Decision
from referee.analysis.written_bias import written_biases

VALUES = ("formal", "informal")


def written_bias(cases: list[Decision]) -> Bias | None:
    return next(iter(written_biases(cases)), None)


def decisions(*counts: tuple[int, int | None, int]) -> list[Decision]:
    """So many outputs for an expected and a written value, each a group of its own."""
    cases = [case for gold, choice, count in counts for case in [(gold, choice)] * count]
    return [Decision("formality", VALUES, gold, choice, str(n)) for n, (gold, choice) in enumerate(cases)]


def test_where_all_show_a_value_it_is_the_bias_of_choices() -> None:
    cases = decisions((0, 0, 40), (0, 1, 2), (1, 1, 40), (1, 0, 30))
    assert [written_bias(cases)] == biases(cases)


def test_a_bias_that_holds_whatever_the_others_are() -> None:
    bias = written_bias(decisions((0, 0, 95), (0, 1, 2), (0, None, 3), (1, 1, 60), (1, 0, 36), (1, None, 4)))
    assert bias is not None
    assert (bias.outcome, bias.biased_towards, bias.undecided) == ("biased", "formal", 7)
    formal, informal = bias.values
    # The rates are those of the outputs that show a value, the interval allows for the others.
    assert formal.taken == pytest.approx(36 / 96)
    assert formal.left == pytest.approx(2 / 97)
    (decided,) = biases(decisions((0, 0, 95), (0, 1, 2), (1, 1, 60), (1, 0, 36)))
    assert 0 < formal.interval[0] < decided.values[0].interval[0]
    assert formal.interval[1] > decided.values[0].interval[1]
    assert formal.p < 0.05 < informal.p


def test_a_bias_that_hidden_outputs_may_explain_is_not_claimed() -> None:
    cases = decisions((0, 0, 40), (0, 1, 20), (0, None, 40), (1, 1, 95), (1, 0, 5))
    assert biases(cases)[0].outcome == "biased"
    bias = written_bias(cases)
    assert bias is not None and (bias.outcome, bias.biased_towards) == ("biased", "informal")
    hidden = written_bias(decisions((0, 0, 40), (0, 1, 20), (0, None, 140), (1, 1, 90), (1, 0, 15)))
    assert hidden is not None and (hidden.outcome, hidden.biased_towards, hidden.more_groups) == (
        "inconclusive",
        None,
        None,
    )


def test_no_bias_takes_outputs_that_show_their_value() -> None:
    cases = [(0, 0, 450), (1, 1, 900)]
    seen = written_bias(decisions(*cases))
    hidden = written_bias(decisions(*cases, (0, None, 150)))
    assert seen is not None and hidden is not None
    assert (seen.outcome, hidden.outcome) == ("none", "inconclusive")


def test_nothing_is_known_without_a_choice() -> None:
    assert written_bias(decisions((0, None, 20), (1, None, 20))) is None
    assert written_bias([]) is None


def test_a_hidden_value_makes_no_false_alarm() -> None:
    """Unbiased, but 37% of formal outputs show no value: the rates of the others find a bias in every second set."""
    draws = np.random.default_rng(5)
    found = {"decided": 0, "all": 0}
    for _ in range(40):
        gold = (draws.random(200) > 1 / 3).astype(int)
        written = np.where(draws.random(200) < 0.3, 1 - gold, gold)
        shown = draws.random(200) < np.where(written == 0, 0.63, 0.99)
        cases = [
            Decision("formality", VALUES, int(right), int(choice) if seen else None, str(n))
            for n, (right, choice, seen) in enumerate(zip(gold, written, shown, strict=True))
        ]
        bias = written_bias(cases)
        assert bias is not None
        found["all"] += bias.outcome == "biased"
        found["decided"] += biases(cases)[0].outcome == "biased"
    assert found["decided"] > 15
    assert found["all"] <= 2


def test_features_are_corrected_for_each_other() -> None:
    counts = ((0, 0, 95), (0, 1, 2), (0, None, 3), (1, 1, 80), (1, 0, 16), (1, None, 4))
    first = decisions(*counts)
    second = [Decision("gender", ("m", "f"), case.gold, case.choice, case.group) for case in first]
    (alone,), both = written_biases(first), written_biases([*first, *second])
    assert [bias.feature for bias in both] == ["gender", "formality"]
    assert both[1].values[0].interval[0] < alone.values[0].interval[0]
    assert both[1].p == pytest.approx(2 * alone.p)
