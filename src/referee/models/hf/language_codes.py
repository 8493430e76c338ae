"""The names that multilingual tokenizers give to languages, and the pairs of those that have one pair only.

A language tag names a script, in letters (`zh-Hant`) or by its region (`zh-TW`). A code for another script is not that
language: it is refused. A region that changes no script (`pt-BR`, `de-AT`) is that of the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from referee import languages
from referee.errors import UsageError

_SCRIPTS = {
    "az": "Latn", "be": "Cyrl", "bs": "Latn", "fa": "Arab", "kk": "Cyrl", "ku": "Latn", "ky": "Cyrl", "mk": "Cyrl",
    "mn": "Cyrl", "ms": "Latn", "nb": "Latn", "nn": "Latn", "pa": "Guru", "ps": "Arab", "sd": "Arab", "tg": "Cyrl",
    "tk": "Latn", "tl": "Latn", "tt": "Cyrl", "ug": "Arab", "ur": "Arab", "uz": "Latn", "yi": "Hebr", "yue": "Hant",
}  # fmt: skip
"""The usual scripts of languages that have no folder, where another is in use or could be asked for."""
_REGIONS = {
    "az": {"IR": "Arab"},
    "kk": {"CN": "Arab"},
    "ky": {"CN": "Arab"},
    "mn": {"CN": "Mong"},
    "pa": {"PK": "Arab"},
    "sd": {"IN": "Deva"},
    "sr": {"ME": "Latn"},
    "tg": {"PK": "Arab"},
    "ug": {"KZ": "Cyrl"},
    "uz": {"AF": "Arab"},
    "yue": {"CN": "Hans"},
    "zh": {"HK": "Hant", "MO": "Hant", "TW": "Hant"},
}
"""Regions in which a language has another script than its usual one."""
_SAME = {"nb": "no", "iw": "he", "in": "id", "ji": "yi", "fil": "tl", "cmn": "zh", "zho": "zh"}
"""Codes for the same language."""
_CODES = {
    "M2M100": re.compile(r"__(?P<base>[a-z]{2,3})__"),
    "Nllb": re.compile(r"(?P<base>[a-z]{3})_(?P<script>[A-Z][a-z]{3})"),
    "MBart": re.compile(r"(?P<base>[a-z]{2})_(?P<region>[A-Z]{2})"),
}
_NEAR = 8


@dataclass(frozen=True)
class Tag:
    """A language, its script and its region; empty where neither the tag nor the language says it."""

    base: str
    script: str
    region: str

    @staticmethod
    def of(language: str) -> Tag:
        """The parts of a language tag such as `zh-Hant-TW`."""
        first, *rest = language.replace("_", "-").split("-")
        base = _SAME.get(first.lower(), first.lower())
        script = next((part.capitalize() for part in rest if len(part) == 4 and part.isalpha()), "")
        region = next((part.upper() for part in rest if len(part) == 2 and part.isalpha()), "")
        usual = languages.language(base).script or _SCRIPTS.get(base, "")
        return Tag(base, script or _REGIONS.get(base, {}).get(region, "") or usual, region)


def has_languages(tokenizer: Any) -> bool:
    """Whether a tokenizer marks languages; one that was made for a single pair only names them."""
    return hasattr(tokenizer, "src_lang") and not is_pair(tokenizer)


def is_pair(tokenizer: Any) -> bool:
    """Whether a tokenizer has a vocabulary for each side of one pair of languages (FSMT)."""
    return type(tokenizer).__name__ == "FSMTTokenizer"


def check_pair(tokenizer: Any, source: str, target: str) -> None:
    """Refuse other languages than those that the tokenizer was made for."""
    if is_pair(tokenizer) and (Tag.of(source).base, Tag.of(target).base) != (tokenizer.src_lang, tokenizer.tgt_lang):
        made_for = f"from '{tokenizer.src_lang}' into '{tokenizer.tgt_lang}'"
        problem = f"the model translates {made_for}, not from '{source}' into '{target}'"
        raise UsageError(problem, "choose a model or a set with the same languages")


def language_code(tokenizer: Any, language: str) -> str | None:
    """The token that stands for a language; None where the tokenizer has no languages."""
    if not has_languages(tokenizer):
        return None
    name = type(tokenizer).__name__
    pattern = next((pattern for family, pattern in _CODES.items() if name.startswith(family)), _CODES["MBart"])
    wanted = Tag.of(language)
    # M2M100 does not count its codes as vocabulary.
    tokens = {*tokenizer.get_vocab(), *getattr(tokenizer, "lang_token_to_id", {})}
    near = sorted(
        (match for token in tokens if (match := pattern.fullmatch(token)) and _is_near(match, wanted)),
        # The code of the region itself, if there is one, comes first.
        key=lambda match: (match.groupdict().get("region") != wanted.region, match.group()),
    )
    for match in near:
        # Where nobody knows the usual script, the only code that there is has it.
        if _script(match, wanted.base) == wanted.script or (not wanted.script and len(near) == 1):
            return match.group().strip("_")
    raise UsageError(_problem(language, (match.group().strip("_") for match in near)), _REMEDY)


_REMEDY = "set its code with source_code= or target_code="


def _is_near(match: re.Match[str], wanted: Tag) -> bool:
    """Whether a code is that of the language, whatever its script."""
    iso3 = languages.language(wanted.base).iso3
    return match["base"] in ({iso3, wanted.base} if "script" in match.groupdict() else {wanted.base})


def _script(match: re.Match[str], base: str) -> str:
    """The script that a code stands for."""
    parts = match.groupdict()
    return parts.get("script") or Tag.of(f"{base}-{parts.get('region', '')}").script


def _problem(language: str, near: Iterable[str]) -> str:
    codes = ", ".join(list(near)[:_NEAR])
    return f"the model's tokenizer has no language '{language}'" + (f" (near: {codes})" if codes else "")


def code_id(tokenizer: Any, code: str) -> int:
    """The token of a language code."""
    marked = f"__{code}__" if type(tokenizer).__name__.startswith("M2M100") else code
    return int(tokenizer.convert_tokens_to_ids(marked))


def check_code(tokenizer: Any, code: str, option: str) -> None:
    """Refuses a code that the tokenizer does not have."""
    if not has_languages(tokenizer):
        raise UsageError(f"'{option}={code}' has no effect, since the model's tokenizer has no languages", "remove it")
    if code_id(tokenizer, code) in (None, tokenizer.unk_token_id):
        raise UsageError(f"the model's tokenizer has no language '{code}'", f"correct {option}=")
