"""What tests share: folders of published files, and the command line in this process."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

from referee.cli.main import main
from tests.support.published import NO_PUBLIC_DATA, SHARED, SYNTHETIC
from tests.support.tiny_tools import CODE, ENTRIES

# A busy machine is no failure: nothing here is timed.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fonts", metavar="NAME", help="test pages in a browser that has only fonts of this name")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Give small networks one thread again: an engine that an earlier test opened may have raised the number."""
    torch = sys.modules.get("torch")
    if torch is not None and "tests.support.tiny_models" in sys.modules and torch.get_num_threads() != 1:
        torch.set_num_threads(1)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The public sets beside the checkout, for tests of published numbers; they skip where it is not there."""
    if not SHARED.is_dir():
        pytest.skip(NO_PUBLIC_DATA)
    return SHARED


@pytest.fixture(scope="session")
def synthetic_data() -> Path:
    """A data folder with a small synthetic file in every published format."""
    return SYNTHETIC


_FOLDERS = {"synthetic": SYNTHETIC} | ({"public": SHARED} if SHARED.is_dir() else {})


@pytest.fixture(scope="session", params=_FOLDERS)
def published_data(request: pytest.FixtureRequest) -> Path:
    """The synthetic folder, and then the public one where it is there, for tests of what holds in both."""
    return _FOLDERS[request.param]


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


Install = Callable[[str, str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Makes a distribution as an installer leaves it: metadata with entry points, and a module."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    modules: list[str] = []

    def made(module: str, entries: str, code: str) -> None:
        info = site / f"{module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(entries)
        (site / f"{module}.py").write_text(code)
        modules.append(module)

    yield made
    for module in modules:
        sys.modules.pop(module, None)


@pytest.fixture
def tiny(install: Install) -> None:
    """Install a plug-in with a tiny annotator, resolver and aligner."""
    install("tiny_tools", ENTRIES, CODE)
