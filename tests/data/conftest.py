from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.hostile_server import Script, serving


@pytest.fixture
def web() -> Iterator[Script]:
    with serving() as script:
        yield script
