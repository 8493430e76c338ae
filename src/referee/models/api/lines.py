"""The connection of one worker, which can be cut off at any time: at a deadline, or when the run ends."""

from __future__ import annotations

import socket
import threading
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import httpx


@dataclass
class Deadline:
    """Whether the time of a request is over."""

    passed: bool = False


class Line:
    """One client of one worker: at most one request is under way on it, so its sockets are those of that request."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http
        self._sockets: weakref.WeakSet[socket.socket] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._down = False

    def watch(self, event: str, info: Mapping[str, Any]) -> None:
        """Take note of the sockets of a request, which is what allows to cut them off."""
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            connection = info["return_value"].get_extra_info("socket")
            with self._lock:
                self._sockets.add(connection)
                if self._down:
                    _shut(connection)

    def cut(self) -> None:
        """Cut off what is under way, and let no connection begin."""
        with self._lock:
            self._down = True
            for connection in self._sockets:
                _shut(connection)

    @contextmanager
    def within(self, seconds: float, ended: threading.Event) -> Iterator[Deadline]:
        """Cut off a request that takes longer, however it spends its time: a server may send a byte per minute."""
        deadline = Deadline()

        def pass_by() -> None:
            deadline.passed = True
            self.cut()

        timer = threading.Timer(seconds, pass_by)
        timer.daemon = True
        timer.start()
        try:
            yield deadline
        finally:
            timer.cancel()
            # The next request opens a connection of its own.
            with self._lock:
                self._down = ended.is_set()


def _shut(connection: socket.socket) -> None:
    # The plain socket's own: that of an encrypted one would first say goodbye, and wait.
    with suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
