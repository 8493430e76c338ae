"""Annotate texts offline: sentences, words, morphology, syntax, antecedents of pronouns, aligned words.

>>> import referee.annotate
>>> referee.annotate.open_annotator("nothing")
Traceback (most recent call last):
referee.errors.UnknownNameError: unknown annotator 'nothing'. ...

Every name is loaded on first use, so importing the package is fast.
"""

from typing import TYPE_CHECKING

from referee.lazy import lazy as _lazy

if TYPE_CHECKING:
    from referee.annotate.conllu import read_conllu, write_conllu
    from referee.annotate.document import Document
    from referee.annotate.registry import open_aligner, open_annotator, open_resolver
    from referee.annotate.run import annotate

__all__ = [
    "Document",
    "annotate",
    "open_aligner",
    "open_annotator",
    "open_resolver",
    "read_conllu",
    "write_conllu",
]

_MODULES = {
    "Document": "document",
    "annotate": "run",
    "open_aligner": "registry",
    "open_annotator": "registry",
    "open_resolver": "registry",
    "read_conllu": "conllu",
    "write_conllu": "conllu",
}

__getattr__, __dir__ = _lazy(__name__, _MODULES)
