"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[
    Path | None,
    typer.Option(
        "--data", metavar="DIR", help="Folder of the public sets. Default: $REFEREE_DATA, else the user's cache folder."
    ),
]
Force = Annotated[
    bool,
    typer.Option("--force", help="Replace an existing file that referee did not write, unless it is an input."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
Match = Annotated[
    str | None,
    typer.Option(
        "--match",
        metavar="paper|token",
        help="Show the results of one matching rule. Default: both.",
    ),
]
Comet = Annotated[
    Path | None,
    typer.Option(
        "--comet",
        metavar="DIR,allow_pickle=yes",
        help="Trusted COMET checkpoint (a pickle); adds its score to BLEU and chrF (needs `referee[comet]`).",
    ),
]
Thesaurus = Annotated[
    str | None,
    typer.Option(
        "--thesaurus",
        metavar="FILE|wn:LEXICON",
        help="Source of synonyms: a MyThes file (*.dat), or a lexicon of the package `wn`.",
    ),
]
Wordnets = Annotated[
    str | None,
    typer.Option(
        "--wordnets",
        metavar="SOURCE,TARGET",
        help="Synonyms by sense: two wordnets with an interlingual index (WN-LMF: *.xml, *.xml.gz).",
    ),
]
By = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="WHAT",
        help="Break results down by label, distance, candidates or a feature such as gender. Repeatable.",
    ),
]
