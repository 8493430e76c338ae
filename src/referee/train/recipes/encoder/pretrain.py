"""The masked language model: what stands at hidden places, in one language, or in two that translate each other.

`python -m referee.train.recipes.encoder.pretrain FOLDER --out WEIGHTS`, where FOLDER holds `text.jsonl.xz` (see
`collect.py`). A training that was stopped resumes where it was (`--state`).
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from referee.io.files import atomic_write
from referee.logs import logger
from referee.pocket.encoder_vocabulary import BEGIN, END, SPECIAL, EncoderVocabulary
from referee.train.recipes import weights
from referee.train.recipes.command import run
from referee.train.recipes.encoder import passages, state
from referee.train.recipes.encoder.network import Encoder, Size
from referee.train.recipes.encoder.numbered import number_all
from referee.train.recipes.encoder.passages import LANGUAGES, Passage
from referee.train.recipes.encoder.vocabulary import PIECES, learn

WATCHED = 256
"""Rows of each language that the loss on unseen films is computed from."""


@dataclass(frozen=True)
class Schedule:
    """Duration, learning rate and what is hidden. The end comes after `steps` where given, else by the clock."""

    seconds: float
    pieces: int = 98_304
    """In a batch."""
    length: int = 128
    longest: int = 512
    long_from: float = 0.88
    """The share of the training after which rows are long: only then are the last positions learned."""
    peak: float = 1.5e-3
    warm_up: int = 1_000
    hidden: float = 0.2
    whole_words: float = 0.5
    """The share of rows in which words are hidden as a whole."""
    translated: float = 0.25
    """The share of rows that hold passages and their translations."""
    flatness: float = 0.6
    """Languages are drawn with their size to this power."""
    unnamed: float = 0.2
    """The share of rows that do not start with their language."""
    seed: int = 1
    steps: int | None = None

    def done(self, steps: int, seconds: float) -> float:
        """The share of the training that is over."""
        return state.share_done(self.seconds, self.steps, of_seconds=seconds, of_steps=steps)

    def rate(self, steps: int, done: float) -> float:
        """The learning rate: up over the first steps, then down to zero."""
        return state.warmed_up(self.peak, self.warm_up, steps, done)


@dataclass(frozen=True)
class Streams:
    """All passages one after the other, where each begins, and which belong to a language or a pair of languages."""

    pieces: Tensor
    starts: Tensor
    first: Tensor
    count: Tensor
    opening: Tensor
    names: tuple[str, ...]

    def to(self, device: str) -> Streams:
        """The same on a device."""
        tables = (self.pieces, self.starts, self.first, self.count, self.opening)
        pieces, starts, first, count, opening = (table.to(device) for table in tables)
        return Streams(pieces, starts, first, count, opening, self.names)

    def shares(self, schedule: Schedule) -> Tensor:
        """How often a row comes from each stream."""
        sizes = self.count.double() ** schedule.flatness
        translated = torch.tensor(["-" in name for name in self.names], device=sizes.device)
        shares = torch.zeros_like(sizes)
        for chosen, share in ((~translated, 1 - schedule.translated), (translated, schedule.translated)):
            shares += share * sizes * chosen / (sizes * chosen).sum().clamp_min(1e-9)
        return (shares / shares.sum()).float()

    def rows(self, shares: Tensor, rows: int, length: int, unnamed: float) -> Tensor:
        """Random rows: the language, then what follows the beginning of a random passage, then the end."""
        stream = torch.multinomial(shares, rows, replacement=True)
        chosen = self.first[stream] + (torch.rand(rows, device=shares.device) * self.count[stream]).long()
        places = self.starts[chosen][:, None] + torch.arange(length - 2, device=shares.device)
        text = self.pieces[places.clamp_max(len(self.pieces) - 1)].long()
        opening = torch.where(torch.rand(rows, device=shares.device) < unnamed, BEGIN, self.opening[stream])
        return torch.cat([opening[:, None], text, torch.full_like(opening, END)[:, None]], dim=1)


def streams(parts: Sequence[Passage], pieces: EncoderVocabulary, threads: int, seed: int = 1) -> Streams:
    """Number the passages: a stream per language, and one per pair of languages."""
    chance = random.Random(seed)  # noqa: S311 no secret
    numbered: dict[str, dict[str, np.ndarray]] = {}
    members: dict[str, list[np.ndarray]] = {}
    for language, texts in passages.by_language(parts).items():
        rows = [np.append(one.pieces, END).astype(np.int16) for one in number_all(texts, pieces.model, threads)]
        numbered[language], members[language] = dict(zip(texts, rows, strict=True)), rows
    for passage in parts:
        if passage.english and passage.other:
            pair = [
                (language, getattr(passage, side))
                for language, side in (("en", "english"), (passage.language, "other"))
            ]
            chance.shuffle(pair)
            sides = [([pieces.language(language)], numbered[language][text]) for language, text in pair]
            row = np.concatenate([part for side in sides for part in side]).astype(np.int16)
            members.setdefault(f"en-{passage.language}", []).append(row)
    members = {name: rows for name, rows in members.items() if rows}
    for rows in members.values():
        chance.shuffle(rows)
    lengths = np.array([len(row) for rows in members.values() for row in rows])
    counts = np.array([len(rows) for rows in members.values()])
    flat = np.concatenate([row for rows in members.values() for row in rows])
    opening = np.array([BEGIN if "-" in name else pieces.language(name) for name in members])
    logger.info(", ".join(f"{name} {sum(map(len, rows)):,}" for name, rows in members.items()))
    starts, first = np.cumsum(lengths) - lengths, np.cumsum(counts) - counts
    tables = [torch.from_numpy(table) for table in (flat, starts, first, counts, opening)]
    return Streams(tables[0], tables[1], tables[2], tables[3], tables[4], tuple(members))


@dataclass(frozen=True)
class Hiding:
    """What may be hidden, and by what."""

    mask: int
    ordinary: Tensor
    """True for each piece that is not a special token."""
    begins: Tensor
    """True for each piece that a word begins with."""

    @classmethod
    def of(cls, pieces: EncoderVocabulary, device: str) -> Hiding:
        """The tables of a vocabulary, on a device."""
        names = pieces.names()
        first, last = len(SPECIAL), pieces.language(pieces.languages[0])
        ordinary = torch.zeros(len(names), dtype=torch.bool)
        ordinary[first:last] = True
        begins = torch.tensor([name.startswith("\N{LOWER ONE EIGHTH BLOCK}") for name in names])
        return cls(pieces.mask, ordinary.to(device), (begins | ~ordinary).to(device))

    def hide(self, rows: Tensor, share: float, whole_words: float) -> tuple[Tensor, Tensor]:
        """Rows with some places hidden, and these places: 80% masked, 10% replaced, 10% left as they are."""
        count = math.ceil(share * rows.shape[1])
        word = self.begins[rows].cumsum(dim=1)
        by_word = torch.rand(rows.shape, device=rows.device).gather(1, word.clamp_max(rows.shape[1] - 1))
        by_piece = torch.rand(rows.shape, device=rows.device)
        whole = torch.rand(len(rows), 1, device=rows.device) < whole_words
        score = torch.where(self.ordinary[rows], torch.where(whole, by_word, by_piece), -1.0)
        places = score.topk(count, dim=1).indices
        old = rows.gather(1, places)
        draw = torch.rand(places.shape, device=rows.device)
        other = torch.randint(len(SPECIAL), self.mask - len(LANGUAGES), places.shape, device=rows.device)
        new = torch.where(draw < 0.8, self.mask, torch.where(draw < 0.9, other, old))
        return rows.scatter(1, places, new), places


def loss_of(model: Encoder, hidden: Tensor, places: Tensor, rows: Tensor, ordinary: Tensor) -> Tensor:
    """Mean cross-entropy at the hidden places."""
    with torch.autocast(rows.device.type, torch.bfloat16, enabled=rows.is_cuda):
        states = model(hidden)
        chosen = states.gather(1, places[..., None].expand(-1, -1, states.shape[2]))
        logits = model.logits(chosen)
    targets = rows.gather(1, places)
    # Where a row has too few ordinary pieces, special ones were chosen: they count for nothing.
    targets = targets.masked_fill(~ordinary[targets], -100)
    return functional.cross_entropy(logits.flatten(0, 1).float(), targets.flatten())


class Pretraining:
    """Everything that changes while the encoder learns."""

    def __init__(self, size: Size, schedule: Schedule, device: str) -> None:
        torch.manual_seed(schedule.seed)
        self.schedule, self.device = schedule, device
        self.model = Encoder(size).to(device)
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(), betas=(0.9, 0.98), eps=1e-6, weight_decay=0.01, fused=device == "cuda"
        )
        self.steps, self.spent = 0, 0.0

    @property
    def done(self) -> float:
        """The share of the training that is over."""
        return self.schedule.done(self.steps, self.spent)

    def keep(self, path: Path) -> None:
        """Write all that is needed to resume."""
        state.keep(path, self.model, self.optimizer, self.steps, self.spent)

    def resume(self, path: Path) -> None:
        """Resume from what was kept."""
        self.steps, self.spent = state.resume(path, self.model, self.optimizer)

    def save(self, out: Path, losses: dict[str, float]) -> None:
        """Write the weights, and how they came about."""
        stage = {"schedule": asdict(self.schedule), "steps": self.steps, "seconds": round(self.spent, 1)}
        stage |= {
            "device": self.device,
            "loss on unseen films": {name: round(loss, 4) for name, loss in losses.items()},
        }
        weights.save(out, asdict(self.model.size), [stage], dict(self.model.named_parameters()))


@torch.no_grad()
def watched(model: Encoder, unseen: Streams, hiding: Hiding, schedule: Schedule) -> dict[str, float]:
    """The loss on unseen films by language, always at the same places."""
    model.eval()
    losses = {}
    device = unseen.pieces.device
    with torch.random.fork_rng(devices=["cuda"] if device.type == "cuda" else []):
        for number, name in enumerate(unseen.names):
            torch.manual_seed(number)
            only = torch.zeros(len(unseen.names), device=device)
            only[number] = 1
            rows = unseen.rows(only, WATCHED, schedule.length, 0.0)
            hidden, places = hiding.hide(rows, schedule.hidden, 0.0)
            losses[name] = float(loss_of(model, hidden, places, rows, hiding.ordinary))
    model.train()
    return losses


def pretrain(training: Pretraining, learned: Streams, hiding: Hiding, kept_in: Path, until: float = math.inf) -> None:
    """Learn until the schedule or the time of this call (`until`, in seconds) is over."""
    schedule = training.schedule
    shares = learned.shares(schedule)
    step = torch.compile(loss_of) if training.device == "cuda" else loss_of
    began = logged = kept = time.monotonic()
    before = training.spent
    while training.done < 1 and time.monotonic() - began < until:
        length = schedule.length if training.done < schedule.long_from else schedule.longest
        for group in training.optimizer.param_groups:
            group["lr"] = schedule.rate(training.steps, training.done)
        rows = learned.rows(shares, schedule.pieces // length, length, schedule.unnamed)
        hidden, places = hiding.hide(rows, schedule.hidden, schedule.whole_words)
        loss = step(training.model, hidden, places, rows, hiding.ordinary)
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(training.model.parameters(), 1.0, foreach=True)
        training.optimizer.step()
        training.optimizer.zero_grad(set_to_none=True)
        training.steps += 1
        if training.steps % 20 == 0:
            # The clock must not run ahead of the device.
            loss.detach().item()
        now = time.monotonic()
        training.spent = before + now - began
        if now - logged > state.TELL:
            logged = now
            logger.info(f"{training.spent:6.0f} s, step {training.steps}, loss {float(loss.detach()):.3f}")
        if now - kept > state.SAVE:
            kept = now
            training.keep(kept_in)
    training.keep(kept_in)


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--state", type=Path, required=True, help="a folder; a training that it holds resumes")
    parser.add_argument("--seconds", type=float, default=1_080, help="how long in all (default: %(default)s)")
    parser.add_argument("--steps", type=int, help="how many steps, in place of seconds")
    parser.add_argument("--until", type=float, default=math.inf, help="how many seconds in this call")
    parser.add_argument("--vocabulary", type=int, default=14_000, help="tokens in all (default: %(default)s)")
    parser.add_argument("--pieces", type=int, default=98_304, help="in a batch (default: %(default)s)")
    parser.add_argument("--peak", type=float, default=1.5e-3, help="the highest learning rate (default: %(default)s)")
    parser.add_argument("--layers", type=int, default=8)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    torch.set_float32_matmul_precision("high")
    began = time.monotonic()
    pieces, learned, unseen = _numbered(arguments)
    logger.info(f"{len(pieces):,} tokens, {time.monotonic() - began:.0f} s")
    learned, unseen = learned.to(arguments.device), unseen.to(arguments.device)
    schedule = Schedule(arguments.seconds, pieces=arguments.pieces, peak=arguments.peak, steps=arguments.steps)
    training = Pretraining(
        Size(len(pieces), width=arguments.width, layers=arguments.layers), schedule, arguments.device
    )
    logger.info(f"{sum(weight.numel() for weight in training.model.parameters()):,} weights")
    kept = arguments.state / state.STATE
    if kept.exists():
        training.resume(kept)
    hiding = Hiding.of(pieces, arguments.device)
    pretrain(training, learned, hiding, kept, arguments.until)
    losses = watched(training.model, unseen, hiding, schedule)
    logger.info(f"{training.steps} steps in {training.spent:.0f} s; unseen: {losses}")
    training.save(arguments.out, losses)


def _numbered(arguments: argparse.Namespace) -> tuple[EncoderVocabulary, Streams, Streams]:
    """The pieces and the numbered text that were kept, or new ones."""
    kept: Path = arguments.state / "text.pt"
    if not kept.exists():
        parts = passages.read(arguments.folder / passages.FILE)
        model = learn(passages.by_language(parts[passages.TRAIN]), arguments.vocabulary, arguments.threads)
        pieces = EncoderVocabulary(model, LANGUAGES)
        numbered = [streams(parts[name], pieces, arguments.threads) for name in (passages.TRAIN, passages.WATCH)]
        arguments.state.mkdir(parents=True, exist_ok=True)
        with atomic_write(kept) as file:
            torch.save({"pieces": pieces.model, "streams": [vars(one) for one in numbered]}, file)
    stored: dict[str, Any] = torch.load(kept, weights_only=True)
    pieces = EncoderVocabulary(stored["pieces"], LANGUAGES)
    with atomic_write(arguments.out / PIECES) as file:
        file.write(pieces.model)
    learned, unseen = (Streams(**tables) for tables in stored["streams"])
    return pieces, learned, unseen


if __name__ == "__main__":
    run(main)
