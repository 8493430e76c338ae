"""A folder with inputs of every command and two runs, and the commands that write files or read runs."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from referee import sets
from referee.runs.evaluate import score
from tests.support.twins import twins


@dataclass(frozen=True)
class Writing:
    """A command that writes: its arguments with `OUT` where the output stands, and a name for that."""

    arguments: Sequence[str]
    out: str
    inputs: Sequence[str] = ("x.jsonl",)
    folder: bool = False

    def to(self, out: str) -> list[str]:
        """The arguments with an output."""
        return [argument.replace("OUT", out) for argument in self.arguments]


CONTEXT = {"source_context": ("Look at the thing.",), "target_context": ("Sieh dir das Ding an.",)}
PRIORS = ("estimate", "priors", "c.en", "c.de", "--target-lang", "de", "--alignment", "c.links")
WRITING: Mapping[str, Writing] = {
    "perturb": Writing(("perturb", "x.jsonl", "phrase/he-said", "--out", "OUT"), "y.jsonl"),
    "perturb.gz": Writing(("perturb", "x.jsonl", "phrase/he-said", "--out", "OUT"), "y.jsonl.gz"),
    "perturb.parquet": Writing(("perturb", "x.jsonl", "phrase/he-said", "--out", "OUT"), "y.parquet"),
    "templates": Writing(("build", "templates", "gender", "--lang", "fr", "--out", "OUT"), "fr.jsonl", ()),
    "twins": Writing(("build", "twins", "x.jsonl", "--by", "order", "--out", "OUT"), "pairs.jsonl"),
    "priors": Writing((*PRIORS, "--out", "OUT"), "priors.json", ("c.en", "c.de", "c.links")),
    "annotate": Writing(("annotate", "c.en", "--lang", "en", "--with", "tiny", "--out", "OUT"), "en.conllu", ("c.en",)),
    "annotate.gz": Writing(
        ("annotate", "c.en", "--lang", "en", "--with", "tiny", "--out", "OUT"), "en.conllu.gz", ("c.en",)
    ),
    "flips": Writing(("compare", "A", "B", "--flips-out", "OUT"), "flips.jsonl", ("A", "B")),
    "report": Writing(("report", "A", "--out", "OUT"), "page.html", ("A",)),
    "tables": Writing(("report", "A", "--out", "p.html", "--tables", "OUT"), "tables", ("A",), folder=True),
    "eval": Writing(("eval", "scores:a", "x.jsonl", "--out", "OUT"), "run", ("x.jsonl", "a"), folder=True),
}
READING: Mapping[str, Sequence[str]] = {
    "diagnose": ("diagnose", "A"),
    "diagnose --json": ("diagnose", "A", "--json"),
    "compare": ("compare", "A", "B"),
    "report": ("report", "A", "--out", "read.html"),
}
REPAIR = ("eval", "scores:a", "x.jsonl", "--out", "A")
"""The command that made the run A."""


def fill(folder: Path) -> Path:
    """Write the inputs and the runs A and B."""
    items = [msgspec.structs.replace(item, **CONTEXT) for item in twins()]
    sets.save(items, folder / "x.jsonl")
    draws = random.Random(3)
    for name, rate in (("a", 0.8), ("b", 0.4)):
        lines = []
        for item in items:
            best = item.gold if draws.random() < rate else 1
            lines += [f"{draws.random() + (place == best):.6f}" for place in range(3)]
        (folder / name).write_text("\n".join(lines) + "\n")
    (folder / "c.en").write_text("It broke .\nI saw it .\n" * 4)
    (folder / "c.de").write_text("Sie zerbrach .\nIch sah es .\n" * 4)
    (folder / "c.links").write_text("0-0 1-1 2-2\n0-0 1-1 2-2 3-3\n" * 4)
    return folder


def content(folder: Path) -> dict[str, bytes]:
    """Every file in a folder, by its path there."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def stored(folder: Path) -> dict[str, bytes]:
    """What a run holds, without times: the same for every way to the same run."""
    return {name: text for name, text in content(folder).items() if name not in ("run.json", ".lock")}


def add_runs() -> None:
    """The runs A and B in the current folder, as the command line makes them."""
    for name in ("a", "b"):
        model, out = f"scores:{name}", name.upper()
        command = ["referee", "eval", model, "x.jsonl", "--out", out]
        score("x.jsonl", scores=name, out=out, command=command, name=model)
