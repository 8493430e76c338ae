"""A report as one HTML file: no network, light and dark, for a screen, a phone and paper.

Whatever comes from items, models or names is text: the template escapes it, the script only ever sets text, and the
page's own policy runs no script but ours.
"""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from referee.analysis.scorecard import COLUMNS, Cell
from referee.reports.model import Page, Scorecard
from referee.reports.page.pack import Packed, pack
from referee.reports.page.text import visible, well_formed
from referee.reports.tables import scorecard

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

BUDGET = 3_500_000
"""Bytes of a page: some mail servers refuse more, and it opens at once."""
_LEAST = 100_000
"""Room for items where the rest of the page takes all of it."""
_LONG_WORD = 28
_MINUS = "\N{MINUS SIGN}"
_STYLE = ("theme", "page", "tables", "scorecard", "items", "print")
_SCRIPT = ("dom", "theme", "exports", "marks", "item", "search", "filters", "pagers", "browser", "start")


def render(contents: Page, *, budget: int = BUDGET) -> str:
    """The page as text of about `budget` bytes at most; items that do not fit are drawn from at random."""
    bare = _page(contents, Packed("", 0, len(contents.entries)))
    packed = pack(contents.runs, contents.entries, max(_LEAST, budget - len(bare.encode())))
    return _page(contents, packed)


def _page(contents: Page, packed: Packed) -> str:
    from markupsafe import Markup

    script = _joined("script", _SCRIPT, "js")
    page = _environment().get_template("page.html")
    return page.render(
        page=contents,
        packed=packed,
        words=_Words(),
        policy=_policy(script),
        # Our own files, and letters and digits.
        style=Markup(_joined("style", _STYLE, "css")),  # noqa: S704
        script=Markup(script),  # noqa: S704
        data=Markup(packed.data),  # noqa: S704
    )


class _Words:
    """What the template asks about the cells of a scorecard."""

    columns = COLUMNS
    heads = scorecard.HEADS
    moods = scorecard.MOODS
    way = staticmethod(scorecard.way)

    @staticmethod
    def value(cell: Cell) -> str:
        """With a true minus."""
        return scorecard.value_text(cell).replace("-", _MINUS)

    @staticmethod
    def interval(cell: Cell) -> str:
        """With a true minus."""
        return scorecard.interval_text(cell).replace("-", _MINUS)

    @staticmethod
    def json(card: Scorecard) -> str:
        """The table behind a scorecard, for the script that exports it."""
        return json.dumps(asdict(scorecard.card_table(card)))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    made = Environment(
        loader=PackageLoader("referee.reports.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    # Charts are our own; what they name was escaped when they were drawn.
    made.filters["drawing"] = lambda svg: Markup(well_formed(svg))  # noqa: S704
    made.filters["coded"] = _coded
    made.tests["endless"] = _endless
    made.globals["known"] = COLUMNS
    return made


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
    own = files("referee.reports.page").joinpath(folder)
    texts = [own.joinpath(f"{name}.{ending}").read_text("utf-8") for name in names]
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
