"""Annotate texts, in one process or several, with the same result.

Long documents are annotated in parts, which end with a line: a line break ends a sentence in any case. Parts and
batches depend on the texts alone, so the number of processes changes nothing.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from typing import NamedTuple, overload

from referee.annotate.document import Document, Sentence
from referee.annotate.language_check import warned_once
from referee.annotate.protocols import Annotator, SourceText
from referee.annotate.registry import AUTO, open_annotator
from referee.errors import RefereeError, UsageError
from referee.io.progress import Progress, no_progress
from referee.languages import base

LONGEST_PART = 50_000
"""Characters of a part of a document; it may end later, with its line."""
_BATCH = 100_000


class _Part(NamedTuple):
    source: SourceText
    start: int
    """Where it begins in the document."""


_Batch = list[_Part]


# A string is also an iterable of strings, but never meant as one.
@overload
def annotate(  # type: ignore[overload-overlap]
    texts: str, language: str, *, annotator: str | Annotator = ..., jobs: int = ..., progress: Progress = ...
) -> Document: ...


@overload
def annotate(
    texts: Iterable[str | tuple[str, str]],
    language: str,
    *,
    annotator: str | Annotator = ...,
    jobs: int = ...,
    progress: Progress = ...,
) -> Iterator[Document]: ...


def annotate(
    texts: str | Iterable[str | tuple[str, str]],
    language: str,
    *,
    annotator: str | Annotator = AUTO,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> Document | Iterator[Document]:
    """Annotate one text, or several texts or pairs of id and text in order; texts without an id are numbered from 1.

    `annotator` is a name such as `spacy:fr_core_news_sm`, or one that was opened before; by default the best one that
    is installed for the language. With `jobs`, so many processes share the work; the result is the same. `progress` is
    told the number of lines.

    >>> annotate("It broke.", "en", annotator="spacyy:en")
    Traceback (most recent call last):
    referee.errors.UnknownNameError: unknown annotator 'spacyy' (did you mean spacy?). ...
    """
    if isinstance(texts, str):
        return next(annotate([texts], language, annotator=annotator, progress=progress))
    if jobs < 1:
        raise UsageError(f"jobs: {jobs} is not a number of processes", "use 1 or more")
    code = base(language)
    opened = open_annotator(annotator, language=code) if isinstance(annotator, str) else annotator
    if jobs > 1 and not isinstance(annotator, str):
        raise UsageError("an annotator that is open cannot be shared between processes", "give its name, or use 1 job")
    sources = warned_once(_sources(texts), language)
    batches = _batches(_parts(sources))
    results = _in_processes(batches, opened.name, code, jobs) if jobs > 1 else _in_turn(batches, opened, code)
    return _documents(results, progress)


def _sources(texts: Iterable[str | tuple[str, str]]) -> Iterator[SourceText]:
    for number, text in enumerate(texts, 1):
        yield SourceText(str(number), text) if isinstance(text, str) else SourceText(*text)


def _parts(sources: Iterable[SourceText]) -> Iterator[_Part]:
    for source in sources:
        start = 0
        while len(source.text) - start > LONGEST_PART:
            end = source.text.find("\n", start + LONGEST_PART) + 1
            if not end:
                break
            yield _Part(SourceText(source.id, source.text[start:end]), start)
            start = end
        yield _Part(SourceText(source.id, source.text[start:]) if start else source, start)


def _batches(parts: Iterable[_Part]) -> Iterator[_Batch]:
    batch: _Batch = []
    size = 0
    for part in parts:
        batch.append(part)
        # What every document costs on top keeps batches of empty ones short.
        size += len(part.source.text) + 50
        if size >= _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _in_turn(batches: Iterable[_Batch], annotator: Annotator, language: str) -> Iterator[tuple[_Batch, list[Document]]]:
    for batch in batches:
        yield batch, _annotated(annotator, [part.source for part in batch], language)


def _in_processes(
    batches: Iterable[_Batch], name: str, language: str, jobs: int
) -> Iterator[tuple[_Batch, list[Document]]]:
    # Not forked: a copy of a process with threads, such as those of CTranslate2 and PyTorch, may hang.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, initializer=_start_process)
    pending: deque[tuple[_Batch, Future[list[Document]]]] = deque()
    try:
        for batch in batches:
            sources = [part.source for part in batch]
            pending.append((batch, pool.submit(_annotated_by_name, name, sources, language)))
            if len(pending) > 2 * jobs:
                first, future = pending.popleft()
                yield first, future.result()
        while pending:
            first, future = pending.popleft()
            yield first, future.result()
    except BrokenProcessPool:
        raise RefereeError("a process ended unexpectedly", "use fewer jobs: memory may be too small") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _start_process() -> None:
    # An interrupt is the main process's to handle; and one process is one core.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.setdefault("OMP_NUM_THREADS", "1")


def _annotated_by_name(name: str, sources: list[SourceText], language: str) -> list[Document]:
    return _annotated(_opened(name, language), sources, language)


# A process opens its annotator once.
@cache
def _opened(name: str, language: str) -> Annotator:
    return open_annotator(name, language=language)


def _annotated(annotator: Annotator, sources: list[SourceText], language: str) -> list[Document]:
    documents = list(annotator.annotate(sources, language))
    if [document.text for document in documents] != [source.text for source in sources]:
        problem = f"{annotator.name} returned {len(documents)} documents for {len(sources)} texts, or changed a text"
        raise RefereeError(problem, "report this to the authors of the annotator")
    return documents


def _documents(results: Iterable[tuple[_Batch, list[Document]]], progress: Progress) -> Iterator[Document]:
    """Put the parts of documents together."""
    done = 0
    parts: list[Document] = []
    starts: list[int] = []
    for batch, documents in results:
        for part, document in zip(batch, documents, strict=True):
            if part.start == 0 and parts:
                yield _whole(parts, starts)
                parts, starts = [], []
            parts.append(document)
            starts.append(part.start)
            done += document.text.count("\n") + (not document.text.endswith("\n"))
        progress(done, None)
    if parts:
        yield _whole(parts, starts)


def _whole(parts: list[Document], starts: list[int]) -> Document:
    first = parts[0]
    if len(parts) == 1:
        return first
    sentences = [
        sentence if not start else _moved(sentence, start)
        for part, start in zip(parts, starts, strict=True)
        for sentence in part.sentences
    ]
    text = "".join(part.text for part in parts)
    return Document(first.id, text, first.language, tuple(sentences), first.annotator)


def _moved(sentence: Sentence, by: int) -> Sentence:
    words = tuple(word._replace(start=word.start + by, end=word.end + by) for word in sentence.words)
    return Sentence(sentence.start + by, sentence.end + by, words)
