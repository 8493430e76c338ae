"""Passages of running text, and the file in which they travel to the machine that learns from them."""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from referee.errors import InputError
from referee.io.files import atomic_write, existing

LANGUAGES = ("en", "de", "es", "fr", "it", "pl", "pt", "ru")
FILE = "text.jsonl.xz"
TRAIN, WATCH = "train", "watch"
"""What passages are for: learning, and watching the loss on unseen films."""


class Passage(NamedTuple):
    """A passage in English, one in another language, or both: one is then the translation of the other."""

    language: str
    english: str
    other: str


def write(out: Path, parts: Mapping[str, Sequence[Passage]]) -> None:
    """Write one line per passage: the part it is for, its language, English, the other language."""
    with atomic_write(out) as file, lzma.open(file, "wb", preset=6) as packed:
        for part, members in parts.items():
            for passage in members:
                packed.write(json.dumps([part, *passage], ensure_ascii=False).encode() + b"\n")


def read(path: Path) -> dict[str, list[Passage]]:
    """The passages by the part they are for."""
    parts: dict[str, list[Passage]] = {}
    with lzma.open(existing(path), "rb") as packed:
        for line in packed:
            part, *fields = json.loads(line)
            parts.setdefault(part, []).append(Passage(*fields))
    if missing := {TRAIN, WATCH} - parts.keys():
        raise InputError(
            f"has no passages for {', '.join(sorted(missing))}", "make the text again with collect.py", path
        )
    return parts


def by_language(passages: Sequence[Passage]) -> dict[str, list[str]]:
    """The text of each language, nothing twice, in the order of the passages."""
    texts: dict[str, dict[str, None]] = {language: {} for language in LANGUAGES}
    for passage in passages:
        if passage.english:
            texts["en"][passage.english] = None
        if passage.other:
            texts[passage.language][passage.other] = None
    return {language: list(members) for language, members in texts.items()}
