"""What a server takes of the parameters that it is sent, learned from its refusals and shared by all requests."""

from __future__ import annotations

import re
import threading
from collections.abc import Collection, Mapping, Sequence

import msgspec

from referee.logs import logger

Body = Mapping[str, object]

OPTIONAL = (
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "logprobs",
    "top_logprobs",
    "echo",
    "seed",
    "stop",
    "n",
)
"""Parameters that a server may not know; a message must name one of them, as sent, to be taken for a refusal."""

REASONING_TOKENS = 4096
"""What is added to the limit of a model that takes `max_completion_tokens` only: it reasons within the limit."""

SYSTEM = "messages[0].role"
NONE = "none"
_FEW = 5  # alternatives per token that a server gives which does not give 20

_LIMITS = ("max_tokens", "max_completion_tokens")
_REFUSING = frozenset({400, 403, 422})
_UNSUPPORTED = re.compile(
    r"un(supported|known|expected|recogni[sz]ed)|not (be )?(supported|permitted|allowed|available|recogni[sz]ed)"
    r"|(does|do)(n't| not) support|\bextra\b|deprecated|instead|forbidden|no such"
    r"|invalid.{0,20}(parameter|argument|field)",
    re.IGNORECASE,
)
_SYSTEM_ROLE = re.compile(
    r"system.{0,3}( role| message| instruction)|(not support|unsupported).{0,20}system", re.IGNORECASE
)


class Parameters:
    """The changes to what is sent: by name, what is sent in its place, or `none`."""

    def __init__(self, reasoning: int = REASONING_TOKENS) -> None:
        self._changes: dict[str, str] = {}
        self._reasoning = reasoning
        self._lock = threading.Lock()

    @property
    def text(self) -> str:
        """All changes in one line, for signatures, keys of the cache and `restore`."""
        return ",".join(f"{name}={instead}" for name, instead in sorted(self._changes.items()))

    def restore(self, text: str) -> None:
        """Begin with the changes of an earlier run."""
        with self._lock:
            self._changes |= dict(pair.split("=", 1) for pair in text.split(",") if "=" in pair)

    def applied(self, body: Body) -> dict[str, object]:
        """The body as this server takes it."""
        with self._lock:
            changes = dict(self._changes)
        sent = dict(body)
        for name, instead in changes.items():
            if name == SYSTEM:
                sent["messages"] = _joined(sent.get("messages"))
            elif name in sent:
                value = sent.pop(name)
                if name == "logprobs":
                    sent.pop("top_logprobs", None)
                elif name == "max_tokens" and instead != NONE and isinstance(value, int):
                    sent[instead] = value + self._reasoning
                elif instead != NONE:
                    sent[name] = int(instead)
        return sent

    def learn(self, sent: Body, name: str, needed: Collection[str] = ()) -> bool:
        """Take note of a refusal of what was sent; False if there is no other way to ask."""
        with self._lock:
            if self._is_news(sent, name):
                instead = self._other_way(name, needed)
                if instead is None:
                    return False
                name = "max_tokens" if name in _LIMITS else name
                self._changes[name] = instead
                logger.warning("api: the server refuses %s%s", *_told(name, instead))
            return True

    def _is_news(self, sent: Body, name: str) -> bool:
        """Whether the refused request was sent with all that is known by now."""
        if name == SYSTEM:
            return SYSTEM not in self._changes
        change = self._changes.get("max_tokens" if name in _LIMITS else name)
        return change is None or change == name or str(sent.get(name)) == change

    def _other_way(self, name: str, needed: Collection[str]) -> str | None:
        if name == "max_tokens":
            return "max_completion_tokens"
        if name == "top_logprobs" and name not in self._changes:
            return str(_FEW)
        if name == SYSTEM:
            return "user"
        return None if name in needed else NONE


def refused(sent: Body, status: int, answer: bytes) -> str | None:
    """The name of the parameter that an answer refuses, if it was sent and the server can do without it."""
    if status not in _REFUSING:
        return None
    try:
        told = msgspec.json.decode(answer)
    except (ValueError, msgspec.DecodeError, RecursionError):
        told = answer.decode(errors="replace")
    names = [name for name in OPTIONAL if name in sent]
    fields, message = _fields(told), _text(told)
    unsupported = bool(_UNSUPPORTED.search(message))
    for name in fields:
        # A limit that is too high or too low is the user's to change; one that is unknown is not.
        if name in names and (name not in _LIMITS or unsupported):
            return name
        if name == SYSTEM and unsupported:
            return SYSTEM
    if not unsupported or (set(fields) & sent.keys() - set(names)):
        return None
    named = [(match.start(), name) for name in names if (match := re.search(rf"(?<!\w){name}(?!\w)", message))]
    if named:
        return min(named)[1]
    return SYSTEM if "messages" in sent and _SYSTEM_ROLE.search(message) else None


def _fields(told: object) -> list[str]:
    """The fields that an answer names as such: `param` of OpenAI, `loc` of servers that check a schema."""
    fields: list[str] = []
    for part in _parts(told):
        if isinstance(part, dict):
            if isinstance(param := part.get("param"), str):
                fields.append(param)
            if isinstance(loc := part.get("loc"), list):
                fields += [step for step in loc if isinstance(step, str)]
    return fields


def _text(told: object) -> str:
    """All texts of an answer in one."""
    texts = [
        value for part in _parts(told) if isinstance(part, dict) for value in part.values() if isinstance(value, str)
    ]
    return " ".join(texts) if texts else told if isinstance(told, str) else ""


def _parts(told: object, depth: int = 4) -> list[object]:
    """An answer and what is inside it, down to where servers put their reasons."""
    inner: Sequence[object] = ()
    if depth and isinstance(told, dict):
        inner = list(told.values())[:20]
    elif depth and isinstance(told, list):
        inner = told[:20]
    return [told, *(part for value in inner for part in _parts(value, depth - 1))]


def _told(name: str, instead: str) -> tuple[str, str]:
    if name == SYSTEM:
        return "the role 'system'", ", so instructions are sent in the user message"
    if instead == NONE:
        return name, ", so requests are sent without it"
    return name, f", so {instead} is sent instead"


def _joined(messages: object) -> object:
    """The messages with the instructions at the start of the user's."""
    if not (isinstance(messages, list) and len(messages) > 1 and messages[0].get("role") == "system"):
        return messages
    first, second, *rest = messages
    return [{"role": "user", "content": f"{first['content']}\n\n{second['content']}"}, *rest]
