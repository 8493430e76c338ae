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
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

_HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(_HERE.parent / "src"))
if "--site" in sys.argv:  # behind what is installed: only what is missing comes from there
    sys.path.append(str(Path(sys.argv[sys.argv.index("--site") + 1]).resolve()))
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("TQDM_DISABLE", "1")

import scoring_made as made  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402

from referee.items import Candidate, Item  # noqa: E402
from referee.models import open_model  # noqa: E402
from referee.models import seq2seq as seq2seq_module  # noqa: E402
from referee.models.requests import Pair, Text  # noqa: E402
from referee.runs import evaluate as runs_evaluate  # noqa: E402
from referee.runs.folder import CHUNK_OF_MODELS  # noqa: E402
from referee.scoring.cache import open_cache  # noqa: E402
from referee.scoring.computing import computed  # noqa: E402
from referee.scoring.options import ScoringOptions  # noqa: E402
from referee.sets import ChallengeSet  # noqa: E402

CASES = ("masked", "pairs", "causal", "overhead")
SCORED = 24
"""Tokens of a sentence whose pseudo-log-likelihood is asked, the two special ones not counted."""
SENTENCE = 15
CONTEXT = 5
PROMPT, ENDING = 100, 8
TOLERANCE = 2e-3

Work = Callable[[], object]


@dataclass(frozen=True)
class Settings:
    """What the command line says."""

    folder: Path
    quick: bool
    rounds: int
    threads: int
    nmtscore: str
    scale: float = 1.0

    def size(self, name: str) -> made.Size:
        return (made.QUICK if self.quick else made.SIZES)[name]

    def count(self, full: int) -> int:
        return min(full, 4) if self.quick else max(2, round(full * self.scale))


def installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def race(works: dict[str, Work], rounds: int) -> dict[str, float]:
    """The shortest of some rounds of each, in seconds; sides take turns."""
    found: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            began = time.perf_counter()
            work()
            found[name].append(time.perf_counter() - began)
    return {name: min(times) for name, times in found.items()}


def row(what: str, items: int, ours: float, peer: str, theirs: float, wanted: float) -> None:
    ratio = theirs / ours
    verdict = "reached" if ratio >= wanted else "MISSED"
    rates = f"referee {items / ours:8.2f}/s   {peer} {items / theirs:8.2f}/s"
    print(f"  {what:<34} {rates}   {ratio:5.2f} x (wanted {wanted:g}: {verdict})", flush=True)


def best(times: dict[str, float], peer: str) -> tuple[str, float]:
    """A peer's best batch size and its seconds; the others are printed too."""
    own = {name: seconds for name, seconds in times.items() if name.startswith(peer)}
    name = min(own, key=own.__getitem__)
    if len(own) > 1:
        print("    " + ", ".join(f"{other}: {seconds:.1f} s" for other, seconds in own.items()))
    return name, own[name]


def same(what: str, ours: Sequence[float], theirs: Sequence[float]) -> None:
    """Refuses to compare the speed of things that are not the same."""
    worst = max(abs(one - other) for one, other in zip(ours, theirs, strict=True))
    print(f"    scores of {what} differ from ours by {worst:.1e} at most")
    if worst > TOLERANCE:
        raise SystemExit(f"{what} scores something else")


def left_out(name: str, why: str = "not installed here") -> None:
    print(f"  {name}: {why}, left out")


# --- masked ---------------------------------------------------------------------------------------------------------


def masked(settings: Settings) -> None:
    folder = made.xlmr(settings.folder / "xlmr", settings.size("xlmr-base"))
    model: Any = open_model(f"mlm:{folder},device=cpu")
    tokenizer, network = model.loaded.tokenizer, model.loaded.model
    texts = made.Texts(tokenizer)
    sentences = [texts.sentence(SCORED) for _ in range(settings.count(8))]
    print(f"\nmasked, XLM-R-base size, {len(sentences)} sentences of {SCORED} + 2 tokens")

    def ours(count: int | None = None) -> list[float]:
        found = dict(model.score_texts([Text(sentence) for sentence in sentences[:count]]))
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


