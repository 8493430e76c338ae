"""Bodies: unpacked as they arrive, up to a limit."""

from __future__ import annotations

import gzip
import random
import zlib
from collections.abc import Iterator

import httpx
import pytest

from referee.io.retry import PassingError
from referee.models.api.reading import body


class Pieces(httpx.SyncByteStream):
    """A body that arrives in pieces; how many were taken is kept."""

    def __init__(self, content: bytes, size: int) -> None:
        self._pieces = [content[start : start + size] for start in range(0, len(content), size)]
        self.taken = 0

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            self.taken += 1
            yield piece


def answer(content: bytes, encoding: str = "", size: int = 1000) -> httpx.Response:
    headers = {"Content-Encoding": encoding} if encoding else {}
    return httpx.Response(200, headers=headers, stream=Pieces(content, size))


@pytest.mark.parametrize(
    ("length", "size"), [(0, 1), (1, 1), (1, 1000), (65_536, 1), (65_536, 100_000), (300_000, 7), (300_000, 100_000)]
)
def test_packed_or_not_it_is_the_same(length: int, size: int) -> None:
    content = random.Random(length).randbytes(length // 2) + b"x" * (length - length // 2)
    for encoding, packed in (("", content), ("gzip", gzip.compress(content)), ("DEFLATE", zlib.compress(content))):
        assert body(answer(packed, encoding, size), length) == (content, True)
        if length:
            assert body(answer(packed, encoding, size), length - 1) == (content[:-1], False)


def test_no_more_is_taken_than_needed() -> None:
    response = answer(b"x" * 1_000_000)
    assert body(response, 5_000) == (b"x" * 5_000, False)
    assert response.stream.taken < 200  # type: ignore[union-attr]
    bomb = gzip.compress(b"x" * 100_000_000)
    assert body(answer(bomb, "gzip"), 1_000_000) == (b"x" * 1_000_000, False)


@pytest.mark.parametrize(
    ("content", "encoding", "cause"),
    [
        (b"not packed", "gzip", "cannot be unpacked"),
        (gzip.compress(b"abc", mtime=0)[:-1], "gzip", "is not complete"),
        (b"", "gzip", "is not complete"),
        (b"abc", "zstd", "packed as 'zstd', which was not asked for"),
        (b"abc", "gzip, gzip", "packed as 'gzip, gzip'"),
    ],
)
def test_damage(content: bytes, encoding: str, cause: str) -> None:
    with pytest.raises(PassingError) as caught:
        body(answer(content, encoding), 100)
    assert cause in caught.value.cause
