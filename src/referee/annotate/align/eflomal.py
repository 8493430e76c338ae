"""eflomal (Östling and Tiedemann 2016): Gibbs sampling over the pairs that it is given. GPL 3.0, a package of its own.

It draws at random, so two runs may differ in some links. Links of both directions that agree are used.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.annotate.align.foreign import forms
from referee.annotate.align.links import Link, read_pharaoh
from referee.annotate.protocols import Links, SentencePair
from referee.errors import RefereeError, UsageError

_MODEL = 3
"""Words, jumps and fertilities."""


@dataclass(frozen=True)
class EflomalAligner:
    """The package's own `Aligner`, a new one for each call."""

    package: Any
    version: str
    name: str = "eflomal"

    def align(self, pairs: Sequence[SentencePair], source: str, target: str) -> list[Links]:  # noqa: ARG002 learns alike
        """Align the tokens of sentence pairs; the more pairs, the better."""
        filled = [index for index, pair in enumerate(pairs) if pair.source.spans and pair.target.spans]
        links: list[Links] = [()] * len(pairs)
        if not filled:
            return links
        words = [(forms(pairs[index].source), forms(pairs[index].target)) for index in filled]
        forward, backward = self._run(words)
        for index, one, other in zip(filled, forward, backward, strict=True):
            links[index] = tuple(sorted(set(one) & set(other)))
        return links

    def _run(self, words: Sequence[tuple[list[str], list[str]]]) -> tuple[list[list[Link]], list[list[Link]]]:
        with tempfile.TemporaryDirectory(prefix="referee-eflomal-") as folder:
            files = Path(folder) / "forward", Path(folder) / "backward"
            lines = [[" ".join(pair[side]) + "\n" for pair in words] for side in (0, 1)]
            try:
                self.package.Aligner(model=_MODEL).align(
                    *lines, links_filename_fwd=str(files[0]), links_filename_rev=str(files[1])
                )
                written = [path.read_text(encoding="utf-8").splitlines() for path in files]
            except (OSError, ValueError) as error:
                # It runs a program of its own, whose failures come as either.
                raise RefereeError(f"eflomal failed ({error})", "install it again: `pip install eflomal`") from None
        forward, backward = (
            [read_pharaoh(line, len(one), len(two)) for line, (one, two) in zip(lines_of, words, strict=True)]
            for lines_of in written
        )
        return forward, backward


def open_eflomal(argument: str = "") -> EflomalAligner:
    """Open eflomal, which learns from the pairs of each call."""
    if argument:
        raise UsageError(f"'eflomal:{argument}' is not an aligner", "write eflomal")
    from importlib.metadata import version

    import eflomal

    return EflomalAligner(eflomal, version("eflomal"))
