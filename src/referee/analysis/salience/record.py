"""How much each word of an item counts for what a model predicts, as a record; models make it, statistics read it."""

from __future__ import annotations

import msgspec

from referee.items import Field
from referee.protocols import PREDICTION_DIFFERENCE

METHOD = PREDICTION_DIFFERENCE


class Weight(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A word, by its characters in a text of the item (see `Span`), and what its removal takes from the prediction.

    `trigger` is whether it is a word that decides what is meant. `compared` is False for what is neither that nor
    compared with it: punctuation, and other words that the item's twin does not have.
    """

    field: Field
    index: int
    start: int
    end: int
    value: float
    trigger: bool = False
    compared: bool = True


class Token(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A token by its number in the vocabulary, what its removal takes from the prediction, and whether it is *it*."""

    number: int
    value: float
    is_it: bool = False


class Salience(msgspec.Struct, frozen=True, gc=False):
    """All words of one item; `target` is the word that is predicted, `probability` that with nothing removed.

    `group` is the item's, by which it is drawn together with its twin. `tokens` are those of a translation's source
    and its end token, as the published test takes them; empty where a method has no values for tokens.
    """

    suite: str
    item: str
    target: str
    probability: float
    weights: tuple[Weight, ...]
    group: str = ""
    tokens: tuple[Token, ...] = ()
