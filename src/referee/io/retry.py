"""Trying again what may pass: one policy and one loop for every request to a server."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TypeVar

from referee.logs import logger

Answer = TypeVar("Answer")

_FOREVER = 1e9  # seconds; a header may name any number


@dataclass(frozen=True)
class RetryPolicy:
    """How many attempts, and how many seconds between them: `backoff`, doubled each time, up to `longest`.

    `jitter` makes a wait up to that share longer, so that requests that failed together do not come back together. A
    server that asks to wait is waited for, but not beyond `longest`.
    """

    attempts: int = 6
    backoff: float = 1.0
    longest: float = 120.0
    jitter: float = 0.0

    def wait(self, tried: int) -> float:
        """Seconds to wait after the attempt with this number, which counts from 1."""
        spread = random.uniform(1.0, 1.0 + self.jitter) if self.jitter else 1.0  # noqa: S311
        return min(self.backoff * 2.0 ** (tried - 1), self.longest) * spread


@dataclass(eq=False)
class PassingError(Exception):
    """An attempt that failed in a way that may pass.

    `wait` is how long the server asks to wait; `attempts` is the most that such a failure is worth.
    """

    cause: str
    wait: float | None = None
    attempts: int | None = None


@dataclass(eq=False)
class GaveUpError(Exception):
    """No attempt succeeded, for this reason; `later` if the server asks to wait longer than the policy allows."""

    reason: str
    later: bool = False


def retried(
    attempt: Callable[[], Answer], policy: RetryPolicy, name: str, pause: Callable[[float], object] = time.sleep
) -> Answer:
    """The answer of the first attempt that succeeds; every retry is logged under `name`, so that no wait is silent."""
    tried = 0
    while True:
        tried += 1
        try:
            return attempt()
        except PassingError as error:
            passing = error
        if tried >= min(policy.attempts, passing.attempts or policy.attempts):
            raise GaveUpError(f"{passing.cause} (attempt {tried})")
        if passing.wait is not None and passing.wait > policy.longest:
            raise GaveUpError(f"{passing.cause}, asking to wait {passing.wait:.0f} s", later=True)
        wait = policy.wait(tried) if passing.wait is None else passing.wait
        logger.warning("%s: retrying in %g s: %s", name, round(wait, 2), passing.cause)
        pause(wait)


def retry_after(header: str) -> float | None:
    """Seconds to wait, from a header `Retry-After`: a number or a date; None if it is neither."""
    text = header.strip()
    if re.fullmatch(r"\d+(\.\d+)?", text, re.ASCII):
        return min(float(text), _FOREVER)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
