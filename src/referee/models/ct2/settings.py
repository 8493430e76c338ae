"""Options and settings that translators and generators of CTranslate2 share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from referee.errors import UsageError
from referee.models.hf import batches
from referee.models.spec import ModelSpec
from referee.models.tokens import once
from referee.protocols import TokenScores

COMMON = ("compute_type", "device", "inter_threads", "intra_threads", "tokenizer", "tokens")
TEXTS = ("prefix", "source_prefix", "target_prefix")

Job = TypeVar("Job", bound=Hashable)
Result = TypeVar("Result")


@dataclass(frozen=True)
class Ct2Options:
    """How a model of CTranslate2 is run; `text` is what the user calls it. What is None is chosen by the library.

    `max_tokens` is the most that a translation may have. `prefix` is text before every source, `source_prefix` and
    `target_prefix` are tokens in place of language codes.
    """

    text: str
    beam: int = 1
    max_tokens: int | None = None
    device: str | None = None
    compute_type: str = "default"
    tokens: int | None = None
    inter_threads: int | None = None
    intra_threads: int | None = None
    tokenizer: str | None = None
    prefix: str | None = None
    source_prefix: str | None = None
    target_prefix: str | None = None

    @staticmethod
    def of(spec: ModelSpec) -> Ct2Options:
        """The options in a spec."""

        def number(key: str) -> int | None:
            return spec.number(key, 1) if key in spec.options else None

        return Ct2Options(
            text=spec.text,
            beam=spec.number("beam", 1),
            max_tokens=number("max_tokens"),
            device=spec.options.get("device"),
            compute_type=spec.options.get("compute_type", "default"),
            tokens=number("tokens"),
            inter_threads=number("inter_threads"),
            intra_threads=number("intra_threads"),
            tokenizer=spec.options.get("tokenizer"),
            prefix=spec.options.get("prefix"),
            source_prefix=spec.options.get("source_prefix"),
            target_prefix=spec.options.get("target_prefix"),
        )

    def texts(self) -> dict[str, str]:
        """The prefixes that were given."""
        texts = {key: getattr(self, key) for key in TEXTS}
        return {key: text for key, text in texts.items() if text is not None}


@dataclass(frozen=True)
class Settings:
    """The model's files by hash, its configuration, the options, and the size of its work."""

    sha256: str
    config: dict[str, Any]
    options: Ct2Options
    budget: int
    together: int
    limit: int | None

    @property
    def workers(self) -> int:
        """How many batches are computed at once."""
        return self.options.inter_threads or 1

    def run(
        self,
        jobs: Iterable[tuple[int, Job]],
        work: Callable[[list[Job]], list[Result]],
        cost: Callable[[Job], int],
        shape: Callable[[Job], Hashable],
    ) -> Iterator[tuple[int, Result]]:
        """Does numbered jobs in batches, equal ones once; a batch has jobs of one shape, so that nothing is padded."""
        numbers = once(jobs)
        by_shape: dict[Hashable, list[Job]] = {}
        for job in sorted(numbers, key=cost, reverse=True):
            by_shape.setdefault(shape(job), []).append(job)
        for group in by_shape.values():
            for index, result in batches.run(group, [cost(job) for job in group], self.budget * self.workers, work):
                for number in numbers[group[index]]:
                    yield number, result

    def share(self, jobs: Sequence[object]) -> int:
        """How many jobs of a batch each worker gets."""
        return -(-len(jobs) // self.workers)


def in_eight_bits(compute_type: str) -> bool:
    """Whether products are computed in eight bits.

    Inputs are then rounded to one of 255 levels. Padding changes a sum in its seventh digit, the rounding makes tenths
    of it, and a score depends on what else is in the batch. The product itself is exact, whatever the batch: jobs of
    one shape, which need no padding, get the same bits in every batch.
    """
    return compute_type.startswith("int8")


def last_scores(logprobs: Sequence[float], count: int, tokens: str = "") -> TokenScores:
    """The last `count` log-probabilities, which are those of the scored tokens; `tokens` is their fingerprint."""
    if len(logprobs) < count:
        problem = "the model has no start token, and the target has no language code"
        raise UsageError(problem, "set the first token of the target with target_prefix=")
    return TokenScores(tuple(logprobs[len(logprobs) - count :]), tokens=tokens)
