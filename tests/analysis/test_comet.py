"""COMET's own code, on a tiny checkpoint made here: loaded and run as a downloaded one would be.

unbabel-comet wants numpy below 2 and transformers below 5, so it lives in an environment of its own
(constraints-comet.txt); these tests skip elsewhere.
"""

from __future__ import annotations

import logging
import shutil
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest

from referee.analysis.quality import _quiet, comet_scores, comparable, quality
from referee.errors import MissingError
from referee.items import Item
from referee.scoring.decision import generative
from referee.verdicts import Verdict
from tests.support.items import item

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("comet") is None, reason="unbabel-comet is not installed"),
]


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A RegressionMetric on a small XLM-R, saved by Lightning, in the folders that the hub has."""
    folder = tmp_path_factory.mktemp("tiny-comet")
    with _quiet():
        tiny = import_module("tests.support.tiny_models")
        encoder = tiny.make("xlmr", folder / "encoder")
        tiny.torch.manual_seed(1)
        model = import_module("comet.models").RegressionMetric(
            pretrained_model=str(encoder), hidden_sizes=[48, 16], layer_transformation="sparsemax"
        )
        lightning = import_module("pytorch_lightning")
        trainer = lightning.Trainer(accelerator="cpu", logger=False, enable_checkpointing=False)
        trainer.strategy.connect(model)
        trainer.save_checkpoint(folder / "checkpoints" / "model.ckpt")
        hparams = import_module("yaml").safe_dump(dict(model.hparams))
    (folder / "hparams.yaml").write_text(hparams)
    return folder


def trusted(checkpoint: Path) -> Path:
    """The same checkpoint, as a user writes it."""
    return Path(f"{checkpoint},allow_pickle=yes")


def judged() -> list[tuple[Item, Verdict]]:
    """Lines of different lengths, so that COMET's sorting by length has to be undone; one without a reference."""
    tiny = import_module("tests.support.tiny_models")
    pairs = list(zip(tiny.CORPUS["en"], tiny.CORPUS["de"], strict=True))
    found = []
    for number, (source, reference) in enumerate(pairs * 2):
        output = reference if number % 3 else pairs[(number + 1) % len(pairs)][1]
        made = item(
            id=f"i{number}", source=source, reference=None if number == 5 else reference, group=f"g{number // 2}"
        )
        found.append((made, generative(made.id, output, {"paper": True, "token": True})))
    return found


def test_scores_are_those_of_comet(checkpoint: Path) -> None:
    outputs = comparable(judged())
    segments, left_out = outputs.kept, outputs.left_out
    assert (len(segments), left_out) == (23, 1)
    values, signature = comet_scores(segments, trusted(checkpoint))
    assert len(set(values)) > 10
    with _quiet():
        comet = import_module("comet")
        model = comet.load_from_checkpoint(str(checkpoint / "checkpoints" / "model.ckpt"))
        one_by_one = [
            model.predict(
                [{"src": segment.source, "mt": segment.output, "ref": segment.reference}], gpus=0, progress_bar=False
            ).system_score
            for segment in segments
        ]
    np.testing.assert_allclose(values, one_by_one, atol=1e-5)
    parts = dict(part.split(":", 1) for part in signature.split("|"))
    assert parts["model"] == checkpoint.name
    assert (parts["class"], parts["encoder"]) == ("regression_metric", "encoder")
    assert len(parts["sha256"]) == 8


def test_system_score_and_interval(checkpoint: Path) -> None:
    segments = comparable(judged()).kept
    values, signature = comet_scores(segments, trusted(checkpoint))
    (score,) = quality(comparable(judged()), metrics=(), comet=trusted(checkpoint))
    assert (score.name, score.segments, score.left_out, score.signature) == ("comet", 23, 1, signature)
    assert score.value == pytest.approx(values.mean())
    assert score.interval[0] < score.value < score.interval[1]
    pairs = [
        (first, second) for first, second in pairwise(range(23)) if segments[first].group == segments[second].group
    ]
    assert score.group is not None
    assert (score.group.groups, score.group.singles, score.group.method) == (11, 1, "t")
    assert score.group.score == pytest.approx(np.mean([min(values[first], values[second]) for first, second in pairs]))


def test_beside_bleu_and_by_the_file(checkpoint: Path) -> None:
    by_file = quality(comparable(judged()), comet=trusted(checkpoint / "checkpoints" / "model.ckpt"))
    assert [score.name for score in by_file] == ["bleu", "chrf", "comet"]
    assert by_file[-1] == quality(comparable(judged()), metrics=(), comet=trusted(checkpoint))[0]


def test_source_output_and_reference_all_count(checkpoint: Path) -> None:
    segment, *_ = comparable(judged()).kept
    other = "Where is the spoon? It lies under the chair."
    changed = [msgspec.structs.replace(segment, **{name: other}) for name in ("source", "output", "reference")]
    values, _ = comet_scores([segment, *changed], trusted(checkpoint))
    assert len({round(value, 5) for value in values}) == 4


def test_logging_stays_as_it_was(checkpoint: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = logging.root.handlers[:], logging.root.level, logging.root.manager.disable
    quality(comparable(judged()[:2]), metrics=(), comet=trusted(checkpoint))
    assert (logging.root.handlers[:], logging.root.level, logging.root.manager.disable) == before
    assert capfd.readouterr() == ("", "")


def test_the_hub_is_not_asked(checkpoint: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """transformers 4.57 asks it about encoders known by name, with `local_files_only` too, unless it is offline."""
    with _quiet():
        comet, hub = import_module("comet"), import_module("transformers.utils.hub")
    load, seen = comet.load_from_checkpoint, []
    monkeypatch.setattr(hub, "_is_offline_mode", False)

    def recorded(path: str, *, local_files_only: bool) -> object:
        seen.append((local_files_only, hub.is_offline_mode()))
        return load(path, local_files_only=local_files_only)

    monkeypatch.setattr(comet, "load_from_checkpoint", recorded)
    quality(comparable(judged()[:1]), metrics=(), comet=trusted(checkpoint))
    assert (seen, hub.is_offline_mode()) == ([(True, True)], False)


def test_what_does_not_load_is_said(checkpoint: Path, tmp_path: Path) -> None:
    segments = comparable(judged()[:1]).kept
    damaged = tmp_path / "damaged"
    shutil.copytree(checkpoint, damaged)
    (damaged / "checkpoints" / "model.ckpt").write_bytes(b"no weights")
    with pytest.raises(MissingError, match=r"model\.ckpt: cannot be loaded as a COMET checkpoint"):
        comet_scores(segments, trusted(damaged))
    hidden = checkpoint / "elsewhere"
    (checkpoint / "encoder").rename(hidden)
    try:
        with pytest.raises(MissingError, match=r"the encoder that hparams\.yaml gives"):
            comet_scores(segments, trusted(checkpoint))
    finally:
        hidden.rename(checkpoint / "encoder")
