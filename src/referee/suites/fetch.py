"""Suites into the data folder, by name: whatever files they need, from where their authors published them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from pathlib import Path

from referee.data import sources as known_sources
from referee.data.download import Result, fetch
from referee.data.folder import data_folder
from referee.data.sources import Source
from referee.errors import MissingError
from referee.io.progress import Bars, no_bars
from referee.logs import logger
from referee.registry import lookup
from referee.suites import suites
from referee.suites.suite import Suite


def fetch_suites(
    *names: str,
    data: str | PathLike[str] | None = None,
    force: bool = False,
    bars: Bars = no_bars,
    finished: Callable[[Result], None] | None = None,
) -> list[Result]:
    """Fetch the files of suites into the data folder; a file that is there and correct is not fetched again.

    Args:
        names: Suites, families of suites such as `xcopa`, folders of published files, or files in them.
        data: The data folder; by default `$REFEREE_DATA`, else a folder in the user's cache.
        force: Replace files that are there but differ.
        bars: Opens the progress of a file, in bytes.
        finished: Called after each file, with what became of it.

    Templates are made on the spot, so they need no files:

    >>> fetch_suites("templates/de/gender")
    []

    """
    folder = data_folder(None if data is None else Path(data))
    results = []
    for source in _unique(source for name in names for source in _named(name, folder)):
        with bars(source.path) as progress:
            result = fetch(source, folder, progress=progress, force=force)
        results.append(result)
        if finished is not None:
            finished(result)
    return results


def _unique(sources: Iterable[Source]) -> list[Source]:
    return list({source.path: source for source in sources}.values())


def _named(name: str, folder: Path) -> list[Source]:
    """The sources of a suite, of a family of suites, of a folder of published files, or one file by its path."""
    available = suites()
    if name in available:
        return list(_sources(available[name], folder))
    family = [suite for suite in available.values() if suite.name.startswith(f"{name}/")]
    sources = [source for suite in family for source in _sources_of_member(suite, folder)]
    sources = sources or [
        source for path, source in known_sources.all_sources().items() if path == name or path.startswith(f"{name}/")
    ]
    return sources or list(_sources(lookup("suite", name, available), folder))


def _sources_of_member(suite: Suite, folder: Path) -> Iterator[Source]:
    try:
        yield from _sources(suite, folder)
    except MissingError as error:
        # One set without a source does not keep the rest of its family from coming.
        logger.warning("skipped %s: %s", suite.name, error)


def _sources(suite: Suite, folder: Path) -> tuple[Source, ...]:
    listed = [file for file in suite.files if file in known_sources.all_sources()]
    # A suite that can be read from some of its files is content with those that were published.
    return known_sources.sources_for(listed if suite.needs == "any" and listed else suite.files, folder)
