"""Quality of translations of held-out text, and the share of it that was seen after all."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from referee.analysis.quality import comparable, quality
from referee.errors import InputError
from referee.io.files import text_lines
from referee.items import Item
from referee.logs import logger
from referee.protocols import Translated, TranslateDoc, Translates
from referee.train.recipes.translator import corpus
from referee.train.recipes.translator.corpus import LANGUAGES, Line, Pair, Split
from referee.train.recipes.translator.films import films
from referee.verdicts import Verdict

SAMPLE = 1_000
"""Texts of a language that are translated at most."""
TELLING = 30
"""Characters from which on it tells something that a sentence was seen."""


@dataclass(frozen=True)
class Text:
    """A held-out text and its translation; `film` where an id says from which film it is."""

    item: Item
    sentences: tuple[str, ...]
    film: str | None


def read_test(folder: Path) -> list[Line]:
    """The lines that `prepare` held out."""
    lines = []
    for row in text_lines(folder / "test.jsonl"):
        fields = json.loads(row)
        lines.append(Line(**fields | {side: tuple(fields[side]) for side in ("english", "other")}))
    return lines


def check(split: Split, test: Sequence[Line], folder: Path) -> None:
    """The split of the data that are there must be the one that was trained on."""
    if split.test != list(test):
        problem = f"the {len(test):,} held-out lines differ from the {len(split.test):,} of the present data"
        raise InputError(problem, "prepare and train again, or give the original data", folder)


def seen(split: Split, more: Iterable[Pair]) -> set[str]:
    """English sentences of the training that are long enough to tell something."""
    english = {sentence for line in split.train for sentence in corpus.sentences(line.english, "en")}
    english.update(pair.english for pair in more)
    return {sentence for sentence in english if len(sentence) >= TELLING}


def joined_by_text(lines: Sequence[Line]) -> dict[str, int]:
    """Counts that show how far text alone keeps films together: held out without the ids, then looked up by them."""
    contexts = [line for line in lines if corpus.source_of(line) == "CTXPRO contexts"]
    film = {(line.corpus, line.number): line.document for line in contexts if line.document is not None}
    split = corpus.split([replace(line, document=None) for line in lines])
    learnt, held_out = (
        [film[line.corpus, line.number] for line in part if (line.corpus, line.number) in film]
        for part in ([*split.train, *split.watch], split.test)
    )
    learnt_films = set(learnt)
    return {
        "contexts": len(contexts),
        "with id": len(film),
        "held out by text": len(held_out),
        "of films in the rest": sum(document in learnt_films for document in held_out),
    }


def documents(test: Sequence[Line]) -> list[Text]:
    """Whole contexts, a fixed sample of each language."""
    return _sampled(
        (line, line.english, line.other)
        for line in test
        if not line.corpus.startswith("reference") and (len(line.english) > 1 or len(line.other) > 1)
    )


def single(test: Sequence[Line]) -> list[Text]:
    """The last sentences of contexts, where both sides have equally many."""
    cut = ((line, *corpus.aligned(line)) for line in test if not line.corpus.startswith("reference"))
    return _sampled((line, english[-1:], other[-1:]) for line, english, other in cut if english)


def subtitles(test: Sequence[Line]) -> list[Text]:
    """Sentences with the subtitle that people wrote."""
    return _sampled((line, line.english, line.other) for line in test if line.corpus.startswith("reference"))


def _sampled(texts: Iterable[tuple[Line, Sequence[str], Sequence[str]]]) -> list[Text]:
    rows = list(texts)
    # Texts of one passage are alike: the bootstrap draws whole passages, or films where they are known.
    passages = films([(*line.english, *line.other) for line, _, _ in rows], [line.document for line, _, _ in rows])
    by_language: dict[str, list[Text]] = {language: [] for language in LANGUAGES}
    for (line, english, other), passage in zip(rows, passages, strict=True):
        item = Item(
            id=f"{line.corpus} {line.number}",
            task="translate",
            source_lang="en",
            target_lang=line.language,
            source=" ".join(english),
            reference=" ".join(other),
            group=f"passage {passage}",
        )
        film = line.document if corpus.source_of(line).startswith("CTXPRO") else None
        by_language[line.language].append(Text(item, corpus.sentences(english, "en"), film))
    chosen = []
    for language, language_texts in by_language.items():
        chance = random.Random(f"{corpus.SEED} {language}")  # noqa: S311 no secret
        chosen += chance.sample(language_texts, min(SAMPLE, len(language_texts)))
    return chosen


def measured(model: Translates, texts: Sequence[Text], seen_sentences: Set[str]) -> dict[str, Any]:
    """BLEU and chrF of each language: of all texts, of those with nothing that was seen, of those of known films."""
    figures = {}
    for language in dict.fromkeys(text.item.target_lang for text in texts):
        language_texts = [text for text in texts if text.item.target_lang == language]
        logger.info("  %s, %s texts", language, f"{len(language_texts):,}")
        translated = list(_translated(model, [text.item for text in language_texts]))
        telling = [sentence for text in language_texts for sentence in text.sentences if len(sentence) >= TELLING]
        new = [
            pair
            for text, pair in zip(language_texts, translated, strict=True)
            if not any(sentence in seen_sentences for sentence in text.sentences)
        ]
        by_id = [pair for text, pair in zip(language_texts, translated, strict=True) if text.film is not None]
        figures[language] = {
            "texts": len(language_texts),
            "passages": len({item.group for item, _ in translated}),
            "quality": msgspec.to_builtins(quality(comparable(translated))),
            "sentences": len(telling),
            "sentences seen": sum(sentence in seen_sentences for sentence in telling),
            "texts with nothing seen": len(new),
            "quality with nothing seen": msgspec.to_builtins(quality(comparable(new))),
            "texts of known films": len(by_id),
            "quality of known films": msgspec.to_builtins(quality(comparable(by_id))),
        }
    return figures


def _translated(model: Translates, items: Sequence[Item]) -> Iterator[tuple[Item, Verdict]]:
    sources = [TranslateDoc((item.source,), "en", item.target_lang) for item in items]
    outputs = dict(model.translate(sources))
    for number, item in enumerate(items):
        yield item, Verdict(item=item.id, kind="generative", output=_text(outputs[number]))


def _text(translated: Translated) -> str:
    return translated if isinstance(translated, str) else translated.text
