"""`referee list`: suites, models, perturbations, templates, annotators, resolvers and aligners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.options import Data, Json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.annotate.registry import Kind

app = typer.Typer(
    help="List suites, models, perturbations and other tools.", no_args_is_help=True, rich_markup_mode=None
)


@app.callback()
def root() -> None:
    """List suites, models, perturbations and other tools."""


@app.command("suites")
def show_suites(
    family: Annotated[
        str, typer.Argument(metavar="FAMILY", help="Show only suites whose name starts with FAMILY.")
    ] = "",
    there: Annotated[bool, typer.Option("--there", help="Show only suites that are in the data folder.")] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """List public challenge sets and their local files."""
    from referee.cli.output import print_json
    from referee.data.folder import data_folder
    from referee.suites import suites

    folder = data_folder(data)
    listed = [(suite, suite.presence(folder)) for suite in suites().values() if suite.name.startswith(family)]
    shown = [(suite, state) for suite, state in listed if not (there and state == "no")]
    if json:
        fields = ("about", "licence", "paper", "files")
        records = [
            {"name": suite.name, "there": state} | {field: getattr(suite, field) for field in fields}
            for suite, state in shown
        ]
        print_json({"folder": str(folder), "suites": records})
        return
    cells = [(suite.name, state, suite.about, suite.licence) for suite, state in shown]
    _show(f"{len(cells)} suites (data folder: {folder})", ("name", "there", "about", "licence"), cells)


@app.command("models")
def show_models(json: Json = False) -> None:
    """List the kinds of models."""
    from referee.cli.output import print_json
    from referee.models import model_kinds

    cells = [(kind.usage, kind.about) for kind in model_kinds().values()]
    if json:
        print_json({"models": [{"usage": usage, "about": about} for usage, about in cells]})
        return
    _show("model kinds", ("usage", "about"), cells)


@app.command("perturbations")
def show_perturbations(
    family: Annotated[
        str, typer.Argument(metavar="FAMILY", help="Show only perturbations whose name starts with FAMILY.")
    ] = "",
    json: Json = False,
) -> None:
    """List perturbations with languages and examples."""
    from referee.cli.output import print_json
    from referee.perturbations import perturbations

    listed = [change for change in perturbations().values() if change.name.startswith(family)]
    if json:
        fields = ("name", "languages", "about", "example")
        print_json({"perturbations": [{field: getattr(change, field) for field in fields} for change in listed]})
        return
    cells = [(change.name, " ".join(change.languages), change.about, change.example) for change in listed]
    _show(f"{len(cells)} perturbations", ("name", "languages", "about", "example"), cells)


@app.command("templates")
def show_templates(
    lang: Annotated[
        list[str] | None, typer.Option("--lang", metavar="LL|FOLDER", help="Show only this language. Repeatable.")
    ] = None,
    json: Json = False,
) -> None:
    """List templates with examples."""
    from referee.build import list_templates
    from referee.cli.output import print_json

    listed = list_templates(*lang or ())
    if json:
        print_json({"templates": listed})
        return
    cells = [(template.name, template.step, template.about, template.example) for template in listed]
    _show("templates", ("name", "step", "about", "example"), cells)


@app.command("annotators")
def show_annotators(json: Json = False) -> None:
    """List annotators: what is installed, how to get the rest."""
    from referee.annotate.registry import ANNOTATORS

    _show_tools(ANNOTATORS, json=json)


@app.command("resolvers")
def show_resolvers(json: Json = False) -> None:
    """List resolvers of pronouns and how to get them."""
    from referee.annotate.registry import RESOLVERS

    _show_tools(RESOLVERS, json=json)


@app.command("aligners")
def show_aligners(json: Json = False) -> None:
    """List word aligners and how to get them."""
    from referee.annotate.registry import ALIGNERS

    _show_tools(ALIGNERS, json=json)


def _show_tools(kind: Kind, *, json: bool) -> None:
    from referee.cli.output import print_json

    listed = [
        {
            "name": tool.name,
            "usage": tool.usage,
            "installed": tool.state(),
            "languages": tool.languages,
            "about": tool.about,
            "licence": tool.licence,
            "install": tool.next_step(),
        }
        for tool in kind.tools().values()
    ]
    plural = f"{kind.noun}s"
    if json:
        print_json({plural: listed})
        return
    cells = [
        (
            tool.usage,
            tool.state(),
            " ".join(tool.languages) or "any",
            tool.about + f" ({tool.licence})" * bool(tool.licence),
            tool.next_step(),
        )
        for tool in kind.tools().values()
    ]
    _show(plural, ("usage", "installed", "languages", "about", "install with"), cells)


def _show(title: str, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    from referee.cli.output import show_tables
    from referee.reports.model import Table

    table = Table(title, columns, rows, left=tuple(range(len(columns))))
    show_tables([table])
