"""Scoring with local models, side by side with named peers: same machine, same run, same threads, same checkpoint.

`python benchmarks/scoring.py` runs all cases on the CPU; name some to run only those. `--device cuda` gives absolute
times on a GPU instead. `--quick` uses tiny models and few items, to try the script itself. Peers that are not
installed are left out and said to be; nmtscore needs a Python of its own (`--nmtscore-python`), as it needs
transformers 4.33. Checkpoints of real size with random weights are made in a temporary folder (`scoring_made.py`).

Each peer runs at every batch size listed for it and is credited with its best; referee runs with its defaults. Rounds
of all sides alternate, and the shortest counts. Before any timing the sides' scores are compared.
"""

# ruff: noqa: ANN401 - classes of transformers, which have no types
from __future__ import annotations

import argparse
import json
import logging
import os
import platform
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from scoring_common import HERE, SCORED, SENTENCE, Settings, Work, best, installed, left_out, made, race, row, same

import torch  # isort: skip
import transformers  # isort: skip
from scoring_time import gpu, overhead, translations  # isort: skip

from referee.models import open_model
from referee.protocols import ScorePair, ScoreText

CASES = ("masked", "pairs", "causal", "overhead")
CONTEXT = 5
PROMPT, ENDING = 100, 8


def masked(settings: Settings) -> None:
    folder = made.xlmr(settings.folder / "xlmr", settings.size("xlmr-base"))
    model: Any = open_model(f"mlm:{folder},device=cpu")
    tokenizer, network = model.loaded.tokenizer, model.loaded.model
    texts = made.Texts(tokenizer)
    sentences = [texts.sentence(SCORED) for _ in range(settings.count(8))]
    print(f"\nmasked, XLM-R-base size, {len(sentences)} sentences of {SCORED} + 2 tokens")

    def ours(count: int | None = None) -> list[float]:
        found = dict(model.score_texts([ScoreText(sentence) for sentence in sentences[:count]]))
        return [sum(found[number].logprobs) for number in sorted(found)]

    @torch.inference_mode()
    def loop(count: int | None = None) -> list[float]:
        found = []
        for sentence in sentences[:count]:
            tokens = tokenizer(sentence, return_tensors="pt").input_ids
            total = 0.0
            for place in range(1, tokens.shape[1] - 1):
                copy = tokens.clone()
                copy[0, place] = tokenizer.mask_token_id
                total += network(input_ids=copy).logits.log_softmax(-1)[0, place, tokens[0, place]].item()
            found.append(total)
        return found

    works: dict[str, Work] = {"referee": ours, "loop": loop}
    same("the loop", ours(2), loop(2))
    if mine := installed("minicons"):
        from minicons.scorer import MaskedLMScorer

        peer = MaskedLMScorer(network, "cpu", tokenizer=tokenizer)

        def theirs(size: int, count: int | None = None) -> list[float]:
            chosen = sentences[:count]
            found = []
            for start in range(0, len(chosen), size):
                # Tokenised for it: its own call of the tokenizer is one that transformers 5 no longer has.
                encoded = tokenizer(chosen[start : start + size], return_tensors="pt", padding=True)
                found += peer.sequence_score(encoded, reduction=lambda own: own.sum().item())
            return found

        same("minicons", ours(2), theirs(1, 2))
        works |= {f"minicons {mine}, {size} a batch": (lambda size=size: theirs(size)) for size in (1, 2, 4)}
    times = race(works, settings.rounds)
    row("pseudo-log-likelihood", len(sentences), times["referee"], "one forward a token", times["loop"], 10)
    if mine:
        row("pseudo-log-likelihood", len(sentences), times["referee"], *best(times, "minicons"), 3)
    else:
        left_out("minicons")


# --- encoder-decoder ------------------------------------------------------------------------------------------------


def pairs(settings: Settings) -> None:
    folder = made.marian(settings.folder / "marian", settings.size("opus-mt"))
    model: Any = open_model(f"hf:{folder},device=cpu")
    for context, count, wanted in ((CONTEXT, 40, 2.0), (0, 160, 1.0)):
        _pairs(settings, folder, model, context, settings.count(count), wanted)


def _pairs(settings: Settings, folder: Path, model: Any, context: int, count: int, wanted: float) -> None:
    asked = translations(made.Texts(model.loaded.tokenizer), count, context)
    lengths = f"{SENTENCE * (context + 1)} + 1 tokens each side, {SENTENCE * context} of them context"
    print(f"\nencoder-decoder, opus-mt size, {count} sources with 3 candidates, {lengths}")

    def ours(wanted_pairs: list[ScorePair] = asked) -> list[tuple[float, ...]]:
        found = dict(model.score_pairs(wanted_pairs))
        return [found[number].logprobs for number in range(len(wanted_pairs))]

    # The peers know no context that is not scored: they score it along with the rest.
    few = [ScorePair(pair.source, pair.given + pair.target, "en", "de") for pair in asked[:6]]
    whole = ours(few)
    ours(asked[:12])
    works: dict[str, Work] = {"referee": ours}
    if mine := installed("lm-eval"):
        logging.disable(logging.WARNING)
        from lm_eval.api.instance import Instance
        from lm_eval.models.huggingface import HFLM

        def lm_eval(size: int, some: list[ScorePair]) -> list[float]:
            peer = HFLM(model.loaded.model, backend="seq2seq", tokenizer=model.loaded.tokenizer, batch_size=size)
            requests = [
                Instance("loglikelihood", {}, (pair.source, pair.given + pair.target), number)
                for number, pair in enumerate(some)
            ]
            return [total for total, _ in peer.loglikelihood(requests, disable_tqdm=True)]

        # It does not score the end of the sentence.
        same("lm-eval", [sum(own[:-1]) for own in whole], lm_eval(4, asked[:6]))
        works |= {f"lm-eval {mine}, {size} a batch": (lambda size=size: lm_eval(size, asked)) for size in (1, 8, 32)}
    times = race(works, settings.rounds)
    what = f"3 candidates, context {context}"
    if mine:
        row(what, len(asked), times["referee"], *best(times, "lm-eval"), wanted)
    else:
        left_out("lm-eval")
    _nmtscore(settings, folder, asked, whole, what, ours, wanted)


