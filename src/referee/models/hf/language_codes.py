"""The names that multilingual tokenizers give to languages."""

from __future__ import annotations

from typing import Any

from referee import languages
from referee.errors import UsageError


def language_code(tokenizer: Any, language: str) -> str | None:
    """The token that stands for a language; None where the tokenizer has no languages."""
    if not hasattr(tokenizer, "src_lang"):
        return None
    name = type(tokenizer).__name__
    base = languages.base(language)
    if name.startswith("M2M100"):
        codes = [f"__{base}__"]
    elif name.startswith("Nllb"):
        spoken = languages.language(base)
        script = language.partition("-")[2]
        # A script that is written out counts: zh-Hant is zho_Hant.
        scripts = [script if len(script) == 4 else "", spoken.script]
        codes = [f"{spoken.iso3}_{script}" for script in scripts if spoken.iso3 and script]
    else:
        codes = [token for token in tokenizer.get_vocab() if token.startswith(f"{base}_") and len(token) == 5]
    for code in codes:
        if code and tokenizer.convert_tokens_to_ids(code) != tokenizer.unk_token_id:
            return code.strip("_") if name.startswith("M2M100") else code
    remedy = "set its code with source_code= or target_code="
    raise UsageError(f"the model's tokenizer has no language '{language}'", remedy)


def code_id(tokenizer: Any, code: str) -> int:
    """The token of a language code."""
    marked = f"__{code}__" if type(tokenizer).__name__.startswith("M2M100") else code
    return int(tokenizer.convert_tokens_to_ids(marked))


def check_code(tokenizer: Any, code: str, option: str) -> None:
    """Refuses a code that the tokenizer does not have."""
    if not hasattr(tokenizer, "src_lang"):
        raise UsageError(f"'{option}={code}' has no effect, since the model's tokenizer has no languages", "remove it")
    if code_id(tokenizer, code) in (None, tokenizer.unk_token_id):
        raise UsageError(f"the model's tokenizer has no language '{code}'", f"correct {option}=")