def translations(texts: made.Texts, count: int, context: int) -> list[Pair]:
    found = []
    for number in range(count):
        before = texts.sentence(SENTENCE * context) + " " if context else ""
        given = texts.sentence(SENTENCE * context) + " " if context else ""
        source = before + texts.sentence(SENTENCE)
        found += [
            Pair(source, candidate, "en", "de", given, str(number)) for candidate in texts.candidates(SENTENCE, 3)
        ]
    return found


def _pairs(settings: Settings, folder: Path, model: Any, context: int, count: int, wanted: float) -> None:
    asked = translations(made.Texts(model.loaded.tokenizer), count, context)
    lengths = f"{SENTENCE * (context + 1)} + 1 tokens each side, {SENTENCE * context} of them context"
    print(f"\nencoder-decoder, opus-mt size, {count} sources with 3 candidates, {lengths}")

    def ours(wanted_pairs: list[Pair] = asked) -> list[tuple[float, ...]]:
        found = dict(model.score_pairs(wanted_pairs))
        return [found[number].logprobs for number in range(len(wanted_pairs))]

    # The peers know no context that is not scored: they score it along with the rest.
    few = [Pair(pair.source, pair.given + pair.target, "en", "de") for pair in asked[:6]]
    whole = ours(few)
    ours(asked[:12])
    works: dict[str, Work] = {"referee": ours}
    if mine := installed("lm-eval"):
        logging.disable(logging.WARNING)
        from lm_eval.api.instance import Instance
        from lm_eval.models.huggingface import HFLM

        def lm_eval(size: int, some: list[Pair]) -> list[float]:
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
    asked: list[Pair],
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
    command = [settings.nmtscore, "-W", "ignore", str(_HERE / "scoring_nmtscore.py")]
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
        wanted = [Text(prompt + ending, len(prompt), origin) for origin, prompt, ending in asked[:count]]
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


# --- where the time goes --------------------------------------------------------------------------------------------


