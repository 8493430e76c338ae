"""Tables of word translations, learned by the aligner in `annotate/align/aligner.py`, and examples of its links.

Both are kept in a folder, a file per language: the rest of the recipe, which depends on the encoder, starts from them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from referee.annotate.align import tokens
from referee.annotate.align.aligner import Aligner, learn
from referee.annotate.align.blocks import Pair, Vocabulary
from referee.annotate.align.corpus import evenly
from referee.annotate.align.tables import Table, packed, unpacked
from referee.annotate.protocols import Links, SentencePair, Tokens
from referee.io.files import atomic_write, existing
from referee.logs import logger
from referee.train.recipes.aligner.sentences import sentence_pairs, tokenised

LANGUAGES = ("de", "es", "fr", "it", "pl", "pt", "ru")
LEARN_FROM = 200_000
"""Sentence pairs of a language at most."""
LEAST_SHARE = 0.02
"""Least mean of the two probabilities (geometric) of a pair that is kept."""
LEAST_COUNT = 3
"""How often both words must occur."""
EXAMPLES = 3_000
"""Sentence pairs of a language whose links the projection is learned from."""
_SHORTEST, _LONGEST = 6, 60
_LOWERED = 0.2
"""The share of examples in small letters: some texts have no capitals."""
_SEED = 1


class Example(NamedTuple):
    """A pair and links in which both directions agree."""

    pair: SentencePair
    links: Links


class Learned(msgspec.Struct, frozen=True):
    """What is kept of a language: sentences read, the packed table, examples."""

    sentences: int
    table: bytes
    examples: list[Example]

    def opened(self) -> Table:
        """The table."""
        return unpacked(np.frombuffer(self.table, np.uint8))


def learned(text: Path, language: str, state: Path) -> Learned:
    """What was kept of a language in `state`, or what is learned from `text` now."""
    path = state / f"{language}.msgpack"
    if path.exists():
        return msgspec.msgpack.decode(existing(path).read_bytes(), type=Learned)
    pairs = sentence_pairs(text, language)
    chosen = [pair for pair, is_chosen in zip(pairs, evenly(len(pairs), LEARN_FROM), strict=True) if is_chosen]
    words = [_words(pair) for pair in chosen]
    aligner = learn(words)
    table = pruned(aligner, words)
    result = Learned(len(words), packed(table).tobytes(), examples(chosen, aligner, language))
    logger.info(f"{language}: {len(words):,} sentence pairs, {len(table.seen):,} pairs of words")
    state.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as file:
        file.write(msgspec.msgpack.encode(result))
    return result


def pruned(aligner: Aligner, pairs: Sequence[Pair]) -> Table:
    """The pairs that are likely in both directions, of words that occur often enough; words in alphabetical order."""
    counts: tuple[Counter[str], Counter[str]] = Counter(), Counter()
    for pair in pairs:
        for count, side in zip(counts, pair, strict=True):
            count.update(side)
    forward, backward = (direction.table[:-1] for direction in aligner.directions)
    sources, targets = np.divmod(aligner.seen, aligner.words.width)
    often = [
        np.array([count[word] >= LEAST_COUNT for word in words])
        for count, words in zip(counts, (aligner.words.sources, aligner.words.targets), strict=True)
    ]
    kept = (np.sqrt(forward * backward) >= LEAST_SHARE) & often[0][sources] & often[1][targets]
    numbers = [
        _renumbered(side[kept], list(words))
        for side, words in ((sources, aligner.words.sources), (targets, aligner.words.targets))
    ]
    words = Vocabulary(numbers[0][0], numbers[1][0])
    keys = numbers[0][1] * words.width + numbers[1][1]
    order = np.argsort(keys)
    logarithms = [np.log2(side[kept][order]).astype(np.float32) for side in (forward, backward)]
    return Table(words, keys[order], logarithms[0], logarithms[1])


def examples(pairs: Sequence[SentencePair], aligner: Aligner, language: str) -> list[Example]:
    """Longer sentences and the links that both directions agree on."""
    chance = random.Random(_SEED)  # noqa: S311 no secret
    fitting = [pair for pair in pairs if all(_SHORTEST <= len(side.spans) <= _LONGEST for side in pair)]
    chosen = chance.sample(fitting, min(EXAMPLES, len(fitting)))
    links = aligner.align([_words(pair) for pair in chosen], "intersection")
    lowered = [_lowered(pair, language) if chance.random() < _LOWERED else pair for pair in chosen]
    # Small letters may be more or fewer: such a sentence has other tokens, and stays as it is.
    safe = [low if _lengths(low) == _lengths(pair) else pair for low, pair in zip(lowered, chosen, strict=True)]
    return [Example(pair, tuple(own)) for pair, own in zip(safe, links, strict=True)]


def _lowered(pair: SentencePair, language: str) -> SentencePair:
    return SentencePair(tokenised(pair.source.text.lower(), "en"), tokenised(pair.target.text.lower(), language))


def _lengths(pair: SentencePair) -> list[int]:
    return [len(side.spans) for side in pair]


def _words(pair: SentencePair) -> Pair:
    return _side(pair.source), _side(pair.target)


def _side(sentence: Tokens) -> list[str]:
    return tokens.words(sentence.text, sentence.spans)


def _renumbered(numbers: np.ndarray, words: Sequence[str]) -> tuple[dict[str, int], np.ndarray]:
    used = sorted({words[number] for number in np.unique(numbers).tolist()})
    fresh = {word: number for number, word in enumerate(used)}
    renumbering = np.array([fresh.get(word, 0) for word in words])
    return fresh, renumbering[numbers]
