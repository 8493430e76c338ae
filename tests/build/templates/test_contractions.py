"""Words change where they meet, and marks stay around their words."""

from __future__ import annotations

import pytest

from referee.build.templates.contractions import marks, rewritten
from referee.languages.schema import Contractions
from tests.support.generated import marked
from tests.support.language_folder import CONTRACTIONS, WriteFolder, items_of


@pytest.mark.parametrize(
    ("pattern", "replacement", "before", "after"),
    [
        # Before, behind and between nouns, as if there were no marks.
        (r"(?<=[aeiou]) і (?![aeiou])", " й ", "[cane] і [volpe]", "[cane] й [volpe]"),
        (r"(?<=[aeiou]) і (?![aeiou])", " й ", "[cane] і [oca]", "[cane] і [oca]"),
        (r"(\w) і (\w)", r"\1 й \2", "[cane] і [volpe]", "[cane] й [volpe]"),
        # An article within the span, and one outside of it.
        (r"\bil (?=z|s[t])", "lo ", "[il zaino] e il [zaino]", "[lo zaino] e lo [zaino]"),
        (r"\b(il) (z\w+)", r"lo \2", "vide il [zaino]", "vide lo [zaino]"),
        # What grows together with a noun's article belongs to the noun, on both sides.
        ("di il", "del", "di [il cane]", "[del cane]"),
        ("con gli", "cogli", "[con] gli", "[cogli]"),
        ("a l'", "all'", "a [l'oca]", "[all'oca]"),
        # Longer, shorter, gone, come from nowhere, and twice.
        ("e", "ed", "[cane] e [oca]", "[caned] ed [oca]"),
        (" molto", "", "[cane] molto e [oca]", "[cane] e [oca]"),
        ("$", "!", "il [cane]", "il [cane]!"),
        ("^", "¡", "[cane]", "[¡cane]"),
        ("il ", "lo ", "il [zio] il [zio] il [zio]", "lo [zio] lo [zio] lo [zio]"),
    ],
)  # fmt: skip
def test_patterns_see_no_marks(pattern: str, replacement: str, before: str, after: str) -> None:
    signs = iter(sum((marks(number) for number in range(9)), ()))
    text = "".join(next(signs) if sign in "[]" else sign for sign in before)
    joined = rewritten(text, Contractions(replace=((pattern, replacement),)).changes)
    assert "".join("[]"[ord(sign) % 2] if "\ue000" <= sign <= "\uf8ff" else sign for sign in joined) == after


def test_a_pattern_meets_a_noun(folder: WriteFolder) -> None:
    contractions = "replace = [['n et de (?=l|h)', 'n puis de ']]" + CONTRACTIONS
    item = items_of(folder(contractions=contractions), "pair")[0]
    assert item.target_context == ("Je parlais du chien puis de l'oie.",)
    assert [marked(item, span) for span in item.spans if span.field == "target_context"] == ["du chien", "l'oie"]


def test_elision_and_contraction_stop_at_exceptions(folder: WriteFolder) -> None:
    contexts = {item.meta["words"]["a"]: item.target_context for item in items_of(folder(), "dropped")}
    assert contexts == {
        "dog": ("Voilà le chien.",),
        "goose": ("Voilà l'oie.",),
        "hamster": ("Voilà le hamster.",),
    }
