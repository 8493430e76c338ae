"""What a server's answers hold, and what they do not."""

from __future__ import annotations

from tests.support.api_model import translated
from tests.support.chat_server import Play, chat_reply


def test_thoughts_are_no_part_of_a_translation(server: Play) -> None:
    server.reply = lambda body: chat_reply("<think>Hm, B?</think>\nGut.")
    assert translated(server) == [(0, "Gut.")]


def test_what_a_filter_stopped_is_empty(server: Play) -> None:
    server.reply = lambda body: chat_reply(None, finish_reason="content_filter")
    assert translated(server) == [(0, "")]
