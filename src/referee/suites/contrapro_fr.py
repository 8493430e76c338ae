"""The contrastive pronoun test set of Lopes et al., English to French: *il* or *elle*, *ils* or *elles*.

Two lines per example: the reference, then the same with the other gender of the pronoun; the English line repeats. A
context file has the N sentences that precede each line, oldest first. Where fewer precede, all N lines are empty, so
the longest context that is there is taken. `testset-en-fr.json`, which has antecedents and distances, is not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from referee.errors import InputError
from referee.io.files import count_lines, existing, text_lines
from referee.items import Candidate, Item, Span
from referee.languages.text import changed_words, find_once
from referee.suites.records import placed, to_items
from referee.suites.suite import Suite

NAME = "contrapro-fr"
PAPER = "Lopes, Farajian, Bawden, Zhang and Martins 2020, Document-level Neural MT: A Systematic Comparison"
GENDERS = {"il": "m", "ils": "m", "elle": "f", "elles": "f"}
NUMBERS = {"il": "sing", "elle": "sing", "ils": "plur", "elles": "plur"}
CURRENT = ("contrapro-fr/OpenSubs.current.src", "contrapro-fr/OpenSubs.current.trg")
CONTEXTS = {
    size: (f"contrapro-fr/OpenSubs.c{size}.context.src", f"contrapro-fr/OpenSubs.c{size}.context.trg")
    for size in (3, 2, 1)
}

_LINES = 2
"""The lines of an example: the reference and its contrastive translation."""
_REMEDY = "download the files again with `referee data get contrapro-fr`"
_SOURCES = ("it", "It", "they", "They")


@dataclass(frozen=True)
class Example:
    """A source with its reference and the contrastive translation."""

    row: int
    source: str
    targets: tuple[str, str]

    @property
    def id(self) -> str:
        """The id of its item."""
        return f"{NAME}-{self.row}"


def read_examples(data: Path) -> Iterator[Example]:
    """The examples in order, without context."""
    files = [data / name for name in CURRENT]
    _check_lines(files, None)
    for row, (sources, targets) in enumerate(zip(*(_chunks(file, _LINES) for file in files), strict=True)):
        with placed(files[1], row * _LINES + 1):
            if sources[0] != sources[1]:
                raise ValueError(f"its line in {existing(files[0]).name} is not repeated in the next one")
            yield Example(row, sources[0], (targets[0], targets[1]))


def read(data: Path) -> Iterator[Item]:
    """The items; examples with the same texts, in different contexts, are one group."""
    lines = count_lines(data / CURRENT[1])
    contexts = [_contexts(data, size, lines) for size in CONTEXTS]
    groups: dict[tuple[str, tuple[str, str]], str] = {}

    def convert(_: int, example: Example) -> Item:
        # Contexts come from the longest to the shortest; all must be read on.
        found = [next(of_size) for of_size in contexts]
        source_context, target_context = next((pair for pair in found if pair[0]), ((), ()))
        group = groups.setdefault((example.source, example.targets), example.id)
        return _item(example, group, source_context, target_context)

    rows = ((example.row * _LINES + 1, example) for example in read_examples(data))
    return to_items(data / CURRENT[1], rows, convert)


def pronouns(targets: Sequence[str]) -> list[tuple[int, int]]:
    """Where the pronoun stands in each of the two translations: the first one in which they differ."""
    spans = [
        next((span for span in differing if text[slice(*span)].lower() in GENDERS), None)
        for text, differing in zip(targets, changed_words(targets), strict=True)
    ]
    if None in spans:
        raise ValueError(f"the two translations do not differ in a pronoun ({', '.join(GENDERS)})")
    return [span for span in spans if span is not None]


def candidates(targets: Sequence[str], spans: Sequence[tuple[int, int]]) -> tuple[Candidate, ...]:
    """The translations with their pronouns and genders."""
    forms = [text[slice(*span)] for text, span in zip(targets, spans, strict=True)]
    return tuple(
        Candidate(text, {"pronoun": form, "gender": GENDERS[form.lower()]})
        for text, form in zip(targets, forms, strict=True)
    )


def _item(example: Example, group: str, source_context: tuple[str, ...], target_context: tuple[str, ...]) -> Item:
    spans = pronouns(example.targets)
    correct = example.targets[0][slice(*spans[0])].lower()
    source = [span for form in _SOURCES if (span := find_once(form, example.source))]
    return Item(
        id=example.id,
        group=group,
        task="translate",
        source_lang="en",
        target_lang="fr",
        source_context=source_context,
        source=example.source,
        target_context=target_context,
        candidates=candidates(example.targets, spans),
        gold=0,
        reference=example.targets[0],
        label=correct,
        features={"number": NUMBERS[correct]},
        spans=(
            *([Span("pronoun", "source", *source[0])] if len(source) == 1 else []),
            *(Span("pronoun", "candidate", *span, index) for index, span in enumerate(spans)),
        ),
    )


def _contexts(data: Path, size: int, lines: int) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The contexts of one size, source and target, empty where fewer sentences precede."""
    files = [data / name for name in CONTEXTS[size]]
    _check_lines(files, lines * size)
    for row, sides in enumerate(zip(*(_chunks(file, _LINES * size) for file in files), strict=True)):
        for file, side in zip(files, sides, strict=True):
            with placed(file, row * _LINES * size + 1):
                if side[:size] != side[size:]:
                    raise ValueError("the context of an example differs between its two lines")
                if any(side) and not all(side):
                    raise ValueError(f"expected {size} sentences or {size} empty lines")
        source, target = (side[:size] if any(side) else () for side in sides)
        with placed(files[1], row * _LINES * size + 1):
            if len(source) != len(target):
                raise ValueError(f"only this side or {existing(files[0]).name} has a context")
        yield source, target


def _chunks(file: Path, size: int) -> Iterator[tuple[str, ...]]:
    lines = text_lines(file)
    while chunk := tuple(islice(lines, size)):
        yield chunk


def _check_lines(files: Sequence[Path], expected: int | None) -> None:
    counts = [count_lines(file) for file in files]
    expected = counts[0] if expected is None else expected
    for file, count in zip(files, counts, strict=True):
        if count != expected:
            raise InputError(f"expected {expected} lines, but found {count}", _REMEDY, existing(file))
        if count % _LINES:
            raise InputError(f"expected two lines per example, but found {count}", _REMEDY, existing(file))


SUITES = (
    Suite(
        NAME,
        "Contrastive pronouns, English to French, with up to three sentences of context",
        (*CURRENT, *(name for names in CONTEXTS.values() for name in names)),
        read,
        PAPER,
        "MIT",
    ),
)
