"""Items for tests: a plain one, and a strategy for any valid one."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from referee.items import GAP, Candidate, Field, Item, Origin, Span


def item(**changes: Any) -> Item:
    """A small valid translation item."""
    fields: dict[str, Any] = {
        "id": "a",
        "task": "translate",
        "source_lang": "en",
        "target_lang": "de",
        "source": "It was hungry.",
        "candidates": (
            Candidate("Er war hungrig.", {"gender": "m"}),
            Candidate("Sie war hungrig.", {"gender": "f"}),
            Candidate("Es war hungrig.", {"gender": "n"}),
        ),
        "gold": 0,
    }
    return Item(**(fields | changes))


_words = st.text(max_size=12)
_texts = st.text(min_size=1, max_size=12).filter(lambda text: bool(text.strip()))
_features = st.dictionaries(_words, _words, max_size=3)
_language = st.sampled_from(["en", "de", "ru", "zh-Hant", "qve"])
_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_words, inner, max_size=3),
    max_leaves=6,
)
_count = st.integers(0, 2**31 - 1)
_name = st.text(min_size=1, max_size=12)
_origins = st.builds(Origin, _name, _name, st.sampled_from(["attack", "baseline", "probe"]))


@st.composite
def any_item(draw: st.DrawFn) -> Item:
    """Whatever an item may be."""
    task = draw(st.sampled_from(["translate", "fill", "choose"]))
    source = draw(_texts)
    if task == "fill":
        source = draw(_words.map(lambda text: text.replace(GAP, ""))) + GAP + source.replace(GAP, "")
    # Feature values and expected forms in plain Latin: whether scripts mix is tested on its own.
    plain = st.dictionaries(_words, st.sampled_from(["m", "f", "sie"]), max_size=3)
    candidates = draw(
        st.one_of(
            st.just([]),
            st.lists(st.builds(Candidate, _texts, plain), min_size=2, max_size=4, unique_by=lambda one: one.text),
        )
    )
    context = tuple(draw(st.lists(_words, max_size=3)))
    name = draw(_name)
    return Item(
        id=name,
        task=task,  # type: ignore[arg-type]
        source_lang=draw(_language),
        target_lang=draw(_language),
        source=source,
        source_context=context,
        target_context=tuple(draw(st.lists(_words, max_size=3))),
        question=draw(st.none() | _words),
        candidates=tuple(candidates),
        gold=draw(st.none() | st.integers(0, len(candidates) - 1)) if candidates else None,
        reference=draw(st.none() | _words),
        expected=tuple(draw(st.lists(st.sampled_from(["er", "sie", "l'", "ей"]), max_size=2))),
        group=draw(st.none() | _name),
        label=draw(st.none() | _words),
        distance=draw(st.none() | _count),
        features=draw(_features),
        spans=tuple(draw(_spans(source, context))),
        origin=draw(st.none() | _origins.filter(lambda origin: origin.item != name)),
        meta=draw(st.dictionaries(_words, _json, max_size=3)),
    )


def _spans(source: str, context: tuple[str, ...]) -> st.SearchStrategy[list[Span]]:
    possible = [_span("source", 0, source)] if source else []
    possible += [_span("source_context", index, text) for index, text in enumerate(context) if text]
    return st.lists(st.one_of(possible), max_size=2) if possible else st.just([])


def _span(field: Field, index: int, text: str) -> st.SearchStrategy[Span]:
    start = st.integers(0, len(text) - 1)
    return start.flatmap(
        lambda first: st.integers(first + 1, len(text)).map(lambda end: Span("antecedent", field, first, end, index))
    )
