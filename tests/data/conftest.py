from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.data.hostile import Script, serving


@pytest.fixture
def web() -> Iterator[Script]:
    with serving() as script:
        yield script
