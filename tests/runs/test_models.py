"""Whole runs with a real translation model: from the command line, interrupted, side by side, with other weights."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee import sets, verdicts
from referee.items import Candidate, Item
from referee.runs.store import read_info
from referee.verdicts import Verdict
from tests.conftest import Command
from tests.support import tiny_models as tiny
from tests.support.items import item

ANIMALS = ("cat", "dog", "mouse", "horse", "bird", "cow", "bear")
THINGS = ("cup", "box", "apple", "cheese", "branch", "key", "bottle", "spoon")
DONE = {".lock", "run.json", "verdicts.parquet", "findings.json", "items.jsonl.gz"}


def items(count: int) -> list[Item]:
    """Translation items of all lengths, with context, candidates that share their start, and a few twins."""
    cases = []
    for number in range(count):
        animal, thing = ANIMALS[number % 7], THINGS[number % 8]
        more = " and the table" * (number % 5)
        start = f"Die Katze sah {number} Äpfel{' und den Tisch' * (number % 5)}, weil"
        cases.append(
            item(
                id=f"i{number}",
                source=f"The {animal} saw {number} {thing}s{more} because it was big.",
                source_context=("I bought a red cup yesterday.", f"The {animal} ran."),
                target_context=("Ich habe eine Tasse gekauft.", "Die Katze lief."),
                candidates=tuple(
                    Candidate(f"{start} {word} groß war.", {"gender": gender})
                    for word, gender in (("er", "m"), ("sie", "f"), ("es", "n"))
                ),
                gold=number % 3,
                expected=("er",),
            )
        )
    return cases


@pytest.fixture(scope="module")
def marian(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.make("marian", tmp_path_factory.mktemp("model") / "marian")


@pytest.fixture
def few(tmp_path: Path) -> Path:
    sets.save(items(30), tmp_path / "few.jsonl")
    return tmp_path / "few.jsonl"


def judged(folder: Path) -> list[Verdict]:
    return [verdict for _, verdict in verdicts.read(folder / "verdicts.parquet")]


def test_the_command_line(referee: Command, marian: Path, few: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    outcome = referee("eval", f"hf:{marian}", few, "--out", run, "--cache", tmp_path / "c.sqlite", "--limit", 20)
    assert outcome.code == 0, outcome.err
    assert "accuracy" in outcome.out.lower()
    assert {path.name for path in run.iterdir()} == DONE
    stored = judged(run)
    assert len(stored) == 20
    for verdict in stored:
        assert len(verdict.token_scores) == len(verdict.scores) == 3
        for score, tokens in zip(verdict.scores, verdict.token_scores, strict=True):
            assert score == pytest.approx(sum(tokens) / len(tokens))
        assert verdict.choice == max(range(3), key=verdict.scores.__getitem__)


def test_what_is_written_down(referee: Command, marian: Path, few: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    command = ["eval", f"hf:{marian},dtype=float64", few, "--norm", "sum", "--context", 2, "--separator", " | "]
    outcome = referee(*command, "--too-long", "drop", "--out", run, "--no-cache", "--json")
    assert outcome.code == 0, outcome.err
    printed = json.loads(outcome.out)
    stored = json.loads((run / "run.json").read_text())
    assert printed["run"] == stored
    from referee.models.hf.load import folder_sha256

    assert stored["inputs"]["model_sha256"] == folder_sha256(marian)
    expected = {"dtype": "float64", "norm": "sum", "context": "2", "separator": " | ", "too_long": "drop"}
    assert expected.items() <= stored["inputs"]["settings"].items()
    for part in (folder_sha256(marian)[:8], "dtype:float64", "norm:sum", "context:2"):
        assert part in stored["signature"]
    assert {"torch", "transformers"} <= stored["versions"].keys(), "what the scores come from"


def test_options_change_what_is_scored(referee: Command, marian: Path, few: Path, tmp_path: Path) -> None:
    cache = tmp_path / "c.sqlite"
    stored: dict[str, list[Verdict]] = {}
    variants: dict[str, list[object]] = {"plain": [], "context": ["--context", 2], "sum": ["--norm", "sum"]}
    for name, options in variants.items():
        assert referee("eval", f"hf:{marian}", few, "--out", tmp_path / name, "--cache", cache, *options).code == 0
        stored[name] = judged(tmp_path / name)
    plain, context, summed = stored["plain"], stored["context"], stored["sum"]
    assert [verdict.token_scores for verdict in plain] == [verdict.token_scores for verdict in summed]
    assert all(one.scores != other.scores for one, other in zip(plain, summed, strict=True))
    for one, other in zip(plain, context, strict=True):
        assert one.token_scores != other.token_scores
        assert list(map(len, one.token_scores)) == list(map(len, other.token_scores)), "context is not scored"


def test_the_budget_decides_nothing(referee: Command, marian: Path, few: Path, tmp_path: Path) -> None:
    stored = []
    for tokens in (1, 50, 100_000):
        run = tmp_path / str(tokens)
        assert referee("eval", f"hf:{marian},tokens={tokens}", few, "--out", run, "--no-cache").code == 0
        stored.append(judged(run))
    for one, *others in zip(*stored, strict=True):
        for other in others:
            assert (one.choice, one.ranks, one.tied) == (other.choice, other.ranks, other.tied)
            for tokens, other_tokens in zip(one.token_scores, other.token_scores, strict=True):
                assert other_tokens == pytest.approx(tokens, abs=1e-4)


def test_a_finished_run_is_not_computed_again(referee: Command, marian: Path, few: Path, tmp_path: Path) -> None:
    command = ["eval", f"hf:{marian}", few, "--out", tmp_path / "run", "--cache", tmp_path / "c.sqlite"]
    assert referee(*command).code == 0
    before = (tmp_path / "run/verdicts.parquet").stat().st_mtime_ns
    outcome = referee(*command)
    assert outcome.code == 0
    assert "already contains this run" in outcome.err
    assert (tmp_path / "run/verdicts.parquet").stat().st_mtime_ns == before


def test_translations_are_generated_and_matched(referee: Command, marian: Path, few: Path, tmp_path: Path) -> None:
    run, cache = tmp_path / "run", tmp_path / "c.sqlite"
    outcome = referee("eval", f"hf:{marian}", few, "--how", "generative", "--out", run, "--cache", cache, "--limit", 4)
    assert outcome.code == 0, outcome.err
    stored = judged(run)
    assert [verdict.kind for verdict in stored] == ["generative"] * 4
    assert all(verdict.output is not None for verdict in stored)
    assert all(set(verdict.found) == {"paper", "token"} for verdict in stored)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--part", "half"], "--part: 'half' is not a valid part"),
        (["--norm", "mean"], "--norm: 'mean' is not a valid normalisation"),
        (["--too-long", "cut"], "--too-long: 'cut' is not a valid choice"),
        (["--how", "x"], "--how: 'x' is not a valid mode"),
        (["--context", "-1"], "--context"),
    ],
)
def test_impossible_options(
    arguments: list[str], message: str, referee: Command, marian: Path, few: Path, tmp_path: Path
) -> None:
    outcome = referee("eval", f"hf:{marian}", few, "--out", tmp_path / "run", *arguments)
    assert outcome.code == 2
    assert message in outcome.err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("model", ["hf:{marian},tokens=0", "hf:{marian},device=nonsense", "mlm:{marian}", "hf:./none"])
def test_a_model_that_cannot_be_opened_leaves_nothing_behind(
    model: str, referee: Command, marian: Path, few: Path, tmp_path: Path
) -> None:
    outcome = referee("eval", model.format(marian=marian), few, "--out", tmp_path / "run", "--no-cache")
    assert outcome.code in (1, 2)
    assert "Traceback" not in outcome.err
    assert not (tmp_path / "run").exists()


def test_the_wrong_kind_of_model_leaves_nothing_behind(
    referee: Command, few: Path, marian: Path, tmp_path: Path
) -> None:
    bert = tiny.make("bert", tmp_path / "bert")
    outcome = referee("eval", f"mlm:{bert}", few, "--out", tmp_path / "run", "--no-cache")
    assert outcome.code == 2
    assert "cannot score 'translate' items" in outcome.err
    gaps = [item(task="fill", source="_ ran.", candidates=(Candidate("It"), Candidate("The")))]
    sets.save(gaps, tmp_path / "gaps.jsonl")
    outcome = referee("eval", f"hf:{marian}", tmp_path / "gaps.jsonl", "--out", tmp_path / "run", "--no-cache")
    assert outcome.code == 2
    assert "cannot score 'fill' items" in outcome.err
    assert not (tmp_path / "run").exists()


def test_parts_of_a_sentence(referee: Command, tmp_path: Path) -> None:
    bert, gpt2 = (tiny.make(family, tmp_path / family) for family in ("bert", "gpt2"))
    gaps = [
        item(
            id=f"g{number}",
            task="fill",
            target_lang="en",
            source=f"The {animal} saw the cup and _ ran to the table.",
            candidates=(Candidate("it"), Candidate("he"), Candidate("the old dog")),
        )
        for number, animal in enumerate(ANIMALS)
    ]
    gaps += [msgspec.structs.replace(gap, id=f"two {gap.id}", candidates=gap.candidates[:2]) for gap in gaps]
    sets.save(gaps, tmp_path / "gaps.jsonl")
    stored: dict[str, list[Verdict]] = {}
    models = {"whole": f"mlm:{bert}", "partial": f"mlm:{bert}", "mask": f"mlm:{bert}"}
    models |= {"causal whole": f"causal:{gpt2}", "causal partial": f"causal:{gpt2}"}
    for name, model in models.items():
        options = ["--part", name.split()[-1], "--out", tmp_path / name, "--cache", tmp_path / "c.sqlite"]
        outcome = referee("eval", model, tmp_path / "gaps.jsonl", *options)
        assert outcome.code == 0, outcome.err
        stored[name] = judged(tmp_path / name)
    for whole, partial in ((stored["whole"], stored["partial"]), (stored["causal whole"], stored["causal partial"])):
        for one, other in zip(whole, partial, strict=True):
            for tokens, rest in zip(one.token_scores, other.token_scores, strict=True):
                assert 0 < len(rest) < len(tokens)
                assert rest == pytest.approx(tokens[-len(rest) :], abs=1e-4)
            assert len({len(rest) for rest in other.token_scores}) == 1, "the same words are scored for all"
    assert [verdict.dropped for verdict in stored["mask"]] == ["not a single token"] * 7 + [None] * 7
    counts = read_info(tmp_path / "mask").counts
    assert counts is not None
    assert counts.dropped == {"not a single token": 7}


def test_items_that_are_too_long(referee: Command, marian: Path, tmp_path: Path) -> None:
    cases = items(4)
    cases[2] = msgspec.structs.replace(cases[2], source="it " * tiny.POSITIONS)
    sets.save(cases, tmp_path / "long.jsonl")
    command = ["eval", f"hf:{marian}", tmp_path / "long.jsonl", "--no-cache"]
    outcome = referee(*command, "--out", tmp_path / "refused")
    assert outcome.code == 1
    assert "the item i2" in outcome.err
    assert "--too-long drop" in outcome.err
    outcome = referee(*command, "--out", tmp_path / "dropped", "--too-long", "drop")
    assert outcome.code == 0, outcome.err
    counts = read_info(tmp_path / "dropped").counts
    assert counts is not None
    assert (counts.judged, counts.truncated, counts.dropped) == (3, 0, {"too long": 1})


def test_weights_that_change_under_the_same_path_are_scored_anew(
    referee: Command, marian: Path, few: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(marian, folder)
    cache = tmp_path / "c.sqlite"
    command = ["eval", f"hf:{folder}", few, "--cache", cache]
    assert referee(*command, "--out", tmp_path / "before").code == 0
    shutil.rmtree(folder)
    tiny.make("marian", folder, seed=1)
    assert referee(*command, "--out", tmp_path / "after").code == 0
    assert referee("eval", f"hf:{folder}", few, "--no-cache", "--out", tmp_path / "alone").code == 0
    before, after, alone = (judged(tmp_path / name) for name in ("before", "after", "alone"))
    assert after == alone, "nothing came from the cache"
    assert all(one.token_scores != other.token_scores for one, other in zip(before, after, strict=True))
    one, other = (read_info(tmp_path / name).inputs.model_sha256 for name in ("before", "after"))
    assert one != other
    outcome = referee(*command, "--out", tmp_path / "before")
    assert outcome.code == 1
    assert "has changed" in outcome.err


# From here on in processes of their own.


def start(*arguments: object) -> subprocess.Popen[bytes]:
    # As many threads as here: other numbers of threads may add up in another order.
    environment = os.environ | {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    command = [sys.executable, "-c", "from referee.cli.main import main; main()", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)


def finish(process: subprocess.Popen[bytes]) -> None:
    with process:
        _, errors = process.communicate()
    assert process.returncode == 0, errors.decode()


def rows(cache: Path) -> int:
    """How many scores a cache holds, while others write to it."""
    import sqlite3

    try:
        connection = sqlite3.connect(f"file:{cache}?mode=ro", uri=True)
        try:
            return int(connection.execute("SELECT count(*) FROM scores").fetchone()[0])
        finally:
            connection.close()
    except sqlite3.Error:
        return 0


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Long enough to be killed in the middle of: more than one part, small batches."""
    path = tmp_path_factory.mktemp("items") / "many.jsonl"
    sets.save(items(700), path)
    return path


