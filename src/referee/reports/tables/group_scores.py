"""Group scores of numbers per item: BLEU, chrF and COMET of translations, score and margin of correct candidates."""

from __future__ import annotations

from collections.abc import Sequence

from referee.analysis.accuracy import Findings
from referee.analysis.group_scores import ScoreOfGroups
from referee.reports.model import Table
from referee.stats.intervals import Interval

_NAMES = {
    "bleu": "sentence BLEU",
    "chrf": "sentence chrF",
    "comet": "COMET",
    "score": "score of the correct candidate",
    "margin": "margin of the correct candidate",
}


def group_score_table(title: str, findings: Findings) -> Table | None:
    """One row per score; None where no group has two members."""
    quality = [score.group for score in findings.quality if score.group is not None]
    figures = [*quality, *findings.candidate_scores]
    if not figures:
        return None
    heads = ("", "items", "mean", "groups", "group score", "95% CI")
    return Table(f"{title}: group scores", heads, [_cells(figure) for figure in figures], note=_note(figures))


def _cells(figure: ScoreOfGroups) -> tuple[str, ...]:
    digits = 1 if figure.method == "worst group" else 3
    name = _NAMES.get(figure.name, figure.name) + (" (lower is better)" if figure.lower_is_better else "")
    return (
        name,
        str(figure.items),
        f"{figure.mean:.{digits}f}",
        str(figure.groups),
        f"{figure.score:.{digits}f}",
        "" if figure.interval is None else _interval(figure.interval, digits),
    )


def _interval(bounds: Interval, digits: int) -> str:
    # A dash between two numbers that may be negative reads as a minus.
    separator = "–" if bounds[0] >= 0 else " to "
    return f"{bounds[0]:.{digits}f}{separator}{bounds[1]:.{digits}f}"


def _note(figures: Sequence[ScoreOfGroups]) -> str:
    notes = ["A group counts as its worst member."]
    methods = {figure.method for figure in figures}
    if "worst group" in methods:
        notes.append("Intervals of BLEU and chrF: worst group, over the range 0–100.")
    if "t" in methods:
        notes.append(f"{'Interval of COMET' if 'worst group' in methods else 'Intervals'}: t over groups.")
    if singles := figures[0].singles:
        notes.append(f"Items without a partner, left out: {singles}.")
    if incomplete := figures[0].incomplete:
        notes.append(f"Groups that lost a member, left out: {incomplete}.")
    return " ".join(notes)
