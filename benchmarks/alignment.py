"""Speed and accuracy of the word aligner on `it`, compared with eflomal if that is installed.

Run with `python benchmarks/alignment.py --data DIR`, where DIR holds `parallel/tatoeba` and
`parallel/tatoeba-challenge`. With `--eflomal PROGRAM` (its `eflomal-align`) the same pairs are aligned by eflomal, in
both directions, and joined in the same way. There is no gold alignment of these sentences; what can be known without:

- found: where the source has one `it` and no other person, and the target exactly one pronoun, the two belong together;
- false: where the source has `it` and one `he` (or `she`), and the target one `er` (or `sie`), they do not.
"""

from __future__ import annotations

import argparse
import gzip
import resource
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from referee.analysis.corpus.pronoun_counts import LEARN_FROM, LONGEST
from referee.annotate.align.aligner import learn
from referee.annotate.align.blocks import Pair
from referee.annotate.align.corpus import evenly
from referee.annotate.align.links import Link, grow_diag_final_and, read_pharaoh
from referee.annotate.align.tokens import token_spans, words

CORPORA = {
    "de": ("tatoeba/eng-deu.tsv.gz", {"er": "m", "sie": "f", "es": "n"}, {"he": "er", "she": "sie"}),
    "fr": ("tatoeba/eng-fra.tsv.gz", {"il": "m", "elle": "f"}, {"he": "il", "she": "elle"}),
    "ru": (
        "tatoeba-challenge/eng-rus.devtest.tsv.gz",
        {"он": "m", "она": "f", "оно": "n"},
        {"he": "он", "she": "она"},
    ),
    "es": ("tatoeba/eng-spa.tsv.gz", {"él": "m", "ella": "f"}, {"he": "él", "she": "ella"}),
}
PERSONS = {"he", "she", "they", "you", "him", "her", "them", "his", "hers", "their", "who", "one"}

Alignment = Sequence[Sequence[Link]]


def read(path: Path, language: str) -> list[Pair]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        rows = [line.rstrip("\n").split("\t")[-2:] for line in file]
    pairs = [(words(a, token_spans(a, "en")), words(b, token_spans(b, language))) for a, b in rows]
    return [pair for pair in pairs if all(0 < len(side) <= LONGEST for side in pair)]


def judge(name: str, language: str, pairs: Sequence[Pair], links: Alignment) -> None:
    _, genders, persons = CORPORA[language]
    found: Counter[str] = Counter()
    there: Counter[str] = Counter()
    false = possible = 0
    for (source, target), own in zip(pairs, links, strict=True):
        if source.count("it") != 1:
            continue
        it = source.index("it")
        pronouns = [place for place, word in enumerate(target) if word in genders]
        if PERSONS.isdisjoint(source) and len(pronouns) == 1:
            gender = genders[target[pronouns[0]]]
            there[gender] += 1
            found[gender] += (it, pronouns[0]) in own
        for person, pronoun in persons.items():
            if source.count(person) == 1 == target.count(pronoun) and not {"you", "they", "them", "her"} & set(source):
                possible += 1
                false += (it, target.index(pronoun)) in own
    shares = ", ".join(
        f"{gender} {100 * found[gender] / there[gender]:.1f} % of {there[gender]}" for gender in genders.values()
    )
    print(f"{language} {name}: found {shares}; false {false} of {possible}; {sum(map(len, links))} links")


def by_eflomal(program: str, pairs: Sequence[Pair]) -> Alignment:
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: Path(folder, name) for name in ("s", "t", "f", "r")}
        for side, name in enumerate(("s", "t")):
            paths[name].write_text("".join(" ".join(pair[side]) + "\n" for pair in pairs), encoding="utf-8")
        options = [part for name, path in paths.items() for part in (f"-{name}", str(path))]
        subprocess.run([program, *options, "--overwrite"], check=True)
        forward, backward = (
            [
                read_pharaoh(line, len(source), len(target))
                for line, (source, target) in zip(
                    paths[name].read_text(encoding="utf-8").splitlines(), pairs, strict=True
                )
            ]
            for name in ("f", "r")
        )
    return [grow_diag_final_and(one, other) for one, other in zip(forward, backward, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--eflomal")
    parser.add_argument("--languages", nargs="*", default=list(CORPORA))
    arguments = parser.parse_args()
    for language in arguments.languages:
        pairs = read(arguments.data / "parallel" / CORPORA[language][0], language)
        start = time.perf_counter()
        aligner = learn([pair for pair, chosen in zip(pairs, evenly(len(pairs), LEARN_FROM), strict=True) if chosen])
        learned = time.perf_counter()
        ours = aligner.align(pairs)
        aligned = time.perf_counter()
        print(
            f"{language}: {len(pairs)} pairs; learned in {learned - start:.1f} s, "
            f"aligned in {aligned - learned:.1f} s, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.1f} GB"
        )
        judge("ours", language, pairs, ours)
        if arguments.eflomal:
            start = time.perf_counter()
            theirs = by_eflomal(arguments.eflomal, pairs)
            print(f"{language}: eflomal in {time.perf_counter() - start:.1f} s")
            judge("eflomal", language, pairs, theirs)
            same = sum(len(set(one) & set(other)) for one, other in zip(ours, theirs, strict=True))
            both = sum(map(len, ours)) + sum(map(len, theirs))
            print(f"{language}: links in common, F1 {2 * same / both:.3f}")


if __name__ == "__main__":
    main()
