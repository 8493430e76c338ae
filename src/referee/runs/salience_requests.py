"""Requests to explain the prediction of a word, from items; saliences, from a model's explanations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from referee.analysis.salience.record import Salience, Token, Weight
from referee.analysis.salience.triggers import Marks, is_word, target_word, words
from referee.items import GAP, Field, Item, Task
from referee.protocols import ExplainRequest, Explains, Explanation, InGap, InTranslation
from referee.scoring import requests
from referee.scoring.options import ScoringOptions

ANOTHER_TASK = "another task"
NO_GOLD = "no correct candidate"
NO_WORD = "no word that makes the correct candidate correct"


@dataclass(frozen=True)
class Text:
    """A text of an item, and where it begins in what the model reads."""

    field: Field
    index: int
    text: str
    offset: int


def explained(
    model: Explains,
    method: str,
    suite: str,
    items: Sequence[Item],
    marks: Sequence[Marks],
    options: ScoringOptions,
    tokens: int | None,
    tick: Callable[[int], None],
) -> tuple[list[Salience], Counter[str]]:
    """Saliences in the order of the items, and the number of items without one by reason; `tick` gets the progress."""
    left_out: Counter[str] = Counter()
    requests: list[ExplainRequest] = []
    indices: list[int] = []
    for index, item in enumerate(items):
        request = question(item, options, model.explains)
        if isinstance(request, str):
            left_out[request] += 1
        else:
            requests.append(request)
            indices.append(index)
    saliences: dict[int, Salience] = {}
    answers = model.explain(requests, method=method, tokens=tokens)
    for count, (number, answer) in enumerate(answers, len(items) - len(requests) + 1):
        index = indices[number]
        if answer.refused:
            # What follows the colon is about this item alone.
            left_out[answer.refused.partition(": ")[0]] += 1
        else:
            saliences[index] = salience(suite, items[index], options, answer, marks[index])
        tick(count)
    return [saliences[index] for index in sorted(saliences)], left_out


def question(item: Item, options: ScoringOptions, task: Task) -> ExplainRequest | str:
    """The request for an item, or the reason if there is no request; `task` is that of the items the model explains."""
    if item.task != task:
        return ANOTHER_TASK
    if item.gold is None:
        return NO_GOLD
    gold = item.candidates[item.gold]
    texts = _texts(item, options)
    spans = tuple((text.offset + start, text.offset + end) for text in texts for start, end in _words(text))
    if task == "fill":
        given = requests.blank(item, options).given
        return InGap(item.source, gold.text, spans, given, item.source_lang) if gold.text else NO_WORD
    word = target_word(item)
    return NO_WORD if word is None else InTranslation(requests.pairs(item, options)[item.gold], *word, spans)


def salience(suite: str, item: Item, options: ScoringOptions, explained: Explanation, marks: Marks) -> Salience:
    """The salience of an item: the weight of each of its words, with the span of the word."""
    values = iter(explained.values)
    gold = item.candidates[item.gold or 0].text
    span = target_word(item) if item.task == "translate" else (0, len(gold))
    return Salience(
        suite,
        item.id,
        gold[slice(*span)] if span else "",
        _rounded(explained.probability),
        tuple(
            _weight(text, start, end, value, marks)
            for text in _texts(item, options)
            for start, end in _words(text)
            if (value := next(values)) is not None
        ),
        item.group_id,
        _tokens(item, options, explained),
    )


def _tokens(item: Item, options: ScoringOptions, explained: Explanation) -> tuple[Token, ...]:
    """The tokens of the source without its context, and the end token."""
    source = _texts(item, options)[-1]
    pronouns = {span for span in words(source.text) if source.text[slice(*span)] in ("it", "It")}
    tokens = []
    for token in explained.tokens:
        start, end = max(token.start - source.offset, 0), token.end - source.offset
        if token.end >= 0 and end <= 0:
            continue
        # Some tokens hold the space before their word.
        start = end - len(source.text[start:end].lstrip()) if end > 0 else -1
        tokens.append(Token(token.token, _rounded(token.value), (start, end) in pronouns))
    return tuple(tokens)


def _texts(item: Item, options: ScoringOptions) -> Sequence[Text]:
    """The texts of an item that the model reads: its context too, as when it was evaluated."""
    contexts = []
    offset = 0
    if options.context:
        first = max(0, len(item.source_context) - options.context)
        for index, sentence in enumerate(item.source_context[first:], first):
            contexts.append(Text("source_context", index, sentence, offset))
            offset += len(sentence) + len(options.separator)
    return [*contexts, Text("source", 0, item.source, offset)]


def _words(text: Text) -> list[tuple[int, int]]:
    return [span for span in words(text.text) if text.text[slice(*span)] != GAP]


def _weight(text: Text, start: int, end: int, value: float, marks: Marks) -> Weight:
    is_a_word = is_word(text.text[start:end])
    trigger = is_a_word and marks.trigger(text.field, text.index, start, end)
    compared = is_a_word and (trigger or marks.shared(text.field, start, end))
    return Weight(text.field, text.index, start, end, _rounded(value), trigger, compared)


def _rounded(value: float) -> float:
    """Seven digits: what a float32 of the model can say."""
    return float(f"{value:.7g}")
