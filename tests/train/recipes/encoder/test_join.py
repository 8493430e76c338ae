"""The whole recipe by its commands, one after the other, on a few sentences; then the annotator opens the result."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
for package in ("sentencepiece", "google.protobuf", "ctranslate2"):
    pytest.importorskip(package)

from referee.annotate.pocket.annotator import PocketAnnotator, no_lexicon  # noqa: E402
from referee.annotate.pocket.heads import read_heads  # noqa: E402
from referee.annotate.protocols import SourceText  # noqa: E402
from referee.pocket import store  # noqa: E402
from referee.pocket.encoder import open_encoder  # noqa: E402
from referee.train.recipes import weights  # noqa: E402
from referee.train.recipes.encoder import (  # noqa: E402
    export,
    export_heads,
    join,
    label,
    passages,
    prepare,
    pretrain,
    teach,
)
from referee.train.recipes.encoder.join import masked_loss  # noqa: E402
from referee.train.recipes.encoder.passages import LANGUAGES  # noqa: E402
from referee.train.recipes.encoder.pretrain import Hiding, Schedule, streams  # noqa: E402
from tests.support import small_annotator, small_treebanks  # noqa: E402
from tests.support.small_translator import called  # noqa: E402


def test_masked_rows_are_long_at_every_eighth_step() -> None:
    vocabulary = small_annotator.vocabulary()
    learned = streams(small_treebanks.passages()["train"], vocabulary, 1)
    schedule = Schedule(0, pieces=128, length=16, longest=64)
    model = small_annotator.untaught().eval()
    lengths: list[int] = []
    model.encoder.register_forward_pre_hook(lambda _, inputs: lengths.append(inputs[0].shape[1]))
    hiding = Hiding.of(vocabulary, "cpu")
    for weight in (1.0, 0.5):
        loss = masked_loss(model, learned, hiding, schedule, weight)
        with torch.no_grad():
            values = [float(loss(step)) for step in range(9)]
        assert all(value == pytest.approx(weight * 4.8, abs=0.5) for value in values)
    assert lengths[:9] == [64, *[16] * 7, 64]


def test_the_recipe_from_text_to_annotation(treebanks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pretrain, "WATCHED", 4)
    text, mlm, prepared, out = (tmp_path / name for name in ("text", "mlm", "prepared", "out"))
    cpu = ("--device", "cpu")
    text.mkdir()
    passages.write(text / passages.FILE, small_treebanks.passages())
    size = ("--vocabulary", small_treebanks.VOCABULARY, "--pieces", 1_024, "--layers", 2, "--width", 16, "--threads", 1)
    called(pretrain.main, text, "--out", mlm, "--state", tmp_path / "state", "--steps", 2, *size, *cpu)
    called(prepare.main, treebanks, mlm / "pieces.model", prepared)
    small_treebanks.write_lexicon(prepared / "labels.tsv.xz")
    for seed in (1, 2):
        taught = tmp_path / f"teacher{seed}"
        called(teach.main, mlm, prepared, taught, "--seed", seed, "--steps", 2, "--rows", 1, "--processes", 1, *cpu)
    teachers = (tmp_path / "teacher1", tmp_path / "teacher2")
    source = text / passages.FILE
    called(label.main, source, prepared, mlm, tmp_path / "found.npz", *teachers, "--characters", 300, *cpu)
    rows = ("--rows", 1, "--found-rows", 1, "--pieces", 1_024)
    joined = (mlm, prepared, source, tmp_path / "joined", "--found", tmp_path / "found.npz")
    called(join.main, *joined, "--steps", 2, "--processes", 2, *rows, *cpu)
    called(export.main, tmp_path / "joined/encoder", out)
    called(export_heads.main, tmp_path / "joined/heads", prepared, out)

    stages = weights.read(tmp_path / "joined/encoder")[1]
    assert [stage["steps"] for stage in stages] == [2, 2]
    assert set(stages[1]["gold tokens"]) == set(LANGUAGES)
    hashes = store.checksums(out)
    encoder = open_encoder(store.read(out / "encoder.npz", store.ENCODER, hashes["encoder.npz"]))
    heads = read_heads(store.read(out / "heads.npz", store.HEADS, hashes["heads.npz"]))
    annotator = PocketAnnotator(encoder, heads, no_lexicon)
    said = "Der Hund steht zum Haus."
    (document,) = annotator.annotate([SourceText("d", said)], "de")
    words = [word for sentence in document.sentences for word in sentence.words]
    covered = {place for word in words for place in range(word.start, word.end)}
    assert {place for place, character in enumerate(said) if character != " "} <= covered
    german = {heads.about.upos[number] for number in heads.about.tags["de"]}
    assert {word.upos for word in words} <= german
    assert {word.deprel for word in words} <= set(heads.about.deprels)
