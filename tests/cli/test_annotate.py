"""`referee annotate` and the lists of its tools."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from referee.annotate.conllu import read_conllu
from tests.conftest import Command
from tests.support.commands import answer

pytestmark = pytest.mark.usefixtures("tiny")


@pytest.fixture
def text(folder: Path) -> Path:
    path = folder / "story.txt"
    path.write_text("It broke .\n\nWhy ?\n")
    return path


def test_conllu_on_stdout(text: Path, referee: Command) -> None:
    outcome = referee("annotate", text, "--lang", "en", "--with", "tiny")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0].startswith("# generator = referee ")
    assert lines[1:6] == [
        "# annotator = tiny 1.0",
        "# language = en",
        "# newdoc id = story",
        "# sent_id = story-1",
        "# text = It broke .",
    ]
    assert outcome.err == "1 document, 2 sentences, 5 words; annotator: tiny 1.0.\n"


def test_a_file_can_be_written_again(text: Path, folder: Path, referee: Command) -> None:
    out = folder / "story.conllu"
    for _ in range(2):
        outcome = referee("annotate", text, "--lang", "en", "--with", "tiny", "--out", out)
        assert (outcome.code, outcome.out) == (0, "")
        assert outcome.err.endswith(f"Written to {out}.\n")
    [document] = read_conllu(out)
    assert document.text == "It broke .\n\nWhy ?"


def test_what_must_not_be_replaced(text: Path, folder: Path, referee: Command) -> None:
    before = text.read_bytes()
    outcome = referee("annotate", text, "--lang", "en", "--with", "tiny", "--out", text, "--force")
    assert (outcome.code, text.read_bytes()) == (1, before)
    assert "is an input of this command" in outcome.err
    foreign = folder / "mine.conllu"
    foreign.write_text("# mine\n")
    outcome = referee("annotate", text, "--lang", "en", "--with", "tiny", "--out", foreign)
    assert (outcome.code, foreign.read_text()) == (1, "# mine\n")
    assert referee("annotate", text, "--lang", "en", "--with", "tiny", "--out", foreign, "--force").code == 0


def test_documents_by_id_and_from_several_files(folder: Path, text: Path, referee: Command) -> None:
    rows = folder / "rows.tsv"
    rows.write_text("a\tOne .\na\tTwo .\n\nb\tThree .\n")
    out = folder / "out.conllu.gz"
    outcome = referee("annotate", rows, text, "--lang", "en", "--with", "tiny", "--out", out)
    assert outcome.err.splitlines()[0] == f"{rows}: skipped 1 empty line (first in line 3)."
    assert [document.id for document in read_conllu(out)] == ["a", "b", "story"]
    referee("annotate", rows, "--lang", "en", "--with", "tiny", "--form", "text", "--out", out)
    assert [document.id for document in read_conllu(out)] == ["rows"]


def test_stdin_and_processes_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    lines = "".join(f"{number // 7}\tline {number} of it .\n" for number in range(10_000))
    (folder / "lines.tsv").write_text(lines)
    code = f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r}); from referee.cli.main import main; main()"
    command = [sys.executable, "-c", code, "annotate", "-", "--lang", "en", "--with", "tiny"]
    outputs = [
        subprocess.run([*command, "--jobs", jobs], input=lines, capture_output=True, text=True, check=True).stdout
        for jobs in ("1", "2")
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].count("# newdoc id = ") == 1429


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (("--with", "tny"), 1, "unknown annotator 'tny' (did you mean tiny?)"),
        (("--with", "absent"), 1, "Install it with `pip install not-there`."),
        (("--with", "tiny", "--form", "csv"), 2, "--form: 'csv' is not a valid form. Choose auto, text or tsv."),
        (("--with", "tiny", "--to", "json"), 2, "--to: 'json' is not a valid output. Choose conllu or spacy."),
        (("--with", "tiny", "--to", "spacy"), 2, "--to spacy: a DocBin cannot be printed. Add --out FILE."),
        (("--with", "tiny", "--jobs", "0"), 2, "--jobs"),
    ],
)
def test_bad_options(text: Path, referee: Command, arguments: tuple[str, ...], code: int, problem: str) -> None:
    outcome = referee("annotate", text, "--lang", "en", *arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert problem in outcome.err


def test_bad_files(folder: Path, referee: Command) -> None:
    out = folder / "out.conllu"
    (folder / "bad.txt").write_bytes(b"fine\n\xff\n")
    outcome = referee("annotate", folder / "bad.txt", "--lang", "en", "--with", "tiny", "--out", out)
    assert outcome.code == 1
    assert outcome.err.startswith(f"error: {folder / 'bad.txt'}:2: is not valid UTF-8")
    assert not out.exists()
    assert "does not exist" in referee("annotate", "none.txt", "--lang", "en", "--with", "tiny").err


def test_the_wrong_language_is_a_warning(folder: Path, referee: Command) -> None:
    path = folder / "german.txt"
    path.write_text("Der Hund und die Katze sind nicht in dem Haus , aber sie ist auf der Wiese .\n" * 30)
    outcome = referee("annotate", path, "--lang", "en", "--with", "tiny")
    assert outcome.code == 0
    assert outcome.err.startswith(
        "annotate: the text seems to be German, not English. Check the language (now 'en').\n"
    )
    assert outcome.err.count("seems to be") == 1


def test_a_docbin(text: Path, folder: Path, referee: Command) -> None:
    pytest.importorskip("spacy", reason="needs spaCy (`pip install 'referee[extract]'`)")
    from spacy.tokens import DocBin
    from spacy.vocab import Vocab

    out = folder / "story.spacy"
    for _ in range(2):
        assert referee("annotate", text, "--lang", "en", "--with", "tiny", "--to", "spacy", "--out", out).code == 0
    [doc] = DocBin().from_disk(out).get_docs(Vocab())
    assert doc.text == "It broke .\n\nWhy ?"


@pytest.mark.parametrize("what", ["annotators", "resolvers", "aligners"])
def test_lists(referee: Command, what: str) -> None:
    tools = answer(referee("list", what, "--json"))[what]
    by_name = {tool["name"]: tool for tool in tools}
    assert set(tools[0]) == {"name", "usage", "installed", "languages", "about", "licence", "install"}
    assert by_name["pocket"]["installed"] == "yes"
    assert by_name["tiny"]["installed"] == "yes"
    outcome = referee("list", what)
    assert re.search(r"^usage +installed +languages +about +install with$", outcome.out, re.MULTILINE)
    assert len(outcome.out.splitlines()) == 2 + len(tools) + 1


def test_the_list_says_how_to_install_the_rest(referee: Command) -> None:
    out = referee("list", "annotators").out
    assert re.search(r"^absent +no +any +needs a package +pip install not-there$", out, re.MULTILINE)
