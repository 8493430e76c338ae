"""Salience by prediction difference, side by side with one plain forward pass a source word, as published code does it.

`python benchmarks/salience.py` explains 1,000 items with a checkpoint of opus-mt size, random weights made on the spot.
The loop calls the whole model once for each source token with its embedding at zeros, one item at a time, with logits
over the whole target; it runs on the first `--loop` items, and rates are compared. `--quick` tries the script itself.
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
import time
from pathlib import Path
from typing import Any

from scoring_common import installed, made, row

import torch  # isort: skip
import transformers  # isort: skip

from referee.models import open_model
from referee.models.explain.prediction_difference import taken_away
from referee.protocols import Explanation, InTranslation, ScorePair

SHORTEST, LONGEST = 14, 22
TOLERANCE = 1e-3
SHARPER = 4


def questions(texts: made.Texts, count: int) -> list[InTranslation]:
    """Sentences of about 18 words; the word to explain stands anywhere in the second half, as "it" does."""
    found = []
    for _ in range(count):
        source = texts.sentence(texts.length(SHORTEST, LONGEST))
        target = texts.sentence(length := texts.length(SHORTEST, LONGEST)).split()
        place = texts.length(length // 2, length - 1)
        start = len(" ".join([*target[:place], ""]))
        words, end = [], 0
        for word in source.split():
            words.append((end, end + len(word)))
            end += len(word) + 1
        pair = ScorePair(source, " ".join(target), "en", "de")
        found.append(InTranslation(pair, start, start + len(target[place]), tuple(words)))
    return found


@torch.inference_mode()
def loop(network: Any, tokenizer: Any, asked: list[InTranslation]) -> list[list[float]]:  # noqa: ANN401
    """The loop: every word is one token, so words and tokens are the same."""
    found = []
    for each in asked:
        source = tokenizer(each.pair.source, return_tensors="pt").to(network.device)
        labels = tokenizer(text_target=each.pair.target).input_ids
        inputs = torch.tensor([[network.config.decoder_start_token_id, *labels[:-1]]], device=network.device)
        place = each.pair.target[: each.start].count(" ")
        probabilities = []
        for removed in (None, *range(len(each.words))):
            with taken_away(network.get_encoder().get_input_embeddings(), [removed]):
                encoded = network.get_encoder()(**source)
            logits = network(attention_mask=source.attention_mask, encoder_outputs=encoded, decoder_input_ids=inputs)
            probabilities.append(logits.logits.softmax(-1)[0, place, labels[place]].item())
        found.append([probabilities[0] - own for own in probabilities[1:]])
    return found


def ours(model: Any, asked: list[InTranslation]) -> list[Explanation]:  # noqa: ANN401
    found = dict(model.explain(asked))
    return [found[number] for number in range(len(asked))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=1_000)
    parser.add_argument("--loop", type=int, default=100, help="items of the loop")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--quick", action="store_true", help="a tiny model and few items, to try the script")
    parser.add_argument("--site", help="a folder of packages for what is not installed")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    transformers.utils.logging.disable_progress_bar()
    names = ("referee", "torch", "transformers")
    load = "/".join(f"{one:.1f}" for one in os.getloadavg())
    versions = ", ".join(f"{name} {installed(name) or 'not installed'}" for name in names)
    print(
        f"Python {platform.python_version()}, {versions}, {arguments.threads} threads, {arguments.device}, load {load}"
    )
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as name:
        folder = made.marian(Path(name) / "marian", (made.QUICK if arguments.quick else made.SIZES)["opus-mt"])
        model: Any = open_model(f"hf:{folder},device={arguments.device},dtype=float32")
        # Fresh weights predict everything alike; with these, words matter, and results can be compared.
        model.loaded.model.get_input_embeddings().weight.data.mul_(SHARPER)
        asked = questions(made.Texts(model.loaded.tokenizer), 8 if arguments.quick else arguments.items)
        few = asked[: arguments.loop]
        print(f"{len(asked)} items, {sum(len(each.words) for each in asked) / len(asked):.1f} source words each")
        ours(model, asked[:4])
        loop(model.loaded.model, model.loaded.tokenizer, asked[:1])
        # The loop runs in two halves, before and after: what else the machine does then hits both sides.
        half = max(1, len(few) // 2)
        began = time.perf_counter()
        plain = loop(model.loaded.model, model.loaded.tokenizer, few[:half])
        halfway = time.perf_counter()
        explained = ours(model, asked)
        done = time.perf_counter()
        plain += loop(model.loaded.model, model.loaded.tokenizer, few[half:])
        theirs = (halfway - began) + (time.perf_counter() - done)
    pairs = [
        ((value or 0.0) / each.probability, other / each.probability)
        for each, own in zip(explained, plain, strict=False)
        for value, other in zip(each.values, own, strict=True)
    ]
    worst = max(abs(one - other) for one, other in pairs)
    typical = sorted(abs(one) for one, _ in pairs)[len(pairs) // 2]
    print(f"of a word's probability, {typical:.1%} go with the word in the middle; the loop agrees within {worst:.0e}")
    if worst > TOLERANCE:
        raise SystemExit("the loop computes something else")
    print(f"referee: {done - halfway:.1f} s for {len(asked)} items; the loop: {theirs:.1f} s for {len(few)}")
    row("salience, opus-mt size", len(asked), done - halfway, "the loop", theirs * len(asked) / len(few), 3)


if __name__ == "__main__":
    main()
