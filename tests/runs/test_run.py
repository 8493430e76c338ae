"""A run folder, read back: every item with its verdict, or one sentence on what is missing."""

from __future__ import annotations

import gc
from pathlib import Path

import msgspec
import pytest

import referee
from referee import sets
from referee.errors import RefereeError, RunError, UsageError
from referee.models.files import ScoreFile
from referee.protocols import Answers, Identity, ScorePair, TokenScores, TranslateDoc
from referee.runs import salience
from referee.runs import store as runs
from referee.runs.job import carry_out
from referee.runs.run import read_run
from referee.scoring.options import ScoringOptions
from tests.support.explainer import Explainer
from tests.support.items import item
from tests.support.jobs import job

ITEMS = [item(id=f"i{number}", gold=number % 3) for number in range(7)]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    (tmp_path / "scores").write_text("".join(f"{number % 5}\n" for number in range(3 * len(ITEMS))))
    request = job("scores:scores", ScoreFile(tmp_path / "scores"), [sets.of_items("seven", ITEMS)], command=["go"])
    carry_out(request, tmp_path / "run")
    return tmp_path / "run"


def test_items_and_verdicts_come_back_one_for_one(run: Path) -> None:
    stored = read_run(run)
    (judged,) = stored.sets
    assert (judged.suite, judged.kind, list(judged.items)) == ("seven", "contrastive", ITEMS)
    assert [verdict.item for verdict in judged.verdicts] == [entry.id for entry in ITEMS]
    assert next(verdict.scores for _, verdict in judged) == (0.0, 1.0, 2.0)
    assert stored.findings == runs.read_findings(run)
    assert len(judged) == 7


class Talker:
    """Scores by length, and repeats the source."""

    def identity(self) -> Identity:
        return Identity("0" * 64)

    def score_pairs(self, pairs: list[ScorePair]) -> Answers:
        for number, pair in enumerate(pairs):
            yield number, TokenScores((-float(len(pair.target)),))

    def translate(self, sources: list[TranslateDoc]) -> list[tuple[int, str]]:
        return [(number, source.sentences[-1]) for number, source in enumerate(sources)]


def test_a_set_judged_in_both_ways_is_there_twice(tmp_path: Path) -> None:
    # The second set has ids of the first: a run may hold a set and its English side.
    challenges = [sets.of_items("seven", ITEMS), sets.of_items("three", ITEMS[:3])]
    carry_out(job("talker", Talker(), challenges, scoring=ScoringOptions(how="both")), tmp_path / "run")
    stored = [(judged.suite, judged.kind, len(judged)) for judged in read_run(tmp_path / "run").sets]
    kinds = ("contrastive", "generative")
    assert stored == [(suite, kind, size) for suite, size in (("seven", 7), ("three", 3)) for kind in kinds]


def test_a_lost_file_of_items_comes_back_when_the_command_is_repeated(run: Path, tmp_path: Path) -> None:
    content = (run / runs.ITEMS).read_bytes()
    (run / runs.ITEMS).unlink()
    with pytest.raises(RunError, match=r"the file 'items\.jsonl\.gz' is missing. Run `go` again to resume it"):
        read_run(run)
    request = job("scores:scores", ScoreFile(tmp_path / "scores"), [sets.of_items("seven", ITEMS)])
    assert carry_out(request, run).reused
    assert (run / runs.ITEMS).read_bytes() == content


def test_what_is_unfinished_lacking_or_foreign_is_said(run: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="not a run folder"):
        read_run(tmp_path)
    info = runs.read_info(run)
    runs.write_info(run, msgspec.structs.replace(info, status="running"))
    with pytest.raises(RunError, match="not finished"):
        read_run(run)
    # A record without hashes: then the content itself must fit.
    runs.write_info(run, msgspec.structs.replace(info, files={}))
    sets.save(ITEMS[:5], run / runs.ITEMS)
    with pytest.raises(RunError, match=r"expected 7 items by run\.json, but found 5 items and 7 verdicts"):
        read_run(run)
    sets.save(reversed(ITEMS), run / runs.ITEMS)
    with pytest.raises(RunError, match="its items and verdicts do not match"):
        read_run(run)
    sets.save(ITEMS, run / runs.ITEMS)
    (run / "verdicts.parquet").unlink()
    with pytest.raises(RunError, match=r"'verdicts\.parquet' is missing"):
        read_run(run)


@pytest.mark.parametrize("name", ["verdicts.parquet", "findings.json", runs.ITEMS])
def test_a_damaged_file_is_one_sentence(run: Path, name: str) -> None:
    whole = (run / name).read_bytes()
    (run / name).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(RefereeError) as caught:
        read_run(run)
    assert str(run) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "is damaged (its SHA-256 is not that of run.json). Run `go` again to repair it." in str(caught.value)


