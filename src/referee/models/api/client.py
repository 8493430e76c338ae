"""Many requests to one server: several at once, at a rate, within a budget."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from referee.models.api.errors import ApiError, BudgetSpentError
from referee.models.api.parameters import Parameters
from referee.models.api.session import Session, Terms
from referee.models.api.usage import Meter

Job = TypeVar("Job")
Answer = TypeVar("Answer")


class Client:
    """Paces and counts the requests to one server; nothing is opened before there is something to ask."""

    def __init__(self, terms: Terms, meter: Meter | None = None, parameters: Parameters | None = None) -> None:
        self.terms = terms
        self.meter = meter or Meter()
        self.parameters = parameters or Parameters()
        self._lock = threading.Lock()
        self._answered = 0
        self._free_at = 0.0

    @property
    def answered(self) -> bool:
        """Whether the server has answered anything, and so takes the parameters that it is sent."""
        return self._answered > 0

    def ask(self, jobs: Sequence[Job], do: Callable[[Session, Job], Answer]) -> Iterator[tuple[int, Answer]]:
        """Does all jobs, several at once, and gives their numbers and answers in the order in which they get done."""
        if not jobs:
            return
        todo: queue.SimpleQueue[int] = queue.SimpleQueue()
        for number in range(len(jobs)):
            todo.put(number)
        done: queue.SimpleQueue[tuple[int, Answer] | Exception | None] = queue.SimpleQueue()
        session = Session(self.terms, self.parameters, self.meter, self.turn, self.hold)

        def work() -> None:
            try:
                while not session.ended.is_set():
                    number = todo.get_nowait()
                    done.put((number, do(session, jobs[number])))
            except queue.Empty:
                pass
            except Exception as error:  # raised where the answers are awaited
                done.put(error)
            finally:
                done.put(None)

        # Daemons: one that still waits for a connection must not keep the program from ending.
        count = min(self.terms.parallel, len(jobs))
        threads = [threading.Thread(target=work, name="referee-api", daemon=True) for _ in range(count)]
        try:
            for thread in threads:
                thread.start()
            yield from self._collected(done, session, len(threads))
        finally:
            session.end()
            until = time.monotonic() + 1.0
            for thread in threads:
                thread.join(timeout=max(0.0, until - time.monotonic()))
            session.close()

    def _collected(
        self, done: queue.SimpleQueue[tuple[int, Answer] | Exception | None], session: Session, running: int
    ) -> Iterator[tuple[int, Answer]]:
        """What gets done, until all workers are; then the first failure, so that no answer is lost to it."""
        failure: Exception | None = None
        while running:
            outcome = done.get()
            if outcome is None:
                running -= 1
            elif isinstance(outcome, Exception):
                failure = failure or outcome
                # What was sent within the budget is paid for and is waited for.
                if not isinstance(outcome, BudgetSpentError):
                    session.end()
            else:
                self._answered += 1
                yield outcome
        if isinstance(failure, BudgetSpentError):
            problem = f"{failure.problem} after {self._answered} answers"
            remedy = f"raise {failure.option}= and run the command again, which resumes from the cache"
            raise ApiError(problem, remedy, file=self.terms.url)
        if failure:
            raise failure

    def turn(self) -> float:
        """How many seconds the next request must wait for its turn."""
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._free_at)
            if self.terms.rate is not None:
                self._free_at = turn + 1 / self.terms.rate
            return turn - now

    def hold(self, seconds: float) -> None:
        """Lets no further request begin before that: a server that asks one to wait means all."""
        with self._lock:
            self._free_at = max(self._free_at, time.monotonic() + seconds)
