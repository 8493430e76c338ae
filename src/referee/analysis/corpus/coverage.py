"""Whether translations have the pronouns that references have (Wino-X, Table 6): by counts, and line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from unicodedata import normalize

import msgspec
import numpy as np

from referee.analysis.quality import comparable
from referee.languages import languages
from referee.languages.pronouns import GENDERS, mentions, pronouns_of
from referee.stats.groups import column_sums, index_groups
from referee.stats.intervals import Floats, Interval, percentiles, resampled
from referee.stats.worst_group import mean_interval
from referee.verdicts import Judged

ALL = "all"
"""Instead of a gender: all of them together, a line with pronouns of two genders counted for each."""


class GenderCoverage(msgspec.Struct, frozen=True):
    """Pronouns of one gender (or of all): their number in the references and in the translations.

    `coverage` is the second through the first. Of `lines` whose reference has one, `same` have one in the translation
    too. Figures that would be divided by zero are None.
    """

    gender: str
    forms: tuple[str, ...]
    ambiguous: bool
    reference: int
    translations: int
    coverage: float | None
    interval: Interval | None
    lines: int
    same: int
    same_share: float | None
    same_interval: Interval | None


class Coverage(msgspec.Struct, frozen=True):
    """Translations against references; the last of `genders` is all of them together. `left_out` had no reference."""

    target_lang: str
    lines: int
    left_out: int
    genders: tuple[GenderCoverage, ...]


class Compared(msgspec.Struct, frozen=True, gc=False):
    """A translation and its reference; lines of one group are drawn together."""

    translation: str
    reference: str
    group: str


def coverage(judged: Judged) -> Coverage | None:
    """Measure what a run generated; None where nothing has a reference, or the language has no pronoun table."""
    outputs = comparable(judged)
    segments, left_out = outputs.kept, outputs.left_out
    spoken = {segment.language for segment in segments}
    if len(spoken) != 1 or not spoken <= set(languages("pronouns.toml")):
        return None
    (language,) = spoken
    lines = (Compared(segment.output, segment.reference, segment.group) for segment in segments)
    return compare(lines, language, left_out)


def compare(lines: Iterable[Compared], language: str, left_out: int = 0) -> Coverage:
    """Count whole words by the rules of `referee.languages.pronouns.mentions`."""
    pronouns = pronouns_of(language)
    genders = [gender for gender in GENDERS if gender in pronouns.nominative]
    rows, groups = [], []
    for line in lines:
        ours, theirs = (_counted(text, language) for text in (line.translation, line.reference))
        rows.append([_figures(ours[gender], theirs[gender]) for gender in genders])
        groups.append(line.group)
    columns = np.array(rows, np.float64).reshape(-1, 4 * len(genders))
    by_group = column_sums(columns, index_groups(groups)).reshape(-1, len(genders), 4)
    by_gender = [
        _gender(gender, pronouns.nominative[gender], by_group[:, index], ambiguous=pronouns.is_ambiguous(gender))
        for index, gender in enumerate(genders)
    ]
    forms = tuple(form for gender in genders for form in pronouns.nominative[gender])
    together = _gender(ALL, forms, by_group.sum(axis=1), ambiguous=bool(pronouns.ambiguous))
    return Coverage(language, len(rows), left_out, (*by_gender, together))


def _counted(text: str, language: str) -> Counter[str]:
    return Counter(mention.gender for mention in mentions(normalize("NFC", text), language))


def _figures(translation: int, reference: int) -> tuple[int, int, bool, bool]:
    """Of one gender in one line: how many each has, whether the reference has any, and whether then both have."""
    return translation, reference, reference > 0, reference > 0 and translation > 0


def _gender(gender: str, forms: tuple[str, ...], groups: Floats, *, ambiguous: bool) -> GenderCoverage:
    translations, reference, lines, same = (int(total) for total in groups.sum(axis=0))
    drawn = resampled(groups) if len(groups) else groups
    return GenderCoverage(
        gender=gender,
        forms=forms,
        ambiguous=ambiguous,
        reference=reference,
        translations=translations,
        coverage=translations / reference if reference else None,
        interval=_ratio(drawn[:, 0], drawn[:, 1]) if reference else None,
        lines=lines,
        same=same,
        same_share=same / lines if lines else None,
        same_interval=mean_interval(groups[groups[:, 2] > 0, 3], groups[groups[:, 2] > 0, 2]) if lines else None,
    )


def _ratio(parts: Floats, wholes: Floats) -> Interval:
    """Where a seldom pronoun was not drawn at all there is nothing to divide by: such draws say nothing."""
    drawn = wholes > 0
    return percentiles(parts[drawn] / wholes[drawn])
