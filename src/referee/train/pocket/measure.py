"""Every figure of a translator's card, from one command.

`python -m referee.train.pocket.measure DATA FOLDER`: DATA is the data folder, FOLDER what `prepare` wrote from it. It
writes `figures.json` beside the translator, puts the tables into its `CARD.md` where there is one, and prints them. The
translator is the package's own unless `--translator` names the folder of another. CTranslate2 runs it, in eight bits.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from referee import __version__, pocket
from referee.files import atomic_write
from referee.models.ct2 import open_ct2
from referee.models.pocket import Pocket, PocketTokens
from referee.models.spec import parse
from referee.pocket import store
from referee.pocket.forms import ct2_folder, vocabulary
from referee.pocket.store import Translator
from referee.train.pocket import corpus, heldout, probes
from referee.train.pocket.command import run
from referee.train.pocket.tables import put_into, tables

_OPTIONS = "compute_type=int8,inter_threads=2,intra_threads=1,tokens=3000"
SHIPPED = Path(pocket.__path__[0]) / "translator"


def measure(data: Path, folder: Path, translator: Translator) -> dict[str, Any]:
    """All figures."""
    model = opened(translator)
    test = heldout.read_test(folder)
    _say("reading the corpus")
    split = corpus.split(corpus.read(data))
    heldout.check(split, test, folder)
    known = heldout.seen(split, corpus.tatoeba(data))
    found: dict[str, Any] = {
        "translator": translator.sha256,
        "referee": __version__,
        "engine": "CTranslate2, int8, greedy",
        "seed": corpus.SEED,
    }
    _say("translating held-out documents")
    found["documents"] = heldout.measured(model, heldout.documents(test), known, _say)
    _say("translating held-out sentences")
    found["sentences"] = heldout.measured(model, heldout.single(test), known, _say)
    found["subtitles"] = heldout.measured(model, heldout.subtitles(test), known, _say)
    _say("translating with and without context")
    found["context"] = probes.context_gains(model, data, test, known, _say)
    _say("scoring templates")
    found["templates"] = probes.templates(model, data, _say)
    return found


def opened(translator: Translator) -> Pocket:
    """The translator as a model, whether or not it is the package's own."""
    tokens = PocketTokens(vocabulary(translator).processor(), translator.about["size"]["positions"])
    engine: Any = open_ct2(parse(f"ct2:{ct2_folder(translator)},{_OPTIONS}"), tokens)
    return Pocket(engine, tuple(translator.about["languages"]), translator.sha256)


def main() -> None:
    """Measures from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--translator", type=Path, default=SHIPPED, help="a folder that `export` wrote")
    arguments = parser.parse_args()
    place: Path = arguments.translator
    figures = measure(arguments.data, arguments.folder, store.read(place / store.FILE))
    with atomic_write(place / "figures.json") as file:
        file.write((json.dumps(figures, indent=1, ensure_ascii=False) + "\n").encode())
    if (card := place / "CARD.md").is_file():
        text = put_into(card.read_text(encoding="utf-8"), figures)
        with atomic_write(card) as file:
            file.write(text.encode())
    print(tables(figures))  # noqa: T201


_BEGAN = time.monotonic()


def _say(text: str) -> None:
    sys.stderr.write(f"{time.monotonic() - _BEGAN:5.0f} s  {text}\n")


if __name__ == "__main__":
    run(main)
