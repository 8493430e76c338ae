"""`referee perturb`: sets with attacks on them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.options import Data, Json, Thesaurus
from referee.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from referee.items import Item
    from referee.perturbations import Perturbation, Tally
    from referee.reports.model import Table
    from referee.sets import ItemSet


def perturb(
    items: Annotated[str, typer.Argument(metavar="ITEMS", help="A file of items, or a suite by name.")],
    names: Annotated[
        list[str],
        typer.Argument(metavar="P...", help="Perturbations (see `list perturbations`), or families such as `phrase`."),
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Where the items go: .jsonl, .jsonl.gz, .parquet.")
    ],
    paper: Annotated[bool, typer.Option("--paper", help="As published, faults included.")] = False,
    single_token: Annotated[
        list[str] | None,
        typer.Option(
            "--single-token",
            metavar="MODEL",
            help="Only groups whose candidates are single tokens for this masked model; may be repeated.",
        ),
    ] = None,
    thesaurus: Thesaurus = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Change the items of a set; what does not fit is left out, and the reasons are counted."""
    from referee import sets
    from referee.cli.output import print_json, progress_bar, show_tables
    from referee.data.folder import data_folder
    from referee.perturbations import choose, perturbed_set
    from referee.suites import load

    sets.format_of(out)
    chosen = _askable(choose(names, paper=paper, thesaurus=thesaurus), single_token or [])
    challenge = load(items, data=data_folder(data))
    attacked, tallies = perturbed_set(challenge, chosen)
    with progress_bar("changing") as progress:
        fingerprint = sets.save(_watched(attacked, items, tallies, progress), out)
    if json:
        found = [
            {
                "perturbation": tally.perturbation,
                "items": tally.items,
                "changed": tally.changed,
                "dropped": tally.dropped,
            }
            for tally in tallies()
        ]
        print_json({"file": str(out), "items": fingerprint.items, "sha256": fingerprint.sha256, "perturbations": found})
        return
    show_tables([_table(f"{items}: {fingerprint.items:,} changed items in {out}", tallies())])


def _askable(chosen: list[Perturbation], names: list[str]) -> list[Perturbation]:
    if not names:
        return chosen
    from referee.models import open_model
    from referee.perturbations.single_token import single_tokens

    models = {name: open_model(name) for name in names}
    return [single_tokens(each, models) for each in chosen]


def _watched(
    attacked: ItemSet, name: str, tallies: Callable[[], list[Tally]], progress: Callable[[int, int | None], None]
) -> Iterator[Item]:
    done = 0
    for done, item in enumerate(attacked, 1):
        yield item
        progress(done, None)
    if not done:
        # Raised while the file is being written, so that none is left behind.
        raise nothing_changed(name, tallies())


def nothing_changed(name: str, tallies: list[Tally]) -> InputError:
    """The error about a set that perturbations leave nothing of."""
    if not any(tally.items for tally in tallies):
        return InputError(f"{name} has no items", "name a set that has some")
    why = dict.fromkeys(reason for tally in tallies for reason, _ in tally.dropped.most_common())
    return InputError(f"no item of {name} can be changed ({'; '.join(why)})", "docs/attacks.md says what is needed")


def reasons(tally: Tally) -> str:
    """Why items were dropped, most often first."""
    return "; ".join(f"{count:,} {reason}" for reason, count in tally.dropped.most_common())


def _table(title: str, tallies: list[Tally]) -> Table:
    from referee.reports.model import Table

    rows = [
        (tally.perturbation, f"{tally.items:,}", f"{tally.changed:,}", reasons(tally) or "none") for tally in tallies
    ]
    return Table(title, ("perturbation", "items", "changed", "dropped"), rows, left=(0, 3))
