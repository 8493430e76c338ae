"""Every command: what it prints where, and how it ends."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import referee as package
from referee import sets
from referee.items import Candidate
from tests.conftest import Command, Outcome
from tests.support.items import item

MAIN = [
    sys.executable,
    "-c",
    # A shell that runs tests in the background makes its children deaf to Ctrl-C; a terminal does not.
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);from referee.cli.main import main; main()",
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Four items in two groups, scores and translations of them; the current folder."""
    items = [
        item(id=f"{group}{gold}", group=group, label=label, gold=gold, expected=(form,), features={"case": case})
        for group, label, gold, form, case in [
            ("a", "x", 0, "er", "nom"),
            ("a", "x", 1, "sie", "acc"),
            ("b", "[red]", 2, "es", "nom"),
            ("b", "[red]", 1, "sie", "acc"),
        ]
    ]
    sets.save(items, tmp_path / "x.jsonl")
    # Right, right, tied, wrong; as text, "10.2" would be less than "9.1".
    (tmp_path / "scores").write_text("10.2\n9.1\n1\n" + "1\n2\n0\n" + "1\n1\n1\n" + "3\n2\n1\n")
    (tmp_path / "out.de").write_text("Da war er.\nDa waren Sie.\nDa war er.\nDa war sie.\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    return tmp_path


def answer(outcome: Outcome) -> dict[str, Any]:
    """The one JSON object on stdout."""
    assert outcome.code == 0, outcome.err
    value = json.loads(outcome.out)
    assert isinstance(value, dict)
    return value


def overall(outcome: Outcome) -> list[tuple[str | None, int, int]]:
    """Rule, items, correct."""
    return [
        (found["rule"], found["overall"]["items"], found["overall"]["correct"]) for found in answer(outcome)["findings"]
    ]


# --- help, version, usage


def test_version(referee: Command) -> None:
    outcome = referee("--version")
    assert (outcome.code, outcome.out, outcome.err) == (0, f"referee {package.__version__}\n", "")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ((), ("demo", "list", "eval", "score", "stats", "data", "--version")),
        (("list",), ("suites", "models")),
        (("list", "suites"), ("FAMILY", "--there", "--data", "--json")),
        (("list", "models"), ("--json",)),
        (("eval",), ("MODEL", "SUITE...", "--out", "--limit", "--match", "--by", "--data", "--json")),
        (("score",), ("ITEMS", "--translations", "--scores", "--lower-is-better", "--match", "--json")),
        (("stats",), ("dataset",)),
        (("stats", "dataset"), ("SET...", "--by", "--json")),
        (("data",), ("get",)),
        (("data", "get"), ("NAME...", "--force", "--data", "--json")),
        (("demo",), ("--out", "--quick", "--json")),
    ],
)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help(command: tuple[str, ...], words: tuple[str, ...], flag: str, referee: Command) -> None:
    outcome = referee(*command, flag)
    assert (outcome.code, outcome.err) == (0, "")
    for word in words:
        assert word in outcome.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate",),
        ("--verbose",),
        ("list", "suits"),
        ("list", "suites", "wsc", "more"),
        ("eval",),
        ("eval", "scores:scores"),
        ("eval", "scores:scores", "x.jsonl", "--limit", "0"),
        ("eval", "scores:scores", "x.jsonl", "--limit", "many"),
        ("eval", "scores", "x.jsonl"),
        ("eval", "scores:scores,better=best", "x.jsonl"),
        ("eval", "translations:out.de,better=lower", "x.jsonl"),
        ("eval", "translations:out.de", "x.jsonl", "--match", "fuzzy"),
        ("eval", "scores:scores", "x.jsonl", "x.jsonl"),
        ("score", "x.jsonl"),
        ("score", "x.jsonl", "--scores", "scores", "--translations", "out.de"),
        ("score", "x.jsonl", "--translations", "out.de", "--lower-is-better"),
        ("score", "x.jsonl", "--scores", "scores", "--match", "fuzzy"),
        ("score", "x.jsonl", "--scores", "scores", "--match", "paper"),
        ("stats", "dataset"),
        ("stats", "nothing"),
        ("data", "get"),
    ],
    ids=" ".join,
)
def test_usage_errors(arguments: tuple[str, ...], folder: Path, referee: Command) -> None:
    outcome = referee(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize("arguments", [(), ("list",), ("stats",), ("data",)])
def test_without_a_command_there_is_help(arguments: tuple[str, ...], referee: Command) -> None:
    outcome = referee(*arguments)
    assert outcome.code == 2
    assert "Usage: referee" in outcome.out + outcome.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("eval", "score:scores", "x.jsonl"), "there is no model kind 'score' (did you mean scores?)"),
        (("eval", "scores:nothing", "x.jsonl"), "nothing: does not exist"),
        (("eval", "scores:scores", "nothing.jsonl"), "nothing.jsonl: does not exist"),
        (("data", "get", "nothing"), "there is no suite 'nothing'"),
        (("stats", "dataset", "x" * 300), "x"),
        (("eval", "scores:scores", "x.jsonl", "--out", "x.jsonl"), "x.jsonl: is a file; name a folder"),
    ],
)
def test_what_the_user_can_mend_is_one_sentence(
    arguments: tuple[str, ...], message: str, folder: Path, referee: Command
) -> None:
    outcome = referee(*arguments)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (1, "", 1)
    assert outcome.err.startswith("error: ")
    assert message in outcome.err


