"""What an answer that is none means, and how a server's own words are repeated."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import httpx
import msgspec

from referee.io.retry import PassingError, retry_after
from referee.models.api.errors import ApiError
from referee.models.api.parameters import Body, refused

_TRY_AGAIN = frozenset({408, 425, 429, 500, *range(502, 505), *range(506, 600)})
_SHOWN = 300  # characters of a server's own words that an error repeats
_UNSEEN = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd]+")
"""Control characters, and those that reorder or hide text on a terminal."""


@dataclass(frozen=True)
class Failures:
    """Reads the answers of a server to which this key was sent."""

    key: str = field(default="", repr=False)
    key_name: str = ""

    def check(self, response: httpx.Response, answer: bytes, sent: Body, url: str) -> None:
        """Raise what an answer means that is not one: `PassingError` if it may pass, else `ApiError`."""
        status = response.status_code
        line = self.clean(f"{status} {response.reason_phrase}")
        page = response.headers.get("Content-Type", "").startswith("text/html")
        if status == httpx.codes.OK and not page:
            return
        said = "" if page else self.clean(_message(answer))
        told = f"{line}: {said}" if said else line
        # A quota that is used up is reported like a rate that is too high, but does not pass.
        if status in _TRY_AGAIN and b"insufficient_quota" not in answer:
            wait = retry_after(response.headers.get("Retry-After", ""))
            raise PassingError(line if status == httpx.codes.TOO_MANY_REQUESTS else told, wait)
        error = ApiError(*self._explained(response, told), file=url)
        error.status = status
        error.refused = refused(sent, status, answer)
        raise error

    def _explained(self, response: httpx.Response, told: str) -> tuple[str, str]:
        """The problem and the remedy."""
        status = response.status_code
        if status in (401, 403):
            problem = f"{'rejects the key' if self.key else 'requires a key'} ({told})"
            return problem, f"set the environment variable {self.key_name}, or choose another with key="
        if status == httpx.codes.NOT_FOUND:
            return f"was not found ({told})", "check model= and the address, which often ends in /v1"
        if status == httpx.codes.OK:
            return "returns a web page instead of an answer", "check the address, which often ends in /v1"
        if 300 <= status < 400:
            address = self.clean(response.headers.get("Location", "")) or "nowhere"
            return f"redirects to {address} ({told})", "give the final address: requests are not redirected"
        return f"rejects the request ({told})", "check the address, model= and the options"

    def clean(self, text: str) -> str:
        """A server's own words in one line; some repeat the key that they refuse."""
        if self.key:
            text = text.replace(self.key, "***")
        text = _UNSEEN.sub(" ", text).strip()
        return (text if len(text) <= _SHOWN else text[:_SHOWN] + "...").rstrip(".")


def _message(answer: bytes) -> str:
    """What a server says about its failure; the servers agree on no one place for it."""
    text = answer.decode(errors="replace")
    try:
        told = msgspec.json.decode(answer)
    except (ValueError, msgspec.DecodeError, RecursionError):
        return text
    for key in ("error", "message", "detail"):
        told = told.get(key, told) if isinstance(told, dict) else told
    return told if isinstance(told, str) else text
