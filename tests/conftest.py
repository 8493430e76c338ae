"""What tests share: the public data, where it is there."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of public sets beside the checkout; tests that need it skip where it is not there."""
    if not SHARED.is_dir():
        pytest.skip(f"public data is not at {SHARED}")
    return SHARED
