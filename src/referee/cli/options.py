"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="The folder of public sets; else $REFEREE_DATA, else the user's cache."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
Match = Annotated[
    str | None,
    typer.Option(
        "--match",
        metavar="paper|token",
        help="Show what one matching rule found; without it both are shown.",
    ),
]
Comet = Annotated[
    Path | None,
    typer.Option("--comet", metavar="DIR", help="A COMET checkpoint: its score beside BLEU and chrF (extra comet)."),
]
Thesaurus = Annotated[
    str | None,
    typer.Option(
        "--thesaurus",
        metavar="FILE|wn:LEXICON",
        help="Where synonyms come from: a MyThes file (*.dat), or a lexicon of the package `wn`.",
    ),
]
By = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="WHAT",
        help="Break results down by label, distance, candidates or a feature such as gender; may be repeated.",
    ),
]
