"""Templates: the data files of a language become items, one for every combination of words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from os import PathLike
from pathlib import Path

import msgspec

from referee.build.templates.generate import Tally, make
from referee.build.templates.published_words import PREFIX, published_words
from referee.build.templates.rare import MIN_COUNT, RareNouns, rare_nouns
from referee.build.templates.template import Template, read_templates
from referee.build.templates.wordlists import WordList, read_set
from referee.data.folder import data_folder
from referee.errors import InputError, MissingError, UsageError
from referee.io.progress import Progress, no_progress
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
    rare: RareNouns | None = None
    """The nouns that are not used, because a corpus has them too rarely."""

    def items(self, names: Sequence[str] = (), tallies: dict[str, Tally] | None = None) -> Iterator[Item]:
        """The items of the named templates, or of all; `tallies` counts them per template."""
        chosen = [lookup("template", name, self.templates) for name in names] or list(self.templates.values())
        # Slots of one set share the word objects, so that a word is not used twice.
        sets = cache(self._words)
        for template in chosen:
            tally = Tally()
            if tallies is not None:
                tallies[template.name] = tally
            for item in make(self.language, template, sets, tally):
                yield item if self.rare is None else _with_corpus(item, self.rare)

    def without_rare(
        self, corpus: Path, min_count: int = MIN_COUNT, names: Sequence[str] = (), progress: Progress = no_progress
    ) -> Templates:
        """The templates without the nouns that a corpus of the target language has less than `min_count` times."""
        chosen = [lookup("template", name, self.templates) for name in names] or list(self.templates.values())
        lists = dict.fromkeys(name for one in chosen for shape in one.shapes for name in shape.slots.values())
        return replace(self, rare=rare_nouns(map(self._words, lists), corpus, min_count, progress))

    def _words(self, name: str) -> WordList:
        words = self._list(name)
        return words if self.rare is None else replace(words, rare=self.rare.words)

    def _list(self, name: str) -> WordList:
        if not name.startswith(PREFIX):
            return read_set(self.language, name)
        if self.data is None:
            raise MissingError(f"the word list '{name}' is in the data folder", "give the folder with --data")
        return published_words(name.removeprefix(PREFIX), self.data)


def _with_corpus(item: Item, rare: RareNouns) -> Item:
    return msgspec.structs.replace(item, meta=item.meta | {"corpus": rare.provenance})


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


def check_corpus(corpus: object, min_count: int | None, *, paper: bool) -> None:
    """Refuse options that exclude each other."""
    if corpus is None and min_count is not None:
        raise UsageError("--min-count needs a corpus", "add --corpus FILE")
    if corpus is not None and paper:
        raise UsageError("--paper builds exactly the published sets", "remove --corpus")
    if min_count is not None and min_count < 1:
        raise UsageError(f"--min-count: {min_count} is not a positive number", "use 1 or more")


def templates(
    lang: str | PathLike[str],
    *names: str,
    paper: bool = False,
    corpus: str | PathLike[str] | None = None,
    min_count: int | None = None,
    data: str | PathLike[str] | None = None,
) -> ItemSet:
    """Build a set from the templates of a language: all of them, or the named ones.

    `lang` is a code such as `de`, or a language folder of your own. `paper` makes the published sets, whose nouns come
    from the folder of public sets, `data`. `corpus` is a text in the target language, such as training data: nouns that
    it has less than `min_count` times (30 by default) are not used.

    >>> import referee
    >>> item = next(iter(referee.templates("fr", "gender")))
    >>> item.target_lang, len(item.candidates)
    ('fr', 2)
    """
    check_corpus(corpus, min_count, paper=paper)
    opened = open_templates(str(lang), paper=paper, data=data_folder(None if data is None else Path(data)))
    for name in names:
        lookup("template", name, opened.templates)
    if corpus is not None:
        opened = opened.without_rare(Path(corpus), min_count or MIN_COUNT, names)
    return ItemSet(f"templates/{opened.language.code}", lambda: opened.items(names))


__all__ = ["Tally", "Template", "Templates", "open_templates", "shipped", "templates"]
