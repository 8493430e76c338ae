"""Links between the tokens of two sentences: joining two directions, and reading what other aligners wrote."""

from __future__ import annotations

import re
from collections.abc import Collection

Link = tuple[int, int]
"""The place of a source token and of the target token it is linked to, both counted from 0."""

_NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))
_PHARAOH = re.compile(r"([0-9]{1,9})([-p])([0-9]{1,9})")


def grow_diag_final_and(forward: Collection[Link], backward: Collection[Link]) -> list[Link]:
    """Links of both directions, grown by neighbours that either has, then by links of words still alone (Koehn).

    More links than the intersection, and surer ones than the union.
    """
    forward, backward = set(forward), set(backward)
    either = forward | backward
    links = forward & backward
    sources, targets = {source for source, _ in links}, {target for _, target in links}

    def add(link: Link) -> None:
        links.add(link)
        sources.add(link[0])
        targets.add(link[1])

    waiting = sorted(links)
    for source, target in waiting:
        # What is added is looked at in its turn: the list grows while it is read.
        for down, right in _NEIGHBOURS:
            link = (source + down, target + right)
            if link in either and link not in links and (link[0] not in sources or link[1] not in targets):
                add(link)
                waiting.append(link)
    for direction in (forward, backward):
        for link in sorted(direction):
            if link[0] not in sources and link[1] not in targets:
                add(link)
    return sorted(links)


def read_pharaoh(line: str, sources: int, targets: int) -> list[Link]:
    """The links of a line `0-0 1-2`; a ValueError says what is wrong with it."""
    for part in line.split():
        if "p" in part:
            raise ValueError(f"{part[:20]!r} is not a link such as 0-0")
    return read_marked(line, sources, targets)[0]


def read_marked(line: str, sources: int, targets: int, *, strict: bool = True) -> tuple[list[Link], list[Link]]:
    """The sure (`0-0`) and the possible links (`0p0`) of a line; a ValueError says what is wrong with it.

    Not `strict`, links that are out of range are left out: published alignments have some.
    """
    links: dict[str, list[Link]] = {"-": [], "p": []}
    for part in line.split():
        match = _PHARAOH.fullmatch(part)
        if match is None:
            raise ValueError(f"{part[:20]!r} is not a link such as 0-0")
        source, target = int(match[1]), int(match[3])
        if source < sources and target < targets:
            links[match[2]].append((source, target))
        elif strict:
            raise ValueError(f"'{part[:20]}' is out of range ({sources} source and {targets} target tokens)")
    return links["-"], links["p"]
