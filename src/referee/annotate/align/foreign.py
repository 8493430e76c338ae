"""Tokens for tools that read sentences as words between spaces, and links between tokens of another tool."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.annotate.align.links import Link
from referee.annotate.align.tokens import TokenSpan
from referee.annotate.protocols import Links, SentencePair, Tokens

_EMPTY = "_"
"""What a token without characters is called: tools would skip it, and count wrong."""


def forms(sentence: Tokens) -> list[str]:
    """Tokens without white space in them, none empty: a tool that splits at spaces finds as many.

    >>> forms(Tokens("1 000 cats", ((0, 5), (6, 10))))
    ['1_000', 'cats']
    """
    return ["_".join(sentence.text[start:end].split()) or _EMPTY for start, end in sentence.spans]


def carried_over(
    links: Iterable[Link], pair: SentencePair, spans: tuple[Sequence[TokenSpan], Sequence[TokenSpan]]
) -> Links:
    """Links between other tokens (`spans`) as links between the tokens of the pair that share characters with them.

    Where a token of the other tool is several of ours, words are linked with words and marks with equal marks:
    `don't,` and `pas,` are two words and a mark on each side.
    """
    ours = [_covered(side, other) for side, other in zip(pair, spans, strict=True)]
    carried: set[Link] = set()
    for one, two in links:
        carried.update(_between(ours[0][one], ours[1][two], pair))
    return tuple(sorted(carried))


def _covered(sentence: Tokens, spans: Sequence[TokenSpan]) -> list[list[int]]:
    """For each of `spans` the tokens of a sentence that share a character with it."""
    return [
        [index for index, (first, last) in enumerate(sentence.spans) if first < end and start < last]
        for start, end in spans
    ]


def _between(sources: Sequence[int], targets: Sequence[int], pair: SentencePair) -> list[Link]:
    if len(sources) == 1 == len(targets):
        return [(sources[0], targets[0])]
    texts = [
        {index: side.text[slice(*side.spans[index])] for index in indices}
        for side, indices in zip(pair, (sources, targets), strict=True)
    ]
    is_word = [{index: any(letter.isalnum() for letter in text) for index, text in side.items()} for side in texts]
    if not all(any(side.values()) for side in is_word):
        return [(source, target) for source in sources for target in targets]
    return [
        (source, target)
        for source in sources
        for target in targets
        if (is_word[0][source] and is_word[1][target])
        or (not is_word[0][source] and texts[0][source] == texts[1][target])
    ]
