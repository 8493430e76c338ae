"""What a chat model is asked, and how its letters are read."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from referee.languages import base, language
from referee.models.api.responses import Chat, ChatToken

VERSION = "1"
"""The version of the prompts below; a change of words is a change of the model."""

TRANSLATE = (
    "You are a professional translator. Translate the user's text from {source} into {target}. "
    "Keep the sentences in their order. Reply with the translation only: no notes, no quotation marks."
)
CHOOSE = "You answer multiple-choice questions. Reply with the letter of the right option and nothing else."
QUESTION = "{text}\n\n{options}\n\nWhich option is right? Reply with one letter: {letters}."

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_DRESSING = " \t\n\r▁Ġ*_`'\"()[]<>{}.,:;#"  # what models put around a letter, and tokenizers before it
_NAMED = re.compile(
    r"\W*(?:(?i:(?:the )?(?:(?:correct|right|best) )?(?:answer|option|choice)(?: is)?)\W*\b([A-Z])\b"
    r"|([A-Za-z])[ \t]*(?:$|[^\w\s]|\n))"
)


def language_name(code: str) -> str:
    """A language's English name; a region follows in brackets."""
    _, _, region = code.replace("_", "-").partition("-")
    name = language(code).name or f"the language with the code '{base(code)}'"
    return f"{name} ({region})" if region else name


def letter(text: str, options: Sequence[tuple[str, str]]) -> str | None:
    """The letter that an answer names, by itself or by repeating the words of its option."""
    if match := _NAMED.match(text):
        named = (match[1] or match[2]).upper()
        return named if named in {name for name, _ in options} else None
    said = text.strip(_DRESSING).casefold()
    same = [name for name, option in options if said and option.strip(_DRESSING).casefold() == said]
    return same[0] if len(same) == 1 else None


def letter_logprobs(reply: Chat, names: str) -> dict[str, float] | None:
    """The log-probability of each letter where the answer names one; nothing where it could not have.

    A letter beyond those that the server lists is at most as probable as the last of them.
    """
    named = [token for token in reply.tokens if token.token.strip(_DRESSING) in set(names)]
    for token in (*named[:1], *reply.tokens[:1]):
        listed = token.top_logprobs or [ChatToken(token.token, token.logprob)]
        by_letter: dict[str, list[float]] = {}
        for top in listed:
            if (bare := top.token.strip(_DRESSING)) in set(names):
                by_letter.setdefault(bare, []).append(top.logprob)
        if by_letter:
            least = min(top.logprob for top in listed)
            return {name: _logsumexp(by_letter[name]) if name in by_letter else least for name in names}
    return None


def _logsumexp(values: Sequence[float]) -> float:
    highest = max(values)
    return highest + math.log(math.fsum(math.exp(value - highest) for value in values))
