"""Labels for training on running text: what a lexicon says of a form, where all its analyses agree.

python -m referee.train.recipes.lexicon.labels TEXT OUT NOUNS FRENCH PORTUGUESE

`TEXT` is the running text of the encoder, `OUT` a file `.tsv.xz` of form, language, class, gender, number, case,
animacy and lemma. `*` is not known; an empty cell is a feature that the word does not have. The dictionaries are those
of `make`.
"""

from __future__ import annotations

import lzma
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import regex

from referee.errors import UsageError
from referee.io.files import atomic_write
from referee.languages.analyses import UNCLEAR, Analysis, agreed
from referee.languages.de.compounds import compound_analyses
from referee.languages.de.noun_forms import read_noun_forms
from referee.train.recipes.command import run
from referee.train.recipes.lexicon.counting import Counts, count_forms, texts
from referee.train.recipes.lexicon.romance import french, portuguese

Lookup = Callable[[str], tuple[Analysis, ...]]
_DETERMINER = regex.compile(
    r"\b(?i:der|die|das|de[mns]|(?:k|m|d|s)?ein(?:e[mnrs]?)?|ihre?[mnrs]?|unsere?[mnrs]?|diese[mnrs]?|jede[mnrs]?|[iaz]m|vom|beim"
    r"|zu[mr]|[ia]ns|alle|viele|zwei|drei) (\p{Lu}\p{Ll}+)"
)
_OLD_SPELLING = regex.compile(r"ss(?![aeiouyäöü])")
_NOUN, _ANY = 0.15, 0.03
"""How often a German noun must follow a determiner to be called one, and to have a gender at all."""
_LEAST = 2
_LONG = 8
"""Letters of a German compound that is labelled by its last part."""


def labels(language: str, lookup: Lookup, counts: Counts, followed: Counter[str]) -> Iterator[tuple[str, Analysis]]:
    """Forms with what is certain of them; `followed` counts German words after determiners."""
    for form, count in sorted(counts.total.items()):
        if count < _LEAST or len(form) < 2 or form.isupper() or not _is_certain(form, language, counts):
            continue
        if analyses := lookup(form):
            label = agreed(analyses)
            if language == "de":
                label = _german(label, analyses, followed[form] / max(1, counts.inside(form)))
            elif language in ("fr", "pt"):
                label = _romance(form, label, language)
            elif form[0].isupper() and label.upos in ("NOUN", "PROPN", UNCLEAR):
                # A noun with a capital may be part of a name.
                label = label._replace(upos=UNCLEAR, lemma=UNCLEAR if label.lemma[0].islower() else label.lemma)
            if any(value not in (UNCLEAR, "") for value in label):
                yield form, label


def _is_certain(form: str, language: str, counts: Counts) -> bool:
    """Whether the spelling alone tells the word: a German noun has a capital that no sentence's start explains."""
    if language in ("fr", "pt"):
        return form.islower() and len(form) > 2
    if language != "de":
        return True
    if not (form[0].isupper() and form[1:].islower()):
        return False
    small, inside, initial = counts.total[form.lower()], counts.inside(form), counts.initial[form]
    rarely_small = small <= 0.05 * inside or initial <= 0.05 * (inside + initial)
    return inside > 0 and small <= 0.5 * inside and rarely_small


def _german(label: Analysis, analyses: tuple[Analysis, ...], share: float) -> Analysis:
    if label.upos != "NOUN" or share < _NOUN:
        label = label._replace(upos=UNCLEAR)
    if share < _ANY or any(analysis.upos == "PROPN" for analysis in analyses):
        return Analysis(*[UNCLEAR] * len(Analysis._fields))
    # Treebanks keep the old spelling of Fluß.
    return label._replace(lemma=UNCLEAR) if _OLD_SPELLING.search(label.lemma) else label


def _romance(form: str, label: Analysis, language: str) -> Analysis:
    if label.upos != "NOUN":
        return Analysis(*[UNCLEAR] * len(Analysis._fields))
    own = label.gender == "Masc" or form in (label.lemma, label.lemma + "s")
    return label._replace(lemma=label.lemma if language == "fr" and own else UNCLEAR, gender=label.gender or UNCLEAR)


def after_determiners(text: Path) -> Counter[str]:
    """How often German words with a capital follow an article or the like."""
    return Counter(match[1] for line in texts(text, "de") for match in _DETERMINER.finditer(line))


def lookups(nouns: Path, french_dictionary: Path, portuguese_dictionary: Path) -> dict[str, Lookup]:
    """The dictionaries by language."""
    import morfeusz2
    import pymorphy3

    from referee.languages.pl import sgjp
    from referee.languages.ru import opencorpora

    german, morfeusz, morphology = (
        read_noun_forms(nouns),
        morfeusz2.Morfeusz(expand_tags=True),
        pymorphy3.MorphAnalyzer(),
    )
    tables = {"fr": french(french_dictionary), "pt": portuguese(portuguese_dictionary)}

    def noun(form: str) -> tuple[Analysis, ...]:
        known = german.get(form)
        return known or (compound_analyses(lambda part: german.get(part, ()), form) if len(form) >= _LONG else ())

    return {
        "de": noun,
        "fr": lambda form: tables["fr"].get(form, ()),
        "pl": lambda form: sgjp.analyses(morfeusz, form),
        "pt": lambda form: tables["pt"].get(form, ()),
        "ru": lambda form: opencorpora.analyses(morphology, form),
    }


def main() -> None:
    """Write the labels of five languages."""
    if len(sys.argv) != 6:
        raise UsageError("expected a text, an output and three dictionaries", "give the files that the docstring names")
    text, out, *dictionaries = map(Path, sys.argv[1:])
    followed = after_determiners(text)
    rows = [
        "\t".join((form, language, *label))
        for language, lookup in lookups(*dictionaries).items()
        for form, label in labels(language, lookup, count_forms(text, language), followed)
    ]
    with atomic_write(out) as file:
        file.write(lzma.compress(("\n".join(sorted(rows)) + "\n").encode()))
    sys.stdout.write(f"{len(rows)} forms\n")


if __name__ == "__main__":
    run(main)
