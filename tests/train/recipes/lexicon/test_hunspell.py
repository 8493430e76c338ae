"""Forms of a Hunspell dictionary."""

from __future__ import annotations

from pathlib import Path

from referee.train.recipes.lexicon.hunspell import Form, read_forms

AFFIXES = """FLAG long
NEEDAFFIX ()
PFX L' Y 1
PFX L' 0 l' .
SFX S. Y 2
SFX S. 0 0/L' [^sx] is:sg
SFX S. 0 s [^sx] is:pl
SFX X. Y 2
SFX X. 0 0 al is:sg
SFX X. al aux al is:pl
"""


def test_suffixes_make_forms_and_prefixes_do_not(tmp_path: Path) -> None:
    path = tmp_path / "fr.dic"
    path.write_text("4\nlivre/S.() po:nom is:mas\ncanal/X.() po:nom is:mas\nici po:adv\nos/S.L' po:nom\n")
    path.with_suffix(".aff").write_text(AFFIXES)
    noun = ("po:nom", "is:mas")
    assert list(read_forms(path)) == [
        Form("livre", "livre", noun, ("is:sg",)),
        Form("livres", "livre", noun, ("is:pl",)),
        Form("canal", "canal", noun, ("is:sg",)),
        Form("canaux", "canal", noun, ("is:pl",)),
        Form("ici", "ici", ("po:adv",), ()),
        Form("os", "os", ("po:nom",), ()),
    ]
