"""Documents as spaCy's: a DocBin, whose texts are those of the documents.

White space other than single spaces has tokens of its own, as in spaCy. The words of a multi-word token are one token
with the tags of its head; all of its words are in `doc.user_data["referee.words"]`.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from referee.annotate.document import ROOT, Document, Sentence, Word
from referee.annotate.registry import Package
from referee.errors import MissingError
from referee.io.files import atomic_write

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

_ANNOTATOR = "referee.annotator"
_WORDS = "referee.words"
_ATTRIBUTES = ("ORTH", "SPACY", "LEMMA", "POS", "TAG", "MORPH", "HEAD", "DEP", "SENT_START")
# fmt: off
_UPOS = frozenset({
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM",
    "VERB", "X",
})
# fmt: on
"""spaCy refuses others."""


def check_spacy() -> None:
    """An error with the command that installs spaCy, if it is missing."""
    if not Package("spacy", "spacy").installed:
        raise MissingError("--to spacy needs the package spacy", "install it with `pip install 'referee[extract]'`")


def write_docbin(documents: Iterable[Document], path: str | PathLike[str]) -> None:
    """Write documents as a DocBin; read it with `DocBin().from_disk(path).get_docs(nlp.vocab)`."""
    from spacy.tokens import DocBin
    from spacy.vocab import Vocab

    vocab = Vocab()
    docs = DocBin(attrs=_ATTRIBUTES, store_user_data=True)
    for document in documents:
        docs.add(to_doc(document, vocab))
    with atomic_write(Path(path)) as file:
        file.write(docs.to_bytes())


def wrote_docbin(path: Path) -> bool:
    """Whether a file was written here."""
    try:
        return _ANNOTATOR.encode() in zlib.decompress(path.read_bytes())
    except (OSError, zlib.error):
        return False


@dataclass
class _Columns:
    """The tokens of a document, column by column."""

    words: list[str] = field(default_factory=list)
    spaces: list[bool] = field(default_factory=list)
    rows: list[Word | None] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)
    starts: list[bool] = field(default_factory=list)
    split: dict[int, list[Word]] = field(default_factory=dict)

    def add(self, text: str, row: Word | None, head: int, *, starts: bool = False) -> None:
        self.words.append(text)
        self.spaces.append(False)
        self.rows.append(row)
        self.heads.append(head)
        self.starts.append(starts)

    def add_gap(self, gap: str) -> None:
        """What stands between two tokens; white space belongs to the token before it."""
        if gap.startswith(" ") and self.words:
            self.spaces[-1] = True
            gap = gap[1:]
        if gap:
            self.add(gap, None, max(len(self.words) - 1, 0))


def to_doc(document: Document, vocab: Vocab) -> Doc:
    """A document as spaCy's."""
    from spacy.tokens import Doc

    columns = _Columns()
    place = 0
    for sentence in document.sentences:
        place = _add_sentence(columns, document.text, sentence, place)
    columns.add_gap(document.text[place:])
    rows = columns.rows
    if len(rows) > 1 and rows[0] is None:
        # White space at the beginning belongs to the first sentence.
        columns.heads[0] = 1
        columns.starts[:2] = [True, False]
    parsed = bool(document.sentences) and all(row is None or row.deprel for row in rows)
    trees = {"heads": columns.heads, "deps": [_relation(row) for row in rows]} if parsed else {}
    doc = Doc(
        vocab,
        words=columns.words,
        spaces=columns.spaces,
        lemmas=[row.lemma if row else "" for row in rows],
        pos=[_pos(row, text) for row, text in zip(rows, columns.words, strict=True)],
        tags=[row.xpos if row else "" for row in rows],
        morphs=[row.feats if row else "" for row in rows],
        **(trees or {"sent_starts": columns.starts}),
    )
    doc.user_data[_ANNOTATOR] = document.annotator
    doc.user_data[_WORDS] = {str(index): [list(word) for word in words] for index, words in columns.split.items()}
    return doc


def _add_sentence(columns: _Columns, text: str, sentence: Sentence, place: int) -> int:
    """Add the tokens of a sentence; returns where they end."""
    tokens: list[list[tuple[int, Word]]] = []
    for index, word in enumerate(sentence.words):
        if word.part > 1 and tokens:
            tokens[-1].append((index, word))
        else:
            tokens.append([(index, word)])
    positions: dict[int, int] = {}
    pending: list[tuple[int, int]] = []
    for words in tokens:
        first = words[0][1]
        columns.add_gap(text[place : first.start])
        position = len(columns.words)
        indices = {index for index, _ in words}
        # The word of the token that depends on a word outside it.
        row = next((word for _, word in words if word.head not in indices), first)
        positions.update(dict.fromkeys(indices, position))
        pending.append((position, row.head))
        columns.add(text[first.start : first.end], row, position, starts=not positions.keys() - indices)
        if len(words) > 1:
            columns.split[position] = [word for _, word in words]
        place = first.end
    for position, head in pending:
        columns.heads[position] = position if head == ROOT else positions[head]
    return place


def _pos(row: Word | None, text: str) -> str:
    if row is None:
        return "SPACE" if text.isspace() else "X"
    return row.upos if row.upos in _UPOS or not row.upos else "X"


def _relation(row: Word | None) -> str:
    if row is None:
        return "dep"
    return "ROOT" if row.head == ROOT else row.deprel
