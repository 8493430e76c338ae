"""Log-probabilities of a text that a server gives back: which of its tokens stand where in the text.

Servers disagree on offsets, on start tokens and on parts of characters, so nothing they say is taken for granted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.models.api.errors import ApiError
from referee.models.api.responses import Logprobs, completion
from referee.models.tokens import fingerprint
from referee.protocols import TokenScores

_OTHERS = 64  # tokens that are not of the text: start tokens, and what follows it
_GARBLED = re.compile(r"\ufffd|^bytes:|<0x[0-9A-F]{2}>")
"""How a token that is part of a character shows."""


def scored(prompt: str, start: int, content: bytes) -> TokenScores:
    """The log-probabilities of the prompt's tokens that reach beyond `start`; one that spans it counts."""
    choice = completion(content)
    told = choice.logprobs
    if told is None:
        raise no_echo("the answer has none")
    if not choice.text.lstrip().startswith(prompt.strip()) or len(told.tokens) != len(told.token_logprobs):
        raise no_echo("it does not give back the text")
    # A token is at least a byte; a server that gives more of them would only cost time.
    possible = len(told.tokens) <= len(prompt.encode()) + _OTHERS
    ends = (_by_offsets(prompt, told) or _by_walking(prompt, told.tokens)) if possible else None
    if ends is None:
        return TokenScores(refused="the server's tokens cannot be found in the text")
    values = []
    for end, before, value in zip(ends, [0, *ends], told.token_logprobs, strict=False):
        if end > start and value is None and before == 0:
            problem = "does not return the log-probability of the first token of a text"
            raise ApiError(problem, "add a start token with before=TEXT, such as before=<|endoftext|>")
        if end > start and value is None:
            return TokenScores(refused="the server leaves out the log-probability of a token")
        if end > start and value is not None:
            values.append(value)
    if not values:
        return TokenScores(refused="no token to score")
    # Parts of different characters may show as the same text: then which tokens they are is not known.
    read = told.tokens[: len(ends)]
    known = not any(map(_GARBLED.search, read))
    return TokenScores(tuple(values), tokens=fingerprint(read, len(values)) if known else "")


def _by_offsets(prompt: str, told: Logprobs) -> list[int] | None:
    """Where the prompt's tokens end, if the server's offsets are right; several servers get them wrong."""
    tokens, offsets = told.tokens, told.text_offset
    if not offsets or len(offsets) != len(tokens):
        return None
    started = len(tokens) > 1 and not (tokens[0] and _fits(prompt, tokens[0], 0))
    if started:
        # A start token is no part of the text, but some servers count its name as if it were.
        tokens, offsets = tokens[1:], [offset - offsets[1] for offset in offsets[1:]]
    within = [offset for offset in offsets if offset < len(prompt)]
    fitting = all(_fits(prompt, token, offset) for token, offset in zip(tokens, within, strict=False))
    # Where the last token ends tells whether parts of characters, which cannot be checked, moved the rest.
    last = prompt.endswith(tokens[len(within) - 1].lstrip()) if within else False
    if offsets[0] != 0 or offsets != sorted(offsets) or not (fitting and last):
        return None
    # Tokens that are parts of one character have one offset, and end where it ends.
    ends = [next((later for later in within if later > offset), len(prompt)) for offset in within]
    return [0] * started + ends


def _fits(prompt: str, token: str, offset: int) -> bool:
    if _GARBLED.search(token):
        return True
    # The first token may have a space that was not in the text.
    return prompt.startswith(token if offset else token.lstrip(), offset)


def _by_walking(prompt: str, tokens: Sequence[str]) -> list[int] | None:
    """Where the prompt's tokens end, found by looking for one after the other.

    Spaces at the start of a token may be missing or added. Parts of characters cannot be found: they take what lies
    before the next token that can.
    """
    ends: list[int] = []
    here = garbled = slack = 0
    for number, token in enumerate(tokens):
        if here >= len(prompt.rstrip()) and not garbled:
            break
        if _GARBLED.search(token):
            garbled, slack = garbled + 1, slack + len(token)
            continue
        starts = range(here + 1, min(here + slack, len(prompt)) + 1) if garbled else (here,)
        span = next(((start, end) for start in starts if (end := _end(prompt, token, start)) is not None), None)
        if span is None:
            if number > 0:
                return None
            span = (0, 0)  # a start token
        ends += [span[0]] * garbled + [span[1]]
        here, garbled, slack = span[1], 0, 0
    return ends if ends and here >= len(prompt.rstrip()) and not garbled else None


def _end(prompt: str, token: str, start: int) -> int | None:
    """Where a token ends that begins here, give or take spaces."""
    token = token.replace("▁", " ")
    if prompt.startswith(token, start):
        return start + len(token)
    bare = token.lstrip()
    start += len(prompt[start:]) - len(prompt[start:].lstrip())
    return start + len(bare) if prompt.startswith(bare, start) else None


def no_echo(why: str) -> ApiError:
    """The error of a server that does not score texts."""
    problem = f"does not return the log-probabilities of a given text ({why})"
    return ApiError(problem, "use a server that does, such as vLLM, or load the model with causal:")
