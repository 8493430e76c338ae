"""Everything before the training: the corpus is read, films are held out, pieces learnt, examples numbered.

`python -m referee.train.recipes.translator.prepare DATA FOLDER` writes `examples.npz` and `settings.json` for the
training, `vocabulary.spm`, and `test.jsonl`: the lines of the held-out films.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from referee.pocket.vocabulary import Vocabulary
from referee.train.recipes.command import run
from referee.train.recipes.translator import corpus
from referee.train.recipes.translator.corpus import LANGUAGES, Line, Pair
from referee.train.recipes.translator.vocabulary import learn

VOCABULARY = 10_000
LONGEST = 175
"""Tokens of a side; longer examples are left out."""


def prepare(lines: Sequence[Line], more: Iterable[Pair], folder: Path, *, vocabulary: int = VOCABULARY) -> str:
    """Write the files of the training, and return a sentence on what they hold."""
    folder.mkdir(parents=True, exist_ok=True)
    split = corpus.split(lines)
    single = list(dict.fromkeys(more))
    learnt = [*corpus.pairs(split.train), *single]
    watched = list(corpus.pairs([line for line in split.watch if len(line.english) > 1 or len(line.other) > 1]))
    pieces = learn((text for pair in learnt for text in (pair.english, pair.other)), vocabulary, LANGUAGES)
    (folder / "vocabulary.spm").write_bytes(pieces.model)
    names = pieces.names()
    arrays = _numbered("train", learnt, pieces) | _numbered("watch", watched, pieces)
    np.savez_compressed(folder / "examples.npz", **arrays)  # type: ignore[arg-type]
    data: dict[str, Any] = {
        "lines": corpus.counts(split.train) | {"Tatoeba": len(single)},
        "examples": _by_language(arrays, names),
        "held out lines": corpus.counts(split.test),
        "watched lines": corpus.counts(split.watch),
        "licences": corpus.LICENCES,
        "seed": corpus.SEED,
    }
    settings = {"pad": len(names) - 1, "end": 0, "size": {"vocabulary": len(names)}, "data": data}
    (folder / "settings.json").write_text(json.dumps(settings))
    with (folder / "test.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(asdict(line), ensure_ascii=False) + "\n" for line in split.test)
    counts = ", ".join(f"{language} {count:,}" for language, count in data["examples"].items())
    total = sum(data["examples"].values())
    return f"{total:,} examples ({counts}); {len(split.test):,} lines held out, {len(split.watch):,} watched"


def _by_language(arrays: dict[str, np.ndarray], names: Sequence[str]) -> dict[str, int]:
    """Number of examples per target language, which is the first token of a source."""
    counts = Counter(arrays["train_source"][arrays["train_source_starts"][:-1]].tolist())
    return {language: counts[names.index(f">>{language}<<")] for language in LANGUAGES}


def _numbered(prefix: str, pairs: Sequence[Pair], pieces: Vocabulary) -> dict[str, np.ndarray]:
    codes = {name: number for number, name in enumerate(pieces.names())}
    sources = pieces.encode([pair.english for pair in pairs], threads=4)
    targets = pieces.encode([pair.other for pair in pairs], threads=4)
    kept = [
        ([codes[f">>{pair.language}<<"], *source], target)
        for pair, source, target in zip(pairs, sources, targets, strict=True)
        if len(source) < LONGEST and len(target) <= LONGEST
    ]
    arrays = {}
    for side, column in (("source", 0), ("target", 1)):
        tokens = [example[column] for example in kept]
        arrays[f"{prefix}_{side}"] = np.fromiter(
            (token for example_tokens in tokens for token in example_tokens), np.uint16
        )
        arrays[f"{prefix}_{side}_starts"] = np.cumsum([0, *map(len, tokens)], dtype=np.int64)
    return arrays


def main() -> None:
    """Prepare from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--vocabulary", type=int, default=VOCABULARY, help="tokens in all (default: %(default)s)")
    arguments = parser.parse_args()
    lines, more = corpus.read(arguments.data), corpus.tatoeba(arguments.data)
    print(prepare(lines, more, arguments.folder, vocabulary=arguments.vocabulary))  # noqa: T201


if __name__ == "__main__":
    run(main)
