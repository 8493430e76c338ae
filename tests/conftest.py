"""What tests share: the public data where it is there, a small valid item, and the command line in this process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

from referee.cli.main import main

# A busy machine is no failure: nothing here is timed.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of public sets beside the checkout; tests that need it skip where it is not there."""
    if not SHARED.is_dir():
        pytest.skip("the public data are not beside the checkout (../shared/data)")
    return SHARED


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str


Command = Callable[..., Outcome]


@pytest.fixture
def referee(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs `referee ARGUMENTS...` in this process."""

    def run(*arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["referee", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ending:
            main()
        captured = capsys.readouterr()
        return Outcome(int(ending.value.code or 0), captured.out, captured.err)

    return run