@pytest.mark.parametrize("name", ["verdicts.parquet", "findings.json", runs.ITEMS, "run.json", ".lock"])
@pytest.mark.parametrize("fault", ["cut", "empty", "flipped"])
def test_a_damaged_file_is_repaired_when_the_command_is_repeated(
    fault: str, name: str, run: Path, tmp_path: Path
) -> None:
    request = job("scores:scores", ScoreFile(tmp_path / "scores"), [sets.of_items("seven", ITEMS)], command=["go"])
    before = {path.name: path.read_bytes() for path in run.iterdir()}
    whole = before[name]
    half = len(whole) // 2
    # A bit inside a text or a time leaves run.json readable; only the command that wrote it finds that.
    place = 0 if name == "run.json" else half
    flipped = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
    (run / name).write_bytes({"cut": whole[:half], "empty": b"", "flipped": flipped}[fault])
    if name != ".lock":
        with pytest.raises(RunError, match=r"damaged|cannot be read"):
            read_run(run)
    carry_out(request, run)
    after = {path.name: path.read_bytes() for path in run.iterdir()}
    repaired = {".lock", "run.json"} if name == "verdicts.parquet" else {".lock"} if name == ".lock" else set()
    # A run that was evaluated again has other times; nothing else differs.
    assert {path for path in before if before[path] != after[path]} <= repaired
    assert list(read_run(run).findings) == list(runs.read_findings(run))


def test_a_link_for_a_lock_is_refused(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("mine")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / ".lock").symlink_to(tmp_path / "precious")
    with pytest.raises(RunError):
        referee.score(ITEMS, scores=[1.0] * 21, out=tmp_path / "run")
    assert (tmp_path / "precious").read_text() == "mine"


def test_a_lock_of_somebody_else_is_kept(tmp_path: Path) -> None:
    (tmp_path / ".lock").write_text("precious")
    with pytest.raises(RunError, match="contains other files"):
        referee.score(ITEMS, scores=[1.0] * 21, out=tmp_path)
    assert (tmp_path / ".lock").read_text() == "precious"


def test_saving_and_reading_give_the_same_run(tmp_path: Path) -> None:
    run = referee.score(ITEMS, scores=[float(number % 5) for number in range(21)])
    saved = run.save(tmp_path / "kept")
    read = referee.read_run(tmp_path / "kept")
    for other in (saved, read):
        assert (other.info, list(other.findings), list(other.sets)) == (run.info, list(run.findings), list(run.sets))
        assert not other.temporary
        assert not (other.folder / ".lock").exists()
    assert run.temporary
    with pytest.raises(RunError, match="is not empty"):
        run.save(tmp_path / "kept")


def test_a_run_without_a_folder_leaves_nothing_behind() -> None:
    run = referee.score(ITEMS, scores=[1.0] * 21)
    folder = run.folder
    assert folder.is_dir()
    del run
    gc.collect()
    assert not folder.exists()


def test_a_run_made_from_python_says_how_to_resume_it(tmp_path: Path) -> None:
    run = referee.score(ITEMS, scores=[1.0] * 21, out=tmp_path / "run")
    runs.write_info(run.folder, msgspec.structs.replace(run.info, status="running"))
    with pytest.raises(RunError, match=r"not finished. Repeat the same call to resume it"):
        read_run(run.folder)


def test_a_run_that_is_read_is_neither_reused_nor_temporary(run: Path) -> None:
    stored = read_run(run)
    assert (stored.reused, stored.temporary) == (False, False)


def test_options_of_salience_reach_the_diagnosis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Explainer()
    monkeypatch.setattr(salience, "open_model", lambda _: model)
    run = carry_out(job("pocket", model, [sets.of_items("seven", ITEMS)]), tmp_path / "run")
    assert list(run.diagnose().salience) == []
    diagnosis = run.diagnose(salience=True, method="inseq:attention", limit=2)
    assert [record.item for record in diagnosis.salience] == ["i0", "i1"]
    assert [(len(sources), method) for sources, method, _ in model.asked] == [(2, "inseq:attention")]
    assert len(run.diagnose(salience=True).salience) == 7
    assert [method for _, method, _ in model.asked] == ["inseq:attention", "prediction-difference"]
    # What is stored is read by the method that is asked for, else by prediction difference.
    assert len(run.diagnose(method="inseq:attention").salience) == len(run.salience("inseq:attention")) == 2
    assert len(run.diagnose().salience) == 7
    with pytest.raises(UsageError, match="limit= needs salience=True"):
        run.diagnose(limit=2)


def test_a_coding_reaches_the_diagnosis(run: Path) -> None:
    stored = read_run(run)
    (suite,) = stored.diagnose(coding={"gender": ["n", "f", "m"]}).suites
    assert {bias.feature: bias.published.coding for bias in suite.biases} == {"gender": ["n", "f", "m"]}
    with pytest.raises(UsageError, match="'size' is not a feature with a bias measure"):
        stored.diagnose(coding={"size": ["s", "l"]})
