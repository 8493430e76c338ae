"""The tables of docs/annotation.md, made of nothing but the measured figures and those of the trial."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from referee.errors import InputError

BEGIN, END = "<!-- figures: written by benchmarks/annotation.py -->", "<!-- end of figures -->"

TREEBANKS = {
    "en": "EWT",
    "de": "GSD",
    "es": "AnCora",
    "fr": "GSD",
    "it": "ISDT",
    "pl": "PDB",
    "pt": "Bosque",
    "ru": "GSD",
}
TRIAL = {
    "en": {
        "upos": 94.7,
        "lemma": 98.0,
        "uas": 88.2,
        "las": 85.0,
        "noun number": 94.8,
        "pronoun gender": 99.5,
        "pronoun case": 96.8,
    },
    "de": {
        "upos": 93.2,
        "lemma": 94.6,
        "uas": 82.2,
        "las": 76.5,
        "noun gender": 78.4,
        "noun number": 91.5,
        "noun case": 83.0,
        "pronoun gender": 86.2,
        "pronoun case": 92.3,
    },
    "es": {
        "upos": 95.9,
        "lemma": 97.5,
        "uas": 86.6,
        "las": 80.5,
        "noun gender": 96.9,
        "noun number": 99.2,
        "pronoun gender": 99.3,
        "pronoun case": 58.0,
    },
    "fr": {
        "upos": 96.2,
        "lemma": 97.5,
        "uas": 89.2,
        "las": 85.6,
        "noun gender": 93.6,
        "noun number": 97.4,
        "pronoun gender": 76.2,
    },
    "it": {
        "upos": 96.2,
        "lemma": 96.0,
        "uas": 87.0,
        "las": 83.6,
        "noun gender": 97.2,
        "noun number": 97.7,
        "pronoun gender": 88.8,
    },
    "pl": {
        "upos": 92.2,
        "lemma": 85.2,
        "uas": 79.3,
        "las": 72.1,
        "noun gender": 81.0,
        "noun number": 87.7,
        "noun case": 84.1,
        "pronoun gender": 78.3,
        "pronoun case": 78.8,
    },
    "pt": {
        "upos": 96.8,
        "lemma": 97.5,
        "uas": 88.8,
        "las": 85.4,
        "noun gender": 97.7,
        "noun number": 99.0,
        "pronoun gender": 76.7,
        "pronoun case": 88.4,
    },
    "ru": {
        "upos": 95.0,
        "lemma": 92.1,
        "uas": 84.8,
        "las": 80.0,
        "noun gender": 87.7,
        "noun number": 93.3,
        "noun case": 88.9,
        "pronoun gender": 87.3,
        "pronoun case": 87.0,
    },
}
"""The second run of the trial, gold tokens, without lexicon."""

Figures = Mapping[str, Any]


def put_into(page: str, figures: Figures) -> str:
    """The page with its tables replaced."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InputError(f"lacks the lines '{BEGIN}' and '{END}'", "add them where the tables belong")
    return f"{before}{BEGIN}\n\n{tables(figures)}\n\n{END}{after}"


def tables(figures: Figures) -> str:
    parts = []
    if "accuracy" in figures:
        parts += ["#### Raw text: F1 (%)", _raw(figures), "#### Gold tokens: accuracy (%)", _gold(figures)]
        parts += ["#### Features of nouns and pronouns, gold tokens: accuracy (%)", _features(figures)]
    if figures.get("lexicons"):
        parts += ["#### Lexicons, gold tokens: accuracy (%)", _lexicons(figures)]
    if "speed" in figures:
        parts += ["#### Speed on subtitle lines, and size", _speed(figures)]
    if figures.get("engines"):
        parts += ["#### Engines: words with the same answer (%)", _engines(figures["engines"])]
    return "\n\n".join(parts)


def _entries(figures: Figures) -> Iterable[tuple[str, str, Mapping[str, Any]]]:
    """Language, label and figures: the pocket annotator, then the peers of the language."""
    for language, treebank in TREEBANKS.items():
        if language in figures["accuracy"]:
            yield language, f"{language} ({treebank})", figures["accuracy"][language]
        for peer in figures.get("peers", {}).values():
            if peer["language"] == language:
                yield "", f"{language}: {peer['label']}", peer


