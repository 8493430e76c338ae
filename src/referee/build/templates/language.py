"""A language folder: its genders, the words that agree, how words change where they meet."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from referee.build.templates.contractions import Change, rewritten
from referee.build.templates.wordlists import PLURAL, WordList, read_words
from referee.errors import InputError, MissingError, UnknownNameError
from referee.io.decoding import explained
from referee.io.files import existing, read_bytes
from referee.registry import lookup

_REMEDY = "correct it (docs/templates.md)"


class Contractions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How words change where they meet: patterns, elision, contraction, in that order."""

    replace: tuple[tuple[str, str], ...] = ()
    elide: tuple[str, ...] = ()
    before: str = ""
    unless: tuple[str, ...] = msgspec.field(default=(), name="except")
    contract: tuple[tuple[str, str], ...] = ()


class Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """What `language.toml` says. A table in `words` has a form for every gender, or such tables by case."""

    name: str
    code: str
    genders: tuple[str, ...]
    words: dict[str, dict[str, Any]] = {}
    meeting: Contractions = Contractions()
    features: dict[str, str] = {}

    def __post_init__(self) -> None:
        if len(set(self.genders)) < 2 or len(set(self.genders)) != len(self.genders):
            raise ValueError("genders: name each gender once, and at least two")
        for table, forms in self.words.items():
            for name, form in forms.items():
                if isinstance(form, str) == (name not in (*self.genders, PLURAL)):
                    raise ValueError(f"words.{table}: '{name}' must be a gender with a form, or a case with forms")

    def table(self, name: str, case: str) -> Mapping[str, str] | None:
        """The forms by gender of a word that agrees."""
        forms: Any = self.words.get(name)
        if forms is not None and case:
            forms = forms.get(case)
        return forms if isinstance(forms, dict) and all(isinstance(form, str) for form in forms.values()) else None

    @cached_property
    def joined(self) -> Callable[[str], str]:
        """Changes words where they meet, whatever marks stand between them."""
        changes = _changes(self.meeting)
        return lambda text: rewritten(text, changes)


@dataclass(frozen=True)
class Folder:
    """A language with its words and the text of its templates, where they were read."""

    path: Path
    language: Language

    def words(self, name: str) -> WordList:
        """A set of words."""
        path = self.path / "words" / f"{name}.tsv"
        if not path.is_file():
            known = {found.stem: found for found in (self.path / "words").glob("*.tsv")}
            try:
                lookup("set of words", name, known)
            except UnknownNameError as error:
                raise error.at(path) from None
        return read_words(path, self.language.genders)


def shipped() -> dict[str, Path]:
    """The languages that come with the package, by code."""
    root = Path(str(files("referee.languages")))
    return {path.name: path for path in sorted(root.iterdir()) if (path / "language.toml").is_file()}


def open_folder(name: str) -> Folder:
    """A language by its code, or a folder of one's own."""
    known = shipped()
    path = known[name] if name in known else Path(name)
    if name not in known and not path.is_dir():
        codes = ", ".join(known)
        raise MissingError(f"there is no language '{name}'", f"choose one of {codes}, or name a language folder")
    return Folder(path, _language(path / "language.toml"))


def read_toml(path: Path) -> dict[str, Any]:
    """A file as it is; what is no TOML is said with its line."""
    try:
        return msgspec.toml.decode(read_bytes(path), type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"is not TOML ({error})", _REMEDY, existing(path)) from None


def _language(path: Path) -> Language:
    try:
        language = msgspec.convert(read_toml(path), Language)
        _changes(language.meeting)
    except (msgspec.ValidationError, re.error) as error:
        raise explained(error, _REMEDY).at(path) from None
    return language


def _changes(meeting: Contractions) -> list[Change]:
    found: list[Change] = [(re.compile(pattern), _expanding(replacement)) for pattern, replacement in meeting.replace]
    if meeting.elide:
        words = "|".join(map(re.escape, meeting.elide))
        unless = "".join(rf"(?!{re.escape(word)}\b)" for word in meeting.unless)
        pattern = rf"\b({words}) (?=[{re.escape(meeting.before)}]){unless}"
        found.append((re.compile(pattern, re.IGNORECASE), lambda match: f"{match[1][:-1]}'"))
    for apart, together in meeting.contract:
        end = r"\b" if apart[-1:].isalnum() else ""
        found.append((re.compile(rf"\b{re.escape(apart)}{end}", re.IGNORECASE), _contraction(together)))
    return found


def _expanding(replacement: str) -> Callable[[re.Match[str]], str]:
    return lambda match: match.expand(replacement)


def _contraction(together: str) -> Callable[[re.Match[str]], str]:
    return lambda match: together[:1].upper() + together[1:] if match[0][0].isupper() else together
