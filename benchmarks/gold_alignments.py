"""Precision, recall and F1 of aligners on sentences aligned by hand, and their speed.

Run with `python benchmarks/gold_alignments.py --data DIR [--with pocket eflomal ...]`, where DIR holds `align/`. Each
aligner gets all pairs of a set at once, then ten at a time; speed is pairs per second of CPU time, for all at once.
`--files FOLDER` measures the aligner and the encoder of a folder (`aligner.npz`, `encoder.npz`) as `pocket`.

Tokens are those of the gold files. Precision counts sure and possible links, recall the sure ones. XL-WA may be used
for measuring only (CC BY-NC-SA). The weighing of the pocket aligner was learned from ALIBI: its figure there is not a
test.
"""

from __future__ import annotations

import argparse
import json
import resource
from collections.abc import Iterator
from pathlib import Path

from referee.annotate.align.pocket import open_model
from referee.annotate.protocols import Aligner, Links, SentencePair
from referee.annotate.registry import open_aligner
from referee.pocket import store
from referee.train.recipes.aligner.gold import Gold, alibi, in_columns, in_three_files, scores

TOGETHER = 10


def gold_sets(data: Path) -> Iterator[tuple[str, str, list[Gold]]]:
    folder = data / "align"
    for language in ("es", "it", "pt", "ru"):
        yield "XL-WA", language, in_columns(folder / f"xl-wa/en-{language}.test.tsv")
    for language in ("es", "fr", "pt"):
        yield "Golden Collection", language, in_columns(folder / f"golden-collection/en-{language}.sure.tsv")
    yield "Hansards", "fr", in_columns(folder / "hansards/en-fr.sure.tsv")
    bicici = folder / "bicici-de-en"
    yield "Bicici", "de", in_three_files(bicici / "test.en", bicici / "test.de", bicici / "de-en.wa", turned=True)
    yield "ALIBI", "fr", alibi(folder / "alibi-fr-en")


def cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def in_parts(aligner: Aligner, pairs: list[SentencePair], language: str, size: int) -> list[Links]:
    return [
        links
        for start in range(0, len(pairs), size)
        for links in aligner.align(pairs[start : start + size], "en", language)
    ]


def opened(name: str, files: Path | None) -> Aligner:
    if files is None or not name.startswith("pocket"):
        return open_aligner(name)
    models = [store.read(files / kind.file, kind) for kind in (store.ALIGNER, store.ENCODER)]
    return open_model(*models, adapts=name == "pocket:adapt")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--with", dest="names", nargs="*", default=["pocket"])
    parser.add_argument("--files", type=Path)
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    arguments = parser.parse_args()
    sets = list(gold_sets(arguments.data))
    figures = []
    print("| set | pairs | aligner | at once P / R / F1 | ten at a time P / R / F1 | pairs/s |")
    print("|---|---|---|---|---|---|")
    for name in arguments.names:
        aligner = opened(name, arguments.files)
        aligner.align([sets[0][2][0].pair], "en", sets[0][1])
        for title, language, gold in sets:
            pairs = [one.pair for one in gold]
            start = cpu()
            links = in_parts(aligner, pairs, language, len(pairs))
            speed = len(pairs) / (cpu() - start)
            whole, parts = scores(links, gold), scores(in_parts(aligner, pairs, language, TOGETHER), gold)
            shown = [" / ".join(f"{value:.3f}"[1:] for value in figure) for figure in (whole, parts)]
            print(
                f"| {title} en-{language} | {len(pairs)} | {aligner.name} | {shown[0]} | {shown[1]} | {speed:.0f} |",
                flush=True,
            )
            figures.append(
                {"set": title, "language": language, "aligner": name, "at once": whole, "by ten": parts, "speed": speed}
            )
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
