"""How close an annotation is to a gold one: the measures of the CoNLL 2018 shared task, and features of nouns.

Both must have the same characters; white space does not count. Tokens and sentences are equal if their characters are.
Words are aligned by their characters, in multi-word tokens by the longest common subsequence of their forms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from referee.annotate.document import ROOT, Document, Word
from referee.errors import RefereeError

MEASURES = ("tokens", "sentences", "words", "upos", "feats", "lemma", "uas", "las")

FEATURES = frozenset(
    (
        *(
            "PronType",
            "NumType",
            "Poss",
            "Reflex",
            "Foreign",
            "Abbr",
            "Gender",
            "Animacy",
            "Number",
            "Case",
            "Definite",
        ),
        *("Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident", "Polarity", "Person", "Polite"),
    )
)
"""The features that the shared task compares."""


MORPHOLOGY = {
    "noun gender": ("NOUN", "Gender", ""),
    "singular noun gender": ("NOUN", "Gender", "Sing"),
    "noun number": ("NOUN", "Number", ""),
    "noun case": ("NOUN", "Case", ""),
    "pronoun gender": ("PRON", "Gender", ""),
    "pronoun number": ("PRON", "Number", ""),
    "pronoun case": ("PRON", "Case", ""),
}
"""Gold words by part of speech, the feature that they must be marked with, and their number if only one is meant."""


class Counts(NamedTuple):
    """Correct units, and those of the two annotations."""

    correct: int = 0
    gold: int = 0
    system: int = 0

    def __add__(self, other: object) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        return Counts(self.correct + other.correct, self.gold + other.gold, self.system + other.system)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, from 0 to 1.

        >>> round(Counts(8, 10, 12).f1, 3)
        0.727
        """
        return 2 * self.correct / (self.gold + self.system) if self.correct else 0.0

    @property
    def recall(self) -> float:
        """The share of the gold units that are correct; with gold tokens, the accuracy."""
        return self.correct / self.gold if self.correct else 0.0


class _Unit(NamedTuple):
    """A word with its place: characters without white space, the number of its head or -1."""

    word: Word
    start: int
    end: int
    head: int


def compare(gold: Iterable[Document], system: Iterable[Document]) -> dict[str, Counts]:
    """Count what is correct, by measure; documents are paired in order.

    >>> it = Document("1", "It", "en", ())
    >>> compare([it], [it])["words"].gold
    0
    """
    totals = dict.fromkeys(MEASURES, Counts())
    for right, found in _pairs(gold, system):
        for measure, counts in _compared(right, found).items():
            totals[measure] += counts
    return totals


def compare_features(gold: Iterable[Document], system: Iterable[Document]) -> dict[str, Counts]:
    """Count the nouns and pronouns with the correct gender, number and case: of those that gold marks with it."""
    correct = dict.fromkeys(MORPHOLOGY, 0)
    marked = dict.fromkeys(MORPHOLOGY, 0)
    for right, found in _pairs(gold, system):
        for word, answer in aligned_words(right, found):
            for name, (upos, feature, number) in MORPHOLOGY.items():
                if word.upos != upos or (number and word.feature("Number") != number):
                    continue
                if (value := word.feature(feature)) is not None:
                    marked[name] += 1
                    correct[name] += answer is not None and answer.feature(feature) == value
    return {name: Counts(correct[name], marked[name], marked[name]) for name in MORPHOLOGY}


def aligned_words(gold: Document, system: Document) -> Iterator[tuple[Word, Word | None]]:
    """Every gold word with the word of the system that has its characters, if one does."""
    _check(gold, system)
    ours, theirs = _units(gold), _units(system)
    partner = dict(_alignment(ours, theirs))
    for index, unit in enumerate(ours):
        match = partner.get(index)
        yield unit.word, None if match is None else theirs[match].word


def _pairs(gold: Iterable[Document], system: Iterable[Document]) -> Iterator[tuple[Document, Document]]:
    for right, found in zip(gold, system, strict=True):
        _check(right, found)
        yield right, found


def _check(gold: Document, system: Document) -> None:
    ours, theirs = "".join(gold.text.split()), "".join(system.text.split())
    if ours != theirs:
        same = next((index for index, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), None)
        place = min(len(ours), len(theirs)) if same is None else same
        raise RefereeError(
            f"document {gold.id}: the two annotations have other characters from '{ours[place : place + 20]}' on",
            "use the same text for both",
        )


