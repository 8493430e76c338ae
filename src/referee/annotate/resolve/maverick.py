"""Maverick as a resolver: `maverick` for the model of its paper, `maverick:NAME` or `maverick:FILE` for another one.

Its weights are licensed for non-commercial use only.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

from referee.annotate.document import Antecedent, Document
from referee.annotate.resolve.clusters import Span, Unmapped, antecedents_of

DEFAULT = "sapienzanlp/maverick-mes-ontonotes"


@dataclass(frozen=True)
class MaverickResolver:
    """A model of Maverick. It gets the tokens of the document: its own offsets are wrong after a line break."""

    name: str
    version: str
    model: Any
    unmapped: Unmapped = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "unmapped", Unmapped(self.name))

    def resolve(self, documents: Iterable[Document]) -> Iterator[tuple[Antecedent, ...]]:
        """The antecedents of each document, in order."""
        for document in documents:
            sentences = [_tokens(document, number) for number in range(len(document.sentences))]
            tokens = [span for sentence in sentences for span in sentence]
            if not tokens:
                yield ()
                continue
            forms = [[document.text[start:end] for start, end in sentence] for sentence in sentences if sentence]
            result = self.model.predict(forms)
            clusters = [[_span(tokens, *pair) for pair in cluster] for cluster in result["clusters_token_offsets"]]
            yield antecedents_of(document, clusters, self.unmapped)


def open_maverick(argument: str) -> MaverickResolver:
    """Open a model by its name on Hugging Face or from a checkpoint, on the CPU."""
    from maverick import Maverick

    # It reports what it loads with `print`; stdout is for results.
    with redirect_stdout(sys.stderr):
        model = Maverick(argument or DEFAULT, device="cpu")
    return MaverickResolver(f"maverick:{argument}" if argument else "maverick", version("maverick-coref"), model)


def _span(tokens: Sequence[Span], first: int | None, last: int | None) -> Span | None:
    """The characters from the first to the last token; None for tokens that Maverick added (speakers)."""
    if first is None or last is None or last >= len(tokens):
        return None
    return tokens[first][0], tokens[last][1]


def _tokens(document: Document, sentence: int) -> list[Span]:
    """The characters of the tokens; the words of a multi-word token are one."""
    return list(dict.fromkeys((word.start, word.end) for word in document.sentences[sentence].words))