class Watch:
    """Adds up seconds by name; on a GPU, waits for it before it looks at the clock."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def timed(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: object, **kwargs: object) -> Any:
            self._settle()
            began = time.perf_counter()
            try:
                return work(*args, **kwargs)
            finally:
                self._settle()
                self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - began

        return wrapped

    @staticmethod
    def _settle() -> None:
        if torch.cuda.is_available():
            torch.cuda.synchronize()


@contextmanager
def patched(*places: tuple[Any, str, Any]) -> Iterator[None]:
    """Attributes replaced for a while."""
    kept = [(owner, name, vars(owner).get(name)) for owner, name, _ in places]
    for owner, name, value in places:
        setattr(owner, name, value)
    try:
        yield
    finally:
        for owner, name, value in kept:
            delattr(owner, name) if value is None else setattr(owner, name, value)


def watched(watch: Watch, model: Any, module: Any) -> Any:
    """Times what a model of ours spends in the network, in what follows it, and in the tokenizer."""
    network, tokenizer = model.loaded.model, model.loaded.tokenizer
    places = [
        (network, "forward", watch.timed("network", network.forward)),
        (module, "logprobs_at", watch.timed("network and log-softmax", module.logprobs_at)),
        (module, "padded", watch.timed("tensors from tokens", module.padded)),
        (type(tokenizer), "__call__", watch.timed("tokenising", type(tokenizer).__call__)),
    ]
    if network.config.is_encoder_decoder:
        encoder = network.get_encoder()
        places.append((encoder, "forward", watch.timed("encoder", encoder.forward)))
    return patched(*places)


def shares(watch: Watch, total: float) -> tuple[float, list[tuple[str, float]]]:
    """The share of wall time outside the network, and where all of it goes."""
    found = watch.seconds
    network = found.get("encoder", 0.0) + found["network"]
    softmax = found["network and log-softmax"] - found["network"]
    parts = [("network", network), ("log-softmax", softmax), ("tokenising", found["tokenising"])]
    parts.append(("tensors from tokens", found["tensors from tokens"]))
    parts.append(("the rest", total - sum(seconds for _, seconds in parts)))
    return 1 - network / total, parts


def contrapro(texts: made.Texts, sources: int, pairs_only: int = 0, *, spread: int = 0) -> list[Item]:
    """Items like those of ContraPro: a sentence of context, candidates that differ in one word."""

    def sentence() -> str:
        return texts.sentence(texts.length(SENTENCE - spread, SENTENCE + spread))

    return [
        Item(
            id=f"i{number}",
            task="translate",
            source_lang="en",
            target_lang="de",
            source=sentence(),
            source_context=(sentence(),),
            target_context=(sentence(),),
            candidates=tuple(
                Candidate(text)
                for text in texts.candidates(
                    texts.length(SENTENCE - spread, SENTENCE + spread), 2 if number < pairs_only else 3
                )
            ),
            gold=0,
        )
        for number in range(sources)
    ]


def overhead(settings: Settings) -> None:
    """How much of an evaluation's wall time on the CPU is our own bookkeeping."""
    folder = made.marian(settings.folder / "marian-whole", settings.size("opus-mt"))
    name = f"hf:{folder},device=cpu"
    model: Any = open_model(name)
    items = contrapro(made.Texts(model.loaded.tokenizer), settings.count(600))
    print(f"\noverhead, opus-mt size, {len(items)} items with 3 candidates and a sentence of context, cache and run")
    list(model.score_pairs(translations(made.Texts(model.loaded.tokenizer), 8, 1)))
    cache = open_cache(settings.folder / "cache.sqlite", print)
    request = runs_evaluate.Request(
        name, model, [ChallengeSet("made", lambda: iter(items))], scoring=ScoringOptions(context=1), cache=cache
    )
    watch = Watch()
    with watched(watch, model, seq2seq_module):
        began = time.perf_counter()
        runs_evaluate.evaluate(request, settings.folder / "run")
        total = time.perf_counter() - began
    cache.close()
    outside, parts = shares(watch, total)
    for part, seconds in parts:
        print(f"    {part:<20} {seconds:8.2f} s {seconds / total:7.1%}")
    softmax = dict(parts)["log-softmax"] / total
    what = f"{len(items)} items in {total:.1f} s, {len(items) / total:.1f} items/s"
    print(f"  {what}; of the wall time (wanted under 15 %):")
    for name, share in (
        ("all outside the network", outside),
        ("bookkeeping, so without log-softmax", outside - softmax),
    ):
        print(f"    {name:<38} {share:6.1%} {'reached' if share < 0.15 else 'MISSED'}", flush=True)


# --- GPU ------------------------------------------------------------------------------------------------------------


