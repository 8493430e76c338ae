"""Systems without scores, judged by the alternatives their translations use: from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee import sets
from referee.items import Candidate, Origin
from tests.conftest import Command, Outcome
from tests.support.items import item


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three items with gold f, one attacked, one without gold; the current folder."""
    candidates = tuple(
        Candidate(f"{word} war müde.", {"gender": gender, "pronoun": word})
        for gender, word in (("m", "Er"), ("f", "Sie"), ("n", "Es"))
    )
    items = [item(id=name, candidates=candidates, gold=1, source=f"It was tired {name}.") for name in "abc"]
    items.append(item(id="a+p", group="a", candidates=candidates, gold=1, origin=Origin("a", "p", "attack")))
    items.append(item(id="prior", candidates=candidates, gold=None))
    sets.save(items, tmp_path / "x.jsonl")
    (tmp_path / "out.de").write_text("Sie war müde.\nWaren Sie müde?\nEr sah sie.\nEr war müde.\nEs war müde.\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def findings(outcome: Outcome) -> list[dict[str, Any]]:
    assert outcome.code == 0, outcome.err
    found = json.loads(outcome.out)["findings"]
    assert isinstance(found, list)
    return found


def test_translations_are_judged_by_alternatives(folder: Path, referee: Command) -> None:
    (found,) = findings(referee("score", "x.jsonl", "--translations", "out.de", "--json"))
    assert (found["kind"], found["rule"]) == ("generative", None)
    overall = found["overall"]
    # Right, polite (no alternative), two alternatives, and the attacked one wrong.
    assert [overall[key] for key in ("items", "correct", "tied", "other")] == [4, 1, 1, 1]
    (preference,) = found["preferences"]
    assert [(value, share["count"]) for value, share in preference["shares"].items()] == [("n", 1)]
    (drop,) = found["attacks"]["drops"]
    assert (drop["perturbation"], drop["before"], drop["after"], drop["broken"]) == ("p", 1.0, 0.0, 1)


@pytest.mark.parametrize("match", [(), ("--match", "token")])
def test_tables(match: tuple[str, ...], folder: Path, referee: Command) -> None:
    outcome = referee("score", "x.jsonl", "--translations", "out.de", *match)
    assert outcome.code == 0, outcome.err
    assert outcome.out.splitlines()[1].split()[-3:] == ["ambiguous", "no", "match"]
    assert "x.jsonl: under perturbation" in outcome.out
    assert "Correct before and under every perturbation: 0 of 1 items" in outcome.out


def test_a_program_is_judged_by_its_translations(folder: Path, referee: Command) -> None:
    (found,) = findings(referee("eval", "command:sed s/.*/Sie/", "x.jsonl", "--no-cache", "--json"))
    assert (found["kind"], found["overall"]["correct"]) == ("generative", 4)


def test_both_needs_a_model_that_can_do_both(folder: Path, referee: Command) -> None:
    outcome = referee("eval", "command:cat", "x.jsonl", "--how", "both", "--no-cache", "--out", "run")
    assert outcome.code == 2
    assert "cannot score 'translate' items" in outcome.err
    assert not (folder / "run").exists()
