"""The tables of a translator's card, made of nothing but the measured figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from referee.errors import InputError
from referee.train.recipes.translator.corpus import LANGUAGES

BEGIN, END = "<!-- figures: written by referee.train.recipes.translator.measure -->", "<!-- end of figures -->"

Figures = Mapping[str, Any]


def put_into(card: str, figures: Figures) -> str:
    """The card with its tables replaced."""
    before, begin, rest = card.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InputError(f"lacks the lines '{BEGIN}' and '{END}'", "add them where the tables belong")
    return f"{before}{BEGIN}\n{tables(figures)}\n{END}{after}"


def tables(figures: Figures) -> str:
    """All tables."""
    return "\n\n".join(
        [
            "#### Whole documents",
            _documents(figures["documents"]),
            _films(figures["films"]),
            "#### Single sentences",
            _single(figures["sentences"], figures["subtitles"]),
            "#### Gain from context",
            _gains(figures["context"]),
            "#### Templates: accuracy (%)",
            _templates(figures["templates"]),
            "#### Priors: genders chosen without a correct answer (%)",
            _priors(figures["templates"]),
        ]
    )


def _documents(figures: Figures) -> str:
    rows = []
    for language, entry in figures.items():
        bleu, chrf = entry["quality"]
        new, by_id = entry["quality with nothing seen"], entry["quality of known films"]
        rows.append(
            (
                language,
                f"{entry['texts']:,} of {entry['passages']} passages",
                f"{_scored(bleu)} ({_scored_interval(bleu)})",
                _scored(chrf),
                f"{_percent(entry['sentences seen'] / max(1, entry['sentences']))}%",
                f"{_scored(new[0])} ({entry['texts with nothing seen']})" if new else "",
                f"{_scored(by_id[0])} ({entry['texts of known films']})" if by_id else "",
            )
        )
    heads = ("", "documents", "BLEU (95% CI)", "chrF", "sentences seen", "BLEU, none seen (documents)")
    return _table((*heads, "BLEU, film held out by id (documents)"), rows)


def _films(counts: Figures) -> str:
    held_out = counts["held out by text"]
    share = f"{100 * counts['of films in the rest'] / max(1, held_out):.0f}"
    return (
        f"{counts['with id']:,} of the {counts['contexts']:,} CTXPRO contexts have the id of their film. If these were "
        f"held out by text alone, as the others had to be, {share}% of the {held_out:,} held-out ones would come from "
        "films with other scenes in the training data."
    )


def _single(sentences: Figures, subtitles: Figures) -> str:
    rows = []
    for language, entry in sentences.items():
        row = [language, f"{entry['texts']:,}", *(_scored(score) for score in entry["quality"])]
        if subtitle_entry := subtitles.get(language):
            row += [f"{subtitle_entry['texts']:,}", *(_scored(score) for score in subtitle_entry["quality"])]
        rows.append(row)
    heads = ("", "sentences", "BLEU", "chrF", "with subtitles", "BLEU", "chrF")
    return _table(heads, rows)


def _gains(figures: Sequence[Figures]) -> str:
    rows = []
    for gain in figures:
        paper, token = gain["paper"], gain["token"]
        low, high = (f"{100 * limit:+.1f}" for limit in paper["interval"])
        rows.append(
            (
                gain["set"],
                f"{gain['items']} of {gain['films']} films",
                _percent(paper["alone"]),
                _percent(paper["with context"]),
                f"{100 * paper['difference']:+.1f} ({low} to {high})",
                f"{_percent(token['alone'])} / {_percent(token['with context'])}",
            )
        )
    return _table(("", "rows", "no context", "with context", "difference (95% CI)", "`token` rule"), rows)


def _templates(figures: Figures) -> str:
    names = [name for name, template in figures["de"].items() if "accuracy" in template]
    rows = [(name, *(_accuracy(figures[language].get(name)) for language in LANGUAGES)) for name in names]
    rows.append(("chance level", *(_percent(figures[language]["gender"]["chance"]) for language in LANGUAGES)))
    published = figures["de, published"]["gender"]
    low, high = (_percent(limit) for limit in published["interval"])
    accuracy = f"{_percent(published['accuracy'])} ({low} to {high}, {published['items']} items)"
    return _table(("", *LANGUAGES), rows) + f"\n\nGerman `gender` in its published form (`--paper`): {accuracy}."


def _priors(figures: Figures) -> str:
    names = [name for name, template in figures["de"].items() if "accuracy" not in template]
    rows = [(name, *(_genders(figures[language].get(name)) for language in LANGUAGES)) for name in names]
    return _table(("", *LANGUAGES), rows)


def _accuracy(template: Figures | None) -> str:
    return _percent(template["accuracy"]) if template and "accuracy" in template else ""


def _genders(template: Figures | None) -> str:
    return (
        ", ".join(f"{name} {100 * part:.0f}" for name, part in template["chosen genders"].items()) if template else ""
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _scored(score: Figures) -> str:
    return f"{score['value']:.1f}"


def _scored_interval(score: Figures) -> str:
    low, high = score["interval"]
    return f"{low:.1f} to {high:.1f}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join([*line, *[''] * (len(heads) - len(line))])} |" for line in lines)
