"""Rules that give the treebanks of a language one convention."""

from __future__ import annotations

import pytest

from referee.train.recipes.encoder.conventions import FEATS, LEMMA, UPOS, harmonise, rules_of


def rows(*words: str) -> list[str]:
    """Rows of a sentence from `form lemma upos feats head deprel`."""
    return [
        "\t".join([str(index), form, lemma, upos, "_", feats, head, deprel, "_", "_"])
        for index, (form, lemma, upos, feats, head, deprel) in enumerate((word.split() for word in words), 1)
    ]


@pytest.mark.parametrize(
    ("treebank", "word", "upos", "lemma", "feats"),
    [
        ("UD_Spanish-PUD", "su su PRON Gender=Fem|Poss=Yes 2 det", "DET", "su", "Poss=Yes"),
        ("UD_Spanish-GSD", "Madrid madrid PROPN Gender=Masc 2 flat", "PROPN", "Madrid", "_"),
        ("UD_Spanish-PUD", "ha haber AUX Tense=Past 2 aux", "AUX", "haber", "Tense=Pres"),
        ("UD_French-PUD", "il il PRON Person=3 2 nsubj", "PRON", "lui", "Emph=No|Person=3"),
        ("UD_French-PUD", "les le DET Gender=Fem|Number=Plur 2 det", "DET", "le", "Number=Plur"),
        ("UD_Italian-PUD", "andare andare VERB Voice=Act 2 xcomp", "VERB", "andare", "VerbForm=Inf"),
        ("UD_Italian-Valico", "la la DET Gender=Fem 2 det", "DET", "il", "Gender=Fem"),
        ("UD_Portuguese-PUD", "foi _ AUX Mood=Ind 2 cop", "AUX", "?", "Mood=Ind|VerbForm=Fin"),
        ("UD_German-PUD", "schnell schnell ADV Degree=Pos 2 advmod", "ADJ", "schnell", "Degree=Pos"),
        ("UD_Russian-Taiga", "который который DET Case=Nom 2 nsubj", "PRON", "который", "Animacy=?|Case=Nom"),
        (
            "UD_English-PUD",
            "his his PRON Poss=Yes|PronType=Prs 2 nmod",
            "PRON",
            "his",
            "Case=Gen|Poss=Yes|PronType=Prs",
        ),
    ],
)
def test_words_are_rewritten(treebank: str, word: str, upos: str, lemma: str, feats: str) -> None:
    fields = harmonise(treebank, rows(word, "x x X _ 0 root"))[0].split("\t")
    assert (fields[UPOS], fields[LEMMA], fields[FEATS]) == (upos, lemma, feats)


def test_relatives_are_known_by_the_relation_of_their_head() -> None:
    clause = rows("libro libro NOUN _ 0 root", "que que SCONJ _ 3 mark", "lee leer VERB _ 1 acl:relcl")
    assert harmonise("UD_Spanish-GSD", clause)[1].split("\t")[UPOS] == "PRON"
    complement = rows("dice decir VERB _ 0 root", "que que SCONJ _ 3 mark", "lee leer VERB _ 1 ccomp")
    assert harmonise("UD_Spanish-GSD", complement)[1].split("\t")[UPOS] == "SCONJ"


def test_names_are_not_the_first_word() -> None:
    first, second = harmonise("UD_Spanish-PUD", rows("Casa casa NOUN _ 0 root", "Blanca blanco ADJ _ 1 amod"))
    assert (first.split("\t")[UPOS], second.split("\t")[UPOS]) == ("NOUN", "PROPN")


def test_the_voice_of_a_participle_comes_from_its_auxiliary() -> None:
    passive = rows("est être AUX _ 2 aux:pass", "vu voir VERB Tense=Past|VerbForm=Part 0 root")
    active = rows("a avoir AUX _ 2 aux:tense", "vu voir VERB Tense=Past|VerbForm=Part 0 root")
    assert "Voice=Pass" in harmonise("UD_French-PUD", passive)[1]
    assert "Voice=Act" in harmonise("UD_French-PUD", active)[1]


def test_measured_treebanks_and_other_lines_are_left_alone() -> None:
    lines = ["1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_", *rows("de de ADP _ 2 case", "le le DET Gender=Masc 0 root")]
    assert harmonise("UD_French-GSD/fr_gsd-ud-dev", lines) == tuple(lines)
    assert harmonise("UD_French-PUD/fr_pud-ud-test", lines)[0] == lines[0]
    assert not rules_of("UD_French-GSD")


def test_harmonising_twice_changes_nothing_more() -> None:
    for treebank in ("UD_Spanish-GSD", "UD_French-PUD", "UD_Italian-PUD", "UD_Russian-PUD"):
        once = harmonise(treebank, rows("que que SCONJ _ 2 mark", "x x VERB Mood=Ind 0 root", "l' le DET _ 2 det"))
        assert harmonise(treebank, once) == once
