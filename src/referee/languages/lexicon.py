"""Compact lexicons: analyses of word forms, stored as stems and paradigms.

A file is xz over text of four parts with empty lines between them:

- a line of JSON: language, sources, licences;
- tags, one per line: `NOUN Masc Sing Nom Hum`, `-` for a feature that the word does not have, `*` for one not known;
- paradigms, one per line: how much of the stem's start the lemma lacks (-1: no lemma), its ending, `ending=tags` ...;
- classes, one per line: numbers of paradigms, then all stems that have them.

A form is a stem and an ending, so a few dictionary lookups find its analyses, and words are there with all their forms.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from referee.errors import InputError
from referee.languages.analyses import UNCLEAR, Analysis

LONGEST = 10
"""Characters of an ending, at most."""
FILE = "lexicon.xz"
_ABSENT = "-"


@dataclass(frozen=True, slots=True)
class Paradigm:
    """The endings of a stem: what the forms are, and how their lemma comes from the stem."""

    cut: int
    """Characters off the start of the stem that the lemma does not have (Polish *naj-*, *nie-*); -1: no lemma."""
    lemma: str
    tags: dict[str, tuple[int, ...]]

    def encode(self) -> str:
        """A line of the file."""
        endings = (f"{ending}={' '.join(map(str, tags))}" for ending, tags in self.tags.items())
        return "\t".join((str(self.cut), self.lemma, *endings))

    @classmethod
    def decode(cls, line: str) -> Paradigm:
        """The paradigm of a line."""
        cut, lemma, *endings = line.split("\t")
        pairs = (ending.partition("=") for ending in endings)
        return cls(int(cut), lemma, {ending: tuple(map(int, tags.split(" "))) for ending, _, tags in pairs})


@dataclass(frozen=True, slots=True)
class StoredLexicon:
    """A lexicon in memory. Paradigms are decoded when a stem that has them is first met."""

    about: dict[str, Any]
    tags: tuple[Analysis, ...]
    """Analyses without a lemma; paradigms refer to them by number."""
    lines: tuple[str, ...]
    classes: tuple[tuple[int, ...], ...]
    stems: dict[str, int]
    decoded: dict[int, dict[str, list[Paradigm]]] = field(default_factory=dict)
    """Paradigms of classes by ending (a class of irregular words has thousands) ..."""
    paradigms: dict[int, Paradigm] = field(default_factory=dict)
    """... and by their numbers."""

    def analyses(self, form: str) -> tuple[Analysis, ...]:
        """What a form may be, as it is spelled; empty if the lexicon does not have it."""
        found: dict[Analysis, None] = {}
        length = len(form)
        for split in range(length, max(length - LONGEST, 0) - 1, -1):
            stem_class = self.stems.get(form[:split])
            if stem_class is None:
                continue
            ending = form[split:]
            for paradigm in (self.decoded.get(stem_class) or self._decode(stem_class)).get(ending, ()):
                lemma = form[paradigm.cut : split] + paradigm.lemma if paradigm.cut >= 0 else UNCLEAR
                for tag in paradigm.tags[ending]:
                    found[Analysis(*self.tags[tag][:-1], lemma)] = None
        return tuple(found)

    def _decode(self, stem_class: int) -> dict[str, list[Paradigm]]:
        by_ending = self.decoded.setdefault(stem_class, {})
        for number in self.classes[stem_class]:
            if number not in self.paradigms:
                self.paradigms[number] = Paradigm.decode(self.lines[number])
            for ending in self.paradigms[number].tags:
                by_ending.setdefault(ending, []).append(self.paradigms[number])
        return by_ending


def encode_tag(tag: Analysis) -> str:
    """A line of the file for an analysis without its lemma."""
    return " ".join(value or _ABSENT for value in tag[:-1])


def encode_lexicon(
    about: dict[str, Any],
    tags: Iterable[str],
    lines: Iterable[str],
    classes: Iterable[tuple[tuple[int, ...], list[str]]],
) -> bytes:
    """The bytes of a file."""
    stems = (f"{' '.join(map(str, numbers))}\t{' '.join(stems)}" for numbers, stems in classes)
    parts = (msgspec.json.encode(about).decode(), "\n".join(tags), "\n".join(lines), "\n".join(stems))
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}]
    return lzma.compress("\n\n".join(parts).encode(), check=lzma.CHECK_CRC64, filters=filters)


def read_lexicon(path: Path) -> StoredLexicon:
    """The lexicon of a file."""
    try:
        about, tags, lines, classes = lzma.decompress(path.read_bytes()).decode().split("\n\n")
        numbers: list[tuple[int, ...]] = []
        stems: dict[str, int] = {}
        for line in classes.split("\n"):
            members, _, words = line.partition("\t")
            stems.update(dict.fromkeys(words.split(" "), len(numbers)))
            numbers.append(tuple(map(int, members.split(" "))))
        return StoredLexicon(
            msgspec.json.decode(about),
            tuple(
                Analysis(*("" if value == _ABSENT else value for value in tag.split(" "))) for tag in tags.split("\n")
            ),
            tuple(lines.split("\n")),
            tuple(numbers),
            stems,
        )
    except (lzma.LZMAError, UnicodeDecodeError, ValueError, msgspec.MsgspecError) as error:
        raise InputError(f"is not a lexicon ({error})", "install referee again", path) from None


def lexicon_file(language: str) -> Path:
    """Where the lexicon of a language is, if it has one."""
    return Path(str(files("referee.languages"))) / language / FILE
