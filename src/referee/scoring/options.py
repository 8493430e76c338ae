"""Options of scoring: how a model is asked, and how its answers become scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args, get_type_hints

import msgspec

from referee.errors import UsageError, either

How = Literal["auto", "contrastive", "generative", "both"]
Norm = Literal["ppl", "sum", "char"]
Part = Literal["whole", "partial", "mask"]
TooLong = Literal["refuse", "drop"]


@dataclass(frozen=True)
class ScoringOptions:
    """`how` is to compare candidates, to translate, or (`both`) to evaluate every set first one way, then the other.

    The `context` preceding sentences of both sides are included, joined by `separator`.

    `norm` turns token log-probabilities into a score: their mean (the perplexity's logarithm), their sum, or their sum
    by characters. `part` says what of a filled sentence counts: all of it, only what follows the filled words, or a
    single masked position. Items that are too long for the model are refused, or dropped and counted.
    """

    how: How = "auto"
    norm: Norm = "ppl"
    part: Part = "whole"
    context: int = 0
    separator: str = " "
    too_long: TooLong = "refuse"

    def settings(self) -> dict[str, str]:
        """The options as strings, for the identity of a run."""
        return {
            "how": self.how,
            "norm": self.norm,
            "part": self.part,
            "context": str(self.context),
            "separator": self.separator,
            "too_long": self.too_long,
        }


_NOUNS = {"how": "mode", "norm": "normalisation", "part": "part", "too_long": "choice"}


def scoring_options(**chosen: Any) -> ScoringOptions:  # noqa: ANN401 checked here
    """Options from the values a user gave; an invalid value is an error that lists the valid ones."""
    try:
        return msgspec.convert(chosen, ScoringOptions)
    except msgspec.ValidationError as error:
        option, _, _ = str(error).rpartition("`$.")[2].partition("`")
        choices = [str(choice) for choice in get_args(get_type_hints(ScoringOptions).get(option))]
        remedy = f"choose {either(choices)}" if choices else "use a whole number"
        problem = f"{chosen.get(option)!r} is not a valid {_NOUNS.get(option, 'value')}"
        raise UsageError(problem, remedy, f"--{option.replace('_', '-')}") from None
