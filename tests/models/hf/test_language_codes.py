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
        ("nllb", "zh", "zho_Hans"),
        ("nllb", "zh-CN", "zho_Hans"),
        ("nllb", "zh-SG", "zho_Hans"),
        ("nllb", "zh-TW", "zho_Hant"),
        ("nllb", "zh-HK", "zho_Hant"),
        ("nllb", "zh-MO", "zho_Hant"),
        ("nllb", "zh-Hant", "zho_Hant"),
        ("nllb", "zh-Hant-HK", "zho_Hant"),
        ("nllb", "zh-Hans-TW", "zho_Hans"),
        ("nllb", "zho-Hant", "zho_Hant"),
        ("nllb", "yue", "yue_Hant"),
        ("nllb", "sr", "srp_Cyrl"),
        ("nllb", "sr-RS", "srp_Cyrl"),
        ("nllb", "pt-BR", "por_Latn"),
        ("nllb", "nb-NO", "nob_Latn"),
        ("nllb", "ceb", "ceb_Latn"),
        ("mbart50", "zh", "zh_CN"),
        ("mbart50", "zh-CN", "zh_CN"),
        ("mbart50", "zh-Hans-TW", "zh_CN"),
        ("mbart50", "pt-BR", "pt_XX"),
        ("mbart50", "en-GB", "en_XX"),
        ("m2m100", "zh-CN", "zh"),
        ("m2m100", "pt-BR", "pt"),
        ("m2m100", "nb", "no"),
        ("m2m100", "ceb", "ceb"),
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


@pytest.mark.parametrize(
    ("family", "language", "near"),
    [
        ("nllb", "sr-Latn", "srp_Cyrl"),
        ("nllb", "sr-ME", "srp_Cyrl"),
        ("nllb", "de-Cyrl", "deu_Latn"),
        ("mbart50", "zh-TW", "zh_CN"),
        ("mbart50", "zh-Hant", "zh_CN"),
        ("mbart50", "zh-HK", "zh_CN"),
        ("m2m100", "zh-TW", "zh"),
        ("m2m100", "zh-Hant", "zh"),
        ("m2m100", "sr-Latn", "sr"),
        ("m2m100", "uz-Cyrl", "uz"),
        ("m2m100", "pa-PK", "pa"),
    ],
)
def test_another_script_is_not_the_same_language(family: str, language: str, near: str, folders: Folders) -> None:
    with pytest.raises(UsageError, match=rf"has no language '{language}' \(near: {near}\)\. Set its code with"):
        language_code(tokenizer(folders, family), language)


def test_a_code_where_there_are_no_languages(folders: Folders) -> None:
    with pytest.raises(
        UsageError, match="'target_code=de' has no effect, since the model's tokenizer has no languages"
    ):
        check_code(tokenizer(folders, "marian"), "de", "target_code")
