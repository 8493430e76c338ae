"""The quality of translations against their references: BLEU, chrF and COMET, of the set and group by group.

The unit is the sentence that was matched. BLEU and chrF of a set are not means over sentences, so their intervals come
from resampling whole groups; that of COMET does too. Group scores take every sentence's own score.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib import import_module
from importlib.metadata import version
from itertools import compress
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import numpy as np

from referee.analysis.group_scores import ScoreOfGroups, score_groups
from referee.analysis.ngrams import (
    Ints,
    bleu_counts,
    bleu_scores,
    chrf_counts,
    chrf_scores,
    sentence_bleu_scores,
    tokenize_13a,
)
from referee.errors import InputError, MissingError
from referee.io.files import content_sha256
from referee.items import Item
from referee.languages import base
from referee.registry import lookup
from referee.stats.groups import GroupIndex, Membership, column_sums, group_sums
from referee.stats.intervals import RESAMPLES, SEED, Floats, Interval, percentiles, resampled
from referee.verdicts import Verdict

_CELLS = 2_000_000
"""How many drawn counts are in memory at once."""
_ALLOW_PICKLE = ",allow_pickle=yes"
"""What a user writes behind a checkpoint of COMET to say that its author is trusted."""
_BATCH = 16
"""The batch size of COMET: its own default."""
_BOUNDS: Interval = (0.0, 100.0)
"""The range of BLEU and chrF; COMET has none."""


class Score(msgspec.Struct, frozen=True):
    """A metric over all segments, with the signature that repeats it; `left_out` segments had nothing to compare.

    `group` is the group score of the segments' own scores, where a group has two of them.
    """

    name: str
    value: float
    interval: Interval
    segments: int
    left_out: int
    signature: str
    group: ScoreOfGroups | None = None


class Segment(msgspec.Struct, frozen=True, gc=False):
    """A sentence, its translation and the reference."""

    source: str
    output: str
    reference: str
    language: str
    group: str


@dataclass(frozen=True)
class _Metric:
    """A metric of sacrebleu, the counts of every segment, and the scores of many sums of them or of single segments."""

    metric: Any
    counts: Callable[[Sequence[str], Sequence[str]], Ints]
    scores: Callable[[Floats], Floats]
    of_segments: Callable[[Floats], Floats]

    def signature(self) -> str:
        """The settings and versions that the score depends on."""
        # sacrebleu learns this when it counts.
        self.metric.num_refs = 1
        return str(self.metric.get_signature())

    def score(self, sums: Floats) -> float:
        """Score summed counts; they are whole numbers below 2**53, so the sums are exact."""
        return float(self.metric._compute_score_from_stats([int(count) for count in sums]).score)


@dataclass
class Segments:
    """Outputs with a reference; `left_out` counts items that were dropped or lack an output or a reference."""

    kept: list[Segment] = field(default_factory=list)
    left_out: int = 0
    groups: Membership = field(default_factory=Membership)

    def add(self, item: Item, verdict: Verdict) -> None:
        """Take in the next item."""
        if verdict.dropped is not None or verdict.output is None or item.reference is None:
            self.left_out += 1
            if item.has_answer:
                self.groups.lose(item.group_id)
            return
        self.groups.add(item.group_id)
        language = base(item.target_lang)
        self.kept.append(Segment(item.source, verdict.output, item.reference, language, item.group_id))


def comparable(judged: Iterable[tuple[Item, Verdict]]) -> Segments:
    """Collect the outputs of a set that have a reference."""
    segments = Segments()
    for item, verdict in judged:
        segments.add(item, verdict)
    return segments


def quality(
    outputs: Segments,
    *,
    metrics: Sequence[str] = ("bleu", "chrf"),
    comet: Path | None = None,
) -> list[Score]:
    """Compute metrics by name, and COMET if a checkpoint is given; an empty list if no output has a reference."""
    makers = [(name, lookup("metric", name, METRICS)) for name in metrics]
    if comet is not None:
        comet_weights(comet)
    segments, left_out = outputs.kept, outputs.left_out
    if not segments:
        return []
    scores = _counted([(name, make(segments)) for name, make in makers], outputs) if makers else []
    if comet is not None:
        values, signature = comet_scores(segments, comet)
        outputs, values = _with_scores(outputs, values, comet)
        segments, left_out = outputs.kept, outputs.left_out
        groups = _groups(outputs)
        drawn = resampled(np.stack(group_sums(values, groups), axis=1))
        interval = percentiles(drawn[:, 0] / drawn[:, 1])
        group = score_groups("comet", values, groups, members=outputs.groups)
        scores.append(Score("comet", float(values.mean()), interval, len(segments), left_out, signature, group))
    return scores


def _bleu(segments: Sequence[Segment]) -> _Metric:
    """BLEU with the tokenizer that sacrebleu recommends for the language."""
    bleu = _sacrebleu().BLEU
    by_tokenizer = {}
    for language in sorted({segment.language for segment in segments}):
        try:
            metric = bleu(trg_lang=language)
        except RuntimeError:
            problem = f"BLEU needs a tokenizer for '{language}' that is not installed"
            raise MissingError(problem, f"install it with `pip install 'sacrebleu[{language}]'`") from None
        by_tokenizer[metric.tokenizer_signature] = metric
    if len(by_tokenizer) > 1:
        problem = f"the target languages need different tokenizers for BLEU ({', '.join(sorted(by_tokenizer))})"
        raise InputError(problem, "evaluate each language separately")
    (metric,) = by_tokenizer.values()
    if metric.tokenizer_signature == "13a":
        tokenize = tokenize_13a(metric.tokenizer)
    else:

        def tokenize(text: str) -> list[str]:
            tokens: list[str] = metric.tokenizer(text.rstrip()).split()
            return tokens

    return _Metric(metric, partial(bleu_counts, tokenize=tokenize), bleu_scores, sentence_bleu_scores)


def _chrf(_: Sequence[Segment]) -> _Metric:
    """Character F-score with sacrebleu's defaults (chrF2)."""
    return _Metric(_sacrebleu().CHRF(), chrf_counts, chrf_scores, chrf_scores)


