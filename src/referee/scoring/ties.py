"""Ties by definition: candidates that are the same tokens to the model.

Their texts differ in what the tokenizer does not see: a space at the end, capitals, two unknown words. Batches would
give them scores that differ in the last digits, and this rounding would choose between them.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.protocols import TokenScores


def same_tokens(answers: Sequence[TokenScores], texts: Sequence[str]) -> list[tuple[tuple[float, ...], str]]:
    """The log-probabilities and the text of each candidate; those with equal tokens get the same.

    Their text is the shortest of them (of equally long ones the first), so that a score per character is the same too.

    >>> answers = [TokenScores((-1.0,), tokens="7"), TokenScores((-1.1,), tokens="7"), TokenScores((-2.0,), tokens="8")]
    >>> same_tokens(answers, ["er ", "er", "sie"])
    [((-1.0,), 'er'), ((-1.0,), 'er'), ((-2.0,), 'sie')]
    """
    groups: dict[object, list[int]] = {}
    for index, answer in enumerate(answers):
        # A model that does not know its tokens can only be asked for each candidate by itself.
        groups.setdefault(answer.tokens or index, []).append(index)
    scored: dict[int, tuple[tuple[float, ...], str]] = {}
    for indices in groups.values():
        text = min((texts[index] for index in indices), key=len)
        scored |= dict.fromkeys(indices, (answers[indices[0]].logprobs, text))
    return [scored[index] for index in range(len(answers))]
