"""Counts of forms in a text of pairs."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

from referee.train.recipes.lexicon.counting import count_forms


def test_capitals_at_the_start_of_a_sentence_are_counted_apart(tmp_path: Path) -> None:
    text = tmp_path / "text.jsonl.xz"
    rows = [["train", "de", "The cup. A cup", "Die Tasse. - Die Tasse der Frau"], ["train", "fr", "Cup", "La tasse"]]
    with lzma.open(text, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    german = count_forms(text, "de")
    assert german.total == {"Die": 2, "Tasse": 2, "der": 1, "Frau": 1}
    assert german.initial == {"Die": 2}
    assert german.inside("Tasse") == 2
    assert count_forms(text, "en").total["cup"] == 2
