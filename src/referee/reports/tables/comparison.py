"""Runs compared, as tables, plain words, and items to look at. Runs are called A, B, C in the order they were given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_uppercase

from referee.analysis.comparison.compare import AllSuites, Comparison, RunPair
from referee.analysis.comparison.flips import Flip, Said
from referee.analysis.comparison.pairing import Unpaired
from referee.reports.format import interval, percent, points, probability
from referee.reports.model import Table
from referee.runs.store import RunInfo
from referee.stats.chance import ALPHA
from referee.stats.paired import MIN_GROUPS, MacroDifference, PairedDifference
from referee.verdicts import Kind, Rule

_WAYS: dict[Kind, str] = {"contrastive": "by scores", "generative": "translated"}
_UNPAIRED = {
    "other_content": "{} with other content",
    "only_base": "{} only in {base}",
    "only_other": "{} only in {other}",
    "not_judged": "{} not judged by both",
}


def letter(place: int) -> str:
    """What a run is called, by its place in the list."""
    return ascii_uppercase[place] if place < len(ascii_uppercase) else f"R{place + 1}"


def comparison_tables(runs: Sequence[tuple[str, str]], found: Sequence[RunPair]) -> list[Table]:
    """Who is who (`runs` are names and models); then for each two of them differences, what changed, breakdowns."""
    names = Table("runs", ("", "run", "model"), [(letter(n), *run) for n, run in enumerate(runs)], left=(0, 1, 2))
    return [names, *(table for versus in found for table in _tables(versus))]


def suite_name(suite: str, kind: Kind) -> str:
    """A suite and how it was judged."""
    return f"{suite} {_WAYS[kind]}"


def in_words(line: PairedDifference | MacroDifference, base: str, other: str) -> str:
    """What a line says, in a few words."""
    p = line.p if line.holm is None else line.holm
    low, high = line.interval
    if p < ALPHA and line.difference > 0:
        return f"{other} is better by {_bare(line.difference)} points ({_bare(low)} to {_bare(high)})"
    if p < ALPHA:
        return f"{base} is better by {_bare(-line.difference)} points ({_bare(-high)} to {_bare(-low)})"
    if line.detectable is None:
        return f"no difference shown; fewer than {MIN_GROUPS} groups can show none"
    shown = "no difference shown"
    if isinstance(line, PairedDifference) and not line.only_base + line.only_other:
        shown = "the same are right in both"
    elif line.p < ALPHA:
        shown += f" (p {probability(line.p)} before correction)"
    return f"{shown}; the set could have shown {_bare(line.detectable)} points"


def missed(line: PairedDifference) -> str:
    """How small a difference these items would not show."""
    size = f"{line.items} items ({line.groups} groups)" if line.groups < line.items else f"{line.items} items"
    if line.detectable is None:
        return f"with these {size} no difference could be shown: it takes {MIN_GROUPS} groups or more"
    least = f"{_bare(line.detectable)} points"
    return f"with these {size}, differences under {least} would be missed more than one time in five"


def conditions(base: RunInfo, other: RunInfo) -> list[str]:
    """What is not the same in two runs, beside what they said; the first run's first."""
    said = []
    ours, theirs = base.inputs, other.inputs
    if ours.model_sha256 != theirs.model_sha256:
        said.append(f"other model ({ours.model}, {theirs.model})")
    for key in sorted({*ours.settings, *theirs.settings}):
        values = [_quoted(settings.get(key)) for settings in (ours.settings, theirs.settings)]
        if values[0] != values[1]:
            said.append(f"other {key} ({', '.join(values)})")
    suites = {suite.name: suite for suite in theirs.suites}
    for suite in ours.suites:
        its = suites.get(suite.name)
        if its is not None and its.sha256 != suite.sha256:
            sizes = ", ".join(f"{each.items} items #{each.sha256[:8]}" for each in (suite, its))
            said.append(f"other content of {suite.name} ({sizes})")
    return said


def flip_text(flip: Flip, base: str, other: str) -> str:
    """An item that flipped, to be read: a star is at what is right, `<` after the score of what was chosen."""
    margins = ""
    if flip.base.margin is not None and flip.other.margin is not None:
        margins = f", margin {flip.base.margin:+.4g} to {flip.other.margin:+.4g}"
    rule = f" by {flip.rule}" if flip.rule else ""
    lines = [
        f"{flip.suite} {flip.item}: {flip.direction}{rule}{margins}",
        "  " + " ".join((*flip.context, flip.source)),
    ]
    for place, text in enumerate(flip.candidates):
        scores = [f"{name} {_score(said, place)}" for name, said in ((base, flip.base), (other, flip.other))]
        lines.append(f"  {'*' if place == flip.gold else ' '} {'  '.join(scores)}  {text}")
    if not flip.candidates:
        lines.append(f"  * {', '.join(flip.expected)}")
    lines += [f"  {name}: {said.output}" for name, said in ((base, flip.base), (other, flip.other)) if said.output]
    return "\n".join(_printable(line) for line in lines)


def _score(said: Said, place: int) -> str:
    shown = f"{said.scores[place]:.4g}" if said.scores else ""
    return f"{shown:>9}{'<' if said.choice == place else ' '}"


def _printable(text: str) -> str:
    """Texts come from anywhere: nothing in them may command a terminal."""
    return "".join(char if char.isprintable() else " " for char in text)


