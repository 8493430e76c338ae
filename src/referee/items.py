"""The one record of referee: an `Item` with correct and incorrect candidates.

Suites make items, perturbations change them, models answer them, statistics read them. An item that exists is valid:
an invalid one raises an error when it is made, wherever it comes from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Literal

import msgspec

SCHEMA_VERSION = 2
GAP = "_"
"""Where the candidates of a `fill` item go."""

Task = Literal["translate", "fill", "choose"]
Field = Literal["source", "source_context", "target_context", "candidate"]
ChangeKind = Literal["attack", "baseline", "probe"]
"""What a change is for: an attack should not matter, a baseline removes the evidence, a probe asks another question."""

REPEATED = {"repeated": "candidates"}
"""The feature of an item whose published candidates have a text twice; candidates with the same text are one answer."""

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")
_SHOWN = 60
_MIXED_SCRIPT = re.compile(r"[A-Za-z][^\W\d_]*[\u0400-\u04ff]|[\u0400-\u04ff][^\W\d_]*[A-Za-z]")


class Candidate(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One possible answer; its `features` are, for example, gender, pronoun, referent or position."""

    text: str
    features: dict[str, str] = {}


class Span(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Characters `start` to `end` of a field; `index` says which sentence of a context or which candidate."""

    role: str
    field: Field
    start: int
    end: int
    index: int = 0


class Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Provenance of a changed item: the id of its original `item`, the name of the `change`, and its kind."""

    item: str
    change: str
    kind: ChangeKind

    def __post_init__(self) -> None:
        _refuse_empty(self)


class SetOrigin(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Provenance of a set: the name of the set it was made `of`, the name of the `change`, and its kind.

    A parallel set has the same items, with the same ids, in another language.
    """

    of: str
    change: str
    kind: Literal[ChangeKind, "parallel"]

    def __post_init__(self) -> None:
        _refuse_empty(self)


class Item(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    gc=False,
    tag_field="schema",
    tag=SCHEMA_VERSION,
):
    """One test case.

    `task` says how candidates relate to `source`: they translate it, they fill its gap `_`, or one of them is
    chosen for it (and for `question`). `origin` names the original of a perturbed item.
    """

    id: str
    task: Task
    source_lang: str
    target_lang: str
    source: str
    source_context: tuple[str, ...] = ()
    target_context: tuple[str, ...] = ()
    question: str | None = None
    candidates: tuple[Candidate, ...] = ()
    gold: int | None = None
    reference: str | None = None
    expected: tuple[str, ...] = ()
    group: str | None = None
    label: str | None = None
    distance: int | None = None
    features: dict[str, str] = {}
    spans: tuple[Span, ...] = ()
    origin: Origin | None = None
    meta: dict[str, Any] = {}

    def __post_init__(self) -> None:
        if not self.id:
            raise ValueError("id: must not be empty")
        if not _LANGUAGE.fullmatch(self.source_lang):
            raise ValueError(f"source_lang: {self.source_lang!r} is not a language code such as 'en' or 'zh-Hant'")
        if not _LANGUAGE.fullmatch(self.target_lang):
            raise ValueError(f"target_lang: {self.target_lang!r} is not a language code such as 'de' or 'zh-Hant'")
        count = len(self.candidates)
        if count == 1:
            raise ValueError("candidates: has 1 candidate, expected none or at least 2")
        _check_candidates(self)
        if not self.source.strip() and not (self.origin is not None and self.origin.kind == "baseline"):
            raise ValueError("source: is empty, expected a text (only a baseline may hide it)")
        if self.gold is not None and not 0 <= self.gold < count:
            valid_range = f"0 to {count - 1}" if count else "no gold without candidates"
            raise ValueError(f"gold: {self.gold} is out of range (expected {valid_range})")
        if self.task == "fill" and self.source.count(GAP) != 1:
            raise ValueError(f"source: has {self.source.count(GAP)} gaps '{GAP}', expected exactly one in a fill item")
        if self.group == "":
            raise ValueError("group: is empty, expected a name, or no group for a single item")
        if self.distance is not None and self.distance < 0:
            raise ValueError(f"distance: {self.distance} is negative, expected 0 (same sentence) or more")
        if "" in self.expected:
            raise ValueError("expected: contains an empty form")
        if self.origin is not None and self.origin.item == self.id:
            raise ValueError(f"origin: {self.id!r} is the item itself, expected the id of the item that was changed")
        for span in self.spans:
            _check_span(span, self)
        _check_script(self)

    @property
    def has_answer(self) -> bool:
        """Whether the item says what is correct: a candidate, or an expected form."""
        return self.gold is not None or bool(self.expected)

    @property
    def group_id(self) -> str:
        """The group, or the id of an item without one."""
        return self.group or self.id

    def feature(self, name: str) -> str | None:
        """A feature of the correct answer: of the gold candidate, else of the item."""
        if self.gold is not None and name in self.candidates[self.gold].features:
            return self.candidates[self.gold].features[name]
        return self.features.get(name)

    @property
    def answers(self) -> tuple[int, ...]:
        """For each candidate the first one with its text: they are one answer."""
        texts = [candidate.text for candidate in self.candidates]
        return tuple(map(texts.index, texts))

    def filled(self, candidate: Candidate) -> str:
        """The sentence of a `fill` item with `candidate` in its gap."""
        return self.source.replace(GAP, candidate.text)

    def text_with(self, candidate: Candidate) -> str:
        """The text to score: the filled sentence, or source and candidate with a cause before its effect."""
        if self.task == "fill":
            return self.filled(candidate)
        if self.question == "cause":
            # What comes first causes what comes next, in any language.
            parts = [candidate.text, self.source]
        elif self.question in (None, "effect"):
            parts = [self.source, candidate.text]
        else:
            parts = [self.source, str(self.question), candidate.text]
        # A premise that was hidden leaves no space behind.
        return " ".join(part for part in parts if part)


def repeated(texts: Iterable[str]) -> dict[str, str]:
    """The feature that an item needs if one of its published candidates is there twice; else nothing."""
    given = list(texts)
    return REPEATED if len(set(given)) < len(given) else {}


def is_mixed_script(word: str) -> bool:
    """Whether Latin and Cyrillic letters stand in one word, as in a Cyrillic pronoun typed with a Latin letter."""
    return not word.isascii() and _MIXED_SCRIPT.search(word) is not None


def _refuse_empty(origin: Origin | SetOrigin) -> None:
    for name in origin.__struct_fields__:
        if not getattr(origin, name):
            raise ValueError(f"{name}: must not be empty")


def _check_candidates(item: Item) -> None:
    texts = [candidate.text for candidate in item.candidates]
    for index, text in enumerate(texts):
        if not text.strip():
            raise ValueError(f"candidates: candidate {index} is empty, expected a text")
    if len(set(texts)) < len(texts) and item.features.get("repeated") != REPEATED["repeated"]:
        second = next(index for index, text in enumerate(texts) if text in texts[:index])
        problem = f"candidates {texts.index(texts[second])} and {second} have the same text {_shortened(texts[second])}"
        raise ValueError(f"candidates: {problem}")


def _shortened(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")


def _check_span(span: Span, item: Item) -> None:
    texts = _texts(item, span.field)
    if not 0 <= span.index < len(texts):
        raise ValueError(f"spans: {span.role} has index {span.index}, but {span.field} has {len(texts)} texts")
    if not 0 <= span.start < span.end <= len(texts[span.index]):
        problem = f"{span.start}-{span.end} lies outside {span.field} ({len(texts[span.index])} characters)"
        raise ValueError(f"spans: {span.role} at {problem}")


def _texts(item: Item, field: Field) -> tuple[str, ...]:
    if field == "source":
        return (item.source,)
    if field == "source_context":
        return item.source_context
    if field == "target_context":
        return item.target_context
    return tuple(candidate.text for candidate in item.candidates)


def _check_script(item: Item) -> None:
    pronouns = [candidate.features.get("pronoun", "") for candidate in item.candidates]
    for name, words in (("expected", item.expected), ("candidates", pronouns)):
        for word in words:
            if is_mixed_script(word):
                raise ValueError(f"{name}: {word!r} mixes Latin and Cyrillic letters that look alike")
