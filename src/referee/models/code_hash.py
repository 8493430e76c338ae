"""The hash of a Python callable: it changes when the code changes, so that no run resumes with another function.

Covered: the bytecode and constants of the function, its defaults, what it closes over, and what it names in its own
module, as far as these are functions or plain data (numbers, texts, paths, and lists, tuples, sets and dictionaries of
them). Of a method or a callable object: the functions of its class and its plain attributes. Of a `functools.partial`:
the function and its arguments.

Not covered: other modules, and objects such as a loaded network, of which only the class is known. A name that holds a
version tells two such models apart. Bytecode belongs to one version of Python.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import PurePath
from types import CodeType, FunctionType, MethodType
from typing import Any

import msgspec

_PLAIN = (bool, int, float, complex, str, type(None), type(...), PurePath)

Described = list[Any]
"""Nested lists of strings, which have one form in JSON."""


def code_sha256(function: Callable[..., object]) -> str:
    """The hash of what a callable does.

    >>> one, other = (lambda text: text.upper()), (lambda text: text.lower())
    >>> code_sha256(one) == code_sha256(lambda text: text.upper()), code_sha256(one) == code_sha256(other)
    (True, False)
    """
    return hashlib.sha256(msgspec.json.encode(_callable(function, frozenset()))).hexdigest()


def _callable(function: object, seen: frozenset[int]) -> Described:
    if isinstance(function, FunctionType):
        return _function(function, seen)
    if isinstance(function, MethodType):
        return ["method", _callable(function.__func__, seen), _object(function.__self__, seen)]
    if isinstance(function, partial):
        return ["partial", _callable(function.func, seen), _value((function.args, function.keywords), seen)]
    if isinstance(function, type) or not hasattr(type(function), "__dict__"):
        return ["class", _name(function)]
    return _object(function, seen)


def _function(function: FunctionType, seen: frozenset[int]) -> Described:
    if id(function) in seen:
        return ["again", function.__qualname__]
    seen |= {id(function)}
    globals_ = {name: function.__globals__[name] for name in _names(function.__code__) & function.__globals__.keys()}
    of_module = {
        name: value
        for name, value in globals_.items()
        if not isinstance(value, FunctionType) or value.__module__ == function.__module__
    }
    return [
        "function",
        _code(function.__code__),
        _value((function.__defaults__, function.__kwdefaults__), seen),
        [_value(cell, seen) for cell in _closure(function)],
        [[name, _value(of_module[name], seen)] for name in sorted(of_module)],
    ]


def _closure(function: FunctionType) -> Iterable[object]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not yet filled
            yield None


def _object(instance: object, seen: frozenset[int]) -> Described:
    """The functions of an object's class, as far as one module holds them, and its plain attributes."""
    if id(instance) in seen:
        return ["again", _name(type(instance))]
    seen |= {id(instance)}
    kind = type(instance)
    classes = [base for base in kind.__mro__ if base.__module__ == kind.__module__]
    methods = {
        name: value
        for base in reversed(classes)
        for name, value in vars(base).items()
        if isinstance(value, FunctionType)
    }
    return [
        "object",
        _name(kind),
        [[name, _function(methods[name], seen)] for name in sorted(methods)],
        _value(getattr(instance, "__dict__", None), seen),
        # A built-in method has no code of its own; its name tells it from the others.
        str(getattr(instance, "__qualname__", "")),
    ]


def _value(value: object, seen: frozenset[int]) -> Described:
    if isinstance(value, _PLAIN):
        return [type(value).__name__, repr(value)]
    if isinstance(value, bytes):
        return ["bytes", value.hex()]
    if isinstance(value, list | tuple):
        return [type(value).__name__, [_value(member, seen) for member in value]]
    if isinstance(value, set | frozenset):
        return [type(value).__name__, _sorted(_value(member, seen) for member in value)]
    if isinstance(value, dict):
        return ["dict", _sorted([_value(key, seen), _value(of_key, seen)] for key, of_key in value.items())]
    if isinstance(value, FunctionType | MethodType | partial):
        return _callable(value, seen)
    return ["of class", _name(value if isinstance(value, type) else type(value))]


def _code(code: CodeType) -> Described:
    constants = [
        _code(member) if isinstance(member, CodeType) else _value(member, frozenset()) for member in code.co_consts
    ]
    return [code.co_code.hex(), code.co_exceptiontable.hex(), list(code.co_names), constants]


def _names(code: CodeType) -> set[str]:
    """The names that code looks up outside itself, functions within it included."""
    inner = [_names(member) for member in code.co_consts if isinstance(member, CodeType)]
    return set(code.co_names).union(*inner)


def _sorted(described: Iterable[Described]) -> Described:
    return sorted(described, key=msgspec.json.encode)


def _name(value: object) -> str:
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__qualname__)}"
