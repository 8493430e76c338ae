"""What the tests of the recipe share: treebanks of a few sentences, and an annotator that has learned some by heart."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.small_annotator import Taught


@pytest.fixture(autouse=True, scope="package")
def one_thread() -> None:
    """Networks as small as these are slower on several threads, and on a busy machine very much so."""
    with suppress(ImportError):
        import torch

        # For good, as in tests.support.tiny_models: restored in between, other tests would get other last digits.
        torch.set_num_threads(1)


@pytest.fixture(scope="package")
def treebanks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with treebanks."""
    for package in ("sentencepiece", "google.protobuf"):
        pytest.importorskip(package)
    from tests.support import small_treebanks

    return small_treebanks.write(tmp_path_factory.mktemp("treebanks"))


@pytest.fixture(scope="package")
def taught() -> Taught:
    """An annotator that knows a few sentences by heart."""
    for package in ("torch", "sentencepiece", "google.protobuf"):
        pytest.importorskip(package)
    from tests.support.small_annotator import teach

    return teach()
