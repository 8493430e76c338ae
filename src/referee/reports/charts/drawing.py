"""A sheet to draw charts on: matplotlib draws in pixels, the page sets the colours, the browser the letters.

Every text is a number until the drawing is done (see `svg`): matplotlib then needs no font with its letters, and
reads nothing in it as a formula.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from itertools import count
from typing import TYPE_CHECKING, Literal

from referee.reports.charts.lettering import BOLD, clean, shortened
from referee.reports.charts.svg import Lettering, page_svg
from referee.reports.model import Chart

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 400
"""Width of a chart in pixels, unless it asks for another: about that of a phone, so that letters keep their size."""
TEXT, SMALL = 13, 12

# Each colour that matplotlib draws with stands for one of the page, which is light or dark.
INK, SOFT, LINE, GROUND, GOOD, BAD, ACCENT = (f"#f0000{number}" for number in range(1, 8))
SERIES = tuple(f"#e0000{number}" for number in range(1, 9))
"""Colours of runs or suites side by side."""
PAGE = dict(
    zip(
        (INK, SOFT, LINE, GROUND, GOOD, BAD, ACCENT, *SERIES),
        ("ink", "soft", "line", "ground", "good", "bad", "accent", *(f"c{number}" for number in range(1, 9))),
        strict=True,
    )
)

Anchor = Literal["left", "center", "right"]
Symbol = Literal["o", "s", "D", "^", "v", "P", "X", "p"]
SYMBOLS: tuple[Symbol, ...] = ("o", "s", "D", "^", "v", "P", "X", "p")
"""Next to colours, for readers who cannot tell these apart."""
_SIZES = {"s": 6, "D": 6, "^": 8, "v": 8}
"""Sizes of symbols that would look larger or smaller than a dot."""

_FAINT, _FAINTER = 0.6, 0.18
_OURS = {"svg.fonttype": "none", "svg.hashsalt": "referee", "path.simplify": False, "hatch.linewidth": 1.5}
_STYLES = ("axes", "figure", "font", "grid", "hatch", "lines", "markers", "patch", "path", "savefig", "svg", "text")
_BARE = {"Creator": None, "Date": None, "Format": None, "Type": None}


class Sheet:
    """A sheet in pixels from the top left corner; what is drawn later lies above."""

    def __init__(self, figure: Figure, height: float, width: float = WIDTH) -> None:
        self.width = width
        self._axes: Axes = figure.add_axes((0.0, 0.0, 1.0, 1.0), xlim=(0, width), ylim=(height, 0), frame_on=False)
        self._axes.set_axis_off()
        self._layer = count(10)
        self.letters: list[Lettering] = []

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        anchor: Anchor = "left",
        colour: str = INK,
        size: float = TEXT,
        bold: bool = False,
        room: float | None = None,
    ) -> None:
        """Words whose middle is at this height, shortened to the room there is."""
        whole = clean(words)
        shown = shortened(whole, self.width if room is None else room, size * (BOLD if bold else 1))
        self.letters.append(Lettering(shown, whole if shown != whole else ""))
        self._axes.text(
            x,
            # A third of the size is half of a small letter's height, in any font.
            y + size / 3,
            f"@{len(self.letters) - 1}@",
            ha=anchor,
            va="baseline",
            color=colour,
            fontsize=size,
            fontweight="bold" if bold else "normal",
            zorder=next(self._layer),
        )

    def lines(
        self,
        strokes: Sequence[Sequence[tuple[float, float]]],
        colour: str,
        width: float = 1,
        *,
        dashes: tuple[float, float] | None = None,
    ) -> None:
        """Strokes, each from point to point."""
        gap = (float("nan"), float("nan"))
        points = [point for stroke in strokes for point in (*stroke, gap)]
        style = (0, dashes) if dashes else "-"
        self._axes.plot(
            *zip(*points, strict=True),
            color=colour,
            linewidth=width,
            linestyle=style,
            # A line ends where its value is, not half its width later.
            solid_capstyle="butt",
            zorder=next(self._layer),
        )

    def dots(
        self, points: Sequence[tuple[float, float]], colour: str, symbol: Symbol = "o", *, hollow: bool = False
    ) -> None:
        """Symbols with a rim that sets them off from what they lie on; hollow ones are all rim."""
        across, down = zip(*points, strict=True)
        self._axes.plot(
            across,
            down,
            linestyle="none",
            marker=symbol,
            markersize=_SIZES.get(symbol, 7),
            markerfacecolor=GROUND if hollow else colour,
            markeredgecolor=colour if hollow else GROUND,
            markeredgewidth=1.5 if hollow else 1,
            zorder=next(self._layer),
        )

    def bar(self, x: tuple[float, float], y: float, height: float, colour: str, *, hatched: bool = False) -> None:
        """A bar between two positions, its middle at this height; what is drawn on it stays visible."""
        self._axes.barh(
            y,
            x[1] - x[0],
            height,
            x[0],
            facecolor="none" if hatched else (colour, _FAINT),
            edgecolor=colour,
            linewidth=1 if hatched else 0,
            hatch="///" if hatched else None,
            zorder=next(self._layer),
        )

    def band(self, x: Sequence[float], low: Sequence[float], high: Sequence[float], colour: str) -> None:
        """A faint area between two lines."""
        self._axes.fill_between(x, low, high, color=colour, alpha=_FAINTER, linewidth=0, zorder=next(self._layer))


def draw(title: str, about: str, height: float, paint: Callable[[Sheet], None], width: float = WIDTH) -> Chart:
    """A chart of what `paint` draws; the same calls give the same bytes, whatever the user's settings are."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with _settings():
        figure = Figure(figsize=(width / 72, height / 72), dpi=72, facecolor="none")
        sheet = Sheet(figure, height, width)
        paint(sheet)
        drawn = StringIO()
        FigureCanvasSVG(figure)
        figure.savefig(drawn, format="svg", metadata=_BARE)
    title, about = clean(title), clean(about) if about else ""
    return Chart(title, page_svg(drawn.getvalue(), sheet.letters, PAGE, title, about), about)


@contextmanager
def _settings() -> Iterator[None]:
    import matplotlib as mpl

    standard = {name: value for name, value in mpl.rcParamsDefault.items() if name.partition(".")[0] in _STYLES}
    with mpl.rc_context({**standard, **_OURS}):  # type: ignore[dict-item] # names of settings are a type of their own
        yield
