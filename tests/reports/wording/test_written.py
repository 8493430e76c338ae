"""What was written instead, in sentences."""

from __future__ import annotations

import msgspec

from referee.analysis.comparison.written import WrittenChange
from referee.analysis.findings import findings_on
from referee.analysis.written_forms import WrittenForms
from referee.reports.wording import change_verdict, contradicted_sentence, lemma_sentence, written_verdict
from referee.stats.proportions import Proportion
from tests.support.addressed import Writer, addressed, mostly, translated


def forms(writer: Writer, count: int = 210) -> WrittenForms:
    (written,) = findings_on([translated("t", addressed(count), writer)])[0].written
    return written


FORMAL, INFORMAL = forms(mostly("formal")), forms(mostly("informal"))
CORRECT = forms(lambda expected, _: expected)


def test_the_most_frequent_confusion() -> None:
    assert written_verdict(FORMAL) == (
        "Most frequent: formal where informal was expected, in 60 of 140 outputs (42.9%); 30 without any form."
    )
    assert written_verdict(CORRECT) == "No other value was written."


def test_all_that_shows_no_value_is_listed() -> None:
    rows = [msgspec.structs.replace(row, other=2, none_found=3, ambiguous=1) for row in FORMAL.rows]
    sentence = written_verdict(msgspec.structs.replace(FORMAL, rows=rows))
    assert sentence.endswith("; 4 with another form, 6 without any form and 2 with an ambiguous form.")


def test_how_the_biased_value_changed() -> None:
    assert change_verdict(WrittenChange(base=FORMAL, other=INFORMAL), "A", "B") == (
        "A is biased towards formal, B is biased towards informal. "
        "Formal where another value was expected: 50.0% in A, 0.0% in B. "
        "Informal where another value was expected: 0.0% in A, 50.0% in B."
    )
    assert change_verdict(WrittenChange(base=FORMAL, other=FORMAL), "A", "B") == (
        "Both are biased towards formal. Formal where another value was expected: 50.0% in A, 50.0% in B."
    )
    assert change_verdict(WrittenChange(base=FORMAL, other=CORRECT), "A", "B").startswith(
        "A is biased towards formal, B is not shown to be biased. "
    )
    assert change_verdict(WrittenChange(base=CORRECT, other=CORRECT), "A", "B") == "Neither is shown to be biased."


def test_what_was_left_out() -> None:
    assert contradicted_sentence(FORMAL) == ""
    for count, words in ((1, "1 item is"), (2000, "2,000 items are")):
        forms = msgspec.structs.replace(FORMAL, contradicted=count)
        assert (
            contradicted_sentence(forms)
            == f"{words} left out: the reference shows another value than the item's label."
        )


def test_lemmas_are_for_auxiliaries_and_not_measured_yet() -> None:
    assert lemma_sentence(FORMAL) == ""
    tense = msgspec.structs.replace(FORMAL, feature="tense")
    assert lemma_sentence(tense) == "Outputs whose verb only repeats the English auxiliary: not measured."
    known = msgspec.structs.replace(tense, illegal_lemmas=Proportion(2, 0.5, (0.25, 0.75), 4))
    assert lemma_sentence(known).endswith(": 50.0% (95% CI 25.0–75.0).")
