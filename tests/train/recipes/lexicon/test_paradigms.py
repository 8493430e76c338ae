"""From words to stems and paradigms, and back."""

from __future__ import annotations

from pathlib import Path

from referee.languages.analyses import Analysis
from referee.languages.lexicon import read_lexicon
from referee.train.recipes.lexicon.paradigms import Word, build

NOM, GEN, INS = (Analysis("NOUN", "Masc", "Sing", case, "Hum") for case in ("Nom", "Gen", "Ins"))
BEST = Analysis("ADJ", "Masc", "Sing", "Nom", "Hum")
WORDS = [
    Word("pan", (("pan", NOM), ("pana", GEN))),
    Word("syn", (("syn", NOM), ("syna", GEN))),
    Word("człowiek", (("człowiek", NOM), ("ludźmi", INS))),
    Word("dobry", (("dobry", BEST), ("najlepszy", BEST))),
    Word("zrobić", (("zrobiony", BEST), ("niezrobiony", BEST))),
    Word("pani", (("pani", NOM._replace(gender="Fem")),)),
]


def test_every_form_is_found_with_its_lemma(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.xz"
    path.write_bytes(build(WORDS, {"language": "pl"}))
    lexicon = read_lexicon(path)
    for word in WORDS:
        for form, tag in word.forms:
            assert tag._replace(lemma=word.lemma) in lexicon.analyses(form)
    assert lexicon.analyses("panu") == lexicon.analyses("nie") == ()


def test_words_of_one_paradigm_share_a_line_and_the_order_of_words_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.xz"
    path.write_bytes(build(WORDS[:2], {}))
    lexicon = read_lexicon(path)
    assert len(lexicon.lines) == len(lexicon.classes) == 1
    assert build(WORDS, {}) == build(WORDS[::-1], {})
