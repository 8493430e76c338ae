"""Possessive pronouns that stand alone (*mine*, *theirs*): they repeat a noun, the thing that is owned.

GUM has a handful of them, too few to learn from or to measure. These are rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.annotate.document import Document, Mention, Sentence, Word
from referee.annotate.resolve.spans import mention_of

ALONE = frozenset(("mine", "yours", "ours", "hers", "theirs", "his"))
_ATTRIBUTES = ("nmod", "det", "amod")
_POSSESSIVES = frozenset(("my", "your", "his", "her", "its", "our", "their", "whose"))
SUBJECT, OWNED = 0.8, 0.6
"""Confidence where the noun is the subject (*this book is mine*), and where it is owned by somebody else."""
_REACH = 2


def stands_alone(sentence: Sentence, index: int) -> bool:
    """Whether the word is a possessive pronoun that no noun follows; `his` can be either."""
    word = sentence.words[index]
    if word.form.lower() not in ALONE or word.upos not in ("PRON", "DET", "ADJ", "NOUN", "PROPN"):
        return False
    return word.form.lower() != "his" or word.deprel.partition(":")[0] not in _ATTRIBUTES


def owned(document: Document, sentence: int, index: int) -> tuple[Mention, float] | None:
    """The noun that a possessive pronoun repeats, and how sure that is."""
    words = document.sentences[sentence].words
    subjects = [
        number for number, word in enumerate(words[:index]) if word.head == index and word.deprel.startswith("nsubj")
    ]
    if subjects:
        if words[subjects[-1]].upos != "NOUN":
            return None
        return mention_of(document.sentences, sentence, subjects[-1]), SUBJECT
    for number in range(sentence, max(sentence - _REACH, 0) - 1, -1):
        candidates = document.sentences[number].words
        for position in range((index if number == sentence else len(candidates)) - 1, -1, -1):
            if candidates[position].upos == "NOUN" and _is_owned(candidates, position):
                return mention_of(document.sentences, number, position), OWNED
    return None


def _is_owned(words: Sequence[Word], position: int) -> bool:
    """Whether a possessive determiner or a possessor in the genitive belongs to the noun."""
    return any(
        word.head == position and (word.form.lower() in _POSSESSIVES or word.deprel == "nmod:poss") for word in words
    )
