"""The saliences of a stored run: computed in stretches that are kept at once, and put into one file in its folder.

A stretch is a fixed part of a set, whatever the limit is. So what was computed under a limit, or before the process was
killed, is what would be computed now, and is not computed again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from referee.analysis.salience.record import METHOD, Salience
from referee.analysis.salience.triggers import Marks, marks
from referee.errors import InputError, RunError, UsageError
from referee.io.files import atomic_write, byte_lines, packed
from referee.io.parts import Parts
from referee.io.progress import Progress
from referee.items import Item
from referee.logs import logger
from referee.models import model_kinds, open_model
from referee.models.explain import check_method
from referee.protocols import Explains
from referee.runs import store
from referee.runs.store import RunInfo
from referee.scoring.options import ScoringOptions
from referee.verdicts import Judged

STRETCH = 100
"""Items that are explained before they are kept: what is lost at most when a computation is killed."""

T = TypeVar("T")


class About(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of the file: how many items of each suite were looked at, explained, or left out, and why."""

    schema: int = 1
    method: str
    model: str
    model_sha256: str
    looked_at: dict[str, int]
    explained: int
    left_out: dict[str, int]


class _Part(msgspec.Struct, frozen=True):
    saliences: list[Salience]
    left_out: dict[str, int]


@dataclass(frozen=True)
class _Stretch:
    """Consecutive items of a suite, from the item `start` on."""

    suite: str
    number: int
    start: int
    items: Sequence[Item]
    marks: Sequence[Marks]

    @property
    def name(self) -> str:
        return f"{self.number:04d}-{self.start:08d}-{len(self.items):04d}"


def explain(
    folder: Path,
    info: RunInfo,
    sets: Sequence[Judged],
    *,
    method: str = METHOD,
    limit: int | None = None,
    tokens: int | None = None,
    progress: Progress | None = None,
) -> Path:
    """Explain the items of a finished run with its model, and return the file that holds the result.

    `limit` takes the first N items of each suite; with a larger one later, the rest is added. `tokens` are the
    padded tokens of a batch, which the result does not depend on.
    """
    _check(method, limit, tokens)
    check_explainable(info)
    suites = {judged.suite: judged.items for judged in sets}
    with store.claimed(folder, info.inputs):
        path = folder / _file_name(method)
        done = _about(path, info)
        wanted = {name: len(items) if limit is None else min(limit, len(items)) for name, items in suites.items()}
        if done is not None and all(done.looked_at.get(name, 0) >= count for name, count in wanted.items()):
            return path
        parts = Parts(folder / f"{path.name.partition('.')[0]}.parts", _Part)
        stretches = list(_stretches(suites, wanted))
        _compute(info, method, stretches, parts, tokens, progress)
        _write(path, info, method, wanted, [parts.require(stretch.name) for stretch in stretches])
        if limit is None or all(wanted[name] == len(items) for name, items in suites.items()):
            parts.remove()
    return path


def read_salience(folder: Path, method: str | None = None) -> list[Salience]:
    """Saliences stored in a folder; without `method` by prediction difference, else by any. Empty where none are."""
    path = _stored(folder, method)
    if path is None:
        return []
    try:
        return _contents(path)[1]
    except InputError as error:
        raise _damaged(path, error) from None


def read_about(folder: Path, method: str | None = None) -> About | None:
    """Header of the file that `read_salience` reads; None where there is no file."""
    path = _stored(folder, method)
    if path is None:
        return None
    try:
        return _decoded(next(byte_lines(path)), About, path, 1)
    except InputError as error:
        raise _damaged(path, error) from None


def check_explainable(info: RunInfo) -> None:
    """Refuse a run whose kind of model does not explain its predictions, before its weights are loaded."""
    text = info.inputs.model
    kind = text.partition(":")[0].partition(",")[0]
    if kind not in (kinds := model_kinds()) or not kinds[kind].explains:
        subject = f"a '{kind}:' model" if kind in kinds else f"'{text}'"
        raise UsageError(f"{subject} {_why_not(kind)}", _REMEDIES.get(kind, _REMEDY))


_REMEDY = "evaluate the items with an hf:, mlm: or pocket model, and diagnose that run"
_REMEDIES = {"ct2": "evaluate the items with the original checkpoint (hf:NAME), and diagnose that run"}


def _why_not(kind: str) -> str:
    if kind == "causal":
        return "has no salience, which is defined for translations (hf:, pocket) and gaps (mlm:)"
    return "does not support salience"


