"""A spaCy pipeline that learns a few sentences in seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from spacy.language import Language


class Gold(NamedTuple):
    words: tuple[str, ...]
    pos: tuple[str, ...]
    morphs: tuple[str, ...]
    lemmas: tuple[str, ...]
    heads: tuple[int, ...]
    deps: tuple[str, ...]


def _gold(*rows: str) -> Gold:
    columns = list(zip(*(row.split() for row in rows), strict=True))
    morphs = tuple("" if morph == "_" else morph for morph in columns[2])
    heads = tuple(int(head) - 1 for head in columns[4])
    return Gold(columns[0], columns[1], morphs, columns[3], heads, columns[5])


SENTENCES = (
    _gold(
        "Die DET Case=Nom|Gender=Fem der 2 det",
        "Tasse NOUN Case=Nom|Gender=Fem Tasse 3 nsubj",
        "zerbrach VERB Tense=Past zerbrechen 0 root",
        ". PUNCT _ . 3 punct",
    ),
    _gold(
        "Wir PRON Case=Nom wir 2 nsubj",
        "sahen VERB Tense=Past sehen 0 root",
        "den DET Case=Acc|Gender=Masc der 4 det",
        "Hund NOUN Case=Acc|Gender=Masc Hund 2 obj",
        ". PUNCT _ . 2 punct",
    ),
    _gold("Es PRON Case=Nom es 2 nsubj", "fiel VERB Tense=Past fallen 0 root", ". PUNCT _ . 2 punct"),
)


def pipeline() -> Language:
    """A German pipeline with morphologizer, parser and lemmatizer, trained on the sentences."""
    import spacy
    from spacy.tokens import Doc
    from spacy.training import Example
    from spacy.util import fix_random_seed

    fix_random_seed(1)
    nlp = spacy.blank("de")
    nlp.meta["version"] = "1.2"
    nlp.add_pipe("morphologizer")
    nlp.add_pipe("parser", config={"min_action_freq": 1})
    nlp.add_pipe("trainable_lemmatizer", config={"min_tree_freq": 1})
    examples = []
    for gold in SENTENCES:
        heads = [head if head >= 0 else index for index, head in enumerate(gold.heads)]
        deps = ["ROOT" if dep == "root" else dep for dep in gold.deps]
        reference = Doc(
            nlp.vocab, gold.words, pos=gold.pos, morphs=gold.morphs, lemmas=gold.lemmas, heads=heads, deps=deps
        )
        examples.append(Example(Doc(nlp.vocab, gold.words), reference))
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(40):
        nlp.update(examples, sgd=optimizer)
    return nlp
