from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from referee.annotate.document import Document
from referee.annotate.protocols import Aligner, Annotator, Resolver, SourceText


@dataclass(frozen=True)
class _Nothing:
    """Finds no sentence in any text."""

    name: str = "nothing"
    version: str = "1"

    def annotate(self, texts: Iterable[SourceText], language: str) -> Iterator[Document]:
        return (Document(text.id, text.text, language, (), f"{self.name} {self.version}") for text in texts)


def test_a_tool_is_known_by_what_it_can_be_asked() -> None:
    tool = _Nothing()
    assert isinstance(tool, Annotator)
    assert not isinstance(tool, Resolver | Aligner)
    assert [document.id for document in tool.annotate([SourceText("a", "One."), SourceText("b", "")], "en")] == [
        "a",
        "b",
    ]
