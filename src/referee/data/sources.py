"""Where every file of the public sets comes from: its address, and what is known of its content.

`sources.json` lists them in groups that share an address and a folder. Sizes and checksums are those of the unpacked
content; they are left out where no copy of the published file was at hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType

import msgspec

from referee.errors import MissingError


@dataclass(frozen=True)
class Source:
    """One published file: `path` in the data folder (without `.gz`), and what is known of the file at `url`."""

    path: str
    url: str
    size: int | None
    sha256: str | None
    licence: str


class _File(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    size: int | None = None
    sha256: str | None = None
    name: str | None = None
    """The name at the source, where it is another one."""


class _Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    url: str
    folder: str
    licence: str
    files: dict[str, _File]


@cache
def all_sources() -> Mapping[str, Source]:
    """All sources by their path in the data folder."""
    text = resources.files("referee.data").joinpath("sources.json").read_bytes()
    groups = msgspec.json.decode(text, type=list[_Group])
    sources = (
        Source(group.folder + name, group.url + (file.name or name), file.size, file.sha256, group.licence)
        for group in groups
        for name, file in group.files.items()
    )
    return MappingProxyType({source.path: source for source in sources})


def sources_for(files: Iterable[str], folder: Path) -> tuple[Source, ...]:
    """The sources of a suite's `files`. One without a public source must already lie in the data folder."""
    sources = all_sources()
    picked = []
    for path in files:
        if path in sources:
            picked.append(sources[path])
        elif not any((folder / name).is_file() for name in (path, path + ".gz")):
            raise MissingError(
                "cannot be downloaded, since it has no public source",
                "copy the file there yourself (`referee list suites --json` names the paper of each suite)",
                file=folder / path,
            )
    return tuple(picked)
