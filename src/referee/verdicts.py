"""What a model said about an item, and the Parquet file that keeps it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

import msgspec

if TYPE_CHECKING:
    import pyarrow as pa

Kind = Literal["contrastive", "generative"]
Rule = Literal["paper", "token"]


class Verdict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One item judged.

    Contrastive: `scores` per candidate, `choice` the best one unless the best is `tied`. Generative: the `output` that
    was looked at, and whether an expected form was `found` in it by each rule; where no form is expected, the `choice`
    of the candidate whose words are in it, `tied` where those of several are. `antecedent` says whether the noun that
    the pronoun stands for is in the translation of the context, where that is known. `correct` is None where there is
    no gold, and where the item could not be judged: `dropped` says why.
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

    def right(self, rule: Rule | None) -> bool | None:
        """Whether it is right by a matching rule; an item that names no form was judged without one."""
        return self.correct if rule is None else self.found.get(rule, self.correct)


def write(parts: Iterable[tuple[str, list[Verdict]]], file: IO[bytes]) -> None:
    """A row per candidate (contrastive) or per output (generative); each part, a suite's, is one row group."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetWriter(file, _schema(), compression="zstd") as writer:
        for suite, verdicts in parts:
            rows = [row for verdict in verdicts for row in _rows(suite, verdict)]
            writer.write_table(pa.Table.from_pylist(rows, _schema()))


def read(path: Path, *, tokens: bool = True) -> Iterator[tuple[str, Verdict]]:
    """Suite and verdict, one by one; without `tokens` the scores of single tokens, most of the file, are left out."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        names = file.schema_arrow.names
        columns = None if tokens else [name for name in names if name not in ("token_scores", "total", "length")]
        for group in range(file.num_row_groups):
            yield from _verdicts(file.read_row_group(group, columns).to_pylist())


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
        ],
        metadata={"referee.verdicts": "1"},
    )


def _rows(suite: str, verdict: Verdict) -> Iterator[dict[str, Any]]:
    shared = {
        "suite": suite,
        "item": verdict.item,
        "kind": verdict.kind,
        "tie": verdict.tied,
        "correct": verdict.correct,
        "dropped": verdict.dropped,
        "choice": verdict.choice,
    }
    for candidate, (score, rank) in enumerate(zip(verdict.scores, verdict.ranks, strict=True)):
        row = shared | {"candidate": candidate, "score": score, "rank": rank}
        if verdict.token_scores:
            tokens = verdict.token_scores[candidate]
            row |= {"token_scores": tokens, "total": math.fsum(tokens), "length": len(tokens)}
        yield row
    if not verdict.scores:
        own = {"output": verdict.output, "antecedent": verdict.antecedent}
        yield shared | own | {f"found_{rule}": hit for rule, hit in verdict.found.items()}


def _verdicts(rows: list[dict[str, Any]]) -> Iterator[tuple[str, Verdict]]:
    start = 0
    while start < len(rows):
        first = rows[start]
        end = start + 1
        while end < len(rows) and rows[end]["item"] == first["item"] and rows[end]["suite"] == first["suite"]:
            end += 1
        yield first["suite"], _verdict(rows[start:end])
        start = end


def _verdict(rows: list[dict[str, Any]]) -> Verdict:
    first = rows[0]
    if first["dropped"] is not None:
        return Verdict(item=first["item"], kind=first["kind"], dropped=first["dropped"])
    if first["kind"] == "generative":
        found: dict[Rule, bool] = {}
        if first["found_paper"] is not None:
            found = {"paper": first["found_paper"], "token": first["found_token"]}
        return Verdict(
            item=first["item"],
            kind="generative",
            correct=first["correct"],
            tied=first["tie"],
            # Files of earlier versions have no such columns.
            choice=first.get("choice"),
            output=first["output"],
            found=found,
            antecedent=first.get("antecedent"),
        )
    ranks = tuple(row["rank"] for row in rows)
    return Verdict(
        item=first["item"],
        kind="contrastive",
        correct=first["correct"],
        tied=first["tie"],
        choice=None if first["tie"] else ranks.index(1),
        scores=tuple(row["score"] for row in rows),
        ranks=ranks,
        token_scores=tuple(tuple(row["token_scores"]) for row in rows) if first.get("token_scores") is not None else (),
    )
