"""`referee build`: new challenge sets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.aflite import build_aflite
from referee.cli.options import Data, Force, Json
from referee.cli.outputs import check_output
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
    ctx: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Templates (see `list templates`). Default: all."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Output file: .jsonl, .jsonl.gz or .parquet.")
    ] = None,
    lang: Annotated[
        str, typer.Option("--lang", metavar="LL|FOLDER", help="Language code, or a language folder of your own.")
    ] = "de",
    paper: Annotated[
        bool, typer.Option("--paper", help="Build exactly the sets of the ContraCAT paper (German).")
    ] = False,
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", metavar="FILE", help="Training data, target side: rare nouns are not used."),
    ] = None,
    min_count: Annotated[
        int | None,
        typer.Option("--min-count", metavar="N", help="Use nouns that --corpus has at least N times. [default: 30]"),
    ] = None,
    show: Annotated[int, typer.Option("--show", metavar="N", min=0, help="Print N random items.")] = 0,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Random seed of --show.")] = 0,
    data: Data = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Generate items from templates, one candidate per gender."""
    from referee.build import fill_templates
    from referee.cli.output import print_json, progress_bar, result, show_tables
    from referee.reports.tables.built import item_text, rare_text, templates_table
    from referee.sets import format_of, wrote

    if out is None and not show:
        raise UsageError("no output was chosen", "add --out FILE, or --show N to print some items")
    if out is not None:
        format_of(out)
        check_output(ctx, out, wrote, force=force)
    filled = fill_templates(
        lang,
        *names or (),
        paper=paper,
        corpus=corpus,
        min_count=min_count,
        out=out,
        examples=show,
        seed=seed,
        data=data,
        bars=progress_bar,
    )
    if json:
        print_json(_record(filled, out) | ({"shown": filled.examples} if show else {}))
        return
    for item in filled.examples:
        result(item_text(item) + "\n")
    show_tables([templates_table(filled.language_name, filled.tallies)])
    if filled.rare is not None:
        result(rare_text(filled.rare))
    if filled.fingerprint is not None:
        result(f"{filled.items:,} items written to {out} (sha256 {filled.fingerprint.sha256[:12]}).")


def _record(filled: FilledTemplates, out: Path | None) -> dict[str, Any]:
    written = {} if filled.fingerprint is None else {"file": str(out), "sha256": filled.fingerprint.sha256}
    rare = {} if filled.rare is None else {"corpus": filled.rare}
    return written | {"items": filled.items, "language": filled.language, "templates": filled.tallies} | rare
