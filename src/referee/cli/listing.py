"""`referee list`: what there is."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli.options import Data, Json


def listing(
    what: Annotated[str, typer.Argument(metavar="suites|models", help="What to list.")],
    data: Data = None,
    json: Json = False,
) -> None:
    """List suites (and whether their files are there) or model kinds."""
    from referee.cli.output import print_json, show_tables
    from referee.registry import lookup
    from referee.report.tables import Table

    make = lookup("list", what, {"suites": _suites, "models": _models})
    title, columns, rows = make(data)
    if json:
        print_json({what: [dict(zip(columns, row, strict=True)) for row in rows]})
    else:
        show_tables([Table(title, columns, rows, left=tuple(range(len(columns))))])


def _suites(data: Data) -> tuple[str, tuple[str, ...], list[tuple[str, ...]]]:
    from referee.data.folder import data_folder
    from referee.suites import suites

    folder = data_folder(data)
    rows: list[tuple[str, ...]] = []
    for suite in suites().values():
        missing = len(suite.missing(folder))
        there = "yes" if not missing else "no" if missing == len(suite.files) or suite.needs == "all" else "partly"
        rows.append((suite.name, there, suite.about, suite.licence))
    return f"suites (data folder: {folder})", ("name", "there", "about", "licence"), rows


def _models(_: Data) -> tuple[str, tuple[str, ...], list[tuple[str, ...]]]:
    from referee.models import kinds

    return "model kinds", ("usage", "about"), [(kind.usage, kind.about) for kind in kinds().values()]
