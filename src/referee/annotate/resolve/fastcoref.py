"""fastcoref's models as resolvers: `fastcoref` for F-COREF, `fastcoref:NAME` or `fastcoref:FOLDER` for another one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import islice
from typing import Any

from referee.annotate.document import Antecedent, Document
from referee.annotate.resolve.clusters import Unmapped, antecedents_of

DEFAULT = "biu-nlp/f-coref"
_LINGMESS = "lingmess"
_TOGETHER = 64
"""Documents that are handed over at a time."""


@dataclass(frozen=True)
class FastcorefResolver:
    """A model of fastcoref. It cuts texts into tokens by itself, with spaCy's rules for English."""

    name: str
    version: str
    model: Any
    unmapped: Unmapped = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "unmapped", Unmapped(self.name))

    def resolve(self, documents: Iterable[Document]) -> Iterator[tuple[Antecedent, ...]]:
        """The antecedents of each document, in order."""
        waiting = iter(documents)
        while together := list(islice(waiting, _TOGETHER)):
            # An empty text has no tokens, which the model's batches cannot hold.
            full = [document for document in together if document.text.strip()]
            results = iter(self.model.predict(texts=[document.text for document in full]) if full else ())
            for document in together:
                clusters = next(results).get_clusters(as_strings=False) if document.text.strip() else []
                yield antecedents_of(document, clusters, self.unmapped)


def open_fastcoref(argument: str) -> FastcorefResolver:
    """Open a model by its name on Hugging Face or from a folder, on the CPU."""
    import fastcoref
    import spacy

    path = argument or DEFAULT
    kind = fastcoref.LingMessCoref if _LINGMESS in path.lower() else fastcoref.FCoref
    model = kind(model_name_or_path=path, device="cpu", nlp=spacy.blank("en"), enable_progress_bar=False)
    name = f"fastcoref:{argument}" if argument else "fastcoref"
    return FastcorefResolver(name, version("fastcoref"), model)
