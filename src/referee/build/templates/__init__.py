"""Templates: data files for a language become items, one for every combination of words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from os import PathLike
from pathlib import Path

from referee.build.templates.generate import Tally, make
from referee.build.templates.language import Folder, Language, open_folder, shipped
from referee.build.templates.published_words import PREFIX, published_words
from referee.build.templates.template import Template, read_templates
from referee.build.templates.wordlists import WordList
from referee.data.folder import data_folder
from referee.errors import MissingError
from referee.items import Item
from referee.registry import lookup
from referee.sets import ItemSet

PAPER = "paper.toml"


@dataclass(frozen=True)
class Templates:
    """The templates of one language, ready to be made into items."""

    folder: Folder
    templates: dict[str, Template]
    data: Path | None

    @property
    def language(self) -> Language:
        """Their language."""
        return self.folder.language

    def items(self, names: Sequence[str] = (), found: dict[str, Tally] | None = None) -> Iterator[Item]:
        """The items of the named templates, or of all; `found` is told what each gave."""
        chosen = [lookup("template", name, self.templates) for name in names] or list(self.templates.values())
        # Slots of one set must hold the same words, so that one word is not taken twice.
        sets = cache(self._words)
        for template in chosen:
            tally = Tally()
            if found is not None:
                found[template.name] = tally
            yield from make(self.folder, template, sets, tally)

    def _words(self, name: str) -> WordList:
        if not name.startswith(PREFIX):
            return self.folder.words(name)
        if self.data is None:
            raise MissingError(f"the words '{name}' come from the data folder", "name it with --data")
        return published_words(name.removeprefix(PREFIX), self.data)


def open_templates(language: str, *, paper: bool = False, data: Path | None = None) -> Templates:
    """Those of a language by its code or of a folder; `paper` asks for the published form."""
    folder = open_folder(language)
    if paper and not (folder.path / PAPER).is_file():
        raise MissingError(f"no paper has templates for {folder.language.name}", "leave --paper out")
    return Templates(folder, read_templates(folder, PAPER if paper else "templates.toml"), data)


def templates(
    lang: str | PathLike[str], *names: str, paper: bool = False, data: str | PathLike[str] | None = None
) -> ItemSet:
    """Make a set from the templates of a language: all of them, or those that are named.

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
