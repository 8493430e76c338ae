"""`command:` any program that reads lines and writes lines, such as `apertium eng-spa`: it translates."""

from __future__ import annotations

import hashlib
import shlex
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.errors import InputError, MissingError, RefereeError, UsageError
from referee.io.files import content_sha256
from referee.models.child import ChildLimitError, Output, run
from referee.models.spec import ModelSpec
from referee.protocols import Identity, TranslateDoc

_SIZE = 16 << 20
_GROWTH = 100  # bytes of output per byte of input that are taken, above that size


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
            yield from enumerate(self._run([" ".join(source.text.splitlines()) for source in sources]))

    def _run(self, lines: list[str]) -> list[str]:
        status, stdout, stderr = self._finished(lines)
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

    def _finished(self, lines: list[str]) -> tuple[int, bytes, bytes]:
        """Runs it to its end: its status, its output and its complaints."""
        given = "".join(f"{line}\n" for line in lines).encode()
        output = Output(len(lines), _SIZE + _GROWTH * len(given))
        try:
            status = run([str(self.program), *self.arguments], given, output, self.timeout)
        except OSError as error:
            problem = f"'{self.text}' cannot be run ({error.strerror})"
            raise InputError(problem, "check that it is executable, and the first line of a script") from None
        except ChildLimitError as error:
            raise RefereeError(f"'{self.text}' {error.problem}", error.remedy) from None
        return status, bytes(output.written), bytes(output.complaints)


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
