"""The codes of languages in the tokenizers of mBART, M2M100 and NLLB, and in those that have none."""

from __future__ import annotations

from typing import Any

import pytest

from referee.errors import UsageError
from referee.models.hf.language_codes import check_code, code_id, language_code
from tests.support.answers import Folders

pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


def tokenizer(folders: Folders, family: str) -> Any:
    return transformers.AutoTokenizer.from_pretrained(folders(family))


@pytest.mark.parametrize(
    ("family", "language", "code"),
    [
        ("mbart50", "de", "de_DE"),
        ("mbart50", "de-AT", "de_DE"),
        ("m2m100", "de", "de"),
        ("nllb", "de", "deu_Latn"),
        ("nllb", "de-Latn", "deu_Latn"),
        ("marian", "de", None),
        ("t5", "xx", None),
    ],
)
def test_codes(family: str, language: str, code: str | None, folders: Folders) -> None:
    assert language_code(tokenizer(folders, family), language) == code


@pytest.mark.parametrize(("family", "code"), [("mbart50", "de_DE"), ("m2m100", "de"), ("nllb", "deu_Latn")])
def test_tokens_of_codes(family: str, code: str, folders: Folders) -> None:
    of_family = tokenizer(folders, family)
    assert of_family.convert_ids_to_tokens(code_id(of_family, code)).strip("_") == code
    check_code(of_family, code, "target_code")


@pytest.mark.parametrize("family", ["mbart50", "m2m100", "nllb"])
def test_a_language_that_is_not_there(family: str, folders: Folders) -> None:
    with pytest.raises(UsageError, match=r"has no language 'tlh'. Set its code with source_code= or target_code="):
        language_code(tokenizer(folders, family), "tlh")
    with pytest.raises(UsageError, match=r"has no language 'tlh'. Correct source_code="):
        check_code(tokenizer(folders, family), "tlh", "source_code")


def test_a_code_where_there_are_no_languages(folders: Folders) -> None:
    with pytest.raises(
        UsageError, match="'target_code=de' has no effect, since the model's tokenizer has no languages"
    ):
        check_code(tokenizer(folders, "marian"), "de", "target_code")
