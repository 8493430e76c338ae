"""The parts of the training that can be held against plain arithmetic."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("ctranslate2")
pytest.importorskip("transformers")
pytest.importorskip("sentencepiece")

from referee.errors import InputError, MissingError  # noqa: E402
from referee.pocket import store  # noqa: E402
from referee.pocket.store import TRANSLATOR  # noqa: E402
from referee.train.recipes import weights  # noqa: E402
from referee.train.recipes.translator import loop  # noqa: E402
from referee.train.recipes.translator.loop import Examples, Schedule, Training  # noqa: E402
from referee.train.recipes.translator.network import Size, Translator  # noqa: E402
from tests.support.small_translator import STEPS, Trained, called  # noqa: E402

SIZE = Size(vocabulary=10, width=8, inner=8, heads=2, encoder_layers=1, decoder_layers=1, positions=16)
PAD, END = 9, 0


def examples(lengths: list[tuple[int, int]]) -> Examples:
    starts = [np.cumsum([0, *side]) for side in zip(*lengths, strict=True)]
    source, target = (np.arange(ends[-1]) % 8 + 1 for ends in starts)
    return Examples(source, starts[0], target, starts[1])


def test_a_schedule_by_steps_and_one_by_the_clock() -> None:
    by_steps = Schedule(seconds=1, steps=100, peak=1.0, warm_up=10)
    assert [by_steps.rate(steps, 99.0) for steps in (0, 9, 50, 100)] == pytest.approx([0.1, 0.91, 0.5, 0.0])
    by_clock = Schedule(seconds=100, peak=1.0, warm_up=10)
    assert [by_clock.rate(10_000, seconds) for seconds in (0.0, 50.0, 100.0, 101.0)] == [1.0, 0.5, 0.0, 0.0]


def test_examples_go_into_the_table_of_their_length() -> None:
    found = loop.buckets(examples([(3, 2), (11, 4), (12, 4), (5, 15), (175, 1), (176, 1)]), PAD, END, "cpu")
    assert {length: len(bucket.sources) for length, bucket in found.items()} == {12: 2, 16: 2, 176: 1}
    assert found[12].sources[0].tolist() == [1, 2, 3, END, *[PAD] * 8]
    assert found[12].targets[0].tolist() == [1, 2, END, *[PAD] * 9]


def test_a_round_of_batches_holds_every_example_once() -> None:
    found = loop.buckets(examples([(2, 2)] * 8 + [(14, 2)] * 4), PAD, END, "cpu")
    for length, bucket in found.items():
        bucket.sources[:, 0] = torch.arange(len(bucket.sources)) + 100 * length
    batches = loop.batches(found, 24, np.random.default_rng(1))
    first = [next(batches)[0] for _ in range(8)]
    seen = sorted(int(number) for batch in first for number in batch[:, 0])
    assert seen == sorted(int(number) for bucket in found.values() for number in bucket.sources[:, 0])


def test_loss_counts_no_padding_and_starts_from_padding() -> None:
    torch.manual_seed(1)
    model = Translator(SIZE).eval()
    sources, targets = torch.tensor([[1, 2, 0]]), torch.tensor([[3, 4, 0]])
    loss = loop.loss_of(model, sources, targets, PAD, 0.0)
    with torch.no_grad():
        logits = model(sources, torch.tensor([[PAD, 3, 4]]), PAD)
    by_hand = -logits.log_softmax(-1)[0, range(3), [3, 4, 0]].mean()
    torch.testing.assert_close(loss, by_hand)
    one, other = (torch.nn.functional.pad(side, (0, 4), value=PAD) for side in (sources, targets))
    torch.testing.assert_close(loop.loss_of(model, one, other, PAD, 0.0), loss)


def test_watching_leaves_the_weights_as_they_are() -> None:
    training = Training(SIZE, Schedule(1, steps=5, warm_up=1, peak=0.1), PAD, "cpu")
    found = loop.buckets(examples([(3, 3)] * 4), PAD, END, "cpu")
    training.learn(found[12].sources, found[12].targets)
    before = [weight.detach().clone() for weight in training.model.parameters()]
    loop.watched(training, found)
    assert all(map(torch.equal, before, training.model.parameters()))
    assert training.model.training
    assert np.isnan(loop.watched(training, {}))


def test_saved_weights_are_read_and_older_ones_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "_PART", 600)
    training = Training(SIZE, Schedule(1, steps=5), PAD, "cpu")
    training.save(tmp_path, 2.5)
    training.steps = 3
    training.save(tmp_path, 1.5)
    assert {path.name.split("-")[1] for path in tmp_path.glob("*.bin")} == {"3"}
    assert len(list(tmp_path.glob("*.bin"))) > 1
    size, stages, found = weights.read(tmp_path)
    assert (size, stages[-1]["steps"], stages[-1]["loss on unseen films"]) == (asdict(SIZE), 3, 1.5)
    for (name, weight), averaged in zip(found.items(), training.averaged, strict=True):
        assert torch.equal(weight, averaged.to(torch.bfloat16).float()), name
    next(tmp_path.glob("*-0.bin")).write_bytes(b"\0\0")
    with pytest.raises(InputError, match="is cut off"):
        weights.read(tmp_path)


def test_going_on_from_a_stored_translator(tmp_path: Path) -> None:
    first = Training(SIZE, Schedule(1, steps=5, seed=3), PAD, "cpu")
    plain = {name: weight.detach().numpy() for name, weight in first.model.named_parameters()}
    about = {"size": asdict(SIZE), "stages": [{"steps": 7}]}
    store.write(tmp_path / "t.npz", TRANSLATOR, about, b"", plain)
    second = Training(SIZE, Schedule(1, steps=5, seed=4), PAD, "cpu")
    second.begin_with(tmp_path / "t.npz")
    for one, other in zip(first.model.parameters(), second.model.parameters(), strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=0.02)
    second.save(tmp_path / "out", 1.0)
    assert [stage["steps"] for stage in weights.read(tmp_path / "out")[1]] == [7, 0]
    larger = Training(Size(vocabulary=12, width=8, heads=2), Schedule(1), 11, "cpu")
    with pytest.raises(InputError, match="a different size"):
        larger.begin_with(tmp_path / "t.npz")


def test_a_folder_that_was_not_prepared(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match=r"settings\.json: does not exist"):
        loop.train(tmp_path, tmp_path / "out", SIZE, Schedule(1, steps=1), "cpu")


def test_the_loss_falls(trained: Trained) -> None:
    dimensions, stages, _ = weights.read(trained.weights)
    size = Size(**dimensions)
    assert stages[-1]["steps"] == STEPS
    unlearnt = loop.Training(size, Schedule(1, steps=1), size.vocabulary - 1, "cpu")
    films = loop.buckets(loop.read_examples(trained.prepared / "examples.npz", "train"), unlearnt.pad, 0, "cpu")
    at_first = loop.watched(unlearnt, films)
    learnt = loop.Training(size, Schedule(1, steps=1), size.vocabulary - 1, "cpu")
    learnt.begin_with(trained.out / TRANSLATOR.file)
    # In eight bits, too.
    assert loop.watched(learnt, films) < at_first / 5


def test_learning_goes_on_from_a_file(trained: Trained, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "referee")
    for name in ("examples.npz", "settings.json"):
        (tmp_path / name).write_bytes((trained.prepared / name).read_bytes())
    settings = json.loads((tmp_path / "settings.json").read_text())
    (tmp_path / "settings.json").write_text(json.dumps(settings | {"size": trained.translator.about["size"]}))
    options = ("--steps", 2, "--tokens", 500, "--device", "cpu", "--start", trained.out / TRANSLATOR.file)
    called(loop.main, tmp_path, "--out", tmp_path / "more", *options)
    assert "2 steps in" in caplog.messages[-1]
    _, stages, _ = weights.read(tmp_path / "more")
    assert [stage["steps"] for stage in stages] == [STEPS, 2]
