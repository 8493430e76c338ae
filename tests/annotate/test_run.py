from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from referee.annotate.document import Document
from referee.annotate.protocols import SourceText
from referee.annotate.registry import open_annotator
from referee.annotate.run import LONGEST_PART, annotate
from referee.errors import RefereeError, UsageError

pytestmark = pytest.mark.usefixtures("tiny")

LINES = "\n".join(f"line {number} of a long document" for number in range(5000)) + "\n\n"


def forms(document: Document) -> list[list[str]]:
    return [[document.text[word.start : word.end] for word in sentence.words] for sentence in document.sentences]


def test_one_text() -> None:
    document = annotate("It broke .\nWhy ?", "en-GB", annotator="tiny")
    assert (document.id, document.language, document.annotator) == ("1", "en", "tiny 1.0")
    assert forms(document) == [["It", "broke", "."], ["Why", "?"]]


def test_several_texts_keep_their_order_and_ids() -> None:
    documents = list(annotate(["a", ("x", "b"), "", SourceText("4", "d")], "en", annotator="tiny:large"))
    assert [document.id for document in documents] == ["1", "x", "3", "4"]
    assert [document.text for document in documents] == ["a", "b", "", "d"]
    assert documents[0].annotator == "tiny:large 1.0"


def test_a_long_document_is_put_together_from_parts() -> None:
    assert len(LINES) > 2 * LONGEST_PART
    whole = annotate(LINES, "en", annotator="tiny")
    assert whole.text == LINES
    assert forms(whole) == [line.split() for line in LINES.splitlines() if line]
    unbroken = "word " * (LONGEST_PART // 2)
    assert len(annotate(unbroken, "en", annotator="tiny").sentences) == 1


def test_processes_change_nothing() -> None:
    texts = [SourceText(f"d{number}", LINES[: number * 4999]) for number in range(14)]
    alone = list(annotate(texts, "en", annotator="tiny"))
    assert list(annotate(iter(texts), "en", annotator="tiny", jobs=2)) == alone


def test_an_error_in_a_process_is_reported(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RuntimeError, match="tiny fails"):
        list(annotate(["a", "FAIL"], "en", annotator="tiny", jobs=2))
    assert capfd.readouterr().err == ""


def test_progress_in_lines() -> None:
    told: list[tuple[int, int | None]] = []
    list(annotate([LINES, "a"], "en", annotator="tiny", progress=lambda done, total: told.append((done, total))))
    assert told[-1] == (LINES.count("\n") + 1, None)
    assert len(told) > 1


def test_jobs_need_a_name_and_a_number() -> None:
    with pytest.raises(UsageError, match="cannot be shared between processes"):
        annotate(["a"], "en", annotator=open_annotator("tiny"), jobs=2)
    with pytest.raises(UsageError, match="jobs: 0 is not a number of processes"):
        annotate(["a"], "en", jobs=0)


class Lossy:
    name = "lossy"
    version = "1"

    def annotate(self, texts: Iterable[SourceText], language: str) -> Iterator[Document]:
        yield from (Document(text.id, text.text.strip(), language, ()) for text in texts)


def test_an_annotator_must_not_change_a_text() -> None:
    with pytest.raises(RefereeError, match="lossy returned 1 documents for 1 texts, or changed a text"):
        annotate(" a", "en", annotator=Lossy())
