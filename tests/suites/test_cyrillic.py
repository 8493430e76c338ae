from __future__ import annotations

import pytest

from referee.items import is_mixed_script
from referee.suites.cyrillic import normalise_cyrillic


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("она", "она"),
        ("o\u043d\u0430", "она"),
        ("\u043e\u043da, o\u043d \u0438 \u043e\u043do", "она, он и оно"),
        ("E\u0433\u043e", "Его"),
        ("\u0435\u0451 c\u0442\u043ep\u043e\u043d\u0430", "её сторона"),
        ("ace", "ace"),
        ("слово ace и o", "слово ace и o"),
        ("TV-\u043a\u0430\u043d\u0430\u043b", "TV-канал"),
        ("VIP\u043e\u043c", "VIPом"),
        ("o\u043d_o\u043d", "он_он"),
    ],
)
def test_look_alikes_in_mixed_words(text: str, expected: str) -> None:
    assert normalise_cyrillic(text) == expected


def test_every_look_alike_is_replaced() -> None:
    latin, cyrillic = "ABCEHKMOPTXYacekopxy", "АВСЕНКМОРТХУасекорху"
    assert normalise_cyrillic(f"ж{latin}ж") == f"ж{cyrillic}ж"
    assert not is_mixed_script(f"ж{cyrillic}ж")
