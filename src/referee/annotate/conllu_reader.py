"""CoNLL-U to documents: characters from `# text` and MISC, errors with file and line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from referee.annotate.conllu_cells import EMPTY, unescaped, value
from referee.annotate.document import ROOT, Document, Sentence, Word
from referee.errors import InputError
from referee.io.files import existing, text_lines

GENERATOR = "generator"
OURS = "referee "
"""What the comment `generator` begins with in files that are written here."""
EMPTY_ID = "empty_document id"
EMPTY_TEXT = "empty_document_text"

_COLUMNS = 10
_NEW = re.compile(r"new(?P<what>doc|par)(?P<id>[ _]id)?")
"""Some treebanks write `newdoc_id`."""
_ID = re.compile(r"(?P<first>[1-9]\d*)(?:-(?P<last>[1-9]\d*))?|\d+\.[1-9]\d*", re.ASCII)
_REMEDY = "correct the line, or write the file again"


class _Line(NamedTuple):
    number: int
    columns: list[str]


class _Piece(NamedTuple):
    """A token: its characters, those up to the next token (None where the file does not say it), its words."""

    form: str
    before: str
    surface: str
    spaced: bool
    after: str | None
    words: list[Word]
    line: int


class _LineError(ValueError):
    """What is wrong in a line of the file."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem)
        self.line = line


@dataclass
class _Building:
    """A document that is being read."""

    id: str
    parts: list[str] = field(default_factory=list)
    length: int = 0
    gap: str = ""
    said: bool = True
    """Whether the file says what stands between the last token and the next."""
    sentences: list[Sentence] = field(default_factory=list)

    def add(self, pieces: list[_Piece], *, paragraph: bool) -> None:
        """A sentence."""
        if paragraph and not self.said:
            self.gap = "\n"
        words: list[Word] = []
        for piece in pieces:
            self._append(self.gap + piece.before)
            start = self.length
            self._append(piece.surface)
            words += [word._replace(start=start, end=self.length) for word in piece.words]
            self.gap = piece.after if piece.after is not None else " " * piece.spaced
            self.said = piece.after is not None
        self.sentences.append(Sentence(words[0].start, words[-1].end, tuple(words)))

    def document(self, language: str, annotator: str) -> Document:
        """The document; its text ends with its last token if the file says nothing else."""
        text = "".join([*self.parts, self.gap * self.said])
        return Document(self.id, text, language, tuple(self.sentences), annotator)

    def _append(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)


def read(path: Path, language: str) -> Iterator[Document]:
    """The documents of a file."""
    file = existing(path)
    reader = _Reader(_stem(file), language)
    try:
        for comments, lines in _blocks(file):
            yield from reader.block(comments, lines)
        yield from reader.finished()
    except _LineError as error:
        raise InputError(str(error), _REMEDY, file, error.line) from None


def _stem(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".conllu")


def _blocks(path: Path) -> Iterator[tuple[list[_Line], list[_Line]]]:
    """Comments and token lines of each sentence; comments at the end of the file may have no sentence."""
    comments: list[_Line] = []
    lines: list[_Line] = []
    number = 0
    for number, line in enumerate(text_lines(path), 1):
        if line.startswith("#"):
            if lines:
                raise _LineError(number, "a comment stands inside a sentence")
            comments.append(_Line(number, [part.strip(" ") for part in line[1:].partition("=")[::2]]))
        elif line.strip():
            columns = line.split("\t")
            if len(columns) != _COLUMNS:
                raise _LineError(number, f"expected {_COLUMNS} columns separated by tabs, but found {len(columns)}")
            lines.append(_Line(number, columns))
        elif lines:
            yield comments, lines
            comments, lines = [], []
    if comments or lines:
        yield comments, lines


class _Reader:
    """What was said of the file so far, and the document that is being read."""

    def __init__(self, stem: str, language: str) -> None:
        self.stem = stem
        self.language, self.given = language, language
        self.annotator = ""
        self.ours = False
        self.current: _Building | None = None
        self.count = 0
        self.empty: str | None = None

    def block(self, comments: list[_Line], lines: list[_Line]) -> Iterator[Document]:
        """Read a sentence and what is said before it."""
        text: str | None = None
        paragraph = False
        empty_text = ""
        for number, (key, content) in comments:
            new = _NEW.fullmatch(key)
            if key == "text":
                text = content
            elif new and new["what"] == "par":
                paragraph = True
            elif new or key == EMPTY_ID or (key == GENERATOR and content.startswith(OURS)):
                yield from self.finished(empty_text)
                empty_text = ""
                self._begin(key, _characters(content, number) if self.ours else content)
            elif self.ours and key == EMPTY_TEXT:
                empty_text = _characters(content, number)
            elif self.ours and key == "annotator":
                self.annotator = _characters(content, number)
            elif self.ours and key == "language":
                self.language = _characters(content, number)
        if lines:
            if self.empty is not None:
                yield from self.finished(empty_text)
            if self.current is None:
                self.current = _Building(self._next_id())
            self.current.add(_aligned(_pieces(lines), text), paragraph=paragraph)
        elif self.empty is not None:
            yield from self.finished(empty_text)

    def finished(self, empty_text: str = "") -> Iterator[Document]:
        """The document that was read."""
        if self.current is not None and self.current.sentences:
            yield self.current.document(self.language, self.annotator)
        elif self.empty is not None:
            yield Document(self.empty, empty_text, self.language, (), self.annotator)
        self.current = self.empty = None

    def _begin(self, key: str, content: str) -> None:
        if key == GENERATOR:
            self.ours = True
            self.annotator, self.language = "", self.given
        elif key == EMPTY_ID:
            self.empty = content
        else:
            named = key.endswith("id") and (content or self.ours)
            self.current = _Building(content if named else self._next_id())

    def _next_id(self) -> str:
        self.count += 1
        return self.stem if self.count == 1 else f"{self.stem}-{self.count}"


