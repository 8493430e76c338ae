"""Two runs compared, in words: what a difference says, what it could not have shown, what the runs do not share."""

from __future__ import annotations

from referee.analysis.comparison.compare import more_groups, significance
from referee.analysis.comparison.pairing import Unpaired
from referee.reports.format import p_value, percent, percentage_points
from referee.reports.wording import vocabulary as words
from referee.runs.store import RunInfo
from referee.stats.intervals import Interval
from referee.stats.levels import ALPHA, MARGIN
from referee.stats.paired import POWER, MacroDifference, PairedDifference

DETECTABLE = f"minimum detectable difference ({POWER:.0%} power)"
_GROSS = "too few groups to show any but the grossest difference"
_UNPAIRED = {
    "other_content": "{count} with other content",
    "only_base": "{count} only in {base}",
    "only_other": "{count} only in {other}",
    "not_judged": "{count} not evaluated by both",
}


def difference_verdict(line: PairedDifference | MacroDifference, base: str, other: str) -> str:
    """Which of two runs is better and by how much, or why that is not known."""
    low, high = line.interval
    match significance(line):
        case "other_better":
            return _better(other, line.difference, (low, high))
        case "base_better":
            return _better(base, -line.difference, (-high, -low))
        case "equal":
            return f"Equal within {percentage_points(MARGIN)}: {_same(line)}larger differences are ruled out."
    # Significant alone, but not among all that was tested with it.
    before = f" ({p_value(line.p)} before correction)" if line.p < ALPHA else ""
    ruled_out = f"{_same(line)}differences over {percentage_points(max(-low, high))} are ruled out"
    return f"{words.capital(words.inconclusive(more_groups(line)))}{before}: {ruled_out}{_detectable(line)}."


def detectable_sentence(line: PairedDifference) -> str:
    """How small a difference these items can show."""
    size = f"{line.items:,} items ({line.groups:,} groups)" if line.groups < line.items else f"{line.items:,} items"
    if line.detectable is None:
        return f"{size}: {_GROSS}."
    return f"{size}: {DETECTABLE} {percentage_points(line.detectable)}."


def unpaired_sentence(suite: str, unpaired: Unpaired, base: str, other: str) -> str:
    """Which items of a suite were not compared; nothing where all were."""
    counts = ((getattr(unpaired, name), phrase) for name, phrase in _UNPAIRED.items())
    phrases = [phrase.format(count=count, base=base, other=other) for count, phrase in counts if count]
    lost = unpaired.incomplete_groups
    groups = (
        f" Left out of its group score: {lost:,} {'group' if lost == 1 else 'groups'} with such an item."
        if lost
        else ""
    )
    return f"Not compared of {suite}: {', '.join(phrases)}.{groups}" if phrases else ""


def conditions(base: RunInfo, other: RunInfo) -> list[str]:
    """What differs between two runs apart from their verdicts; the first run's value comes first."""
    differences = []
    first, second = base.inputs, other.inputs
    if first.model_sha256 != second.model_sha256:
        differences.append(f"model differs ({first.model}, {second.model})")
    for key in sorted({*first.settings, *second.settings}):
        values = [_quoted(inputs.settings.get(key)) for inputs in (first, second)]
        if values[0] != values[1]:
            differences.append(f"{key} differs ({', '.join(values)})")
    suites = {suite.name: suite for suite in second.suites}
    for suite in first.suites:
        counterpart = suites.get(suite.name)
        if counterpart is not None and counterpart.sha256 != suite.sha256:
            contents = ", ".join(f"{content.items} items #{content.sha256[:8]}" for content in (suite, counterpart))
            differences.append(f"content of {suite.name} differs ({contents})")
    return differences


def _better(run: str, difference: float, bounds: Interval) -> str:
    interval = f"95% CI {percent(bounds[0])} to {percent(bounds[1])}"
    return f"{run} is better by {percentage_points(difference)} ({interval})."


def _same(line: PairedDifference | MacroDifference) -> str:
    unchanged = isinstance(line, PairedDifference) and not line.only_base and not line.only_other
    return "the same items are correct in both; " if unchanged else ""


def _detectable(line: PairedDifference | MacroDifference) -> str:
    if isinstance(line, MacroDifference):
        return ""
    if line.detectable is None:
        return f"; {_GROSS}"
    return f"; minimum detectable difference {percentage_points(line.detectable)}"


def _quoted(value: str | None) -> str:
    return "not set" if value is None else value if value.strip() else repr(value)
