"""A connection that is cut off: at its deadline, or when the run ends."""

from __future__ import annotations

import threading

import httpx
import pytest

from referee.models.api.lines import Line
from tests.support.chat_server import Play, drip, drip_headers, stall


def post(line: Line, server: Play) -> bytes:
    body = b'{"messages": [{"content": "x"}]}'
    with line.http.stream("POST", server.url, content=body, extensions={"trace": line.watch}) as response:
        return response.read()


@pytest.mark.parametrize("fault", [drip, drip_headers, stall])
def test_a_deadline_cuts_off_and_the_next_request_goes_through(server: Play, fault: object) -> None:
    with httpx.Client(timeout=60) as http:
        line = Line(http)
        server.faults = [fault]  # type: ignore[list-item]
        with pytest.raises(httpx.TransportError), line.within(0.2, threading.Event()) as deadline:
            post(line, server)
        assert deadline.passed
        with line.within(60, threading.Event()) as deadline:
            assert b"fine" in post(line, server)
        assert not deadline.passed


def test_a_line_that_is_cut_stays_so_when_the_run_ends(server: Play) -> None:
    ended = threading.Event()
    with httpx.Client(timeout=60) as http:
        line = Line(http)
        with line.within(60, ended):
            post(line, server)
        ended.set()
        line.cut()
        for _ in range(2):
            with pytest.raises(httpx.TransportError), line.within(60, ended):
                post(line, server)