def _check(method: str, limit: int | None, tokens: int | None) -> None:
    check_method(method)
    for option, number in (("limit", limit), ("tokens", tokens)):
        if number is not None and number < 1:
            raise UsageError(f"{option}= is {number}", "use a positive whole number")


def _stretches(suites: dict[str, Sequence[Item]], wanted: dict[str, int]) -> Iterator[_Stretch]:
    for number, (name, items) in enumerate(suites.items()):
        # Of all items, not only of those that are wanted: a twin may stand behind the limit.
        item_marks = marks(items)
        for start in range(0, wanted[name], STRETCH):
            end = min(start + STRETCH, wanted[name])
            yield _Stretch(name, number, start, items[start:end], item_marks[start:end])


def _compute(
    info: RunInfo,
    method: str,
    stretches: Sequence[_Stretch],
    parts: Parts[_Part],
    tokens: int | None,
    progress: Progress | None,
) -> None:
    total = sum(len(stretch.items) for stretch in stretches)
    model: Explains | None = None
    done = 0
    for stretch in stretches:
        if parts.read(stretch.name) is None:
            model = model or _open(info)
            before = done

            def tick(count: int, before: int = before) -> None:
                if progress is not None:
                    progress(before + count, total)

            parts.write(stretch.name, _part(model, info, method, stretch, tokens, tick))
        done += len(stretch.items)
        if progress is not None:
            progress(done, total)


def _part(
    model: Explains, info: RunInfo, method: str, stretch: _Stretch, tokens: int | None, tick: Callable[[int], None]
) -> _Part:
    from referee.runs.salience_requests import explained

    settings = info.inputs.settings
    options = ScoringOptions(context=int(settings.get("context", "0")), separator=settings.get("separator", " "))
    saliences, left_out = explained(model, method, stretch.suite, stretch.items, stretch.marks, options, tokens, tick)
    return _Part(saliences, dict(sorted(left_out.items())))


def _open(info: RunInfo) -> Explains:
    model = open_model(info.inputs.model)
    if not isinstance(model, Explains):
        raise UsageError(f"'{info.inputs.model}' does not support salience", _REMEDY)
    if model.identity().sha256 != info.inputs.model_sha256:
        problem = f"'{info.inputs.model}' differs from the model of this run, since its files have changed"
        raise RunError(problem, "restore that model, or evaluate again into a new folder")
    return model


def _write(path: Path, info: RunInfo, method: str, looked_at: dict[str, int], parts: Sequence[_Part]) -> None:
    left_out: Counter[str] = Counter()
    for part in parts:
        left_out.update(part.left_out)
    about = About(
        method=method,
        model=info.inputs.model,
        model_sha256=info.inputs.model_sha256,
        looked_at=looked_at,
        explained=sum(len(part.saliences) for part in parts),
        left_out=dict(sorted(left_out.items())),
    )
    with atomic_write(path) as file, packed(file) as lines:
        lines.write(msgspec.json.encode(about) + b"\n")
        for part in parts:
            lines.writelines(msgspec.json.encode(salience) + b"\n" for salience in part.saliences)


def _about(path: Path, info: RunInfo) -> About | None:
    """Header of the file that an earlier computation of the same run left."""
    if not path.exists():
        return None
    try:
        about, _ = _contents(path)
    except InputError as error:
        logger.warning("%s is damaged (%s). It is computed again.", path, error.problem)
        return None
    if about.model_sha256 != info.inputs.model_sha256:
        raise RunError("contains the salience of another model", "delete the file", file=path)
    return about


def _contents(path: Path) -> tuple[About, list[Salience]]:
    lines = byte_lines(path)
    about = _decoded(next(lines), About, path, 1)
    return about, [_decoded(line, Salience, path, number) for number, line in enumerate(lines, 2)]


def _damaged(path: Path, error: InputError) -> RunError:
    remedy = f"run `referee diagnose {path.parent} --salience` again to repair it"
    place = f"line {error.line} of" if error.line else "the file"
    return RunError(f"{place} '{path.name}' {error.problem}", remedy, file=path.parent)


def _file_name(method: str) -> str:
    return f"salience-{method.replace(':', '-')}.jsonl.gz"


def _stored(folder: Path, method: str | None) -> Path | None:
    names = [_file_name(method)] if method else [_file_name(METHOD), "salience-*.jsonl.gz"]
    return next((path for name in names for path in sorted(folder.glob(name))), None)


def _decoded(line: bytes, type_: type[T], path: Path, number: int) -> T:
    try:
        return msgspec.json.decode(line, type=type_)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"cannot be read ({error})", "delete the file", path, number) from None
