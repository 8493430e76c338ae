"""`referee build`: new challenge sets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.aflite import build_aflite
from referee.cli.options import Data, Json
from referee.cli.twins import build_twins
from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.build import FilledTemplates

app = typer.Typer(help="Build new challenge sets.", no_args_is_help=True, rich_markup_mode=None)
app.command("aflite")(build_aflite)
app.command("twins")(build_twins)


@app.callback()
def root() -> None:
    """Build new challenge sets."""


@app.command("templates")
def build_templates(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME...]", help="Templates (see `list templates`); all without."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where the items go: .jsonl, .jsonl.gz, .parquet.")
    ] = None,
    lang: Annotated[
        str, typer.Option("--lang", metavar="LL|FOLDER", help="A language that is shipped, or a folder of your own.")
    ] = "de",
    paper: Annotated[bool, typer.Option("--paper", help="Exactly the sets of the ContraCAT paper (German).")] = False,
    show: Annotated[
        int, typer.Option("--show", metavar="N", min=0, help="Print N items drawn at random, to be read.")
    ] = 0,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Another seed draws others.")] = 0,
    data: Data = None,
    json: Json = False,
) -> None:
    """Make items from templates: every combination of words, one alternative for every gender."""
    from referee.build import fill_templates
    from referee.cli.output import print_json, progress_bar, result, show_tables
    from referee.reports.tables.built import item_text, templates_table

    if out is None and not show:
        raise UsageError("there is nowhere for the items to go", "give --out FILE, or --show N to read some")
    with progress_bar("making items") as progress:
        filled = fill_templates(
            lang, *names or (), paper=paper, out=out, examples=show, seed=seed, data=data, progress=progress
        )
    if json:
        print_json(_record(filled, out) | ({"shown": filled.examples} if show else {}))
        return
    for item in filled.examples:
        result(item_text(item) + "\n")
    show_tables([templates_table(filled.language_name, filled.tallies)])
    if filled.fingerprint is not None:
        result(f"{filled.items:,} items in {out}, sha256 {filled.fingerprint.sha256[:12]}")


def _record(filled: FilledTemplates, out: Path | None) -> dict[str, Any]:
    written = {} if filled.fingerprint is None else {"file": str(out), "sha256": filled.fingerprint.sha256}
    return written | {"items": filled.items, "language": filled.language, "templates": filled.tallies}
