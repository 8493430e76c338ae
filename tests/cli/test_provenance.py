"""What belongs to what in a run: by the origins of sets and items, never by their names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee import sets
from referee.items import Item
from tests.conftest import Command, Install
from tests.support.commands import answer
from tests.support.items import item

MODEL = "command:sed s/.*/Er.war.da./"

PLUG_IN = """
from referee.items import Item
from referee.suites import Suite

def read(data):
    yield Item(id="a", task="translate", source_lang="en", target_lang="de", source="It fell.", expected=("er",))

SUITES = [Suite(name, "made up", (), read, "none", "CC0", needs="any") for name in ("kitchen", "kitchen+hard")]
"""


def kitchen(name: str, expected: str) -> list[Item]:
    return [
        item(
            id=f"{name}-{number}",
            source_context=("The cup was old.",),
            source=f"It broke {number}.",
            candidates=(),
            gold=None,
            expected=(expected,),
        )
        for number in range(4)
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder with a set of which a model that always writes 'er' has all, and one of which it has none."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    sets.save(kitchen("plain", "er"), tmp_path / "kitchen.jsonl")
    for name in ("kitchen+hard.jsonl", "kitchen.jsonl+hard.jsonl"):
        sets.save(kitchen("hard", "sie"), tmp_path / name)
    return tmp_path


def diagnosis(referee: Command, *arguments: str) -> tuple[list[str], dict[str, Any]]:
    """The suites of the scorecard, and the diagnosis of the first."""
    outcome = referee("eval", MODEL, *arguments, "--no-cache", "--out", "run")
    assert outcome.code == 0, outcome.err
    value = answer(referee("diagnose", "run", "--json"))
    return [line["suite"] for line in value["scorecard"]], value["suites"][0]


@pytest.mark.parametrize("hard", ["kitchen+hard.jsonl", "kitchen.jsonl+hard.jsonl"])
def test_a_file_is_no_attack_because_of_its_name(folder: Path, referee: Command, hard: str) -> None:
    suites, first = diagnosis(referee, "kitchen.jsonl", hard)
    assert suites == ["kitchen.jsonl", hard]
    assert first["robustness"] is None


def test_a_suite_is_no_attack_because_of_its_name(folder: Path, referee: Command, install: Install) -> None:
    install("kitchens", "[referee.suites]\nkitchens = kitchens:SUITES\n", PLUG_IN)
    suites, _ = diagnosis(referee, "kitchen", "kitchen+hard")
    assert suites == ["kitchen", "kitchen+hard"]


def test_an_attack_made_on_the_fly_belongs_to_its_suite(folder: Path, referee: Command) -> None:
    suites, first = diagnosis(referee, "kitchen.jsonl", "--perturb", "phrase/he-said")
    assert suites == ["kitchen.jsonl"]
    (attack,) = first["robustness"]["attacks"]
    assert (attack["drop"]["perturbation"], attack["drop"]["kind"], attack["drop"]["pairs"]) == (
        "phrase/he-said",
        "attack",
        4,
    )


@pytest.mark.parametrize("names", [("phrase/he-said",), ("phrase/he-said", "phrase/but-why")])
def test_a_file_of_attacked_items_is_known_by_its_items(folder: Path, referee: Command, names: tuple[str, ...]) -> None:
    made = referee("perturb", "kitchen.jsonl", *names, "--out", "changed.jsonl")
    assert made.code == 0, made.err
    suites, first = diagnosis(referee, "kitchen.jsonl", "changed.jsonl")
    assert suites == ["kitchen.jsonl"]
    assert [attack["drop"]["perturbation"] for attack in first["robustness"]["attacks"]] == list(names)


def test_originals_next_to_attacked_items_are_a_suite(folder: Path, referee: Command) -> None:
    assert referee("perturb", "kitchen.jsonl", "phrase/he-said", "--out", "changed.jsonl").code == 0
    mixed = [*sets.load(folder / "changed.jsonl"), *sets.load(folder / "kitchen+hard.jsonl")]
    sets.save(mixed, folder / "mixed.jsonl")
    suites, first = diagnosis(referee, "kitchen.jsonl", "mixed.jsonl")
    assert suites == ["kitchen.jsonl", "mixed.jsonl"]
    assert first["robustness"]["items"] == 4
