"""A small table of nouns with the columns of the package `german-nouns`."""

from __future__ import annotations

import csv
from pathlib import Path

CASES = ("nominativ", "genitiv", "dativ", "akkusativ")
COLUMNS = ["lemma", "pos", "genus", "genus 1", "genus 2", "genus 3", "genus 4"] + [
    f"{case} singular{variant}" for case in CASES for variant in ("", "*", " 1", " 2")
]

NOUNS: list[tuple[str, str, str, tuple[str, str, str, str]]] = [
    ("Becher", "Substantiv", "m", ("Becher", "Bechers", "Becher", "Becher")),
    ("Tasse", "Substantiv", "f", ("Tasse", "Tasse", "Tasse", "Tasse")),
    ("Glas", "Substantiv", "n", ("Glas", "Glases", "Glas", "Glas")),
    ("Humpen", "Substantiv", "m", ("Humpen", "Humpens", "Humpen", "Humpen")),
    ("See", "Substantiv", "m", ("See", "Sees", "See", "See")),
    ("See", "Substantiv", "f", ("See", "See", "See", "See")),
    ("Bär", "Substantiv", "m", ("Bär", "Bären", "Bären", "Bären")),
    ("Bestie", "Substantiv", "f", ("Bestie", "Bestie", "Bestie", "Bestie")),
    ("Rose", "Substantiv,Vorname", "f", ("Rose", "Rose", "Rose", "Rose")),
]


def write_nouns(path: Path) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.DictWriter(file, COLUMNS)
        rows.writeheader()
        for lemma, kind, gender, forms in NOUNS:
            cells = {f"{case} singular": form for case, form in zip(CASES, forms, strict=True)}
            rows.writerow({"lemma": lemma, "pos": kind, "genus": gender, **cells})
    return path
