"""The answers of an OpenAI-compatible server, decoded."""

from __future__ import annotations

import re
from typing import Annotated, Generic, TypeVar

import msgspec

Choice = TypeVar("Choice")

_THOUGHT = re.compile(r"<think>.*?(?:</think>|$)", re.DOTALL)


Logprob = Annotated[float, msgspec.Meta(ge=-1e9, le=0.01)]
"""A log-probability; rounding may lift it a little above 0."""


class ChatToken(msgspec.Struct, frozen=True):
    """A token of the answer, and what could have been in its place."""

    token: str
    logprob: Logprob
    top_logprobs: list[ChatToken] = []


class Chat(msgspec.Struct, frozen=True):
    """An answer of the chat: what it says, why it ends, and its tokens where the server tells them."""

    text: str
    finish: str | None
    tokens: list[ChatToken]

    @property
    def truncated(self) -> bool:
        """Whether it ended at the limit of tokens."""
        return self.finish == "length"


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
    token_logprobs: list[Logprob | None]
    text_offset: list[int] | None = None


class Completion(msgspec.Struct, frozen=True):
    """An answer of the completions endpoint: the text, and its tokens where the server tells them."""

    text: str
    logprobs: Logprobs | None = None


class _Choices(msgspec.Struct, Generic[Choice], frozen=True):
    choices: Annotated[list[Choice], msgspec.Meta(min_length=1)]


def chat(content: bytes) -> Chat:
    """Decodes an answer of the chat; ValueError if the next one may make more sense."""
    first = msgspec.json.decode(content, type=_Choices[_ChatChoice]).choices[0]
    text = first.message.content
    # A model that reasons may use up its tokens before the text begins.
    if text is None and first.finish_reason not in ("length", "content_filter") and not first.message.refusal:
        raise ValueError("no content")
    answered = _THOUGHT.sub("", text or "")
    # Where a model thinks aloud, a letter among its tokens need not be the answer.
    tokens = first.logprobs.content if first.logprobs and answered == text else None
    return Chat(answered, first.finish_reason, tokens or [])


def completion(content: bytes) -> Completion:
    """Decodes an answer of the completions endpoint; ValueError if the next one may make more sense."""
    return msgspec.json.decode(content, type=_Choices[Completion]).choices[0]
