"""A plug-in with a tiny annotator, resolver and aligner: words are what stands between spaces."""

from __future__ import annotations

ENTRIES = """\
[referee.annotators]
tiny = tiny_tools:ANNOTATORS
[referee.resolvers]
tiny = tiny_tools:RESOLVER
[referee.aligners]
tiny = tiny_tools:ALIGNER
"""
CODE = """
import re
from dataclasses import dataclass
from referee.annotate.document import ROOT, Document, Sentence, Word
from referee.annotate.registry import Choice, Package, Tool

@dataclass(frozen=True)
class Tiny:
    name: str = "tiny"
    version: str = "1.0"

    def annotate(self, texts, language):
        for identity, text in texts:
            sentences = []
            for line in re.finditer(r"[^\\n]+", text):
                words = []
                for match in re.finditer(r"[^\\s\\x00-\\x1f]+", line[0]):
                    start, end = line.start() + match.start(), line.start() + match.end()
                    word = match[0]
                    if word == "FAIL":
                        raise RuntimeError("tiny fails")
                    deprel = "dep" if words else "root"
                    words.append(Word(word, word.lower(), "X", "", len(words) - 1, deprel, start, end))
                if words:
                    sentences.append(Sentence(words[0].start, words[-1].end, tuple(words)))
            yield Document(identity, text, language, tuple(sentences), f"{self.name} {self.version}")

    def resolve(self, documents):
        for _ in documents:
            yield ()

    def align(self, pairs, source, target):
        return [() for _ in pairs]

def opened(argument):
    return Tiny("tiny:" + argument if argument else "tiny")

ANNOTATORS = [
    Tool("tiny", "tiny[:ARGUMENT]", "words between spaces", opened, languages=("qq", "en"), quality=10),
    Tool("tinier", "tinier:NAME", "has models", opened, choices=lambda language: [
        Choice(20, "small"), Choice(30, "large")] if language == "zz" else []),
    Tool("broken", "broken", "opens nothing", lambda argument: None, languages=("xx",), quality=1),
    Tool("absent", "absent", "needs a package", opened, needs=(Package("not_there_at_all", "not-there"),), quality=99,
         get="pip install not-there"),
]
RESOLVER = Tool("tiny", "tiny", "resolves nothing", opened, languages=("qq",), quality=10)
ALIGNER = Tool("tiny", "tiny", "aligns nothing", opened, quality=99)
"""
