"""The bundled annotator through the public functions and the command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.annotate import annotate, open_annotator, read_conllu
from tests.conftest import Command
from tests.support.published import ROOT

SENTENCES = {
    "en": ("The cup fell off the table because it was wet.", "The|DET cup|NOUN fell|VERB off|ADP the|DET table|NOUN"),
    "de": ("Der Hund schläft in dem Haus.", "Der|DET Hund|NOUN schläft|VERB in|ADP dem|DET Haus|NOUN .|PUNCT"),
    "es": ("El gato duerme en la mesa.", "El|DET gato|NOUN duerme|VERB en|ADP la|DET mesa|NOUN .|PUNCT"),
    "fr": ("Il parle du chat.", "Il|PRON parle|VERB de|ADP le|DET chat|NOUN .|PUNCT"),
    "it": ("Il gatto dorme nella casa.", "Il|DET gatto|NOUN dorme|VERB in|ADP la|DET casa|NOUN .|PUNCT"),
    "pl": ("Pies śpi w domu.", "Pies|NOUN śpi|VERB w|ADP domu|NOUN .|PUNCT"),
    "pt": ("O gato dorme na mesa.", "O|DET gato|NOUN dorme|VERB em|ADP a|DET mesa|NOUN .|PUNCT"),
    "ru": ("Собака спит в доме.", "Собака|NOUN спит|VERB в|ADP доме|NOUN .|PUNCT"),
}


@pytest.mark.parametrize("language", SENTENCES)
def test_easy_sentences(language: str) -> None:
    text, expected = SENTENCES[language]
    document = annotate(text, language, annotator="pocket:core")
    [sentence] = document.sentences
    pairs = [pair.split("|") for pair in expected.split()]
    words = sentence.words[: len(pairs)]
    assert [word.form for word in words] == [form for form, _ in pairs]
    # Other weights may miss a tag, but not two in such a sentence.
    assert sum(word.upos != upos for word, (_, upos) in zip(words, pairs, strict=True)) <= 1
    assert [word.deprel for word in sentence.words if word.head < 0] == ["root"]
    assert document.annotator.startswith("pocket:core ")


def test_it_is_chosen_for_its_languages() -> None:
    assert open_annotator(language="de-AT").name == "pocket"


def test_the_command_line(tmp_path: Path, referee: Command) -> None:
    lines = tmp_path / "lines.tsv"
    lines.write_text("".join(f"d{number // 5}\tThe cup {number} fell. It broke!\n" for number in range(400)))
    outputs = [tmp_path / "one.conllu", tmp_path / "two.conllu"]
    for jobs, out in enumerate(outputs, 1):
        outcome = referee("annotate", lines, "--lang", "en", "--jobs", jobs, "--out", out)
        assert (outcome.code, outcome.out) == (0, ""), outcome.err
        assert "80 documents, 800 sentences" in outcome.err
    assert outputs[0].read_bytes() == outputs[1].read_bytes()
    assert len(list(read_conllu(outputs[0]))) == 80


@pytest.mark.parametrize(
    ("mark", "printed"),
    [
        ("write_conllu(", ["The DET None The", "cup NOUN Sing cup"]),
        ("open_resolver(", ["It refers to The cup"]),
    ],
)
def test_the_examples_of_the_documentation(
    mark: str, printed: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "annotation.md").read_text(encoding="utf-8")
    [example] = [block for block in re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S) if mark in block]
    space: dict[str, object] = {}
    exec(example, space)
    assert space.get("same", space["document"]) == space["document"]
    assert capsys.readouterr().out.splitlines()[: len(printed)] == printed
