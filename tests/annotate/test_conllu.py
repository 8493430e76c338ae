from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.annotate.conllu import conllu, header, read_conllu, write_conllu, wrote_conllu
from referee.annotate.document import ROOT, Document, Sentence, Word
from referee.errors import RefereeError
from referee.io.text import visible
from tests.support.annotated import documents

DU = (
    Word("Il", "il", "PRON", "Gender=Masc", 1, "nsubj", 0, 2),
    Word("parle", "parler", "VERB", "", ROOT, "root", 3, 8),
    Word("de", "de", "ADP", "", 4, "case", 9, 11, 1),
    Word("le", "le", "DET", "Definite=Def", 4, "det", 9, 11, 2),
    Word("chat", "chat", "NOUN", "Gender=Masc|Number=Sing", 1, "obl", 12, 16, xpos="NC"),
    Word(".", ".", "PUNCT", "", 1, "punct", 16, 17),
)
DOCUMENT = Document("a b", "Il parle du chat.\n", "fr", (Sentence(0, 17, DU),), "tiny 1.0")
WRITTEN = """\
# newdoc id = a b
# sent_id = a%20b-1
# text = Il parle du chat.
1\tIl\til\tPRON\t_\tGender=Masc\t2\tnsubj\t_\t_
2\tparle\tparler\tVERB\t_\t_\t0\troot\t_\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\tde\tADP\t_\t_\t5\tcase\t_\t_
4\tle\tle\tDET\t_\tDefinite=Def\t5\tdet\t_\t_
5\tchat\tchat\tNOUN\tNC\tGender=Masc|Number=Sing\t2\tobl\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\tSpacesAfter=\\n

"""


def test_a_document_with_a_multi_word_token() -> None:
    assert conllu(DOCUMENT) == WRITTEN


def test_the_header_names_tool_and_version() -> None:
    lines = header("tiny 1.0", "fr").splitlines()
    assert lines[0].startswith("# generator = referee ")
    assert lines[1:] == ["# annotator = tiny 1.0", "# language = fr"]


@given(st.lists(documents(), max_size=3))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, written: list[Document]) -> None:
    path = tmp_path_factory.mktemp("conllu") / "a.conllu"
    write_conllu([DOCUMENT, *written], path)
    assert list(read_conllu(path)) == [DOCUMENT, *written]


@given(documents())
def test_nothing_is_changed_on_the_way_to_a_terminal(document: Document) -> None:
    written = header("tiny\x1b 1", "en") + conllu(document)
    assert visible(written) == written


def test_the_text_without_our_fields_is_that_of_ud(tmp_path: Path) -> None:
    """Tools that know only SpaceAfter rebuild the sentence."""
    path = tmp_path / "a.conllu"
    write_conllu([Document("d", "No  way\x00!", "en", (Sentence(0, 9, words("No", 0, "way", 4, "!", 8)),))], path)
    content = path.read_text()
    assert "# text = No way!\n" in content
    assert "SpaceAfter=No|SpacesAfter=\\u0000" in content
    [document] = read_conllu(path)
    assert document.text == "No  way\x00!"


def words(*pairs: str | int) -> tuple[Word, ...]:
    return tuple(
        Word(str(form), "", "", "", ROOT, "", int(start), int(start) + len(str(form)))
        for form, start in zip(pairs[::2], pairs[1::2], strict=True)
    )


def test_packed_files(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu.gz"
    write_conllu([DOCUMENT], path)
    assert gzip.decompress(path.read_bytes()).decode().endswith(WRITTEN)
    assert list(read_conllu(path)) == [DOCUMENT]
    assert wrote_conllu(path)


def test_only_our_files_are_recognised(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text("# generator = UDPipe 2\n" + WRITTEN)
    assert not wrote_conllu(path)
    assert not wrote_conllu(tmp_path / "missing")
    write_conllu([], path)
    assert not wrote_conllu(path), "it is empty, and may be replaced for that reason"


def test_words_that_overlap_are_an_error_of_the_annotator() -> None:
    broken = Document("d", "abc", "en", (Sentence(0, 3, words("abc", 0, "bc", 1)),), "tiny 1")
    with pytest.raises(RefereeError, match=r"tiny 1 gave words that overlap or leave document 'd' \(at character 1\)"):
        conllu(broken)


def test_a_write_that_fails_leaves_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    write_conllu([DOCUMENT], path)
    before = path.read_bytes()
    broken = Document("d", "abc", "en", (Sentence(0, 9, words("abcdef", 0)),))
    with pytest.raises(RefereeError):
        write_conllu([DOCUMENT, broken], path)
    assert path.read_bytes() == before