METRICS: dict[str, Callable[[Sequence[Segment]], _Metric]] = {"bleu": _bleu, "chrf": _chrf}
"""The metrics that need only the texts."""


def _sacrebleu() -> ModuleType:
    try:
        return import_module("sacrebleu.metrics")
    except ImportError:
        raise MissingError("BLEU and chrF need sacrebleu", "install it with `pip install sacrebleu`") from None


def _counted(metrics: Sequence[tuple[str, _Metric]], outputs: Segments) -> list[Score]:
    """Score the metrics that are made of counts, with intervals from the same draws for all."""
    texts, references = zip(*((segment.output, segment.reference) for segment in outputs.kept), strict=True)
    groups = _groups(outputs)
    rows = [metric.counts(texts, references).astype(np.float64) for _, metric in metrics]
    sums = column_sums(np.concatenate(rows, axis=1), groups)
    borders = np.cumsum([counts.shape[1] for counts in rows])[:-1]
    drawn = np.split(_drawn(sums), borders, axis=1)
    return [
        Score(
            name=name,
            value=metric.score(counts.sum(axis=0)),
            interval=percentiles(metric.scores(draws)),
            segments=len(outputs.kept),
            left_out=outputs.left_out,
            signature=metric.signature(),
            group=score_groups(name, metric.of_segments(counts), groups, members=outputs.groups, bounds=_BOUNDS),
        )
        for (name, metric), counts, draws in zip(metrics, rows, drawn, strict=True)
    ]


def _with_scores(outputs: Segments, values: Floats, comet: Path) -> tuple[Segments, Floats]:
    """The outputs that COMET gives a number, and these numbers; an output with NaN is left out, and its group torn."""
    known = ~np.isnan(values)
    if not known.any():
        raise InputError("gives NaN for every output", "choose another checkpoint", comet)
    groups = deepcopy(outputs.groups)
    groups.lost.update(segment.group for segment in compress(outputs.kept, ~known))
    kept = list(compress(outputs.kept, known))
    return Segments(kept, outputs.left_out + len(outputs.kept) - len(kept), groups), values[known]


def _groups(outputs: Segments) -> GroupIndex:
    return np.array([outputs.groups.number(segment.group) for segment in outputs.kept], np.int64)


