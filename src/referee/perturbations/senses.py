"""Synonyms by sense (ContraCAT, section 4.3): from the English antecedent over its first sense to the target language.

Two wordnets in the format WN-LMF share the interlingual index (ILI). The first noun synset of the English antecedent
has a number there, and the target synset with that number has the synonyms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from referee.errors import InputError, UsageError
from referee.io.files import existing
from referee.items import Item
from referee.perturbations.base import Dropped
from referee.perturbations.edits import text_at
from referee.perturbations.thesaurus import Thesaurus, read_lexicons

Synonyms = Callable[[Item, str], "list[str] | Dropped"]
"""From an item and the noun of its target side to synonyms of the noun, the best first."""

T = TypeVar("T")
_NO_LINK = ("", "in")
"""ILI values of synsets that have no number, or only a proposed one."""


def of_thesaurus(thesaurus: Thesaurus) -> Synonyms:
    """Synonyms of the target noun itself, whatever it means."""
    return lambda _, noun: thesaurus(noun)


def open_wordnets(names: str) -> Synonyms:
    """Open `SOURCE,TARGET`: two WN-LMF files, plain or packed with gzip."""
    files = names.split(",")
    if len(files) != 2 or not all(files):
        problem = f"--wordnets: '{names}' does not name two files"
        raise UsageError(problem, "give a source and a target wordnet, as in --wordnets en.xml,de.xml")
    source, target = (existing(Path(file)) for file in files)
    first = _first_senses(source)
    by_number = _nouns_by_number(target)

    def synonyms(item: Item, noun: str) -> list[str] | Dropped:
        lemma = next((lemma for lemma in _lemmas(item) if lemma in first), None)
        if lemma is None:
            return Dropped("the antecedent is not in the source wordnet")
        number = first[lemma]
        if number in _NO_LINK:
            return Dropped("the sense of the antecedent has no number in the interlingual index")
        if number not in by_number:
            return Dropped("the sense of the antecedent is not in the target wordnet")
        return [word for word in by_number[number] if word.lower() != noun.lower()]

    return synonyms


def _first_senses(path: Path) -> dict[str, str]:
    """The ILI number of the first synset of every noun."""
    lexicons = read_lexicons(path)
    numbers = {synset["id"]: synset.get("ili") or "" for lexicon in lexicons for synset in lexicon.get("synsets", [])}
    first: dict[str, str] = {}
    for lexicon in lexicons:
        for word, senses in _nouns(lexicon):
            if senses:
                first.setdefault(word.lower(), numbers.get(senses[0], ""))
    return _some(first, path)


def _nouns_by_number(path: Path) -> dict[str, list[str]]:
    """The nouns of every synset that has an ILI number."""
    lexicons = read_lexicons(path)
    numbers = {
        synset["id"]: synset["ili"]
        for lexicon in lexicons
        for synset in lexicon.get("synsets", [])
        if (synset.get("ili") or "") not in _NO_LINK
    }
    words: dict[str, dict[str, None]] = {}
    for lexicon in lexicons:
        for word, senses in _nouns(lexicon):
            for synset in senses:
                if synset in numbers:
                    words.setdefault(numbers[synset], {})[word] = None
    return _some({number: list(names) for number, names in words.items()}, path)


def _some(table: dict[str, T], path: Path) -> dict[str, T]:
    if not table:
        raise InputError("has no nouns with an interlingual index", "use a wordnet with ILI numbers", path)
    return table


def _nouns(lexicon: Any) -> Iterator[tuple[str, list[str]]]:  # noqa: ANN401
    """The nouns of a lexicon, and the synsets of each, the most frequent first."""
    for entry in lexicon.get("entries", []):
        if "lemma" in entry and entry["lemma"]["partOfSpeech"] == "n":
            # `n` is the rank of a sense where the file has one; the order of the file otherwise.
            senses = sorted(entry.get("senses", []), key=lambda sense: sense.get("n") or 0)
            yield entry["lemma"]["writtenForm"].replace("_", " "), [sense["synset"] for sense in senses]


def _lemmas(item: Item) -> Iterator[str]:
    """What the source antecedent may be called in a wordnet, the likeliest first."""
    record = item.meta.get("record")
    if isinstance(record, dict) and isinstance(record.get("src ante head lemma"), str):
        yield record["src ante head lemma"].lower()
    for span in item.spans:
        if span.role == "antecedent" and span.field in ("source", "source_context"):
            words = text_at(item, (span.field, span.index))[span.start : span.end].lower().split()
            for start in range(len(words)):
                phrase = " ".join(words[start:])
                yield phrase
                yield from _singulars(phrase)


def _singulars(phrase: str) -> Iterator[str]:
    for ending, singular in (("ies", "y"), ("es", ""), ("s", "")):
        if phrase.endswith(ending):
            yield phrase.removesuffix(ending) + singular
