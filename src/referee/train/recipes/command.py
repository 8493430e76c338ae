"""Running a command of this folder: an error that the user can fix is one sentence, as everywhere in referee."""

from __future__ import annotations

import sys
from collections.abc import Callable

from referee.errors import RefereeError
from referee.logs import show_on_stderr


def run(main: Callable[[], None]) -> None:
    """Run a command; what it logs is shown on stderr."""
    show_on_stderr(verbose=True)
    try:
        main()
    except RefereeError as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(error.exit_code)
