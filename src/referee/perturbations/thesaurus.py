"""Synonyms of a noun: from a MyThes file, from a WN-LMF file, or from a lexicon of the package `wn`."""

from __future__ import annotations

import gzip
import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Any

from referee.errors import InputError, MissingError
from referee.io.files import existing, open_binary

Thesaurus = Callable[[str], list[str]]
"""From a noun to its synonyms, the best first."""

_NOTE = re.compile(r"\s*\([^)]*\)")
# MyThes files mark by a note what is not a synonym: broader and narrower words, antonyms.
_NO_SYNONYM = re.compile(r"\([^)]*(begriff|antonym|assoziation|generic term|antonym)[^)]*\)", re.IGNORECASE)


def open_thesaurus(name: str) -> Thesaurus:
    """Open `wn:LEXICON`, a WN-LMF file (*.xml, *.xml.gz) or a MyThes file (*.dat)."""
    if name.startswith("wn:"):
        return _lexicon(name.removeprefix("wn:"))
    path = existing(Path(name))
    return _lmf(path) if path.name.endswith((".xml", ".xml.gz")) else _mythes(path)


def _content(path: Path) -> bytes:
    with open_binary(path) as file:
        return file.read()


def _mythes(path: Path) -> Thesaurus:
    """Read a file with its encoding in line 1, then `word|meanings` and a line `kind|word|word...` per meaning."""
    if path.name.endswith(".idx"):
        raise InputError("is the index of a thesaurus", "use the *.dat file next to it", path)
    lines = _content(path).split(b"\n")
    encoding = lines[0].strip().decode("ascii", "replace")
    try:
        "".encode(encoding)
    except LookupError:
        raise InputError("does not start with an encoding", "use a MyThes file (*.dat)", path, 1) from None
    entries: dict[str, list[bytes]] = {}
    index = 1
    while index < len(lines):
        word, _, count = lines[index].rpartition(b"|")
        if not lines[index].strip():
            index += 1
            continue
        if not count.strip().isdigit():
            raise InputError("expected WORD|NUMBER OF MEANINGS", "use a MyThes file (*.dat)", path, index + 1)
        meanings = int(count)
        entries.setdefault(_decoded(word, encoding, path, index + 1).lower(), []).extend(
            lines[index + 1 : index + 1 + meanings]
        )
        index += 1 + meanings

    def synonyms(noun: str) -> list[str]:
        meanings = [_decoded(line, encoding, path, None) for line in entries.get(noun.lower(), [])]
        return _others(noun, (word for line in meanings for word in _plain(line.split("|")[1:])))

    return synonyms


def _plain(words: Iterable[str]) -> Iterator[str]:
    return (_NOTE.sub("", word).strip() for word in words if not _NO_SYNONYM.search(word))


def _decoded(line: bytes, encoding: str, path: Path, number: int | None) -> str:
    try:
        return line.decode(encoding)
    except UnicodeDecodeError:
        raise InputError(
            f"is not valid {encoding}, the encoding that line 1 gives", "convert the file", path, number
        ) from None


def read_lexicons(path: Path) -> list[Any]:
    """Read the lexicons of a WN-LMF file, plain or packed with gzip; nothing is stored anywhere."""
    lmf = _wn("lmf")
    try:
        with path.open("rb") as file:
            is_packed = file.read(2) == b"\x1f\x8b"
        if not is_packed:
            return list(lmf.load(path, progress_handler=None)["lexicons"])
        # The package reads files by name only.
        with TemporaryDirectory() as folder, gzip.open(path) as packed:
            unpacked = Path(folder, "lexicon.xml")
            with unpacked.open("wb") as out:
                copyfileobj(packed, out)
            return list(lmf.load(unpacked, progress_handler=None)["lexicons"])
    except (lmf.LMFError, EOFError, zlib.error, gzip.BadGzipFile, KeyError, ValueError, TypeError) as error:
        raise InputError(f"is not a valid WN-LMF lexicon ({error})", "use a lexicon in that format", path) from None


def _lmf(path: Path) -> Thesaurus:
    synsets: dict[str, list[str]] = defaultdict(list)
    senses: dict[str, list[str]] = defaultdict(list)
    for lexicon in read_lexicons(path):
        for entry in lexicon.get("entries", []):
            if entry["lemma"]["partOfSpeech"] != "n":
                continue
            for sense in entry.get("senses", []):
                senses[entry["lemma"]["writtenForm"]].append(sense["synset"])
                synsets[sense["synset"]].append(entry["lemma"]["writtenForm"])
    return lambda noun: _others(noun, (word for synset in senses.get(noun, []) for word in synsets[synset]))


def _lexicon(name: str) -> Thesaurus:
    wn = _wn()
    try:
        lexicon = wn.Wordnet(name)
    except wn.Error:
        remedy = f"run `python -m wn download {name}`, or add a file of your own with `wn.add`"
        raise MissingError(f"the package wn has no lexicon '{name}'", remedy) from None

    def synonyms(noun: str) -> list[str]:
        words = (word for synset in lexicon.synsets(noun, pos="n") for word in synset.lemmas())
        return _others(noun, words)

    return synonyms


def _wn(module: str = "") -> Any:  # noqa: ANN401
    """The optional package wn."""
    from importlib import import_module

    try:
        return import_module(f"wn.{module}" if module else "wn")
    except ModuleNotFoundError:
        remedy = "install it with `pip install 'referee[attacks]'`, or use a MyThes file"
        raise MissingError("lexicons need the package wn, which is not installed", remedy) from None


def _others(noun: str, words: Iterable[str]) -> list[str]:
    """The words in order, each once, without the noun itself."""
    return [word for word in dict.fromkeys(words) if word and word != noun]
