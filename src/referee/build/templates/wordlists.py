"""Word lists: one file per list, tab-separated, with column names in the first line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from referee.errors import InputError, UnknownNameError
from referee.io.files import text_lines
from referee.items import is_mixed_script
from referee.languages import PLURAL, Language
from referee.registry import lookup

ENGLISH = "en"
WORD = "word"
GENDER = "gender"


@dataclass(frozen=True)
class WordEntry:
    """One line: the English word, the forms of its translation by column, and the gender of a noun."""

    english: str
    forms: Mapping[str, str]
    gender: str | None = None

    @property
    def key(self) -> tuple[str, str]:
        """The English word and its translation."""
        return self.english, self.form() or ""

    def form(self, *wanted: str) -> str | None:
        """The first of the wanted forms that exists, else the word itself."""
        return next((self.forms[name] for name in (*wanted, WORD) if name in self.forms), None)

    def in_english(self, form: str = "") -> str:
        """The English word, or a form of it: the column `en.FORM`."""
        return self.forms.get(f"{ENGLISH}.{form}", self.english) if form else self.english


@dataclass(frozen=True)
class WordList:
    """The words of a file and its columns, including empty ones; `rare` has the keys of nouns that are not used."""

    name: str
    columns: tuple[str, ...]
    words: tuple[WordEntry, ...]
    rare: frozenset[tuple[str, str]] = frozenset()

    def every(self, step: int) -> WordList:
        """The list with every `step`-th word, from the first on, and without rare nouns.

        Rare nouns are removed last: the order of the file keeps the genders even.
        """
        kept = tuple(word for word in self.words[::step] if word.gender is None or word.key not in self.rare)
        if not kept:
            raise InputError(f"all nouns of the word list '{self.name}' are rare", "use a smaller --min-count")
        return replace(self, words=kept)


def read_set(language: Language, name: str) -> WordList:
    """A word list of a language by its name."""
    folder = Path(language.folder, "words")
    path = folder / f"{name}.tsv"
    if not path.is_file():
        try:
            lookup("word list", name, {file.stem: file for file in folder.glob("*.tsv")})
        except UnknownNameError as error:
            raise error.at(path) from None
    return read_words(path, language.genders)


def read_words(path: Path, genders: Iterable[str]) -> WordList:
    """The words of a file; refuses extra cells, unknown genders, mixed scripts and repeated words."""
    columns: list[str] = []
    words: dict[tuple[str, ...], WordEntry] = {}
    for number, line in enumerate(text_lines(path), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if not columns:
            columns = _columns(cells, path, number)
            continue
        if len(cells) > len(columns):
            problem = f"expected at most {len(columns)} cells, one per column, but found {len(cells)}"
            raise InputError(problem, "put one tab between cells", path, number)
        if mixed := next((cell for cell in cells if is_mixed_script(cell)), None):
            raise InputError(
                f"'{mixed}' mixes Latin and Cyrillic letters that look alike", "type it again", path, number
            )
        word = _word(dict(zip(columns, cells, strict=False)), set(genders), path, number)
        if words.setdefault(tuple(cells), word) is not word:
            raise InputError(f"'{word.english}' is already in the list", "remove one of the two lines", path, number)
    if not words:
        raise InputError("has no words", "write a line of column names and one line per word", path)
    return WordList(path.stem, tuple(columns), tuple(words.values()))


def _columns(cells: list[str], path: Path, line: int) -> list[str]:
    if ENGLISH not in cells or len(set(cells)) != len(cells) or "" in cells:
        problem = f"expected different column names, one of them '{ENGLISH}', but found {', '.join(map(repr, cells))}"
        raise InputError(problem, "write each name once, with tabs between them", path, line)
    return cells


def _word(cells: dict[str, str], genders: set[str], path: Path, line: int) -> WordEntry:
    english = cells.pop(ENGLISH)
    gender = cells.pop(GENDER, "")
    forms = {name: form for name, form in cells.items() if form}
    if not english or not any(not name.startswith(ENGLISH + ".") for name in forms):
        raise InputError("lacks the English word or its translation", "fill the first two cells", path, line)
    if gender and gender not in genders | {PLURAL}:
        names = ", ".join(sorted(genders))
        raise InputError(f"'{gender}' is not a gender of the language", f"choose one of {names}", path, line, GENDER)
    return WordEntry(english, forms, gender or None)
