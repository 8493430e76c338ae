"""The treebanks that the annotators learn from: those whose licence allows weights to be passed on.

Files named `test` are trained on where the treebank has no other (PUD, Valico). What is measured on (`MEASURED`) is
never learned from: sentences that are in a measured file are left out of the others by their id and by their text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from referee.io.files import text_lines

MEASURED = {
    "en": "UD_English-EWT/en_ewt-ud-test",
    "de": "UD_German-GSD/de_gsd-ud-test",
    "es": "UD_Spanish-AnCora/es_ancora-ud-test",
    "fr": "UD_French-GSD/fr_gsd-ud-test",
    "it": "UD_Italian-ISDT/it_isdt-ud-test",
    "pl": "UD_Polish-PDB/pl_pdb-ud-test",
    "pt": "UD_Portuguese-Bosque/pt_bosque-ud-test",
    "ru": "UD_Russian-GSD/ru_gsd-ud-test",
}
"""NC files are measured on and nothing else."""

TRAINING: Mapping[str, Sequence[Sequence[str]]] = {
    "en": [
        [f"UD_English-EWT/sources/{genre}" for genre in ("answers", "email", "newsgroup", "reviews", "weblog")],
        ["UD_English-PUD/en_pud-ud-test"],
    ],
    "de": [
        ["UD_German-GSD/de_gsd-ud-dev"],
        ["UD_German-PUD/de_pud-ud-test"],
        ["UD_German-HDT/dev.bugs", "UD_German-HDT/test.bugs"],
    ],
    "es": [
        ["UD_Spanish-AnCora/es_ancora-ud-dev"],
        ["UD_Spanish-GSD/es_gsd-ud-dev", "UD_Spanish-GSD/es_gsd-ud-test"],
        ["UD_Spanish-PUD/es_pud-ud-test"],
    ],
    "fr": [
        ["UD_French-GSD/fr_gsd-ud-dev"],
        [f"UD_French-Sequoia/fr_sequoia-ud-{part}" for part in ("train", "dev", "test")],
        ["UD_French-PUD/fr_pud-ud-test"],
    ],
    "it": [
        [
            "UD_Italian-PUD/it_pud-ud-test",
            *(f"UD_Italian-MarkIT/it_markit-ud-{part}" for part in ("train", "dev", "test")),
            *(f"UD_Italian-ParlaMint/it_parlamint-ud-{part}" for part in ("train", "test")),
            "UD_Italian-Valico/it_thvalico-ud-test",
        ],
        [f"UD_Italian-TWITTIRO/it_twittiro-ud-{part}" for part in ("train", "dev", "test")],
    ],
    "pl": [
        ["UD_Polish-PUD/pl_pud-ud-test"],
        [f"UD_Polish-MPDT/pl_mpdt-ud-{part}" for part in ("train", "dev", "test")],
    ],
    "pt": [
        [*(f"UD_Portuguese-Bosque/documents/{part}" for part in ("CF", "CP")), "UD_Portuguese-Bosque/pt_bosque-ud-dev"],
        [f"UD_Portuguese-PetroGold/pt_petrogold-ud-{part}" for part in ("dev", "test")],
        ["UD_Portuguese-PUD/pt_pud-ud-test"],
    ],
    "ru": [
        ["UD_Russian-GSD/ru_gsd-ud-dev"],
        [f"UD_Russian-Taiga/ru_taiga-ud-{part}" for part in ("train", "dev", "test")],
        ["UD_Russian-PUD/ru_pud-ud-test"],
    ],
}
"""Files by language and annotation style. The first style of a language is the one that the annotator follows."""

TELLING = 20
"""Characters from which on two equal sentences are one that was seen twice, and not a phrase that everybody uses."""


@dataclass(frozen=True)
class Sentence:
    """A sentence of a treebank: its id, its text, and the lines of its words."""

    id: str
    text: str
    rows: tuple[str, ...]


def sentences(data: Path, treebank: str) -> Iterator[Sentence]:
    """The sentences of a training file that are in no measured file."""
    ids, texts = _measured(data)
    folder = treebank.partition("/")[0]
    for sentence in read(data, treebank):
        if (folder, sentence.id) not in ids and sentence.text not in texts:
            yield sentence


def read(data: Path, treebank: str) -> Iterator[Sentence]:
    """All sentences of a file."""
    name, text, rows = "", "", list[str]()
    for line in text_lines(data / "ud" / f"{treebank}.conllu"):
        if line.startswith("# sent_id = "):
            name = line.removeprefix("# sent_id = ")
        elif line.startswith("# text = "):
            text = line.removeprefix("# text = ")
        elif line and not line.startswith("#"):
            rows.append(line)
        elif not line and rows:
            yield Sentence(name, text, tuple(rows))
            name, text, rows = "", "", []
    if rows:
        yield Sentence(name, text, tuple(rows))


@cache
def _measured(data: Path) -> tuple[frozenset[tuple[str, str]], frozenset[str]]:
    measured = [
        (treebank.partition("/")[0], sentence) for treebank in MEASURED.values() for sentence in read(data, treebank)
    ]
    ids = frozenset((folder, sentence.id) for folder, sentence in measured)
    return ids, frozenset(sentence.text for _, sentence in measured if len(sentence.text) >= TELLING)
