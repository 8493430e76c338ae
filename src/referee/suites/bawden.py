"""DiscEvalMT, English to French: anaphora and lexical choice that only the previous sentence decides.

A block is a group: its members have the same candidates, each correct as often as it is incorrect, so that a model
without context scores 50%. The published order (correct, incorrect) gives the answer away; candidates are in
alphabetical order instead, which is the same in all members of a block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from referee.items import Candidate, Item, Span
from referee.languages.text import differing_words
from referee.suites.records import json_object, spaced, to_items
from referee.suites.suite import Suite

PAPER = "Bawden, Sennrich, Birch and Haddow 2018, Evaluating Discourse Phenomena in Neural Machine Translation"
LICENCE = "CC BY-SA 4.0"
ANAPHORA = "bawden-en-fr/anaphora.json"
LEXICAL_CHOICE = "bawden-en-fr/lexical-choice.json"

Texts = tuple[str, str]
"""The previous and the current sentence."""
_NUMBERS = {"sg": "sing", "pl": "plur"}
_OTHER = {"m": "f", "f": "m"}
_PRONOUNS = frozenset(
    {"il", "elle", "ils", "elles", "eux", "le", "la", "celui", "celle", "miens", "miennes", "tiens", "tiennes"}
)
"""Forms that show the gender themselves; in other blocks a participle does."""


class Contrast(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename={"semi_correct": "semi-correct"}
):
    """Two translations; `semi_correct` replaces `correct` if the previous sentence names the antecedent wrongly."""

    incorrect: Texts
    correct: Texts | None = None
    semi_correct: Texts | None = None

    @property
    def acceptable(self) -> Texts:
        """The translation whose second sentence fits the first."""
        if (self.correct is None) == (self.semi_correct is None):
            raise ValueError("trg: expected one of 'correct' and 'semi-correct'")
        return self.correct or self.semi_correct or self.incorrect


class Pronoun(Contrast, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A target of an anaphora block; its type is the gender and number of the antecedent's translation."""

    type: Literal["m.sg", "m.pl", "f.sg", "f.pl"]


class Anaphora(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename=spaced):
    """A block: one source with several translations of its antecedent."""

    inspired_by: list[str]
    src: Texts
    trg: list[Pronoun]


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One context of a lexical choice."""

    src: Texts
    trg: Contrast


class LexicalChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename=spaced):
    """A block: one sentence in contexts that ask for different words."""

    inspired_by: list[str]
    type: str
    examples: list[Example]


def read_anaphora(data: Path) -> Iterator[Item]:
    """Four items per block; label and feature `context` say whether the previous sentence is translated correctly."""
    rows = (
        (row, (key, block, number, target))
        for row, (key, block) in json_object(data / ANAPHORA, Anaphora)
        for number, target in enumerate(block.trg)
    )
    return to_items(data / ANAPHORA, rows, lambda _, parts: _anaphora(*parts))


def read_lexical_choice(data: Path) -> Iterator[Item]:
    """Two items per block; the label is its type: disambiguation, repetition, or both."""
    rows = (
        (row, (key, block, number, example))
        for row, (key, block) in json_object(data / LEXICAL_CHOICE, LexicalChoice)
        for number, example in enumerate(block.examples)
    )
    return to_items(data / LEXICAL_CHOICE, rows, lambda _, parts: _lexical_choice(*parts))


def _anaphora(key: str, block: Anaphora, number: int, target: Pronoun) -> Item:
    gender, count = target.type.split(".")
    context = "correct" if target.correct else "semi-correct"
    item = _item("anaphora", key, number, block.src, target, block.inspired_by)
    texts = [candidate.text for candidate in item.candidates]
    spans = _pronouns(texts)
    features = [{"gender": gender if index == item.gold else _OTHER[gender]} for index in range(len(texts))]
    for span in spans:
        features[span.index]["pronoun"] = texts[span.index][span.start : span.end]
    return msgspec.structs.replace(
        item,
        candidates=tuple(Candidate(text, of_text) for text, of_text in zip(texts, features, strict=True)),
        label=context,
        features={"type": target.type, "number": _NUMBERS[count], "context": context},
        spans=tuple(spans),
    )


def _pronouns(texts: Sequence[str]) -> list[Span]:
    """The pronoun in which the two candidates differ, in both of them or in neither."""
    spans = [
        Span("pronoun", "candidate", *span, index)
        for index, differing in enumerate(differing_words(*texts))
        if (span := next((span for span in differing if texts[index][slice(*span)].lower() in _PRONOUNS), None))
    ]
    return spans if len(spans) == len(texts) else []


def _lexical_choice(key: str, block: LexicalChoice, number: int, example: Example) -> Item:
    item = _item("lexical-choice", key, number, example.src, example.trg, block.inspired_by)
    return msgspec.structs.replace(item, label=block.type, features={"type": block.type})


def _item(name: str, key: str, number: int, source: Texts, target: Contrast, inspired_by: list[str]) -> Item:
    correct, incorrect = target.acceptable, target.incorrect
    if correct[0] != incorrect[0]:
        raise ValueError("trg: the two translations differ in the previous sentence")
    texts = sorted((correct[1], incorrect[1]))
    group = f"bawden.{name}.{key}"
    return Item(
        id=f"{group}.{number}",
        group=group,
        task="translate",
        source_lang="en",
        target_lang="fr",
        source_context=(source[0],),
        source=source[1],
        target_context=(correct[0],),
        candidates=tuple(map(Candidate, texts)),
        gold=texts.index(correct[1]),
        reference=correct[1],
        distance=1,
        meta={"inspired by": inspired_by},
    )


SUITES = tuple(
    Suite(f"bawden-en-fr/{name}", about, (file,), read, PAPER, LICENCE)
    for name, about, file, read in (
        ("anaphora", "DiscEvalMT: pronouns that the previous sentence decides", ANAPHORA, read_anaphora),
        ("lexical-choice", "DiscEvalMT: words that the previous sentence decides", LEXICAL_CHOICE, read_lexical_choice),
    )
)
