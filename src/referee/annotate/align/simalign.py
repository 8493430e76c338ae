"""SimAlign (Jalili Sabet et al. 2020): similarity of the vectors of a multilingual encoder, matched by `itermax`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from referee.annotate.align.foreign import forms
from referee.annotate.protocols import Links, SentencePair
from referee.errors import MissingError

_DEFAULT = "bert"
"""SimAlign's own name for multilingual BERT."""
_METHODS, _METHOD = "i", "itermax"


@dataclass(frozen=True)
class SimAligner:
    """The package's `SentenceAligner`, which takes lists of words and gives their places."""

    aligner: Any
    model: str
    version: str

    @property
    def name(self) -> str:
        """The name it was opened by."""
        return f"simalign:{self.model}"

    def align(self, pairs: Sequence[SentencePair], source: str, target: str) -> list[Links]:  # noqa: ARG002 any language
        """Align the tokens of sentence pairs, each for itself."""
        return [self._links(pair) if pair.source.spans and pair.target.spans else () for pair in pairs]

    def _links(self, pair: SentencePair) -> Links:
        found = self.aligner.get_word_aligns(forms(pair.source), forms(pair.target))
        return tuple(sorted({(int(one), int(two)) for one, two in found[_METHOD]}))


def open_simalign(argument: str = "") -> SimAligner:
    """Open SimAlign with an encoder: `bert`, `xlmr`, a name or a folder of transformers."""
    from importlib.metadata import version

    from simalign import SentenceAligner

    model = argument or _DEFAULT
    try:
        aligner = SentenceAligner(model=model, token_type="bpe", matching_methods=_METHODS, device="cpu")  # noqa: S106 no secret
    except (OSError, ValueError) as error:
        problem = f"the encoder '{model}' cannot be opened ({str(error).splitlines()[0].rstrip('.')})"
        raise MissingError(problem, "download it first, or give its folder: simalign:FOLDER") from None
    return SimAligner(aligner, model, version("simalign"))
