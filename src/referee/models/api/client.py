"""Asking a web service many things at once: retries that say so, a rate, a budget, a prompt end when interrupted."""

from __future__ import annotations

import functools
import queue
import random
import re
import socket
import ssl
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Annotated, Any, Generic, TypeVar

import httpx
import msgspec

from referee import __version__
from referee.errors import RefereeError

Job = TypeVar("Job")
Answer = TypeVar("Answer")
Body = Mapping[str, object]
Say = Callable[[str], None]

_TRY_AGAIN = frozenset({408, 425, 429, 500, *range(502, 505), *range(506, 600)})
_THOUGHT = re.compile(r"<think>.*?(?:</think>|$)", re.DOTALL)
_SHOWN = 300  # characters of a server's own words that an error repeats


class ApiError(RefereeError):
    """A web service does not do what it is asked; `status` is its answer, where it gave one."""

    status: int | None = None


class _SpentError(Exception):
    """The budget does not allow another request."""


class _EndedError(Exception):
    """Nobody waits for the answer any more."""


@dataclass(eq=False)
class _PassingError(Exception):
    """An attempt that failed in a way that may pass; `wait` is how long the server asks to wait."""

    cause: str
    wait: float | None = None
    retries: int | None = None


@dataclass(frozen=True)
class Patience:
    """How often to try again (less where an answer makes no sense), and seconds between attempts (doubling)."""

    retries: int = 6
    senseless: int = 2
    backoff: float = 1.0
    longest: float = 120.0


@dataclass(frozen=True)
class Terms:
    """Where to ask, and on what terms; no rate or budget is no limit."""

    url: str
    key: str = field(default="", repr=False)
    key_name: str = ""
    parallel: int = 8
    rate: float | None = None
    budget: int | None = None
    timeout: float = 120.0
    patience: Patience = Patience()


def to_stderr(message: str) -> None:
    """Says it to whoever watches."""
    sys.stderr.write(f"{message}\n")


class Client:
    """Paces and counts the requests to one server; nothing is opened before there is something to ask."""

    def __init__(self, terms: Terms, say: Say = to_stderr) -> None:
        self.terms = terms
        self.say = say
        self._lock = threading.Lock()
        self._sent = 0
        self._answered = 0
        self._free_at = 0.0

    def each(self, jobs: Sequence[Job], do: Callable[[Session, Job], Answer]) -> Iterator[tuple[int, Answer]]:
        """Does all jobs, several at once, and gives their numbers and answers in the order in which they get done."""
        if not jobs:
            return
        todo: queue.SimpleQueue[int] = queue.SimpleQueue()
        for number in range(len(jobs)):
            todo.put(number)
        done: queue.SimpleQueue[tuple[int, Answer] | Exception | None] = queue.SimpleQueue()
        session = Session(self)

        def work() -> None:
            try:
                while not session.ended.is_set():
                    number = todo.get_nowait()
                    done.put((number, do(session, jobs[number])))
            except queue.Empty:
                pass
            except Exception as error:  # raised where the answers are awaited
                done.put(error)
            finally:
                done.put(None)

        # Daemons: one that still waits for a connection must not keep the program from ending.
        count = min(self.terms.parallel, len(jobs))
        threads = [threading.Thread(target=work, name="referee-api", daemon=True) for _ in range(count)]
        try:
            for thread in threads:
                thread.start()
            yield from self._collected(done, session, len(threads))
        finally:
            session.end()
            until = time.monotonic() + 1.0
            for thread in threads:
                thread.join(timeout=max(0.0, until - time.monotonic()))
            session.http.close()

    def _collected(
        self, done: queue.SimpleQueue[tuple[int, Answer] | Exception | None], session: Session, running: int
    ) -> Iterator[tuple[int, Answer]]:
        """What gets done, until all workers are; then the first failure, so that no answer is lost to it."""
        failure: Exception | None = None
        while running:
            got = done.get()
            if got is None:
                running -= 1
            elif isinstance(got, Exception):
                failure = failure or got
                # What was sent within the budget is paid for and is waited for.
                if not isinstance(got, _SpentError):
                    session.end()
            else:
                self._answered += 1
                yield got
        if isinstance(failure, _SpentError):
            problem = f"the budget of {self.terms.budget} requests is spent after {self._answered} answers"
            remedy = "raise budget=; answers are kept when a cache is used, and the same command goes on from there"
            raise ApiError(problem, remedy, file=self.terms.url)
        if failure:
            raise failure

    def admit(self) -> float:
        """Counts a request and says how many seconds it must wait for its turn."""
        with self._lock:
            if self.terms.budget is not None and self._sent >= self.terms.budget:
                raise _SpentError
            self._sent += 1
            now = time.monotonic()
            turn = max(now, self._free_at)
            if self.terms.rate is not None:
                self._free_at = turn + 1 / self.terms.rate
            return turn - now

    def hold(self, seconds: float) -> None:
        """Lets no further request begin before that: a server that asks one to wait means all."""
        with self._lock:
            self._free_at = max(self._free_at, time.monotonic() + seconds)


