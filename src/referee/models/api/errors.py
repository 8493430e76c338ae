"""What goes wrong with a web service."""

from __future__ import annotations

from dataclasses import dataclass

from referee.errors import RefereeError


class ApiError(RefereeError):
    """A web service does not do what it is asked.

    `status` is that of its answer, if it gave one; `refused` is the parameter that it does not take, if it names one.
    """

    status: int | None = None
    refused: str | None = None


@dataclass(eq=False)
class BudgetSpentError(Exception):
    """The requests or the cost that the user allows by `option` do not cover another request."""

    problem: str
    option: str


class EndedError(Exception):
    """Nobody waits for the answer any more."""
