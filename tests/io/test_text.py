"""What a page shows of characters that are not to be seen."""

from __future__ import annotations

import pytest

from referee.io.text import visible, well_formed


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, größer, عربى, 🙂", "plain, größer, عربى, 🙂"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("\x00\x07\r\x1f", "‹U+0000›‹U+0007›‹U+000D›‹U+001F›"),
        ("\x7f\x85\x9f", "‹U+007F›‹U+0085›‹U+009F›"),
        ("a\u202eb\u2066c\u2069", "a‹U+202E›b‹U+2066›c‹U+2069›"),
        ("\u2028\u2029", "‹U+2028›‹U+2029›"),
        # Persian and emoji need these, and they change nothing around them.
        ("می\u200cخواهم \u200f \u200e 👩\u200d🚀", "می\u200cخواهم \u200f \u200e 👩\u200d🚀"),
        ("half \ud83d a face", "half \ufffd a face"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_places_stay_where_they_are() -> None:
    # Spans are counted in characters of the text as it came.
    assert len(well_formed("a\ud800b\udfffc")) == 5
