"""Pronoun counts from files: in training data, and in translations next to their reference."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from referee.analysis.corpus.coverage import Compared, Coverage, compare
from referee.analysis.corpus.frequencies import Priors, write_priors
from referee.analysis.corpus.pronoun_counts import LEARN_FROM, LONGEST, Question, count_priors
from referee.annotate.align.corpus import open_parallel
from referee.errors import UsageError
from referee.io.progress import Bars, no_bars
from referee.languages.pronouns import pronouns_of
from referee.languages.text import normalise_cyrillic

File = str | PathLike[str]


def estimate_priors(
    source: File,
    target: File,
    target_lang: str,
    *,
    source_lang: str = "en",
    word: str = "it",
    alignment: File | None = None,
    learn_from: int | None = None,
    longest: int | None = None,
    limit: int | None = None,
    out: File | None = None,
    bars: Bars = no_bars,
) -> Priors:
    r"""Count pronouns by gender in training data, in all and as translations of a word.

    Args:
        source: A text, one sentence per line; may be packed (.gz).
        target: Its translation, line by line.
        target_lang: The language of the pronouns that are counted.
        source_lang: The language of the source.
        word: The word whose translations are counted.
        alignment: Links made elsewhere, one line per pair as `0-0 1-2`; by default the lines are aligned here.
        learn_from: Number of pairs that the aligner learns from, 100,000 by default.
        longest: Longer sentences, in tokens, are not aligned; 100 by default.
        limit: Read the first N lines only.
        out: A file for the counts, which `referee diagnose --priors` reads.
        bars: Opens the progress of a step.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     source, target, links = (Path(folder, name) for name in ("en", "de", "links"))
    ...     _ = source.write_text("It broke .\nI saw it .\n"), target.write_text("Sie zerbrach .\nIch sah es .\n")
    ...     _ = links.write_text("0-0 1-1 2-2\n0-0 1-1 2-2 3-3\n")
    ...     priors = estimate_priors(source, target, "de", alignment=links)
    >>> {count.gender: count.translations for count in priors.genders}
    {'m': 0, 'f': 1, 'n': 1}

    """
    if not word.isalpha():
        raise UsageError(f"--word: {word!r} is not a single word", "use one word in lower case, such as it")
    if alignment is not None and (learn_from is not None or longest is not None):
        raise UsageError("--learn-from and --longest have no effect with --alignment", "remove them")
    pronouns_of(target_lang)
    question = Question(source_lang, target_lang, word, learn_from or LEARN_FROM, longest or LONGEST)
    files = [source, target] if alignment is None else [source, target, alignment]
    priors = count_priors(open_parallel([*map(Path, files)], limit), question, normalise=normalise_cyrillic, bars=bars)
    if out is not None:
        write_priors(priors, Path(out))
    return priors


def estimate_coverage(
    translations: Sequence[File], reference: File, target_lang: str, *, bars: Bars = no_bars
) -> dict[str, Coverage]:
    r"""Count pronouns by gender in translations and in their reference, line by line; one entry per file.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     system, reference = Path(folder, "system"), Path(folder, "reference")
    ...     _ = system.write_text("Er fiel.\nSie fiel.\n"), reference.write_text("Sie fiel.\nSie fiel.\n")
    ...     coverage, = estimate_coverage([system], reference, "de").values()
    >>> {row.gender: (row.reference, row.translations) for row in coverage.genders}
    {'m': (0, 1), 'f': (2, 1), 'n': (0, 0), 'all': (2, 2)}
    """
    pronouns_of(target_lang)
    if len({str(path) for path in translations}) < len(translations):
        raise UsageError("a file of translations is given twice", "give each file once")
    # All files are checked before the first is counted.
    opened = {str(path): open_parallel([Path(path), Path(reference)]) for path in translations}
    counts = {}
    for name, texts in opened.items():
        with bars(Path(name).name) as progress:
            lines = (
                Compared(normalise_cyrillic(translation), normalise_cyrillic(wanted), str(number))
                for number, (translation, wanted) in enumerate(texts.read(progress))
            )
            counts[name] = compare(lines, target_lang)
    return counts