def _raw(figures: Figures) -> str:
    measures = ("tokens", "words", "sentences", "upos", "feats", "lemma", "uas", "las")
    rows = [(label, *(_f1(entry["raw"][measure]) for measure in measures)) for _, label, entry in _entries(figures)]
    return _table(("", "tokens", "words", "sentences", "UPOS", "features", "lemma", "UAS", "LAS"), rows)


def _gold(figures: Figures) -> str:
    measures = ("upos", "feats", "lemma", "uas", "las")
    rows = []
    for language, label, entry in _entries(figures):
        trial = TRIAL.get(language, {})
        aligned = entry["gold"]["words"][0]
        rows.append((label, *(_next_to(_of(entry["gold"][name][0], aligned), trial.get(name)) for name in measures)))
    return _table(("", "UPOS", "features", "lemma", "UAS", "LAS"), rows)


def _features(figures: Figures) -> str:
    names = {
        "noun gender": "noun gender",
        "singular noun gender": "singular",
        "noun number": "noun number",
        "noun case": "noun case",
        "pronoun gender": "pronoun gender",
        "pronoun number": "pronoun number",
        "pronoun case": "pronoun case",
    }
    rows = []
    for language, label, entry in _entries(figures):
        trial = TRIAL.get(language, {})
        cells = []
        for name in names:
            correct, marked, _ = entry["features"][name]
            # A dozen words are no measurement: German pronouns of a case that hardly occurs.
            cells.append(_next_to(_of(correct, marked), trial.get(name)) if marked >= 50 else "")
        rows.append((label, *cells))
    return _table(("", *names.values()), rows)


def _lexicons(figures: Figures) -> str:
    """What the lexicon adds: the heads alone, a core install, packages with larger lexicons."""
    rows = []
    for language, kinds in figures["lexicons"].items():
        entries = {
            "none": kinds.get("none"),
            "core": figures["accuracy"].get(language),
            "packages": kinds.get("packages"),
        }
        for kind, entry in entries.items():
            if entry is not None:
                of_words = [_of(*entry["gold"][name][:2]) for name in ("upos", "lemma")]
                names = ("noun gender", "singular noun gender", "noun number", "noun case")
                rows.append((f"{language}, {kind}", *of_words, *(_of(*entry["features"][name][:2]) for name in names)))
    return _table(("", "UPOS", "lemma", "noun gender", "singular", "noun number", "noun case"), rows)


def _speed(figures: Figures) -> str:
    speed = figures["speed"]
    rows = [
        (f"pocket, {language}", f"{speed[language]['words per second']:,}", "", "")
        for language in ("en", "fr", "ru")
        if language in speed
    ]
    rows += [
        (
            f"{peer['label']}, {peer['language']}",
            f"{peer['words per second']:,}",
            f"{peer['pocket words per second']:,}",
            f"{peer['ratio']:.1f}",
        )
        for peer in speed["peers"].values()
    ]
    lines = [_table(("", "words/s", "pocket on the same lines, words/s", "ratio"), rows), ""]
    sizes = ", ".join(f"`{name}` {size / 1e6:.2f} MB" for name, size in figures["sizes"].items())
    theirs = "".join(f"; {peer['label']} {peer['megabytes']:.0f} MB" for peer in figures.get("peers", {}).values())
    lines.append(
        f"A new process annotates its first line after {speed['opening seconds']:.2f} s. Sizes: {sizes}{theirs}."
    )
    if "resolver share" in speed["en"]:
        share = f"{100 * speed['en']['resolver share']:.1f}%"
        lines.append(
            f"The resolver adds {share} to the time of the English lines, which CTXPRO selected for their pronouns."
        )
    return "\n".join(lines)


def _engines(figures: Figures) -> str:
    names = ("lemma", "head", "deprel")
    rows = [
        (
            language,
            f"{entry['words']:,}",
            _of(entry["upos"], entry["words"]),
            _of(entry["feature values"], entry["features"]),
            *(_of(entry[name], entry["words"]) for name in names),
        )
        for language, entry in figures.items()
    ]
    return _table(("", "words", "UPOS", "values of features", "lemma", "head", "relation"), rows)


def _f1(counts: Sequence[int]) -> str:
    correct, gold, system = counts
    return f"{200 * correct / (gold + system):.1f}" if gold + system else ""


def _of(correct: int, total: int) -> str:
    return f"{100 * correct / total:.1f}" if total else ""


def _next_to(figure: str, trial: float | None) -> str:
    return figure if trial is None or not figure else f"{figure} ({trial:.1f})"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])
