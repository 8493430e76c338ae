"""Coreferee as a resolver: `coreferee:PIPELINE`, a spaCy pipeline for which Coreferee has a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

from referee.annotate.document import Antecedent, Document
from referee.annotate.resolve.clusters import Cluster, Unmapped, antecedents_of
from referee.errors import InputError, MissingError, UsageError


@dataclass(frozen=True)
class CorefereeResolver:
    """A spaCy pipeline with Coreferee at its end. Its mentions are head words."""

    name: str
    version: str
    pipeline: Any
    unmapped: Unmapped = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "unmapped", Unmapped(self.name))

    def resolve(self, documents: Iterable[Document]) -> Iterator[tuple[Antecedent, ...]]:
        """The antecedents of each document, in order."""
        for document in documents:
            parsed = self.pipeline(document.text)
            yield antecedents_of(document, _clusters(parsed), self.unmapped)


def open_coreferee(argument: str) -> CorefereeResolver:
    """Open an installed pipeline or a folder, and add Coreferee to it."""
    import coreferee  # noqa: F401 spaCy finds the component by this
    import spacy

    if not argument:
        raise UsageError(
            "coreferee: needs a spaCy pipeline", "write `coreferee:PIPELINE`, such as coreferee:en_core_web_lg"
        )
    try:
        pipeline = spacy.load(argument)
    except OSError as error:
        raise MissingError(f"coreferee: the pipeline '{argument}' is not installed", "install it for spaCy") from error
    if "coreferee" not in pipeline.pipe_names:
        try:
            pipeline.add_pipe("coreferee")
        except (OSError, ValueError, ImportError, KeyError) as error:
            reason = str(error).partition("\n")[0].rstrip(".")
            remedy = f"run `python -m coreferee install {pipeline.lang}`"
            raise InputError(f"coreferee: cannot be added to '{argument}' ({reason})", remedy) from error
    return CorefereeResolver(f"coreferee:{argument}", version("coreferee"), pipeline)


def _clusters(parsed: Any) -> list[Cluster]:  # noqa: ANN401 a Doc of spaCy, which may not be installed
    """Chains as characters. A mention of several words (*Anna and Ben*) reaches from the first to the last."""
    clusters: list[Cluster] = []
    for chain in parsed._.coref_chains or ():
        spans = []
        for mention in chain.mentions:
            tokens = [parsed[index] for index in mention.token_indexes]
            spans.append((tokens[0].idx, tokens[-1].idx + len(tokens[-1].text)))
        clusters.append(spans)
    return clusters
