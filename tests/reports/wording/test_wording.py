"""Each sentence is said of one outcome, and in one place."""

from __future__ import annotations

import ast
from pathlib import Path

import referee
from referee.reports.wording import vocabulary as words
from tests.reports.wording.test_diagnosis import ARTIFACTS, BIASES, GROUP_SCORES, PRIORS, ROBUSTNESSES, SALIENCE
from tests.reports.wording.test_scorecard import CELLS


def test_every_sentence_is_said_of_one_outcome() -> None:
    """Among the outcomes of a kind; and each is a sentence without a space before the percent sign."""
    for table in (BIASES, PRIORS, ARTIFACTS, ROBUSTNESSES, GROUP_SCORES, SALIENCE, CELLS):
        sentences = [sentence for _, sentence in table]
        assert len(set(sentences)) == len(sentences)
        for sentence in sentences:
            assert sentence.endswith(".")
            assert not sentence[0].islower()
            assert " %" not in sentence


def test_verdict_words_are_nowhere_else() -> None:
    """Strings of the code outside of the wording package, without docstrings and the names of typed outcomes."""
    vocabulary = [words.ABOVE_CHANCE, words.AT_CHANCE, words.BELOW_CHANCE, words.NOT_SIGNIFICANT, words.INCONCLUSIVE]
    vocabulary += [words.NOT_MEASURED, words.CANNOT_BE_ASSESSED, words.BIASED_TOWARDS]
    package = Path(referee.__file__).parent
    elsewhere = [
        (path.relative_to(package).as_posix(), text)
        for path in package.rglob("*.py")
        if "wording" not in path.parts
        for text in strings(path)
        if " " in text and any(phrase in text.lower() for phrase in vocabulary)
    ]
    assert elsewhere == []
    assert any(words.NOT_MEASURED in text for text in strings(package / "reports/wording/vocabulary.py"))


def strings(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docs)
    return [node.value for node in constants if isinstance(node.value, str)]
