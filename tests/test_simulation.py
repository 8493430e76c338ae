"""A part of `benchmarks/verdicts.py`: verdicts on simulated models keep their error rates, and intervals cover.

The limits are those of docs/verdicts.md, widened by the Monte-Carlo error of so few sets. Without the methods that
hold for items in groups these rates are 40 to 100%.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from scipy.stats import binom

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "verdicts.py"
MOST_FALSE_ALARMS, LEAST_COVERAGE = 0.06, 0.93
SURE = 1e-4
"""How unlikely a count must be, at the limit, to be no accident; some hundred rates are looked at."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the quick simulation found on all verdicts but those that take long."""
    out = tmp_path_factory.mktemp("simulation") / "results.json"
    studies = ("accuracy", "independence", "artifact", "bias", "prior", "attack", "comparison", "generation")
    only = [word for study in studies for word in ("--only", study)]
    command = [sys.executable, str(SCRIPT), "--quick", "--once", "--sets", "60", "--json", str(out), *only]
    subprocess.run(command, check=True, capture_output=True, timeout=900)
    found: dict[str, Any] = msgspec.json.decode(out.read_bytes())
    return found


def test_no_word_is_said_too_often_where_it_is_untrue(simulated: dict[str, Any]) -> None:
    rates = [result for result in simulated["results"] if result["role"] == "false alarm"]
    over = [
        result for result in rates if binom.sf(result["count"] - 1, result["sets"], MOST_FALSE_ALARMS) < SURE
    ]  # fmt: skip
    assert len(rates) > 100
    assert over == []


def test_intervals_hold_the_true_value(simulated: dict[str, Any]) -> None:
    rates = [
        result for result in simulated["results"] if result["role"] == "coverage" and result["groups"] >= 10
    ]  # fmt: skip
    under = [result for result in rates if binom.cdf(result["count"], result["sets"], LEAST_COVERAGE) < SURE]
    assert len(rates) > 50
    assert under == []


@pytest.mark.parametrize(
    ("study", "event", "name", "figure"),
    [
        ("accuracy", "above", "80% correct, pairs, correlation 0.3", 90),
        ("accuracy", "above", "65% correct, sixes, independent", 64),
        ("independence", "together", "80% correct, sixes, correlation 0.3", 86),
        ("bias", "biased towards it", "bias of 30%, pairs, 80% correct, independent", 30),
        ("comparison", "better", "5% lost, 25% won, pairs, independent", 24),
    ],
)
def test_what_is_there_is_found_as_often_as_the_method_can(
    simulated: dict[str, Any], study: str, event: str, name: str, figure: float
) -> None:
    """The figures are those of the note on methods, with 20 groups."""
    (result,) = [
        result
        for result in simulated["results"]
        if (result["study"], result["event"], result["name"]) == (study, event, name)
    ]
    assert binom.cdf(result["count"], result["sets"], figure / 100) > SURE


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ("accuracy: above", "Above chance"),
        ("accuracy: inconclusive", "Inconclusive against chance"),
        ("independence: together", "errors cluster"),
        ("artifact: above", "above chance"),
        ("bias: biased", "Biased towards"),
        ("prior: biased", "Biased towards"),
        ("attack: loses", "Loses"),
        ("attack: inconclusive", "a loss of up to"),
        ("comparison: better", "is better by"),
        ("comparison: inconclusive", "ruled out"),
        ("generation: agrees", "agrees with scoring"),
    ],
)
def test_each_outcome_has_its_sentence(simulated: dict[str, Any], outcome: str, words: str) -> None:
    sentences = [
        sentence for name, seen in simulated["sentences"].items() if name.startswith(outcome) for sentence in seen
    ]
    assert any(words.lower() in sentence.lower() for sentence in sentences)
