"""Parts of speech, features and lemmas as texts, each made once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.annotate.pocket.heads import About
from referee.annotate.pocket.scripts import KEEP, LemmaScript, lemma

_KEPT, _LONGEST = 200_000, 64


class Tags:
    """The columns of the tags' scores, and the texts of the best values."""

    def __init__(self, about: About) -> None:
        self.upos = about.upos
        self.features = about.features
        sizes = [len(about.upos), *(len(values) for _, values in about.features)]
        self._edges = np.cumsum([0, *sizes]).tolist()
        self._names: dict[bytes, str] = {}
        # In the order of CoNLL-U: by name, capitals and small letters alike.
        self._order = sorted(range(len(about.features)), key=lambda number: about.features[number][0].lower())

    def column(self, feature: str, value: str) -> int | None:
        """The column of a feature's value in the scores, or None."""
        for number, (name, values) in enumerate(self.features):
            if name == feature and value in values:
                return int(self._edges[number + 1]) + values.index(value)
        return None

    def best(self, scores: np.ndarray) -> np.ndarray:
        """The best part of speech and the best value of each feature, as their numbers."""
        best = np.empty((len(scores), len(self._edges) - 1), np.uint8)
        for number, (start, end) in enumerate(zip(self._edges[:-1], self._edges[1:], strict=True)):
            best[:, number] = scores[:, start:end].argmax(axis=1)
        return best

    def texts(self, best: np.ndarray) -> tuple[list[str], list[str]]:
        """Parts of speech, and features in CoNLL-U's form."""
        upos = list(map(self.upos.__getitem__, best[:, 0].tolist()))
        if not self.features:
            return upos, [""] * len(upos)
        values = np.ascontiguousarray(best[:, 1:])
        keys = values.view(f"S{values.shape[1]}")[:, 0].tolist()
        features = list(map(self._names.get, keys))
        if None in features:
            for key, row in zip(keys, values.tolist(), strict=True):
                if key not in self._names:
                    self._names[key] = self._spelled(row)
            features = list(map(self._names.get, keys))
        return upos, features  # type: ignore[return-value]

    def _spelled(self, numbers: Sequence[int]) -> str:
        pairs = ((self.features[number][0], self.features[number][1][numbers[number]]) for number in self._order)
        return "|".join(f"{name}={value}" for name, value in pairs if value)


class Lemmas:
    """Lemmas of forms, remembered."""

    def __init__(self, scripts: Sequence[LemmaScript]) -> None:
        self._scripts = scripts
        self._known: dict[tuple[str, int], str] = {}

    def of(self, forms: Sequence[str], scripts: np.ndarray) -> list[str]:
        """The lemma of each form by the number of its script."""
        keys = list(zip(forms, scripts.tolist(), strict=True))
        lemmas = list(map(self._known.get, keys))
        if None not in lemmas:
            return lemmas  # type: ignore[return-value]
        if len(self._known) > _KEPT:
            self._known.clear()
        for index, known in enumerate(lemmas):
            if known is None:
                lemmas[index] = self._learnt(keys[index])
        return lemmas  # type: ignore[return-value]

    def _learnt(self, key: tuple[str, int]) -> str:
        form, number = key
        script = self._scripts[number]
        # Long forms (an address, a line of signs) hardly repeat, and would fill the memory.
        made = form if script == KEEP else lemma.__wrapped__(form, script)
        if len(form) <= _LONGEST:
            self._known[key] = made
        return made
