"""The CoNLL 2018 measures, on sentences small enough to count by hand."""

from __future__ import annotations

import random

import pytest

from referee.annotate.document import ROOT, Document, Sentence, Word
from referee.annotate.measures import (
    MEASURES,
    Counts,
    aligned_words,
    compare,
    compare_features,
    universal_features,
)
from referee.errors import RefereeError


def document(*sentences: str) -> Document:
    """Sentences of `characters=word,word`; a token without words is its own. The first word of a sentence heads all."""
    text = ""
    built = []
    for sentence in sentences:
        words: list[Word] = []
        for token in sentence.split():
            characters, _, inside = token.partition("=")
            text += " " if text else ""
            start = len(text)
            text += characters
            forms = inside.split(",") if inside else [characters]
            for part, form in enumerate(forms, 1):
                place = (start, len(text), part if inside else 0)
                head, deprel = (0, "dep") if words else (ROOT, "root")
                words.append(Word(form, form.lower(), "X", "", head, deprel, *place))
        built.append(Sentence(words[0].start, words[-1].end, tuple(words)))
    return Document("1", text, "xx", tuple(built))


def changed(base: Document, index: int, **fields: object) -> Document:
    """The document with another word in its first sentence."""
    first, *rest = base.sentences
    words = list(first.words)
    words[index] = words[index]._replace(**fields)  # type: ignore[arg-type]
    return Document(base.id, base.text, base.language, (Sentence(first.start, first.end, tuple(words)), *rest))


# Words that align, gold words and words of the system: counted by hand.
ALIGNMENTS = [
    ("plain", ["a b c"], ["a b c"], (3, 3, 3)),
    ("a token cut in two", ["abc d"], ["ab c d"], (1, 2, 3)),
    ("two tokens in one", ["a b c"], ["ab c"], (1, 3, 2)),
    ("borders that cross", ["abc def g"], ["ab cd ef g"], (1, 3, 4)),
    ("a multi-word token that is right", ["du=de,le b"], ["du=de,le b"], (3, 3, 3)),
    ("one that was not split", ["du=de,le b"], ["du b"], (1, 3, 2)),
    ("one that should not be split", ["du b"], ["du=de,le b"], (1, 2, 3)),
    ("the whole token among its words", ["du b"], ["du=de,du b"], (2, 2, 3)),
    ("one word of two is right", ["du=de,le b"], ["du=de,la b"], (2, 3, 3)),
    ("capitals of words do not count", ["du=de,le b"], ["du=De,LE b"], (3, 3, 3)),
    ("words in another order", ["du=de,le b"], ["du=le,de b"], (2, 3, 3)),
    ("a longer subsequence is found", ["x=a,b,c,d"], ["x=b,a,c,d"], (3, 4, 4)),
    ("a multi-word token over two tokens", ["ab=a,b cd=c,d"], ["abcd=a,b,c,d"], (4, 4, 4)),
    ("plain words inside a multi-word token", ["ab=a,b c"], ["a b c"], (3, 3, 3)),
    ("overlapping multi-word tokens", ["ab=a,b cd=c,d e"], ["abc=a,b,c d e"], (5, 5, 5)),
    ("a plain word cut by a multi-word token", ["abc=a,bc d"], ["a bcd"], (1, 3, 2)),
]


@pytest.mark.parametrize(
    ("gold", "system", "counts"), [row[1:] for row in ALIGNMENTS], ids=[row[0] for row in ALIGNMENTS]
)
def test_words_are_aligned_by_characters(gold: list[str], system: list[str], counts: tuple[int, int, int]) -> None:
    assert compare([document(*gold)], [document(*system)])["words"] == Counts(*counts)


def test_a_perfect_annotation_has_everything() -> None:
    gold = document("du=de,le b c", "d e")
    found = compare([gold], [gold])
    assert set(found) == set(MEASURES)
    assert all(counts.f1 == counts.recall == 1 for counts in found.values())
    assert found["tokens"].gold == 5
    assert found["words"].gold == 6
    assert found["sentences"].gold == 2