def _drawn(sums: Floats) -> Floats:
    """Resample groups (rows of `sums`) and sum every column: one row per draw."""
    groups = len(sums)
    if groups * RESAMPLES <= _CELLS:
        return _weights_of(groups, RESAMPLES) @ sums
    draws = np.random.default_rng(SEED)
    step = max(1, _CELLS // groups)
    return np.concatenate(
        [_multinomial(draws, groups, min(step, RESAMPLES - start)) @ sums for start in range(0, RESAMPLES, step)]
    )


@lru_cache(maxsize=2)
def _weights_of(groups: int, resamples: int) -> Floats:
    """How often each group occurs in each draw: the same for all suites of one size."""
    return _multinomial(np.random.default_rng(SEED), groups, resamples)


def _multinomial(draws: np.random.Generator, groups: int, size: int) -> Floats:
    return draws.multinomial(groups, np.full(groups, 1 / groups), size=size).astype(np.float64)


def comet_scores(segments: Sequence[Segment], checkpoint: Path) -> tuple[Floats, str]:
    """Score every segment with COMET, and name its signature; weights and encoder must be on this machine."""
    path = comet_weights(checkpoint)
    samples = [{"src": segment.source, "mt": segment.output, "ref": segment.reference} for segment in segments]
    with _quiet():
        try:
            comet = import_module("comet")
            cuda = import_module("torch").cuda.is_available()
        except ImportError as error:
            problem = f"COMET needs a package that is not installed ({error})"
            raise MissingError(problem, "install it with `pip install 'referee[comet]'`") from None
        try:
            with _offline():
                model = comet.load_from_checkpoint(str(path), local_files_only=True)
        except Exception as error:
            # Damaged weights, an unknown class of model, an encoder that is not there: COMET has no errors of its own.
            reason = " ".join(str(error).split())[:200] or type(error).__name__
            remedy = "check the file, and install the encoder that hparams.yaml gives as `pretrained_model`"
            raise MissingError(f"cannot be loaded as a COMET checkpoint ({reason})", remedy, path) from error
        prediction = model.predict(samples, batch_size=_BATCH, gpus=int(cuda), progress_bar=False)
    parts = {
        "model": path.parents[1].name,
        "sha256": content_sha256(path)[:8],
        "class": model.hparams.get("class_identifier", type(model).__name__),
        "encoder": Path(model.hparams.pretrained_model).name,
        "version": version("unbabel-comet"),
    }
    return np.array(prediction.scores, np.float64), "|".join(f"{key}:{value}" for key, value in parts.items())


def comet_weights(checkpoint: Path) -> Path:
    """Find `checkpoints/model.ckpt` in a folder as on the hub, or take the file; hparams.yaml is a folder up.

    A checkpoint of COMET is a pickle, so the user says that it is trusted, at the end of its name.
    """
    name, allowed, _ = str(checkpoint).partition(_ALLOW_PICKLE)
    given = Path(name)
    path = given / "checkpoints" / "model.ckpt" if given.is_dir() else given
    remedy = "give a folder with hparams.yaml and checkpoints/model.ckpt, since nothing is downloaded"
    if not path.is_file():
        raise MissingError("is not a COMET checkpoint", remedy, given)
    if not (path.absolute().parents[1] / "hparams.yaml").is_file():
        raise MissingError("hparams.yaml is missing one folder above", remedy, path)
    if not allowed:
        problem = "is a pickle, as all COMET checkpoints are, and can run any code when it is read"
        remedy = f"write --comet {name}{_ALLOW_PICKLE} if you trust its author"
        raise MissingError(problem, remedy, path)
    return path.absolute()


@contextmanager
def _offline() -> Iterator[None]:
    """Keep transformers offline: large tokenizers of 4.57, XLM-R included, query the hub even with local files only."""
    hub: Any = import_module("transformers.utils.hub")
    before = getattr(hub, "_is_offline_mode", False)
    hub._is_offline_mode = True
    try:
        yield
    finally:
        hub._is_offline_mode = before


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence COMET and its libraries, which log and warn from their import on."""
    root = logging.getLogger()
    handlers, level, disabled = root.handlers[:], root.level, root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(disabled)
        root.handlers[:] = handlers
        root.setLevel(level)
