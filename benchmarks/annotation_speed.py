"""Speed on subtitle lines: words per second of CPU time on one thread, next to the peers, in one run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from annotation_peers import SPACY_PIPELINE, Measured, Natasha, Peer, spacy_peer

from referee.annotate.document import Document
from referee.annotate.protocols import SourceText
from referee.annotate.registry import open_resolver
from referee.io.files import text_lines
from referee.logs import logger

LINES = {
    "en": "release/inputs/gender.opensubtitles.en-de.devtest",
    "fr": "paper/inputs/mini.animacy.opensubtitles.fr-en.test",
    "ru": "release/inputs/animacy.opensubtitles.ru-en.devtest",
}
"""Source lines of CTXPRO: each is up to ten subtitle lines."""
DOCUMENTS = 2_000
PEER_DOCUMENTS = 150
"""The peers are slower: they get the first of the same documents."""
ROUNDS = 3


def subtitles(data: Path, language: str, count: int) -> list[SourceText]:
    """Documents of one film scene each, one subtitle line per line."""
    texts = []
    for number, line in enumerate(text_lines(existing(data / "ctxpro" / LINES[language]))):
        if number == count:
            break
        texts.append(SourceText(str(number), "\n".join(part.strip() for part in line.split("<eos>"))))
    return texts


def existing(path: Path) -> Path:
    return path if path.exists() else path.with_name(path.name + ".gz")


def subtitle_speed(annotator: Measured, data: Path, open_again: Callable[[], Measured]) -> dict[str, Any]:
    figures: dict[str, Any] = {"opening seconds": round(opening(open_again), 3)}
    for language in LINES:
        found, seconds = fastest(annotator, subtitles(data, language, DOCUMENTS), language)
        figures[language] = {
            "lines": sum(document.text.count("\n") + 1 for document in found),
            "words": words(found),
            "words per second": round(words(found) / seconds),
        }
        if language == "en":
            figures[language] |= resolving(found, seconds)
        logger.info("%s: %s", language, figures[language])
    figures["peers"] = peer_speed(annotator, data)
    return figures


def words(documents: Iterable[Document]) -> int:
    """Words that were found, with punctuation, as treebanks count them."""
    return sum(len(sentence.words) for document in documents for sentence in document.sentences)


def fastest(
    annotator: Measured, texts: list[SourceText], language: str, rounds: int = ROUNDS
) -> tuple[list[Document], float]:
    """The documents, and the CPU time of the fastest round."""
    times = []
    found: list[Document] = []
    list(annotator.annotate(texts[:20], language))
    for _ in range(rounds):
        started = time.process_time()
        found = list(annotator.annotate(texts, language))
        times.append(time.process_time() - started)
    return found, min(times)


def opening(open_again: Callable[[], Measured]) -> float:
    """Wall time from nothing to the first annotated line, once the engine's form is built."""
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        list(open_again().annotate([SourceText("1", "It is here.")], "en"))
        times.append(time.perf_counter() - started)
    return min(times)


def resolving(documents: list[Document], seconds: float) -> dict[str, Any]:
    """The resolver's time as a share of the annotator's."""
    resolver = open_resolver("pocket")
    list(resolver.resolve(documents[:20]))
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        list(resolver.resolve(documents))
        times.append(time.process_time() - started)
    return {"resolver share": round(min(times) / seconds, 4)}


def peer_speed(annotator: Measured, data: Path) -> dict[str, Any]:
    """Both on the same lines: words per second, counted as the pocket annotator finds them, and their ratio."""
    makers: dict[str, tuple[str, Callable[[], Peer]]] = {
        SPACY_PIPELINE: ("fr", spacy_peer),
        "natasha": ("ru", Natasha),
    }
    figures = {}
    for package, (language, make) in makers.items():
        if find_spec(package) is None:
            logger.warning("%s is not installed: not measured", package)
            continue
        texts = subtitles(data, language, PEER_DOCUMENTS)
        peer = make()
        _, their_seconds = fastest(peer, texts, language, 1)
        ours, our_seconds = fastest(annotator, texts, language)
        figures[package] = {
            "language": language,
            "label": peer.label,
            "words": words(ours),
            "words per second": round(words(ours) / their_seconds),
            "pocket words per second": round(words(ours) / our_seconds),
            "ratio": round(their_seconds / our_seconds, 1),
        }
        logger.info("%s: %s", package, figures[package])
    return figures
