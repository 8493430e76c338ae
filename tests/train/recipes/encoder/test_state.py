"""The state of a training."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402
from torch.optim import Optimizer  # noqa: E402

from referee.train.recipes.encoder import state  # noqa: E402


def step(model: nn.Linear, optimizer: Optimizer) -> None:
    torch.autograd.backward(model(torch.ones(1, 3)).square().sum())
    optimizer.step()
    optimizer.zero_grad()


def started() -> tuple[nn.Linear, Optimizer]:
    torch.manual_seed(1)
    model = nn.Linear(3, 2)
    return model, torch.optim.AdamW(model.parameters(), lr=0.1)


def test_a_training_resumes_where_it_was(tmp_path: Path) -> None:
    model, optimizer = started()
    for _ in range(6):
        step(model, optimizer)
    first, its_optimizer = started()
    for _ in range(3):
        step(first, its_optimizer)
    state.keep(tmp_path / state.STATE, first, its_optimizer, 3, 1.5)
    second, other_optimizer = started()
    assert state.resume(tmp_path / state.STATE, second, other_optimizer) == (3, 1.5)
    for _ in range(3):
        step(second, other_optimizer)
    torch.testing.assert_close(second.weight, model.weight)


def test_random_numbers_are_others_after_it_resumes(tmp_path: Path) -> None:
    model, optimizer = started()
    before = torch.rand(4)
    state.keep(tmp_path / state.STATE, model, optimizer, 3, 1.5)
    model, optimizer = started()
    state.resume(tmp_path / state.STATE, model, optimizer)
    assert not torch.equal(torch.rand(4), before)