def _nmtscore(
    settings: Settings,
    folder: Path,
    asked: list[ScorePair],
    whole: list[tuple[float, ...]],
    what: str,
    ours: Work,
    wanted: float,
) -> None:
    if not settings.nmtscore:
        left_out("nmtscore", "no --nmtscore-python")
        return
    request = {
        "folder": str(folder),
        "sources": [pair.source for pair in asked],
        "targets": [pair.given + pair.target for pair in asked],
        "batch_sizes": [1, 8, 32],
        "rounds": settings.rounds,
        "threads": settings.threads,
    }
    command = [settings.nmtscore, "-W", "ignore", str(HERE / "scoring_nmtscore.py")]
    before = race({"referee": ours}, 1)["referee"]
    done = subprocess.run(command, input=json.dumps(request), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"nmtscore failed:\n{done.stderr[-2_000:]}")
    after = race({"referee": ours}, 1)["referee"]
    found = json.loads(done.stdout.splitlines()[-1])
    # Its score is 2 to the mean natural logarithm, without the first token: where M2M100 has the language.
    from math import log2

    means = [sum(own[1:]) / len(own[1:]) for own in whole]
    same("nmtscore", means, [log2(score) for score in found["scores"][: len(whole)]])
    name = f"nmtscore {found['versions']['nmtscore']}"
    about = f"transformers {found['versions']['transformers']}, torch {found['versions']['torch']}"
    print(f"    {name} with {about}; referee before and after it: {before:.1f} s, {after:.1f} s")
    times = {f"{name}, {size} a batch": min(seconds) for size, seconds in found["times"].items()}
    row(what, len(asked), min(before, after), *best(times, "nmtscore"), wanted)


# --- causal ---------------------------------------------------------------------------------------------------------


def causal(settings: Settings) -> None:
    folder = made.gpt2(settings.folder / "gpt2", settings.size("gpt2"))
    model: Any = open_model(f"causal:{folder},device=cpu")
    texts = made.Texts(model.loaded.tokenizer)
    asked: list[tuple[str, str, str]] = []
    for number in range(settings.count(32)):
        prompt = texts.sentence(PROMPT)
        asked += [(str(number), prompt, " " + texts.sentence(ENDING)) for _ in range(2)]
    print(f"\ncausal, GPT-2 size, {len(asked) // 2} texts of {PROMPT} tokens with 2 endings of {ENDING}")

    def ours(count: int | None = None) -> list[float]:
        wanted = [ScoreText(prompt + ending, len(prompt), origin) for origin, prompt, ending in asked[:count]]
        found = dict(model.score_texts(wanted))
        return [sum(found[number].logprobs) for number in sorted(found)]

    if not (mine := installed("lm-eval")):
        left_out("lm-eval")
        return
    logging.disable(logging.WARNING)
    from lm_eval.api.instance import Instance
    from lm_eval.models.huggingface import HFLM

    def lm_eval(size: int, *, start: str = "", count: int | None = None) -> list[float]:
        peer = HFLM(model.loaded.model, backend="causal", tokenizer=model.loaded.tokenizer, batch_size=size)
        requests = [
            Instance("loglikelihood", {}, (start + prompt, ending), number)
            for number, (_, prompt, ending) in enumerate(asked[:count])
        ]
        return [total for total, _ in peer.loglikelihood(requests, disable_tqdm=True)]

    # Ours begin with the token that separates texts; theirs do once it is written out.
    same("lm-eval", ours(4), lm_eval(4, start=model.loaded.tokenizer.eos_token, count=4))
    works: dict[str, Work] = {"referee": ours}
    works |= {f"lm-eval {mine}, {size} a batch": (lambda size=size: lm_eval(size)) for size in (1, 8, 32)}
    times = race(works, settings.rounds)
    row("2 endings", len(asked), times["referee"], *best(times, "lm-eval"), 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}; all without")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--quick", action="store_true", help="tiny models and few items, to try the script")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--scale", type=float, default=1.0, help="times as many items, on the CPU")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--nmtscore-python", default=os.environ.get("NMTSCORE_PYTHON", ""), help="where nmtscore is")
    parser.add_argument("--site", help="a folder of packages for what is not installed")
    arguments = parser.parse_args()
    if unknown := set(arguments.cases) - set(CASES):
        parser.error(f"no such case: {', '.join(sorted(unknown))}")
    torch.set_num_threads(arguments.threads)
    transformers.utils.logging.disable_progress_bar()
    names = ("referee", "torch", "transformers", "tokenizers", "minicons", "lm-eval")
    versions = ", ".join(f"{name} {installed(name) or 'not installed'}" for name in names)
    load = "/".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"Python {platform.python_version()}, {versions}, {arguments.threads} threads, load {load}")
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as name:
        folder = Path(name)
        settings = Settings(
            folder,
            arguments.quick,
            arguments.rounds,
            arguments.threads,
            arguments.nmtscore_python,
            arguments.scale,
        )
        if arguments.device == "cuda":
            gpu(settings)
            return
        for case in arguments.cases or CASES:
            {"masked": masked, "pairs": pairs, "causal": causal, "overhead": overhead}[case](settings)
    print(f"load at the end {'/'.join(f'{one:.1f}' for one in os.getloadavg())}")


if __name__ == "__main__":
    main()