# --- list


def test_list_suites(folder: Path, referee: Command) -> None:
    value = answer(referee("list", "suites", "--json"))
    assert value["folder"] == str(folder / "data")
    listed = value["suites"]
    assert {"name", "there", "about", "licence", "paper", "files"} == set(listed[0])
    by_name = {suite["name"]: suite for suite in listed}
    assert by_name["wsc"]["there"] == "no"
    outcome = referee("list", "suites")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(f"{len(listed)} suites (data folder: {folder / 'data'})\n")
    assert len(outcome.out.splitlines()) == 2 + len(listed) + 1


def test_list_some_suites(folder: Path, referee: Command) -> None:
    (folder / "data" / "winograd-multilingual" / "wino-x").mkdir(parents=True)
    (folder / "data" / "winograd-multilingual" / "wino-x" / "lm_wino_x.en-ru.jsonl").touch()
    family = answer(referee("list", "suites", "wino-x/", "--json"))["suites"]
    assert len(family) == 9
    assert all(suite["name"].startswith("wino-x/") for suite in family)
    there = [suite["name"] for suite in answer(referee("list", "suites", "--there", "--json"))["suites"]]
    # Templates need no file.
    assert "templates/de/gender" in there
    public = [name for name in there if not name.startswith("templates/")]
    assert public == ["wino-x/lm/en-ru", "wino-x/lm/en-ru/english"]
    assert answer(referee("list", "suites", "xcopa", "--there", "--json"))["suites"] == []


def test_list_suites_that_are_there(referee: Command, published_data: Path) -> None:
    listed = answer(referee("list", "suites", "--data", published_data, "--json"))["suites"]
    assert {suite["name"]: suite["there"] for suite in listed}["wino-x/lm/en-de"] == "yes"


def test_list_models(referee: Command) -> None:
    kinds = answer(referee("list", "models", "--json"))["models"]
    assert [re.split("[:[]", kind["usage"])[0] for kind in kinds] == [
        *("pocket", "hf", "mlm", "causal", "ct2", "api", "command", "scores", "translations")
    ]
    assert "translations:FILE" in referee("list", "models").out


# --- score


