"""What tables, charts and the page are made of; the leaf of `reports`, which imports nothing else of it.

All of the text in here may come from strangers, except the drawings of charts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.analysis.salience.record import Salience
from referee.analysis.scorecard import ScorecardRow
from referee.analysis.steps import StepOutcome
from referee.items import Item
from referee.verdicts import Verdict


@dataclass(frozen=True)
class Table:
    """A title, column heads, and rows of text; columns in `left` are words, all others figures."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    left: tuple[int, ...] = (0,)
    note: str = ""


@dataclass(frozen=True)
class Chart:
    """A drawing in SVG; our own code made it, and escaped every name in it. `about` says in words what it shows.

    `wide` is the same chart drawn for a wide screen, where it has more room than `svg` needs.
    """

    title: str
    svg: str
    about: str = ""
    wide: str = ""


@dataclass(frozen=True)
class Method:
    """How a figure is computed: a title, and paragraphs."""

    title: str
    text: Sequence[str]


@dataclass(frozen=True)
class Scorecard:
    """The scorecard of one model, one row per suite, and which step of pronoun translation fails first."""

    title: str
    rows: Sequence[ScorecardRow]
    steps: Sequence[StepOutcome] = ()


@dataclass(frozen=True)
class Section:
    """A section of the page: tables and charts, and the command that makes them again.

    `details` are tables for readers who want all figures; they are folded away.
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
    """The verdict of one run on an item; `run` is its index in the page's list of runs."""

    run: int
    verdict: Verdict
    salience: Salience | None = None


@dataclass(frozen=True)
class ItemEntry:
    """An item of the browser with the results of all runs.

    `flipped`: runs disagree on whether it is correct, or a perturbation changed whether it is.
    """

    suite: str
    item: Item
    results: Sequence[ItemResult]
    flipped: bool = False
