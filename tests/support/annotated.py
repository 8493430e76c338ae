"""Annotated documents for tests: made of tokens and what stands between them."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from referee.annotate.conllu_cells import cell
from referee.annotate.document import ROOT, Document, Sentence, Word

SURFACES = st.text(st.characters(), max_size=6) | st.sampled_from(["it", "_", "10 000", "l'", "|", "\\", "a\nb", " x "])
GAPS = st.sampled_from(["", " ", "\n", "  ", "\t", "\u00a0", "\u2028", "|", "\\", "\x00", "©", " \x1b "]) | st.text(
    max_size=3
)


def words_of(surfaces: Sequence[str], start: int, upos: str) -> tuple[Word, ...]:
    """The words of one token: the first is the root, the others depend on the first of all."""
    characters = surfaces[0]
    end = start + len(characters)
    if len(surfaces) == 1:
        form = cell(characters)
        return (Word(form, form, upos, "", ROOT, "root" if upos else "", start, end),)
    return tuple(
        Word(f"w{part}", f"l{part}", upos, "Case=Nom|Number=Sing", ROOT, "", start, end, part, xpos="X")
        for part in range(1, len(surfaces) + 1)
    )


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Documents with any characters in tokens and between them, multi-word tokens, words without tags or heads."""
    text = draw(GAPS)
    sentences: list[Sentence] = []
    for _ in range(draw(st.integers(0, 3))):
        words: list[Word] = []
        for _ in range(draw(st.integers(1, 4))):
            surface = draw(SURFACES)
            token = words_of([surface] * draw(st.integers(1, 3)), len(text), draw(st.sampled_from(["", "NOUN"])))
            words += token
            text += surface + draw(GAPS)
        heads = draw(st.lists(st.integers(0, len(words) - 1), min_size=len(words), max_size=len(words)))
        words = [words[0]] + [
            word._replace(head=head, deprel="dep") for word, head in zip(words[1:], heads[1:], strict=True)
        ]
        sentences.append(Sentence(words[0].start, words[-1].end, tuple(words)))
    name = draw(st.text(st.characters(), max_size=5))
    return Document(name, text, "en", tuple(sentences), draw(st.sampled_from(["", "tiny 1", "tiny\n2"])))
