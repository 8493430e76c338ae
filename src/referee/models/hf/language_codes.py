"""The names that multilingual tokenizers give to languages."""

from __future__ import annotations

from typing import Any

from referee.errors import UsageError

_NLLB = {
    "ar": "arb_Arab", "bg": "bul_Cyrl", "cs": "ces_Latn", "da": "dan_Latn", "de": "deu_Latn", "el": "ell_Grek",
    "en": "eng_Latn", "es": "spa_Latn", "et": "est_Latn", "fi": "fin_Latn", "fr": "fra_Latn", "he": "heb_Hebr",
    "hi": "hin_Deva", "ht": "hat_Latn", "hu": "hun_Latn", "id": "ind_Latn", "it": "ita_Latn", "ja": "jpn_Jpan",
    "ko": "kor_Hang", "nl": "nld_Latn", "pl": "pol_Latn", "pt": "por_Latn", "qu": "quy_Latn", "ro": "ron_Latn",
    "ru": "rus_Cyrl", "sv": "swe_Latn", "sw": "swh_Latn", "ta": "tam_Taml", "th": "tha_Thai", "tr": "tur_Latn",
    "uk": "ukr_Cyrl", "vi": "vie_Latn", "zh": "zho_Hans",
}  # fmt: skip


def language_code(tokenizer: Any, language: str) -> str | None:
    """The token that stands for a language; None where the tokenizer has no languages."""
    if not hasattr(tokenizer, "src_lang"):
        return None
    name = type(tokenizer).__name__
    base = language.partition("-")[0]
    if name.startswith("M2M100"):
        codes = [f"__{base}__"]
    elif name.startswith("Nllb"):
        usual = _NLLB.get(base, "")
        script = language.partition("-")[2]
        # A script that is written out counts: zh-Hant is zho_Hant.
        codes = [f"{usual[:3]}_{script}" if len(script) == 4 else "", usual]
    else:
        codes = [token for token in tokenizer.get_vocab() if token.startswith(f"{base}_") and len(token) == 5]
    for code in codes:
        if code and tokenizer.convert_tokens_to_ids(code) != tokenizer.unk_token_id:
            return code.strip("_") if name.startswith("M2M100") else code
    remedy = "name its code with source_code= or target_code="
    raise UsageError(f"the model's tokenizer has no language '{language}'", remedy)


def code_id(tokenizer: Any, code: str) -> int:
    """The token of a language code."""
    marked = f"__{code}__" if type(tokenizer).__name__.startswith("M2M100") else code
    return int(tokenizer.convert_tokens_to_ids(marked))


def check_code(tokenizer: Any, code: str, option: str) -> None:
    """Refuses a code that the tokenizer does not have."""
    if not hasattr(tokenizer, "src_lang"):
        raise UsageError(f"the model's tokenizer has no languages, so '{option}={code}' means nothing", "leave it out")
    if code_id(tokenizer, code) in (None, tokenizer.unk_token_id):
        raise UsageError(f"the model's tokenizer has no language '{code}'", f"correct {option}=")
