"""Speed on subtitle lines: words per second of CPU time on one thread, next to the peers, in one run."""

from __future__ import annotations

import os
import subprocess
import sys
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
PEER_DOCUMENTS = 600
"""Peers and the pocket annotator get the first of these documents, each newly opened."""
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


def subtitle_speed(data: Path, open_again: Callable[[], Measured]) -> dict[str, Any]:
    figures: dict[str, Any] = {"opening seconds": round(opening(), 3)}
    for language in LINES:
        found, seconds = timed(open_again(), subtitles(data, language, DOCUMENTS), language)
        figures[language] = {
            "lines": sum(document.text.count("\n") + 1 for document in found),
            "words": words(found),
            "words per second": round(words(found) / seconds),
        }
        if language == "en":
            figures[language] |= resolving(found, seconds)
        logger.info("%s: %s", language, figures[language])
    figures["peers"] = peer_speed(data, open_again)
    return figures


def words(documents: Iterable[Document]) -> int:
    """Words that were found, with punctuation, as treebanks count them."""
    return sum(len(sentence.words) for document in documents for sentence in document.sentences)


def timed(annotator: Measured, texts: list[SourceText], language: str) -> tuple[list[Document], float]:
    """The documents after a warm-up on the first quarter, and their CPU time: no text is seen twice."""
    start = len(texts) // 4
    list(annotator.annotate(texts[:start], language))
    started = time.process_time()
    found = list(annotator.annotate(texts[start:], language))
    return found, time.process_time() - started


def opening() -> float:
    """Seconds of a new process from the first import to the first annotated line, once the engine's form is built."""
    script = (
        "import time; started = time.perf_counter()\n"
        "from referee.annotate import annotate\n"
        "annotate('It is here.', 'en', annotator='pocket')\n"
        "print(time.perf_counter() - started)"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1] / "src")}
    command = [sys.executable, "-c", script]
    runs = [subprocess.run(command, env=environment, capture_output=True, text=True, check=True) for _ in range(ROUNDS)]
    return min(float(finished.stdout) for finished in runs)


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


def peer_speed(data: Path, open_again: Callable[[], Measured]) -> dict[str, Any]:
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
        _, their_seconds = timed(peer, texts, language)
        ours, our_seconds = timed(open_again(), texts, language)
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
