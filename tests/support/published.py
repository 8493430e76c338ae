"""Published files for tests: where they lie, how they are read with other means than ours, how small ones are written.

`SYNTHETIC` is a data folder of the checkout: a small file in every published format, all sentences made up. `SHARED`
has the public sets themselves, where somebody put them beside the checkout.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

from referee.errors import InputError, MissingError
from referee.items import Field, Item, Span
from referee.sets import canonical, decode
from referee.suites.contracat import SEPARATOR
from referee.suites.suite import Suite

ROOT = Path(__file__).resolve().parents[2]
SYNTHETIC = ROOT / "tests" / "fixtures" / "data"
SHARED = ROOT.parent / "shared" / "data"
NO_PUBLIC_DATA = "needs the public data beside the checkout (../shared/data)"


def in_both(synthetic: Mapping[str, Any], public: Mapping[str, Any]) -> list[ParameterSet]:
    """Parameters (data, name, expected): of the synthetic folder always, of the public one where it is there."""
    parameters = [pytest.param(SYNTHETIC, *pair, id=f"{pair[0]}-synthetic") for pair in synthetic.items()]
    if SHARED.is_dir():
        return parameters + [pytest.param(SHARED, *pair, id=f"{pair[0]}-public") for pair in public.items()]
    skipped = pytest.mark.skip(reason=f"what is published {NO_PUBLIC_DATA}")
    return [*parameters, pytest.param(SHARED, "", None, id="public", marks=skipped)]


def named(suites: Sequence[Suite], name: str) -> Suite:
    return next(suite for suite in suites if suite.name == name)


def read_items(suite: Suite, data: Path) -> list[Item]:
    """The items, of which ids differ and each survives being written."""
    items = list(suite.open(data))
    assert len({item.id for item in items}) == len(items)
    assert all(decode(canonical(item), suite.name, None) == item for item in items)
    return items


def refusal(suite: Suite, data: Path) -> str:
    """The message with which bad data is refused."""
    # Unlike `pytest.raises`, this keeps no traceback, and with it no open file, until the garbage is collected.
    try:
        list(suite.open(data))
    except InputError as error:
        return str(error)
    pytest.fail(f"{suite.name} was not refused")


def assert_names_its_command(suites: Iterable[Suite], empty: Path) -> None:
    for suite in suites:
        with pytest.raises(MissingError, match=f"referee data get {suite.name}`"):
            suite.open(empty)


def span_of(part: str, text: str, role: str, field: Field, index: int = 0) -> Span:
    """The span of `part`, which `text` has once."""
    assert text.count(part) == 1, (part, text)
    return Span(role, field, text.index(part), text.index(part) + len(part), index)


def marked(item: Item) -> list[tuple[str, str, int, str]]:
    """Role, field, index and words of every span, in order."""
    texts = {
        "source": (item.source,),
        "source_context": item.source_context,
        "target_context": item.target_context,
        "candidate": tuple(candidate.text for candidate in item.candidates),
    }
    return [
        (span.role, span.field, span.index, texts[span.field][span.index][span.start : span.end]) for span in item.spans
    ]


def english_lines(items: Iterable[Item]) -> Iterator[str]:
    """The lines of `en.txt` that items of ContraCAT come from."""
    for item in items:
        if "source_lines" in item.meta:
            yield from item.meta["source_lines"]
        else:
            separator = item.meta.get("separators", [SEPARATOR])[0]
            yield from [_joined(item.source_context, item.source, separator)] * len(item.candidates)


def german_lines(items: Iterable[Item]) -> Iterator[str]:
    """The lines of `de.txt` that items of ContraCAT come from."""
    for item in items:
        if "target_lines" in item.meta:
            yield from item.meta["target_lines"]
        else:
            separator = item.meta.get("separators", [SEPARATOR, SEPARATOR])[1]
            yield from (_joined(item.target_context, candidate.text, separator) for candidate in item.candidates)


def published_text(path: Path) -> str:
    if path.exists():
        return path.read_text(encoding="utf-8")
    with gzip.open(path.with_name(path.name + ".gz"), "rt", encoding="utf-8") as file:
        return file.read()


def published_lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in published_text(path).split("\n") if line]


def published_list(path: Path) -> list[Any]:
    records: list[Any] = json.loads(published_text(path))
    return records


def write(data: Path, name: str, text: str) -> None:
    path = data / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_lines(data: Path, name: str, records: Iterable[object]) -> None:
    write(data, name, "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))


def write_list(data: Path, name: str, records: Iterable[object]) -> None:
    write(data, name, json.dumps(list(records), ensure_ascii=False))


def _joined(context: tuple[str, ...], sentence: str, separator: str) -> str:
    """A line of ContraCAT from its parts."""
    return (context[0] if context else "") + separator + sentence
