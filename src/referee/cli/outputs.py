"""The guard before every file that a command writes: what the command reads, and what is not ours, stays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import typer

from referee.io.overwrite import Recognises, check_overwrite

_OUTPUTS = frozenset({"out", "flips_out", "tables", "work", "cache"})
"""Parameters that name what is written; all others may name what is read."""
_PIECES = re.compile(r"[:,=]")


def check_output(ctx: typer.Context, path: Path | None, recognises: Recognises, *, force: bool = False) -> None:
    """Refuse an output that would replace an input of the command, a file of a run, or a file that is not ours."""
    if path is not None:
        check_overwrite(path, recognises, inputs=list(inputs_of(ctx)), force=force)


def inputs_of(ctx: typer.Context) -> Iterator[Path]:
    """Every file and folder that an argument names, on its own or inside a model such as `hf:DIR,tokenizer=FILE`."""
    for name, value in ctx.params.items():
        if name not in _OUTPUTS:
            for entry in value if isinstance(value, list | tuple) else [value]:
                yield from _named(entry)
    if "data" in ctx.params:
        from referee.data.folder import data_folder

        yield data_folder(ctx.params["data"])


def _named(value: object) -> Iterator[Path]:
    if not isinstance(value, str | Path):
        return
    text = str(value)
    for name in dict.fromkeys((text, text.partition(":")[2], *_PIECES.split(text))):
        # A file may also be there as NAME.gz.
        for path in (Path(name), Path(f"{name}.gz")) if name else ():
            try:
                exists = path.exists()
            except OSError:
                continue
            if exists:
                yield path
