"""What tests of local models share: small checkpoints, made once for a file of tests, and chance left as it was."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.answers import Folders


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """The checkpoint of a family, made on first use."""
    from tests.support import tiny_models as tiny

    base = tmp_path_factory.mktemp("checkpoints")
    return lambda family: base / family if (base / family).exists() else tiny.make(family, base / family)


@pytest.fixture
def random_state() -> Iterator[None]:
    """Whatever a test draws, the next draws as if it had not."""
    import torch

    with torch.random.fork_rng(devices=[]):
        yield
