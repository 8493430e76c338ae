"""nmtscore's part of `scoring.py`, run by a Python of its own: it needs transformers 4.33.

Reads a JSON object from standard input: `folder`, `sources`, `targets`, `batch_sizes`, `rounds`, `threads`. Writes the
seconds of each round by batch size, the scores, and the versions. nmtscore has no class for Marian; the one below
changes nothing but what is loaded.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path

import torch
from nmtscore.models.m2m100 import M2M100Model
from transformers import MarianMTModel, MarianTokenizer


class MarianModel(M2M100Model):
    def _load_tokenizer(self) -> MarianTokenizer:
        folder = Path(self.model_name_or_path)
        files = {"source_spm": "source.spm", "target_spm": "target.spm", "vocab": "vocab.json"}
        paths = {name: str(folder / file) for name, file in files.items()}
        return MarianTokenizer(**paths, source_lang="en", target_lang="de", model_max_length=512)

    def _load_model(self) -> MarianMTModel:
        return MarianMTModel.from_pretrained(self.model_name_or_path)


def main() -> None:
    asked = json.load(sys.stdin)
    torch.set_num_threads(asked["threads"])
    model = MarianModel(asked["folder"])

    def score(count: int | None, batch_size: int) -> list[float]:
        sources, targets = asked["sources"][:count], asked["targets"][:count]
        return model.score("de", sources, targets, src_lang="en", batch_size=batch_size)

    found: list[float] = []
    times: dict[int, list[float]] = {size: [] for size in asked["batch_sizes"]}
    score(2 * max(times), max(times))
    for _ in range(asked["rounds"]):
        for size, seconds in times.items():
            began = time.perf_counter()
            found = score(None, size)
            seconds.append(time.perf_counter() - began)
    versions = {name: version(name) for name in ("nmtscore", "transformers", "torch")}
    json.dump({"times": times, "scores": found, "versions": versions}, sys.stdout)


if __name__ == "__main__":
    main()