def matrix_rate(edge: int) -> float:
    """Measured operations a second of a bf16 matrix product, on random data."""
    one, other = (torch.randn(edge, edge, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    for _ in range(3):
        one @ other
    torch.cuda.synchronize()
    began = time.perf_counter()
    for _ in range(20):
        one @ other
    torch.cuda.synchronize()
    return 20 * 2 * edge**3 / (time.perf_counter() - began)


@contextmanager
def counted(network: Any, module: Any) -> Iterator[Any]:
    """Operations of all linear layers as they are applied, padding included, and the tokens that went in."""
    found = SimpleNamespace(operations=0, tokens=0, padding=0)

    def add(layer: torch.nn.Linear, inputs: tuple[torch.Tensor, ...], _: object) -> None:
        found.operations += 2 * layer.weight.numel() * (inputs[0].numel() // layer.in_features)

    def padded(sequences: Sequence[Sequence[int]], pad: int, device: str) -> Any:
        lengths = [len(sequence) for sequence in sequences]
        found.tokens += sum(lengths)
        found.padding += max(lengths) * len(lengths) - sum(lengths)
        return original(sequences, pad, device)

    original = module.padded
    handles = [layer.register_forward_hook(add) for layer in network.modules() if isinstance(layer, torch.nn.Linear)]
    with patched((module, "padded", padded)):
        yield found
    for handle in handles:
        handle.remove()


def judged(model: Any, items: Sequence[Item], cache: Path) -> None:
    """What an evaluation does but for reading the set and writing the run (which needs pyarrow)."""
    opened = open_cache(cache, print)
    decide = computed(model, "made", ScoringOptions(context=1), opened, generate=False)
    for start in range(0, len(items), CHUNK_OF_MODELS):
        decide(items[start : start + CHUNK_OF_MODELS], lambda _: None)
    opened.close()
    cache.unlink()


def on_gpu(settings: Settings, what: str, model: Any, module: Any, items: list[Item], rate: float, unit: str) -> None:
    cache = settings.folder / "gpu.sqlite"
    judged(model, items[:CHUNK_OF_MODELS], cache)
    torch.cuda.reset_peak_memory_stats()
    seconds = race({"referee": lambda: judged(model, items, cache)}, settings.rounds)["referee"]
    peak = torch.cuda.max_memory_allocated() / 2**30
    with counted(model.loaded.model, module) as found:
        judged(model, items, cache)
    watch = Watch()
    with watched(watch, model, module):
        began = time.perf_counter()
        judged(model, items, cache)
        total = time.perf_counter() - began
    _, parts = shares(watch, total)
    bound = found.operations / rate
    scored = sum(len(item.candidates) for item in items)
    padding = found.padding / (found.tokens + found.padding)
    network = dict(parts)["network"] + dict(parts)["log-softmax"]
    rates = f"{seconds:.2f} s, {scored / seconds:,.0f}/s, {model.loaded.dtype}, peak {peak:.1f} GiB"
    print(f"\n{what}: {scored:,} {unit} in {rates}")
    print(
        f"    {found.operations / 1e12:,.1f} TFLOP of matrix products ({padding:.1%} of the tokens padding),"
        f" {bound:.2f} s at the measured rate: {bound / seconds:.1%} of it reached, {seconds / bound:.2f} x the bound;"
        f" {bound / network:.1%} of it while the network runs"
    )
    print("    timed apart, waiting for the GPU at each step: ", end="")
    print(", ".join(f"{part} {own:.2f} s" for part, own in parts) + f"; {total:.2f} s in all", flush=True)


def gpu(settings: Settings) -> None:
    rate = matrix_rate(512 if settings.quick else 8192)
    print(f"{torch.cuda.get_device_name()}: bf16 product of 8192 x 8192 x 8192 at {rate / 1e12:.0f} TFLOP/s")
    folder = made.marian(settings.folder / "marian", settings.size("opus-mt"), "cuda", "bfloat16")
    model: Any = open_model(f"hf:{folder},device=cuda")
    texts = made.Texts(model.loaded.tokenizer)
    # 36,031 candidates, as ContraPro has.
    items = contrapro(texts, 40, 2, spread=5) if settings.quick else contrapro(texts, 12_011, 2, spread=5)
    on_gpu(settings, "ContraPro-like, opus-mt size", model, seq2seq_module, items, rate, "candidates")
    from referee.models import masked as masked_module

    folder = made.xlmr(settings.folder / "xlmr", settings.size("xlmr-large"), "cuda", "bfloat16")
    model = open_model(f"mlm:{folder},device=cuda")
    texts = made.Texts(model.loaded.tokenizer)
    items = [filled(texts, number) for number in range(40 if settings.quick else 5_834)]
    on_gpu(settings, "pseudo-perplexity, XLM-R-large size", model, masked_module, items, rate, "sentences")


def filled(texts: made.Texts, number: int) -> Item:
    sentence, place, chosen = texts.alternatives(SCORED, 2)
    own = sentence.split()
    source = " ".join([*own[:place], "_", *own[place + 1 :]])
    candidates = tuple(map(Candidate, chosen))
    return Item(
        id=f"f{number}", task="fill", source_lang="en", target_lang="en", source=source, candidates=candidates, gold=0
    )


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