def test_tokens_and_sentences_are_counted_by_their_characters() -> None:
    found = compare([document("a b", "c d")], [document("a b c d")])
    assert found["sentences"] == Counts(0, 2, 1)
    assert found["tokens"] == Counts(4, 4, 4)
    assert compare([document("a b", "c d", "e")], [document("a b", "c", "d", "e")])["sentences"] == Counts(2, 3, 4)
    assert compare([document("du=de,le b")], [document("du b")])["tokens"] == Counts(2, 2, 2)


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"upos": "NOUN"}, {"upos"}),
        ({"feats": "Case=Nom"}, {"feats"}),
        ({"feats": "NumForm=Word"}, set()),
        ({"lemma": "z"}, {"lemma"}),
        ({"head": 2}, {"uas", "las"}),
        ({"deprel": "obj"}, {"las"}),
        ({"deprel": "dep:x"}, set()),
        ({"xpos": "Z"}, set()),
    ],
)
def test_one_wrong_field_costs_its_measures(fields: dict[str, object], wrong: set[str]) -> None:
    gold = document("a b c")
    found = compare([gold], [changed(gold, 1, **fields)])
    assert {measure for measure, counts in found.items() if counts.correct < counts.gold} == wrong
    assert all(found[measure] == Counts(2, 3, 3) for measure in wrong)


def test_a_lemma_that_gold_does_not_give_cannot_be_missed() -> None:
    gold = changed(document("a b"), 1, lemma="")
    assert compare([gold], [changed(gold, 1, lemma="z")])["lemma"] == Counts(2, 2, 2)


def test_a_head_that_is_not_aligned_is_wrong() -> None:
    # The head of c is "ab" in the gold annotation, and nothing of it is a word of the system.
    found = compare([document("ab c")], [document("a b c")])
    assert found["words"] == Counts(1, 2, 3)
    assert found["uas"].correct == 0


def test_heads_are_compared_across_sentence_borders() -> None:
    # c is a root of its own for the system; d depends on it, and not on a.
    found = compare([document("a b c d")], [document("a b", "c d")])
    assert found["uas"] == Counts(2, 4, 4)


def test_other_white_space_is_the_same_text() -> None:
    gold = document("a b")
    system = Document(
        "1", "a\n\tb", "xx", (Sentence(0, 4, (gold.sentences[0].words[0], Word("b", "b", "X", "", 0, "dep", 3, 4))),)
    )
    assert compare([gold], [system])["las"] == Counts(2, 2, 2)


def test_another_text_is_an_error() -> None:
    with pytest.raises(RefereeError, match=r"document 1: .* from 'c' on"):
        compare([document("a b c")], [document("a b d")])
    with pytest.raises(ValueError, match="zip"):
        compare([document("a")], [])


def test_documents_add_up_in_any_order() -> None:
    pairs = [(document(*gold), document(*system)) for _, gold, system, _ in ALIGNMENTS]
    single = [compare([gold], [system]) for gold, system in pairs]
    random.Random(1).shuffle(pairs)
    together = compare([gold for gold, _ in pairs], [system for _, system in pairs])
    for measure in MEASURES:
        assert together[measure] == sum((found[measure] for found in single), Counts())


def test_gold_and_system_change_places() -> None:
    for _, gold, system, _ in ALIGNMENTS:
        there = compare([document(*gold)], [document(*system)])
        back = compare([document(*system)], [document(*gold)])
        for measure in ("tokens", "sentences", "words"):
            assert (there[measure].correct, there[measure].gold) == (back[measure].correct, back[measure].system)


def test_features_count_where_gold_marks_them() -> None:
    gold = changed(document("a b c"), 0, upos="NOUN", feats="Gender=Fem|Number=Sing")
    gold = changed(changed(gold, 1, upos="NOUN", feats="Gender=Masc|Number=Plur"), 2, upos="PRON", feats="Case=Nom")
    system = changed(changed(gold, 0, feats="Gender=Masc|Number=Sing", upos="ADJ"), 2, feats="Case=Nom|Gender=Fem")
    found = compare_features([gold], [system])
    assert found["noun gender"] == Counts(1, 2, 2)
    assert found["singular noun gender"] == Counts(0, 1, 1)
    assert found["noun number"] == Counts(2, 2, 2)
    assert found["noun case"] == Counts()
    assert found["pronoun gender"] == Counts()
    assert found["pronoun case"] == Counts(1, 1, 1)


def test_words_without_a_partner_are_told() -> None:
    forms = [(word.form, answer and answer.form) for word, answer in aligned_words(document("ab c"), document("a b c"))]
    assert forms == [("ab", None), ("c", "c")]


def test_only_the_features_of_the_shared_task_are_compared() -> None:
    assert universal_features("") == ""
    assert universal_features("ExtPos=ADV|Polite=Form|Case=Acc") == "Case=Acc|Polite=Form"


def test_counts_of_nothing_are_zero() -> None:
    assert Counts().f1 == Counts().recall == 0
