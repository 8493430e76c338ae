"""How the commands of the recipe end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from referee.errors import UsageError
from referee.logs import logger
from referee.train.recipes.command import run


@pytest.fixture(autouse=True)
def _log_as_before() -> Iterator[None]:
    handlers, level = list(logger.handlers), logger.level
    yield
    logger.handlers[:] = handlers
    logger.setLevel(level)


def test_what_is_logged_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    run(lambda: logger.info("step 3"))
    assert capsys.readouterr() == ("", "step 3\n")


def test_an_error_is_one_sentence_and_its_code(capsys: pytest.CaptureFixture[str]) -> None:
    def fails() -> None:
        raise UsageError("two sizes are given", "give one")

    with pytest.raises(SystemExit) as ending:
        run(fails)
    assert ending.value.code == 2
    assert capsys.readouterr().err == "error: two sizes are given. Give one.\n"
