"""What is prepared for the training."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sentencepiece")

from referee.train.recipes.command import run
from referee.train.recipes.translator import heldout, prepare
from tests.support import tiny_translator as tiny
from tests.support.small_translator import VOCABULARY, Trained, called


def test_settings_count_what_the_examples_hold(trained: Trained) -> None:
    settings = json.loads((trained.prepared / "settings.json").read_text())
    arrays = np.load(trained.prepared / "examples.npz")
    assert settings["size"] == {"vocabulary": VOCABULARY}
    assert settings["pad"] == VOCABULARY - 1
    examples = settings["data"]["examples"]
    assert set(examples) == set(tiny.LANGUAGES)
    assert len(arrays["train_source_starts"]) == len(arrays["train_target_starts"]) == sum(examples.values()) + 1
    assert arrays["train_source_starts"][-1] == len(arrays["train_source"])
    assert sum(settings["data"]["held out lines"].values()) == len(heldout.read_test(trained.prepared))


def test_the_same_data_give_the_same_files(trained: Trained, tmp_path: Path) -> None:
    data = tiny.write(tmp_path / "data")
    called(prepare.main, data, tmp_path / "again", "--vocabulary", VOCABULARY)
    for name in ("settings.json", "test.jsonl", "vocabulary.spm"):
        assert (tmp_path / "again" / name).read_bytes() == (trained.prepared / name).read_bytes()


def test_an_error_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        called(lambda: run(prepare.main), tmp_path, tmp_path / "out")
    assert ending.value.code == 1
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.endswith("inputs: does not exist. Give the folder that contains ctxpro/ and parallel/.\n")