def _compared(gold: Document, system: Document) -> dict[str, Counts]:
    ours, theirs = _units(gold), _units(system)
    pairs = _alignment(ours, theirs)
    to_gold = {index: partner for partner, index in pairs}
    to_gold[-1] = -1
    correct = dict.fromkeys(MEASURES[3:], 0)
    for index, partner in pairs:
        right, found = ours[index], theirs[partner]
        correct["upos"] += right.word.upos == found.word.upos
        correct["feats"] += universal_features(right.word.feats) == universal_features(found.word.feats)
        # Where gold has no lemma, there is none to miss.
        correct["lemma"] += not right.word.lemma or right.word.lemma == found.word.lemma
        attached = to_gold.get(found.head) == right.head
        correct["uas"] += attached
        correct["las"] += attached and _universal(right.word.deprel) == _universal(found.word.deprel)
    words = len(ours), len(theirs)
    counts = {measure: Counts(number, *words) for measure, number in correct.items()}
    return {
        "tokens": _equal(_tokens(ours), _tokens(theirs)),
        "sentences": _equal(_sentences(gold, ours), _sentences(system, theirs)),
        "words": Counts(len(pairs), *words),
        **counts,
    }


def universal_features(feats: str) -> str:
    """The features that are compared, sorted.

    >>> universal_features("Number=Sing|NumForm=Word|Case=Nom")
    'Case=Nom|Number=Sing'
    """
    return "|".join(sorted(pair for pair in feats.split("|") if pair.partition("=")[0] in FEATURES))


def _universal(deprel: str) -> str:
    return deprel.partition(":")[0]


def _equal(gold: set[tuple[int, int]], system: set[tuple[int, int]]) -> Counts:
    return Counts(len(gold & system), len(gold), len(system))


def _units(document: Document) -> list[_Unit]:
    """The words of a document by characters that are not white space."""
    places = [0, *accumulate(not character.isspace() for character in document.text)]
    units: list[_Unit] = []
    for sentence in document.sentences:
        first = len(units)
        units += [
            _Unit(word, places[word.start], places[word.end], -1 if word.head == ROOT else first + word.head)
            for word in sentence.words
        ]
    return units


def _tokens(units: list[_Unit]) -> set[tuple[int, int]]:
    return {(unit.start, unit.end) for unit in units}


def _sentences(document: Document, units: list[_Unit]) -> set[tuple[int, int]]:
    spans = set()
    first = 0
    for sentence in document.sentences:
        last = first + len(sentence.words) - 1
        spans.add((units[first].start, units[last].end))
        first = last + 1
    return spans


def _alignment(gold: list[_Unit], system: list[_Unit]) -> list[tuple[int, int]]:
    """Indices of the words that are the same, in order."""
    pairs: list[tuple[int, int]] = []
    row = column = 0
    while row < len(gold) and column < len(system):
        ours, theirs = gold[row], system[column]
        if ours.word.part or theirs.word.part:
            (first, row), (start, column) = _region(gold, system, row, column)
            pairs += [
                (first + index, start + partner)
                for index, partner in _common(_forms(gold[first:row]), _forms(system[start:column]))
            ]
        elif (ours.start, ours.end) == (theirs.start, theirs.end):
            pairs.append((row, column))
            row, column = row + 1, column + 1
        elif ours.start <= theirs.start:
            row += 1
        else:
            column += 1
    return pairs


def _region(gold: list[_Unit], system: list[_Unit], row: int, column: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The words of both sides around a multi-word token: as far as multi-word tokens overlap."""
    ours, theirs = gold[row], system[column]
    end = ours.end if ours.word.part else theirs.end
    # A plain word that began earlier is cut by the token, and fits nothing.
    if not theirs.word.part and theirs.start < ours.start:
        column += 1
    elif not ours.word.part and ours.start < theirs.start:
        row += 1
    first, start = row, column
    while not (_is_beyond(gold, row, end) and _is_beyond(system, column, end)):
        of_gold = row < len(gold) and (column >= len(system) or gold[row].start <= system[column].start)
        unit = gold[row] if of_gold else system[column]
        end = max(end, unit.end) if unit.word.part else end
        row, column = row + of_gold, column + (not of_gold)
    return (first, row), (start, column)


def _is_beyond(units: list[_Unit], index: int, end: int) -> bool:
    """Whether a word is not part of a region that ends there, or there is no more word."""
    if index >= len(units):
        return True
    unit = units[index]
    return unit.start >= end if unit.word.part else unit.end > end


def _forms(units: Sequence[_Unit]) -> list[str]:
    return ["".join(unit.word.form.split()).lower() for unit in units]


def _common(gold: Sequence[str], system: Sequence[str]) -> Iterator[tuple[int, int]]:
    """A longest common subsequence; of several, the one that takes the earliest words of the system."""
    lengths = [[0] * (len(system) + 1) for _ in range(len(gold) + 1)]
    for row in range(len(gold) - 1, -1, -1):
        for column in range(len(system) - 1, -1, -1):
            lengths[row][column] = (
                1 + lengths[row + 1][column + 1]
                if gold[row] == system[column]
                else max(lengths[row + 1][column], lengths[row][column + 1])
            )
    row = column = 0
    while row < len(gold) and column < len(system):
        if gold[row] == system[column]:
            yield row, column
            row += 1
            column += 1
        elif lengths[row][column] == lengths[row + 1][column]:
            row += 1
        else:
            column += 1