def _pieces(lines: list[_Line]) -> list[_Piece]:
    """The tokens of a sentence, with words whose characters are not known yet."""
    pieces: list[_Piece] = []
    total = sum(columns[0].isdecimal() for _, columns in lines)
    expected, last = 1, 0
    for number, columns in lines:
        match = _ID.fullmatch(columns[0])
        if match is None:
            raise _LineError(number, f"'{columns[0]}' is not the number of a word, of a range or of an empty node")
        if match["first"] is None:
            continue
        if int(match["first"]) != expected:
            raise _LineError(number, f"expected word {expected}, but found '{columns[0]}'")
        if match["last"]:
            if not expected < int(match["last"]) <= total or last >= expected:
                raise _LineError(number, f"the range '{columns[0]}' does not fit the words of the sentence")
            last = int(match["last"])
            pieces.append(_piece(number, columns))
            continue
        inside = expected <= last
        if not inside:
            pieces.append(_piece(number, columns))
        part = len(pieces[-1].words) + 1 if inside else 0
        pieces[-1].words.append(_word(number, columns, total, part))
        expected += 1
    if not pieces:
        raise _LineError(lines[0].number, "the sentence has no words")
    return pieces


def _piece(number: int, columns: list[str]) -> _Piece:
    misc = dict(entry.partition("=")[::2] for entry in columns[9].split("|"))
    if not columns[1]:
        raise _LineError(number, "the form is empty")
    after = misc.get("SpacesAfter")
    inside = misc.get("SpacesInToken")
    return _Piece(
        columns[1],
        _characters(misc.get("SpacesBefore", ""), number),
        columns[1] if inside is None else _characters(inside, number),
        misc.get("SpaceAfter") != "No",
        None if after is None else _characters(after, number),
        [],
        number,
    )


def _word(number: int, columns: list[str], total: int, part: int) -> Word:
    _, form, lemma, upos, xpos, feats, head, deprel, _, _ = columns
    if not form:
        raise _LineError(number, "the form is empty")
    if head != EMPTY and not (head.isdecimal() and int(head) <= total):
        raise _LineError(number, f"the head '{head}' is not 0 or a word of the sentence")
    lemma = lemma if form == EMPTY else value(lemma)
    index = ROOT if head in (EMPTY, "0") else int(head) - 1
    return Word(form, lemma, value(upos), value(feats), index, value(deprel), 0, 0, part, value(xpos))


def _aligned(pieces: list[_Piece], text: str | None) -> list[_Piece]:
    """Tokens with what stands between them in `# text`, where that differs from SpaceAfter."""
    if text is None or _joined(pieces) == text.strip(" "):
        return pieces
    aligned: list[_Piece] = []
    place = 0
    for piece in pieces:
        start = _skip_spaces(text, place)
        if not text.startswith(piece.form, start):
            raise _mismatch(aligned, piece)
        if aligned and aligned[-1].after is None:
            aligned[-1] = aligned[-1]._replace(after=text[place:start])
        aligned.append(piece)
        place = start + len(piece.form)
    if text[place:].strip():
        raise _LineError(pieces[-1].line, f"`# text` continues after the last word ('{text[place:].strip()[:40]}')")
    return aligned


def _mismatch(before: list[_Piece], piece: _Piece) -> _LineError:
    where = f" after '{_joined(before)[-40:]}'" if before else ""
    return _LineError(piece.line, f"`# text` does not have '{piece.form}'{where}")


def _joined(pieces: list[_Piece]) -> str:
    return "".join(piece.form + " " * piece.spaced for piece in pieces).strip(" ")


def _skip_spaces(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place


def _characters(text: str, number: int) -> str:
    try:
        return unescaped(text)
    except ValueError as error:
        raise _LineError(number, str(error)) from None
