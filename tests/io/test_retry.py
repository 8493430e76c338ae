"""One loop for all that may pass: how often, how long between, and what is said."""

from __future__ import annotations

import time
from email.utils import formatdate

import pytest

from referee.io.retry import GaveUpError, PassingError, RetryPolicy, retried, retry_after

POLICY = RetryPolicy(attempts=4, backoff=1.0, longest=3.0)


class Flaky:
    """Fails as told, then answers."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.calls = 0

    def __call__(self) -> str:
        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        return "fine"


def test_success_needs_no_wait(caplog: pytest.LogCaptureFixture) -> None:
    waits: list[float] = []
    assert retried(Flaky(), POLICY, "x", waits.append) == "fine"
    assert (waits, caplog.messages) == ([], [])


def test_waits_double_up_to_the_longest_and_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    waits: list[float] = []
    flaky = Flaky(PassingError("one"), PassingError("two"), PassingError("three"))
    assert retried(flaky, POLICY, "x", waits.append) == "fine"
    assert waits == [1.0, 2.0, 3.0]
    assert caplog.messages == ["x: retrying in 1 s: one", "x: retrying in 2 s: two", "x: retrying in 3 s: three"]
    assert {record.levelname for record in caplog.records} == {"WARNING"}


def test_attempts_are_counted() -> None:
    flaky = Flaky(*[PassingError("down")] * 9)
    with pytest.raises(GaveUpError) as caught:
        retried(flaky, POLICY, "x", lambda _: None)
    assert (flaky.calls, caught.value.reason, caught.value.later) == (4, "down (attempt 4)", False)


@pytest.mark.parametrize(("attempts", "calls"), [(2, 2), (9, 4)])
def test_a_failure_may_be_worth_fewer_attempts(attempts: int, calls: int) -> None:
    flaky = Flaky(*[PassingError("nonsense", attempts=attempts)] * 9)
    with pytest.raises(GaveUpError):
        retried(flaky, POLICY, "x", lambda _: None)
    assert flaky.calls == calls


def test_a_server_that_asks_to_wait_is_waited_for_within_reason() -> None:
    waits: list[float] = []
    assert (
        retried(Flaky(PassingError("busy", wait=2.5), PassingError("busy", 0.0)), POLICY, "x", waits.append) == "fine"
    )
    assert waits == [2.5, 0.0]
    with pytest.raises(GaveUpError) as caught:
        retried(Flaky(PassingError("busy", wait=3.1)), POLICY, "x", waits.append)
    assert (caught.value.reason, caught.value.later) == ("busy, asking to wait 3 s", True)
    assert len(waits) == 2


def test_other_errors_are_not_tried_again() -> None:
    flaky = Flaky(ValueError("wrong"))
    with pytest.raises(ValueError, match="wrong"):
        retried(flaky, POLICY, "x", lambda _: None)
    assert flaky.calls == 1


def test_jitter_only_lengthens() -> None:
    policy = RetryPolicy(backoff=1.0, jitter=0.5)
    waits = [policy.wait(1) for _ in range(200)]
    assert min(waits) >= 1.0
    assert max(waits) <= 1.5
    assert len(set(waits)) > 100


def test_retry_after_is_a_number_or_a_date() -> None:
    assert retry_after(" 7 ") == 7.0
    assert retry_after("0.5") == 0.5
    assert retry_after("soon") is retry_after("") is retry_after("-1") is None
    assert retry_after("9" * 400) == 1e9
    assert retry_after("Mon, 99 Foo 99999999999 99:99:99 GMT") is None
    assert retry_after(formatdate(time.time() - 9, usegmt=True)) == 0.0
    assert 50 < (retry_after(formatdate(time.time() + 60, usegmt=True)) or 0) <= 60
