"""The training corpus: context-translation pairs of CTXPRO and parallel text whose licences allow redistribution.

A document is up to five sentences and their translation as a whole. Where both sides have the same number of sentences,
shorter documents and single sentences are taken from it too. Whole films are held out.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from referee.errors import InputError, MissingError
from referee.io.files import existing, open_binary, text_lines
from referee.languages.paper_sentences import paper_splitter
from referee.train.recipes.translator.films import films

LANGUAGES = ("de", "fr", "es", "ru", "it", "pl", "pt")
HELD_OUT = 0.08
"""Share of films that are held out for testing."""
WATCHED = 0.01
"""Share of films by which the training is watched."""
SEED = 1

LICENCES = {
    "CTXPRO contexts": "Apache-2.0",
    "CTXPRO reference sentences": "Apache-2.0",
    "BConTrasT": "CC-BY-SA-4.0",
    "DiaBLa": "CC-BY-SA-4.0",
    "Tatoeba": "CC-BY-2.0",
}
"""What the corpora are published under."""

_CTXPRO = "ctxpro/paper"
_RELEASE = "ctxpro/release/evalsets"
_EOS = "<eos>"
_TATOEBA = {"de": "eng-deu", "fr": "eng-fra", "es": "eng-spa"}
_CHALLENGE = {"ru": "eng-rus"}


@dataclass(frozen=True)
class Line:
    """A line of a corpus: English sentences and those of the translation, one of them perhaps whole, not cut."""

    corpus: str
    number: int
    language: str
    english: tuple[str, ...]
    other: tuple[str, ...]
    document: str | None = None


@dataclass(frozen=True)
class Pair:
    """An example: English and its translation."""

    language: str
    english: str
    other: str


def read(data: Path) -> list[Line]:
    """Everything that is divided into films; Tatoeba's single sentences have none."""
    return [*ctxpro(data), *references(data), *dialogues(data)]


def source_of(line: Line) -> str:
    """The corpus by its name in `LICENCES`."""
    first = line.corpus.partition(" ")[0]
    return {"reference": "CTXPRO reference sentences", "bcontrast": "BConTrasT", "diabla": "DiaBLa"}.get(
        first, "CTXPRO contexts"
    )


def counts(lines: Sequence[Line]) -> dict[str, int]:
    """Number of lines per corpus."""
    return dict(sorted(Counter(source_of(line) for line in lines).items()))


def ctxpro(data: Path) -> Iterator[Line]:
    """Contexts with their translation as a whole; the animacy sets lead into English and are turned round."""
    for path in _files(data / _CTXPRO / "inputs"):
        name = path.name.removesuffix(".gz")
        pair = name.split(".")[-2]
        language = pair.replace("en", "").strip("-")
        sources = list(text_lines(path))
        targets = list(text_lines(data / _CTXPRO / "outputs" / f"deepl.{name}.contexts"))
        documents = _documents(data / _CTXPRO / "jsons" / f"{name}.json") or [None] * len(sources)
        if not len(sources) == len(targets) == len(documents):
            problem = f"has {len(sources)} lines, but {len(targets)} translations and {len(documents)} records"
            raise InputError(problem, "download CTXPRO again", path)
        for number, (source, target, document) in enumerate(zip(sources, targets, documents, strict=True)):
            sentences = tuple(sentence.strip() for sentence in source.split(_EOS))
            translated = (target.strip(),)
            if not target.strip() or not source.strip():
                continue
            if pair.startswith("en-"):
                yield Line(name, number, language, sentences, translated, document)
            else:
                yield Line(name, number, language, translated, sentences, document)


def references(data: Path) -> Iterator[Line]:
    """Sentences of the published test sets with their reference, a subtitle."""
    for path in sorted([*_files(data / _CTXPRO / "jsons"), *_files(data / _RELEASE)]):
        name = path.name.removesuffix(".gz").removesuffix(".json")
        pair = name.split(".")[-2]
        if not pair.startswith("en-"):
            continue
        for number, record in enumerate(_json(path)):
            english, other = record["src segment"].strip(), record["ref segment"].strip()
            if english and other:
                yield Line(f"reference {name}", number, pair[3:], (english,), (other,), film(record["document id"]))


def dialogues(data: Path) -> Iterator[Line]:
    """Chats in English and German or French, up to five turns at a time."""
    for name in ("train.json", "dev.json"):
        for number, turns in enumerate(_json(data / "parallel/bcontrast" / name).values()):
            sides = [
                (turn["source"], turn["target"]) if turn["speaker"] == "agent" else (turn["target"], turn["source"])
                for turn in turns
            ]
            yield from _windows(f"bcontrast {name}", number, "de", sides)
    spoken: dict[str, list[tuple[str, str]]] = {}
    for row in text_lines(data / "parallel/diabla-en-fr/dialogues.jsonl"):
        turn = json.loads(row)
        sides_of = turn["original"], turn["reference"]
        spoken.setdefault(turn["dialogue"], []).append(sides_of if turn["language"] == "english" else sides_of[::-1])
    for number, sides in enumerate(spoken.values()):
        yield from _windows("diabla", number, "fr", sides)


