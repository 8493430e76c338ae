"""What the tests of the training share."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.small_translator import Trained


@pytest.fixture(autouse=True, scope="package")
def one_thread() -> None:
    """Networks as small as these are slower on several threads, and on a busy machine very much so."""
    with suppress(ImportError):
        import torch

        # For good, as in tests.support.tiny_models: restored in between, other tests would get other last digits.
        torch.set_num_threads(1)


@pytest.fixture(scope="package")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """A small translator that has learnt from invented films, once for all tests of this folder."""
    for package in ("torch", "ctranslate2", "transformers", "sentencepiece"):
        pytest.importorskip(package)
    from tests.support.small_translator import make

    return make(tmp_path_factory.mktemp("pocket"))
