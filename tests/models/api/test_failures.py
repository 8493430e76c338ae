"""What an answer that is none means, in words that can be printed."""

from __future__ import annotations

import httpx
import pytest

from referee.io.retry import PassingError
from referee.models.api.errors import ApiError
from referee.models.api.failures import Failures

KEY = "sk-secret"
FAILURES = Failures(KEY, "MY_KEY")


def checked(code: int, content: bytes = b"", **headers: str) -> None:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    FAILURES.check(httpx.Response(code, headers=named), content, {}, "http://h/v1")


def test_an_answer_is_no_failure() -> None:
    checked(200, b"{}")


@pytest.mark.parametrize(
    ("code", "content", "problem"),
    [
        (400, b'{"error": {"message": "no.\\u001b[31m"}}', "rejects the request (400 Bad Request: no. [31m)"),
        (400, b'{"message": "no"}', "rejects the request (400 Bad Request: no)"),
        (400, b'{"detail": {"a": 1}}', 'rejects the request (400 Bad Request: {"detail": {"a": 1}})'),
        (400, b"\xff\x00 no \xe2\x80\xae", "rejects the request (400 Bad Request: no)"),
        (401, KEY.encode(), "rejects the key (401 Unauthorized: ***)"),
        (418, b"x" * 1000, f"rejects the request (418 I'm a teapot: {'x' * 300})"),
    ],
)
def test_failures_that_do_not_pass(code: int, content: bytes, problem: str) -> None:
    with pytest.raises(ApiError) as caught:
        checked(code, content)
    assert caught.value.problem == problem
    assert caught.value.status == code


def test_redirects_are_named_and_not_followed() -> None:
    with pytest.raises(ApiError) as caught:
        checked(308, b"", Location=f"http://other/{KEY}\x1b[0m")
    assert caught.value.problem == "redirects to http://other/*** [0m (308 Permanent Redirect)"


def test_failures_that_may_pass() -> None:
    with pytest.raises(PassingError) as caught:
        checked(503, b"busy", Retry_After="7")
    assert (caught.value.cause, caught.value.wait) == ("503 Service Unavailable: busy", 7.0)
    with pytest.raises(ApiError):
        checked(429, b'{"error": {"code": "insufficient_quota"}}')