@pytest.fixture(scope="module")
def whole(marian: Path, many: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing interrupted."""
    folder = tmp_path_factory.mktemp("whole")
    finish(start(*command(marian, many), "--out", folder / "run", "--cache", folder / "c.sqlite"))
    return folder / "run"


def command(marian: Path, many: Path) -> list[object]:
    return ["eval", f"hf:{marian},tokens=150", many, "--context", 1]


Moment = Callable[[Path, Path], bool]


def _begun(run: Path, cache: Path) -> bool:
    return (run / "run.json").exists()


def _some_scores(run: Path, cache: Path) -> bool:
    return rows(cache) > 600


def _one_part(run: Path, cache: Path) -> bool:
    return any((run / "parts").glob("[0-9]*"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cached", "moments"),
    [(True, [_begun]), (True, [_some_scores]), (True, [_some_scores, _one_part]), (False, [_one_part])],
    ids=["at once", "within a part", "twice", "without a cache"],
)
def test_killed_runs_end_in_the_same_bytes(
    cached: bool, moments: list[Moment], marian: Path, many: Path, whole: Path, tmp_path: Path
) -> None:
    run, cache = tmp_path / "run", tmp_path / "c.sqlite"
    options = ["--cache", cache] if cached else ["--no-cache"]
    for moment in moments:
        with start(*command(marian, many), "--out", run, *options) as process:
            deadline = time.monotonic() + 120
            while not moment(run, cache):
                assert process.poll() is None, "it was over before it could be killed"
                assert time.monotonic() < deadline
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
            process.communicate()
        assert read_info(run).status == "running"
    finish(start(*command(marian, many), "--out", run, *options))
    assert judged(run) == judged(whole)
    for name in ("verdicts.parquet", "findings.json"):
        assert (run / name).read_bytes() == (whole / name).read_bytes()
    assert {path.name for path in run.iterdir()} == DONE


@pytest.mark.slow
def test_two_processes_at_once_on_one_cache(marian: Path, many: Path, whole: Path, tmp_path: Path) -> None:
    cache = tmp_path / "c.sqlite"
    processes = [start(*command(marian, many), "--out", tmp_path / name, "--cache", cache) for name in ("a", "b")]
    for process in processes:
        finish(process)
    content = {(tmp_path / name / "verdicts.parquet").read_bytes() for name in ("a", "b")}
    assert content == {(whole / "verdicts.parquet").read_bytes()}
    assert not (tmp_path / "c.sqlite.damaged").exists()


@pytest.mark.slow
def test_a_second_run_takes_everything_from_the_cache(
    marian: Path, many: Path, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, referee: Command
) -> None:
    torch = pytest.importorskip("torch")

    def forward(*_: Any, **__: Any) -> None:
        raise AssertionError("something was computed")

    cache = whole.parent / "c.sqlite"
    from referee.models.hf.seq2seq import Seq2Seq

    monkeypatch.setattr(Seq2Seq, "_score", forward)
    assert torch.get_num_threads() == 1
    outcome = referee(*command(marian, many), "--out", tmp_path / "run", "--cache", cache)
    assert outcome.code == 0, outcome.err
    assert (tmp_path / "run/verdicts.parquet").read_bytes() == (whole / "verdicts.parquet").read_bytes()
