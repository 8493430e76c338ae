"""Tokens and cost of the requests to one server, and the limits that the user sets."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Annotated

import msgspec

from referee.models.api.errors import BudgetSpentError
from referee.protocols import Usage

_MILLION = 1_000_000
_TEMPLATE_TOKENS = 64  # what a server adds to the messages of a chat, at most

Tokens = Annotated[int, msgspec.Meta(ge=0, le=2**40)]


@dataclass(frozen=True)
class Prices:
    """Prices per million tokens, in the user's currency; `cached` is that of prompt tokens which the server knew."""

    prompt: float
    completion: float
    cached: float

    def of(self, prompt: int, completion: int, cached: int = 0) -> float:
        """The price of an answer."""
        fresh = max(0, prompt - cached)
        return (fresh * self.prompt + cached * self.cached + completion * self.completion) / _MILLION


class _PromptDetails(msgspec.Struct, frozen=True):
    cached_tokens: Tokens | None = None


class _CompletionDetails(msgspec.Struct, frozen=True):
    reasoning_tokens: Tokens | None = None


class Reported(msgspec.Struct, frozen=True):
    """The tokens of an answer, as the server counts them; reasoning is part of the completion."""

    prompt_tokens: Tokens
    completion_tokens: Tokens = 0
    prompt_tokens_details: _PromptDetails | None = None
    completion_tokens_details: _CompletionDetails | None = None

    @property
    def cached(self) -> int:
        """Prompt tokens that the server had in its cache."""
        details = self.prompt_tokens_details
        return min(self.prompt_tokens, (details.cached_tokens or 0) if details else 0)

    @property
    def reasoning(self) -> int:
        """Completion tokens that are not part of the answer."""
        details = self.completion_tokens_details
        return (details.reasoning_tokens or 0) if details else 0


class _Answer(msgspec.Struct, frozen=True):
    usage: Reported | None = None


def reported(content: bytes) -> Reported | None:
    """The tokens that an answer reports; None if it does not, or not in numbers that can be."""
    try:
        return msgspec.json.decode(content, type=_Answer).usage
    except (ValueError, msgspec.DecodeError, RecursionError):
        return None


def most_tokens(content: bytes) -> int:
    """The largest number of tokens that a prompt can have: a token is at least one byte."""
    return len(content) + _TEMPLATE_TOKENS


class Meter:
    """Counts requests, answers, tokens and cost. A request is admitted only if the most it can cost is covered."""

    def __init__(self, budget: int | None = None, prices: Prices | None = None, max_cost: float | None = None) -> None:
        self.budget = budget
        self.prices = prices
        self.max_cost = max_cost
        self._lock = threading.Lock()
        self._sent = 0
        self._reserved = 0.0
        self._under_way = 0
        self._usage = Usage(cost=0.0 if prices else None)

    @property
    def usage(self) -> Usage:
        """What was used so far, earlier starts of the run included."""
        return self._usage

    def add(self, earlier: Usage) -> None:
        """Count what an earlier start of the same run used."""
        with self._lock:
            now = self._usage
            cost = None if now.cost is None else now.cost + (earlier.cost or 0.0)
            names = [name for name in Usage.__struct_fields__ if name not in ("cost", "sent")]
            sums = {name: getattr(now, name) + getattr(earlier, name) for name in names}
            self._usage = msgspec.structs.replace(now, **sums, cost=cost, sent=earlier.sent)

    def admit(self, prompt: int, completion: int) -> float | None:
        """Reserve the most that a request of these tokens can cost; None if it depends on answers under way."""
        most = self.prices.of(prompt, completion) if self.prices else 0.0
        with self._lock:
            if self.budget is not None and self._sent >= self.budget:
                raise BudgetSpentError(f"the budget of {self.budget} requests is used up", "budget")
            spent = self._usage.cost or 0.0
            if self.max_cost is not None and spent + self._reserved + most > self.max_cost:
                if self._under_way:
                    return None
                costs = f"{spent:.4g} spent, up to {most:.2g} more"
                problem = f"max_cost={self.max_cost:g} does not cover another request ({costs})"
                raise BudgetSpentError(problem, "max_cost")
            self._sent += 1
            self._reserved += most
            self._under_way += 1
            self._usage = msgspec.structs.replace(self._usage, requests=self._usage.requests + 1)
            return most

    def release(self, reserved: float) -> None:
        """A request that the server refused costs nothing."""
        with self._lock:
            self._close(reserved)

    def lose(self, reserved: float) -> None:
        """A request whose answer did not arrive may cost the most it can."""
        with self._lock:
            self._close(reserved)
            self._count(reserved, unreported=1)

    def settle(self, reserved: float, tokens: Reported | None) -> None:
        """An answer arrived; without token counts it is taken to cost the most it can."""
        with self._lock:
            self._close(reserved)
            if tokens is None:
                self._count(reserved, answers=1, unreported=1)
                return
            prompt, completion, cached = tokens.prompt_tokens, tokens.completion_tokens, tokens.cached
            self._count(
                self.prices.of(prompt, completion, cached) if self.prices else 0.0,
                answers=1,
                prompt_tokens=prompt,
                cached_tokens=cached,
                completion_tokens=completion,
                reasoning_tokens=min(completion, tokens.reasoning),
            )

    def _close(self, reserved: float) -> None:
        self._under_way -= 1
        self._reserved = max(0.0, self._reserved - reserved) if self._under_way else 0.0

    def _count(self, cost: float, **more: int) -> None:
        now = self._usage
        sums = {name: getattr(now, name) + value for name, value in more.items()}
        self._usage = msgspec.structs.replace(now, **sums, cost=None if now.cost is None else now.cost + cost)
