"""`api:` any server that speaks the OpenAI protocol: translation and choice by chat, scores where it tells them."""

from __future__ import annotations

import hashlib
import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec

from referee.errors import MissingError, UsageError
from referee.models.api import client
from referee.models.api.client import ApiError, Body, Chat, Client, Logprobs, Patience, Say, Session, Terms
from referee.models.spec import ModelSpec
from referee.protocols import Answers, ChooseOption, Identity, ScoreText, TokenScores, TranslateDoc

PROMPTS = "1"
"""The version of the prompts below; a change of words is a change of the judge."""

_TRANSLATE = (
    "You are a professional translator. Translate the user's text from {source} into {target}. "
    "Keep the sentences in their order. Reply with the translation only: no notes, no quotation marks."
)
_CHOOSE = "You answer multiple-choice questions. Reply with the letter of the right option and nothing else."
_QUESTION = "{text}\n\n{options}\n\nWhich option is right? Reply with one letter: {letters}."

_LANGUAGES = {
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek",
    "en": "English", "es": "Spanish", "et": "Estonian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi",
    "hr": "Croatian", "ht": "Haitian Creole", "hu": "Hungarian", "id": "Indonesian", "is": "Icelandic",
    "it": "Italian", "ja": "Japanese", "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "nl": "Dutch",
    "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "qu": "Quechua", "ro": "Romanian", "ru": "Russian",
    "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish", "sw": "Swahili", "ta": "Tamil", "th": "Thai",
    "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CHOICE_TOKENS = 16
_LISTED = 20  # alternatives to ask for at each token: the most that servers give

_UNSUPPORTED = frozenset({400, 404, 405, 422, 501})
_TOO_LONG = re.compile(
    r"context.?length|context.?(window|size)|too (long|large|many tokens)|maximum.*(length|tokens)", re.I
)

_DRESSING = " \t\n\r▁Ġ*_`'\"()[]<>{}.,:;#"  # what models put around a letter, and tokenizers before it
_NAMED = re.compile(
    r"\W*(?:(?i:(?:the )?(?:(?:correct|right|best) )?(?:answer|option|choice)(?: is)?)\W*\b([A-Z])\b"
    r"|([A-Za-z])[ \t]*(?:$|[^\w\s]|\n))"
)
_GARBLED = re.compile(r"\ufffd|^bytes:|<0x[0-9A-F]{2}>")
"""How a token that is part of a character shows."""

Job = TypeVar("Job")


@dataclass(eq=False)
class ApiModel:
    """A model behind a web service. What the service can do is found out with the first question."""

    client: Client
    name: str
    logprobs: str = "auto"
    max_tokens: int | None = None
    before: str = ""
    _echoes: bool = False
    _letters: bool | None = None

    def __post_init__(self) -> None:
        if self.logprobs != "auto":
            self._letters = self.logprobs == "yes"

    def identity(self) -> Identity:
        """The address, the name and the prompts; what the server runs under that name it does not tell."""
        settings = {"url": self.client.terms.url, "model": self.name, "prompts": PROMPTS, "logprobs": self.logprobs}
        if self.max_tokens:
            settings["max_tokens"] = str(self.max_tokens)
        if self.before:
            settings["before"] = self.before
        return Identity(hashlib.sha256(msgspec.json.encode(settings, order="sorted")).hexdigest(), settings)

    def translate(self, sources: Sequence[TranslateDoc]) -> Iterator[tuple[int, str]]:
        """Translations of whole documents, each in one line."""
        cut = 0
        for number, (text, whole) in self.client.each(sources, self._translate):
            cut += not whole
            yield number, text
        if cut:
            self.client.say(f"api: {cut} of {len(sources)} translations reached max_tokens and end there")

    def choose(self, questions: Sequence[ChooseOption]) -> Answers:
        """Asks with the options as given and reversed: the mean of votes or of log-probabilities for each option."""
        return self._each(questions, self._choose, lambda: self._letters is not None)

    def score_texts(self, texts: Sequence[ScoreText]) -> Answers:
        """Log-probabilities of the tokens of each text, from servers that give back the prompt with them."""
        return self._each(texts, self._score, lambda: self._echoes)

    def _each(
        self, jobs: Sequence[Job], do: Callable[[Session, Job], TokenScores], known: Callable[[], bool]
    ) -> Answers:
        """One job after the other until it is known what the server can do, then all at once."""

        def done(session: Session, job: Job) -> TokenScores:
            try:
                return do(session, job)
            except ApiError as error:
                if not _is_too_long(error):
                    raise
                return TokenScores(refused=f"too long: {error.problem}")

        first = 0
        while first < len(jobs) and not known():
            yield from ((first, answer) for _, answer in self.client.each(jobs[first : first + 1], done))
            first += 1
        yield from ((first + number, answer) for number, answer in self.client.each(jobs[first:], done))

    def _translate(self, session: Session, source: TranslateDoc) -> tuple[str, bool]:
        text = " ".join(source.sentences)
        if not text.strip():
            return "", True
        names = {"source": language_name(source.source_lang), "target": language_name(source.target_lang)}
        body = self._chat(_TRANSLATE.format(**names), text, 64 + 2 * len(text))
        reply = session.post("chat/completions", body, client.chat)
        return " ".join(reply.text.split()), reply.finish != "length"

    def _choose(self, session: Session, question: ChooseOption) -> TokenScores:
        if not 1 <= len(question.options) <= len(_LETTERS):
            return TokenScores(refused=f"{len(question.options)} options, one letter each allows {len(_LETTERS)}")
        order = range(len(question.options))
        ballots = [self._ballot(session, question, asked) for asked in (order, order[::-1])]
        valid = [ballot for ballot in ballots if ballot is not None]
        if not valid:
            return TokenScores(refused="no answer names an option, in either order")
        # An answer that cannot be read is a vote for nobody, but it says nothing about probabilities.
        voters = len(valid) if self._letters else len(ballots)
        return TokenScores(tuple(math.fsum(column) / voters for column in zip(*valid, strict=True)))

    def _ballot(self, session: Session, question: ChooseOption, order: Sequence[int]) -> list[float] | None:
        """What one answer gives to each option; nothing where it names none."""
        names = _LETTERS[: len(order)]
        lines = [f"{name}. {question.options[option]}" for name, option in zip(names, order, strict=True)]
        asked = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names
        user = _QUESTION.format(text=question.text, options="\n".join(lines), letters=asked)
        reply = self._answer(session, self._chat(_CHOOSE, user, _CHOICE_TOKENS))
        by_letter: dict[str, float] | None
        if self._letters:
            by_letter = _letters(reply, names)
        else:
            voted = _letter(reply.text, [(name, question.options[o]) for name, o in zip(names, order, strict=True)])
            by_letter = {name: float(name == voted) for name in names} if voted else None
        if by_letter is None:
            return None
        return [by_letter[names[order.index(option)]] for option in range(len(order))]

    def _answer(self, session: Session, body: Body) -> Chat:
        """The reply, with log-probabilities where they are wanted; the first reply decides whether they can be had."""
        if self._letters is False:
            return session.post("chat/completions", body, client.chat)
        asked = {**body, "logprobs": True, "top_logprobs": _LISTED}
        why = "the answer has none"
        try:
            reply = session.post("chat/completions", asked, client.chat)
            if reply.tokens:
                self._letters = True
                return reply
        except ApiError as error:
            if error.status not in _UNSUPPORTED or error.status == 404 or _is_too_long(error) or self._letters:
                raise
            reply, why = None, error.problem
        if self._letters:
            problem = f"gives no log-probabilities of answers ({why})"
            raise ApiError(problem, "leave logprobs=yes out, votes are counted then", file=self.client.terms.url)
        reply = reply or session.post("chat/completions", body, client.chat)
        self._letters = False
        self.client.say("api: the server gives no log-probabilities of answers; votes are counted")
        return reply

    def _score(self, session: Session, text: ScoreText) -> TokenScores:
        prompt, start = self.before + text.text, len(self.before) + text.start
        if start >= len(prompt):
            return TokenScores(refused="no token to score")
        # One new token is asked for, and ignored, since not every server allows none.
        body = {"model": self.name, "prompt": prompt, "echo": True, "logprobs": 1, "max_tokens": 1, "temperature": 0}
        try:
            found = session.post("completions", body, lambda content: _scored(prompt, start, content))
        except ApiError as error:
            if self._echoes or error.status not in _UNSUPPORTED or _is_too_long(error):
                raise
            raise _no_echo(error.problem).at(self.client.terms.url) from None
        self._echoes = True
        return found

    def _chat(self, system: str, user: str, most: int) -> Body:
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        return {"model": self.name, "messages": messages, "temperature": 0, "max_tokens": self.max_tokens or most}


def open_api(spec: ModelSpec, *, say: Say = client.to_stderr, patience: Patience | None = None) -> ApiModel:
    """`api:URL,model=NAME` with options parallel, rate, budget, timeout, key, logprobs, max_tokens and before."""
    spec.only("model", "parallel", "rate", "budget", "timeout", "key", "logprobs", "max_tokens", "before")
    if not spec.options.get("model"):
        raise UsageError(f"'{spec.text}' names no model", "add model=NAME, as the server calls it")
    key_name, key = _key(spec)
    terms = Terms(
        url=_address(spec.name),
        key=key,
        key_name=key_name,
        parallel=spec.number("parallel", 8),
        rate=_positive(spec, "rate"),
        budget=spec.number("budget", 1) if "budget" in spec.options else None,
        timeout=_positive(spec, "timeout") or 120.0,
        patience=patience or Patience(),
    )
    return ApiModel(
        Client(terms, say),
        spec.options["model"],
        logprobs=spec.option("logprobs", ("yes", "no", "auto"), "auto"),
        max_tokens=spec.number("max_tokens", 1) if "max_tokens" in spec.options else None,
        before=spec.options.get("before", ""),
    )


def language_name(code: str) -> str:
    """A language's English name; a region stays beside it."""
    base, _, region = code.replace("_", "-").partition("-")
    name = _LANGUAGES.get(base.lower(), f"the language with the code '{base}'")
    return f"{name} ({region})" if region else name


def _address(text: str) -> str:
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    # The address is kept in run folders, so nothing secret may be in it; the text may hold what it must not show.
    if usable and (parts.username or parts.password or parts.query or parts.fragment):
        raise UsageError("the address of 'api:' has a user name, a query or a fragment", "give a key by key=VARIABLE")
    if not usable:
        raise UsageError(f"'{text}' is not the address of a server", "write api:http://HOST:PORT/v1,model=NAME")
    return text.rstrip("/")


def _key(spec: ModelSpec) -> tuple[str, str]:
    """The name of the variable and the key in it; neither is repeated where it is wrong, since it may be the key."""
    name = spec.options.get("key", "REFEREE_API_KEY")
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise UsageError("key= is not the name of an environment variable", "put the key into one and give its name")
    key = os.environ.get(name, "").strip()
    if not key and "key" in spec.options:
        raise MissingError("the environment variable that key= names is not set", "set it to the key of the server")
    if not key.isascii() or not key.isprintable():
        raise UsageError(f"the key in {name} has characters that no key has", "set it anew")
    return name, key


def _positive(spec: ModelSpec, key: str) -> float | None:
    """One option that is a positive number."""
    text = spec.options.get(key)
    if text is None:
        return None
    if not re.fullmatch(r"\d+(\.\d+)?|\.\d+", text, re.ASCII) or not 0 < float(text) < math.inf:
        raise UsageError(f"'{key}={text}' in '{spec.text}' is not possible", "give a positive number")
    return float(text)


def _is_too_long(error: ApiError) -> bool:
    return error.status in (400, 413, 422) and bool(_TOO_LONG.search(error.problem))


def _no_echo(why: str) -> ApiError:
    problem = f"does not give the log-probabilities of a text that it is sent ({why})"
    return ApiError(problem, "use a server that does, such as vLLM, or load the model by causal:")


def _letter(text: str, options: Sequence[tuple[str, str]]) -> str | None:
    """The letter that an answer names, by itself or by repeating the words of its option."""
    if found := _NAMED.match(text):
        named = (found[1] or found[2]).upper()
        return named if named in {name for name, _ in options} else None
    said = text.strip(_DRESSING).casefold()
    same = [name for name, option in options if said and option.strip(_DRESSING).casefold() == said]
    return same[0] if len(same) == 1 else None


def _letters(reply: Chat, names: str) -> dict[str, float] | None:
    """The log-probability of each letter where the answer names one; nothing where it could not have.

    A letter beyond those that the server lists is at most as probable as the last of them.
    """
    named = [token for token in reply.tokens if token.token.strip(_DRESSING) in set(names)]
    for token in (*named[:1], *reply.tokens[:1]):
        listed = token.top_logprobs or [client.ChatToken(token.token, token.logprob)]
        found: dict[str, list[float]] = {}
        for top in listed:
            if (bare := top.token.strip(_DRESSING)) in set(names):
                found.setdefault(bare, []).append(top.logprob)
        if found:
            least = min(top.logprob for top in listed)
            return {name: _logsumexp(found[name]) if name in found else least for name in names}
    return None


def _logsumexp(values: Sequence[float]) -> float:
    highest = max(values)
    return highest + math.log(math.fsum(math.exp(value - highest) for value in values))


def _scored(prompt: str, start: int, content: bytes) -> TokenScores:
    """The log-probabilities of the prompt's tokens that reach beyond `start`; one that spans it counts."""
    choice = client.completion(content)
    told = choice.logprobs
    if told is None:
        raise _no_echo("the answer has none")
    if not choice.text.lstrip().startswith(prompt.strip()) or len(told.tokens) != len(told.token_logprobs):
        raise _no_echo("it does not give back the text")
    ends = _by_offsets(prompt, told) or _by_walking(prompt, told.tokens)
    if ends is None:
        return TokenScores(refused="the server's tokens cannot be found in the text")
    values = []
    for end, before, value in zip(ends, [0, *ends], told.token_logprobs, strict=False):
        if end > start and value is None and before == 0:
            problem = "does not give the log-probability of the first token of a text"
            raise ApiError(problem, "put a start token there by before=TEXT, such as before=<|endoftext|>")
        if end > start and value is None:
            return TokenScores(refused="the server leaves out the log-probability of a token")
        if end > start and value is not None:
            values.append(value)
    return TokenScores(tuple(values)) if values else TokenScores(refused="no token to score")


def _by_offsets(prompt: str, told: Logprobs) -> list[int] | None:
    """Where the prompt's tokens end, if the server's offsets are right; several servers get them wrong."""
    tokens, offsets = told.tokens, told.text_offset
    if not offsets or len(offsets) != len(tokens):
        return None
    started = len(tokens) > 1 and not (tokens[0] and _fits(prompt, tokens[0], 0))
    if started:
        # A start token is no part of the text, but some servers count its name as if it were.
        tokens, offsets = tokens[1:], [offset - offsets[1] for offset in offsets[1:]]
    within = [offset for offset in offsets if offset < len(prompt)]
    fitting = all(_fits(prompt, token, offset) for token, offset in zip(tokens, within, strict=False))
    # Where the last token ends tells whether parts of characters, which cannot be checked, moved the rest.
    last = prompt.endswith(tokens[len(within) - 1].lstrip()) if within else False
    if offsets[0] != 0 or offsets != sorted(offsets) or not (fitting and last):
        return None
    # Tokens that are parts of one character have one offset, and end where it ends.
    ends = [next((later for later in within if later > offset), len(prompt)) for offset in within]
    return [0] * started + ends


def _fits(prompt: str, token: str, offset: int) -> bool:
    if _GARBLED.search(token):
        return True
    # The first token may have a space that was not in the text.
    return prompt.startswith(token if offset else token.lstrip(), offset)


def _by_walking(prompt: str, tokens: Sequence[str]) -> list[int] | None:
    """Where the prompt's tokens end, found by looking for one after the other.

    Spaces at the start of a token may be missing or added. Parts of characters cannot be found: they take what lies
    before the next token that can.
    """
    ends: list[int] = []
    here = garbled = slack = 0
    for number, token in enumerate(tokens):
        if here >= len(prompt.rstrip()) and not garbled:
            break
        if _GARBLED.search(token):
            garbled, slack = garbled + 1, slack + len(token)
            continue
        places = range(here + 1, here + slack + 1) if garbled else (here,)
        found = next(((place, end) for place in places if (end := _end(prompt, token, place)) is not None), None)
        if found is None:
            if number > 0:
                return None
            found = (0, 0)  # a start token
        ends += [found[0]] * garbled + [found[1]]
        here, garbled, slack = found[1], 0, 0
    return ends if ends and here >= len(prompt.rstrip()) and not garbled else None


def _end(prompt: str, token: str, place: int) -> int | None:
    """Where a token ends that begins here, give or take spaces."""
    token = token.replace("▁", " ")
    if prompt.startswith(token, place):
        return place + len(token)
    bare = token.lstrip()
    place += len(prompt[place:]) - len(prompt[place:].lstrip())
    return place + len(bare) if prompt.startswith(bare, place) else None
