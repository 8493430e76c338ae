r"""Documents as CoNLL-U: written so that the text can be rebuilt exactly, read as UD publishes it.

`# text` and `SpaceAfter=No` are UD's. Where two tokens have something else than one space or nothing between them,
`SpacesAfter` has it, in UDPipe's spelling; a token whose characters differ from its form has `SpacesInToken`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import IO, NamedTuple

from referee.annotate.conllu_cells import EMPTY, cell, comment, escaped, sentence_id
from referee.annotate.conllu_reader import EMPTY_ID, EMPTY_TEXT, GENERATOR, OURS, read
from referee.annotate.document import ROOT, Document, Sentence, Word
from referee.errors import RefereeError
from referee.io.files import atomic_write, open_binary, packed


class _Token(NamedTuple):
    """The words that share the characters of a token."""

    words: tuple[Word, ...]

    @property
    def start(self) -> int:
        return self.words[0].start

    @property
    def end(self) -> int:
        return self.words[0].end


def read_conllu(path: str | PathLike[str], language: str = "") -> Iterator[Document]:
    """Read documents; `language` is theirs where the file does not say it.

    Files of Universal Dependencies without `# newdoc` are one document. Empty nodes, enhanced dependencies and other
    fields of MISC are not kept. A broken line is an error with its file and line.

    >>> import tempfile
    >>> it = Word("It", "it", "PRON", "", 1, "expl", 0, 2)
    >>> rained = Word("rained", "rain", "VERB", "Tense=Past", ROOT, "root", 3, 9)
    >>> with tempfile.NamedTemporaryFile(suffix=".conllu") as file:
    ...     write_conllu([Document("d1", "It rained", "en", (Sentence(0, 9, (it, rained)),))], file.name)
    ...     [document] = read_conllu(file.name)
    >>> document.text, document.sentences[0].words[1].feature("Tense")
    ('It rained', 'Past')
    """
    return read(Path(path), language)


def write_conllu(documents: Iterable[Document], path: str | PathLike[str]) -> None:
    """Write documents to a file that appears when it is complete; `.gz` at the end of its name packs it.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".conllu") as file:
    ...     write_conllu([Document("d1", "", "en", ())], file.name)
    ...     print(Path(file.name).read_text().splitlines()[1:])
    ['# language = en', '# empty_document id = d1']
    """
    target = Path(path)
    with atomic_write(target) as file:
        if target.suffix == ".gz":
            with packed(file) as gzipped:
                _write(documents, gzipped)
        else:
            _write(documents, file)


def _write(documents: Iterable[Document], file: IO[bytes]) -> None:
    for text in conllu_texts(documents):
        file.write(text.encode())


def conllu_texts(documents: Iterable[Document]) -> Iterator[str]:
    """The text of a file, document by document, with a header before the first and where the tool changes."""
    last: tuple[str, str] | None = None
    for document in documents:
        if last != (document.annotator, document.language):
            last = document.annotator, document.language
            yield header(*last)
        yield conllu(document)


def header(annotator: str, language: str) -> str:
    """The comments before the first document, and before one that another tool annotated."""
    from referee import __version__

    tool = [f"# annotator = {comment(annotator)}"] if annotator else []
    code = [f"# language = {comment(language)}"] if language else []
    return "\n".join([f"# {GENERATOR} = {OURS}{__version__}", *tool, *code, ""])


def wrote_conllu(path: Path) -> bool:
    """Whether a file was written here."""
    try:
        with open_binary(path) as file:
            return file.readline(200).startswith(f"# {GENERATOR} = {OURS}".encode())
    except (OSError, EOFError, RefereeError):
        return False


def conllu(document: Document) -> str:
    r"""A document without its header; one that has not a word is a comment.

    >>> word = Word("Hi", "hi", "INTJ", "", ROOT, "root", 0, 2)
    >>> conllu(Document("d1", "Hi", "en", (Sentence(0, 2, (word,)),))).splitlines()
    ['# newdoc id = d1', '# sent_id = d1-1', '# text = Hi', '1\tHi\thi\tINTJ\t_\t_\t0\troot\t_\t_', '']
    """
    sentences = [_tokens(sentence) for sentence in document.sentences if sentence.words]
    if not sentences:
        said = [f"# {EMPTY_TEXT} = {escaped(document.text)}"] if document.text else []
        return "\n".join([f"# {EMPTY_ID} = {comment(document.id)}", *said, ""])
    spacings = iter(_spacings(document, [token for tokens in sentences for token in tokens]))
    lines = [f"# newdoc id = {comment(document.id)}"]
    for number, tokens in enumerate(sentences, 1):
        lines += (f"# sent_id = {sentence_id(document.id, number)}", "")
        place, text = len(lines) - 1, ""
        index = 1
        for token in tokens:
            spaced, misc = next(spacings)
            surface = (
                cell(document.text[token.start : token.end]) if len(token.words) > 1 else cell(token.words[0].form)
            )
            text += surface + " " * spaced
            lines += _token_lines(token, index, surface, misc)
            index += len(token.words)
        lines[place] = f"# text = {text.strip(' ')}"
        lines.append("")
    return "\n".join([*lines, ""])


def _tokens(sentence: Sentence) -> list[_Token]:
    tokens: list[_Token] = []
    for word in sentence.words:
        if tokens and word.part > 1 and tokens[-1].words[0].part and (word.start, word.end) == tokens[-1][0][0][6:8]:
            tokens[-1] = _Token((*tokens[-1].words, word))
        else:
            tokens.append(_Token((word,)))
    return tokens


def _token_lines(token: _Token, index: int, surface: str, misc: str) -> Iterator[str]:
    if len(token.words) > 1:
        yield "\t".join((f"{index}-{index + len(token.words) - 1}", surface, *[EMPTY] * 7, misc))
        misc = EMPTY
    for number, word in enumerate(token.words, index):
        head = str(word.head + 1) if word.head != ROOT else "0" if word.deprel else EMPTY
        # fmt: off
        yield "\t".join((
            str(number), cell(word.form), cell(word.lemma), cell(word.upos), cell(word.xpos), cell(word.feats),
            head, cell(word.deprel), EMPTY, misc,
        ))
        # fmt: on


def _spacings(document: Document, tokens: list[_Token]) -> Iterator[tuple[bool, str]]:
    """For each token, whether white space follows, and its MISC."""
    text = document.text
    last = 0
    for number, token in enumerate(tokens):
        start, end = token.start, token.end
        if not last <= start <= end <= len(text):
            problem = (
                f"{document.annotator or 'the annotator'} gave words that overlap or leave document '{document.id}'"
            )
            raise RefereeError(f"{problem} (at character {start})", "report this to the authors of the annotator")
        last = end
        final = number + 1 == len(tokens)
        gap = text[end : len(text) if final else tokens[number + 1].start]
        surface = cell(text[start:end]) if len(token.words) > 1 else cell(token.words[0].form)
        misc = [f"SpacesBefore={escaped(text[:start])}"] if number == 0 and start else []
        if surface != text[start:end]:
            misc.append(f"SpacesInToken={escaped(text[start:end])}")
        spaced = any(map(str.isspace, gap))
        if not spaced and not (final and not gap):
            misc.append("SpaceAfter=No")
        if gap not in ("", " ") or (final and gap):
            misc.append(f"SpacesAfter={escaped(gap)}")
        yield spaced, "|".join(misc) or EMPTY
