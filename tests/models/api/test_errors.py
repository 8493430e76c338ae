"""Errors of web services say where, and keep the status of the answer."""

from __future__ import annotations

from referee.errors import RefereeError
from referee.models.api.errors import ApiError
from tests.support.api_model import failure, translated
from tests.support.chat_server import Play, status


def test_without_an_answer_there_is_no_status() -> None:
    error = ApiError("gives no answer", "run the command again later", file="http://h/v1")
    assert isinstance(error, RefereeError)
    assert (str(error), error.status) == ("http://h/v1: gives no answer. Run the command again later.", None)


def test_the_status_is_that_of_the_answer(server: Play) -> None:
    server.faults = [status(404)]
    error = failure(lambda: translated(server))
    assert isinstance(error, ApiError)
    assert error.status == 404
