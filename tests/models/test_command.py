"""Programs that read lines and write lines."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.errors import InputError, MissingError, RefereeError, UsageError
from referee.models.command import Command, open_command
from referee.models.spec import parse
from referee.protocols import TranslateDoc, Translates

Script = Callable[..., Command]


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """A program in Python, opened."""

    def written(body: str, options: str = "") -> Command:
        path = tmp_path / "translate.py"
        path.write_text(f"#!{sys.executable}\nimport os, sys, time\n{body}\n", "utf-8")
        path.chmod(0o755)
        return opened(f"{path}{options}")

    return written


def opened(text: str) -> Command:
    return open_command(parse(f"command:{text}"))


def translate(command: Command, *texts: str) -> list[str]:
    answers = list(command.translate([TranslateDoc((text,), "en", "es") for text in texts]))
    assert [index for index, _ in answers] == list(range(len(texts)))
    return [text for _, text in answers]


def test_lines_in_lines_out() -> None:
    model = opened("tr a-z A-Z")
    assert isinstance(model, Translates)
    assert translate(model, "the cat", "", "the cat", " a, b ") == ["THE CAT", "", "THE CAT", " A, B "]
    assert translate(model) == []


def test_a_document_is_one_line() -> None:
    model = opened("cat,lines=1")
    sources = [TranslateDoc(("It\nis.", "He  is.\r\n"), "en", "es"), TranslateDoc(("Ça\u2028va\x0b?",), "en", "es")]
    assert list(model.translate(sources)) == [(0, "It is. He  is."), (1, "Ça va ?")]


def test_arguments_are_split_without_a_shell(tmp_path: Path) -> None:
    assert translate(opened(r"sed -e 's/\(a\) b/$HOME \1/'"), "a b") == ["$HOME a"]
    place = tmp_path / "a place"
    place.mkdir()
    (place / "run").write_text("#!/bin/sh\ncat\n")
    (place / "run").chmod(0o755)
    assert translate(opened(f"'{place}/run'"), "one", "two") == ["one", "two"]


def test_a_program_of_this_folder(script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script("for line in sys.stdin: print(line.strip()[::-1])")
    monkeypatch.chdir(tmp_path)
    model = opened("./translate.py")
    monkeypatch.chdir("/")
    assert translate(model, "abc") == ["cba"]


def test_much_does_not_block(script: Script) -> None:
    """Writes before, while and after it reads, and complains at length: every pipe is full at some time."""
    model = script("for line in sys.stdin:\n  print(line.strip() * 2)\n  print('hm' * 500, file=sys.stderr)")
    texts = [f"{number} " * 50 for number in range(5_000)]
    assert translate(model, *texts) == [text.strip() * 2 for text in texts]


def test_a_last_line_without_an_end(script: Script) -> None:
    assert translate(script("sys.stdout.write(sys.stdin.read().rstrip('\\n'))"), "a", "b") == ["a", "b"]
    assert translate(script("sys.stdout.write(sys.stdin.read().replace('\\n', '\\r\\n'))"), "a", "b") == ["a", "b"]


def test_a_wrong_number_of_lines(script: Script) -> None:
    model = script("print('no rules for this.', file=sys.stderr)\nprint('more', file=sys.stderr)\nprint('one')")
    with pytest.raises(
        InputError, match=r"wrote 1 lines for 3 input lines: no rules for this. Make it write exactly one line"
    ):
        translate(model, "a", "b", "c")
    with pytest.raises(InputError, match="wrote 0 lines for 1 input"):
        translate(script(""), "a")
    with pytest.raises(InputError, match="wrote 2 lines for 1 input"):
        translate(script("print('a\\n')"), "a")


def test_failures(script: Script) -> None:
    with pytest.raises(RefereeError, match=r"ended with status 3: no such pair. Run it by hand"):
        translate(script("print(sys.stdin.read(), end='')\nprint('no such pair', file=sys.stderr)\nsys.exit(3)"), "a")
    with pytest.raises(RefereeError, match="was ended by signal 9"):
        translate(script("os.kill(os.getpid(), 9)"), "a" * 1_000_000)
    with pytest.raises(InputError, match="not valid UTF-8"):
        translate(script("sys.stdout.buffer.write(b'\\xff\\n')"), "a")


def test_time_is_limited(script: Script) -> None:
    """Also that of what it started, which holds the pipes."""
    model = script("os.system('sleep 30')", ",timeout=1")
    before = time.monotonic()
    with pytest.raises(RefereeError, match=r"did not end within 1 seconds. Raise the limit with timeout=SECONDS"):
        translate(model, "a")
    assert time.monotonic() - before < 10


def test_programs_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="the program 'babelfish' was not found"):
        opened("babelfish eng-spa")
    plain = tmp_path / "plain.txt"
    plain.write_text("not a program")
    with pytest.raises(MissingError, match="was not found"):
        opened(str(plain))
    plain.write_text("#!/nowhere/python\n")
    plain.chmod(0o755)
    with pytest.raises(InputError, match="cannot be run"):
        translate(opened(str(plain)), "a")
    with pytest.raises(UsageError, match="is not a command line"):
        opened("cat 'open")
    with pytest.raises(MissingError, match="the program '' was not found"):
        opened(" ")


@pytest.mark.parametrize("options", [",beam=2", ",timeout=0", ",timeout=soon", ",lines=2"])
def test_wrong_options(options: str) -> None:
    with pytest.raises(UsageError):
        opened(f"cat{options}")


def test_identity(script: Script, tmp_path: Path) -> None:
    first = script("print(1)").identity()
    assert first == script("print(1)").identity()
    assert script("print(2)").identity().sha256 != first.sha256
    assert opened("tr a b").identity() == opened("tr a b,timeout=3").identity()
    assert opened("tr a b").identity().sha256 != opened("tr a c").identity().sha256
    model = opened(f"{sys.executable} {tmp_path}/translate.py")
    before = model.identity()
    script("print(3)")
    assert model.identity().sha256 != before.sha256


@pytest.mark.skipif(shutil.which("apertium") is None, reason="apertium is not installed")
def test_apertium() -> None:
    model = opened("apertium -u eng-spa")
    try:
        found = translate(model, "The house is big.", "", "I see the cat. I see the dog.")
    except RefereeError as error:
        pytest.skip(f"apertium has no eng-spa: {error}")
    assert found[:2] == ["La casa es grande.", ""]
    assert "gato" in found[2]
    assert "perro" in found[2]
