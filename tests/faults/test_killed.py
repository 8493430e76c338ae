"""A kill -9 at a seeded moment of every command that writes: nothing lost, and the same command ends in the same bytes.

One process prepares everything and then forks once per case, so that hundreds of kills take seconds. The moment is the
number of a file operation (open, rename, remove, ...), which Python's audit events count.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.workspace import WRITING

QUICK, SEEDS = 5, 60

CODE = """
import importlib, json, os, random, shutil, signal, sys
from contextlib import suppress
from pathlib import Path
from referee.cli.main import main
from tests.support.workspace import WRITING, content

name, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
writing = WRITING[name]
FILES = ("open", "os.rename", "os.remove", "os.mkdir", "os.truncate", "os.chmod", "shutil.rmtree", "tempfile.mkstemp")

def run(kill_at=None):
    pid = os.fork()
    if pid:
        return os.waitpid(pid, 0)[1]
    counted = [0]
    def hook(event, arguments):
        if event in FILES and not any(part in str(arguments[0]) for part in ("/site-packages/", "/lib/python")):
            counted[0] += 1
            if counted[0] == kill_at:
                counted[0] += 1  # killing is an event, too
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(hook)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    sys.argv = ["referee", *writing.to(writing.out)]
    try:
        main()
    except SystemExit as ending:
        report = json.dumps([counted[0], [name for name in sys.modules if "." in name]])
        Path("../count").write_text(report)
        os._exit(int(ending.code or 0))
    os._exit(99)

def clear():
    for path in [path for path in content(Path()) if path not in before]:
        Path(path).unlink()
    shutil.rmtree(writing.out, ignore_errors=True)

def made():
    return {p: t for p, t in content(Path()).items() if p not in before and not p.endswith((".lock", "run.json"))}

before = content(Path())
assert run() == 0
whole = made()
_, modules = json.loads(Path("../count").read_text())
for module in modules:
    # Imported once here, and not in every fork.
    with suppress(Exception):
        importlib.import_module(module)
clear()
assert run() == 0
operations, _ = json.loads(Path("../count").read_text())
clear()
for seed in range(first, last):
    moment = random.Random(f"{name} {seed}").randrange(1, operations + 1)
    killed = run(moment)
    kept = {path: text for path, text in content(Path()).items() if path in before}
    same_inputs = kept == before
    # Leftovers of a killed write are hidden files; they are removed by nobody but the run that they belong to.
    again = run()
    result = {path: text for path, text in made().items() if not path.endswith(".part")}
    print(json.dumps({"seed": seed, "moment": moment, "of": operations, "killed": killed == 9, "inputs": same_inputs,
                      "again": again, "same": result == whole}), flush=True)
    clear()
"""


def kills(name: str, first: int, last: int, here: Path) -> None:
    """Kill a command at seeded moments and hold what comes of it against an undisturbed one."""
    root = Path(__file__).resolve().parents[2]
    paths = os.pathsep.join([str(root), str(root / "src"), str(here / "site")])
    command = [sys.executable, "-c", CODE, name, str(first), str(last)]
    ending = subprocess.run(
        command,
        cwd=here,
        env=os.environ | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ending.returncode == 0, ending.stderr[-2000:]
    results = [json.loads(line) for line in ending.stdout.splitlines()]
    assert len(results) == last - first
    assert [result for result in results if not (result["inputs"] and result["same"] and result["again"] == 0)] == []
    assert "Traceback" not in ending.stderr
    assert any(result["killed"] for result in results)


@pytest.mark.parametrize("name", ["eval", "perturb", "tables"])
def test_killed(name: str, here: Path) -> None:
    kills(name, 0, QUICK, here)


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITING)
def test_killed_again_and_again(name: str, here: Path) -> None:
    kills(name, 0, SEEDS, here)
