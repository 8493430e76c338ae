"""Templates to items: every combination of words that the template allows, with one candidate per gender."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, product

from referee.build.templates.slots import IT, Filled, Filling, SlotSpan, SlotText, english, target
from referee.build.templates.template import Template, TemplateForm
from referee.build.templates.wordlists import WordList
from referee.errors import InputError
from referee.items import Candidate, Field, Item, Span
from referee.languages import PLURAL, Language

Sets = Callable[[str], WordList]
"""The words of a set by its name."""
Fill = Callable[[Filling, str], Filled]
"""A text with its slots filled, for a candidate of some gender."""

NOT_DIFFERENT = "genders do not differ"
NOT_SHOWN = "the gender does not show"


@dataclass
class Tally:
    """Counts of a template: items, and left-out combinations by reason."""

    items: int = 0
    left_out: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class _Compiled:
    """A form of a template with its texts compiled and its words read."""

    shape: TemplateForm
    words: Mapping[str, WordList]
    context_english: Fill
    context: Fill
    text_english: Fill
    text: Fill


def make(language: Language, template: Template, sets: Sets, tally: Tally) -> Iterator[Item]:
    """The items of a template, counted in `tally`."""
    number = 0
    for shape in template.shapes:
        try:
            compiled = _compile(language, shape, sets)
            for filling in _fillings(compiled, tally):
                item = _item(language, template, compiled, filling, number)
                if item is None:
                    tally.left_out[NOT_SHOWN] += 1
                    continue
                number += 1
                tally.items += 1
                yield item
        except InputError as error:
            if error.file is not None:
                raise
            problem = f"template '{template.name}': {error.problem}"
            raise InputError(problem, error.remedy, language.folder) from None


def _compile(language: Language, shape: TemplateForm, sets: Sets) -> _Compiled:
    words = {slot: sets(name).every(shape.every.get(slot, 1)) for slot, name in shape.slots.items()}
    nouns = tuple(shape.roles)
    for slot in dict.fromkeys((*nouns, *shape.differ)):
        for word in words[slot].words:
            if word.gender is None:
                raise InputError(
                    f"'{word.english}' in slot '{slot}' has no gender", "fill the column 'gender' of the word list"
                )
            if word.gender == PLURAL:
                problem = f"'{word.english}' in slot '{slot}' has no singular, so no candidate can refer to it"
                raise InputError(problem, f"remove it from the word list '{words[slot].name}'")
    texts = (
        english(shape.context[0], words, nouns, pronoun=False),
        target(shape.context[1], language, words, nouns),
        english(shape.text[0], words, (), pronoun=True),
        target(shape.text[1], language, words, (IT,)),
    )
    return _Compiled(shape, words, *(_remembering(text, len(words)) for text in texts))


def _remembering(text: SlotText, slots: int) -> Fill:
    """A function that fills a text once per combination of the slots it uses."""
    if len(text.uses) == slots:
        return text.fill
    texts: dict[tuple[object, ...], Filled] = {}

    def fill(words: Filling, gender: str = "") -> Filled:
        key = (gender, *[id(words[slot]) for slot in text.uses])
        if key not in texts:
            texts[key] = text.fill(words, gender)
        return texts[key]

    return fill


def _fillings(compiled: _Compiled, tally: Tally) -> Iterator[Filling]:
    shape = compiled.shape
    slots = list(shape.order or shape.slots)
    alike = [
        (one, other)
        for one, other in combinations(range(len(slots)), 2)
        if shape.slots[slots[one]] == shape.slots[slots[other]]
    ]
    differ = [slots.index(slot) for slot in shape.differ]
    swapped: set[tuple[int, ...]] = set()
    for chosen in product(*(compiled.words[slot].words for slot in slots)):
        if any(chosen[one] is chosen[other] for one, other in alike):
            continue
        if differ and len({chosen[index].gender for index in differ}) < len(differ):
            tally.left_out[NOT_DIFFERENT] += 1
            continue
        filling = dict(zip(slots, chosen, strict=True))
        if not shape.swap:
            yield filling
        elif tuple(map(id, chosen)) not in swapped:
            yield filling
            one, other = shape.differ
            exchanged = filling | {one: filling[other], other: filling[one]}
            swapped.add(tuple(id(exchanged[slot]) for slot in slots))
            yield exchanged


def _item(language: Language, template: Template, compiled: _Compiled, words: Filling, number: int) -> Item | None:
    shape = compiled.shape
    filled = [compiled.text(words, gender) for gender in language.genders]
    texts = [text for text, _ in filled]
    if len(set(texts)) < len(texts):
        return None
    source_context, english_nouns = compiled.context_english(words, "")
    target_context, nouns = compiled.context(words, "")
    source, pronoun = compiled.text_english(words, "")
    mentioned = [span.slot for span in nouns]
    gold_gender = words[shape.gold].gender if shape.gold and shape.gold in words else shape.gold
    if gold_gender is not None and gold_gender not in language.genders:
        raise InputError(f"'{gold_gender}' is not the gender of any candidate", "choose another noun for the gold slot")
    gold = None if gold_gender is None else language.genders.index(gold_gender)
    return Item(
        id=f"{language.code}-{template.name}-{number}",
        task="translate",
        source_lang="en",
        target_lang=language.code,
        source=source,
        source_context=(source_context,) if source_context else (),
        target_context=(target_context,) if target_context else (),
        candidates=tuple(
            Candidate(text, _alternative(text, pronouns, gender) | _referent(shape, gender, words, mentioned))
            for (text, pronouns), gender in zip(filled, language.genders, strict=True)
        ),
        gold=gold,
        reference=None if gold is None else texts[gold],
        group=_group(template, shape, words),
        label=template.name,
        distance=1 if shape.gold in mentioned else None,
        features=_features(template, shape, words, mentioned) | language.features,
        spans=(
            *_spans(english_nouns, "source_context", shape),
            *_spans(nouns, "target_context", shape),
            *_spans(pronoun, "source", shape),
            *(span for index, (_, spans) in enumerate(filled) for span in _spans(spans, "candidate", shape, index)),
        ),
        meta={"words": {slot: word.english for slot, word in words.items()}},
    )


def _alternative(text: str, pronouns: tuple[SlotSpan, ...], gender: str) -> dict[str, str]:
    pronoun = {"pronoun": text[pronouns[0].start : pronouns[0].end]} if pronouns else {}
    return {"gender": gender} | pronoun


def _referent(shape: TemplateForm, gender: str, words: Filling, mentioned: list[str]) -> dict[str, str]:
    """The referent of a candidate, if exactly one of the nouns has its gender."""
    fitting = [slot for slot in mentioned if words[slot].gender == gender]
    # A pleonastic pronoun refers to no noun of its gender either.
    if len(fitting) != 1 or shape.gold == gender:
        return {}
    position = {"position": "first" if fitting[0] == mentioned[0] else "second"} if len(mentioned) > 1 else {}
    return {"referent": shape.roles[fitting[0]]} | position


def _features(template: Template, shape: TemplateForm, words: Filling, mentioned: list[str]) -> dict[str, str]:
    features = {"template": template.name, "step": template.step}
    if shape.name:
        features["form"] = shape.name
    if shape.clause:
        features["clause"] = shape.clause
    if mentioned:
        features["genders"] = "".join(words[slot].gender or "" for slot in mentioned)
    return features


def _group(template: Template, shape: TemplateForm, words: Filling) -> str | None:
    """The group of an item: the same words in other forms and orders; none if nothing is mentioned."""
    if not shape.roles:
        return None
    slots = shape.slots if shape.group is None else shape.group
    # Slots of one set may swap their words: sorted by set and word, both orders get one name.
    chosen = sorted((shape.slots[slot], words[slot].english, words[slot].form() or "") for slot in slots)
    return f"{template.name}:" + "+".join(f"{word}/{form}" if form else word for _, word, form in chosen)


def _spans(spans: tuple[SlotSpan, ...], field: Field, shape: TemplateForm, index: int = 0) -> Iterator[Span]:
    for span in spans:
        if span.slot == IT:
            role = "pronoun"
        elif shape.gold is None:
            role = "possible"
        else:
            role = "antecedent" if span.slot == shape.gold else "distractor"
        yield Span(role, field, span.start, span.end, index)
