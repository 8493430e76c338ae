"""A report as one HTML file: no network, light and dark, for a screen, a phone and paper.

Whatever comes from items, models or names is text: the template escapes it, the script only ever sets text, and the
page's own policy runs no script but ours.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.analysis.scorecard import COLUMNS, Cell
from referee.io.files import atomic_write
from referee.io.text import visible, well_formed
from referee.reports.export import table_files
from referee.reports.model import Chart, ItemEntry, Method, Scorecard, Section, Table
from referee.reports.page.pack import Packed, compressed, pack
from referee.reports.tables import scorecard
from referee.reports.wording import GRADES, HEADS, OUTCOMES, cell_verdict, headline, not_measured

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

BUDGET = 3_500_000
"""Bytes of a page: some mail servers refuse more, and it opens at once."""
_NOTEBOOK_BUDGET = 1_000_000
"""Bytes of a page inside a notebook, which is saved with all its output."""
_LEAST = 100_000
"""Room for items where the rest of the page takes all of it."""
_MARK = '<meta name="generator" content="referee">'
"""Stands in the head of every page, so that a page of ours is known."""
_HEAD = 4096
_LONG_WORD = 28
_MINUS = "\N{MINUS SIGN}"
_STYLE = ("theme", "page", "tables", "scorecard", "items", "print")
_SCRIPT = ("dom", "unpack", "theme", "exports", "marks", "item", "search", "filters", "pagers", "browser", "start")


@dataclass(frozen=True, repr=False)
class Page:
    """A report. One sentence (`lead`) and one chart (`opening`) come first: what was found, in words and as a picture.

    `finding` says what else the chart shows. `runs` are names of runs, `summary` the tables that follow, `notes`
    explain them, `footer` is last.
    """

    title: str
    lead: str
    runs: Sequence[str]
    opening: Chart | None = None
    finding: str = ""
    scorecards: Sequence[Scorecard] = ()
    methods: Mapping[str, Method] = field(default_factory=dict)
    summary: Sequence[Table] = ()
    notes: Sequence[str] = ()
    sections: Sequence[Section] = ()
    entries: Sequence[ItemEntry] = ()
    footer: str = ""

    def tables(self) -> list[Table]:
        """All tables in the order of the page."""
        return [
            *self.summary,
            *(scorecard.card_table(card) for card in self.scorecards),
            *(table for section in self.sections for table in (*section.tables, *section.details)),
        ]

    def html(self, *, budget: int = BUDGET) -> str:
        """The page as HTML of about `budget` bytes at most; if not all items fit, it shows a random sample."""
        tables = self.tables()
        exports = compressed([table_files(table) for table in tables]) if tables else ""
        bare = _render(self, Packed("", 0, len(self.entries)), exports)
        room = max(_LEAST, budget - len(bare.encode()))
        return _render(self, pack(self.runs, self.entries, room), exports)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page to a file, whole or not at all."""
        with atomic_write(Path(path)) as file:
            file.write(self.html().encode())

    @staticmethod
    def wrote(path: Path) -> bool:
        """Whether `save` wrote a file."""
        try:
            with path.open("rb") as file:
                return _MARK.encode() in file.read(_HEAD)
        except OSError:
            return False

    def _repr_html_(self) -> str:
        """The page in a frame of its own, so that notebook and page cannot change each other."""
        html = escape(self.html(budget=_NOTEBOOK_BUDGET))
        style = "width:100%;height:40rem;border:1px solid #8888;border-radius:6px"
        sandbox = "allow-scripts allow-downloads"
        return f'<iframe title="{escape(self.title)}" style="{style}" sandbox="{sandbox}" srcdoc="{html}"></iframe>'

    def __repr__(self) -> str:
        return f"<Page {self.title!r}: {len(self.sections)} sections, {len(self.entries):,} items>"

    def __str__(self) -> str:
        size = f"{len(self.sections)} sections, {len(self.entries):,} items."
        hint = 'Write the page with .save("report.html").'
        return "\n".join(line for line in (self.title, self.lead, f"{size} {hint}") if line)


def _render(page: Page, packed: Packed, exports: str) -> str:
    from markupsafe import Markup

    script = _joined("script", _SCRIPT, "js")
    return (
        _environment()
        .get_template("page.html")
        .render(
            page=page,
            packed=packed,
            words=_Words(),
            mark=Markup(_MARK),  # noqa: S704
            outcomes=OUTCOMES,
            policy=_policy(script),
            # Our own files, and letters and digits.
            style=Markup(_joined("style", _STYLE, "css")),  # noqa: S704
            script=Markup(script),  # noqa: S704
            data=Markup(packed.data),  # noqa: S704
            exports=Markup(exports),  # noqa: S704
        )
    )


class _Words:
    """What the template asks about the cells of a scorecard."""

    columns = staticmethod(scorecard.measured_columns)
    heads = HEADS
    headline = staticmethod(headline)
    grades = GRADES
    verdict = staticmethod(cell_verdict)
    is_measured = staticmethod(scorecard.is_measured)
    not_measured = staticmethod(not_measured)
    way = staticmethod(scorecard.way)

    @staticmethod
    def value(cell: Cell) -> str:
        """The figure with a true minus."""
        return scorecard.value_text(cell).replace("-", _MINUS)

    @staticmethod
    def interval(cell: Cell) -> str:
        """The interval with a true minus."""
        return scorecard.interval_text(cell).replace("-", _MINUS)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("referee.reports.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    # Charts are our own; what they name was escaped when they were drawn.
    environment.filters["drawing"] = lambda svg: Markup(well_formed(svg))  # noqa: S704
    environment.filters["coded"] = _coded
    environment.tests["endless"] = _endless
    environment.globals["columns"] = COLUMNS
    return environment


def _shown(value: Any) -> Any:  # noqa: ANN401
    """Every text that goes into the page passes here; what is markup already has passed."""
    return visible(value) if type(value) is str else value


def _coded(text: str) -> Markup | str:
    """What stands between backticks as code, word by word, so that no option is broken at its hyphens."""
    from markupsafe import Markup

    pieces = visible(text).split("`")
    if len(pieces) % 2 == 0:
        return text
    code = Markup("<code>{}</code>")
    words = [Markup(" ").join(code.format(word) for word in piece.split()) for piece in pieces[1::2]]
    pieces[1::2] = words
    return Markup("").join(pieces)


def _endless(cell: str) -> bool:
    """Whether a word in it is so long that it must be broken somewhere."""
    return max(map(len, cell.split()), default=0) > _LONG_WORD


@cache
def _joined(folder: str, names: tuple[str, ...], ending: str) -> str:
    parent = files("referee.reports.page").joinpath(folder)
    texts = [parent.joinpath(f"{name}.{ending}").read_text("utf-8") for name in names]
    text = "\n".join(texts)
    return f'"use strict";\n(() => {{\n{text}}})();\n' if ending == "js" else text


def _policy(script: str) -> str:
    """Nothing is fetched, nothing is sent, no script runs but the one in the page."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    rules = (
        "default-src 'none'",
        f"script-src 'sha256-{digest}'",
        "style-src 'unsafe-inline'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return "; ".join(rules)
