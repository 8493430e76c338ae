"""`referee data`: public sets into the data folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.options import Data, Json

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
        typer.Argument(metavar="NAME...", help="Suites; `xcopa` stands for all that begin with `xcopa/`."),
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there but differ.")] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """Fetch public sets from where their authors published them; an interrupted fetch goes on where it stopped."""
    from referee.cli.output import print_json, progress_bar, result, say
    from referee.data.download import fetch
    from referee.data.folder import data_folder

    folder = data_folder(data)
    results = []
    for source in _wanted(names, folder):
        with progress_bar(source.path, unit="bytes") as progress:
            done = fetch(source, folder, progress=progress, notify=say, force=force)
        results.append(done)
        if not json:
            result(f"{done.outcome}: {done.path} ({done.size} bytes; licence: {source.licence})")
    if json:
        files = [{"path": str(done.path), "outcome": done.outcome, "bytes": done.size} for done in results]
        print_json({"folder": str(folder), "files": files})


def _wanted(names: list[str], folder: Path) -> list[Source]:
    """The sources of all named suites, each once."""
    sources = {source.path: source for name in names for suite in _named(name) for source in _sources(suite, folder)}
    return list(sources.values())


def _named(name: str) -> list[Suite]:
    from referee.registry import lookup
    from referee.suites import suites

    known = suites()
    family = [suite for suite in known.values() if suite.name.startswith(f"{name}/")]
    return family if name not in known and family else [lookup("suite", name, known), *family]


def _sources(suite: Suite, folder: Path) -> tuple[Source, ...]:
    from referee.data.sources import all_sources, sources_for

    known = all_sources()
    published = [file for file in suite.files if file in known]
    # A suite that can be read from some of its files is content with those that were published.
    return sources_for(published if suite.needs == "any" and published else suite.files, folder)
