"""Phrase addition as ContraCAT published it, line by line, faults included.

The published files have one line `context <SEP> sentence` per candidate; `suites.contracat` splits them and keeps in
`meta` what restores them. A few groups repeat their context with a difference: their lines are kept whole, and are
changed here one by one.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping
from typing import Any, Literal

from referee.items import Field, Item
from referee.perturbations.base import Dropped, changed
from referee.perturbations.edits import Edit, TextKey, edited, rewritten

_LINE = re.compile(r"(?P<context>.*?)\s*<SEP>(?P<rest>.*)", re.DOTALL)
_LINES = ("source_lines", "target_lines")
_SEPARATORS = [" <SEP> ", " <SEP> "]

Form = Literal["before", "quoted", "inside", "apart"]
TextIn = Callable[[str], str | None]
"""From a language to the published phrase; a mark at its start joins it to the sentence that it continues."""


def without_lines(meta: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata of a changed item: without the published lines, which no longer hold."""
    return {key: value for key, value in meta.items() if key not in _LINES}


def phrase(item: Item, name: str, form: Form, text_in: TextIn) -> Item | Dropped:
    """Add a phrase as published: casing untouched, an empty context stays empty, two spaces after the separator."""
    languages = (item.source_lang, item.target_lang)
    texts = [text_in(language) for language in languages]
    for language, text in zip(languages, texts, strict=True):
        if text is None:
            return Dropped(f"no phrases in the language '{language}'")
    edits: dict[TextKey, list[Edit]] = {}
    sides: tuple[tuple[Field, tuple[str, ...]], ...] = (
        ("source_context", item.source_context),
        ("target_context", item.target_context),
    )
    for (field, context), text in zip(sides, texts, strict=True):
        if context:
            edits[field, len(context) - 1] = added(context[-1], text or "", form)
    meta = dict(item.meta)
    meta["separators"] = [
        _separator(old, is_empty=not context)
        for old, (_, context) in zip(item.meta.get("separators", _SEPARATORS), sides, strict=True)
    ]
    for key, text in zip(_LINES, texts, strict=True):
        if key in meta:
            meta[key] = [_line(line, text or "", form) for line in meta[key]]
    return changed(item, name, meta=meta, **rewritten(item, edits))


def added(context: str, text: str, form: Form) -> list[Edit]:
    """The edits that strip a context and add a phrase; an empty context stays empty."""
    if not context.strip():
        return [Edit(0, len(context), "")]
    start, end = len(context) - len(context.lstrip()), len(context.rstrip())
    if form == "apart":
        return [Edit(0, start, ""), Edit(end, len(context), f" {text}.")]
    if form == "inside":
        mark = end - 1 if context[end - 1] in string.punctuation else end
        joint = "" if text[:1] in string.punctuation else " "
        return [Edit(0, start, ""), Edit(mark, len(context), f"{joint}{text}{context[mark:end]}")]
    quote = '"' if form == "quoted" else ""
    return [Edit(0, start, f"{text}: {quote}"), Edit(end, len(context), quote)]


def _separator(old: str, *, is_empty: bool) -> str:
    return ("" if is_empty else " ") + "<SEP> " + old.partition("<SEP>")[2]


def _line(line: str, text: str, form: Form) -> str:
    match = _LINE.fullmatch(line)
    context, rest = (match["context"].strip(), match["rest"]) if match else ("", line)
    new = edited(context, added(context, text, form)) + " " if context else ""
    return f"{new}<SEP> {rest}"
