"""The verdict on a model's answer to an item, and the Parquet file that stores verdicts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

import msgspec

from referee.items import Item, SetOrigin

if TYPE_CHECKING:
    import pyarrow as pa

Kind = Literal["contrastive", "generative"]
Rule = Literal["paper", "token"]
Means = Literal["pronoun", "other", "none"]
"""How a translation renders a pronoun without an antecedent: by a pronoun, correctly by other means, or not at all."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The result of one item.

    Contrastive: `scores` per candidate, `choice` the best one unless the best is `tied`. Generative: the `output` that
    was searched, and whether an expected form was `found` in it by each rule; where no form is expected, the `choice`
    of the candidate whose words are in it, `tied` where those of several are. `antecedent` says whether the noun that
    the pronoun stands for is in the translation of the context, where that is known. `correct` is None where there is
    no gold, where the item could not be evaluated (`dropped` says why), and where it is `not_applicable`. `means` is
    for items whose pronoun has no noun as antecedent (it rains): how a translation renders it. `truncated`: the
    translation reached the model's limit of tokens.
    """

    item: str
    kind: Kind
    correct: bool | None = None
    dropped: str | None = None
    tied: bool = False
    choice: int | None = None
    scores: tuple[float, ...] = ()
    ranks: tuple[int, ...] = ()
    token_scores: tuple[tuple[float, ...], ...] = ()
    output: str | None = None
    found: dict[Rule, bool] = {}
    antecedent: bool | None = None
    means: Means | None = None
    truncated: bool = False

    @property
    def not_applicable(self) -> bool:
        """Whether nothing in the translation corresponds to the pronoun, so that nothing can be decided."""
        return self.means == "none"

    def right(self, rule: Rule | None) -> bool | None:
        """Whether the item is correct by a matching rule; an item without expected forms has one verdict for all."""
        return self.correct if rule is None else self.found.get(rule, self.correct)


@dataclass(frozen=True)
class Judged:
    """One set evaluated one way: its items with their verdicts in the same order; `origin` names its original set."""

    suite: str
    kind: Kind
    items: Sequence[Item]
    verdicts: Sequence[Verdict]
    origin: SetOrigin | None = None

    def __iter__(self) -> Iterator[tuple[Item, Verdict]]:
        return zip(self.items, self.verdicts, strict=True)

    def __len__(self) -> int:
        return len(self.items)


@contextmanager
def writing(file: IO[bytes]) -> Iterator[Callable[[str, Sequence[Verdict]], None]]:
    """A function that appends the verdicts on items of a suite to a Parquet file, one row group per call.

    One row per candidate (contrastive) or per output (generative).
    """
    import pyarrow.parquet as pq

    with pq.ParquetWriter(file, _schema(), compression="zstd") as writer:
        yield lambda suite, verdicts: writer.write_table(_table(suite, verdicts))


def read(path: Path, *, tokens: bool = True) -> Iterator[tuple[str, Verdict]]:
    """Yield suite and verdict; without `tokens` the scores of single tokens, most of the file, are not read."""
    import pyarrow.parquet as pq

    names = [name for name in _schema().names if tokens or name not in _OF_TOKENS]
    # Opened here: Arrow takes no name that is not UTF-8.
    with path.open("rb") as opened, pq.ParquetFile(opened) as file:
        for group in range(file.num_row_groups):
            table = file.read_row_group(group, names)
            yield from _verdicts({name: table.column(name).to_pylist() for name in names})


_OF_TOKENS = ("token_scores", "total", "length")


@cache
def _schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema(
        [
            ("suite", pa.string()),
            ("item", pa.string()),
            ("kind", pa.string()),
            ("candidate", pa.int32()),
            ("score", pa.float64()),
            ("total", pa.float64()),
            ("token_scores", pa.list_(pa.float64())),
            ("length", pa.int32()),
            ("rank", pa.int32()),
            ("tie", pa.bool_()),
            ("correct", pa.bool_()),
            ("dropped", pa.string()),
            ("output", pa.string()),
            ("found_paper", pa.bool_()),
            ("found_token", pa.bool_()),
            ("choice", pa.int32()),
            ("antecedent", pa.bool_()),
            ("means", pa.string()),
            ("truncated", pa.bool_()),
        ],
        metadata={"referee.verdicts": "3"},
    )


def _table(suite: str, verdicts: Sequence[Verdict]) -> pa.Table:
    """The rows of some verdicts; a column that does not apply to a kind of verdict has nulls there."""
    import pyarrow as pa

    schema = _schema()
    rows = [(verdict, candidate) for verdict in verdicts for candidate in (range(len(verdict.scores)) or (None,))]
    columns: dict[str, list[Any]] = {
        "suite": [suite] * len(rows),
        "item": [verdict.item for verdict, _ in rows],
        "kind": [verdict.kind for verdict, _ in rows],
        "tie": [verdict.tied for verdict, _ in rows],
        "correct": [verdict.correct for verdict, _ in rows],
        "dropped": [verdict.dropped for verdict, _ in rows],
        "choice": [verdict.choice for verdict, _ in rows],
        "output": [verdict.output for verdict, _ in rows],
        "antecedent": [verdict.antecedent for verdict, _ in rows],
        "means": [verdict.means for verdict, _ in rows],
        "truncated": [verdict.truncated for verdict, _ in rows],
        "found_paper": [verdict.found.get("paper") for verdict, _ in rows],
        "found_token": [verdict.found.get("token") for verdict, _ in rows],
    }
    if any(candidate is not None for _, candidate in rows):
        tokens = [
            verdict.token_scores[candidate] if verdict.token_scores and candidate is not None else None
            for verdict, candidate in rows
        ]
        ranked = [
            pair
            for verdict in verdicts
            for pair in zip(verdict.scores or (None,), verdict.ranks or (None,), strict=True)
        ]
        columns |= {
            "candidate": [candidate for _, candidate in rows],
            "score": [score for score, _ in ranked],
            "rank": [rank for _, rank in ranked],
            "token_scores": tokens,
            "total": [None if scores is None else math.fsum(scores) for scores in tokens],
            "length": [None if scores is None else len(scores) for scores in tokens],
        }
    arrays = [
        pa.array(columns[field.name], field.type) if field.name in columns else pa.nulls(len(rows), field.type)
        for field in schema
    ]
    return pa.table(arrays, schema)


def _verdicts(columns: dict[str, list[Any]]) -> Iterator[tuple[str, Verdict]]:
    """The verdicts of a row group: rows of one item follow each other."""
    suites, items = columns["suite"], columns["item"]
    start, rows = 0, len(items)
    while start < rows:
        suite, item = suites[start], items[start]
        end = start + 1
        while end < rows and items[end] == item and suites[end] == suite:
            end += 1
        yield suite, _verdict(columns, start, end)
        start = end


def _verdict(columns: dict[str, list[Any]], start: int, end: int) -> Verdict:
    item, kind, dropped = columns["item"][start], columns["kind"][start], columns["dropped"][start]
    if dropped is not None:
        return Verdict(item=item, kind=kind, dropped=dropped)
    if kind == "generative":
        paper = columns["found_paper"][start]
        return Verdict(
            item=item,
            kind="generative",
            correct=columns["correct"][start],
            tied=columns["tie"][start],
            choice=columns["choice"][start],
            output=columns["output"][start],
            found={} if paper is None else {"paper": paper, "token": columns["found_token"][start]},
            antecedent=columns["antecedent"][start],
            means=columns["means"][start],
            truncated=columns["truncated"][start],
        )
    tokens = columns.get("token_scores")
    return Verdict(
        item=item,
        kind="contrastive",
        correct=columns["correct"][start],
        tied=columns["tie"][start],
        choice=columns["choice"][start],
        scores=tuple(columns["score"][start:end]),
        ranks=tuple(columns["rank"][start:end]),
        token_scores=tuple(map(tuple, tokens[start:end])) if tokens and tokens[start] is not None else (),
    )
