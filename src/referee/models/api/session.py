"""Requests to a web service over shared connections: retries that are logged, and a prompt end when interrupted."""

from __future__ import annotations

import functools
import re
import socket
import ssl
import threading
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import httpx
import msgspec

from referee import __version__
from referee.io.retry import GaveUpError, PassingError, RetryPolicy, retried, retry_after
from referee.models.api.errors import ApiError, EndedError

Answer = TypeVar("Answer")
Body = Mapping[str, object]

RETRY = RetryPolicy(attempts=7, jitter=0.25)

_SENSELESS = 3  # attempts that an answer without sense is worth
_TRY_AGAIN = frozenset({408, 425, 429, 500, *range(502, 505), *range(506, 600)})
_SHOWN = 300  # characters of a server's own words that an error repeats


@dataclass(frozen=True)
class Terms:
    """The server and its limits; without a rate or budget there is no limit."""

    url: str
    key: str = field(default="", repr=False)
    key_name: str = ""
    parallel: int = 8
    rate: float | None = None
    budget: int | None = None
    timeout: float = 120.0
    retry: RetryPolicy = RETRY


class Session:
    """The connections of one round of requests.

    `admit` counts a request and says how many seconds it must wait for its turn; `hold` delays all that follow.
    """

    def __init__(self, terms: Terms, admit: Callable[[], float], hold: Callable[[float], None]) -> None:
        self._terms = terms
        self._admit = admit
        self._hold = hold
        self.ended = threading.Event()
        self._sockets: weakref.WeakSet[socket.socket] = weakref.WeakSet()
        self._lock = threading.Lock()
        headers = {"User-Agent": f"referee/{__version__}", "Content-Type": "application/json"}
        if terms.key:
            headers["Authorization"] = f"Bearer {terms.key}"
        self.http = httpx.Client(
            verify=_certificates(),
            headers=headers,
            timeout=httpx.Timeout(terms.timeout, connect=min(15.0, terms.timeout), pool=None),
            limits=httpx.Limits(max_connections=terms.parallel, max_keepalive_connections=terms.parallel),
        )

    def post(self, path: str, body: Body, read: Callable[[bytes], Answer]) -> Answer:
        """The answer to a body sent to a path below the address; `read` says by ValueError that it makes no sense."""
        attempt = partial(self._attempt, path, msgspec.json.encode(body), read)
        try:
            return retried(attempt, self._terms.retry, "api", self._pause)
        except GaveUpError as error:
            remedy = "run the command again later" if error.later else "check the server, then run the command again"
            raise ApiError(f"does not answer: {error.reason}", remedy, file=self._terms.url) from None

    def end(self) -> None:
        """Lets nothing new begin, and cuts off what is under way."""
        self.ended.set()
        with self._lock:
            for connection in self._sockets:
                _shut(connection)

    def _pause(self, seconds: float) -> None:
        if self.ended.wait(seconds) if seconds > 0 else self.ended.is_set():
            raise EndedError

    def _attempt(self, path: str, content: bytes, read: Callable[[bytes], Answer]) -> Answer:
        self._pause(self._admit())
        try:
            return self._sent(f"{self._terms.url}/{path}", content, read)
        except PassingError as error:
            if self.ended.is_set():
                raise EndedError from None
            if error.wait is not None and error.wait <= self._terms.retry.longest:
                self._hold(error.wait)
            raise

    def _sent(self, url: str, content: bytes, read: Callable[[bytes], Answer]) -> Answer:
        try:
            response = self.http.post(url, content=content, extensions={"trace": self._watch})
        except httpx.TimeoutException:
            raise PassingError(f"no answer in {self._terms.timeout:g} s") from None
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise PassingError(f"the connection was lost ({str(error).rstrip('.') or type(error).__name__})") from None
        self._check(response, url)
        try:
            return read(response.content)
        except ApiError as error:
            raise error.at(url) from None
        except (ValueError, msgspec.DecodeError) as error:
            said = self._clean(response.text)
            cause = f"the response is not valid ({str(error).rstrip('.')}): {said or 'it is empty'}"
            raise PassingError(cause, attempts=_SENSELESS) from None

    def _watch(self, event: str, info: Mapping[str, Any]) -> None:
        """Takes note of the sockets, which is what allows to cut them off."""
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            connection = info["return_value"].get_extra_info("socket")
            with self._lock:
                self._sockets.add(connection)
                if self.ended.is_set():
                    _shut(connection)

    def _check(self, response: httpx.Response, url: str) -> None:
        status = response.status_code
        line = f"{status} {response.reason_phrase}".rstrip()
        page = response.headers.get("Content-Type", "").startswith("text/html")
        if status == httpx.codes.OK and not page:
            return
        said = "" if page else self._clean(_message(response))
        told = f"{line}: {said}" if said else line
        # A quota that is used up is reported like a rate that is too high, but does not pass.
        if status in _TRY_AGAIN and "insufficient_quota" not in response.text:
            raise PassingError(line if status == httpx.codes.TOO_MANY_REQUESTS else told, _wait(response))
        error = ApiError(*self._explained(status, told), file=url)
        error.status = status
        raise error

    def _explained(self, status: int, told: str) -> tuple[str, str]:
        """The problem and the remedy."""
        if status in (401, 403):
            problem = f"{'rejects the key' if self._terms.key else 'requires a key'} ({told})"
            return problem, f"set the environment variable {self._terms.key_name}, or choose another with key="
        if status == httpx.codes.NOT_FOUND:
            return f"was not found ({told})", "check model= and the address, which often ends in /v1"
        if status == httpx.codes.OK:
            return "returns a web page instead of an answer", "check the address, which often ends in /v1"
        return f"rejects the request ({told})", "check the address, model= and the options"

    def _clean(self, text: str) -> str:
        """A server's own words in one line; some repeat the key that they refuse."""
        if self._terms.key:
            text = text.replace(self._terms.key, "***")
        text = re.sub(r"[\s\x00-\x1f\x7f]+", " ", text).strip()
        return (text if len(text) <= _SHOWN else text[:_SHOWN] + "...").rstrip(".")


def _message(response: httpx.Response) -> str:
    """What a server says about its failure; the servers agree on no one place for it."""
    try:
        told = msgspec.json.decode(response.content)
    except (ValueError, msgspec.DecodeError):
        return response.text
    for key in ("error", "message", "detail"):
        told = told.get(key, told) if isinstance(told, dict) else told
    return told if isinstance(told, str) else response.text


@functools.cache
def _certificates() -> ssl.SSLContext:
    return httpx.create_ssl_context()  # slow to make, so made once


def _wait(response: httpx.Response) -> float | None:
    return retry_after(response.headers.get("Retry-After", ""))


def _shut(connection: socket.socket) -> None:
    # The plain socket's own: that of an encrypted one would first say goodbye, and wait.
    with suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
