from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee import sets
from referee.items import Item
from tests.build.test_twins import FULL, OTHER, WEAK, schema
from tests.conftest import Command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two twins and a third item between others; and the same as WinoGrande would number them."""
    sets.save([OTHER, FULL, WEAK], tmp_path / "x.jsonl")
    sets.save([schema("a-1", FULL.source), OTHER, schema("a-2", WEAK.source, 1)], tmp_path / "ids.jsonl")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    return tmp_path


def made(path: Path) -> list[Item]:
    return list(sets.load(path))


def test_neighbours_become_twins(referee: Command, folder: Path) -> None:
    outcome = referee("build", "twins", "x.jsonl", "--out", "y.jsonl")
    assert (outcome.code, outcome.err) == (0, "")
    first, second = outcome.out.splitlines()
    assert first.startswith("1 pairs (by distance) written to y.jsonl (sha256 ")
    assert second == "Skipped: no similar neighbour (1)."
    items = made(folder / "y.jsonl")
    assert [(item.id, item.group) for item in items] == [("q1", "pair-0"), ("q2", "pair-0")]
    assert [item.source[item.spans[0].start : item.spans[0].end] for item in items] == ["full", "weak"]


def test_ids_where_there_are_any(referee: Command, folder: Path) -> None:
    outcome = referee("build", "twins", "ids.jsonl", "--out", "y.jsonl", "--json")
    assert json.loads(outcome.out) == {
        "file": "y.jsonl",
        "items": 2,
        "sha256": sets.load(folder / "y.jsonl").fingerprint().sha256,
        "pairs": 1,
        "by": "id",
        "left_out": {"no group and no id that ends in -1 or -2": 1},
        "triggers": {"1": 2},
    }
    assert referee("build", "twins", "ids.jsonl", "--drop", "q3", "--by", "order", "--out", "y.jsonl").code == 0
    assert [item.id for item in made(folder / "y.jsonl")] == ["a-1", "a-2"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--by", "sense"), 2, "--by: 'sense' is not a pairing rule. Choose id, distance or order"),
        (("--paper", "--by", "id"), 2, "Remove --by, --max-distance and --drop"),
        (("--max-distance", "0.5"), 2, "--max-distance needs the pairing rule distance. Add --by distance"),
        (("--drop", "q7"), 1, "no item has the id 'q7'"),
        (("--by", "distance", "--max-distance", "0"), 1, "x.jsonl: no twins found (3 items have no similar n"),
        (("--non-associative",), 1, "'q1' has no feature `associative`"),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_nothing_behind(
    referee: Command, folder: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    outcome = referee("build", "twins", "x.jsonl", *arguments, "--out", "y.jsonl")
    assert (outcome.code, outcome.out) == (code, "")
    assert message in outcome.err
    assert "Traceback" not in outcome.err
    assert not (folder / "y.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "pairs", "left_out"),
    [
        (("wsc", "--paper"), 136, {"dropped by id": 1}),
        (("wsc", "--paper", "--non-associative"), 110, {"dropped by id": 1, "associative twin": 52}),
        (("wsc-na", "--paper"), 110, {}),
        (("winogrande/dev", "--paper"), 284, {"no similar neighbour": 699}),
        (("winogrande/dev",), 284, {"no counterpart": 699}),
    ],
)
def test_the_pairs_of_the_paper(
    referee: Command,
    shared_data: Path,
    tmp_path: Path,
    arguments: tuple[str, ...],
    pairs: int,
    left_out: dict[str, int],
) -> None:
    out = tmp_path / "y.jsonl"
    outcome = referee("build", "twins", *arguments, "--data", shared_data, "--out", out, "--json")
    found = json.loads(outcome.out)
    assert (found["pairs"], found["items"], found["left_out"]) == (pairs, 2 * pairs, left_out)


@pytest.mark.parametrize(
    ("arguments", "pairs", "left_out"),
    [
        (("wsc", "--by", "order", "--drop", "wsc254"), 3, {"dropped by id": 1}),
        (("wsc", "--paper", "--non-associative"), 2, {"dropped by id": 1, "associative twin": 2}),
        (("winogrande/dev", "--paper"), 2, {"no similar neighbour": 1}),
        (("winogrande/dev",), 2, {"no counterpart": 1}),
    ],
)
def test_pairs_of_the_synthetic_sets(
    referee: Command,
    synthetic_data: Path,
    tmp_path: Path,
    arguments: tuple[str, ...],
    pairs: int,
    left_out: dict[str, int],
) -> None:
    outcome = referee("build", "twins", *arguments, "--data", synthetic_data, "--out", tmp_path / "y.jsonl", "--json")
    assert outcome.code == 0, outcome.err
    told = json.loads(outcome.out)
    assert (told["pairs"], told["items"], told["left_out"]) == (pairs, 2 * pairs, left_out)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    tiny = pytest.importorskip("tests.support.tiny_models")
    return f"mlm:{tiny.make('xlmr', tmp_path_factory.mktemp('models') / 'xlmr')}"


def test_baselines_beside_the_originals(referee: Command, folder: Path, model: str) -> None:
    assert referee("build", "twins", "x.jsonl", "--out", "y.jsonl").code == 0
    names = ("no-cands", "part-sent", "swap")
    perturbed = [argument for name in names for argument in ("--perturb", name)]
    outcome = referee("eval", model, "y.jsonl", *perturbed, "--no-cache", "--json")
    assert outcome.code == 0, outcome.err
    found = {each["suite"]: each for each in json.loads(outcome.out)["findings"]}
    assert list(found) == ["y.jsonl", *(f"y.jsonl+{name}" for name in names)]
    assert {each["group"]["groups"] for each in found.values()} == {1}
    drops = found["y.jsonl"]["attacks"]["drops"]
    assert [(drop["perturbation"], drop["pairs"], drop["unpaired"]) for drop in drops] == [(n, 2, 0) for n in names]


def test_only_words_that_a_model_knows(referee: Command, folder: Path, model: str) -> None:
    """For the tiny model "is" and "was" are single tokens, "full" and "weak" are not."""
    red = "The jug on the shelf is red, but _ {} old."
    others = [schema("r1", red.format("is")), schema("r2", red.format("was"), 1)]
    sets.save([FULL, WEAK, *others], folder / "four.jsonl")
    assert referee("build", "twins", "four.jsonl", "--out", "y.jsonl").code == 0
    assert referee("perturb", "y.jsonl", "mask-special-word", "--out", "z.jsonl").code == 0
    assert [one.source for one in made(folder / "z.jsonl")] == [
        "The jug fell off the shelf because the jug was _.",
        "The jug fell off the shelf because the shelf was _.",
        "The jug on the shelf is red, but the jug _ old.",
        "The jug on the shelf is red, but the shelf _ old.",
    ]
    outcome = referee("perturb", "y.jsonl", "mask-special-word", "--single-token", model, "--out", "w.jsonl")
    assert f"not a single token for {model} (2)" in outcome.out
    assert made(folder / "w.jsonl") == made(folder / "z.jsonl")[2:]
    judged = referee("eval", model, "z.jsonl", "--part", "mask", "--no-cache")
    assert "2 of 4 items evaluated; tied 0, truncated 0, dropped 2 not a single token" in judged.out


def test_a_model_that_fills_no_gaps_is_refused(referee: Command, folder: Path) -> None:
    scores = folder / "s.txt"
    scores.write_text("1\n" * 6)
    outcome = referee("perturb", "x.jsonl", "no-cands", "--single-token", f"scores:{scores}", "--out", "z.jsonl")
    assert (outcome.code, "is not a masked language model" in outcome.err) == (2, True)
