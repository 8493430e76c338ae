"""Requests to a web service, one connection per worker: retries that are logged, and a prompt end when interrupted."""

from __future__ import annotations

import functools
import ssl
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import httpx
import msgspec

from referee import __version__
from referee.io.retry import GaveUpError, PassingError, RetryPolicy, retried
from referee.models.api.errors import ApiError, EndedError
from referee.models.api.failures import Failures
from referee.models.api.lines import Line
from referee.models.api.parameters import Body, Parameters
from referee.models.api.reading import ENCODINGS, body
from referee.models.api.usage import Meter, most_tokens, reported

Answer = TypeVar("Answer")

RETRY = RetryPolicy(attempts=7, jitter=0.25)

_SENSELESS = 3  # attempts that an answer without sense is worth
_LARGEST = 16 << 20  # bytes of an answer, unpacked: the log-probabilities of a long text take a tenth of it
_REASON = 1 << 16  # bytes of an answer that says why there is none


@dataclass(frozen=True)
class Terms:
    """The server and its limits; without a rate there is no limit. `timeout` is for a request as a whole."""

    url: str
    key: str = field(default="", repr=False)
    key_name: str = ""
    parallel: int = 8
    rate: float | None = None
    timeout: float = 120.0
    retry: RetryPolicy = RETRY


class Session:
    """The connections of one round of requests.

    `turn` says how many seconds a request must wait for its turn; `hold` delays all that follow.
    """

    def __init__(
        self,
        terms: Terms,
        parameters: Parameters,
        meter: Meter,
        turn: Callable[[], float],
        hold: Callable[[float], None],
    ) -> None:
        self._terms = terms
        self._parameters = parameters
        self._meter = meter
        self._turn = turn
        self._hold = hold
        self._failures = Failures(terms.key, terms.key_name)
        self.ended = threading.Event()
        self._lock = threading.Lock()
        self._lines: dict[int, Line] = {}

    def post(self, path: str, body: Body, read: Callable[[bytes], Answer], *, needed: Collection[str] = ()) -> Answer:
        """The answer to a body sent to a path below the address; `read` says by ValueError that it makes no sense.

        A parameter that the server refuses is sent in another way or left out, unless it is `needed`.
        """
        while True:
            sent = self._parameters.applied(body)
            try:
                return self._answered(path, sent, read)
            except ApiError as error:
                if error.refused is None or not self._parameters.learn(sent, error.refused, needed):
                    raise
                if self._parameters.applied(body) == sent:
                    raise

    def end(self) -> None:
        """Lets nothing new begin, and cuts off what is under way."""
        self.ended.set()
        with self._lock:
            for line in self._lines.values():
                line.cut()

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            for line in self._lines.values():
                line.http.close()

    def _answered(self, path: str, sent: Body, read: Callable[[bytes], Answer]) -> Answer:
        try:
            return retried(partial(self._attempt, path, sent, read), self._terms.retry, "api", self._pause)
        except GaveUpError as error:
            remedy = "run the command again later" if error.later else "check the server, then run the command again"
            raise ApiError(f"does not answer: {error.reason}", remedy, file=self._terms.url) from None

    def _pause(self, seconds: float) -> None:
        if self.ended.wait(seconds) if seconds > 0 else self.ended.is_set():
            raise EndedError

    def _attempt(self, path: str, sent: Body, read: Callable[[bytes], Answer]) -> Answer:
        content = msgspec.json.encode(sent)
        reserved = self._admitted(sent, content)
        try:
            self._pause(self._turn())
        except EndedError:
            self._meter.release(reserved)
            raise
        try:
            return self._exchanged(f"{self._terms.url}/{path}", sent, content, read, reserved)
        except PassingError as error:
            if self.ended.is_set():
                raise EndedError from None
            if error.wait is not None and error.wait <= self._terms.retry.longest:
                self._hold(error.wait)
            raise

    def _admitted(self, sent: Body, content: bytes) -> float:
        """What is reserved for a request, once the limits of the user admit it."""
        limit = sent.get("max_tokens", sent.get("max_completion_tokens"))
        if self._meter.max_cost is not None and not isinstance(limit, int):
            problem = "refuses a limit of tokens, so the cost of an answer is not bounded"
            raise ApiError(problem, "remove max_cost=, and use budget= instead", file=self._terms.url)
        while (reserved := self._meter.admit(most_tokens(content), limit if isinstance(limit, int) else 0)) is None:
            self._pause(0.02)
        return reserved

    def _exchanged(
        self, url: str, sent: Body, content: bytes, read: Callable[[bytes], Answer], reserved: float
    ) -> Answer:
        try:
            response, answer, whole = self._sent(url, content)
        except PassingError:
            self._meter.lose(reserved)
            raise
        if response.status_code != httpx.codes.OK:
            self._meter.release(reserved)
        else:
            self._meter.settle(reserved, reported(answer) if whole else None)
        self._failures.check(response, answer, sent, url)
        if not whole:
            problem = f"sends an answer of more than {_LARGEST >> 20} MiB"
            raise ApiError(problem, "check the server: an answer has a few kilobytes", file=url)
        try:
            return read(answer)
        except ApiError as error:
            raise error.at(url) from None
        except (ValueError, msgspec.DecodeError, RecursionError) as error:
            said = self._failures.clean(answer.decode(errors="replace"))
            cause = f"the response is not valid ({str(error).rstrip('.')}): {said or 'it is empty'}"
            raise PassingError(cause, attempts=_SENSELESS) from None

    def _sent(self, url: str, content: bytes) -> tuple[httpx.Response, bytes, bool]:
        line = self._line()
        with line.within(self._terms.timeout, self.ended) as deadline:
            try:
                asking = line.http.stream("POST", url, content=content, extensions={"trace": line.watch})
                with asking as response:
                    limit = _LARGEST if response.status_code == httpx.codes.OK else _REASON
                    return response, *body(response, limit)
            except httpx.TransportError as error:
                if deadline.passed or isinstance(error, httpx.TimeoutException):
                    raise PassingError(f"no complete answer in {self._terms.timeout:g} s") from None
                told = self._failures.clean(str(error)) or type(error).__name__
                raise PassingError(f"the connection was lost ({told})") from None

    def _line(self) -> Line:
        """The connection of this thread."""
        with self._lock:
            number = threading.get_ident()
            if number not in self._lines:
                self._lines[number] = Line(self._client())
                if self.ended.is_set():
                    self._lines[number].cut()
            return self._lines[number]

    def _client(self) -> httpx.Client:
        headers = {
            "User-Agent": f"referee/{__version__}",
            "Content-Type": "application/json",
            "Accept-Encoding": ENCODINGS,
        }
        if self._terms.key:
            headers["Authorization"] = f"Bearer {self._terms.key}"
        seconds = self._terms.timeout
        return httpx.Client(
            verify=_certificates(),
            headers=headers,
            timeout=httpx.Timeout(seconds, connect=min(15.0, seconds), pool=None),
            limits=httpx.Limits(max_connections=1, max_keepalive_connections=1),
            # A key is for the address that the user gave, and for no other.
            follow_redirects=False,
        )


@functools.cache
def _certificates() -> ssl.SSLContext:
    return httpx.create_ssl_context()  # slow to make, so made once
