"""`referee estimate`: pronoun counts in corpora, to compare with a model's bias."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.options import Force, Json
from referee.cli.outputs import check_output

app = typer.Typer(help="Count pronouns in corpora.", no_args_is_help=True, rich_markup_mode=None)

TargetLang = Annotated[str, typer.Option("--target-lang", metavar="CODE", help="Language of the pronouns to count.")]


@app.callback()
def root() -> None:
    """Count pronouns in corpora."""


@app.command("priors")
def priors(
    ctx: typer.Context,
    source: Annotated[
        Path, typer.Argument(metavar="SOURCE", help="Source text, one sentence per line; may be gzipped (.gz).")
    ],
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="Its translation, line by line.")],
    target_lang: TargetLang,
    source_lang: Annotated[str, typer.Option("--source-lang", metavar="CODE", help="Language of the source.")] = "en",
    word: Annotated[
        str, typer.Option("--word", metavar="WORD", help="Source word whose translations are counted.")
    ] = "it",
    alignment: Annotated[
        Path | None,
        typer.Option(
            "--alignment", metavar="FILE", help="Word alignment from another tool, one line per pair: 0-0 1-2."
        ),
    ] = None,
    learn_from: Annotated[
        int | None,
        typer.Option(
            "--learn-from", metavar="N", min=1, help="Number of pairs to train the aligner on. Default: 100,000."
        ),
    ] = None,
    longest: Annotated[
        int | None,
        typer.Option("--longest", metavar="N", min=1, help="Skip sentences of more than N tokens. Default: 100."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Read only the first N lines.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the counts to FILE, for `diagnose --priors`.")
    ] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Count pronouns by gender in parallel training data."""
    from referee.analysis.corpus.estimate import estimate_priors
    from referee.analysis.corpus.frequencies import wrote_priors
    from referee.cli.output import print_json, progress_bar, say, show_tables
    from referee.reports.tables.corpus import priors_table

    check_output(ctx, out, wrote_priors, force=force)
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
        say(f"Counts written to {out}. Compare them with a run: `referee diagnose RUN --priors {out}`.")


@app.command("coverage")
def coverage(
    translations: Annotated[
        Path, typer.Argument(metavar="TRANSLATIONS", help="Translations of a system, one per line.")
    ],
    reference: Annotated[Path, typer.Argument(metavar="REFERENCE", help="Reference translations, line by line.")],
    target_lang: TargetLang,
    others: Annotated[list[Path] | None, typer.Argument(metavar="MORE", help="Translations of more systems.")] = None,
    json: Json = False,
) -> None:
    """Compare pronouns in translations and their reference."""
    from referee.analysis.corpus.estimate import estimate_coverage
    from referee.cli.output import print_json, progress_bar, show_tables
    from referee.reports.tables.corpus import coverages_table

    counts = estimate_coverage([translations, *(others or ())], reference, target_lang, bars=progress_bar)
    if json:
        print_json({"reference": str(reference), "translations": counts})
        return
    show_tables([coverages_table(f"pronouns in translations and in {reference}", counts)])
