"""The demo's rows and its two sentences."""

from __future__ import annotations

import pytest

from referee.reports.wording import demo
from referee.reports.wording.demo import Heuristic


def test_rows_name_the_phenomenon_first() -> None:
    assert demo.perturbed_name("possessive/maria").startswith(demo.PHENOMENA["de/gender"])
    assert demo.perturbed_name("mine") == f"{demo.PHENOMENA['de/gender']}, mine"
    assert demo.generated_name("de/gender") == f"{demo.PHENOMENA['de/gender']}, generation"
    assert demo.bare_name("de/gender").endswith(", no context")
    assert demo.clause_name("first") == "  antecedent in the first clause"


def test_what_a_prior_says() -> None:
    shares = {"n": 0.783, "m": 0.217}
    assert demo.prior_words(shares, preferred=True) == "biased towards neuter (neuter 78.3%, masculine 21.7%)"
    assert demo.prior_words(shares, preferred=False, also={"f": 1.0}) == (
        "not significant (neuter 78.3%, masculine 21.7%); feminine 100.0%"
    )


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        ("loses", "loses 65.5 pp (119 items become incorrect)"),
        ("gains", "gains 65.5 pp (119 items become correct)"),
        ("not_significant", "loss not significant"),
    ],
)
def test_what_a_perturbation_does(effect: demo.Effect, words: str) -> None:
    assert demo.perturbation_words(effect, 0.655, 119) == words


def test_what_is_generated() -> None:
    assert demo.generation_words("rarely", 0.683) == "often differs from scoring (same pronoun 68.3%)"
    assert demo.generation_words("nearly_always", 1.0) == "agrees with scoring (same pronoun 100.0%)"


def test_the_sentence_on_gender() -> None:
    assert demo.gender_sentence("nearly_always", 0.994, ("possessive/maria", 0.339)) == (
        "The pocket translator gets noun gender right (99.4%) until the article disappears (33.9%)."
    )
    assert demo.gender_sentence("nearly_always", 0.994, None).endswith("with no significant loss under perturbation.")
    assert demo.gender_sentence("at_chance", 0.34, ("mine", 0.2)) == (
        "The pocket translator often gets noun gender wrong (34.0%)."
    )
    assert "until mine is applied (20.0%)" in demo.gender_sentence("mostly", 0.8, ("mine", 0.2))


def test_the_sentence_on_antecedents() -> None:
    by_gender = Heuristic("gender", ("m", 0.708), ("f", 0.198))
    assert demo.resolution_sentence("below_chance", 0.444, 0.0, by_gender) == (
        "With two candidate antecedents it does worse than picking either at random (44.4%; group score 0.0%), and its "
        "answers follow gender: 70.8% correct for masculine antecedents, 19.8% for feminine."
    )
    by_clause = Heuristic("clause", ("first", 0.9), ("second", 0.1))
    assert demo.resolution_sentence("at_chance", 0.5, None, by_clause).endswith(
        "and its answers follow clause: 90.0% correct for antecedents in the first clause, 10.0% in the second."
    )
    assert demo.resolution_sentence("mostly", 0.8, None, None) == (
        "With two candidate antecedents it mostly picks the correct one (80.0%)."
    )
