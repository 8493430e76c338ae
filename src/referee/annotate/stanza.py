"""Stanza as an annotator: `stanza:LL`, with models that were downloaded before. Nothing is downloaded here."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from referee.annotate.document import ROOT, Document, Sentence, Word
from referee.annotate.protocols import SourceText
from referee.annotate.registry import Choice
from referee.errors import InputError, MissingError, UsageError
from referee.languages import base

_QUALITY = 60
"""Larger networks than the bundled one, and the relations of UD."""
_PROCESSORS = ("tokenize", "mwt", "pos", "lemma", "depparse")
_RESOURCES = re.compile(r"""^__resources_version__ *= *["']([^"']+)["']""", re.MULTILINE)
_LINES = 500
"""Lines that are annotated together."""


def models_folder() -> Path:
    """Where Stanza keeps its models; Stanza itself is not imported for this."""
    if given := os.environ.get("STANZA_RESOURCES_DIR"):
        return Path(given)
    from platformdirs import user_cache_dir

    package = find_spec("stanza")
    version = Path(package.origin).with_name("_version.py") if package and package.origin else None
    match = _RESOURCES.search(version.read_text("utf-8")) if version and version.is_file() else None
    # Earlier versions kept them in the user's folder.
    newer = Path(user_cache_dir("stanza", "StanfordNLP", match[1]), "resources") if match else None
    older = Path.home() / "stanza_resources"
    return newer if newer and (newer.is_dir() or not older.is_dir()) else older


def installed(language: str) -> list[Choice]:
    """The languages with models, or the one that is asked for."""
    folder = models_folder()
    if not (folder / "resources.json").is_file():
        return []
    codes = sorted(path.parent.name for path in folder.glob("*/tokenize"))
    return [Choice(_QUALITY, code) for code in codes if language in ("", code)]


def open_stanza(argument: str) -> StanzaAnnotator:
    """Open the models of a language."""
    import stanza

    folder = models_folder()
    if argument not in [choice.argument for choice in installed("")]:
        problem = f"'stanza:{argument}' has no models in {folder}"
        command = f"python -c \"import stanza; stanza.download('{argument}')\""
        raise MissingError(problem, f"download them with `{command}`")
    there = [name for name in _PROCESSORS if (folder / argument / name).is_dir()]
    try:
        pipeline = stanza.Pipeline(
            argument,
            dir=str(folder),
            processors=",".join(there),
            download_method=None,
            use_gpu=False,
            logging_level="ERROR",
        )
    except Exception as error:
        # Stanza raises whatever its parts raise; the user must learn that the models are at fault.
        reason = str(error).strip().partition("\n")[0].rstrip(".")
        problem = f"'stanza:{argument}' cannot be loaded ({reason})"
        raise InputError(problem, "download the models again", file=folder / argument) from error
    return StanzaAnnotator(f"stanza:{argument}", stanza.__version__, argument, pipeline)


@dataclass(frozen=True)
class StanzaAnnotator:
    """A pipeline of Stanza for one language."""

    name: str
    version: str
    language: str
    pipeline: Any

    def annotate(self, texts: Iterable[SourceText], language: str) -> Iterator[Document]:
        """Annotate documents line by line: a line break ends a sentence."""
        if base(language) != self.language:
            raise UsageError(f"'{self.name}' is not for '{language}'", f"use `stanza:{base(language)}`")
        annotator = f"{self.name} {self.version}"
        for source in texts:
            sentences: list[Sentence] = []
            lines = _lines(source.text)
            while batch := list(islice(lines, _LINES)):
                for (_, start), result in zip(
                    batch, self.pipeline.bulk_process([line for line, _ in batch]), strict=True
                ):
                    sentences += (sentence_of(sentence, start) for sentence in result.sentences if sentence.words)
            yield Document(source.id, source.text, language, tuple(sentences), annotator)


def _lines(text: str) -> Iterator[tuple[str, int]]:
    start = 0
    for line in text.split("\n"):
        if line.strip():
            yield line, start
        start += len(line) + 1


def sentence_of(sentence: Any, start: int) -> Sentence:  # noqa: ANN401 a class of Stanza, which has no types
    """A sentence of Stanza with characters that begin at `start`."""
    words: list[Word] = []
    for token in sentence.tokens:
        several = len(token.words) > 1
        for part, word in enumerate(token.words, 1):
            head = ROOT if not word.head else word.head - 1
            deprel = word.deprel or ""
            # fmt: off
            words.append(Word(
                word.text, word.lemma or "", word.upos or "", word.feats or "", head, deprel,
                start + token.start_char, start + token.end_char, part if several else 0, word.xpos or "",
            ))
            # fmt: on
    return Sentence(words[0].start, words[-1].end, tuple(words))
