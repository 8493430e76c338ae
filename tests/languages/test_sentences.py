"""Borders between sentences in all scripts; nothing of a text is lost."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.languages import languages
from referee.languages.sentences import splitter

CASES = [
    # Marks of other scripts
    ("zh", ["昨天他走了。", "她没有说话。"]),
    ("zh", ["真的吗？", "太好了！", "我们走吧。"]),
    ("zh", ["他说：“我走了。你呢？”", "她没有回答。"]),
    ("zh", ["你可以……做我的笔友吗？", "好。"]),
    ("zh", ["他来了吗?", "我不知道。"]),
    ("ja", ["雨だ。", "傘を持って行こう。"]),
    ("ja", ["雨だ｡", "傘はない"]),
    ("ja", ["彼は「もう行く。」と言った。", "彼女は笑った。"]),
    ("ja", ["「行くよ。帰るよ。」と彼は言った。", "雨だった。"]),
    ("ja", ["「もう行く。」", "彼女は笑った。"]),
    ("hi", ["वह घर गया। ", "वह वहीं रही।"]),
    ("ar", ["هل هو هنا؟ ", "نعم. ", "هي هنا أيضا."]),
    ("ur", ["وہ گھر گیا۔ ", "وہ نہیں آئی۔"]),
    ("hy", ["Նա գնաց տուն։ ", "Նա մնաց։"]),
    ("am", ["እሱ ወደ ቤት ሄደ። ", "እሷ ቀረች።"]),
    ("my", ["သူသွားတယ်။ ", "သူမကျန်ခဲ့တယ်။"]),
    ("km", ["គាត់ទៅផ្ទះ។ ", "នាងនៅទីនេះ។"]),
    ("bo", ["ཁོང་ནང་ལ་སོང་། ", "མོ་བསྡད་སོང་།"]),
    ("el", ["Πού είναι; ", "Εδώ είναι."]),
    ("ko", ["그는 갔다. ", "그녀는 남았다."]),
    ("he", ["הוא הלך. ", "היא נשארה."]),
    # Thai has no stop: a space alone is no border, a polite particle before it shows one.
    ("th", ["เขาไปแล้ว เธออยู่บ้าน"]),
    ("th", ["ดีครับ ", "ผมไปก่อน"]),
    ("th", ["เธอเกิดในปี พ.ศ. 2540 ที่เชียงใหม่"]),
    ("th", ["จริงหรือ? ", "ใช่"]),
    # Abbreviations, initials and numbers
    ("fr", ["M. Dupont est là. ", "Mme. Durand l'a vu, p. ex. hier. ", "Il part."]),
    ("fr", ["C'est le jardin de J.-P. Martin. ", "Il est grand."]),
    ("fr", ["Il a lu des livres, etc. ", "Puis il est parti."]),
    ("de", ["Er kam z. B. mit Dr. Maus am 3. Mai um 8.30 Uhr. ", "Sie blieb."]),
    ("de", ["Er sah z.B. Katzen, d. h. Tiere. ", "Sie nicht."]),
    ("ru", ["Это, т. е. дом, стоит. ", "А. С. Пушкин жил тут."]),
    ("ru", ["Он купил хлеб и т. д. ", "Она ушла."]),
    ("es", ["Hay frutas, p. ej. manzanas. ", "El Sr. López vino. ", "¿Dónde? ", "Aquí."]),
    ("pt", ["A Dra. Lima, p. ex., não veio. ", "O Sr. Silva sim."]),
    ("pl", ["Przyszedł o godz. 5. ", "Prof. Kot, tj. on, kupił chleb itd. ", "Poszli."]),
    ("it", ["Il sig. Rossi cita l'art. 5. ", "Ha ragione."]),
    ("en", ["J. R. R. Smith wrote it at 5 p.m. on No. 3. ", "It rained."]),
    ("en", ["It costs 3.50. ", "That is 1,000 less."]),
    ("en", ["1. Open the lid. ", "2. Close it."]),
    # Quotations, brackets, ellipses, dialogue
    ("de", ["„Komm!“, rief er. ", "„Warum?“ ", "Sie ging."]),
    ("de", ["„Warum?“ fragte er. ", "Sie ging."]),
    ("en", ['He said "Stop." ', "Then he left. ", "(It was late.) ", "So did she."]),
    ("en", ['"I will go. ', 'You stay," he said. ', '"Why?" ', "She left."]),
    ("de", ["Nun ... ", "Sie kommt. ", "Gut … ", "Dann geht es … weiter."]),
    ("de", ["- Wo ist es? ", "- Da."]),
    ("fr", ["— Bonjour ! ", "— Salut. ", "— Ça va ?"]),
    ("ru", ["— Привет! — сказал он. ", "— Как дела?"]),
    ("de", ["er kam. ", "sie ging."]),  # without capitals the full stop decides
    ("de", ["ER KAM. ", "SIE GING."]),
    ("en", ["First line\n", "second line. ", "Third.\n\n", "Fourth"]),
    ("qve", ["Mr. Fox came. ", "3 left."]),
    ("de", [" Er kam.  ", "Sie nicht? ", "Doch! "]),
]


@pytest.mark.parametrize(("code", "sentences"), CASES)
def test_by_hand(code: str, sentences: list[str]) -> None:
    assert splitter(code)("".join(sentences)) == sentences


PIECES = st.sampled_from(
    [
        *"abcABCäßñ彼女他เขากيو가나अ 1",
        *" \n\t\r\u2028\u00a0.!?…。！？｡।؟۔։።\"'“”„»«「」『』()[]（）-–—:;,",
        *("Dr.", "z.B.", "M.", "...", "\n\n", "\x00", "\ufeff", "\ud800", "http://a.b/c?d=e"),
    ]
)


@settings(max_examples=800, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join) | st.text(), st.sampled_from([*languages(), "xx"]))
# The package panics at both.
@example("B\u00a0. C", "vi")
@example("Il a\u00a0B\u00a0. C", "fr")
def test_no_character_is_lost(text: str, code: str) -> None:
    sentences = splitter(code)(text)
    assert "".join(sentences) == text
    assert all(sentence.strip() for sentence in sentences) or not text.strip()


def test_an_empty_text_has_no_sentence() -> None:
    assert splitter("de")("") == []
    assert splitter("de")("  ") == ["  "]


def test_a_region_does_not_count() -> None:
    assert splitter("zh-TW")("他走了。她來了。") == ["他走了。", "她來了。"]


@pytest.mark.parametrize("text", ["Er kam. ", "er kam. A", "z. B. ", "(", "。", '"', "A.\n", "他。", "    ", ". "])
def test_a_very_long_text_takes_no_longer_than_it_is(text: str) -> None:
    assert "".join(splitter("de")(f"Ja. {text * 30_000}")) == f"Ja. {text * 30_000}"
