"""Every figure of docs/annotation.md: accuracy on Universal Dependencies, speed, size, next to two peers.

    python benchmarks/annotation.py DATA

DATA is the data folder (`ud/`, `ctxpro/`). The figures go to `benchmarks/annotation.json` and the tables into
`docs/annotation.md`, between its two markers. `--parts` measures some again and keeps the others. The peers are
measured where they are installed (spaCy with fr_core_news_sm 3.8.0, natasha 1.6.0); `engines` needs transformers.
`--weights FOLDER` takes encoder.npz and heads.npz from there and not from the package.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]

from annotation_engines import compare_engines  # noqa: E402
from annotation_peers import SPACY_PIPELINE, Measured, Natasha, Peer, spacy_peer  # noqa: E402
from annotation_speed import subtitle_speed  # noqa: E402
from annotation_table import put_into  # noqa: E402

from referee import __version__  # noqa: E402
from referee.annotate.conllu import read_conllu  # noqa: E402
from referee.annotate.document import Document  # noqa: E402
from referee.annotate.measures import Counts, compare, compare_features  # noqa: E402
from referee.annotate.pocket.annotator import (  # noqa: E402
    Lexicons,
    PocketAnnotator,
    best_lexicon,
    no_lexicon,
    shipped_lexicon,
)
from referee.annotate.pocket.heads import read_heads  # noqa: E402
from referee.annotate.pocket.lexicon_sources import PACKAGES  # noqa: E402
from referee.annotate.protocols import SourceText  # noqa: E402
from referee.io.files import atomic_write  # noqa: E402
from referee.languages.lexicon import lexicon_file  # noqa: E402
from referee.logs import logger  # noqa: E402
from referee.pocket import store  # noqa: E402
from referee.pocket.encoder import open_encoder  # noqa: E402
from referee.train.recipes.command import run  # noqa: E402
from referee.train.recipes.encoder.treebanks import MEASURED  # noqa: E402

ROUNDS = 2
PARTS = ("accuracy", "lexicons", "peers", "engines", "speed")


def gold(data: Path, language: str) -> list[Document]:
    return list(read_conllu(data / "ud" / f"{MEASURED[language]}.conllu.gz", language))


def raw(document: Document) -> SourceText:
    """Sentences joined by a space, paragraphs by a line break."""
    parts: list[str] = []
    last = None
    for sentence in document.sentences:
        if last is not None:
            parts.append("\n" if "\n" in document.text[last.end : sentence.start] else " ")
        parts.append(document.text[sentence.start : sentence.end])
        last = sentence
    return SourceText(document.id, "".join(parts))


def bare(document: Document) -> Document:
    """The sentences and words without their annotation: what a tagger is given."""
    sentences = [
        replace(
            sentence,
            words=tuple(
                word._replace(lemma="", upos="", xpos="", feats="", head=-1, deprel="") for word in sentence.words
            ),
        )
        for sentence in document.sentences
    ]
    return replace(document, sentences=tuple(sentences))


def measure(annotator: Measured, language: str, documents: list[Document]) -> dict[str, Any]:
    """Counts of both measurements, and words per second of CPU time on raw text."""
    texts = [raw(document) for document in documents]
    times = []
    found: list[Document] = []
    for _ in range(ROUNDS):  # the first round also fills caches: of forms, of a lexicon's entries
        started = time.process_time()
        found = list(annotator.annotate(texts, language))
        times.append(time.process_time() - started)
    tagged = list(annotator.tag([bare(document) for document in documents]))
    words = sum(len(sentence.words) for document in documents for sentence in document.sentences)
    return {
        "annotator": found[0].annotator,
        "words": words,
        "words per second": round(words / min(times)),
        "raw": counts(compare(documents, found)),
        "gold": counts(compare(documents, tagged)),
        "features": counts(compare_features(documents, tagged)),
        "features of raw text": counts(compare_features(documents, found)),
    }


def counts(measures: Mapping[str, Counts]) -> dict[str, Counts]:
    return dict(measures)


def accuracy(annotator: PocketAnnotator, data: Path, languages: Sequence[str]) -> dict[str, Any]:
    figures = {}
    for language in languages:
        figures[language] = measure(annotator, language, gold(data, language))
        logger.info("%s: %s", language, summary(figures[language]))
    return figures


def summary(entry: dict[str, Any]) -> str:
    parts = [
        f"{part} " + " ".join(f"{name} {100 * value.f1:.2f}" for name, value in entry[part].items())
        for part in ("raw", "gold", "features")
    ]
    return f"{entry['words per second']} words/s; " + "; ".join(parts)


def peers(data: Path) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    makers: dict[str, tuple[str, str, Callable[[], Peer]]] = {
        "spacy": ("fr", SPACY_PIPELINE, spacy_peer),
        "natasha": ("ru", "natasha", Natasha),
    }
    for name, (language, package, make) in makers.items():
        if find_spec(package) is None:
            logger.warning("%s is not installed: not measured", package)
            continue
        peer = make()
        figures[name] = {
            "language": language,
            "label": peer.label,
            "megabytes": round(peer.megabytes, 1),
            **measure(peer, language, gold(data, language)),
        }
        logger.info("%s: %s", name, summary(figures[name]))
    return figures


def opened(weights: Path | None, lexicons: Lexicons = shipped_lexicon) -> PocketAnnotator:
    """The annotator of a core install, or one with other lexicons."""
    encoder = store.read(folder_of(weights) / store.ENCODER.file, store.ENCODER)
    heads = store.read(folder_of(weights) / store.HEADS.file, store.HEADS)
    return PocketAnnotator(open_encoder(encoder), read_heads(heads), lexicons, "pocket:core")


def folder_of(weights: Path | None) -> Path:
    return weights or Path(store.__file__).parent / store.ENCODER.folder


def sizes(weights: Path | None) -> dict[str, int]:
    names = (store.ENCODER.file, store.HEADS.file)
    files = [folder_of(weights) / name for name in names]
    files += [path for language in MEASURED if (path := lexicon_file(language)).is_file()]
    return {f"{path.parent.name}/{path.name}": path.stat().st_size for path in files if path.is_file()}


def lexicons(weights: Path | None, data: Path, languages: Sequence[str]) -> dict[str, Any]:
    """Gold tokens without a lexicon, and with the packages that have a larger one."""
    kinds: dict[str, Lexicons] = {"none": no_lexicon, "packages": best_lexicon}
    figures: dict[str, Any] = {}
    for kind, source in kinds.items():
        annotator = opened(weights, source)
        for language in languages:
            package = PACKAGES.get(language)
            if kind == "packages" and (package is None or find_spec(package) is None):
                continue
            if not lexicon_file(language).is_file():
                continue
            documents = gold(data, language)
            tagged = list(annotator.tag([bare(document) for document in documents]))
            measured = {"gold": compare(documents, tagged), "features": compare_features(documents, tagged)}
            figures.setdefault(language, {})[kind] = {"annotator": tagged[0].annotator, **measured}
            logger.info(
                "%s, %s: %s",
                language,
                kind,
                {name: round(100 * found.recall, 2) for part in measured.values() for name, found in part.items()},
            )
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--languages", nargs="+", choices=[*MEASURED], default=[*MEASURED])
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--figures", type=Path, default=HERE / "annotation.json")
    parser.add_argument("--page", type=Path, default=HERE.parent / "docs" / "annotation.md")
    arguments = parser.parse_args()
    figures: dict[str, Any] = json.loads(arguments.figures.read_text("utf-8")) if arguments.figures.is_file() else {}
    annotator = opened(arguments.weights)
    figures |= {
        "referee": __version__,
        "annotator": f"{annotator.name} {annotator.version}",
        "sizes": sizes(arguments.weights),
        "machine": f"{platform.machine()}, one thread, Python {platform.python_version()}",
    }
    data = arguments.data
    parts: dict[str, Callable[[], dict[str, Any]]] = {
        "accuracy": lambda: figures.get("accuracy", {}) | accuracy(annotator, data, arguments.languages),
        "lexicons": lambda: lexicons(arguments.weights, data, arguments.languages),
        "peers": lambda: peers(data),
        "engines": lambda: compare_engines(
            annotator, arguments.weights, ((language, sample(data, language)) for language in arguments.languages)
        ),
        "speed": lambda: subtitle_speed(data, lambda: opened(arguments.weights)),
    }
    for part in PARTS:
        if part in arguments.parts:
            logger.info(part)
            figures[part] = parts[part]()
            with atomic_write(arguments.figures) as file:
                file.write((json.dumps(figures, indent=1, ensure_ascii=False) + "\n").encode())
    if arguments.page.is_file():
        page = put_into(arguments.page.read_text("utf-8"), figures)
        with atomic_write(arguments.page) as file:
            file.write(page.encode())


def sample(data: Path, language: str) -> Iterable[Document]:
    """A tenth of the test file, as documents of gold words."""
    for document in gold(data, language):
        chosen = document.sentences[::10]
        yield bare(replace(document, sentences=chosen))


if __name__ == "__main__":
    run(main)
