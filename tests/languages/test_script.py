"""Words by script: forms inside unspaced text, attached particles, capitals."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.languages import language, languages
from referee.languages.script import (
    any_of,
    exact,
    is_all_capitals,
    is_among,
    is_shouted,
    is_unspaced,
    separates_words,
    whole_words,
    word_spans,
    words,
)

FORMS = [
    # Chinese, in both orthographies: a longer word is another word.
    ("zh", "他", "昨天他走了。", True),
    ("zh", "她", "我很久没有看见她了", True),
    ("zh", "他", "他们昨天走了。", False),
    ("zh-TW", "他", "他們昨天走了。", False),
    ("zh", "他们", "昨天他们走了。", True),
    ("zh", "他", "其他人都在弹吉他。", False),
    ("zh", "他", "其他人看见他了。", True),
    ("zh", "它", "它们很小", False),
    ("zh", "OK", "他说OK就走了", True),
    # Japanese
    ("ja", "彼", "昨日、彼は駅で待っていた。", True),
    ("ja", "彼", "彼女は駅で待っていた。", False),
    ("ja", "彼女", "私は彼女に会った", True),
    ("ja", "それ", "それを見せて", True),
    ("ja", "それ", "それぞれの家", False),
    ("ja", "パン", "パンダを見た", False),
    ("ja", "パン", "朝はパンを食べる", True),
    ("ja", "カレー", "トムはカレーが好きだ", True),
    ("ja", "Tom", "昨日Tomは来なかった", True),
    # Thai: a vowel may stand before its consonant, and signs belong to the letter before them.
    ("th", "เขา", "เมื่อวานเขาไปตลาด", True),
    ("th", "เขา", "เราปีนภูเขาสูง", False),
    ("th", "มัน", "ฉันชอบมันมาก", True),
    ("th", "มัน", "น้ำมันแพงขึ้น", False),
    ("th", "มา", "เขาเมาแล้ว", False),
    ("th", "ดี", "ดีมาก", True),
    ("th", "ด", "ดีมาก", False),
    # Lao, Khmer, Burmese
    ("lo", "ມັນ", "ຂ້ອຍມັກມັນຫຼາຍ", True),
    ("km", "គាត់", "ម្សិលមិញគាត់ទៅផ្សារ", True),
    ("my", "သူ", "သူမသွားတယ်", False),
    ("km", "វា", "គាត់នៅវាលស្រែ", False),
    ("lo", "ມັນ", "ນ້ຳມັນແພງ", False),
    ("km", "ត", "ស្ត្រី", False),  # below another consonant
    ("my", "သူ", "မနေ့ကသူသွားတယ်", True),
    ("my", "တယ်", "သွားတယ်", True),
    ("my", "တ", "သွားတယ်", False),  # the next letter closes the syllable
    # Korean: particles are attached.
    ("ko", "그녀", "그녀는 어제 집에 갔다.", True),
    ("ko", "그녀", "나는 그녀에게서도 들었다.", True),
    ("ko", "그", "어제 그가 왔다.", True),
    ("ko", "그", "그녀가 왔다.", False),
    ("ko", "그", "그들은 왔다.", False),
    ("ko", "그것", "그것을 보았다", True),
    ("ko", "집", "편집을 했다", False),
    # Arabic and Hebrew: conjunctions are attached, and nothing else.
    ("ar", "هو", "وهو هنا الآن", True),
    ("ar", "هي", "فهي تعرف ذلك", True),
    ("ar", "هو", "كان لهو الأطفال", False),
    ("ar", "هو", "أين هو؟", True),
    ("ar", "هُوَ", "أين هو؟", True),  # with vowel signs
    ("he", "הוא", "הילד אמר שהוא עייף", True),
    ("he", "היא", "והיא הלכה", True),
    ("he", "היא", "בשנה ההיא", False),
    # Spaces, and joiners inside a word
    ("fa", "آن", "آن‌ها رفتند", False),
    ("fa", "آن", "من آن را دیدم", True),
    ("hi", "वह", "वह गया।", True),
    ("hi", "हि", "हिन्दी अच्छी है", False),
    ("vi", "cô ấy", "Hôm qua cô ấy đi.", True),
    ("fr", "elle", "Qu'elle vienne !", True),
    ("fr", "l'", "Il l'a vu.", True),
    # Capitals
    ("de", "weiß", "ER WEISS ES.", True),
    ("de", "groß", "SIE IST GROẞ.", True),
    ("de", "Maße", "in Masse", False),
    ("fr", "ß", "SS", False),
    ("tr", "ışık", "IŞIK VAR.", True),
    ("tr", "ilk", "İLK KEZ", True),
    ("tr", "ilk", "ılk", False),
    ("el", "αυτός", "ΑΥΤΟΣ ΗΡΘΕ.", True),
]


@pytest.mark.parametrize(("code", "form", "text", "there"), FORMS)
def test_forms_by_script(code: str, form: str, text: str, there: bool) -> None:
    assert (whole_words(form, code).search(text) is not None) == there


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("ja", "昨日カレーを食べた。", ["昨", "日", "カレー", "を", "食", "べ", "た"]),
        ("ja", "彼女はOKと言った", ["彼女", "は", "OK", "と", "言", "っ", "た"]),
        ("zh", "他们走了3次", ["他们", "走", "了", "3", "次"]),
        ("th", "เขาไป", ["เขา", "ไป"]),
        ("my", "သူသွားတယ်", ["သူ", "သွား", "တယ်"]),
        ("ko", "그녀는 갔다", ["그녀는", "갔다"]),
        ("de", "Er/sie kam_3 l'eau", ["Er", "sie", "kam_3", "l", "eau"]),
        ("en", "", []),
    ],
)
def test_words(code: str, text: str, expected: list[str]) -> None:
    assert words(text, code) == expected
    assert [text[start:end] for start, end in word_spans(text, code)] == expected


@given(st.text(), st.sampled_from(languages()))
def test_words_do_not_overlap(text: str, code: str) -> None:
    spans = word_spans(text, code)
    assert all(start < end for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))


@given(st.text(min_size=1), st.sampled_from(["", "zh", "ja", "th", "ko", "ar", "he", "de", "tr", "el"]))
def test_any_form_can_be_searched_and_is_found_alone(form: str, code: str) -> None:
    match = exact(form, code).search(f" {form} ")
    assert match is None or match.group() == form
    whole_words(form, code).search(form)


def test_case_and_place_are_exact() -> None:
    assert [match.span() for match in any_of(["er", "Er"]).finditer("Er, er, ER und der")] == [(0, 2), (4, 6)]
    assert exact("").search("a") is None


def test_spaces_show_a_form_only_where_nothing_is_attached() -> None:
    assert separates_words("sie", "de")
    assert separates_words("она", "ru")
    assert not separates_words("她", "zh")
    assert not separates_words("그녀", "ko")
    assert not separates_words("هي", "ar")


def test_scripts_without_spaces() -> None:
    assert all(map(is_unspaced, ("他", "ひ", "カ", "ｶ", "ー", "ไ", "ກ", "ក", "က", "a他")))
    assert not any(map(is_unspaced, ("a", "я", "그", "ه", "ה", "ह", "3", "", "。")))


def test_capitals() -> None:
    assert is_shouted("SIE")
    assert not any(map(is_shouted, ("Sie", "sie", "I", "", "他")))
    assert is_all_capitals("SIE IST DA. 3!")
    assert not any(map(is_all_capitals, ("Sie ist da", "A", "他", "", "SIE IST da")))
    assert is_among("HEISST", frozenset({"heißt"}))
    assert is_among("Ist", frozenset({"ist"}))
    assert not is_among("masse", frozenset({"maße"}))


@pytest.mark.parametrize("code", languages())
def test_the_lists_of_a_language_are_sound(code: str) -> None:
    known = language(code)
    assert all(is_unspaced(word) and len(word) > 1 for word in known.compounds)
    assert all(word == word.strip() and not word.endswith(".") for word in known.abbreviations)
    assert all(form.isalpha() for form in (*known.particles, *known.proclitics))
    assert len(set(known.particles)) == len(known.particles)
