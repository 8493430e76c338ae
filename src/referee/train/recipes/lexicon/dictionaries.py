"""Words with all their forms, from the dictionaries of German, Polish, Russian, French and Portuguese."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from referee.languages.analyses import UNCLEAR, Analysis
from referee.languages.de.noun_forms import read_nouns
from referee.languages.pl.sgjp import Morfeusz, word_forms
from referee.languages.ru import opencorpora
from referee.train.recipes.lexicon.paradigms import Word
from referee.train.recipes.lexicon.romance import french, portuguese

if TYPE_CHECKING:
    import pymorphy3

Frequencies = Mapping[str, float]
"""How often forms occur, in any unit."""


def german_words(table: Path, frequencies: Frequencies) -> list[Word]:
    """Nouns and names of `german-nouns`, the most frequent first."""
    words = [Word(noun[0][1].lemma, _bare(noun)) for noun in read_nouns(table)]
    return sorted(words, key=lambda word: -sum(frequencies.get(form, 0.0) for form in {form for form, _ in word.forms}))


def polish_words(morfeusz: Morfeusz, frequencies: Frequencies) -> list[Word]:
    """Words of SGJP that have one of the forms, the most frequent first."""
    lemmas: Counter[str] = Counter()
    for form, frequency in frequencies.items():
        for _, _, (_, lemma, _, _, _) in morfeusz.analyse(form):
            lemmas[lemma] += frequency  # type: ignore[assignment]
    words = []
    for lemma, _ in lemmas.most_common():
        forms = [(form, analysis) for form, analysis in word_forms(morfeusz, lemma) if form.isalpha()]
        if forms:
            words.append(Word(forms[0][1].lemma, _bare(forms)))
    return words


class _Parse(NamedTuple):
    """A form in the shape of a parse of `pymorphy3`."""

    tag: opencorpora.Tag
    normal_form: str


def russian_words(morphology: pymorphy3.MorphAnalyzer, frequencies: Frequencies) -> list[Word]:
    """Words of OpenCorpora that have one of the forms, the most frequent first. Forms are without ё."""
    dictionary = morphology.dictionary
    replaces = dictionary.words.compile_replaces({"е": "ё"})
    weights: Counter[tuple[str, int]] = Counter()
    for form, frequency in frequencies.items():
        for spelled, places in dictionary.words.similar_items(form.lower().replace("ё", "е"), replaces):
            for paradigm, index in places:
                weights[dictionary.build_normal_form(paradigm, index, spelled), paradigm] += frequency  # type: ignore[assignment]
    words = []
    for (lemma, paradigm), _ in weights.most_common():
        stem = dictionary.build_stem(dictionary.paradigms[paradigm], 0, lemma)
        by_lemma: dict[str, list[tuple[str, Analysis]]] = defaultdict(list)
        for prefix, tag, ending in dictionary.build_paradigm_info(paradigm):
            form = prefix + stem + ending
            form = form.capitalize() if opencorpora.is_name(tag) else form
            for analysis in opencorpora.form_analyses(form, _Parse(tag, lemma)):
                if form.isalpha():
                    by_lemma[analysis.lemma].append((form.replace("ё", "е").replace("Ё", "Е"), analysis))
        words += [Word(name, _bare(forms)) for name, forms in by_lemma.items()]
    return words


def french_words(dictionary: Path) -> Iterator[Word]:
    """Nouns of Dicollecte's dictionary. A feminine noun has its own lemma (*actrice*), as in GSD."""
    for lemma, forms in _nouns(french(dictionary)).items():
        for gender in ("Masc", "Fem"):
            members = [(form, tag) for form, tag in forms if tag.gender in (gender, UNCLEAR, "")]
            if members:
                singular = [form for form, tag in members if tag.number == "Sing"]
                name = lemma if gender == "Masc" or not singular or lemma in singular else singular[0]
                yield Word(name, tuple(members))


def portuguese_words(dictionary: Path) -> Iterator[Word]:
    """Nouns of Natura's dictionary, whose entries name the word that a noun comes from and not always its lemma."""
    for forms in _nouns(portuguese(dictionary)).values():
        yield Word(UNCLEAR, tuple(forms))


def _nouns(analyses: Mapping[str, tuple[Analysis, ...]]) -> dict[str, list[tuple[str, Analysis]]]:
    """Forms of nouns by their lemmas."""
    nouns: dict[str, list[tuple[str, Analysis]]] = defaultdict(list)
    for form, found in analyses.items():
        for analysis in found:
            if analysis.upos == "NOUN":
                nouns[analysis.lemma].append((form, analysis._replace(lemma=UNCLEAR)))
    return nouns


def _bare(forms: Iterable[tuple[str, Analysis]]) -> tuple[tuple[str, Analysis], ...]:
    return tuple((form, analysis._replace(lemma=UNCLEAR)) for form, analysis in forms)
