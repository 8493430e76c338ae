"""Genders of French, Spanish, Italian and Portuguese nouns, against treebanks and dictionaries.

The treebanks come with the public data. The dictionaries are Debian's (lttoolbox, apertium-fra-cat, apertium-eng-spa,
apertium-cat-ita, apertium-por-cat, ...; hunspell-fr-comprehensive, hunspell-pt-pt); $REFEREE_DICTIONARIES names a
folder they were unpacked in.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pytest

from tests.build.test_romance import gender_of

TREEBANKS = {"fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese"}
DISAGREE: dict[str, set[str]] = {
    "fr": set(),
    "es": {"coliflor", "moto", "serpiente"},
    "it": set(),
    "pt": {"meia"},
}
"""Nouns that the treebanks have with another gender more often, wrongly."""
ANALYSERS = {
    "fr": ("apertium-fra-cat/fra-cat", "apertium-oci-fra/fra-oci"),
    "es": ("apertium-eng-spa/spa-eng", "apertium-spa-ita/spa-ita", "apertium-es-pt/es-pt"),
    "it": ("apertium-cat-ita/ita-cat", "apertium-srd-ita/ita-srd", "apertium-spa-ita/ita-spa"),
    "pt": ("apertium-por-cat/por-cat", "apertium-es-pt/pt-es", "apertium-pt-gl/pt-gl"),
}
SPELLING = {
    "fr": (("fr.dic", r"^([\w-]+)\S*\s.*po:nom.*is:(mas|fem|epi)"),),
    "pt": (("pt_PT.dic", r"^([\w-]+)\S*\s+\[CAT=(?:nc|a_nc),G=(m|f|2)"),),
}
NOT_ATTESTED = {
    "fr": "",
    "es": (
        "arcoíris batido bocadillo cactus candelabro carretilla cazo filete golondrina hervidor palangana "
        "ropero saltamontes tortilla"
    ),
    "it": (
        "aragosta aranciata arcobaleno avvocata benda bollitore candeliere cavalletta ciotola comignolo "
        "cornetto fienile frittata giraffa guanciale limonata lucchetto palloncino pantofola posacenere "
        "racchetta salsiccia staccionata stampella talpa zattera"
    ),
    "pt": ("berinjela cacto escorregador garçonete luminária marionete pera trailer trator trilha"),
}
"""Neither in the treebanks nor in those dictionaries: checked by hand."""

each_language = pytest.mark.parametrize("code", TREEBANKS)


@each_language
def test_genders_are_those_of_treebanks(code: str, shared_data: Path) -> None:
    found = treebank(shared_data, code)
    known = {word: counts for word in gender_of(code) if (counts := found.get(word))}
    assert len(known) > 170
    wrong = {word for word, counts in known.items() if 2 * counts[gender_of(code)[word]] < sum(counts.values())}
    assert wrong == DISAGREE[code]


@each_language
def test_genders_are_those_of_dictionaries(code: str, shared_data: Path) -> None:
    found = dictionaries(code)
    if not found:
        pytest.skip("not all of the dictionaries are installed")
    treebanks = treebank(shared_data, code)
    genders = gender_of(code)
    assert not {word for word, known in found.items() if genders[word] not in known and "mf" not in known}
    assert {word for word in genders if word not in found and word not in treebanks} == set(NOT_ATTESTED[code].split())


@cache
def treebank(data: Path, code: str) -> dict[str, Counter[str]]:
    """How often a noun in the singular, as it is written, has each gender."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for path in sorted((data / "ud").glob(f"UD_{TREEBANKS[code]}-*/*.conllu.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                cells = line.split("\t")
                if len(cells) == 10 and cells[3] == "NOUN" and "Number=Plur" not in cells[5]:
                    gender = re.search(r"Gender=(Masc|Fem)(?:\||$)", cells[5])
                    if gender:
                        found[cells[1].lower()][gender[1][0].lower()] += 1
    return found


def dictionaries(code: str) -> dict[str, set[str]]:
    """The genders (m, f, mf) that dictionaries give each noun; nothing unless all are installed."""
    root = Path(os.environ.get("REFEREE_DICTIONARIES", "/")) / "usr/share"
    analysers = [root / "apertium" / f"{name}.automorf.bin" for name in ANALYSERS[code]]
    spelling = [(root / "hunspell" / name, pattern) for name, pattern in SPELLING.get(code, ())]
    program = shutil.which("lt-proc")
    if program is None or not all(path.is_file() for path in (*analysers, *(path for path, _ in spelling))):
        return {}
    genders = gender_of(code)
    found: dict[str, set[str]] = defaultdict(set)
    for path in analysers:
        text = "\n".join(f"{noun} ." for noun in genders)
        analysed = subprocess.run([program, str(path)], input=text, capture_output=True, text=True, check=True)
        for form, analyses in re.findall(r"\^([^/$]+)/([^$]*)\$", analysed.stdout):
            found[form.lower()].update(re.findall(r"<n>(?:<acr>)?<(mf|m|f)><s[gp]>(?!\+)", analyses))
    for path, pattern in spelling:
        for form, gender in re.findall(pattern, path.read_text(encoding="utf-8"), re.MULTILINE):
            found[form].add({"mas": "m", "fem": "f", "epi": "mf", "2": "mf"}.get(gender, gender))
    return {word: found[word] for word in genders if found.get(word)}
