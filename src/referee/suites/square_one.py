"""The paired, ablated and transformed Winograd schemas of "Back to Square One".

In `pairs`, `no-cands`, `part-sent` and `transformed/original` the gap is the pronoun. In `new-splits`, `zero-shot` and
`transformed/special-word` it is the special word, in which the twins differ: masked models compare the two words in
that one position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec

from referee.items import GAP, Candidate, Item, SetOrigin
from referee.perturbations import perturb
from referee.suites.records import json_lines, to_items
from referee.suites.suite import Suite
from referee.suites.winograd import Schema, schema_item

MASK = "[MASK]"

_FOLDER = "winograd/winohard"
_SETS = ("wsc", "wsc_non_associative", "dev", "train_xs", "train_s", "train_m", "train_l")
_SCHEMAS = {
    **{f"pairs/{n}": f"{_FOLDER}/pairs/{n}.jsonl" for n in (*_SETS, "train_xl")},
    **{f"no-cands/{n}": f"{_FOLDER}/no_cands/{n}.jsonl" for n in _SETS},
    **{f"part-sent/{n}": f"{_FOLDER}/truncated/{n}.jsonl" for n in _SETS},
    **{
        f"new-splits/{n}": f"{_FOLDER}/new_splits/{n}.jsonl"
        for n in ("dev", "test", *(f"train_{k}" for k in range(11)))
    },
    **{f"transformed/original/{n}": f"{_FOLDER}/transformed/original/{n}.jsonl" for n in _SETS},
    **{f"transformed/special-word/{n}": f"{_FOLDER}/transformed/transformation/{n}.jsonl" for n in _SETS},
}
_ZERO_SHOT = {
    f"zero-shot/{n}{tokens}": f"{_FOLDER}/transformed/zero_shot/{n}{tokens}.jsonl"
    for n in (*_SETS, "train_xl")
    for tokens in ("", "_lms")
}
_SINGLE_TOKEN = _ZERO_SHOT["zero-shot/wsc_lms"]
_NON_ASSOCIATIVE = _SCHEMAS["pairs/wsc_non_associative"]
_MASKED = {"part": "mask"}
"""The feature by which an item asks for one masked position."""

_ORIGINS = {
    **{
        f"{change}/{n}": SetOrigin(f"square-one/pairs/{n}", change, "baseline")
        for n in _SETS
        for change in ("no-cands", "part-sent")
    },
    **{
        f"zero-shot/{n}{tokens}": SetOrigin(f"square-one/pairs/{n}", f"zero-shot{single}", "probe")
        for n in (*_SETS, "train_xl")
        for tokens, single in (("", ""), ("_lms", "/single-token"))
    },
    "zero-shot/wsc-na_lms": SetOrigin("square-one/pairs/wsc_non_associative", "zero-shot/single-token", "probe"),
    "new-splits/dev": SetOrigin("square-one/pairs/dev", "zero-shot/single-token", "probe"),
}


class Twins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two sentences without their special word: `ans1` is correct in `s1`, `ans2` in `s2`."""

    s1: str
    s2: str
    ans1: str
    ans2: str


def read_schemas(data: Path, file: str) -> Iterator[Item]:
    """Read a file whose schemas have a `pair_id`."""
    return to_items(data / file, json_lines(data / file, Schema), lambda _, schema: _paired(schema))


def read_masked_schemas(data: Path, file: str) -> Iterator[Item]:
    """Read a file whose schemas have a `pair_id`, and the special word as their gap."""
    return (msgspec.structs.replace(item, features=_MASKED) for item in read_schemas(data, file))


def read_zero_shot_non_associative(data: Path) -> Iterator[Item]:
    """Read the pairs of `zero-shot/wsc_lms` that come from WSC-na, without the published file of their overlap."""
    transformed = perturb(read_schemas(data, _NON_ASSOCIATIVE), "mask-special-word", paper=True)
    kept = set(map(_texts, transformed))
    return (item for item in read_zero_shot(data, _SINGLE_TOKEN) if _texts(item) in kept)


def read_zero_shot(data: Path, file: str) -> Iterator[Item]:
    """Read two items per record, one for each sentence, in one group."""
    path = data / file
    name = Path(file).stem
    sides = ((line, (twins, gold)) for line, twins in json_lines(path, Twins) for gold in (0, 1))
    return to_items(path, sides, lambda line, side: _side(f"zero-shot.{name}.{line - 1}", *side))


def _texts(item: Item) -> tuple[str, ...]:
    return (item.source, *(candidate.text for candidate in item.candidates))


def _paired(schema: Schema) -> Item:
    if schema.pair_id is msgspec.UNSET:
        raise ValueError("pair_id: is missing")
    return schema_item(schema)


def _side(group: str, twins: Twins, gold: int) -> Item:
    return Item(
        id=f"{group}.{gold + 1}",
        task="fill",
        source_lang="en",
        target_lang="en",
        source=(twins.s1, twins.s2)[gold].replace(MASK, GAP),
        candidates=(Candidate(twins.ans1), Candidate(twins.ans2)),
        gold=gold,
        group=group,
        features=_MASKED,
    )


def _reader(name: str) -> Callable[..., Iterator[Item]]:
    masked = name.startswith(("new-splits/", "transformed/special-word/"))
    return read_masked_schemas if masked else read_schemas


def _suite(name: str, files: tuple[str, ...], read: Callable[[Path], Iterator[Item]]) -> Suite:
    return Suite(
        name=f"square-one/{name}",
        about=f"Back to Square One, {name}",
        files=files,
        read=read,
        paper="Elazar et al. 2021, Back to Square One",
        licence="not stated (WinoGrande: CC BY)",
        origin=_ORIGINS.get(name),
    )


SUITES: tuple[Suite, ...] = (
    *(_suite(name, (file,), partial(_reader(name), file=file)) for name, file in _SCHEMAS.items()),
    *(_suite(name, (file,), partial(read_zero_shot, file=file)) for name, file in _ZERO_SHOT.items()),
    _suite("zero-shot/wsc-na_lms", (_SINGLE_TOKEN, _NON_ASSOCIATIVE), read_zero_shot_non_associative),
)
