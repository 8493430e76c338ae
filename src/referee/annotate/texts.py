"""Texts to annotate, from files: one document per file, or lines of a document's id, a tab and text.

What a file cannot be read past is one error with its line; what is skipped is counted and said once per file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Literal

from referee.annotate.protocols import SourceText
from referee.errors import InputError, UsageError
from referee.io.files import text_lines
from referee.io.pipes import is_pipe
from referee.io.text import recordable
from referee.logs import logger

Form = Literal["auto", "text", "tsv"]

LONGEST_LINE = 1_000_000
"""Characters of a line. Longer lines are not prose, and no tool annotates them in reasonable time."""
_STDIN = "-"
_LOOKED_AT = 1000
"""Lines that decide the form of a file."""
_LONGEST_ID = 200
_CONTROL = re.compile(r"[\x01-\x08\x0b-\x1f\x7f-\x9f]")
_SUFFIX = re.compile(r"(\.(txt|text|tsv))?(\.gz)?$")


def read_texts(paths: Sequence[Path], form: Form = "auto") -> Iterator[SourceText]:
    """Documents of files, in order; `-` is stdin.

    With `text` a file is one document, named like the file. With `tsv` each line has a document's id, a tab and text;
    consecutive lines with one id are one document. `auto` takes a file for `tsv` if its first 1,000 lines all have a
    short id and a tab, apart from empty ones.
    """
    repeated = {name for name, count in Counter(map(_name, paths)).items() if count > 1}
    for given in paths:
        path = Path("/dev/stdin") if str(given) == _STDIN else given
        if form == "tsv" or (form == "auto" and _has_ids(path)):
            yield from _rows(path)
        else:
            name = _name(given)
            yield _document(path, recordable(str(given)) if name in repeated else name)


def _name(path: Path) -> str:
    return "stdin" if str(path) == _STDIN or is_pipe(path) else recordable(_SUFFIX.sub("", path.name) or path.name)


def _has_ids(path: Path) -> bool:
    """Whether the first lines of a file all have an id and a tab."""
    seen = False
    for line in islice(text_lines(path), _LOOKED_AT):
        if line.strip():
            name, tab, _ = line.partition("\t")
            if not (tab and name.strip() and len(name) <= _LONGEST_ID):
                return False
            seen = True
    return seen


def _document(path: Path, name: str) -> SourceText:
    return SourceText(name, "\n".join(_lines(path)))


def _rows(path: Path) -> Iterator[SourceText]:
    current: str | None = None
    texts: list[str] = []
    skipped: list[int] = []
    for number, line in enumerate(_lines(path), 1):
        if not line.strip():
            skipped.append(number)
            continue
        name, tab, text = line.partition("\t")
        if not tab:
            remedy = "write ID, a tab and the text, or read the file as plain text with `--form text`"
            raise InputError("has no tab between a document's id and its text", remedy, path, number)
        if not name.strip():
            raise InputError("the document's id is empty", "write an id before the tab", path, number)
        if name != current:
            if current is not None:
                yield SourceText(current, "\n".join(texts))
            current, texts = name, []
        texts.append(text)
    if current is not None:
        yield SourceText(current, "\n".join(texts))
    if skipped:
        logger.warning("%s: skipped %s.", path, _counted(len(skipped), "empty line", skipped[0]))


def _lines(path: Path) -> Iterator[str]:
    """Lines of a file, checked."""
    controls = first = 0
    for number, line in enumerate(text_lines(path), 1):
        if "\0" in line:
            remedy = "convert it with `iconv -t UTF-8` if it is UTF-16, else remove the character"
            raise InputError("has a NUL character, so it is not a text in UTF-8", remedy, path, number)
        if len(line) > LONGEST_LINE:
            problem = f"has {len(line):,} characters in one line, more than {LONGEST_LINE:,}"
            raise InputError(problem, "write it in shorter lines, such as one per paragraph", path, number)
        count = len(_CONTROL.findall(line))
        if count and not controls:
            first = number
        controls += count
        yield line
    if controls:
        logger.warning("%s: treated %s as white space.", path, _counted(controls, "control character", first))


def _counted(count: int, noun: str, first: int) -> str:
    return f"{count:,} {noun}{'s' * (count > 1)} (first in line {first})"


def checked_form(name: str) -> Form:
    """The form that an option names.

    >>> checked_form("tsv")
    'tsv'
    """
    forms: dict[str, Form] = {"auto": "auto", "text": "text", "tsv": "tsv"}
    if name not in forms:
        raise UsageError(f"--form: '{name}' is not a valid form", "choose auto, text or tsv")
    return forms[name]
