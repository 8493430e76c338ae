"""Genders of nouns from treebanks."""

from __future__ import annotations

from pathlib import Path

from referee.languages.analyses import Analysis
from referee.train.recipes.encoder.treebanks import MEASURED
from referee.train.recipes.lexicon.treebank import TREEBANKS, treebank_words


def write_treebanks(data: Path, language: str, nouns: dict[str, list[tuple[str, str, str]]]) -> None:
    """Write all treebanks of a language: one sentence per noun, and one other where none is given."""
    for treebank in (*TREEBANKS[language], MEASURED[language]):
        path = data / "ud" / f"{treebank}.conllu"
        path.parent.mkdir(parents=True, exist_ok=True)
        blocks = [
            f"# text = {form} {number}\n1\t{form}\t{form}\tNOUN\t_\tGender={gender}|Number={number}\t0\troot\t_\t_\n"
            for form, gender, number in nouns.get(treebank, [("x", "", "")])
        ]
        path.write_text("\n".join(blocks) + "\n")


def test_nouns_with_one_gender_are_taken_and_measured_sentences_left_out(tmp_path: Path) -> None:
    nouns = [("mesa", "Fem", "Sing")] * 2 + [("arte", "Fem", "Sing"), ("arte", "Masc", "Sing"), ("una", "Fem", "Sing")]
    nouns += [("copa", "Fem", "Sing")] * 3
    write_treebanks(tmp_path, "es", {"UD_Spanish-PUD/es_pud-ud-test": nouns, MEASURED["es"]: [("copa", "Fem", "Sing")]})
    [word] = treebank_words(tmp_path, "es")
    assert word.forms == (("mesa", Analysis("NOUN", "Fem", "Sing", "*")),)
