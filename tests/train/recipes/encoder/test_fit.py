"""The loop that fits encoder and heads."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sentencepiece")
pytest.importorskip("google.protobuf")

from torch import Tensor  # noqa: E402

from referee.train.recipes.encoder import state  # noqa: E402
from referee.train.recipes.encoder.batches import Drawer, Drawing  # noqa: E402
from referee.train.recipes.encoder.fit import Fit, Fitting, batches, fit  # noqa: E402
from referee.train.recipes.encoder.pretrain import Hiding  # noqa: E402
from tests.support import small_annotator, small_treebanks  # noqa: E402


def drawer(*seed: int) -> Drawer:
    return Drawer(small_treebanks.examples(), small_annotator.tokens(), Drawing(), *(seed or (1,)))


def run(training: Fitting, **options: object) -> list[float]:
    vocabulary = small_annotator.vocabulary()
    ordinary = Hiding.of(vocabulary, "cpu").ordinary
    drawn = [batches(drawer(1, training.steps), 1, "cpu")]
    return fit(training, drawn, ordinary, vocabulary.mask, **options)  # type: ignore[arg-type]


def test_the_rate_rises_and_falls() -> None:
    schedule = Fit(10, peak=2.0, warm_up=4)
    assert schedule.rate(0, 0.0) == 0.5
    assert schedule.rate(3, 0.0) == schedule.rate(9, 0.0) == 2.0
    assert schedule.rate(9, 0.75) == 0.5
    assert schedule.done(100, 5) == 0.5
    assert Fit(10, steps=50).done(20, 9) == 0.4


def test_it_stops_after_its_steps_and_can_resume(tmp_path: Path) -> None:
    schedule = Fit(0, rows=1, warm_up=2, steps=4)
    first = Fitting(small_annotator.untaught(), Fit(0, rows=1, warm_up=2, steps=2), tmp_path)
    run(first)
    assert (first.steps, first.done) == (2, 1.0)
    second = Fitting(small_annotator.untaught(seed=9), schedule, tmp_path)
    assert (second.steps, second.done) == (2, 0.5)
    assert second.spent == first.spent
    torch.testing.assert_close(second.model.state_dict(), first.model.state_dict())
    shares = [group["share"] for group in second.optimizer.param_groups]
    assert shares == [1.0, schedule.encoder]
    run(second)
    assert second.steps == 4
    assert Fitting(small_annotator.untaught(), schedule, tmp_path).done == 1.0
    assert not second.model.training


def test_the_time_of_a_call_can_be_over_before_the_training(tmp_path: Path) -> None:
    training = Fitting(small_annotator.untaught(), Fit(0, rows=1, steps=4), tmp_path)
    assert run(training, until=0.0) == []
    assert (training.steps, training.done) == (0, 0.0)
    assert (tmp_path / state.STATE).exists()


def test_without_a_folder_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run(Fitting(small_annotator.untaught(), Fit(0, rows=1, steps=1)))
    assert list(tmp_path.iterdir()) == []


def test_masked_text_is_learned_from_too() -> None:
    model = small_annotator.untaught()
    before = model.encoder.head_bias.detach().clone()
    asked: list[int] = []

    def masked(step: int) -> Tensor:
        asked.append(step)
        return model.encoder.head_bias.sum()

    shown = run(Fitting(model, Fit(0, rows=1, warm_up=1, steps=3)), masked=masked)
    assert asked == [0, 1, 2]
    assert len(shown) == 2
    assert (model.encoder.head_bias < before).all()


def test_the_encoder_learns_by_its_share() -> None:
    training = Fitting(small_annotator.untaught(), Fit(0, rows=1, peak=1.0, encoder=0.25, warm_up=1, steps=2))
    run(training)
    rates = [group["lr"] for group in training.optimizer.param_groups]
    assert rates[1] == pytest.approx(0.25 * rates[0])


def test_processes_draw_batches_of_their_own() -> None:
    drawn = [batch.pieces for batch in islice(batches(drawer(), 1, "cpu", 2), 4)]
    assert len({tuple(pieces.flatten().tolist()) for pieces in drawn}) == 4
    expected = [drawer().seeded(number) for number in range(2)]
    for number, pieces in enumerate(drawn):
        assert torch.equal(pieces, expected[number % 2].draw(1).pieces)


def test_one_process_draws_other_batches_than_none() -> None:
    alone, other = (next(batches(drawer(), 1, "cpu", processes)).pieces for processes in (0, 1))
    assert not torch.equal(alone, other)
