"""A web server that misbehaves on command: each request is answered by the next step of a script."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        script = self.server.script
        script.requests.append({"path": self.path, **{name.lower(): value for name, value in self.headers.items()}})
        step = script.steps.pop(0) if len(script.steps) > 1 else script.steps[0]
        step(self)

    def answer(self, status: int, body: bytes = b"", **headers: object) -> None:
        """Exactly these headers (underscores are hyphens), the body, and the end of the connection."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    script: Script

    def handle_error(self, request: object, client_address: object) -> None:
        pass  # the client hanging up is part of the play


Step = Callable[[Handler], None]


@dataclass
class Script:
    """What the server will do (the last step repeats), and what it was asked."""

    url: str
    over: threading.Event
    steps: list[Step] = field(default_factory=list)
    requests: list[dict[str, str]] = field(default_factory=list)

    def play(self, *steps: Step) -> None:
        self.steps = list(steps)

    @property
    def ranges(self) -> list[str | None]:
        return [request.get("range") for request in self.requests]


@contextmanager
def serving() -> Iterator[Script]:
    server = _Server(("127.0.0.1", 0), Handler)
    script = server.script = Script(f"http://127.0.0.1:{server.server_port}", threading.Event())
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield script
    finally:
        script.over.set()
        server.shutdown()
        thread.join()
        server.server_close()


def whole(body: bytes, **headers: object) -> Step:
    """All of it, whatever range is asked for."""
    return lambda handler: handler.answer(200, body, Content_Length=len(body), **headers)


def ranged(body: bytes, tag: str) -> Step:
    """A good server: honours `Range` if `If-Range` names the present tag."""

    def step(handler: Handler) -> None:
        byte_range, condition = handler.headers["Range"], handler.headers["If-Range"]
        if byte_range is None or condition != tag:
            handler.answer(200, body, Content_Length=len(body), ETag=tag)
            return
        start = int(byte_range.removeprefix("bytes=").removesuffix("-"))
        rest = body[start:]
        content_range = f"bytes {start}-{len(body) - 1}/{len(body)}"
        handler.answer(206, rest, Content_Length=len(rest), Content_Range=content_range, ETag=tag)

    return step


def cut(body: bytes, after: int, **headers: object) -> Step:
    """Promises all and hangs up after some."""
    return lambda handler: handler.answer(200, body[:after], Content_Length=len(body), **headers)


def stall(script: Script, body: bytes, after: int, **headers: object) -> Step:
    """Promises all and falls silent after some, without hanging up."""

    def step(handler: Handler) -> None:
        handler.answer(200, body[:after], Content_Length=len(body), **headers)
        script.over.wait(30)

    return step


def reset(body: bytes = b"", after: int = 0, **headers: object) -> Step:
    """Sends some and breaks the connection with a reset."""

    def step(handler: Handler) -> None:
        if after:
            handler.answer(200, body[:after], Content_Length=len(body), **headers)
        handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        handler.connection.close()

    return step


def status(code: int, body: bytes = b"no", **headers: object) -> Step:
    return lambda handler: handler.answer(code, body, Content_Length=len(body), **headers)