def test_scores(folder: Path, referee: Command) -> None:
    outcome = referee("score", "x.jsonl", "--scores", "scores")
    assert outcome.code == 0
    assert outcome.err == "`referee eval MODEL SUITE --out FOLDER` keeps the verdict on every item\n"
    lines = outcome.out.splitlines()
    assert lines[:2] == ["x.jsonl", "                        items  accuracy %       95% CI  ties"]
    assert lines[2].split()[:4] == ["all", "items", "4", "50.0"]
    assert lines[3].split()[:5] == ["group", "score", "(2", "groups)", "50.0"]
    assert [line.split()[:3] for line in lines if line.startswith("label")] == [
        ["label:", "[red]", "2"],
        ["label:", "x", "2"],
    ]
    assert "Chance level 33.3%, of the group score 11.1%. Ties count as errors." in lines
    assert lines[-2] == "4 of 4 items evaluated; tied 1, truncated 0, dropped 0"
    assert lines[-1].startswith("signature: x.jsonl#")
    assert sorted(path.name for path in folder.iterdir()) == ["out.de", "scores", "x.jsonl"]


def test_lower_is_better(folder: Path, referee: Command) -> None:
    assert overall(referee("score", "x.jsonl", "--scores", "scores", "--json")) == [(None, 4, 2)]
    lower = referee("score", "x.jsonl", "--scores", "scores", "--lower-is-better", "--json")
    assert overall(lower) == [(None, 4, 0)]
    assert answer(lower)["run"]["inputs"]["settings"] == {"better": "lower"}
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


# --- eval


def test_eval_keeps_the_run(folder: Path, referee: Command) -> None:
    outcome = referee("eval", "scores:scores", "x.jsonl", "--out", "run")
    assert (outcome.code, outcome.err) == (0, "verdicts are in run\n")
    names = {path.name for path in (folder / "run").iterdir()}
    assert names == {".lock", "run.json", "verdicts.parquet", "findings.json", "items.jsonl.gz"}
    info = json.loads((folder / "run" / "run.json").read_text())
    assert info["command"] == ["referee", "eval", "scores:scores", "x.jsonl", "--out", "run"]
    assert info["status"] == "done"
    before = (folder / "run" / "verdicts.parquet").stat().st_mtime_ns
    again = referee("eval", "scores:scores", "x.jsonl", "--out", "run")
    assert again.out == outcome.out
    assert again.err.startswith("run already contains this run, finished 20")
    assert (folder / "run" / "verdicts.parquet").stat().st_mtime_ns == before


def test_eval_json_is_what_the_folder_holds(folder: Path, referee: Command) -> None:
    outcome = referee("eval", "translations:out.de", "x.jsonl", "--out", "run", "--json")
    assert outcome.err == ""
    value = answer(outcome)
    assert set(value) == {"run", "findings"}
    assert value["run"] == json.loads((folder / "run" / "run.json").read_text())
    assert value["findings"] == json.loads((folder / "run" / "findings.json").read_text())
    # Also where there is something to remark.
    again = referee("eval", "translations:out.de", "x.jsonl", "--out", "run", "--json")
    assert (again.out, "already contains" in again.err) == (outcome.out, True)


def test_eval_refuses_a_folder_with_another_run(folder: Path, referee: Command) -> None:
    referee("eval", "scores:scores", "x.jsonl", "--out", "run")
    outcome = referee("eval", "translations:out.de", "x.jsonl", "--out", "run")
    assert (outcome.code, outcome.out) == (1, "")
    assert "run: holds a run with other inputs (the model was scores:scores" in outcome.err


def test_a_usage_error_comes_before_the_work(folder: Path, referee: Command) -> None:
    outcome = referee("eval", "scores:scores", "x.jsonl", "--match", "paper", "--out", "run")
    assert (outcome.code, outcome.out) == (2, "")
    assert not (folder / "run").exists()


def test_limit(folder: Path, referee: Command) -> None:
    (folder / "two").write_text("".join((folder / "scores").read_text().splitlines(keepends=True)[:6]))
    outcome = referee("eval", "scores:two", "x.jsonl", "--limit", "2", "--json")
    assert overall(outcome) == [(None, 2, 2)]
    assert answer(outcome)["run"]["inputs"]["suites"][0]["items"] == 2
    too_many = referee("eval", "scores:scores", "x.jsonl", "--limit", "2")
    assert (too_many.code, "expected 6 lines, one per candidate, but found 12" in too_many.err) == (1, True)
    all_of_them = referee("eval", "scores:scores", "x.jsonl", "--limit", "99", "--json")
    assert overall(all_of_them) == [(None, 4, 2)]