def _bare(share: float) -> str:
    return f"{100 * share:.1f}"


def _quoted(value: str | None) -> str:
    return "not set" if value is None else value if value.strip() else repr(value)


def _tables(versus: RunPair) -> Iterator[Table]:
    base, other = letter(versus.base), letter(versus.other)
    title = f"{other} against {base}"
    heads = (
        "items",
        f"{base} %",
        f"{other} %",
        "difference",
        "95 % interval",
        "p",
        "p (Holm)",
        "could show",
        "in words",
    )
    lines = list(_lines(versus))
    if lines:
        rows = [(name, size, *_cells(line, base, other)) for name, size, line in lines]
        yield Table(title, ("", *heads), rows, left=(0, 9), note=_note(versus, base, other))
    effects = [(name, *_effects(line)) for name, _, line in lines if isinstance(line, PairedDifference)]
    if effects:
        columns = (
            "", "both right", "right to wrong", "wrong to right", "both wrong", "Cohen's g", "odds ratio", "Cohen's h",
            "p (McNemar)",
        )  # fmt: skip
        yield Table(f"{title}: what changed", columns, effects)
    yield from _breakdowns(title, versus, heads)
    same = [
        (
            _name(each, versus),
            str(each.without_gold),
            str(each.same.count),
            percent(each.same.share),
            interval(each.same.wider),
        )
        for each in versus.comparisons
        if each.same is not None and each.rule in (None, "paper")
    ]
    if same:
        choices = ("", "items", "same choice", "%", "95 % interval")
        note = "" if lines else _note(versus, base, other)
        yield Table(f"{title}: where there is no right answer", choices, same, note=note)


def _lines(versus: RunPair) -> Iterator[tuple[str, str, PairedDifference | MacroDifference]]:
    for each in versus.comparisons:
        name = _name(each, versus)
        if each.items is not None:
            yield name, str(each.items.items), each.items
        if each.groups is not None:
            yield f"{name}: whole groups", str(each.groups.items), each.groups
    for mean in versus.all_suites:
        yield f"{_all_suites(mean, versus)} ({len(mean.suites)}, each counts the same)", "", mean.mean


def _name(each: Comparison, versus: RunPair) -> str:
    both = len({one.kind for one in versus.comparisons if one.suite == each.suite}) > 1
    return _way(each.suite, each.kind if both else None, each.rule)


def _all_suites(each: AllSuites, versus: RunPair) -> str:
    both = len({one.kind for one in versus.all_suites}) > 1
    return _way("all suites", each.kind if both else None, each.rule)


def _way(name: str, kind: Kind | None, rule: Rule | None) -> str:
    return name + (f", {_WAYS[kind]}" if kind else "") + (f" by {rule}" if rule else "")


def _cells(line: PairedDifference | MacroDifference, base: str, other: str) -> tuple[str, ...]:
    return (
        percent(line.base),
        percent(line.other),
        points(line.difference),
        f"{points(line.interval[0])} to {points(line.interval[1])}",
        probability(line.p),
        probability(line.p if line.holm is None else line.holm),
        "-" if line.detectable is None else _bare(line.detectable),
        in_words(line, base, other),
    )


def _effects(line: PairedDifference) -> tuple[str, ...]:
    ratio = "inf" if line.only_other and not line.only_base else _figure(line.odds_ratio, ".2f")
    counts = (line.both_right, line.only_base, line.only_other, line.both_wrong)
    figures = (_figure(line.cohen_g, "+.3f"), ratio, _figure(line.cohen_h, "+.3f"), probability(line.mcnemar))
    return (*(str(count) for count in counts), *figures)


def _figure(value: float | None, form: str) -> str:
    return "-" if value is None else f"{value:{form}}"


def _breakdowns(title: str, versus: RunPair, heads: tuple[str, ...]) -> Iterator[Table]:
    for dimension in dict.fromkeys(name for each in versus.comparisons for name in each.by):
        rows = [
            (
                _name(each, versus),
                part.key,
                str(part.items.items),
                *_cells(part.items, letter(versus.base), letter(versus.other)),
            )
            for each in versus.comparisons
            for part in each.by.get(dimension, ())
        ]
        yield Table(f"{title} by {dimension}", ("", dimension, *heads), rows, left=(0, 1, 10))


def _note(versus: RunPair, base: str, other: str) -> str:
    lines = [each.items for each in versus.comparisons if each.items is not None]
    several = "could show: smaller differences would be missed more than one time in five"
    notes = [missed(lines[0]) if len(lines) == 1 else several] if lines else []
    if versus.all_suites:
        notes.append("all suites: the mean of the differences of the suites, attacked sets left out")
    for suite, unpaired in {each.suite: each.unpaired for each in versus.comparisons}.items():
        if counts := _unpaired(unpaired, base, other):
            notes.append(f"not compared of {suite}: {counts}")
    for name, suites in ((base, versus.only_base), (other, versus.only_other)):
        if suites:
            notes.append(f"only in {name}: " + ", ".join(suite_name(*suite) for suite in suites))
    return "; ".join(notes)


def _unpaired(unpaired: Unpaired, base: str, other: str) -> str:
    counts = ((getattr(unpaired, name), words) for name, words in _UNPAIRED.items())
    return ", ".join(words.format(count, base=base, other=other) for count, words in counts if count)
