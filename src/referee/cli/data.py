"""`referee data`: download public sets into the data folder."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from referee.cli.options import Data, Json

app = typer.Typer(help="Download public sets.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def root() -> None:
    """Download public sets."""


@app.command("get")
def get(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME",
            help="Suites, families such as `xcopa` (all of `xcopa/...`), folders of published files, or one file.",
        ),
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace existing files that differ.")] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """Download public sets from their authors; can be resumed."""
    from referee.cli.output import print_json, progress_bar, result
    from referee.data.download import Result
    from referee.data.folder import data_folder
    from referee.suites.fetch import fetch_suites

    def show(file: Result) -> None:
        result(f"{file.outcome}: {file.path} ({file.size} bytes; licence: {file.source.licence})")

    folder = data_folder(data)
    bars = partial(progress_bar, unit="bytes")
    results = fetch_suites(*names, data=folder, force=force, bars=bars, finished=None if json else show)
    if json:
        files = [{"path": str(file.path), "outcome": file.outcome, "bytes": file.size} for file in results]
        print_json({"folder": str(folder), "files": files})
