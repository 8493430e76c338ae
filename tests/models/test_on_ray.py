"""The same model in several processes of a Ray cluster: the same bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import sets
from referee.errors import RefereeError, UsageError
from referee.scoring.answers import _goes
from tests.conftest import Command
from tests.support import tiny_models as tiny
from tests.support.twins import twins

pytest.importorskip("ray")

from referee.models.on_ray import distributed
from referee.protocols import ScorePair, ScoresPairs, ScoresTexts, Translates


@pytest.mark.slow
def test_workers_give_the_same_bytes(tmp_path: Path, referee: Command) -> None:
    model = tiny.make("marian", tmp_path / "marian")
    sets.save(twins(), tmp_path / "items.jsonl")
    for name, workers in (("one", ()), ("two", ("--workers", "2"))):
        outcome = referee(
            "eval", f"hf:{model}", tmp_path / "items.jsonl", "--no-cache", "--out", tmp_path / name, *workers
        )
        assert outcome.code == 0, outcome.err
    assert (tmp_path / "one/verdicts.parquet").read_bytes() == (tmp_path / "two/verdicts.parquet").read_bytes()


@pytest.mark.slow
def test_a_distributed_model_can_do_what_its_model_can(tmp_path: Path) -> None:
    model = distributed(f"hf:{tiny.make('marian', tmp_path / 'marian')}", 1)
    assert isinstance(model, ScoresPairs)
    assert isinstance(model, Translates)
    assert not isinstance(model, ScoresTexts)
    ((number, answer),) = model.score_pairs([ScorePair("It was.", "Es war.", "en", "de")])
    assert (number, len(answer.logprobs) > 2) == (0, True)


@pytest.mark.slow
def test_what_a_worker_cannot_open_is_said(tmp_path: Path) -> None:
    with pytest.raises(RefereeError, match=r"a worker cannot open 'hf:\./nothing'"):
        distributed("hf:./nothing", 1)


def test_files_are_not_distributed() -> None:
    with pytest.raises(UsageError, match="--workers has no effect on files"):
        distributed("scores:x", 2)


def test_goes_keep_one_origin_together() -> None:
    pairs = [ScorePair("s", str(n), "en", "de", origin=str(n // 3)) for n in range(10)]
    assert list(_goes(pairs, 2)) == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9]]
    assert list(_goes(pairs, 5)) == [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9]]
