"""Which lexicons answer for a language: installed packages first, then the shipped file, then guesses from parts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from typing import NamedTuple

from referee.languages.analyses import Analysis
from referee.languages.de.compounds import compound_analyses
from referee.languages.lexicon import lexicon_file, read_lexicon

Source = Callable[[str], tuple[Analysis, ...]]
"""What a form may be; empty for a form that is not known."""

PACKAGES = {"pl": "morfeusz2", "ru": "pymorphy3"}
"""Packages whose dictionaries are larger than the shipped lexicon. German has all of `german-nouns` already."""
_SPELLINGS = {"de": ("ß", "ss"), "ru": ("ё", "е")}
"""Letters that lexicons write in another way: *Kompromiß* is *Kompromiss* today, and ё is е in the Russian file."""


class OpenedSource(NamedTuple):
    """Analyses, and what they come from."""

    analyses: Source
    version: str


def open_source(language: str, *, optional: bool) -> OpenedSource | None:
    """The lexicons of a language; None if it has none. Installed packages are asked first if `optional`."""
    sources: list[OpenedSource] = []
    if optional and (package := PACKAGES.get(language)) and find_spec(package):
        sources.append(_OPENERS[package]())
    if (path := lexicon_file(language)).is_file():
        stored = read_lexicon(path).analyses
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
        sources.append(OpenedSource(_respelled(stored, *_SPELLINGS.get(language, ("", ""))), f"lexicon {digest}"))
    if not sources:
        return None
    lookups = tuple(source.analyses for source in sources)
    parts = compound_analyses if language == "de" else None

    def analyses(form: str) -> tuple[Analysis, ...]:
        for lookup in lookups:
            if found := lookup(form):
                return found
        return parts(lookups[-1], form) if parts else ()

    return OpenedSource(analyses, ", ".join(source.version for source in sources))


def _respelled(lookup: Source, letter: str, other: str) -> Source:
    """Look a form up as it is, then in the other spelling."""
    if not letter:
        return lookup
    return lambda form: lookup(form) or (lookup(form.replace(letter, other)) if letter in form else ())


def _morfeusz() -> OpenedSource:
    import morfeusz2

    from referee.languages.pl import sgjp

    morfeusz = morfeusz2.Morfeusz(expand_tags=True)
    label = f"morfeusz2 {version('morfeusz2')} {morfeusz.dict_id()}"
    return OpenedSource(lambda form: sgjp.analyses(morfeusz, form), label)


def _pymorphy() -> OpenedSource:
    import pymorphy3

    from referee.languages.ru import opencorpora

    morphology = pymorphy3.MorphAnalyzer(lang="ru")
    label = f"pymorphy3 {version('pymorphy3')} {version('pymorphy3-dicts-ru')}"
    return OpenedSource(lambda form: opencorpora.analyses(morphology, form), label)


_OPENERS = {"morfeusz2": _morfeusz, "pymorphy3": _pymorphy}
