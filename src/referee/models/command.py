"""`command:` any program that reads lines and writes lines, such as `apertium eng-spa`: it translates."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.errors import InputError, MissingError, RefereeError, UsageError
from referee.io.files import content_sha256
from referee.models.spec import ModelSpec
from referee.protocols import Identity, TranslateDoc


@dataclass(frozen=True)
class Command:
    """A program that translates, its arguments, and how many seconds it may take for all lines together."""

    program: Path
    arguments: tuple[str, ...]
    text: str
    timeout: int | None = None

    @property
    def name(self) -> str:
        """What the user calls it."""
        return f"command:{self.text}"

    def identity(self) -> Identity:
        """The content of the program and of files among its arguments; what else it reads is not known."""
        digest = hashlib.sha256(content_sha256(self.program).encode())
        for argument in self.arguments:
            content = content_sha256(Path(argument)) if Path(argument).is_file() else ""
            digest.update(f"\0{argument}\0{content}".encode())
        return Identity(digest.hexdigest(), {"command": self.text})

    def translate(self, sources: Sequence[TranslateDoc]) -> Iterator[tuple[int, str]]:
        """One line for each text, all given to one process."""
        if sources:
            # Whatever breaks lines, to any program, becomes a space.
            yield from enumerate(self._run([" ".join(" ".join(source.sentences).splitlines()) for source in sources]))

    def _run(self, lines: list[str]) -> list[str]:
        status, stdout, stderr = self._finished("".join(f"{line}\n" for line in lines).encode())
        said = stderr.decode(errors="replace").strip().splitlines()
        complaint = f": {said[0].rstrip('.')}" if said else ""
        if status != 0:
            how = f"ended with status {status}" if status > 0 else f"was ended by signal {-status}"
            raise RefereeError(f"'{self.text}' {how}{complaint}", "run it by hand on one line to find the cause")
        try:
            written = stdout.decode()
        except UnicodeDecodeError as error:
            problem = f"'{self.text}' wrote text that is not valid UTF-8 ({error.reason})"
            raise InputError(problem, "make it write UTF-8") from None
        outputs = written.removesuffix("\n").split("\n") if written else []
        if len(outputs) != len(lines):
            problem = f"'{self.text}' wrote {len(outputs)} lines for {len(lines)} input lines{complaint}"
            raise InputError(problem, "make it write exactly one line per line that it reads")
        return [output.removesuffix("\r") for output in outputs]

    def _finished(self, given: bytes) -> tuple[int, bytes, bytes]:
        """Runs it to its end; what it started itself ends with it."""
        try:
            process = subprocess.Popen(  # noqa: S603 the program that the user named, without a shell
                [str(self.program), *self.arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            problem = f"'{self.text}' cannot be run ({error.strerror})"
            raise InputError(problem, "check that it is executable, and the first line of a script") from None
        with process:
            try:
                # Reads while it writes, so that neither side waits for the other, however much there is.
                stdout, stderr = process.communicate(given, self.timeout)
            except BaseException as error:
                # A pipeline's members keep the pipes open when only the first is ended, and we would wait for them.
                os.killpg(process.pid, signal.SIGKILL)
                if not isinstance(error, subprocess.TimeoutExpired):
                    raise
                problem = f"'{self.text}' did not end within {self.timeout} seconds"
                raise RefereeError(problem, "raise the limit with timeout=SECONDS") from None
        return process.returncode, stdout, stderr


def open_command(spec: ModelSpec) -> Command:
    """`command:PROGRAM ARGUMENTS...[,timeout=SECONDS][,lines=1]`; a document is one line, its sentences joined."""
    spec.only("lines", "timeout")
    spec.option("lines", ("1",), "1")
    try:
        name, *arguments = shlex.split(spec.name) or [""]
    except ValueError as error:
        problem = f"'{spec.text}' is not a command line ({str(error).lower()})"
        raise UsageError(problem, "write the program and its arguments as in a shell") from None
    program = shutil.which(name)
    if program is None:
        raise MissingError(f"the program '{name}' was not found", "install it, or give the path of an executable file")
    timeout = spec.number("timeout", 1) if "timeout" in spec.options else None
    return Command(Path(program).absolute(), tuple(arguments), spec.name, timeout)
