"""What a report page holds, before it is HTML. All of its text may come from strangers, except the charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from referee.analysis.salience.record import Salience
from referee.analysis.scorecard import ScorecardRow
from referee.items import Item
from referee.reports.terminal import Table
from referee.verdicts import Verdict


@dataclass(frozen=True)
class Chart:
    """A drawing in SVG; our own code made it, and escaped every name in it. `about` says in words what it shows."""

    title: str
    svg: str
    about: str = ""


@dataclass(frozen=True)
class Method:
    """How a figure comes about: a title, and paragraphs."""

    title: str
    text: Sequence[str]


@dataclass(frozen=True)
class Scorecard:
    """The scorecard of one run."""

    run: str
    lines: Sequence[ScorecardRow]


@dataclass(frozen=True)
class Section:
    """A part of the page: what was asked, the command that asks it again, and what was found.

    `details` are tables for whoever wants all figures; they are folded away.
    """

    title: str
    about: str = ""
    command: str = ""
    signature: str = ""
    tables: Sequence[Table] = ()
    charts: Sequence[Chart] = ()
    details: Sequence[Table] = ()


@dataclass(frozen=True)
class ItemResult:
    """What one run said about an item; `run` is its place in the page's list."""

    run: int
    verdict: Verdict
    salience: Salience | None = None


@dataclass(frozen=True)
class ItemEntry:
    """An item of the browser with everything said about it.

    `flipped`: runs disagree on whether it is right, or an attack changed whether it is.
    """

    suite: str
    item: Item
    results: Sequence[ItemResult]
    flipped: bool = False


@dataclass(frozen=True)
class Page:
    """The whole page. `runs` are names of runs, `summary` tables that come first, `source` the last line."""

    title: str
    lead: str
    runs: Sequence[str]
    cards: Sequence[Scorecard] = ()
    methods: Mapping[str, Method] = field(default_factory=dict)
    summary: Sequence[Table] = ()
    reading: Sequence[str] = ()
    parts: Sequence[Section] = ()
    entries: Sequence[ItemEntry] = ()
    source: str = ""
