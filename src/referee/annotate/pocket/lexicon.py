"""Lexicon first: among what a lexicon says a form may be, take what the heads find most probable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import regex
from numpy.typing import NDArray

from referee.annotate.pocket.lexicon_sources import Source, open_source
from referee.languages.analyses import UNCLEAR, Analysis

FEATURES = ("Gender", "Number", "Case", "Animacy")
_COMPLETE = frozenset(("pl", "ru"))
"""Languages whose lexicons have all classes of words; the others have nouns and names, and leave the class alone."""
_NOMINAL = ("NOUN", "PROPN")
_OPEN = ("ADJ", "ADV", "NOUN", "PROPN", "VERB")
"""Classes that a complete lexicon may exchange; treebanks draw the others in their own places (Polish *to*, *tego*)."""
_VOWEL = regex.compile(r"[aeiouyąęóаеёиоуыэюя]", regex.IGNORECASE)
_NEARLY = 2.0
"""How much less probable (natural logarithm) than a name a noun may be for its gender to be taken all the same."""
_ANIMACY = np.float32(0.1)
"""The weight of animacy: it follows from the others, and what the heads say of it is not to decide against a gender."""
_KEPT, _LONGEST = 200_000, 64
"""Forms whose candidates are kept in memory, and their length."""

Scores = NDArray[np.float32]
Numbers = NDArray[np.int64]


class Chosen(NamedTuple):
    """For each word the class, the values of `FEATURES` and the lemma; -1 and None keep the heads' answer."""

    upos: Numbers
    values: Numbers
    lemmas: list[str | None]


