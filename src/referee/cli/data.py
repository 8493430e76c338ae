"""`referee data`: public sets into the data folder."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from referee.cli.options import Data, Json

app = typer.Typer(help="The data folder.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def root() -> None:
    """The data folder."""


@app.command("get")
def get(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME...",
            help="Suites; `xcopa` stands for all that begin with `xcopa/`. Folders of published files too.",
        ),
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there but differ.")] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """Fetch public sets from where their authors published them; an interrupted fetch goes on where it stopped."""
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
