"""A server that speaks the OpenAI protocol, and misbehaves on command: faults come first, then good answers."""

from __future__ import annotations

import json
import socket
import struct
import threading
import zlib
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
            elif not play.refuses(self, body):
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


def refusing(*names: str, error: Callable[[str], object] | None = None) -> Callable[[Handler, Request], bool]:
    """Refuses each of these parameters, the first that is there in an answer of its own."""

    def refuses(handler: Handler, body: Request) -> bool:
        name = next((name for name in names if name in body), None)
        if name is None:
            return False
        handler.answer(400, (error or openai_refusal)(name))
        return True

    return refuses


def openai_refusal(name: str) -> Request:
    """How OpenAI refuses a parameter."""
    if name == "temperature":
        message = (
            "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) is supported."
        )
        code = "unsupported_value"
    else:
        use = " Use 'max_completion_tokens' instead." if name == "max_tokens" else ""
        message, code = (
            f"Unsupported parameter: '{name}' is not supported with this model.{use}",
            "unsupported_parameter",
        )
    return {"error": {"message": message, "type": "invalid_request_error", "param": name, "code": code}}


@dataclass
class Play:
    """What the server does, and what it was asked."""

    url: str
    over: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    faults: list[Fault] = field(default_factory=list)
    refuses: Callable[[Handler, Request], bool] = lambda *_: False
    reply: Callable[[Request], object] = lambda _: chat_reply("fine", finish_reason="stop")
    delay: float = 0.0
    requests: list[Request] = field(default_factory=list)
    busy: int = 0
    streamed: int = 0
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


def endless(handler: Handler) -> None:
    """An answer that never ends, as fast as it is read; how much was read is kept in the play."""
    _stream(handler, b'{"choices": [{"message": {"content": "' + b"x" * (1 << 16))


def gzip_bomb(handler: Handler) -> None:
    """An answer that is small on the way and has no end when it is unpacked."""
    packer = zlib.compressobj(9, wbits=31)
    start = packer.compress(b'{"choices": [{"message": {"content": "' + b"x" * (1 << 26))
    _stream(handler, start + packer.flush(zlib.Z_SYNC_FLUSH), Content_Encoding="gzip")


def _stream(handler: Handler, content: bytes, **headers: object) -> None:
    handler.send_response(200)
    for name, value in ({"Content_Type": "application/json"} | headers).items():
        handler.send_header(name.replace("_", "-"), str(value))
    handler.send_header("Connection", "close")
    handler.end_headers()
    handler.close_connection = True
    play = handler.server.play
    while not play.over.is_set():
        handler.wfile.write(content)
        with play.lock:
            play.streamed += len(content)


def drip(handler: Handler) -> None:
    """A byte at a time, each soon enough."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    while not handler.server.play.over.wait(0.02):
        handler.wfile.write(b" ")
        handler.wfile.flush()


def drip_headers(handler: Handler) -> None:
    """A header that has no end, a byte at a time."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
    while not handler.server.play.over.wait(0.02):
        handler.wfile.write(b"x")
        handler.wfile.flush()


def soon(handler: Handler) -> None:
    """One interim answer after the other, and never the answer."""
    while not handler.server.play.over.wait(0.01):
        handler.wfile.write(b"HTTP/1.1 102 Processing\r\n\r\n")
        handler.wfile.flush()


def many_headers(handler: Handler) -> None:
    """Headers without end, as fast as they are read."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while not handler.server.play.over.is_set():
        handler.wfile.write(b"X-A: " + b"a" * 1000 + b"\r\n")


def reset(handler: Handler) -> None:
    """Breaks the connection in the middle of an answer."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices"')
    handler.wfile.flush()
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.close_connection = True


def raw(content: bytes) -> Fault:
    """Whatever bytes, and the end of the connection."""

    def fault(handler: Handler) -> None:
        handler.wfile.write(content)
        handler.wfile.flush()
        handler.close_connection = True

    return fault


def hang_up(handler: Handler) -> None:
    """Promises an answer and ends the connection in the middle of it."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices"')
    handler.close_connection = True
