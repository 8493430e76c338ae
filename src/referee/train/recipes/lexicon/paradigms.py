"""From words with all their forms to the stems and paradigms of a compact lexicon."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from referee.languages.analyses import UNCLEAR, Analysis
from referee.languages.lexicon import LONGEST, Paradigm, encode_lexicon, encode_tag

_START = 3
"""Characters that the forms of one group begin with, where a word has no stem (być: jest, był, będą)."""


class Word(NamedTuple):
    """A word: its lemma (`*` if not known) and its forms, each with what it is."""

    lemma: str
    forms: tuple[tuple[str, Analysis], ...]


def groups(word: Word) -> Iterator[tuple[str, int, str, list[tuple[str, Analysis]]]]:
    """Stems of a word, what is cut off each for the lemma, the lemma's ending, and the endings of the forms."""
    forms = [form for form, _ in word.forms]
    if word.lemma == UNCLEAR:
        stem = _common_start(forms)
        yield stem, -1, "", [(form[len(stem) :], tag) for form, tag in word.forms]
        return
    stem = _common_start([word.lemma, *forms])
    if stem and max(map(len, forms)) - len(stem) <= LONGEST:
        yield stem, 0, word.lemma[len(stem) :], [(form[len(stem) :], tag) for form, tag in word.forms]
        return
    parts: dict[str, list[tuple[str, Analysis]]] = defaultdict(list)
    for form, tag in word.forms:
        parts[form[:_START]].append((form, tag))
    for part in parts.values():
        stem = _common_start([form for form, _ in part])
        cut = next((cut for cut in range(len(stem)) if word.lemma.startswith(stem[cut:])), len(stem))
        lemma = word.lemma[len(stem) - cut :]
        yield stem, cut, lemma, [(form[len(stem) :], tag) for form, tag in part if len(form) - len(stem) <= LONGEST]


def build(words: Iterable[Word], about: dict[str, Any]) -> bytes:
    """The bytes of a lexicon with these words."""
    tag_lines: Counter[str] = Counter()
    stems: dict[str, set[tuple[int, str, tuple[tuple[str, tuple[str, ...]], ...]]]] = defaultdict(set)
    for word in words:
        for stem, cut, lemma, endings in groups(word):
            table: dict[str, set[str]] = defaultdict(set)
            for ending, tag in endings:
                table[ending].add(encode_tag(tag))
            stems[stem].add((cut, lemma, tuple((key, tuple(sorted(table[key]))) for key in sorted(table))))
    for paradigms in stems.values():
        tag_lines.update(tag for _, _, table in paradigms for _, tags in table for tag in tags)
    # Frequent numbers are short.
    tags = [tag for tag, _ in sorted(tag_lines.items(), key=lambda item: (-item[1], item[0]))]
    tag_numbers = {tag: number for number, tag in enumerate(tags)}
    used = Counter(paradigm for paradigms in stems.values() for paradigm in paradigms)
    order = sorted(used, key=lambda paradigm: (-used[paradigm], paradigm))
    numbers = {paradigm: number for number, paradigm in enumerate(order)}
    lines = [
        Paradigm(cut, lemma, {key: tuple(sorted(tag_numbers[tag] for tag in names)) for key, names in table}).encode()
        for cut, lemma, table in order
    ]
    classes: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for stem in sorted(stems):
        classes[tuple(sorted(numbers[paradigm] for paradigm in stems[stem]))].append(stem)
    return encode_lexicon(about, tags, lines, sorted(classes.items()))


def _common_start(words: list[str]) -> str:
    """What all words begin with."""
    first, last = min(words), max(words)
    size = next((size for size, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    return first[:size]
