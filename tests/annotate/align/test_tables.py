from __future__ import annotations

import numpy as np
import pytest

from referee.annotate.align.tables import EMPTY, UNSEEN, Table, Tables, packed, unpacked
from tests.support.small_aligner import WORDS, table


def known(one: Table) -> dict[tuple[str, str], tuple[float, float]]:
    sources, targets = list(one.words.sources), list(one.words.targets)
    rows, columns = np.divmod(one.seen, one.words.width)
    values = zip(one.forward.tolist(), one.backward.tolist(), strict=True)
    return {(sources[i], targets[j]): value for i, j, value in zip(rows, columns, values, strict=True)}


def test_a_table_is_what_was_packed() -> None:
    assert known(table()) == dict.fromkeys(WORDS.items(), (-0.5, -1.0))
    assert known(unpacked(packed(table()))) == known(table())
    assert len(packed(table())) < 300


def test_logarithms_are_packed_in_half_powers_of_two() -> None:
    stored = table()
    fine = Table(stored.words, stored.seen, stored.forward - np.float32(0.2), stored.backward - 40)
    assert set(known(unpacked(packed(fine))).values()) == {(-0.5, -7.5)}


def test_looking_up_pairs_of_words() -> None:
    one = table()
    sources = np.array([[one.words.sources["dog"], len(one.words.sources)]], np.int32)
    targets = np.array([[one.words.targets["haus"], one.words.targets["hund"], len(one.words.targets)]], np.int32)
    forward, backward = one.look_up(sources, targets)
    assert forward.tolist() == [[[UNSEEN, -0.5, UNSEEN], [UNSEEN] * 3]]
    assert backward[0, 0, 1] == -1


def test_a_turned_table_has_the_other_direction() -> None:
    turned = table().turned()
    assert known(turned) == dict.fromkeys(((two, one) for one, two in WORDS.items()), (-1.0, -0.5))
    assert known(turned.turned()) == known(table())


def test_an_empty_table_knows_nothing() -> None:
    forward, backward = EMPTY.look_up(np.zeros((1, 2), np.int32), np.zeros((1, 3), np.int32))
    assert set(forward.ravel()) == set(backward.ravel()) == {UNSEEN}
    assert len(unpacked(packed(EMPTY)).seen) == 0


def test_tables_are_unpacked_when_they_are_needed() -> None:
    tables = Tables({"en-de": packed(table()), "en-xx": np.zeros(3, np.uint8)})
    assert list(tables) == ["en-de", "en-xx"]
    assert tables["en-de"] is tables["en-de"]
    with pytest.raises(KeyError):
        tables["de-en"]
