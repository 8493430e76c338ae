"""`referee estimate`: what is counted in corpora, beside which a judge's leanings can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.options import Json
from referee.errors import UsageError

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
    from referee.analysis.corpus.frequencies import write_priors
    from referee.analysis.corpus.pronoun_counts import LEARN_FROM, LONGEST, Question, count_priors
    from referee.annotate.align.corpus import open_parallel
    from referee.cli.output import print_json, progress_bar, say, show_tables
    from referee.languages.pronouns import pronouns_of
    from referee.languages.text import normalise_cyrillic
    from referee.reports.tables.corpus import priors_table

    if not word.isalpha():
        raise UsageError(f"--word {word!r} is not one word", "name one word in small letters, such as it")
    if alignment is not None and (learn_from is not None or longest is not None):
        raise UsageError("--learn-from and --longest are about our own aligner", "leave them out with --alignment")
    pronouns_of(target_lang)
    question = Question(source_lang, target_lang, word, learn_from or LEARN_FROM, longest or LONGEST)
    corpus = open_parallel([source, target, *([alignment] if alignment else [])], limit)
    found = count_priors(corpus, question, mend=normalise_cyrillic, bars=lambda name: progress_bar(name, "lines"))
    if out is not None:
        write_priors(found, out)
    if json:
        print_json(found)
    else:
        show_tables([priors_table(found)])
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
    from referee.analysis.corpus.coverage import Compared, compare
    from referee.annotate.align.corpus import open_parallel
    from referee.cli.output import print_json, progress_bar, show_tables
    from referee.languages.pronouns import pronouns_of
    from referee.languages.text import normalise_cyrillic
    from referee.reports.tables.corpus import coverages_table

    pronouns_of(target_lang)
    systems = [translations, *(others or ())]
    if len(set(systems)) < len(systems):
        raise UsageError("the same translations are named twice", "name each file once")
    found = {}
    for path, texts in [(path, open_parallel([path, reference])) for path in systems]:
        with progress_bar(path.name, "lines") as progress:
            lines = (
                Compared(normalise_cyrillic(translation), normalise_cyrillic(wanted), str(number))
                for number, (translation, wanted) in enumerate(texts.read(progress))
            )
            found[str(path)] = compare(lines, target_lang)
    if json:
        print_json({"reference": str(reference), "translations": found})
    else:
        show_tables([coverages_table(f"pronouns in translations and in {reference}", found)])
