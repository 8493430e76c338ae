"""Make the lexicon of a language.

python -m referee.train.recipes.lexicon.make LL TEXT DATA [DICTIONARY]

`TEXT` is the running text of the encoder (`text.jsonl.xz`), `DATA` the folder that has `ud/`. `DICTIONARY` is the file
`nouns.csv` of the package german-nouns for de, `fr.dic` of Debian's hunspell-fr-classical for fr, `pt_PT.dic` of
hunspell-pt-pt for pt. Polish needs the package morfeusz2, Russian pymorphy3, and both, with German, wordfreq. The file
is written into the folder of the language.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from referee.errors import UsageError
from referee.io.files import atomic_write
from referee.languages.lexicon import lexicon_file
from referee.train.recipes.command import run
from referee.train.recipes.lexicon import dictionaries
from referee.train.recipes.lexicon.agreement import DETERMINERS, counted_words
from referee.train.recipes.lexicon.counting import count_forms
from referee.train.recipes.lexicon.paradigms import Word, build
from referee.train.recipes.lexicon.treebank import TREEBANKS, treebank_words

LARGEST = 1_000_000
"""Bytes of a lexicon."""
_RUNNING_TEXT = ("running text", "CC BY, CC BY-SA and CC0 texts of the encoder's card, counted")
SOURCES = {
    "de": (("german-nouns 1.2.5 (Wiktionary)", "CC BY-SA 4.0"), ("UD German GSD, PUD", "CC BY-SA")),
    "es": (_RUNNING_TEXT, ("UD Spanish AnCora, GSD, PUD", "CC BY, CC BY-SA")),
    "fr": (("Dicollecte 7.0", "MPL 2.0"), ("UD French GSD, PUD, Sequoia", "CC BY-SA, LGPL-LR")),
    "it": (_RUNNING_TEXT, ("UD Italian PUD, MarkIT, ParlaMint, TWITTIRO, Valico", "CC BY, CC BY-SA")),
    "pl": (("SGJP 2026.06.01", "BSD 2-clause"), ("wordfreq 3.1.1, for the order", "CC BY-SA 4.0")),
    "pt": (
        ("Natura dictionary 2022", "MPL 1.1"),
        _RUNNING_TEXT,
        ("UD Portuguese Bosque, GSD, PetroGold, PUD", "CC BY-SA"),
    ),
    "ru": (("OpenCorpora 417150", "CC BY-SA 3.0"), ("wordfreq 3.1.1, for the order", "CC BY-SA 4.0")),
}
"""What each lexicon is made from, and the licence of that."""
_HALF = 0.5
"""The weight of frequencies in other texts than ours."""


def frequencies(text: Path, language: str) -> Counter[str]:
    """How often forms occur in the running text and in wordfreq's, which spells all words small."""
    import wordfreq

    counts = count_forms(text, language).total
    total = counts.total()
    shares: Counter[str] = Counter()
    for form, count in counts.items():
        shares[form] += count / total  # type: ignore[assignment]
    for form, share in wordfreq.get_frequency_dict(language, wordlist="best").items():
        if form.isalpha():
            shares[form] += _HALF * share
            shares[form.capitalize()] += _HALF * _HALF * share
    return shares


def words(language: str, text: Path, data: Path, dictionary: Path | None) -> list[Word]:
    """All words of a lexicon, the most frequent first where the order is known."""
    chosen: list[Word] = []
    if language == "pl":
        import morfeusz2

        return dictionaries.polish_words(morfeusz2.Morfeusz(expand_tags=True), frequencies(text, language))
    if language == "ru":
        import pymorphy3

        return dictionaries.russian_words(pymorphy3.MorphAnalyzer(lang="ru"), frequencies(text, language))
    if language in ("de", "fr", "pt"):
        if dictionary is None:
            raise UsageError(f"{language} needs a dictionary", "give its path as the last argument")
        if language == "de":
            chosen += dictionaries.german_words(dictionary, frequencies(text, language))
        else:
            read = dictionaries.french_words if language == "fr" else dictionaries.portuguese_words
            chosen += read(dictionary)
    if language in DETERMINERS:
        chosen += _new(chosen, counted_words(text, language))
    if language in TREEBANKS:
        chosen += _new(chosen, treebank_words(data, language))
    return chosen


def _new(known: Iterable[Word], others: Iterable[Word]) -> list[Word]:
    """Words whose first form is not known yet."""
    forms = {form for word in known for form, _ in word.forms}
    return [word for word in others if word.forms[0][0] not in forms]


def smaller(chosen: list[Word], about: dict[str, object]) -> tuple[bytes, int]:
    """The lexicon of as many of the first words as fit, and their number."""
    size = len(chosen)
    while len(content := build(chosen[:size], about)) > LARGEST:
        size = int(size * min(0.95, LARGEST / len(content)))
    return content, size


def main() -> None:
    """Write the lexicon of a language."""
    if len(sys.argv) not in (4, 5) or sys.argv[1] not in SOURCES:
        raise UsageError(
            f"expected a language ({', '.join(SOURCES)}), a text and a folder of data",
            "give the files that the docstring names",
        )
    language, text, data, *rest = sys.argv[1:]
    chosen = words(language, Path(text), Path(data), Path(rest[0]) if rest else None)
    sources = [{"source": source, "licence": licence} for source, licence in SOURCES[language]]
    content, size = smaller(chosen, {"language": language, "sources": sources})
    with atomic_write(lexicon_file(language)) as file:
        file.write(content)
    sys.stdout.write(f"{language}: {size} of {len(chosen)} words, {len(content)} bytes\n")


if __name__ == "__main__":
    run(main)
