"""Choices without their premise or question, through all kinds of judges."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given

from referee.items import Candidate, Item, Origin, Span
from referee.perturbations import Dropped, Tally, attacked, choose
from referee.perturbations.choice_baselines import no_premise, no_question
from referee.scoring import requests
from referee.scoring.options import ScoringOptions
from referee.sets import canonical, decode, of_items, save
from tests.conftest import Command
from tests.support import tiny_models as tiny
from tests.support.items import any_item, item

NAMES = ("no-premise", "no-question")
WET = item(
    id="wet",
    task="choose",
    target_lang="en",
    source="The street is wet.",
    source_context=("I looked out.",),
    question="cause",
    candidates=(Candidate("It rained."), Candidate("It was noon.")),
    gold=0,
    group="street",
    label="cause",
    spans=(
        Span("trigger", "source", 4, 10),
        Span("trigger", "source_context", 0, 1),
        Span("trigger", "candidate", 0, 2),
    ),
)


def made(name: str, *items: Item) -> list[Item]:
    (perturbation,) = choose([name])
    return list(attacked(items, perturbation))


def test_the_premise_is_hidden() -> None:
    (found,) = made("no-premise", WET)
    assert (found.source, found.source_context, found.question) == ("", (), "cause")
    assert (found.candidates, found.gold, found.label) == (WET.candidates, 0, "cause")
    assert found.spans == (Span("trigger", "candidate", 0, 2),)


def test_the_question_is_hidden() -> None:
    (found,) = made("no-question", WET)
    assert (found.source, found.source_context, found.question) == (WET.source, WET.source_context, None)
    assert found.spans == WET.spans
    assert found.gold == 0


@pytest.mark.parametrize("name", NAMES)
def test_mirrors_stay_in_their_group(name: str) -> None:
    found = made(name, WET, item(id="alone", task="choose", question="effect"))
    assert [(each.id, each.group) for each in found] == [(f"wet+{name}", "street"), (f"alone+{name}", "alone")]
    assert [each.origin for each in found] == [Origin(original, name, "baseline") for original in ("wet", "alone")]
    assert (found[0].features, found[0].meta) == ({}, {})


@pytest.mark.parametrize(
    ("name", "changes", "reason"),
    [
        ("no-premise", {"task": "translate"}, "is not a 'choose' item"),
        ("no-question", {"task": "translate"}, "is not a 'choose' item"),
        ("no-premise", {"source": "", "spans": (), "origin": Origin("x", "y", "baseline")}, "has no premise"),
        ("no-question", {"question": None}, "has no question"),
        ("no-question", {"question": ""}, "has no question"),
    ],
)
def test_what_does_not_fit_is_left_out(name: str, changes: dict[str, object], reason: str) -> None:
    (perturbation,) = choose([name])
    tally = Tally(name)
    assert list(attacked([msgspec.structs.replace(WET, **changes)], perturbation, tally)) == []
    assert tally.dropped == {reason: 1}


def test_mirrors_are_changed_together() -> None:
    (perturbation,) = choose(["no-question"])
    tally = Tally("no-question")
    assert list(attacked([WET, msgspec.structs.replace(WET, id="b", question=None)], perturbation, tally)) == []
    assert tally.dropped == {"its twin cannot be changed": 1, "has no question": 1}


@given(any_item())
def test_any_item_is_changed_into_a_valid_one_or_dropped(one: Item) -> None:
    for apply in (no_premise, no_question):
        changed = apply(one)
        if isinstance(changed, Dropped):
            continue
        assert decode(canonical(changed), "here", None) == changed
        assert (changed.gold, changed.candidates, changed.group_id) == (one.gold, one.candidates, one.group_id)


def test_no_space_is_left_where_the_premise_was() -> None:
    (bare,) = made("no-premise", WET)
    for question in ("cause", "effect", None):
        asked = msgspec.structs.replace(bare, question=question)
        assert [text.text for text in requests.texts(asked, ScoringOptions())] == ["It rained.", "It was noon."]
    in_words = msgspec.structs.replace(bare, question="Why is it wet?")
    assert requests.texts(in_words, ScoringOptions())[0].text == "Why is it wet? It rained."


def test_a_question_in_words_begins_with_itself() -> None:
    (bare,), (open_,) = made("no-premise", WET), made("no-question", WET)
    assert requests.question(bare, ScoringOptions()).text == "What was the cause?"
    assert requests.question(open_, ScoringOptions()).text == "The street is wet.\nWhich is right?"


@pytest.mark.parametrize(("kind", "name"), [("mlm", "xlmr"), ("causal", "gpt2")])
def test_models_judge_what_is_left(kind: str, name: str, tmp_path: Path, referee: Command) -> None:
    model = tiny.make(name, tmp_path / name)
    items = [
        msgspec.structs.replace(WET, id=str(number), group=None, question=question, gold=number % 2)
        for number, question in enumerate(["cause", "effect"] * 3)
    ]
    path = tmp_path / "wet.jsonl"
    save(of_items("wet", items), path)
    options = [argument for each in NAMES for argument in ("--perturb", each)]
    done = referee("eval", f"{kind}:{model}", path, *options, "--no-cache", "--json")
    assert done.code == 0, done.err
    found = {each["suite"].rpartition("+")[2]: each for each in json.loads(done.out)["findings"]}
    assert [each["overall"]["items"] for each in found.values()] == [6, 6, 6]
    # Without a premise all six are the same pair of sentences, so one alternative is taken throughout.
    assert found["no-premise"]["overall"]["accuracy"] == 0.5


def test_they_are_listed(referee: Command) -> None:
    for name in NAMES:
        done = referee("list", "perturbations", name)
        assert done.code == 0
        assert "baseline" in done.out
