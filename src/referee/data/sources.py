"""Where every file of the public sets comes from: its address, and what is known of its content.

`sources.json` lists them in groups that share an address and a folder, each as `[SIZE, CHECKSUM, NAME]`. The size may
be null, the name is that at the source where it is another one. The checksum is a SHA-256 (64 digits) or, if no copy of
the file was at hand, `git-blob:` and the blob id (40 digits) that its repository lists; it is left out where neither is
known. Sizes and checksums are those of the unpacked content.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import msgspec

from referee.data.checksums import Digest
from referee.errors import MissingError

_BLOB = "git-blob:"


@dataclass(frozen=True)
class Source:
    """One published file: `path` in the data folder (without `.gz`), and what is known of the file at `url`."""

    path: str
    url: str
    size: int | None
    sha256: str | None
    licence: str
    blob: str | None = None
    """The git blob id."""

    @property
    def digest(self) -> Digest:
        """What the content is compared with."""
        return Digest(self.size, self.sha256, self.blob)


class _File(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    size: int | None = None
    checksum: Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{64}|git-blob:[0-9a-f]{40})$")] | None = None
    name: str | None = None

    def source(self, path: str, address: str, licence: str) -> Source:
        """The file at `address`, which has `path` in the data folder."""
        if self.checksum is None or not self.checksum.startswith(_BLOB):
            return Source(path, address, self.size, self.checksum, licence)
        return Source(path, address, self.size, None, licence, self.checksum.removeprefix(_BLOB))


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
        file.source(group.folder + name, group.url + (file.name or name), group.licence)
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
