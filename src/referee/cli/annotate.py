"""`referee annotate`: sentences, words, tags, features, lemmas and trees of texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.options import Force
from referee.cli.outputs import check_output

if TYPE_CHECKING:
    from referee.annotate.document import Document
    from referee.io.overwrite import Recognises

    Write = Callable[[Iterable[Document], Path], None]


def annotate(
    ctx: typer.Context,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Texts in UTF-8, one document per file or ID, tab, text; `-` is stdin."),
    ],
    lang: Annotated[str, typer.Option("--lang", metavar="LL", help="Language of the texts.")],
    tool: Annotated[
        str,
        typer.Option("--with", metavar="NAME", help="Annotator (see `list annotators`); auto: the best one installed."),
    ] = "auto",
    form: Annotated[
        str,
        typer.Option(
            "--form", metavar="auto|text|tsv", help="Form of the files: one document, or lines of ID, tab, text."
        ),
    ] = "auto",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write to FILE (.gz packs it). Default: stdout.")
    ] = None,
    to: Annotated[
        str, typer.Option("--to", metavar="conllu|spacy", help="Output: CoNLL-U, or a DocBin of spaCy.")
    ] = "conllu",
    jobs: Annotated[int, typer.Option("--jobs", metavar="N", min=1, help="Number of processes.")] = 1,
    force: Force = False,
) -> None:
    """Annotate texts: words, tags, features, lemmas, trees."""
    from referee.annotate.run import annotate as annotated
    from referee.annotate.texts import checked_form, read_texts
    from referee.cli.output import progress_bar, say

    write, recognises = _writer(to, out)
    check_output(ctx, out, recognises, force=force)
    chosen = checked_form(form)
    total = _line_count(files)
    with progress_bar("annotating", "lines") as progress:
        documents = annotated(
            read_texts(files, chosen),
            lang,
            annotator=tool,
            jobs=jobs,
            progress=lambda done, _: progress(done, total),
        )
        counts = _Counts()
        if out is None:
            _print(counts.counted(documents))
        else:
            write(counts.counted(documents), out)
    say(f"{counts}{f' Written to {out}.' if out is not None else ''}")


def _writer(to: str, out: Path | None) -> tuple[Write, Recognises]:
    """What writes the documents, and what recognises the file."""
    from referee.errors import UsageError

    if to == "conllu":
        from referee.annotate.conllu import write_conllu, wrote_conllu

        return write_conllu, wrote_conllu
    if to != "spacy":
        raise UsageError(f"--to: '{to}' is not a valid output", "choose conllu or spacy")
    if out is None:
        raise UsageError("--to spacy: a DocBin cannot be printed", "add --out FILE")
    from referee.annotate.docbin import check_spacy, write_docbin, wrote_docbin

    check_spacy()
    return write_docbin, wrote_docbin


def _print(documents: Iterable[Document]) -> None:
    import sys

    from referee.annotate.conllu import conllu_texts

    for text in conllu_texts(documents):
        sys.stdout.write(text)


def _line_count(files: list[Path]) -> int | None:
    """The number of lines for the progress bar, where one is shown and the input can be read twice."""
    import sys

    from referee.io.files import count_lines

    if not sys.stderr.isatty() or any(str(file) == "-" for file in files):
        return None
    return sum(map(count_lines, files))


class _Counts:
    """What passes."""

    def __init__(self) -> None:
        self.documents = self.sentences = self.words = 0
        self.annotator = ""

    def counted(self, documents: Iterable[Document]) -> Iterator[Document]:
        for document in documents:
            self.documents += 1
            self.sentences += len(document.sentences)
            self.words += sum(len(sentence.words) for sentence in document.sentences)
            self.annotator = document.annotator
            yield document

    def __str__(self) -> str:
        numbers = ((self.documents, "document"), (self.sentences, "sentence"), (self.words, "word"))
        counts = ", ".join(f"{number:,} {noun}{'s' * (number != 1)}" for number, noun in numbers)
        return f"{counts}; annotator: {self.annotator}."
