"""Whole languages of templates at once: made into a file with counts, or listed with an example each."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from referee.build.templates import Tally, Templates, check_corpus, open_templates, shipped
from referee.build.templates.rare import MIN_COUNT, RareNouns
from referee.data.folder import data_folder
from referee.io.progress import Bars, counted, no_bars
from referee.items import Item
from referee.sets import Fingerprint, save
from referee.sets.sampling import keep_some


@dataclass(frozen=True)
class FilledTemplates:
    """What templates gave: counts by template, some items to read, and the fingerprint of the file if one was written.

    `language` is a code, `language_name` its English name. `rare` has the nouns that a corpus excluded.
    """

    language: str
    language_name: str
    tallies: Mapping[str, Tally]
    examples: tuple[Item, ...]
    fingerprint: Fingerprint | None
    rare: RareNouns | None = None

    @property
    def items(self) -> int:
        """The number of items of all templates."""
        return sum(tally.items for tally in self.tallies.values())


@dataclass(frozen=True)
class ListedTemplate:
    """A template by its language and name, its step towards the answer, what it is about, and its first item."""

    name: str
    step: str
    about: str
    example: str


def fill_templates(
    lang: str | PathLike[str],
    *names: str,
    paper: bool = False,
    corpus: str | PathLike[str] | None = None,
    min_count: int | None = None,
    out: str | PathLike[str] | None = None,
    examples: int = 0,
    seed: int = 0,
    data: str | PathLike[str] | None = None,
    bars: Bars = no_bars,
) -> FilledTemplates:
    """Make all items of templates, count them by template, and write them to a file.

    Args:
        lang: A code such as `de`, or a language folder of your own.
        names: Templates; all of the language if there are none.
        paper: Make the published sets instead, whose nouns come from the folder of public sets.
        corpus: A text in the target language, plain or packed, such as training data; its rare nouns are not used.
        min_count: Nouns that the corpus has less often are rare; 30 by default.
        out: A file for the items.
        examples: Keep this many items, drawn at random.
        seed: Another seed draws other examples.
        data: The folder of public sets.
        bars: Opens the progress of the two steps, counting nouns in the corpus and generating items.

    >>> filled = fill_templates("fr", "pleonastic", examples=1)
    >>> filled.items == filled.tallies["pleonastic"].items, filled.examples[0].target_lang
    (True, 'fr')

    """
    check_corpus(corpus, min_count, paper=paper)
    templates = open_templates(str(lang), paper=paper, data=data_folder(None if data is None else Path(data)))
    if corpus is not None:
        with bars("counting nouns") as told:
            templates = templates.without_rare(Path(corpus), min_count or MIN_COUNT, names, told)
    tallies: dict[str, Tally] = {}
    drawn: list[Item] = []
    with bars("generating") as progress:
        items = keep_some(counted(templates.items(names, tallies), progress), examples, seed, drawn)
        fingerprint = save(items, Path(out)) if out is not None else None
        # Without a file they are made all the same: for the counts, and to draw from all of them.
        deque(items, maxlen=0)
    language = templates.language
    return FilledTemplates(language.code, language.name, tallies, tuple(drawn), fingerprint, templates.rare)


def list_templates(*langs: str) -> list[ListedTemplate]:
    """List the templates of languages, or of all that are shipped, with an example each.

    >>> {template.name: template.step for template in list_templates("de")}["de/gender"]
    'language'
    """
    return [
        ListedTemplate(
            f"{opened.language.code}/{template.name}", template.step, template.about, _example(opened, template.name)
        )
        for opened in map(open_templates, langs or shipped())
        for template in opened.templates.values()
    ]


def _example(templates: Templates, name: str) -> str:
    """The first item of a template, source and target."""
    item = next(templates.items([name]))
    shown = item.candidates[item.gold if item.gold is not None else 0].text
    return f"{' '.join(item.source_context)} {item.source} -> {' '.join(item.target_context)} {shown}"
