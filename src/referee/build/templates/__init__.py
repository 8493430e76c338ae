"""Templates: the data files of a language become items, one for every combination of words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from os import PathLike
from pathlib import Path

from referee.build.templates.generate import Tally, make
from referee.build.templates.published_words import PREFIX, published_words
from referee.build.templates.template import Template, read_templates
from referee.build.templates.wordlists import WordList, read_set
from referee.data.folder import data_folder
from referee.errors import InputError, MissingError
from referee.items import Item
from referee.languages import Language, language, languages, read_language
from referee.registry import lookup
from referee.sets import ItemSet

TEMPLATES = "templates.toml"
PAPER = "paper.toml"


@dataclass(frozen=True)
class Templates:
    """The templates of one language, ready to be made into items."""

    language: Language
    templates: dict[str, Template]
    data: Path | None

    def items(self, names: Sequence[str] = (), tallies: dict[str, Tally] | None = None) -> Iterator[Item]:
        """The items of the named templates, or of all; `tallies` counts them per template."""
        chosen = [lookup("template", name, self.templates) for name in names] or list(self.templates.values())
        # Slots of one set share the word objects, so that a word is not used twice.
        sets = cache(self._words)
        for template in chosen:
            tally = Tally()
            if tallies is not None:
                tallies[template.name] = tally
            yield from make(self.language, template, sets, tally)

    def _words(self, name: str) -> WordList:
        if not name.startswith(PREFIX):
            return read_set(self.language, name)
        if self.data is None:
            raise MissingError(f"the word list '{name}' is in the data folder", "give the folder with --data")
        return published_words(name.removeprefix(PREFIX), self.data)


def shipped() -> tuple[str, ...]:
    """The codes of the languages whose templates are in the package."""
    return languages(TEMPLATES)


def open_templates(name: str, *, paper: bool = False, data: Path | None = None) -> Templates:
    """The templates of a language by its code, or of a language folder; `paper` selects the published form."""
    opened = _language(name)
    if paper and not Path(opened.folder, PAPER).is_file():
        raise MissingError(f"{opened.name} has no published templates", "remove --paper")
    return Templates(opened, read_templates(opened, PAPER if paper else TEMPLATES), data)


def _language(name: str) -> Language:
    if name in shipped():
        return language(name)
    if not Path(name).is_dir():
        codes = ", ".join(shipped())
        raise MissingError(f"unknown language '{name}'", f"choose one of {codes}, or give a language folder")
    opened = read_language(Path(name))
    if not opened.genders:
        file = Path(name, "language.toml")
        raise InputError(
            "is empty, expected the genders of the candidates", "list at least two genders", file, field="genders"
        )
    return opened


def templates(
    lang: str | PathLike[str], *names: str, paper: bool = False, data: str | PathLike[str] | None = None
) -> ItemSet:
    """Build a set from the templates of a language: all of them, or the named ones.

    `lang` is a code such as `de`, or a language folder of your own. `paper` makes the published sets, whose nouns come
    from the folder of public sets, `data`.

    >>> import referee
    >>> item = next(iter(referee.templates("fr", "gender")))
    >>> item.target_lang, len(item.candidates)
    ('fr', 2)
    """
    opened = open_templates(str(lang), paper=paper, data=data_folder(None if data is None else Path(data)))
    for name in names:
        lookup("template", name, opened.templates)
    return ItemSet(f"templates/{opened.language.code}", lambda: opened.items(names))


__all__ = ["Tally", "Template", "Templates", "open_templates", "shipped", "templates"]
