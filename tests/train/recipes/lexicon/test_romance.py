"""Analyses from dictionaries of French and Portuguese."""

from __future__ import annotations

from pathlib import Path

from referee.languages.analyses import Analysis
from referee.train.recipes.lexicon.romance import french, portuguese

FRENCH = """FLAG long
NEEDAFFIX ()
SFX S. Y 2
SFX S. 0 0 [^s] is:sg
SFX S. 0 s [^s] is:pl
SFX a0 Y 3
SFX a0 er er er po:infi
SFX a0 er e er po:ipre po:1sg po:3sg
SFX a0 er é er po:ppas is:mas is:sg
"""
PORTUGUESE = """SET UTF-8
SFX p Y 1
SFX p 0 s [^s] +N=p
SFX f Y 1
SFX f o a o +G=f
"""


def test_french_nouns_verbs_and_participles(tmp_path: Path) -> None:
    path = tmp_path / "fr.dic"
    path.write_text("3\ntasse/S.() po:nom is:fem\nélève/S.() po:nom is:epi\ntasser/a0() po:v1__t___zz\nParis po:npr\n")
    path.with_suffix(".aff").write_text(FRENCH)
    forms = french(path)
    assert forms["tasses"] == (Analysis("NOUN", "Fem", "Plur", "", "", "tasse"),)
    assert [found.gender for found in forms["élève"]] == ["Masc", "Fem"]
    assert forms["tasse"] == (
        Analysis("NOUN", "Fem", "Sing", "", "", "tasse"),
        Analysis("VERB", "", "Sing", "", "", "tasser"),
    )
    assert forms["tassé"] == (Analysis("*", "Masc", "Sing", "", "", "*"),)
    assert forms["Paris"] == (Analysis("PROPN", "*", "*", "", "", "Paris"),)


def test_portuguese_rules_change_what_an_entry_says(tmp_path: Path) -> None:
    path = tmp_path / "pt.dic"
    path.write_text("2\ngato/pf\t[CAT=nc,G=m,N=s]\nontem\t[CAT=adv]\nvai\t[$ir$CAT=v,T=p]\n")
    path.with_suffix(".aff").write_text(PORTUGUESE)
    forms = portuguese(path)
    assert forms["gatos"] == (Analysis("NOUN", "Masc", "Plur", "", "", "gato"),)
    assert forms["gata"] == (Analysis("NOUN", "Fem", "Sing", "", "", "gato"),)
    assert forms["ontem"] == (Analysis("ADV", "", "", "", "", "ontem"),)
    assert forms["vai"] == (Analysis("*", "*", "*", "", "", "*"),)
