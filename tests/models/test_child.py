"""A program that ends when we do, and is limited in all that it does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from referee.models.child import ChildLimitError, Output, run

SLEEPS = """
import os, subprocess, sys, time
note = "import os, time; open('grandchild', 'w').write(str(os.getpid())); time.sleep(99)"
subprocess.Popen([sys.executable, "-c", note])
while not os.path.exists("grandchild") or not open("grandchild").read():
    time.sleep(0.01)
open("child.new", "w").write(str(os.getpid()))
os.rename("child.new", "child")
time.sleep(99)
"""
PARENT = """
import signal, sys
# A shell that starts tests in the background lets them ignore interrupts, nohup the end of a terminal.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
from referee.models.command import open_command
from referee.models.spec import parse
from referee.protocols import TranslateDoc
list(open_command(parse("command:" + sys.executable + " sleeps.py")).translate([TranslateDoc(("x",), "en", "de")]))
"""


def python(program: str) -> list[str]:
    return [sys.executable, "-c", program]


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that is dead but not buried does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    if not Path("/proc/self/stat").exists():
        return True
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until_dead(*pids: int) -> None:
    until = time.monotonic() + 30
    while any(map(is_alive, pids)):
        assert time.monotonic() < until, "left behind"
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_nothing_is_left_behind(tmp_path: Path, number: signal.Signals) -> None:
    """Neither the program nor what it started, whatever ends us."""
    (tmp_path / "sleeps.py").write_text(SLEEPS, "utf-8")
    with subprocess.Popen(python(PARENT), cwd=tmp_path, stderr=subprocess.DEVNULL) as parent:
        until = time.monotonic() + 60
        while not (tmp_path / "child").exists():
            assert time.monotonic() < until
            assert parent.poll() is None
            time.sleep(0.02)
        pids = [int((tmp_path / name).read_text()) for name in ("child", "grandchild")]
        assert all(map(is_alive, pids))
        parent.send_signal(number)
        parent.wait(timeout=30)
    wait_until_dead(*pids)


def test_what_runs_on_in_the_background_ends_too(tmp_path: Path) -> None:
    """A program that ends and leaves something behind, which holds its pipes."""
    program = (
        "import subprocess, sys; process = subprocess.Popen(['sleep', '99']); "
        f"open({str(tmp_path / 'pid')!r}, 'w').write(str(process.pid)); print(sys.stdin.read().upper(), end='')"
    )
    output = Output(1, 1000)
    assert run(python(program), b"a\n", output, None) == 0
    assert bytes(output.written) == b"A\n"
    wait_until_dead(int((tmp_path / "pid").read_text()))


@pytest.mark.parametrize(
    ("program", "problem"),
    [
        ("while True: print('y')", "wrote more than "),
        ("while True: sys.stdout.write('y' * 65536)", "wrote a line of more than 1,048,576 bytes"),
        ("while True: print('y' * 60000)", "wrote more than 2,000,000 bytes"),
    ],
)
def test_output_without_end(program: str, problem: str) -> None:
    output = Output(2, 2_000_000)
    with pytest.raises(ChildLimitError) as caught:
        run(python(f"import sys\n{program}"), b"a\nb\n", output, None)
    assert caught.value.problem.startswith(problem)
    assert len(output.written) < 3_000_000


def test_complaints_without_end_are_cut() -> None:
    output = Output(1, 1000)
    program = "import sys\nfor _ in range(100): sys.stderr.write('hm' * 50_000)\nprint('a')"
    assert run(python(program), b"a\n", output, None) == 0
    assert len(output.complaints) == 1 << 16


def test_a_program_that_never_answers() -> None:
    with pytest.raises(ChildLimitError, match="did not end within 1 seconds"):
        run(python("import os, time; os.close(1); os.close(2); time.sleep(99)"), b"a\n", Output(1, 1000), 1)
    with pytest.raises(ChildLimitError, match="did not end within 1 seconds"):
        run(python("import time; time.sleep(99)"), b"a" * 10_000_000, Output(1, 1000), 1)


def test_a_program_that_does_not_read() -> None:
    output = Output(1, 1000)
    assert run(python("import os; os.close(0); print('a')"), b"a" * 10_000_000, output, None) == 0
    assert bytes(output.written) == b"a\n"


def test_a_program_that_cannot_be_run() -> None:
    with pytest.raises(FileNotFoundError):
        run(["/no/such/program"], b"", Output(1, 1000), None)