class Session:
    """The connections of one round of questions."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._terms = terms = client.terms
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
        content = msgspec.json.encode(body)
        patience = self._terms.patience
        tried = 0
        while True:
            self._pause(self._client.admit())
            tried += 1
            try:
                return self._attempt(path, content, read)
            except _PassingError as broken:
                cause, wait, retries = broken.cause, broken.wait, broken.retries
            if self.ended.is_set():
                raise _EndedError
            if tried > (patience.retries if retries is None else min(retries, patience.retries)):
                remedy = "see whether the server is well, and run the command again"
                raise ApiError(f"gives no answer: {cause} (attempt {tried})", remedy, file=self._terms.url)
            if wait is None:
                # Spread out, or requests that failed together would come back together.
                wait = min(patience.backoff * 2 ** (tried - 1), patience.longest) * random.uniform(1.0, 1.25)  # noqa: S311
            elif wait > patience.longest:
                problem = f"gives no answer: {cause}, asking to wait {wait:.0f} s"
                raise ApiError(problem, "run the command again later", file=self._terms.url)
            else:
                self._client.hold(wait)
            self._client.say(f"api: retrying in {round(wait, 1):g} s: {cause}")
            self._pause(wait)

    def end(self) -> None:
        """Lets nothing new begin, and cuts off what is under way."""
        self.ended.set()
        with self._lock:
            for connection in self._sockets:
                _shut(connection)

    def _pause(self, seconds: float) -> None:
        if self.ended.wait(seconds) if seconds > 0 else self.ended.is_set():
            raise _EndedError

    def _attempt(self, path: str, content: bytes, read: Callable[[bytes], Answer]) -> Answer:
        url = f"{self._terms.url}/{path}"
        try:
            response = self.http.post(url, content=content, extensions={"trace": self._watch})
        except httpx.TimeoutException:
            raise _PassingError(f"no answer in {self._terms.timeout:g} s") from None
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise _PassingError(f"the connection broke ({str(error).rstrip('.') or type(error).__name__})") from None
        self._check(response, url)
        try:
            return read(response.content)
        except ApiError as error:
            raise error.at(url) from None
        except (ValueError, msgspec.DecodeError) as error:
            said = self._clean(response.text)
            cause = f"the answer makes no sense ({str(error).rstrip('.')}): {said or 'it is empty'}"
            raise _PassingError(cause, retries=self._terms.patience.senseless) from None

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
            raise _PassingError(line if status == httpx.codes.TOO_MANY_REQUESTS else told, _retry_after(response))
        error = ApiError(*self._explained(status, told), file=url)
        error.status = status
        raise error

    def _explained(self, status: int, told: str) -> tuple[str, str]:
        """The problem and the remedy."""
        if status in (401, 403):
            problem = f"{'refuses the key' if self._terms.key else 'asks for a key'} ({told})"
            return problem, f"set the environment variable {self._terms.key_name}, or name another by key="
        if status == httpx.codes.NOT_FOUND:
            return f"is not there ({told})", "check the address, which often ends in /v1, and model="
        if status == httpx.codes.OK:
            return "sends a web page instead of an answer", "check the address, which often ends in /v1"
        return f"refuses the request ({told})", "check the address, model= and the options against the server's manual"

    def _clean(self, text: str) -> str:
        """A server's own words in one line; some repeat the key that they refuse."""
        if self._terms.key:
            text = text.replace(self._terms.key, "***")
        text = re.sub(r"[\s\x00-\x1f\x7f]+", " ", text).strip()
        return (text if len(text) <= _SHOWN else text[:_SHOWN] + "...").rstrip(".")


