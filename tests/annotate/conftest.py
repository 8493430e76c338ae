"""A plug-in with tiny tools."""

from __future__ import annotations

import pytest

from tests.conftest import Install
from tests.support.tiny_tools import CODE, ENTRIES


@pytest.fixture
def tiny(install: Install) -> None:
    """Install the plug-in."""
    install("tiny_tools", ENTRIES, CODE)
