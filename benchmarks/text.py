"""Speed of sentence splitting, Moses tokens and n-gram counts, compared with the packages whose results they reproduce.

Run with `python benchmarks/text.py --data DIR`, where DIR holds `ctxpro/paper` and `contracat`. Both sides get the
same texts, in turn, and their answers are compared first: a difference ends the run. Times are of the processor, the
best of `--rounds`, each with nothing remembered from the round before.
"""

from __future__ import annotations

import argparse
import gzip
import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacremoses import MosesTokenizer
from sentence_splitter import SentenceSplitter

from referee.analysis.corpus.dataset import dataset_statistics
from referee.analysis.ngrams import bleu_counts, chrf_counts, tokenize_13a
from referee.items import Item
from referee.languages.moses import token_counter
from referee.languages.sentences import splitter
from referee.scoring.decision import matched
from referee.suites import load

Side = Callable[[], list[Any]]


def seconds(run: Side) -> tuple[float, list[Any]]:
    start = time.process_time()
    answers = run()
    return time.process_time() - start, answers


def compare(what: str, texts: int, peer: str, ours: Side, theirs: Side, *, rounds: int) -> None:
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        (our_time, answers), (their_time, wanted) = seconds(ours), seconds(theirs)
        if answers != wanted:
            raise SystemExit(f"{what}: answers differ from those of {peer}")
        times[0].append(our_time)
        times[1].append(their_time)
    best, peers = min(times[0]), min(times[1])
    name = f"{peer} {version(peer)}"
    print(f"{what:37} {texts / best:8,.0f} texts/s   {name:21} {texts / peers:7,.0f}   ratio {peers / best:4.1f}")


def split_by(make: Callable[[str], Callable[[str], list[str]]], language: str, texts: Sequence[str]) -> list[Any]:
    split = make(language)
    return [split(text) for text in texts]


def count_by(make: Callable[[str], Callable[[str], int]], texts: Sequence[tuple[str, str]]) -> list[Any]:
    counters = {language: make(language) for language in {language for language, _ in texts}}
    return [counters[language](text) for language, text in texts]


def package_split(language: str) -> Callable[[str], list[str]]:
    split: Callable[[str], list[str]] = SentenceSplitter(language=language).split
    return split


def package_count(language: str) -> Callable[[str], int]:
    tokenizer = MosesTokenizer(language)
    return lambda text: len(tokenizer.tokenize(text, escape=False))


def texts_of(items: Sequence[Item]) -> list[tuple[str, str]]:
    """All texts that `stats dataset` measures, with their languages."""
    texts = []
    for item in items:
        texts += [(item.source_lang, text) for text in (item.source, *item.source_context)]
        texts += [(item.target_lang, text) for text in item.target_context]
        texts += [(item.target_lang, candidate.text) for candidate in item.candidates]
        texts += [(item.target_lang, item.reference)] if item.reference is not None else []
    return texts


def whole(what: str, items: Sequence[Item], run: Callable[[], object], rounds: int) -> None:
    """What a command does with items that were read."""
    best = min(seconds(lambda: [run()])[0] for _ in range(rounds))
    print(f"{what:37} {len(items) / best:8,.0f} items/s")


def judged(items: Sequence[Item], outputs: Sequence[str]) -> list[Any]:
    splitters: dict[str, Any] = {}
    return [matched(item, output, splitters) for item, output in zip(items, outputs, strict=True)]


def our_bleu(outputs: Sequence[str], references: Sequence[str]) -> list[Any]:
    return list(bleu_counts(outputs, references, tokenize_13a(BLEU().tokenizer)).tolist())


def our_chrf(outputs: Sequence[str], references: Sequence[str]) -> list[Any]:
    return list(chrf_counts(outputs, references).tolist())


def package_bleu(outputs: Sequence[str], references: Sequence[str]) -> list[Any]:
    metric: Any = BLEU()
    for tokenizer in (metric.tokenizer, metric.tokenizer._post_tokenizer):
        type(tokenizer).__call__.cache_clear()  # type: ignore[attr-defined]
    return list(metric._extract_corpus_statistics(outputs, [references]))


def package_chrf(outputs: Sequence[str], references: Sequence[str]) -> list[Any]:
    return list(CHRF()._extract_corpus_statistics(outputs, [references]))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    data, rounds = arguments.data, arguments.rounds
    print(f"referee {version('referee')}, load {os.getloadavg()[0]:.1f}")
    outputs = data / "ctxpro" / "paper" / "outputs" / "deepl.mini.formality.opensubtitles.en-de.test"
    sentences = outputs.with_suffix(".test.sentences").read_text("utf-8").split("\n")[:-1]
    contexts = gzip.decompress(outputs.with_suffix(".test.contexts.gz").read_bytes()).decode("utf-8").split("\n")[:-1]
    formality = list(load("ctxpro/paper/formality/en-de", data=data))
    contrapro = list(load("contracat/contrapro", data=data))
    for what, texts in (("sentences, one a line", sentences), ("sentences, several a line", contexts)):
        sides = [partial(split_by, make, "de", texts) for make in (splitter, package_split)]
        compare(what, len(texts), "sentence-splitter", *sides, rounds=rounds)
    for what, items in (("Moses tokens, CTXPRO", formality), ("Moses tokens, ContraPro", contrapro)):
        pairs = texts_of(items)
        sides = [partial(count_by, make, pairs) for make in (token_counter, package_count)]
        compare(what, len(pairs), "sacremoses", *sides, rounds=rounds)
    references = [item.reference or "" for item in formality]
    for what, counts in (("counts of BLEU", (our_bleu, package_bleu)), ("counts of chrF", (our_chrf, package_chrf))):
        sides = [partial(count, sentences, references) for count in counts]
        compare(what, len(sentences), "sacrebleu", *sides, rounds=rounds)
    lines = [" ".join((*item.target_context, item.reference or "")) for item in contrapro]
    for what, items, texts in (("CTXPRO", formality, sentences), ("ContraPro", contrapro, lines)):
        whole(f"verdicts on translations, {what}", items, partial(judged, items, texts), rounds)
        whole(f"statistics of a set, {what}", items, partial(dataset_statistics, items, ("label",)), rounds)


if __name__ == "__main__":
    main()
