from __future__ import annotations

import random

import pytest

pytest.importorskip("torch")

from referee.annotate.align.features import cells
from referee.train.recipes.aligner.gold import Gold
from referee.train.recipes.aligner.weighing import weigh
from tests.support.small_aligner import WORDS, pair, table


def gold(count: int, seed: int) -> list[Gold]:
    chance = random.Random(seed)
    made = []
    for _ in range(count):
        words = chance.sample(list(WORDS), 4)
        order = chance.sample(range(4), 4)
        links = frozenset((source, target) for target, source in enumerate(order))
        made.append(Gold(pair(" ".join(words), " ".join(WORDS[words[one]] for one in order)), links, links))
    return made


def words(one: Gold) -> tuple[list[str], list[str]]:
    return one.pair.source.text.split(), one.pair.target.text.split()


def test_what_speaks_for_links_is_learned() -> None:
    learned, unseen = gold(40, 1), gold(20, 2)
    batch = list(range(40)), cells([words(one) for one in learned], None, table())
    weighing = weigh([batch] * 4, learned)
    links = weighing.links(cells([words(one) for one in unseen], None, table()))
    found = [{(int(i), int(j)) for i, j in zip(*row.nonzero(), strict=True)} for row in links]
    assert found == [one.sure for one in unseen]