def tatoeba(data: Path) -> Iterator[Pair]:
    """Single sentences."""
    for language, name in _TATOEBA.items():
        for row in text_lines(data / "parallel/tatoeba" / f"{name}.tsv"):
            english, other = row.split("\t")[:2]
            yield Pair(language, english.strip(), other.strip())
    for language, name in _CHALLENGE.items():
        for row in text_lines(data / "parallel/tatoeba-challenge" / f"{name}.devtest.tsv"):
            _, _, english, other = row.split("\t")
            yield Pair(language, english.strip(), other.strip())


@dataclass(frozen=True)
class Split:
    """Lines by what they are for."""

    train: list[Line]
    watch: list[Line]
    test: list[Line]


def split(lines: Sequence[Line]) -> Split:
    """Whole films are held out, chosen by the hash of what stands in them: the same in every run."""
    film_of = films([(*line.english, *line.other) for line in lines], [line.document for line in lines])
    members: dict[int, list[Line]] = {}
    for line, film in zip(lines, film_of, strict=True):
        members.setdefault(film, []).append(line)
    parts = Split([], [], [])
    for film_lines in members.values():
        first = min(" ".join(line.english) for line in film_lines)
        draw = int.from_bytes(hashlib.sha256(first.encode()).digest()[:4], "big") / 2**32
        # What is only a reference sentence helps no test.
        tested = any(not line.corpus.startswith("reference") for line in film_lines)
        if tested and draw < HELD_OUT:
            parts.test.extend(film_lines)
        elif tested and draw < HELD_OUT + WATCHED:
            parts.watch.extend(film_lines)
        else:
            parts.train.extend(film_lines)
    return parts


def pairs(lines: Sequence[Line], seed: int = SEED) -> Iterator[Pair]:
    """Examples of lines: each document whole, one part of it, its sentences; none twice."""
    chance = random.Random(seed)  # noqa: S311 no secret
    seen: set[Pair] = set()
    for line in lines:
        examples = [Pair(line.language, " ".join(line.english), " ".join(line.other))]
        english, other = aligned(line)
        if len(english) > 1:
            size = chance.randint(2, len(english))
            start = chance.randint(0, len(english) - size)
            part = slice(start, start + size)
            examples.append(Pair(line.language, " ".join(english[part]), " ".join(other[part])))
            examples += [Pair(line.language, one, two) for one, two in zip(english, other, strict=True)]
        for pair in examples:
            if pair not in seen and pair.english and pair.other:
                seen.add(pair)
                yield pair


def aligned(line: Line) -> tuple[Sequence[str], Sequence[str]]:
    """Both sides sentence by sentence, where they have the same number; nothing otherwise."""
    english, other = line.english, line.other
    if len(english) == len(other):
        return (english, other) if len(english) > 1 else ((), ())
    if len(other) == 1:
        other = sentences(other, line.language)
    elif len(english) == 1:
        english = sentences(english, "en")
    return (english, other) if len(english) == len(other) else ((), ())


def sentences(side: Sequence[str], language: str) -> tuple[str, ...]:
    """The sentences of one side, which may be one text that is not cut."""
    return tuple(_splitter(language)(side[0])) if len(side) == 1 else tuple(side)


# The shipped weights were trained on these sentences.
_splitter = cache(paper_splitter)


def _windows(corpus: str, number: int, language: str, sides: list[tuple[str, str]]) -> Iterator[Line]:
    for end in range(1, len(sides) + 1):
        part = [(one.strip(), two.strip()) for one, two in sides[max(0, end - 5) : end]]
        if all(one and two for one, two in part):
            english, other = zip(*part, strict=True)
            yield Line(corpus, end, language, english, other, f"{corpus} {number}")


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise MissingError("does not exist", "give the folder that contains ctxpro/ and parallel/", folder)
    return sorted(folder.iterdir())


def _documents(path: Path) -> list[str | None]:
    if not path.exists() and not path.with_name(path.name + ".gz").exists():
        return []
    return [film(record["document id"]) for record in _json(path)]


def film(document: str) -> str:
    """The film in an id such as `de-en/2017/2017_1412528_7012791`: year and film, not which subtitles."""
    return document.rpartition("/")[2].rpartition("_")[0]


def _json(path: Path) -> Any:  # noqa: ANN401 whatever is in it
    with open_binary(path) as file:
        try:
            return json.load(file)
        except ValueError as error:
            raise InputError(f"is not valid JSON ({error})", "download it again", existing(path)) from None
