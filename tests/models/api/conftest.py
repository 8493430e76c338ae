"""A server on loopback for every test of web services."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.chat_server import Play, serving


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Play]:
    monkeypatch.delenv("REFEREE_API_KEY", raising=False)
    with serving() as play:
        yield play
