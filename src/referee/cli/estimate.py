"""`referee estimate`: pronoun counts in corpora, to compare with a model's bias."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.options import Json

app = typer.Typer(help="Counts of pronouns in corpora.", no_args_is_help=True, rich_markup_mode=None)

TargetLang = Annotated[
    str, typer.Option("--target-lang", metavar="CODE", help="The language of the pronouns that are counted.")
]


@app.callback()
def root() -> None:
    """Counts of pronouns in corpora."""


@app.command("priors")
def priors(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="A text, one sentence a line; may be packed (.gz).")],
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="Its translation, line by line.")],
    target_lang: TargetLang,
    source_lang: Annotated[
        str, typer.Option("--source-lang", metavar="CODE", help="The language of the source.")
    ] = "en",
    word: Annotated[str, typer.Option("--word", metavar="WORD", help="Whose translations are counted.")] = "it",
    alignment: Annotated[
        Path | None,
        typer.Option("--alignment", metavar="FILE", help="Links made elsewhere, a line a pair: 0-0 1-2."),
    ] = None,
    learn_from: Annotated[
        int | None,
        typer.Option("--learn-from", metavar="N", min=1, help="Pairs that the aligner learns from; else 100,000."),
    ] = None,
    longest: Annotated[
        int | None,
        typer.Option("--longest", metavar="N", min=1, help="Longer sentences, in tokens, are not aligned; else 100."),
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", min=1, help="Only the first N lines.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Keep the counts there, for `diagnose --priors`.")
    ] = None,
    json: Json = False,
) -> None:
    """Count pronouns by gender in training data, in all and as translations of a word."""
    from referee.analysis.corpus.estimate import estimate_priors
    from referee.cli.output import print_json, progress_bar, say, show_tables
    from referee.reports.tables.corpus import priors_table

    counts = estimate_priors(
        source,
        target,
        target_lang,
        source_lang=source_lang,
        word=word,
        alignment=alignment,
        learn_from=learn_from,
        longest=longest,
        limit=limit,
        out=out,
        bars=progress_bar,
    )
    if json:
        print_json(counts)
        return
    show_tables([priors_table(counts)])
    if out is not None:
        say(f"the counts are in {out}; `referee diagnose RUN --priors {out}` shows them beside what was chosen")


@app.command("coverage")
def coverage(
    translations: Annotated[Path, typer.Argument(metavar="TRANSLATIONS", help="Outputs of a system, one a line.")],
    reference: Annotated[Path, typer.Argument(metavar="REFERENCE", help="What they should be, line by line.")],
    target_lang: TargetLang,
    others: Annotated[
        list[Path] | None, typer.Argument(metavar="[TRANSLATIONS...]", help="Outputs of more systems.")
    ] = None,
    json: Json = False,
) -> None:
    """Count pronouns by gender in translations and their reference, and see whether the same lines have them."""
    from referee.analysis.corpus.estimate import estimate_coverage
    from referee.cli.output import print_json, progress_bar, show_tables
    from referee.reports.tables.corpus import coverages_table

    counts = estimate_coverage([translations, *(others or ())], reference, target_lang, bars=progress_bar)
    if json:
        print_json({"reference": str(reference), "translations": counts})
        return
    show_tables([coverages_table(f"pronouns in translations and in {reference}", counts)])
