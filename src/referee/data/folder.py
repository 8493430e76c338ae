"""Where the public sets lie."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def data_folder(option: Path | None) -> Path:
    """The folder named with `--data`, else `$REFEREE_DATA`, else one in the user's cache."""
    if option is not None:
        return option
    if named := os.environ.get("REFEREE_DATA"):
        return Path(named).expanduser()
    return platformdirs.user_cache_path("referee") / "data"
