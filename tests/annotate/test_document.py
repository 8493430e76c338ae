from __future__ import annotations

from referee.annotate.document import ROOT, Word


def test_features_of_a_word() -> None:
    word = Word("sie", "sie", "PRON", "Case=Nom|Gender=Fem|Number=Sing", ROOT, "root", 0, 3)
    assert (word.feature("Case"), word.feature("Number"), word.feature("Person")) == ("Nom", "Sing", None)


def test_a_word_without_features_has_none() -> None:
    assert Word(".", ".", "PUNCT", "", 0, "punct", 3, 4).feature("Case") is None
