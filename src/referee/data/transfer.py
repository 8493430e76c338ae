"""One attempt to download an address into a part file, resuming where the last attempt stopped.

A part may only be resumed if the file at the source is still the same one. What proves that (the entity tag, else the
date of change) is kept next to it in `NAME.part.json`, and sent as `If-Range`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import IO

import httpx
import msgspec

from referee.errors import DownloadError
from referee.io.files import atomic_write
from referee.io.progress import Progress
from referee.io.retry import PassingError, retry_after

_CONTENT_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")
_TRY_AGAIN = frozenset({408, 425, 429})


class _Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a part is a part of."""

    url: str
    validator: str
    total: int | None


def note_of(part: Path) -> Path:
    """The file next to a part that says what it is a part of."""
    return part.with_name(part.name + ".json")


def attempt(
    client: httpx.Client, url: str, part: Path, file: IO[bytes], size: int | None, progress: Progress | None
) -> None:
    """Fills `file`, which is `part` opened for appending, or raises `PassingError` or a `DownloadError`."""
    origin = _origin(part, url)
    start = part.stat().st_size if origin else 0
    if origin and start == origin.total:
        return
    headers = {"Range": f"bytes={start}-", "If-Range": origin.validator} if origin and start else {}
    try:
        with client.stream("GET", url, headers=headers) as response:
            if start and response.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
                _restart(part, file)
                raise PassingError("the server cannot resume this file, starting again")
            _check_answer(response, url)
            if response.status_code == httpx.codes.PARTIAL_CONTENT:
                total = _continued(response, url, start, origin, part, file)
            else:
                start, total = 0, _length(response)
                _restart(part, file)
            if total is not None and size is not None and total != size:
                _restart(part, file)
                raise _wrong(url, f"expected {size} bytes, but the source has {total}")
            _note(response, url, part, total)
            _receive(response, url, file, start, total or size, progress)
    except (httpx.TooManyRedirects, httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
        raise _wrong(url, f"cannot be opened ({error})") from None
    except httpx.TransportError as error:
        raise PassingError(_cause(error)) from None


def _receive(
    response: httpx.Response, url: str, file: IO[bytes], done: int, total: int | None, progress: Progress | None
) -> None:
    try:
        for chunk in response.iter_raw():
            done += len(chunk)
            if total is not None and done > total:
                file.truncate(0)
                raise _wrong(url, f"expected {total} bytes, but the server sends more")
            file.write(chunk)
            if progress:
                progress(done, total)
    finally:
        # What came before a break is kept for the next attempt.
        file.flush()
    if total is not None and done < total:
        raise PassingError(f"the response ended after {done} of {total} bytes")
    if done == 0:
        raise _wrong(url, "the file at the source is empty")


def _check_answer(response: httpx.Response, url: str) -> None:
    status = response.status_code
    if status in _TRY_AGAIN or status >= httpx.codes.INTERNAL_SERVER_ERROR:
        raise PassingError(f"the server returned {status} {response.reason_phrase}".rstrip(), _wait(response))
    if status not in (httpx.codes.OK, httpx.codes.PARTIAL_CONTENT):
        raise _wrong(url, f"cannot be downloaded: the server returned {status} {response.reason_phrase}".rstrip())
    if url.startswith("https:") and response.url.scheme != "https":
        raise _wrong(url, f"redirects to an address without encryption ({response.url})")
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise _wrong(url, f"the server sent the file encoded as {response.headers['Content-Encoding']}")
    if response.headers.get("Content-Type", "").startswith("text/html"):
        raise _wrong(url, "the server sent a web page instead of the file")


def _continued(
    response: httpx.Response, url: str, start: int, origin: _Origin | None, part: Path, file: IO[bytes]
) -> int | None:
    """The whole length that a partial answer belongs to; one that does not fit the part discards the part."""
    match = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", ""))
    if origin is None or start == 0:
        raise _wrong(url, "the server sent only a part of the file")
    total = int(match[3]) if match and match[3] != "*" else None
    same = _validator(response) in (None, origin.validator) and (total is None or origin.total in (None, total))
    if match and int(match[1]) == start and same:
        return total or origin.total
    _restart(part, file)
    cause = "the server sent a different part of the file" if same else "the file has changed at the source"
    raise PassingError(f"{cause}, starting again")


def _restart(part: Path, file: IO[bytes]) -> None:
    note_of(part).unlink(missing_ok=True)
    file.truncate(0)


def _note(response: httpx.Response, url: str, part: Path, total: int | None) -> None:
    if validator := _validator(response):
        with atomic_write(note_of(part)) as file:
            file.write(msgspec.json.encode(_Origin(url, validator, total)))


def _origin(part: Path, url: str) -> _Origin | None:
    try:
        origin = msgspec.json.decode(note_of(part).read_bytes(), type=_Origin)
    except (FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return origin if origin.url == url else None


def _validator(response: httpx.Response) -> str | None:
    """What `If-Range` may hold: a weak tag vouches for the meaning, not for the bytes."""
    tag: str = response.headers.get("ETag", "")
    return tag if tag and not tag.startswith("W/") else response.headers.get("Last-Modified")


def _length(response: httpx.Response) -> int | None:
    length = response.headers.get("Content-Length", "")
    return int(length) if length.isdecimal() else None


def _wait(response: httpx.Response) -> float | None:
    return retry_after(response.headers.get("Retry-After", ""))


def _cause(error: httpx.TransportError) -> str:
    if isinstance(error, httpx.ReadTimeout):
        return "the server stopped sending"
    if isinstance(error, httpx.ConnectTimeout):
        return "the server did not answer in time"
    return f"the connection was lost ({str(error).rstrip('.') or type(error).__name__})"


def _wrong(url: str, problem: str) -> DownloadError:
    return DownloadError(problem, "report it, or copy the file there yourself", file=url)
