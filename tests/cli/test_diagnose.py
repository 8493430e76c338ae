from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from referee import sets
from referee.items import Item
from referee.runs import store as runs
from tests.conftest import Command
from tests.support.commands import answer
from tests.support.items import item

ITEMS = [item(id=f"i{n}", group=f"g{n // 3}", gold=n % 3) for n in range(300)]


def judged(referee: Command, name: str, choose: Callable[[Item], int]) -> None:
    """A run by a judge that gives the best score to what it chooses."""
    lines = [str(float(place == choose(each))) for each in ITEMS for place in range(3)]
    Path(f"{name}.scores").write_text("\n".join(lines) + "\n")
    assert referee("eval", f"scores:{name}.scores", "x.jsonl", "--out", name).code == 0


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, referee: Command) -> Path:
    """Runs by one that always takes the neuter, and by one that guesses; the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    sets.save(ITEMS, tmp_path / "x.jsonl")
    draws = random.Random(4)
    judged(referee, "neuter", lambda each: 2)
    judged(referee, "guesses", lambda each: draws.randrange(3))
    return tmp_path


def test_a_habit_is_told_on_the_terminal(folder: Path, referee: Command) -> None:
    outcome = referee("diagnose", "neuter")
    assert outcome.code == 0, outcome.err
    lines = outcome.out.splitlines()
    assert lines[0] == "scorecard"
    assert lines[2].split()[:6] == ["x.jsonl", "300", "33.3%", "✗", "0.0%", "✗"]
    assert any(line.startswith("bias: gender") and "Biased towards neuter (large effect)" in line for line in lines)
    # What was not measured is said once, below the table, and not in columns.
    assert "salience (run `diagnose RUN --salience`)" in lines[3]
    assert not any(line.startswith("Salience") for line in lines)
    assert lines[-1].endswith("No more than a small bias on 0 of 1.")


@pytest.mark.parametrize(
    ("run", "grade", "outcome", "words"),
    [
        ("guesses", "open", "inconclusive", "Gender. Inconclusive (needs about "),
        ("correct", "good", "none", "Gender. No bias: more than 5.0 pp towards any value is ruled out."),
        ("neuter", "bad", "biased", "Gender. Biased towards neuter (large effect): chosen 100.0%, correct 33.3%."),
    ],
)
def test_json_holds_the_scorecard_and_what_is_behind_it(
    folder: Path, referee: Command, run: str, grade: str, outcome: str, words: str
) -> None:
    """Guesses find no bias, and rule none out."""
    if run == "correct":
        judged(referee, "correct", lambda each: each.gold or 0)
    value = answer(referee("diagnose", run, "--json"))
    assert set(value) >= {"run", "scorecard", "suites", "importance"}
    (line,) = value["scorecard"]
    assert line["suite"] == "x.jsonl"
    assert line["cells"]["bias"]["grade"] == grade
    assert line["cells"]["bias"]["verdict"].startswith(words)
    assert line["cells"]["bias"]["verdict"] == f"Gender. {value['suites'][0]['biases'][0]['verdict']}"
    (suite,) = value["suites"]
    (bias,) = suite["biases"]
    assert bias["published"]["coding"] == ["f", "m", "n"]
    assert bias["outcome"] == outcome
    assert (bias["p"] < 0.05) == (outcome == "biased")
    assert (bias["more_groups"] is not None) == (outcome == "inconclusive")


def test_the_coding_is_an_option(folder: Path, referee: Command) -> None:
    found = {}
    for coding in ("f,m,n", "n,f,m"):
        value = answer(referee("diagnose", "neuter", "--coding", f"gender={coding}", "--json"))
        found[coding] = value["suites"][0]["biases"][0]
    assert found["n,f,m"]["published"]["coding"] == ["n", "f", "m"]
    assert found["f,m,n"]["published"]["rbc"] == 1.0
    assert found["n,f,m"]["published"]["rbc"] == -1.0
    assert found["f,m,n"]["p"] == found["n,f,m"]["p"]
    outcome = referee("diagnose", "neuter", "--coding", "gender=f,male,n", "--json")
    assert outcome.err == "--coding: no evaluated candidate has gender male.\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--coding", "gender"), "--coding: 'gender' is not FEATURE=VALUE,VALUE"),
        (("--coding", "gender=f,,m"), "'gender=f,,m' is not FEATURE=VALUE,VALUE"),
        (("--coding", "size=small,large"), "'size' is not a feature with a bias measure"),
        (("--limit", "3"), "--method and --limit need --salience"),
        (("--salience",), "a 'scores:' model does not support salience"),
        (("--salience", "--method", "magic"), "'magic' is not a method of salience"),
    ],
)
def test_what_cannot_be_done_is_said(folder: Path, referee: Command, arguments: tuple[str, ...], words: str) -> None:
    outcome = referee("diagnose", "neuter", *arguments)
    assert outcome.code in (1, 2)
    assert words in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert outcome.out == ""


def test_what_is_no_finished_run_is_said(folder: Path, referee: Command) -> None:
    for name in ("nothing", "x.jsonl"):
        outcome = referee("diagnose", name)
        assert (outcome.code, outcome.out) == (1, "")
        assert "is not a run folder" in outcome.err
    (folder / "neuter" / runs.ITEMS).unlink()
    outcome = referee("diagnose", "neuter")
    assert outcome.code == 1
    assert "Run `referee eval scores:neuter.scores x.jsonl --out neuter` again to resume it." in outcome.err


def test_priors_stand_beside_what_was_chosen_in_their_language(folder: Path, referee: Command) -> None:
    (folder / "a.en").write_text("It fell.\nIt broke.\nShe sang.\n" * 20)
    (folder / "a.de").write_text("Es fiel.\nEr zerbrach.\nSie sang.\n" * 20)
    (folder / "a.fr").write_text("Il tomba.\nElle cassa.\nElle chanta.\n" * 20)
    for language in ("de", "fr"):
        made = referee(
            "estimate", "priors", "a.en", f"a.{language}", "--target-lang", language, "--out", f"{language}.json"
        )
        assert made.code == 0, made.err
    outcome = referee("diagnose", "neuter", "--priors", "de.json")
    assert "x.jsonl: choices and corpus counts" in outcome.out
    outcome = referee("diagnose", "neuter", "--priors", "fr.json")
    assert outcome.code == 0
    assert "no suite has candidates of different gender in 'fr'" in outcome.err
    (folder / "bad.json").write_text('{"schema": 1}')
    outcome = referee("diagnose", "neuter", "--priors", "bad.json")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("error: bad.json")
