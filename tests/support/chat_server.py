"""A server that speaks the OpenAI protocol, and misbehaves on command: faults come first, then good answers."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Request = dict[str, Any]
Fault = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        play = self.server.play
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with play.lock:
            play.requests.append({"path": self.path, "key": self.headers["Authorization"], **body})
            fault = play.faults.pop(0) if play.faults else None
            play.busy += 1
            play.most_at_once = max(play.most_at_once, play.busy)
        try:
            play.over.wait(play.delay)
            if fault:
                fault(self)
            else:
                self.answer(200, play.reply(body))
        finally:
            with play.lock:
                play.busy -= 1

    def answer(self, status: int, body: object, **headers: object) -> None:
        """A whole answer, underscores of headers being hyphens."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in ({"Content_Type": "application/json", "Content_Length": len(content)} | headers).items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64
    play: Play

    def handle_error(self, request: object, client_address: object) -> None:
        pass  # the client hanging up is part of the play


def chat_reply(text: str | None, **choice: object) -> Request:
    """A chat's answer."""
    return {"choices": [{"index": 0, "message": {"role": "assistant", "content": text}, **choice}]}


@dataclass
class Play:
    """What the server does, and what it was asked."""

    url: str
    over: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    faults: list[Fault] = field(default_factory=list)
    reply: Callable[[Request], object] = lambda _: chat_reply("fine", finish_reason="stop")
    delay: float = 0.0
    requests: list[Request] = field(default_factory=list)
    busy: int = 0
    most_at_once: int = 0

    @property
    def prompts(self) -> list[str]:
        """The last message of every request, in the order of arrival."""
        return [request["messages"][-1]["content"] for request in self.requests]


@contextmanager
def serving() -> Iterator[Play]:
    server = _Server(("127.0.0.1", 0), Handler)
    play = server.play = Play(f"http://127.0.0.1:{server.server_port}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield play
    finally:
        play.over.set()
        server.shutdown()
        thread.join()
        server.server_close()


def status(code: int, body: object = b"", **headers: object) -> Fault:
    return lambda handler: handler.answer(code, body, **headers)


def sends(body: object, **headers: object) -> Fault:
    return status(200, body, **headers)


def stall(handler: Handler) -> None:
    """Says nothing, without hanging up."""
    handler.server.play.over.wait(30)


def hang_up(handler: Handler) -> None:
    """Promises an answer and ends the connection in the middle of it."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices"')
    handler.close_connection = True
