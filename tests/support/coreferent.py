"""Small documents with coreference, in the format of GUM: cups that hit tables, and what it is that broke."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

from referee.annotate.document import ROOT, Document, Sentence, Word

NOUNS = ("cup", "plate", "lamp", "phone", "box", "chair", "clock", "table")
GENRES = ("academic", "bio", "conversation", "court", "interview", "news", "speech", "textbook", "vlog", "voyage")
NOT_FREE = "fiction"


def parsed(*sentences: str, id: str = "d", language: str = "en") -> Document:
    """A document of sentences such as `The/DET/3/det old/ADJ/3/amod cup/NOUN/4/nsubj fell/VERB/0/root`.

    A fifth field holds features, a sixth the lemma (else the form in lower case). Words are joined by spaces,
    sentences by line breaks.
    """
    text = ""
    made = []
    for sentence in sentences:
        words: list[Word] = []
        for field in sentence.split():
            form, upos, head, deprel, feats, lemma = (*field.split("/"), "", "")[:6]
            text += " " if words else "\n" if text else ""
            start = len(text)
            text += form
            word = Word(
                form,
                lemma or form.lower(),
                upos,
                feats,
                int(head) - 1 if head != "0" else ROOT,
                deprel,
                start,
                len(text),
            )
            words.append(word)
        made.append(Sentence(words[0].start, words[-1].end, tuple(words)))
    return Document(id, text, language, tuple(made))


def document_lines(number: int, genre: str) -> list[str]:
    """A document of GUM: what broke is the subject in the sentence before, and rain refers to nothing."""
    subject, other = NOUNS[number % len(NOUNS)], NOUNS[(number * 3 + 1) % len(NOUNS)]
    verb = ("hit", "touched", "met")[number % 3]
    return [
        f"# newdoc id = GUM_{genre}_{number}",
        "# global.Entity = GRP-etype-infstat-salience-centering-minspan-link-identity",
        f"# meta::genre = {genre}",
        "# newpar",
        f"# text = The {subject} {verb} the {other}.",
        "1\tThe\tthe\tDET\tDT\tDefinite=Def\t2\tdet\t_\tEntity=(1-object-new-nnnnn-cf1-2-coref",
        f"2\t{subject}\t{subject}\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t_\tEntity=1)",
        f"3\t{verb}\t{verb}\tVERB\tVBD\t_\t0\troot\t_\t_",
        "4\tthe\tthe\tDET\tDT\tDefinite=Def\t5\tdet\t_\tEntity=(2-object-new-nnnnn-cf2-2-sgl",
        f"5\t{other}\t{other}\tNOUN\tNN\tNumber=Sing\t3\tobj\t_\tEntity=2)|SpaceAfter=No",
        "6\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_",
        "",
        "# text = It's broken.",
        "1-2\tIt's\t_\t_\t_\t_\t_\t_\t_\t_",
        "1\tIt\tit\tPRON\tPRP\tNumber=Sing|Person=3|PronType=Prs\t3\tnsubj\t_\tEntity=(1-object-giv:act-nnnnn-cf1-1-ana)",
        "2\t's\tbe\tAUX\tVBZ\t_\t3\tcop\t_\t_",
        "3\tbroken\tbroken\tADJ\tJJ\t_\t0\troot\t_\tSpaceAfter=No",
        "4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_",
        "",
        "# newpar",
        "# text = Then it rained.",
        "1\tThen\tthen\tADV\tRB\t_\t3\tadvmod\t_\t_",
        "2\tit\tit\tPRON\tPRP\tNumber=Sing|Person=3|PronType=Prs\t3\texpl\t_\t_",
        "3\trained\train\tVERB\tVBD\t_\t0\troot\t_\tSpaceAfter=No",
        "4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_",
        "",
    ]


def write_gum(folder: Path, documents: int = 4) -> Path:
    """The folder of the treebank: every genre, of which dev and test hold the first two documents."""
    (folder / "sources").mkdir(parents=True)
    held_out: dict[str, list[str]] = {"dev": [], "test": []}
    for genre in (*GENRES, NOT_FREE):
        lines = [document_lines(number, genre) for number in range(documents)]
        _write(folder / "sources" / f"{genre}.conllu.gz", [line for members in lines for line in members])
        held_out["dev"] += lines[0]
        held_out["test"] += lines[1]
    for part, members in held_out.items():
        _write(folder / f"en_gum-ud-{part}.conllu.gz", members)
    return folder


def _write(path: Path, lines: Sequence[str]) -> None:
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
