from __future__ import annotations

import sys
from pathlib import Path

import pytest

from referee.errors import InputError, MissingError
from referee.perturbations.thesaurus import open_thesaurus

MYTHES = """UTF-8
becher|2
-|Becher|Kelch|Trinkgefäß (Oberbegriff)|Tasse (ugs.)
-|Becher|Pokal (fachspr.)|Kelch
tasse|1
(noun)|Becher|Schale
"""

LMF = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
  <Lexicon id="becherei" label="Cups" language="de" email="a@example.org" license="CC0" version="1.0">
    <LexicalEntry id="e1"><Lemma writtenForm="Becher" partOfSpeech="n"/><Sense id="s1" synset="becherei-1-n"/>
    </LexicalEntry>
    <LexicalEntry id="e2"><Lemma writtenForm="Tasse" partOfSpeech="n"/><Sense id="s2" synset="becherei-1-n"/>
    </LexicalEntry>
    <LexicalEntry id="e3"><Lemma writtenForm="Glas" partOfSpeech="n"/><Sense id="s3" synset="becherei-1-n"/>
      <Sense id="s4" synset="becherei-2-n"/></LexicalEntry>
    <LexicalEntry id="e4"><Lemma writtenForm="gläsern" partOfSpeech="a"/><Sense id="s5" synset="becherei-2-n"/>
    </LexicalEntry>
    <Synset id="becherei-1-n" ili="" partOfSpeech="n"/>
    <Synset id="becherei-2-n" ili="" partOfSpeech="n"/>
  </Lexicon>
</LexicalResource>
"""


@pytest.fixture
def mythes(tmp_path: Path) -> Path:
    path = tmp_path / "th.dat"
    path.write_text(MYTHES, encoding="utf-8")
    return path


@pytest.fixture
def lmf(tmp_path: Path) -> Path:
    path = tmp_path / "cups.xml"
    path.write_text(LMF, encoding="utf-8")
    return path


def test_mythes_gives_synonyms_of_all_meanings_without_broader_words(mythes: Path) -> None:
    thesaurus = open_thesaurus(str(mythes))
    assert thesaurus("Becher") == ["Kelch", "Tasse", "Pokal"]
    assert thesaurus("Tasse") == ["Becher", "Schale"]
    assert thesaurus("Glas") == []


def test_mythes_reads_the_encoding_it_names(tmp_path: Path) -> None:
    path = tmp_path / "th.dat"
    path.write_bytes("ISO8859-1\ngefäß|1\n-|Gefäß|Behälter\n".encode("latin-1"))
    assert open_thesaurus(str(path))("Gefäß") == ["Behälter"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "does not start with an encoding"),
        (b"something\nelse\n", "does not start with an encoding"),
        (b"UTF-8\nbecher\n", "th.dat:2: expected WORD|NUMBER OF MEANINGS"),
        (b"UTF-8\nbecher|1\n-|Kelch\nb\xff|1\n-|x\n", "th.dat:4: is not valid UTF-8"),
    ],
)
def test_what_is_no_mythes_file_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "th.dat"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        open_thesaurus(str(path))
    assert message in str(error.value)


def test_an_index_is_answered_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "th.idx").write_text("UTF-8\n")
    with pytest.raises(InputError, match=r"Use the \*\.dat file"):
        open_thesaurus(str(tmp_path / "th.idx"))


def test_a_missing_file_is_told() -> None:
    with pytest.raises(MissingError, match="does not exist"):
        open_thesaurus("nowhere.dat")


def test_a_lexicon_file_gives_the_nouns_of_a_synset(lmf: Path) -> None:
    pytest.importorskip("wn")
    thesaurus = open_thesaurus(str(lmf))
    assert thesaurus("Becher") == ["Tasse", "Glas"]
    assert thesaurus("Glas") == ["Becher", "Tasse"]
    assert thesaurus("gläsern") == []


def test_a_file_that_is_no_lexicon_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("wn")
    (tmp_path / "no.xml").write_text("<a/>")
    with pytest.raises(InputError, match="is not a valid WN-LMF"):
        open_thesaurus(str(tmp_path / "no.xml"))


def test_an_installed_lexicon_gives_synonyms(lmf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wn = pytest.importorskip("wn")
    monkeypatch.setattr(wn.config, "data_directory", tmp_path / "wn")
    wn.add(lmf, progress_handler=None)
    thesaurus = open_thesaurus("wn:becherei:1.0")
    assert sorted(thesaurus("Becher")) == ["Glas", "Tasse"]
    with pytest.raises(MissingError, match=r"wn has no lexicon 'odenet'. Run `python -m wn download odenet`"):
        open_thesaurus("wn:odenet")


def test_without_the_package_the_user_is_told_what_to_install(lmf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wn", None)
    monkeypatch.setitem(sys.modules, "wn.lmf", None)
    for name in (str(lmf), "wn:odenet"):
        with pytest.raises(MissingError, match=r"pip install 'referee\[attacks\]'"):
            open_thesaurus(name)
