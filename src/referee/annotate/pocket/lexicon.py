"""Lexicon first: among what a lexicon says a form may be, take what the heads find most probable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.annotate.pocket.lexicon_sources import Source, open_source
from referee.languages.analyses import UNCLEAR, Analysis

FEATURES = ("Gender", "Number", "Case", "Animacy")
_COMPLETE = frozenset(("pl", "ru"))
"""Languages whose lexicons have all classes of words; the others have nouns and names, and leave the class alone."""
_NOMINAL = ("NOUN", "PROPN")
_DOUBT = 7.0
"""How much more probable (natural logarithm) the heads' own answer must be to be kept against a lexicon."""
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
        spellings = dict.fromkeys((form, *_other_spellings(form, self.language)))
        found = dict.fromkeys(analysis for spelling in spellings for analysis in self.analyses(spelling))
        classes = {analysis.upos for analysis in found}
        # A noun with a capital may be a name, or part of one; a name may be called a noun (German: die Sonne).
        if self.language in _COMPLETE and form[:1].isupper():
            found.update((_as(other, analysis), None) for analysis in tuple(found) for other in _NOMINAL)
        elif "PROPN" in classes and "NOUN" not in classes:
            found.update((_as("NOUN", analysis), None) for analysis in tuple(found))
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
        if not self.complete:
            scores = np.where(outcome[:, 0] == upos[places].argmax(1)[words], scores, -np.inf)
        best = np.maximum.reduceat(scores, starts)
        certain = best > _sums(table[:, -len(FEATURES) - 1 :]) - _DOUBT
        ties = np.flatnonzero((scores == best[words]) & certain[words])
        decided, first = np.unique(words[ties], return_index=True)
        rows = ties[first]
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

    def _table(self, upos: Scores, feats: Scores) -> Scores:
        """All scores, and behind them the best of the classes and of each feature, for what a lexicon leaves open."""
        best = [upos.max(1)]
        for name in FEATURES:
            start, size = self._columns(name)
            best.append(feats[:, start : start + size].max(1) if size else np.zeros(len(feats), feats.dtype))
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
        size = len(self.upos) + sum(map(len, self.features.values()))
        features = ((len(self.upos) + self._columns(name)[0], self.features.get(name, ())) for name in FEATURES)
        tables = ((0, self.upos), *features)
        columns, outcome, lemmas = [], [], []
        for analysis in analyses:
            known = [
                (size + number, -1)
                if value == UNCLEAR or not values
                else (start + values.index(value), values.index(value))
                for number, (value, (start, values)) in enumerate(zip(analysis, tables, strict=False))
                if value == UNCLEAR or not values or value in values
            ]
            if len(known) == len(tables):
                columns.append([column for column, _ in known])
                outcome.append([number for _, number in known])
                lemmas.append(analysis.lemma)
        return Candidates(np.array(columns, np.int64), np.array(outcome, np.int64), tuple(lemmas)) if columns else None


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


def _as(upos: str, analysis: Analysis) -> Analysis:
    return analysis._replace(upos=upos) if analysis.upos in _NOMINAL else analysis


def _other_spellings(form: str, language: str) -> tuple[str, ...]:
    if language == "de":
        return (form.capitalize(),) if form.isupper() or form.islower() else ()
    if form.islower():
        return ()
    return (form.capitalize(), form.lower()) if form.isupper() else (form.lower(),)
