"""`referee build`: new challenge sets."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.aflite import build_aflite
from referee.cli.options import Data, Json
from referee.cli.twins import build_twins
from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from referee.build.templates import Tally
    from referee.items import Item

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
    from referee.build.templates import open_templates
    from referee.cli.output import print_json, progress_bar, result
    from referee.data.folder import data_folder
    from referee.sets import save

    if out is None and not show:
        raise UsageError("there is nowhere for the items to go", "give --out FILE, or --show N to read some")
    templates = open_templates(lang, paper=paper, data=data_folder(data))
    found: dict[str, Tally] = {}
    shown: list[Item] = []
    with progress_bar("making items") as progress:
        items = _sampled(_counted(templates.items(names or (), found), progress), show, seed, shown)
        fingerprint = save(items, out) if out is not None else None
        # Without a file they are made all the same: for the counts, and to draw from all of them.
        deque(items, maxlen=0)
    total = sum(tally.items for tally in found.values())
    if json:
        written = {} if fingerprint is None else {"file": str(out), "sha256": fingerprint.sha256}
        tallies = {name: {"items": tally.items, "left_out": dict(tally.left_out)} for name, tally in found.items()}
        summary = {"items": total, "language": templates.language.code, "templates": tallies}
        print_json(written | summary | ({"shown": shown} if show else {}))
        return
    for item in shown:
        result(_readable(item) + "\n")
    _show(templates.language.name, found)
    if fingerprint is not None:
        result(f"{total:,} items in {out}, sha256 {fingerprint.sha256[:12]}")


def _sampled(items: Iterable[Item], size: int, seed: int, shown: list[Item]) -> Iterator[Item]:
    """Passes items on, and keeps so many of them in `shown`, each with the same chance."""
    import numpy as np

    draws = np.random.default_rng(seed)
    for number, item in enumerate(items):
        if number < size:
            shown.append(item)
        elif size and (place := int(draws.integers(number + 1))) < size:
            shown[place] = item
        yield item


def _readable(item: Item) -> str:
    """Both sides of an item, context first; a star is at the right alternative."""
    source = " ".join((*item.source_context, item.source))
    candidates = [f"  {'*' if item.gold == index else ' '} {one.text}" for index, one in enumerate(item.candidates)]
    return "\n".join([item.id, f"  {source}", *(f"  -> {text}" for text in item.target_context), *candidates])


def _counted(items: Iterable[Item], progress: Callable[[int, int | None], None]) -> Iterator[Item]:
    for number, item in enumerate(items, 1):
        yield item
        progress(number, None)


def _show(language: str, found: dict[str, Tally]) -> None:
    from referee.cli.output import show_tables
    from referee.reports.model import Table

    rows = [
        (
            name,
            f"{tally.items:,}",
            "; ".join(f"{count:,} {reason}" for reason, count in sorted(tally.left_out.items())) or "none",
        )
        for name, tally in found.items()
    ]
    show_tables([Table(f"{language} templates", ("template", "items", "combinations left out"), rows, left=(0, 2))])
