from __future__ import annotations

import json
import lzma
import random
from pathlib import Path

import pytest

from referee.train.recipes.aligner.tables import EXAMPLES, LEAST_COUNT, Learned, learned

NOUNS = {"dog": "hund", "cat": "katze", "horse": "pferd", "bird": "vogel", "fish": "fisch", "cow": "kuh"}
VERBS = {"sees": "sieht", "hears": "hört", "finds": "findet", "knows": "kennt"}


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    chance = random.Random(1)
    rows = []
    for _ in range(300):
        one, two = chance.sample(list(NOUNS), 2)
        verb = chance.choice(list(VERBS))
        english = f"The {one} {verb} the {two} today ."
        rows.append(["train", "de", english, f"Die {NOUNS[one]} {VERBS[verb]} die {NOUNS[two]} heute ."])
    rows.append(["train", "de", "The hapax is here now .", "Der hapax ist jetzt hier ."])
    path = tmp_path_factory.mktemp("text") / "text.jsonl.xz"
    path.write_bytes(lzma.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    return path


@pytest.fixture(scope="module")
def kept(text: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Learned, Path]:
    state = tmp_path_factory.mktemp("state")
    return learned(text, "de", state), state


def test_words_that_translate_each_other_are_kept(kept: tuple[Learned, Path]) -> None:
    table = kept[0].opened()
    sources, targets = list(table.words.sources), list(table.words.targets)
    assert sources == sorted(sources)
    rows, columns = table.seen // table.words.width, table.seen % table.words.width
    pairs = {(sources[i], targets[j]) for i, j in zip(rows.tolist(), columns.tolist(), strict=True)}
    assert set(NOUNS.items()) | set(VERBS.items()) <= pairs


def test_seldom_words_are_not(kept: tuple[Learned, Path]) -> None:
    assert LEAST_COUNT > 1
    assert "hapax" not in kept[0].opened().words.sources


def test_examples_have_links_of_their_tokens(kept: tuple[Learned, Path]) -> None:
    examples = kept[0].examples
    assert 100 < len(examples) <= EXAMPLES
    assert any(pair.source.text == pair.source.text.lower() for pair, _ in examples)
    for pair, links in examples:
        linked = {
            (
                pair.source.text[slice(*pair.source.spans[i])].lower(),
                pair.target.text[slice(*pair.target.spans[j])].lower(),
            )
            for i, j in links
        }
        nouns = {(one, two) for one, two in NOUNS.items() if one in pair.source.text.lower()}
        assert nouns <= linked


def test_what_was_kept_is_not_learned_again(kept: tuple[Learned, Path], tmp_path: Path) -> None:
    assert learned(tmp_path / "no text", "de", kept[1]) == kept[0]
