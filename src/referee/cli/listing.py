"""`referee list`: what there is."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli.options import Data, Json

app = typer.Typer(help="List what there is.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def root() -> None:
    """List what there is."""


@app.command("suites")
def list_suites(
    family: Annotated[str, typer.Argument(metavar="[FAMILY]", help="Only suites whose name begins so.")] = "",
    there: Annotated[bool, typer.Option("--there", help="Only what is in the data folder.")] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """List public challenge sets, and whether their files are in the data folder."""
    from referee.cli.output import print_json
    from referee.data.folder import data_folder
    from referee.suites import suites

    folder = data_folder(data)
    rows = []
    for suite in suites().values():
        missing = len(suite.missing(folder))
        state = "yes" if not missing else "no" if missing == len(suite.files) or suite.needs == "all" else "partly"
        if suite.name.startswith(family) and not (there and state == "no"):
            rows.append((suite, state))
    if json:
        found = [
            {
                "name": suite.name,
                "there": state,
                "about": suite.about,
                "licence": suite.licence,
                "paper": suite.paper,
                "files": suite.files,
            }
            for suite, state in rows
        ]
        print_json({"folder": str(folder), "suites": found})
        return
    cells = [(suite.name, state, suite.about, suite.licence) for suite, state in rows]
    _show(f"{len(cells)} suites (data folder: {folder})", ("name", "there", "about", "licence"), cells)


@app.command("models")
def list_models(json: Json = False) -> None:
    """List the kinds of models that can judge."""
    from referee.cli.output import print_json
    from referee.models import model_kinds

    cells = [(kind.usage, kind.about) for kind in model_kinds().values()]
    if json:
        print_json({"models": [{"usage": usage, "about": about} for usage, about in cells]})
        return
    _show("model kinds", ("usage", "about"), cells)


@app.command("perturbations")
def list_perturbations(
    family: Annotated[str, typer.Argument(metavar="[FAMILY]", help="Only those whose name begins so.")] = "",
    json: Json = False,
) -> None:
    """List the changes that `perturb` and `eval --perturb` make, with the languages they know and an example each."""
    from referee.cli.output import print_json
    from referee.perturbations import perturbations

    found = [each for each in perturbations().values() if each.name.startswith(family)]
    if json:
        keys = ("name", "languages", "about", "example")
        print_json({"perturbations": [{key: getattr(each, key) for key in keys} for each in found]})
        return
    cells = [(each.name, " ".join(each.languages), each.about, each.example) for each in found]
    _show(f"{len(cells)} perturbations", ("name", "languages", "about", "example"), cells)


@app.command("templates")
def list_templates(
    lang: Annotated[
        list[str] | None, typer.Option("--lang", metavar="LL|FOLDER", help="Only this language; may be repeated.")
    ] = None,
    json: Json = False,
) -> None:
    """List templates that `build templates` makes items from, with an example each."""
    from referee.build.templates import open_templates, shipped
    from referee.cli.output import print_json

    rows = []
    for code in lang or shipped():
        templates = open_templates(code)
        for template in templates.templates.values():
            item = next(templates.items([template.name]))
            shown = item.gold if item.gold is not None else 0
            context = (" ".join(item.source_context), " ".join(item.target_context))
            example = f"{context[0]} {item.source} -> {context[1]} {item.candidates[shown].text}"
            rows.append((f"{templates.language.code}/{template.name}", template.step, template.about, example))
    if json:
        keys = ("name", "step", "about", "example")
        print_json({"templates": [dict(zip(keys, row, strict=True)) for row in rows]})
        return
    _show("templates", ("name", "step", "about", "example"), rows)


def _show(title: str, columns: tuple[str, ...], rows: list[tuple[str, str, str, str]] | list[tuple[str, str]]) -> None:
    from referee.cli.output import show_tables
    from referee.reports.model import Table

    table = Table(title, columns, rows, left=tuple(range(len(columns))))
    show_tables([table])
