"""Every figure of a translator's card, from one command.

`python -m referee.train.recipes.translator.measure DATA FOLDER`: DATA is the data folder, FOLDER what `prepare` wrote
from it. It writes `figures.json` next to the translator, puts the tables into its `CARD.md` if it has one, and
prints them. The translator is the package's own unless `--translator` names the folder of another. CTranslate2 runs
it, in eight bits.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from referee import __version__, pocket
from referee.errors import InputError
from referee.io.files import atomic_write, existing
from referee.logs import logger
from referee.models.ct2.settings import Ct2Options
from referee.models.pocket import with_ct2
from referee.pocket import store
from referee.pocket.store import PocketModel
from referee.train.recipes.command import run
from referee.train.recipes.translator import corpus, heldout, probes
from referee.train.recipes.translator.tables import put_into, tables

_OPTIONS = Ct2Options("pocket", compute_type="int8", inter_threads=2, intra_threads=1, tokens=3000)
PARTS = ("films", "documents", "sentences", "subtitles", "context", "templates")
SHIPPED = Path(pocket.__path__[0]) / "translator"


def measure(data: Path, folder: Path, translator: PocketModel, parts: Collection[str] = PARTS) -> dict[str, Any]:
    """The figures of some parts, or of all."""
    model = with_ct2(translator, _OPTIONS)
    test = heldout.read_test(folder)
    logger.info("reading the corpus")
    lines = corpus.read(data)
    split = corpus.split(lines)
    heldout.check(split, test, folder)
    seen_sentences = heldout.seen(split, corpus.tatoeba(data))
    measures: dict[str, Callable[[], Any]] = {
        "films": lambda: heldout.joined_by_text(lines),
        "documents": lambda: heldout.measured(model, heldout.documents(test), seen_sentences),
        "sentences": lambda: heldout.measured(model, heldout.single(test), seen_sentences),
        "subtitles": lambda: heldout.measured(model, heldout.subtitles(test), seen_sentences),
        "context": lambda: probes.context_gains(model, data, test, seen_sentences),
        "templates": lambda: probes.templates(model, data),
    }
    figures: dict[str, Any] = {
        "translator": translator.sha256,
        "referee": __version__,
        "engine": "CTranslate2, int8, greedy",
        "seed": corpus.SEED,
    }
    for part in PARTS:
        if part in parts:
            logger.info(part)
            figures[part] = measures[part]()
    return figures


def _earlier(path: Path, translator: PocketModel) -> dict[str, Any]:
    """Figures of the same translator that were measured before."""
    figures: dict[str, Any] = json.loads(existing(path).read_text(encoding="utf-8"))
    if figures["translator"] != translator.sha256:
        raise InputError("has figures of another translator", "measure everything (remove --only)", path)
    return figures


def main() -> None:
    """Measure from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--translator", type=Path, default=SHIPPED, help="a folder that `export` wrote")
    parser.add_argument("--only", choices=PARTS, action="append", help="measure this part again and keep the others")
    arguments = parser.parse_args()
    folder: Path = arguments.translator
    translator = store.read(folder / store.TRANSLATOR.file, store.TRANSLATOR)
    before = _earlier(folder / "figures.json", translator) if arguments.only else {}
    figures = before | measure(arguments.data, arguments.folder, translator, arguments.only or PARTS)
    with atomic_write(folder / "figures.json") as file:
        file.write((json.dumps(figures, indent=1, ensure_ascii=False) + "\n").encode())
    if (card := folder / "CARD.md").is_file():
        text = put_into(card.read_text(encoding="utf-8"), figures)
        with atomic_write(card) as file:
            file.write(text.encode())
    print(tables(figures))  # noqa: T201


if __name__ == "__main__":
    run(main)