def test_eval_of_a_public_suite(folder: Path, referee: Command, published_data: Path) -> None:
    (folder / "suite").write_text("1\n0\n" * 3)
    outcome = referee("eval", "scores:suite", "wino-x/lm/en-de", "--limit", "3", "--data", published_data, "--json")
    assert answer(outcome)["run"]["inputs"]["suites"][0]["name"] == "wino-x/lm/en-de"


# --- stats


def test_stats(folder: Path, referee: Command) -> None:
    outcome = referee("stats", "dataset", "x.jsonl")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(
        "x.jsonl: 4 items in 2 groups, 12 candidates; 4 items with gold, 4 with expected forms\n"
    )
    assert "items by label\nlabel  items\n[red]      2\nx          2\n" in outcome.out
    sets.save([item(candidates=(Candidate("a b"), Candidate("c")), gold=None)], folder / "y.jsonl.gz")
    value = answer(referee("stats", "dataset", "x.jsonl", "y.jsonl.gz", "--by", "case", "--json"))
    assert list(value["sets"]) == ["x.jsonl", "y.jsonl.gz"]
    assert value["sets"]["x.jsonl"]["counts"] == {"case": {"acc": 2, "nom": 2}}
    assert value["sets"]["y.jsonl.gz"]["lengths"]["candidate"]["spaces"]["mean"] == 1.5
    assert value["sets"]["y.jsonl.gz"]["with_gold"] == 0


# --- endings that only a process of its own can show


def test_ctrl_c(folder: Path) -> None:
    os.mkfifo(folder / "endless")
    process = subprocess.Popen(
        [*MAIN, "score", "x.jsonl", "--scores", "endless"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    writer = opened_by_reader(folder / "endless", process)
    try:
        # It waits for the first score now, and gets Ctrl-C instead. One that comes just before it begins to wait is
        # seen only when the waiting ends, so it may take a second one.
        for _ in range(10):
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                out, err = process.communicate(timeout=3)
                break
    finally:
        os.close(writer)
        process.kill()
        process.communicate()
    assert (process.returncode, out) == (130, "")
    assert err == "Interrupted. Run the same command again to resume.\n"


def opened_by_reader(path: Path, process: subprocess.Popen[str]) -> int:
    """A FIFO opened for writing as soon as the process reads it."""
    while process.poll() is None:
        try:
            return os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
    raise AssertionError("the process ended before it read anything")


@pytest.mark.parametrize(
    "arguments", [("list", "models"), ("score", "x.jsonl", "--scores", "scores", "--json"), ("--help",)], ids=" ".join
)
def test_a_reader_that_has_left(arguments: tuple[str, ...], folder: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ending = subprocess.run([*MAIN, *arguments], stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    finally:
        os.close(writer)
    assert (ending.returncode, ending.stderr) == (0, "")


def test_head(folder: Path) -> None:
    # More than a pipe holds, so that the command is still writing when head leaves.
    sets.save([item(id=str(number), label=f"label {number}" + "x" * 200) for number in range(2000)], folder / "x.jsonl")
    command = subprocess.Popen([*MAIN, "stats", "dataset", "x.jsonl"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert command.stdout is not None
    assert command.stderr is not None
    head = subprocess.run(["head", "-1"], stdin=command.stdout, capture_output=True, text=True, check=True)
    command.stdout.close()
    with command.stderr:
        err = command.stderr.read()
    assert (head.stdout, err) == (
        "x.jsonl: 2000 items in 2000 groups, 6000 candidates; 2000 items with gold, 0 with expected forms\n",
        b"",
    )
    assert command.wait() == 0
