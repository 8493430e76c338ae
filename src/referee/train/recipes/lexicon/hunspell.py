"""Word forms of a Hunspell dictionary with the grammar that its entries and rules name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from referee.io.files import text_lines


class Rule(NamedTuple):
    """A suffix: what is cut off, what is added, which stems take it, and what the form then is."""

    cut: str
    add: str
    fits: re.Pattern[str]
    fields: tuple[str, ...]


class Form(NamedTuple):
    """A form, the entry it comes from, and the fields of the entry and of the rule."""

    form: str
    stem: str
    entry: tuple[str, ...]
    rule: tuple[str, ...]


def read_forms(dictionary: Path) -> Iterator[Form]:
    """All forms of a dictionary (`.dic`, with its `.aff` next to it) that suffixes make; prefixes are left out."""
    rules, length, needs_affix = _read_rules(dictionary.with_suffix(".aff"))
    for line in _lines(dictionary):
        head, *entry = re.split(r"[ \t]+", line)
        stem, _, letters = head.partition("/")
        flags = _flags(letters, length)
        if stem.isdigit() and not entry:
            continue
        if needs_affix not in flags:
            yield Form(stem, stem, tuple(entry), ())
        for rule in (rule for flag in flags for rule in rules.get(flag, ())):
            if rule.fits.search(stem) and stem.endswith(rule.cut):
                yield Form(stem[: len(stem) - len(rule.cut)] + rule.add, stem, tuple(entry), rule.fields)


def _read_rules(path: Path) -> tuple[dict[str, list[Rule]], int, str]:
    rules: dict[str, list[Rule]] = defaultdict(list)
    length, needs_affix = 1, ""
    for line in _lines(path):
        match re.split(r"[ \t]+", line):
            case ["FLAG", "long", *_]:
                length = 2
            case ["NEEDAFFIX", flag, *_]:
                needs_affix = flag
            case ["SFX", flag, cut, add, condition, *fields]:
                add = add.partition("/")[0]
                fits = re.compile(f"(?:{condition})$" if condition != "." else "")
                rules[flag].append(Rule(cut.replace("0", ""), add.replace("0", ""), fits, tuple(fields)))
    return rules, length, needs_affix


def _flags(letters: str, step: int) -> list[str]:
    return [letters[start : start + step] for start in range(0, len(letters), step)]


def _lines(path: Path) -> Iterator[str]:
    return (line.strip() for line in text_lines(path) if line.strip() and not line.startswith("#"))
