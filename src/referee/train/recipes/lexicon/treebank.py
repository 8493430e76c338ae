"""Nouns of treebanks whose licence allows it, without the sentences that are measured on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from referee.io.files import text_lines
from referee.languages.analyses import UNCLEAR, Analysis
from referee.train.recipes.encoder.treebanks import MEASURED
from referee.train.recipes.lexicon.paradigms import Word

TREEBANKS = {
    "de": ("UD_German-GSD/de_gsd-ud-dev", "UD_German-PUD/de_pud-ud-test"),
    "es": (
        "UD_Spanish-AnCora/es_ancora-ud-dev",
        "UD_Spanish-GSD/es_gsd-ud-dev",
        "UD_Spanish-GSD/es_gsd-ud-test",
        "UD_Spanish-PUD/es_pud-ud-test",
    ),
    "fr": (
        "UD_French-GSD/fr_gsd-ud-dev",
        "UD_French-PUD/fr_pud-ud-test",
        *(f"UD_French-Sequoia/fr_sequoia-ud-{part}" for part in ("train", "dev", "test")),
    ),
    "it": (
        "UD_Italian-PUD/it_pud-ud-test",
        *(f"UD_Italian-MarkIT/it_markit-ud-{part}" for part in ("train", "dev", "test")),
        *(f"UD_Italian-ParlaMint/it_parlamint-ud-{part}" for part in ("train", "test")),
        *(f"UD_Italian-TWITTIRO/it_twittiro-ud-{part}" for part in ("train", "dev", "test")),
        "UD_Italian-Valico/it_thvalico-ud-test",
    ),
    "pt": (
        *(f"UD_Portuguese-Bosque/documents/{part}" for part in ("CF", "CP")),
        "UD_Portuguese-Bosque/pt_bosque-ud-dev",
        *(f"UD_Portuguese-PetroGold/pt_petrogold-ud-{part}" for part in ("dev", "test")),
        "UD_Portuguese-PUD/pt_pud-ud-test",
        "UD_Portuguese-GSD/documents/train",
    ),
}
"""Files under `ud/` of the data: CC BY, CC BY-SA, and Sequoia's LGPL-LR."""
_SHARE = 0.9
_LEAST = 2


def treebank_words(data: Path, language: str) -> Iterator[Word]:
    """Nouns that occur twice or more with one gender; number, case and lemma are left to others."""
    genders: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    texts = {text for text, _ in _sentences(data, MEASURED[language])}
    for treebank in TREEBANKS[language]:
        for text, rows in _sentences(data, treebank):
            if text not in texts:
                for form, gender, number in _nouns(rows):
                    genders[form][gender, number] += 1
    for form, counts in genders.items():
        (gender, number), count = counts.most_common(1)[0]
        if count >= max(_LEAST, _SHARE * counts.total()):
            yield Word(UNCLEAR, ((form, Analysis("NOUN", gender, number, UNCLEAR)),))


def _nouns(rows: list[str]) -> Iterator[tuple[str, str, str]]:
    for row in rows:
        _, form, _, upos, _, feats, *_ = row.split("\t")
        values = dict(pair.split("=", 1) for pair in feats.split("|") if "=" in pair)
        if upos == "NOUN" and form.isalpha() and values.get("Gender") in ("Masc", "Fem", "Neut"):
            yield form, values["Gender"], values.get("Number", UNCLEAR)


def _sentences(data: Path, treebank: str) -> Iterator[tuple[str, list[str]]]:
    """Texts of sentences, and the lines of their words."""
    text, rows = "", list[str]()
    for line in text_lines(data / "ud" / f"{treebank}.conllu"):
        if line.startswith("# text = "):
            text = line.removeprefix("# text = ")
        elif line and not line.startswith("#"):
            rows.append(line)
        elif not line and rows:
            yield text, rows
            text, rows = "", []
    if rows:
        yield text, rows
