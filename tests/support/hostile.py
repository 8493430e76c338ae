"""Text that steers a terminal: a window title, a cleared screen, 8-bit sequences, a change of direction."""

from __future__ import annotations

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b2J\u202e\r\b\x7f"
"""Everything at once, without a line break."""

IN_FILE_NAMES = HOSTILE
"""File systems allow all of it in names."""


def steering(output: str, *, terminal: bool = False) -> list[str]:
    """The characters of an output that would steer a terminal; on a terminal, colours and cursors of rich are fine."""
    if terminal:
        import re

        output = re.sub(r"\x1b\[[0-9;]*[mABGK]|\x1b\[\?25[lh]|\r", "", output)
    return [letter for letter in output if (letter < " " and letter not in "\n\t") or letter in _OTHERS]


_OTHERS = {chr(code) for code in (*range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))}
