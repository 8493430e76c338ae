"""Items to the words whose prediction is to be explained, and what a model says about these to saliences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from referee.analysis.salience.record import Salience, Weight
from referee.analysis.salience.triggers import Marks, is_word, target_word, words
from referee.items import GAP, Field, Item, Task
from referee.protocols import ExplainRequest, Explains, Explanation, InGap, InTranslation
from referee.scoring import requests
from referee.scoring.options import ScoringOptions

ANOTHER_TASK = "another task"
NO_GOLD = "no right candidate"
NO_WORD = "no word that makes the right candidate right"


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
    told: Callable[[int], None],
) -> tuple[list[Salience], Counter[str]]:
    """Saliences in the order of the items, and how many items have none, by reason; `told` how many are done."""
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
        told(count)
    return [saliences[index] for index in sorted(saliences)], left_out


def question(item: Item, options: ScoringOptions, task: Task) -> ExplainRequest | str:
    """What to ask a model about an item, or why it cannot be asked; `task` is that of the items it explains."""
    if item.task != task:
        return ANOTHER_TASK
    if item.gold is None:
        return NO_GOLD
    gold = item.candidates[item.gold]
    texts = _texts(item, options)
    places = tuple((text.offset + start, text.offset + end) for text in texts for start, end in _words(text))
    if task == "fill":
        return InGap(item.source, gold.text, places) if gold.text else NO_WORD
    word = target_word(item)
    return NO_WORD if word is None else InTranslation(requests.pairs(item, options)[item.gold], *word, places)


def salience(suite: str, item: Item, options: ScoringOptions, explained: Explanation, marks: Marks) -> Salience:
    """What a model said about the words of an item, each with its place in it."""
    values = iter(explained.values)
    gold = item.candidates[item.gold or 0].text
    place = target_word(item) if item.task == "translate" else (0, len(gold))
    return Salience(
        suite,
        item.id,
        gold[slice(*place)] if place else "",
        _rounded(explained.probability),
        tuple(
            _weight(text, start, end, value, marks)
            for text in _texts(item, options)
            for start, end in _words(text)
            if (value := next(values)) is not None
        ),
        item.group_id,
    )


def _texts(item: Item, options: ScoringOptions) -> Sequence[Text]:
    """What a model reads of an item: a translator its context too, as when it was judged."""
    found = []
    offset = 0
    if item.task == "translate" and options.context:
        first = max(0, len(item.source_context) - options.context)
        for index, sentence in enumerate(item.source_context[first:], first):
            found.append(Text("source_context", index, sentence, offset))
            offset += len(sentence) + len(options.separator)
    return [*found, Text("source", 0, item.source, offset)]


def _words(text: Text) -> list[tuple[int, int]]:
    return [place for place in words(text.text) if text.text[slice(*place)] != GAP]


def _weight(text: Text, start: int, end: int, value: float, marks: Marks) -> Weight:
    is_a_word = is_word(text.text[start:end])
    trigger = is_a_word and marks.trigger(text.field, text.index, start, end)
    compared = is_a_word and (trigger or marks.shared(text.field, start, end))
    return Weight(text.field, text.index, start, end, _rounded(value), trigger, compared)


def _rounded(value: float) -> float:
    """Seven digits: what a float32 of the model can say."""
    return float(f"{value:.7g}")
