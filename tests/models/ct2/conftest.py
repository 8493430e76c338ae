"""Models of CTranslate2, converted once for all tests of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def convert(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """The folder of a family, converted on first use."""
    from tests.support.tiny_ct2 import converted

    return partial(converted, tmp_path_factory.mktemp("ct2"))
