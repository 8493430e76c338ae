"""`referee data`: public sets into the data folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.options import Data, Json
from referee.errors import MissingError

if TYPE_CHECKING:
    from pathlib import Path

    from referee.data.sources import Source
    from referee.suites import Suite

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
    from referee.data.download import fetch
    from referee.data.folder import data_folder

    folder = data_folder(data)
    results = []
    for source in _wanted(names, folder):
        with progress_bar(source.path, unit="bytes") as progress:
            done = fetch(source, folder, progress=progress, force=force)
        results.append(done)
        if not json:
            result(f"{done.outcome}: {done.path} ({done.size} bytes; licence: {source.licence})")
    if json:
        files = [{"path": str(done.path), "outcome": done.outcome, "bytes": done.size} for done in results]
        print_json({"folder": str(folder), "files": files})


def _wanted(names: list[str], folder: Path) -> list[Source]:
    """The sources of all that is named, each once."""
    return list({source.path: source for name in names for source in _named(name, folder)}.values())


def _named(name: str, folder: Path) -> list[Source]:
    """A suite, a family of suites, or a folder of published files such as `ctxpro/paper/outputs`."""
    from referee.cli.output import say
    from referee.data.sources import all_sources
    from referee.registry import lookup
    from referee.suites import suites

    known = suites()
    if name in known:
        return list(_sources(known[name], folder))
    found: list[Source] = []
    for suite in (suite for suite in known.values() if suite.name.startswith(f"{name}/")):
        try:
            found += _sources(suite, folder)
        except MissingError as error:
            # One set without a source does not keep the rest of its family from coming.
            say(f"left out {suite.name}: {error}")
    found = found or [source for path, source in all_sources().items() if path.startswith(f"{name}/")]
    return found or list(_sources(lookup("suite", name, known), folder))


def _sources(suite: Suite, folder: Path) -> tuple[Source, ...]:
    from referee.data.sources import all_sources, sources_for

    known = all_sources()
    published = [file for file in suite.files if file in known]
    # A suite that can be read from some of its files is content with those that were published.
    return sources_for(published if suite.needs == "any" and published else suite.files, folder)
