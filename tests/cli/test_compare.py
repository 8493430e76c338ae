from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from referee import sets
from referee.items import Item
from tests.conftest import Command, Outcome
from tests.support.commands import answer
from tests.support.items import item


def twins(count: int, **changes: Any) -> list[Item]:
    return [
        item(id=f"i{n}", group=f"g{n // 2}", label="early" if n < count / 2 else "late", gold=n % 3, **changes)
        for n in range(count)
    ]


def write_scores(path: Path, items: list[Item], rate: float, seed: int) -> None:
    """A judge that has the right one ahead so often, else the one after it."""
    draws = random.Random(seed)
    lines = []
    for each in items:
        best = ((each.gold or 0) + (draws.random() > rate)) % 3
        lines += [f"{draws.random() + (place == best):.6f}" for place in range(3)]
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, referee: Command) -> Path:
    """Three runs on 200 twins: old and same are as good, new is much better; the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    items = twins(200)
    sets.save(items, tmp_path / "x.jsonl")
    for name, rate, seed in (("old", 0.6, 1), ("new", 0.85, 2), ("same", 0.6, 3)):
        write_scores(tmp_path / f"{name}.scores", items, rate, seed)
        assert referee("eval", f"scores:{name}.scores", "x.jsonl", "--out", name).code == 0
    return tmp_path


def test_two_runs(folder: Path, referee: Command) -> None:
    outcome = referee("compare", "old", "new")
    assert outcome.code == 0
    assert outcome.err == "B against A: model differs (scores:old.scores, scores:new.scores)\n"
    lines = outcome.out.splitlines()
    assert lines[:5] == ["runs", "   run  model", "A  old  scores:old.scores", "B  new  scores:new.scores", ""]
    assert lines[5] == "B against A"
    assert lines[7].startswith("x.jsonl                 200 ")
    assert "B is better by " in lines[7]
    assert lines[8].startswith("x.jsonl: group score    100 ")
    assert lines[9].startswith("200 items (100 groups): minimum detectable difference (80% power) ")
    assert "B against A: changes" in lines
    (heading,) = [line for line in lines if "flipped items" in line]
    assert heading.startswith("B against A: 5 of ")
    assert sum(line.startswith("x.jsonl i") for line in lines) == 5


def test_equal_judges(folder: Path, referee: Command) -> None:
    found = answer(referee("compare", "old", "same", "--json"))["pairs"][0]["suites"][0]
    assert found["items"]["holm"] > 0.05
    interval = found["items"]["interval"]
    assert interval[0] < 0 < interval[1]
    over = f"differences over {100 * max(-interval[0], interval[1]):.1f} pp are ruled out"
    lines = referee("compare", "old", "same").out.splitlines()
    (line,) = [line for line in lines if line.startswith("x.jsonl   ")][:1]
    assert f"more groups): {over}; minimum detectable difference " in line
    assert "Inconclusive (needs about " in line


def test_json(folder: Path, referee: Command) -> None:
    outcome = referee("compare", "old", "new", "--json", "--by", "label")
    value = answer(outcome)
    assert [(run["name"], run["folder"], run["model"]) for run in value["runs"]] == [
        ("A", "old", "scores:old.scores"),
        ("B", "new", "scores:new.scores"),
    ]
    assert value["runs"][0]["signature"].startswith("x.jsonl#")
    (pair,) = value["pairs"]
    assert (pair["base"], pair["other"]) == ("A", "B")
    assert pair["conditions"] == ["model differs (scores:old.scores, scores:new.scores)"]
    assert (pair["all_suites"], pair["only_base"], pair["only_other"]) == ([], [], [])
    (suite,) = pair["suites"]
    assert (suite["suite"], suite["kind"], suite["rule"]) == ("x.jsonl", "contrastive", None)
    items = suite["items"]
    assert (items["items"], items["groups"], suite["groups"]["items"]) == (200, 100, 100)
    assert items["difference"] == pytest.approx(items["other"] - items["base"])
    assert len(suite["correct_to_incorrect"]) == items["only_base"]
    assert len(suite["incorrect_to_correct"]) == items["only_other"]
    assert [part["key"] for part in suite["by"]["label"]] == ["early", "late"]
    assert outcome.out == referee("compare", "old", "new", "--json", "--by", "label").out


def test_accuracies_are_those_of_the_runs(folder: Path, referee: Command) -> None:
    items = answer(referee("compare", "old", "new", "--json"))["pairs"][0]["suites"][0]["items"]
    for name, side in (("old", "base"), ("new", "other")):
        (found,) = json.loads((folder / name / "findings.json").read_text())
        assert found["overall"]["accuracy"] == items[side]


def test_several_runs(folder: Path, referee: Command) -> None:
    against_first = answer(referee("compare", "old", "new", "same", "--json"))["pairs"]
    assert [(pair["base"], pair["other"]) for pair in against_first] == [("A", "B"), ("A", "C")]
    everyone = answer(referee("compare", "old", "new", "same", "--all-pairs", "--json"))["pairs"]
    assert [(pair["base"], pair["other"]) for pair in everyone] == [("A", "B"), ("A", "C"), ("B", "C")]
    alone = answer(referee("compare", "old", "new", "--json"))["pairs"]
    first = [pairs[0]["suites"][0]["items"] for pairs in (alone, against_first, everyone)]
    assert first[0]["p"] == first[1]["p"] == first[2]["p"]
    # Two lines a pair, of items and of whole groups: the smallest p-value counts as often as there are lines.
    assert [each["holm"] / each["p"] for each in first] == pytest.approx([2, 4, 6])


def test_flips(folder: Path, referee: Command) -> None:
    outcome = referee("compare", "old", "new", "--flips", 2, "--flips-out", "out/flips.jsonl")
    lines = [json.loads(line) for line in (folder / "out" / "flips.jsonl").read_text().splitlines()]
    assert outcome.err.splitlines()[-1] == f"{len(lines)} flipped items written to out/flips.jsonl."
    assert sum(line.startswith("x.jsonl i") for line in outcome.out.splitlines()) == 2
    suite = answer(referee("compare", "old", "new", "--json"))["pairs"][0]["suites"][0]
    for direction, ids in (
        ("correct to incorrect", "correct_to_incorrect"),
        ("incorrect to correct", "incorrect_to_correct"),
    ):
        assert {line["item"] for line in lines if line["direction"] == direction} == set(suite[ids])
    first = lines[0]
    assert (first["runs"], first["suite"], first["source"]) == (["old", "new"], "x.jsonl", "It was hungry.")
    assert first["candidates"] == ["Er war hungrig.", "Sie war hungrig.", "Es war hungrig."]
    assert (first["base"]["choice"] == first["gold"]) == (first["direction"] == "correct to incorrect")
    assert first["base"]["margin"] * first["other"]["margin"] < 0
    changes = [abs(line["change"]) for line in lines]
    assert changes == sorted(changes, reverse=True)


def test_no_flips(folder: Path, referee: Command) -> None:
    assert "flipped" not in referee("compare", "old", "new", "--flips", 0).out
    outcome = referee("compare", "old", "old", "--flips-out", "none.jsonl")
    assert "flipped" not in outcome.out
    assert (folder / "none.jsonl").read_text() == ""


def test_by(folder: Path, referee: Command) -> None:
    outcome = referee("compare", "old", "new", "--by", "label", "--by", "mood")
    assert "B against A by label" in outcome.out
    assert "no item has 'mood'" in outcome.err


def test_a_run_against_itself(folder: Path, referee: Command) -> None:
    outcome = referee("compare", "old", "old")
    assert outcome.code == 0
    assert outcome.err == "B against A: same model, settings and content, so the verdicts should be identical\n"
    # A hundred pairs without a change leave at most 3.6 points: 1 - 0.025 ** (1 / 100).
    assert "Equal within 5.0 pp: the same items are correct in both; larger differences are ruled out." in outcome.out
    assert "-3.6 to +3.6" in outcome.out


def test_another_direction_of_scores_is_said(folder: Path, referee: Command) -> None:
    referee("eval", "scores:old.scores,better=lower", "x.jsonl", "--out", "low")
    assert referee("compare", "old", "low").err == "B against A: better differs (higher, lower)\n"


def test_items_that_differ_are_not_paired(folder: Path, referee: Command) -> None:
    items = twins(200)
    changed = [item(id="i0", source="It was thirsty."), *items[1:150], item(id="more")]
    sets.save(changed, folder / "x.jsonl")
    write_scores(folder / "part.scores", changed, 0.7, 4)
    referee("eval", "scores:part.scores", "x.jsonl", "--out", "part")
    outcome = referee("compare", "old", "part")
    assert "content of x.jsonl differs (200 items #" in outcome.err
    assert "Not compared of x.jsonl: 1 with other content, 50 only in A, 1 only in B." in outcome.out
    (suite,) = answer(referee("compare", "old", "part", "--json"))["pairs"][0]["suites"]
    assert suite["items"]["items"] == 149
    groups = suite["unpaired"].pop("incomplete_groups")
    assert f"Left out of its group score: {groups} group" in outcome.out if groups else True
    assert suite["unpaired"] == {"other_content": 1, "only_base": 50, "only_other": 1, "not_judged": 0}


def test_a_set_that_moved_is_the_same(folder: Path, referee: Command) -> None:
    (folder / "sets").mkdir()
    (folder / "x.jsonl").rename(folder / "sets" / "y.jsonl")
    referee("eval", "scores:same.scores", "sets/y.jsonl", "--out", "moved")
    (suite,) = answer(referee("compare", "old", "moved", "--json"))["pairs"][0]["suites"]
    assert (suite["suite"], suite["items"]["items"]) == ("x.jsonl", 200)


def test_translations_by_each_rule(folder: Path, referee: Command) -> None:
    items = [item(id=f"t{n}", expected=("er",), candidates=(), gold=None) for n in range(8)]
    sets.save(items, folder / "t.jsonl")
    (folder / "one.de").write_text("Er war da.\n" * 4 + "Es war da.\n" * 4)
    (folder / "two.de").write_text("Er war da.\n" * 3 + "Es war da.\n" * 5)
    for name in ("one", "two"):
        referee("eval", f"translations:{name}.de", "t.jsonl", "--out", name)
    outcome = referee("compare", "one", "two")
    assert "t.jsonl (rule paper)" in outcome.out
    assert "t.jsonl (rule token)" in outcome.out
    # Flipped by both rules, and still one item to look at.
    assert outcome.out.splitlines()[-7:] == [
        "B against A: 1 of 1 flipped items",
        "t.jsonl t3: correct to incorrect (rule paper)",
        "  It was hungry.",
        "  * er",
        "  A: Er war da.",
        "  B: Es war da.",
        "",
    ]


def test_items_without_gold(folder: Path, referee: Command) -> None:
    sets.save([item(id=f"n{n}", gold=None) for n in range(4)], folder / "n.jsonl")
    (folder / "one").write_text("1\n0\n0\n" * 4)
    (folder / "two").write_text("1\n0\n0\n" * 3 + "0\n1\n0\n")
    for name in ("one", "two"):
        referee("eval", f"scores:{name}", "n.jsonl", "--out", f"run-{name}")
    outcome = referee("compare", "run-one", "run-two")
    assert outcome.code == 0
    assert "B against A: choices without a correct answer" in outcome.out
    assert "n.jsonl      4            3  75.0" in outcome.out


# --- what cannot be compared


@pytest.mark.parametrize(
    "arguments", [("compare",), ("compare", "old"), ("compare", "old", "new", "--flips", "-1")], ids=" ".join
)
def test_usage(arguments: tuple[str, ...], folder: Path, referee: Command) -> None:
    outcome = referee(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err
    assert "Traceback" not in outcome.err


def one_sentence(outcome: Outcome) -> str:
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.splitlines()[-1].startswith("error: ")
    assert "Traceback" not in outcome.err
    return outcome.err.splitlines()[-1]


def test_no_run(folder: Path, referee: Command) -> None:
    assert "nothing: is not a run folder" in one_sentence(referee("compare", "old", "nothing"))


def test_an_unfinished_run(folder: Path, referee: Command) -> None:
    info = (folder / "new" / "run.json").read_text()
    (folder / "new" / "run.json").write_text(info.replace('"done"', '"running"'))
    assert "new: the run is not finished" in one_sentence(referee("compare", "old", "new"))


def test_a_run_without_items(folder: Path, referee: Command) -> None:
    (folder / "new" / "items.jsonl.gz").unlink()
    assert "new: the file 'items.jsonl.gz' is missing" in one_sentence(referee("compare", "old", "new"))


def test_nothing_in_common(folder: Path, referee: Command) -> None:
    sets.save([item(id="other")], folder / "y.jsonl")
    (folder / "y.scores").write_text("1\n2\n3\n")
    referee("eval", "scores:y.scores", "y.jsonl", "--out", "y")
    message = one_sentence(referee("compare", "old", "y"))
    assert message == (
        "error: old (x.jsonl) and y (y.jsonl) share no evaluated items. "
        "Compare runs on the same suites, with the same --how."
    )
    # Beside runs that can be compared it is a remark.
    outcome = referee("compare", "old", "y", "new")
    assert outcome.code == 0
    assert "B and A share no evaluated items and are not compared." in outcome.err
    assert "C against A" in outcome.out


def test_flips_that_cannot_be_written(folder: Path, referee: Command) -> None:
    assert "old: is a folder" in one_sentence(referee("compare", "old", "new", "--flips-out", "old"))
