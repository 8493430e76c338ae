from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from referee.annotate.conllu_reader import read
from referee.annotate.document import ROOT, Document
from referee.errors import InputError

LIKE_UD = """\
# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC
# sent_id = a-1
# text = Dammi il 10 000.
1-2	Dammi	_	_	_	_	_	_	_	Gloss=x
1	Da	dare	VERB	V	Mood=Imp	0	root	0:root	SpaceAfter=No
2	mi	mi	PRON	_	_	1	iobj	_	_
2.1	E	e	PRON	_	_	_	_	1:obj	CopyOf=1
3	il	il	DET	_	_	4	det	_	_
4	10 000	10000	NUM	_	_	1	obj	_	SpaceAfter=No
5	.	.	PUNCT	_	_	1	punct	_	_

# newpar
# sent_id = a-2
# text = _ sì
1	_	_	SYM	_	_	2	dep	_	_
2	sì	sì	INTJ	_	_	0	root	_	_
# newdoc id = b
"""


def written(folder: Path, content: str, name: str = "x-ud-test.conllu") -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def test_a_file_like_those_of_ud(tmp_path: Path) -> None:
    content = LIKE_UD.removesuffix("# newdoc id = b\n")
    [document] = read(written(tmp_path, content), "it")
    assert (document.id, document.language, document.annotator) == ("x-ud-test", "it", "")
    assert document.text == "Dammi il 10 000.\n_ sì"
    first, second = document.sentences
    assert [(word.form, word.start, word.end, word.part) for word in first.words] == [
        ("Da", 0, 5, 1),
        ("mi", 0, 5, 2),
        ("il", 6, 8, 0),
        ("10 000", 9, 15, 0),
        (".", 15, 16, 0),
    ]
    assert [word.head for word in first.words] == [ROOT, 0, 3, 0, 0]
    assert (first.words[0].xpos, first.words[0].feats, first.words[1].feats) == ("V", "Mood=Imp", "")
    assert (second.start, second.end, second.words[0].lemma) == (17, 21, "_")


def test_packed_files(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu.gz"
    path.write_bytes(gzip.compress(line().encode()))
    [document] = read(path, "en")
    assert (document.id, document.text) == ("x", "it")


def line(**cells: str) -> str:
    columns = {"id": "1", "form": "it", "lemma": "it", "upos": "PRON", "xpos": "_", "feats": "_"}
    columns |= {"head": "0", "deprel": "root", "deps": "_", "misc": "_"} | cells
    return "\t".join(columns.values()) + "\n"


def test_documents_by_newdoc(tmp_path: Path) -> None:
    content = "".join(
        f"{comment}{line()}\n" for comment in ("", "# newdoc id = b\n", "# newdoc\n", "# newdoc_id = c\n")
    )
    documents = list(read(written(tmp_path, content, "f.conllu"), ""))
    assert [document.id for document in documents] == ["f", "b", "f-2", "c"]
    assert {document.text for document in documents} == {"it"}


def test_sentences_are_joined_as_space_after_says(tmp_path: Path) -> None:
    last = line(misc="SpacesAfter=\\n\\s")
    content = f"{line(misc='SpaceAfter=No')}\n{line()}\n# newpar id = 2\n{line()}\n\n\n{last}"
    [document] = read(written(tmp_path, content), "en")
    assert document.text == "itit\nit it\n "
    assert [sentence.start for sentence in document.sentences] == [0, 2, 5, 8]


def test_the_text_wins_over_space_after(tmp_path: Path) -> None:
    content = f"# text = it\u00a0itit\n{line()}{line(id='2')}{line(id='3')}"
    [document] = read(written(tmp_path, content), "en")
    assert document.text == "it\u00a0itit"


def test_comments_of_other_tools_are_not_ours(tmp_path: Path) -> None:
    content = f"# generator = UDPipe 2\n# annotator = Ada\n# language = xx\n{line()}\n# generator = UDPipe 2\n{line()}"
    [document] = read(written(tmp_path, content), "en")
    assert (document.annotator, document.language, document.text) == ("", "en", "it it")


def test_empty_documents(tmp_path: Path) -> None:
    content = "# generator = referee 1\n# annotator = t 1\n# empty_document id = a\n# empty_document_text = \\n\n"
    content += f"# empty_document id = b\n# newdoc id = c\n{line()}\n# empty_document id = d\n"
    documents = list(read(written(tmp_path, content), "en"))
    assert [(document.id, document.text) for document in documents] == [("a", "\n"), ("b", ""), ("c", "it"), ("d", "")]
    assert documents[0] == Document("a", "\n", "en", (), "t 1")


@pytest.mark.parametrize(
    ("content", "number", "problem"),
    [
        ("1\tit\n", 1, "expected 10 columns separated by tabs, but found 2"),
        (line() + line(id="x"), 2, "'x' is not the number of a word"),
        (line() + line(id="3"), 2, "expected word 2, but found '3'"),
        (line() + line(id="1"), 2, "expected word 2, but found '1'"),
        (line(id="1-2") + line(), 1, "the range '1-2' does not fit"),
        (line(id="1-2") + line(id="1-2") + line() + line(id="2"), 2, "the range '1-2' does not fit"),
        (line(form=""), 1, "the form is empty"),
        (line(head="2"), 1, "the head '2' is not 0 or a word of the sentence"),
        (line(head="x"), 1, "the head 'x' is not"),
        (line(misc="SpacesAfter=\\x"), 1, "is not a known escape"),
        ("# text = at\n" + line(), 2, "`# text` does not have 'it'"),
        ("# text = it at\n" + line() + line(id="2"), 3, "`# text` does not have 'it' after 'it'"),
        ("# text = it at\n" + line(), 2, "`# text` continues after the last word"),
        (line() + "# text = it\n", 2, "a comment stands inside a sentence"),
        (line(id="0.1"), 1, "the sentence has no words"),
    ],
)
def test_broken_lines(tmp_path: Path, content: str, number: int, problem: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(InputError) as error:
        list(read(path, "en"))
    assert str(error.value).startswith(f"{path}:{number}: ")
    assert problem in str(error.value)
    assert str(error.value).count(". ") >= 1


def test_invalid_utf8(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    path.write_bytes(line().encode() + b"\n1\t\xff\n")
    with pytest.raises(InputError, match=r"x\.conllu:3: is not valid UTF-8"):
        list(read(path, "en"))


@pytest.mark.parametrize("name", ["UD_Portuguese-Bosque/pt_bosque-ud-dev", "UD_Italian-Valico/it_valico-ud-test"])
def test_published_files(shared_data: Path, name: str, tmp_path: Path) -> None:
    from referee.annotate.conllu import read_conllu, write_conllu

    path = shared_data / "ud" / f"{name}.conllu.gz"
    documents = list(read_conllu(path, "xx"))
    lines = gzip.decompress(path.read_bytes()).decode().split("\n")
    texts = [text[9:] for text in lines if text.startswith("# text = ")]
    sentences = [document.text[s.start : s.end] for document in documents for s in document.sentences]
    assert sentences == [text.strip() for text in texts]
    write_conllu(documents, tmp_path / "copy.conllu")
    assert list(read_conllu(tmp_path / "copy.conllu")) == documents
