"""Sentences of treebanks as tokens with the characters they cover, in the form that the annotator works with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple


class TreebankWord(NamedTuple):
    """A syntactic word; `head` is an index in the sentence, -1 for the root."""

    form: str
    lemma: str
    upos: str
    features: Mapping[str, str]
    head: int
    deprel: str


class Token(NamedTuple):
    """A token and its words: one, or those that it falls into."""

    form: str
    start: int
    end: int
    words: tuple[TreebankWord, ...]


def tokens(text: str, rows: Sequence[str]) -> list[Token] | None:
    """The tokens of a sentence from its CoNLL-U lines; None where they do not spell its text."""
    words = [row.split("\t") for row in rows]
    listed: list[Token] = []
    end = 0
    for form, members in _grouped(words):
        start = text.find(form, end)
        if start < 0 or text[end:start].strip():
            return None
        end = start + len(form)
        listed.append(Token(form, start, end, tuple(_word(member) for member in members)))
    return None if text[end:].strip() else listed


def _grouped(rows: list[list[str]]) -> Iterator[tuple[str, list[list[str]]]]:
    """Forms of tokens with the lines of their words; empty nodes are left out."""
    index = 0
    while index < len(rows):
        row = rows[index]
        index += 1
        if "-" in row[0]:
            first, last = map(int, row[0].split("-"))
            members: list[list[str]] = []
            while len(members) <= last - first:
                if "." not in rows[index][0]:
                    members.append(rows[index])
                index += 1
            yield row[1], members
        elif "." not in row[0]:
            yield row[1], [row]


def _word(row: list[str]) -> TreebankWord:
    features = dict(pair.split("=", 1) for pair in row[5].split("|") if "=" in pair)
    lemma = row[1] if row[2] == "_" and row[1] != "_" else row[2]
    return TreebankWord(row[1], lemma, row[3], features, int(row[6]) - 1, row[7])


def joined(tokens: Sequence[Token], starts: Sequence[int], ends: Sequence[int]) -> list[Token]:
    """Join tokens whose border is inside an atom: *can*, *not* of *cannot* are words of one token for us."""
    starting, ending = set(starts), set(ends)
    listed: list[Token] = []
    open_tokens: list[Token] = []
    for token in tokens:
        open_tokens.append(token)
        if token.end in ending and open_tokens[0].start in starting:
            listed.append(_one(open_tokens))
            open_tokens = []
    return [*listed, _one(open_tokens)] if open_tokens else listed


def _one(members: Sequence[Token]) -> Token:
    if len(members) == 1:
        return members[0]
    form = "".join(member.form for member in members)
    words = tuple(word for member in members for word in member.words)
    return Token(form, members[0].start, members[-1].end, words)
