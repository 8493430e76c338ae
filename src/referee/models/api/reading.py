"""The body of an answer, unpacked as it arrives and never beyond a limit: what a server sends may have no end."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import httpx

from referee.io.retry import PassingError

ENCODINGS = "gzip, deflate"
"""The encodings that are asked for: those whose unpacked size can be limited while they are unpacked."""

_STEP = 1 << 16
_EITHER = 47  # gzip or zlib, by the first bytes


def body(response: httpx.Response, limit: int) -> tuple[bytes, bool]:
    """The first `limit` bytes of the unpacked body, and whether that is all of it."""
    pieces: list[bytes] = []
    size = 0
    for piece in _unpacked(response):
        pieces.append(piece[: limit - size])
        size += len(piece)
        if size > limit:
            return b"".join(pieces), False
    return b"".join(pieces), True


def _unpacked(response: httpx.Response) -> Iterator[bytes]:
    encoding = response.headers.get("Content-Encoding", "").strip().lower()
    raw = response.iter_raw(_STEP)
    if encoding in ("", "identity"):
        yield from raw
        return
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise PassingError(f"the answer is packed as '{encoding[:40]}', which was not asked for", attempts=1)
    unpacker = zlib.decompressobj(_EITHER)
    try:
        for chunk in raw:
            rest = chunk
            while rest and not unpacker.eof:
                yield unpacker.decompress(rest, _STEP)
                rest = unpacker.unconsumed_tail
        while not unpacker.eof and (piece := unpacker.decompress(b"", _STEP)):
            yield piece
    except zlib.error as error:
        raise PassingError(f"the answer cannot be unpacked ({error})", attempts=3) from None
    if not unpacker.eof:
        raise PassingError("the packed answer is not complete", attempts=3)
