"""Alignments that another program wrote: a file with a line per sentence pair, `0-0 1-2`, in the order of the pairs.

Its numbers count the words between spaces of the two texts. Links that are only possible (`0p0`) are not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.annotate.align.foreign import carried_over
from referee.annotate.align.links import read_marked
from referee.annotate.align.tokens import spaced_spans
from referee.annotate.protocols import Links, SentencePair
from referee.errors import InputError, UsageError
from referee.io.files import content_sha256, existing, text_lines
from referee.logs import logger


@dataclass(frozen=True)
class PharaohAligner:
    """The lines of a file."""

    path: Path
    lines: tuple[str, ...]
    version: str
    """The hash of what is in the file."""

    @property
    def name(self) -> str:
        """The name it was opened by."""
        return f"pharaoh:{self.path}"

    def align(self, pairs: Sequence[SentencePair], source: str, target: str) -> list[Links]:
        """The links of all pairs of the file, which must be given at once."""
        if len(pairs) != len(self.lines):
            problem = f"expected {len(pairs):,} lines, one per {source}-{target} sentence pair, but found"
            first = min(len(pairs), len(self.lines)) + 1
            raise InputError(f"{problem} {len(self.lines):,}", "write an alignment of these texts", self.path, first)
        aligned, ignored = [], 0
        for number, (pair, line) in enumerate(zip(pairs, self.lines, strict=True), 1):
            spans = spaced_spans(pair.source.text), spaced_spans(pair.target.text)
            try:
                links, possible = read_marked(line, len(spans[0]), len(spans[1]))
            except ValueError as error:
                remedy = "correct the line, or align texts whose words are separated by spaces"
                raise InputError(str(error), remedy, self.path, number) from None
            ignored += len(possible)
            aligned.append(carried_over(links, pair, spans))
        if ignored:
            logger.warning("%s: %s possible links (0p0) are not used", self.path, f"{ignored:,}")
        return aligned


def open_pharaoh(argument: str) -> PharaohAligner:
    """Open a file of links."""
    if not argument:
        raise UsageError("'pharaoh' needs a file", "write pharaoh:FILE")
    path = existing(Path(argument))
    return PharaohAligner(path, tuple(text_lines(path)), content_sha256(path)[:12])
