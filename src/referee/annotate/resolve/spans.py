"""The characters of a mention: those of its head and of what hangs from it."""

from __future__ import annotations

from referee.annotate.document import Mention, Sentence

_OUTSIDE = ("conj", "cc", "punct", "appos", "parataxis", "case", "cop", "mark", "nsubj", "discourse", "vocative")
"""Relations to the head that are not part of its phrase: the preposition before it, the copula, other conjuncts ..."""
_COORDINATED = ("conj", "cc", "punct")


def mention_of(sentences: tuple[Sentence, ...], sentence: int, head: int, *, grouped: bool = False) -> Mention:
    """The mention with this head word; `grouped` takes its conjuncts in."""
    words = sentences[sentence].words
    children: dict[int, list[int]] = {}
    for index, word in enumerate(words):
        children.setdefault(word.head, []).append(index)
    inside = [head]
    pending = [
        child
        for child in children.get(head, ())
        if _universal(words[child].deprel) not in _OUTSIDE
        or (grouped and _universal(words[child].deprel) in _COORDINATED)
    ]
    seen = {head}
    while pending:
        index = pending.pop()
        if index in seen:
            continue
        seen.add(index)
        inside.append(index)
        pending.extend(children.get(index, ()))
    first, last = min(inside), max(inside)
    while last > head and words[last].upos == "PUNCT":
        last -= 1
    return Mention(sentence, head, words[first].start, words[last].end)


def word_of(sentences: tuple[Sentence, ...], sentence: int, index: int) -> Mention:
    """A word by itself: a pronoun is named without what hangs from it (*even it*)."""
    word = sentences[sentence].words[index]
    return Mention(sentence, index, word.start, word.end)


def _universal(deprel: str) -> str:
    return deprel.partition(":")[0]