class Candidates(NamedTuple):
    """What a form may be: columns of the score table to add up, numbers of the outcome, and lemmas."""

    columns: Numbers
    outcome: Numbers
    lemmas: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What the forms of a language may be."""

    language: str
    version: str
    """Which lexicons it has, with their versions."""
    analyses: Source

    def candidates(self, form: str) -> tuple[Analysis, ...]:
        """Analyses of a form as it may stand in a text: with a capital, or all in capitals."""
        if self.language in _COMPLETE and not _VOWEL.search(form):
            # An abbreviation (mln, км); the short forms of words that look the same are rarer.
            return ()
        spellings = dict.fromkeys((form, *_other_spellings(form, self.language)))
        found = dict.fromkeys(analysis for spelling in spellings for analysis in self.analyses(spelling))
        classes = {analysis.upos for analysis in found}
        # A noun with a capital may be a name, or part of one; a name may be called a noun (German: die Sonne).
        if self.language in _COMPLETE and form[:1].isupper():
            swapped = [(analysis, other) for analysis in found for other in _NOMINAL if analysis.upos in _NOMINAL]
            found.update((analysis._replace(upos=other), None) for analysis, other in swapped)
        elif "PROPN" in classes and "NOUN" not in classes:
            found.update(
                (analysis._replace(upos="NOUN"), None) for analysis in tuple(found) if analysis.upos == "PROPN"
            )
        return tuple(found)

    def ranker(self, upos: Sequence[str], features: Mapping[str, Sequence[str]]) -> Ranker:
        """Prepare choosing for heads with these classes and features (values in the order of their scores)."""
        return Ranker(
            tuple(upos), {name: tuple(values) for name, values in features.items()}, self, self.language in _COMPLETE
        )


@dataclass(frozen=True, slots=True)
class Ranker:
    """Chooses analyses by the heads' scores."""

    upos: tuple[str, ...]
    features: dict[str, tuple[str, ...]]
    lexicon: Lexicon
    complete: bool
    _known: dict[str, Candidates | None] = field(default_factory=dict)
    _tags: dict[tuple[str, ...], tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=dict)

    def choose(self, forms: Sequence[str], upos: Scores, feats: Scores, lemmas: Sequence[str] = ()) -> Chosen:
        """Choose for words with these scores (logarithms) of classes and of all values of all features.

        `lemmas` are the heads' lemmas, which decide between analyses that are equally probable.
        """
        chosen = Chosen(
            np.full(len(forms), -1, np.int64), np.full((len(forms), len(FEATURES)), -1, np.int64), [None] * len(forms)
        )
        found = list(map(self._lookup, forms))
        places = np.flatnonzero([candidates is not None for candidates in found])
        if not places.size:
            return chosen
        entries = [candidates for candidates in found if candidates is not None]
        sizes = np.fromiter((len(entry.lemmas) for entry in entries), np.int64, len(entries))
        starts = np.cumsum(sizes) - sizes
        words = np.repeat(np.arange(len(entries)), sizes)
        columns = np.concatenate([entry.columns for entry in entries])
        outcome = np.concatenate([entry.outcome for entry in entries])
        table = self._table(upos[places], feats[places])
        scores = _sums(table[words[:, None], columns])
        scores = np.where(self._fits(upos[places])[words, outcome[:, 0]], scores, -np.inf)
        best = np.maximum.reduceat(scores, starts)
        ties = np.flatnonzero((scores == best[words]) & (best[words] > -np.inf))
        decided, first = np.unique(words[ties], return_index=True)
        rows = ties[first]
        if self.complete:
            chosen.upos[places[decided]] = outcome[rows, 0]
        chosen.values[places[decided]] = outcome[rows, 1:]
        counts = np.diff(first, append=ties.size)
        for word, row, count, start in zip(
            decided.tolist(), rows.tolist(), counts.tolist(), starts[decided].tolist(), strict=True
        ):
            place, names = int(places[word]), entries[word].lemmas
            lemma = names[row - start]
            if (
                lemmas
                and count > 1
                and lemmas[place] in {names[tie - start] for tie in ties[ties >= row][:count].tolist()}
            ):
                lemma = lemmas[place]
            chosen.lemmas[place] = None if lemma == UNCLEAR else lemma
        return chosen

    def _fits(self, upos: Scores) -> NDArray[np.bool_]:
        """Classes whose entries may be taken; the last column is for entries of any class.

        It is the heads' class, or a noun where that is hardly a name; with a complete lexicon one of its kind.
        """
        fits = upos == upos.max(1, keepdims=True)
        noun, name = (self.upos.index(tag) if tag in self.upos else -1 for tag in _NOMINAL)
        if self.complete:
            exchanged = np.isin(self.upos, _OPEN)
            fits |= exchanged & (fits & exchanged).any(1, keepdims=True)
        elif noun >= 0 and name >= 0:
            fits[:, noun] |= fits[:, name] & (upos[:, noun] > upos[:, name] - _NEARLY)
        return np.concatenate((fits, np.ones((len(fits), 1), np.bool_)), 1)

    def _table(self, upos: Scores, feats: Scores) -> Scores:
        """All scores, and behind them the best of the classes and of each feature, for what a lexicon leaves open."""
        best = [upos.max(1)]
        for name in FEATURES:
            start, size = self._columns(name)
            best.append(feats[:, start : start + size].max(1) if size else np.zeros(len(feats), np.float32))
        best[-1] *= _ANIMACY
        start, size = self._columns(FEATURES[-1])
        feats = np.concatenate(
            (feats[:, :start], feats[:, start : start + size] * _ANIMACY, feats[:, start + size :]), 1
        )
        return np.concatenate((upos, feats, np.stack(best, 1)), 1)

    def _columns(self, feature: str) -> tuple[int, int]:
        """The first column of a feature among those of all features, and their number."""
        start = 0
        for name, values in self.features.items():
            if name == feature:
                return start, len(values)
            start += len(values)
        return start, 0

    def _lookup(self, form: str) -> Candidates | None:
        try:
            return self._known[form]
        except KeyError:
            if len(form) > _LONGEST:
                return None
            if len(self._known) >= _KEPT:
                self._known.clear()
            candidates = self._known[form] = self._numbered(self.lexicon.candidates(form))
            return candidates

    def _numbered(self, analyses: Sequence[Analysis]) -> Candidates | None:
        """Analyses as columns of the table; one with a value that the heads do not have is left out."""
        columns, outcome, lemmas = [], [], []
        for analysis in analyses:
            tag = analysis[:-1]
            known = self._tags.get(tag) or self._tags.setdefault(tag, self._columns_of(tag))
            if known[0]:
                columns.append(known[0])
                outcome.append(known[1])
                lemmas.append(analysis.lemma)
        return Candidates(np.array(columns, np.int64), np.array(outcome, np.int64), tuple(lemmas)) if columns else None

    def _columns_of(self, tag: tuple[str, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The columns of a tag's values in the table and their numbers; empty if the heads lack one of the values."""
        size = len(self.upos) + sum(map(len, self.features.values()))
        features = ((len(self.upos) + self._columns(name)[0], self.features.get(name, ())) for name in FEATURES)
        columns, numbers = [], []
        for place, (value, (start, values)) in enumerate(zip(tag, ((0, self.upos), *features), strict=True)):
            if value == UNCLEAR or not values:
                columns.append(size + place)
                numbers.append(-1)
            elif value in values:
                columns.append(start + values.index(value))
                numbers.append(values.index(value))
            else:
                return (), ()
        return tuple(columns), tuple(numbers)


def open_lexicon(language: str, *, optional: bool = True) -> Lexicon | None:
    """The lexicon of a language, or None; without `optional` only what ships with referee is used."""
    opened = open_source(language, optional=optional)
    return Lexicon(language, opened.version, opened.analyses) if opened else None


def _sums(scores: Scores) -> Scores:
    """Sums of rows, always in the same order, so that they do not depend on the number of words."""
    total = scores[:, 0]
    for column in range(1, scores.shape[1]):
        total = total + scores[:, column]
    return total


def _other_spellings(form: str, language: str) -> tuple[str, ...]:
    if language == "de":
        return (form.capitalize(),) if form.isupper() or form.islower() else ()
    if form.islower():
        return ()
    return (form.capitalize(), form.lower()) if form.isupper() else (form.lower(),)