def _message(response: httpx.Response) -> str:
    """What a server says about its failure; the servers agree on no one place for it."""
    try:
        found = msgspec.json.decode(response.content)
    except (ValueError, msgspec.DecodeError):
        return response.text
    for key in ("error", "message", "detail"):
        found = found.get(key, found) if isinstance(found, dict) else found
    return found if isinstance(found, str) else response.text


@functools.cache
def _certificates() -> ssl.SSLContext:
    return httpx.create_ssl_context()  # slow to make, so made once


def _retry_after(response: httpx.Response) -> float | None:
    """Seconds to wait; the header gives them as a number or as a date."""
    value = response.headers.get("Retry-After", "").strip()
    if re.fullmatch(r"\d+(\.\d+)?", value, re.ASCII):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


def _shut(connection: socket.socket) -> None:
    # The plain socket's own: that of an encrypted one would first say goodbye, and wait.
    with suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)


class ChatToken(msgspec.Struct, frozen=True):
    """A token of the answer, and what could have been in its place."""

    token: str
    logprob: float
    top_logprobs: list[ChatToken] = []


class Chat(msgspec.Struct, frozen=True):
    """An answer of the chat: what it says, why it ends, and its tokens where the server tells them."""

    text: str
    finish: str | None
    tokens: list[ChatToken]


class _Message(msgspec.Struct, frozen=True):
    content: str | None = None
    refusal: str | None = None


class _ChatLogprobs(msgspec.Struct, frozen=True):
    content: list[ChatToken] | None = None


class _ChatChoice(msgspec.Struct, frozen=True):
    message: _Message
    finish_reason: str | None = None
    logprobs: _ChatLogprobs | None = None


class Logprobs(msgspec.Struct, frozen=True):
    """The tokens of a prompt and of what follows it."""

    tokens: list[str]
    token_logprobs: list[float | None]
    text_offset: list[int] | None = None


class Completion(msgspec.Struct, frozen=True):
    """An answer of the completions endpoint: the text, and its tokens where the server tells them."""

    text: str
    logprobs: Logprobs | None = None


class _Choices(msgspec.Struct, Generic[Answer], frozen=True):
    choices: Annotated[list[Answer], msgspec.Meta(min_length=1)]


def chat(content: bytes) -> Chat:
    """Reads the answer of the chat; ValueError where it may be another one next time."""
    first = msgspec.json.decode(content, type=_Choices[_ChatChoice]).choices[0]
    text = first.message.content
    if text is None:
        if first.finish_reason == "length":
            raise ApiError("the answer is cut off before it begins", "raise max_tokens=, the model may think first")
        if first.finish_reason != "content_filter" and not first.message.refusal:
            raise ValueError("no content")
    answered = _THOUGHT.sub("", text or "")
    # Where a model thinks aloud, a letter among its tokens need not be the answer.
    tokens = first.logprobs.content if first.logprobs and answered == text else None
    return Chat(answered, first.finish_reason, tokens or [])


def completion(content: bytes) -> Completion:
    """Reads the answer of the completions endpoint; ValueError where it may be another one next time."""
    return msgspec.json.decode(content, type=_Choices[Completion]).choices[0]
