"""What goes wrong with a web service."""

from __future__ import annotations

from referee.errors import RefereeError


class ApiError(RefereeError):
    """A web service does not do what it is asked; `status` is that of its answer, if it gave one."""

    status: int | None = None


class BudgetSpentError(Exception):
    """The budget does not allow another request."""


class EndedError(Exception):
    """Nobody waits for the answer any more."""
