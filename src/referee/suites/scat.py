"""SCAT, English to French: ambiguous pronouns with the context words that translators used, as spans.

Its sentences come from `contrapro-fr`, which is read too: it has the contrastive translation of each. A few references
have underscores for the pronoun; they are not found there and have no candidates. The context is a paragraph of up to
five sentences whose borders are not marked, so it is one text on either side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from referee.errors import InputError
from referee.io.files import count_lines, existing, text_lines
from referee.items import Field, Item, Span
from referee.suites.contrapro_fr import CURRENT, NUMBERS, Example, candidates, pronouns, read_examples
from referee.suites.highlights import CharSpan, Highlighted, marked, parsed, squeezed
from referee.suites.records import to_items
from referee.suites.suite import Suite

PAPER = "Yin et al. 2021, Do Context-Aware Translation Models Pay the Right Attention?"
LICENCE = "not stated (its base, contrapro-fr: MIT)"
SIDES = ("en", "fr", "context.en", "context.fr")
INSIDE = "pronoun mark inside a word"
DAMAGED = "damaged highlight"
PRONOUN_ONLY = "highlighted pronoun"
"""The role of a highlight that has the pronoun and no other word."""

Known = dict[tuple[str, str], tuple[Example, str]]
"""Examples and their groups by source and reference, without spaces."""


def read(data: Path, split: str) -> Iterator[Item]:
    """The items of a split; those of one base example, marked by several translators, are one group."""
    files = [data / file for file in _files(split)]
    counts = [count_lines(file) for file in files]
    for file, count in zip(files, counts, strict=True):
        if count != counts[0]:
            problem = f"expected {counts[0]} lines, as many as {existing(files[0]).name} has, but found {count}"
            raise InputError(problem, "download the files again with `referee data get scat-en-fr`", existing(file))
    known = _known(data)
    rows = enumerate(zip(*map(text_lines, files), strict=True), 1)
    return to_items(files[1], rows, lambda line, lines: _item(f"scat.{split}.{line - 1}", lines, known))


def _known(data: Path) -> Known:
    groups: dict[tuple[str, tuple[str, str]], str] = {}
    known: Known = {}
    for example in read_examples(data):
        group = groups.setdefault((example.source, example.targets), example.id)
        known.setdefault((squeezed(example.source), squeezed(example.targets[0])), (example, group))
    return known


def _item(id: str, lines: Sequence[str], known: Known) -> Item:
    texts = dict(zip(SIDES, map(parsed, lines), strict=True))
    example, group = known.get((squeezed(texts["en"].text), squeezed(texts["fr"].text)), (None, None))
    repairs = [f"{side}: {INSIDE}" for side, text in texts.items() if text.has_parts]
    repairs += [f"{side}: {DAMAGED}" for side, text in texts.items() if text.damaged]
    if example is not None:
        # The base has the texts without marks, and so without the spaces that marks added.
        texts |= {"en": texts["en"].onto(example.source), "fr": texts["fr"].onto(example.targets[0])}
    targets = () if example is None else example.targets
    differing = pronouns(targets) if targets else []
    spans = _spans(texts, differing)
    form = targets[0][slice(*differing[0])].lower() if targets else None
    published = {side: line for side, line in zip(SIDES, lines, strict=True) if line != _rendered(side, texts, spans)}
    return Item(
        id=id,
        group=group,
        task="translate",
        source_lang="en",
        target_lang="fr",
        source_context=_context(texts["context.en"]),
        source=texts["en"].text,
        target_context=_context(texts["context.fr"]),
        candidates=candidates(targets, differing),
        gold=0 if targets else None,
        reference=texts["fr"].text,
        label=form,
        features={"marked": _where(texts)} | ({"number": NUMBERS[form]} if form else {}),
        spans=spans,
        meta=({"base": example.id} if example else {})
        | ({"repairs": repairs} if repairs else {})
        | ({"published": published} if published else {}),
    )


def _context(text: Highlighted) -> tuple[str, ...]:
    return (text.text,) if text.text else ()


def _spans(texts: dict[str, Highlighted], differing: Sequence[tuple[int, int]]) -> tuple[Span, ...]:
    """The pronoun on both sides, and highlighted words as what triggers the choice."""
    english = texts["en"].whole
    spans = [Span("pronoun", "source", *english[0])] if len(english) == 1 else []
    spans += [Span("pronoun", "candidate", *span, index) for index, span in enumerate(differing)]
    fields: list[tuple[Field, str]] = [("source", "en"), ("source_context", "context.en")]
    fields.append(("target_context", "context.fr"))
    if differing:
        fields.append(("candidate", "fr"))
    highlights = ((field, texts[side], span) for field, side in fields for span in texts[side].highlights)
    return (*spans, *(Span(_role(text, span), field, *span) for field, text, span in highlights))


def _role(text: Highlighted, span: CharSpan) -> str:
    """A highlight of nothing but the pronoun says that no other word helped: it triggers nothing."""
    return PRONOUN_ONLY if span in text.pronouns else "trigger"


def _rendered(side: str, texts: dict[str, Highlighted], spans: Sequence[Span]) -> str:
    """The line that the item's own spans give; what differs from it is kept as published."""
    field = {"en": "source", "fr": "candidate", "context.en": "source_context", "context.fr": "target_context"}[side]
    of_field = [span for span in spans if (span.field, span.index) == (field, 0)]
    by_role = [
        [(span.start, span.end) for span in of_field if (span.role == "pronoun") == is_pronoun]
        for is_pronoun in (True, False)
    ]
    return marked(texts[side].text, *by_role)


def _where(texts: dict[str, Highlighted]) -> str:
    """Where the highlighted words are: in the sentence itself, in its context, in both, or the pronoun alone."""
    roles = {side: {_role(text, span) for span in text.highlights} for side, text in texts.items()}
    sentence, context = ("trigger" in roles[f"{part}en"] | roles[f"{part}fr"] for part in ("", "context."))
    if sentence or context:
        return "both" if sentence and context else "sentence" if sentence else "context"
    return "pronoun" if any(roles.values()) else "none"


def _files(split: str) -> tuple[str, ...]:
    return tuple(f"scat-en-fr/highlighted.{split}.{side}" for side in SIDES)


SUITES = tuple(
    Suite(
        f"scat-en-fr/{split}",
        f"Pronouns with the context words that translators used, {split}",
        (*_files(split), *CURRENT),
        partial(read, split=split),
        PAPER,
        LICENCE,
    )
    for split in ("train", "valid", "test")
)
