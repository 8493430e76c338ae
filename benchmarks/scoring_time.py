"""Where the time goes: our own bookkeeping on the CPU, absolute times and shares of the matrix rate on a GPU."""

# ruff: noqa: ANN401 - classes of transformers, which have no types

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import FrozenInstanceError
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from scoring_common import SCORED, SENTENCE, Settings, made, race

import torch  # isort: skip

from referee.items import Candidate, Item
from referee.models import open_model
from referee.models.hf import masked as masked_module
from referee.models.hf import seq2seq as seq2seq_module
from referee.protocols import ScorePair
from referee.runs import evaluate as runs_evaluate
from referee.runs.store import CHUNK_OF_MODELS
from referee.scoring.cache import open_cache
from referee.scoring.from_model import computed
from referee.scoring.options import ScoringOptions
from referee.sets import ItemSet


def translations(texts: made.Texts, count: int, context: int) -> list[ScorePair]:
    found = []
    for number in range(count):
        before = texts.sentence(SENTENCE * context) + " " if context else ""
        given = texts.sentence(SENTENCE * context) + " " if context else ""
        source = before + texts.sentence(SENTENCE)
        found += [
            ScorePair(source, candidate, "en", "de", given, str(number)) for candidate in texts.candidates(SENTENCE, 3)
        ]
    return found


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
        _put(owner, name, value)
    try:
        yield
    finally:
        for owner, name, value in kept:
            delattr(owner, name) if value is None else _put(owner, name, value)


def _put(owner: Any, name: str, value: Any) -> None:
    try:
        setattr(owner, name, value)
    except FrozenInstanceError:
        object.__setattr__(owner, name, value)


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
        places[-1] = (model, "_encode", watch.timed("tokenising", model._encode))
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
    cache = open_cache(settings.folder / "cache.sqlite")
    request = runs_evaluate.Request(
        name, model, [ItemSet("made", lambda: iter(items))], scoring=ScoringOptions(context=1), cache=cache
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
    opened = open_cache(cache)
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
