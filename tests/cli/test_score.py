"""`referee score`: files of scores and of translations."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scipy.stats import binomtest

from referee import sets
from tests.conftest import Command
from tests.support.commands import answer, overall
from tests.support.items import item


def test_scores(folder: Path, referee: Command) -> None:
    outcome = referee("score", "x.jsonl", "--scores", "scores")
    assert outcome.code == 0
    assert outcome.err == "To keep the verdict on every item, use `referee eval MODEL SUITE --out FOLDER`.\n"
    lines = outcome.out.splitlines()
    assert lines[:2] == ["x.jsonl", "                        items  accuracy %     95% CI  ties"]
    # One group is correct and one is not: one of two, for items as for groups.
    exact = binomtest(1, 2).proportion_ci(0.95, "exact")
    bounds = f"{100 * exact.low:.1f}–{100 * exact.high:.1f}"
    assert lines[2].split() == ["all", "items", "4", "50.0", bounds, "1"]
    assert lines[3].split() == ["group", "score", "(2", "groups)", "50.0", bounds]
    assert [line.split()[:3] for line in lines if line.startswith("label")] == [
        ["label:", "[red]", "2"],
        ["label:", "x", "2"],
    ]
    # The feminine is correct in two of four, but in no group always; a guess is, in one of three.
    assert (
        "Chance level 50.0%, always feminine, of the group score 33.3% (11.1% guessing each item by itself). "
        "Ties count as errors."
    ) in lines
    assert lines[-2] == "4 of 4 items evaluated; tied 1, truncated 0, dropped 0"
    assert lines[-1].startswith("signature: x.jsonl#")
    assert sorted(path.name for path in folder.iterdir()) == ["out.de", "scores", "x.jsonl"]


def test_lower_is_better(folder: Path, referee: Command) -> None:
    assert overall(referee("score", "x.jsonl", "--scores", "scores", "--json")) == [(None, 4, 2)]
    lower = referee("score", "x.jsonl", "--scores", "scores", "--lower-is-better", "--json")
    assert overall(lower) == [(None, 4, 0)]
    assert answer(lower)["run"]["inputs"]["settings"] == {"better": "lower"}
    score, margin = answer(lower)["findings"][0]["candidate_scores"]
    assert (score["lower_is_better"], score["groups"]) == (True, 2)
    assert score["score"] >= score["mean"]
    assert margin["score"] < 0
    assert overall(referee("eval", "scores:scores,better=lower", "x.jsonl", "--json")) == [(None, 4, 0)]


@pytest.mark.parametrize("name", ["a,lr=1.scores", "a,better=lower", "a b", "a:b", "a=b", "-scores"])
def test_a_file_may_have_any_name(name: str, folder: Path, referee: Command) -> None:
    (folder / "scores").rename(folder / name)
    assert overall(referee("score", "x.jsonl", f"--scores={name}", "--json")) == [(None, 4, 2)]
    (folder / "out.de").rename(folder / name)
    assert overall(referee("score", "x.jsonl", f"--translations={name}", "--json"))[0] == ("paper", 4, 3)


def test_translations_by_both_rules(folder: Path, referee: Command) -> None:
    outcome = referee("score", "x.jsonl", "--translations", "out.de")
    assert outcome.code == 0
    assert re.split(" {2,}", outcome.out.splitlines()[1])[-4:] == [
        "accuracy % (paper)",
        "95% CI",
        "accuracy % (token)",
        "95% CI",
    ]
    both = referee("score", "x.jsonl", "--translations", "out.de", "--json")
    assert overall(both) == [("paper", 4, 3), ("token", 4, 2)]


@pytest.mark.parametrize(("rule", "correct"), [("paper", 3), ("token", 2)])
def test_match(rule: str, correct: int, folder: Path, referee: Command) -> None:
    outcome = referee("score", "x.jsonl", "--translations", "out.de", "--match", rule, "--json")
    assert overall(outcome) == [(rule, 4, correct)]
    shown = referee("score", "x.jsonl", "--translations", "out.de", "--match", rule).out
    assert [name for name in ("paper", "token") if f"accuracy % ({name})" in shown] == [rule]


def test_by(folder: Path, referee: Command) -> None:
    (found,) = answer(referee("score", "x.jsonl", "--scores", "scores", "--json"))["findings"]
    assert list(found["by"]) == ["label", "gender"]
    asked = referee("score", "x.jsonl", "--scores", "scores", "--by", "case", "--by", "gender", "--json")
    (found,) = answer(asked)["findings"]
    assert list(found["by"]) == ["case", "gender"]
    assert [(row["key"], row["items"], row["correct"]) for row in found["by"]["case"]] == [("acc", 2, 1), ("nom", 2, 1)]
    assert "case: nom" in referee("score", "x.jsonl", "--scores", "scores", "--by", "case").out


def test_by_what_no_item_has(folder: Path, referee: Command) -> None:
    outcome = referee("score", "x.jsonl", "--scores", "scores", "--by", "nothing", "--by", "label")
    assert (outcome.code, "label: x" in outcome.out) == (0, True)
    assert "no item has 'nothing'" in outcome.err
    assert "no item has 'label'" not in outcome.err


def test_items_without_gold_give_preferences(folder: Path, referee: Command) -> None:
    sets.save([item(id=name, gold=None) for name in "abcd"], folder / "x.jsonl")
    outcome = referee("score", "x.jsonl", "--scores", "scores")
    assert "x.jsonl: choices without a correct answer (4 items)" in outcome.out
    (found,) = answer(referee("score", "x.jsonl", "--scores", "scores", "--json"))["findings"]
    (gender,) = found["preferences"]
    assert (found["overall"], gender["feature"], gender["items"]) == (None, "gender", 4)
    assert {value: share["count"] for value, share in gender["shares"].items()} == {"m": 2, "f": 1, "tied": 1}
