from __future__ import annotations

import json
import lzma
from pathlib import Path

from referee.train.recipes.aligner.sentences import passages, sentence_pairs

ROWS = [
    ["train", "de", "The dog sleeps. It is red.", "Der Hund schläft. Er ist rot."],
    ["train", "de", "Yes. No. Well.", "Ja, nein."],
    ["train", "de", "It is red.", "Er ist rot."],
    ["train", "de", "", "Nur deutsch."],
    ["train", "fr", "The cat.", "Le chat."],
    ["watch", "de", "Held out.", "Zurückgehalten."],
    ["train", "de", "so " * 101, "so " * 101],
]


def text(folder: Path) -> Path:
    path = folder / "text.jsonl.xz"
    path.write_bytes(lzma.compress("".join(json.dumps(row) + "\n" for row in ROWS).encode()))
    return path


def test_passages_of_a_language_with_both_sides(tmp_path: Path) -> None:
    assert len(list(passages(text(tmp_path), "de"))) == 4
    assert list(passages(text(tmp_path), "fr")) == [("The cat.", "Le chat.")]


def test_passages_are_cut_where_both_sides_agree(tmp_path: Path) -> None:
    pairs = sentence_pairs(text(tmp_path), "de")
    assert [(pair.source.text, pair.target.text) for pair in pairs] == [
        ("The dog sleeps.", "Der Hund schläft."),
        ("It is red.", "Er ist rot."),
        ("Yes. No. Well.", "Ja, nein."),
    ]
    assert pairs[0].source.spans == ((0, 3), (4, 7), (8, 14), (14, 15))
