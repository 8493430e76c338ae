"""Single changes to a module's syntax tree, for `mutants.py`.

A mutant is named by its node (the position in `ast.walk`) and the number of the change at that node, so that it can be
applied again to a fresh parse. Docstrings, annotations, decorators, options of classes (`frozen=True`), errors that are
raised, f-strings and `__repr__` are left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COMPARED: dict[type[ast.cmpop], list[type[ast.cmpop]]] = {
    ast.Lt: [ast.LtE, ast.GtE],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.LtE],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
}
EXCHANGED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
OPPOSITES = {"min": "max", "any": "all", "minimum": "maximum", "argmin": "argmax"}
OPPOSITES |= {opposite: name for name, opposite in OPPOSITES.items()}
DEFAULTS = {"list": "[]", "dict": "{}", "tuple": "()", "set": "set()", "str": "''", "int": "0", "float": "0.0"}
UNTOUCHED = ("annotation", "returns", "decorator_list")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Mutant:
    """One change: where it is, and what it reads like before and after."""

    path: Path
    node: int
    variant: int
    line: int
    lines: tuple[int, int]
    """The lines of the statement (of a compound one, its header), to look up the tests that run it."""
    function: str
    """The qualified name of the innermost function; empty for code that runs when the module is imported."""
    change: str


def mutants(path: Path) -> list[Mutant]:
    """Every mutant of a module, in the order of its lines."""
    tree = _parsed(path)
    scopes = dict(_scopes(tree, "", ""))
    statements = _statements(tree)
    candidates = []
    for index, node in enumerate(ast.walk(tree)):
        if node not in scopes:
            continue
        for variant, replacement in enumerate(_replacements(node)):
            change = _change(node, replacement)
            place = _located(node).lineno, _lines(statements[node])
            candidates.append(Mutant(path, index, variant, *place, scopes[node], change))
    return sorted(candidates, key=lambda mutant: (mutant.line, mutant.node, mutant.variant))


def mutated(mutant: Mutant) -> ast.Module:
    """The tree of the module with the change made."""
    tree = _parsed(mutant.path)
    target = list(ast.walk(tree))[mutant.node]
    replacement = list(_replacements(target))[mutant.variant]
    for inner in ast.walk(replacement):
        if "lineno" in inner._attributes and not hasattr(inner, "lineno"):
            ast.copy_location(inner, _located(target))
    return ast.fix_missing_locations(_Swap(target, replacement).visit(tree))


def _parsed(path: Path) -> ast.Module:
    """The tree, with notes on its nodes: what a `return` may give instead, and which strings are compared or keys."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(returns=returns) if returns is not None:
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Return):
                        inner.default = _default(returns)  # type: ignore[attr-defined]
            case ast.Compare() | ast.Dict() | ast.Subscript() | ast.MatchValue():
                for child in [*getattr(node, "comparators", []), *getattr(node, "keys", []), *_only(node)]:
                    if isinstance(child, ast.Constant):
                        child.matters = True  # type: ignore[attr-defined]
    return tree


def _only(node: ast.AST) -> list[ast.AST | None]:
    return [getattr(node, name, None) for name in ("left", "slice", "value")]


def _default(returns: ast.expr) -> str:
    match returns:
        case ast.Subscript(ast.Name(name)) | ast.Name(name):
            return DEFAULTS.get(name, name if name == "bool" else "None")
    return "None"


def _statements(tree: ast.Module) -> dict[ast.AST, ast.stmt]:
    """The innermost statement that each node is part of."""
    statements: dict[ast.AST, ast.stmt] = {}
    for outer in ast.walk(tree):  # from the outside in: inner statements overwrite outer ones
        if isinstance(outer, ast.stmt):
            statements |= dict.fromkeys(ast.walk(outer), outer)
    return statements


def _lines(statement: ast.stmt) -> tuple[int, int]:
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
    return statement.lineno, max(statement.lineno, last)


def _located(node: ast.AST) -> ast.expr | ast.stmt:
    return node.target if isinstance(node, ast.comprehension) else node  # type: ignore[return-value]


def _change(node: ast.AST, replacement: ast.AST) -> str:
    match node, replacement:
        case ast.If(test), ast.If(other):
            return (
                f"if {_short(test)}: branches swapped" if test is other else f"if {_short(test)} -> if {_short(other)}"
            )
        case ast.Call(func, keywords=keywords), ast.Call(other, keywords=kept) if func is other:
            dropped = next(keyword for keyword in keywords if keyword not in kept)
            return f"{_short(func)}(...) without {_short(dropped)}"
    return f"{_short(node)} -> {_short(replacement)}"


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 100 else f"{text[:60]} ... {text[-35:]}"


class _Swap(ast.NodeTransformer):
    def __init__(self, target: ast.AST, replacement: ast.AST) -> None:
        self.target, self.replacement = target, replacement

    def visit(self, node: ast.AST) -> ast.AST:
        return self.replacement if node is self.target else self.generic_visit(node)


def _scopes(node: ast.AST, outer: str, function: str) -> Iterator[tuple[ast.AST, str]]:
    """Each node that may be changed, with the function whose body it is in."""
    for name, value in ast.iter_fields(node):
        if name in UNTOUCHED or (isinstance(node, ast.ClassDef) and name != "body"):
            continue
        inner, within = outer, function
        if isinstance(node, Function) and name == "body":
            inner = within = f"{outer}{node.name}"
            inner += ".<locals>."
        elif isinstance(node, ast.ClassDef) and name == "body":
            inner = f"{outer}{node.name}."
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _left_alone(child):
                yield child, within
                yield from _scopes(child, inner, within)


def _left_alone(node: ast.AST) -> bool:
    match node:
        case ast.Expr(ast.Constant()) | ast.Raise() | ast.JoinedStr() | ast.Import() | ast.ImportFrom() | ast.Assert():
            return True
        case ast.FunctionDef(name="__repr__" | "__str__") | ast.keyword("strict"):  # of zip: lengths that agree anyway
            return True
        case ast.If(ast.Name("TYPE_CHECKING")):
            return True
        case ast.Assign([ast.Name(name)], value):
            return name.startswith("__") or (name[0].isupper() and not name.isupper() and _is_type(value))
        case ast.Call(ast.Name(name) | ast.Attribute(attr=name)):
            return name.endswith(("Error", "TypeVar")) or name in ("cast", "overload", "NewType")
    return False


def _is_type(value: ast.expr) -> bool:
    """An alias such as `Flags = NDArray[np.bool_]` or `Kind = Literal["a", "b"]`."""
    match value:
        case ast.Subscript(ast.Name(name) | ast.Attribute(attr=name)):
            return name in ("Literal", "NDArray", "Callable", "Annotated", "Mapping", "Iterable", *DEFAULTS)
        case ast.BinOp(left, ast.BitOr(), right):
            return all(isinstance(side, ast.Name | ast.Subscript | ast.Constant | ast.BinOp) for side in (left, right))
    return False


def _replacements(node: ast.AST) -> Iterator[ast.AST]:
    """Each change at this node; the parts that stay are shared with it."""
    if isinstance(node, ast.expr):
        yield from _expressions(node)
    elif isinstance(node, ast.stmt):
        yield from _changed_statements(node)
    elif isinstance(node, ast.comprehension):
        for kept in range(len(node.ifs)):
            rest = [condition for index, condition in enumerate(node.ifs) if index != kept]
            yield ast.comprehension(node.target, node.iter, rest, node.is_async)


def _changed_statements(node: ast.stmt) -> Iterator[ast.AST]:
    match node:
        case ast.If(test, body, orelse) if orelse and not (len(orelse) == 1 and isinstance(orelse[0], ast.If)):
            yield ast.If(test, orelse, body)
        case ast.If(test, body, orelse):
            yield ast.If(_negated(test), body, orelse)
        case ast.Expr() | ast.AugAssign() | ast.Continue() | ast.Break():
            yield ast.Pass()
        case ast.Assign([ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.Return(value) if value is not None and not isinstance(value, ast.Constant):
            default = getattr(node, "default", "None")
            if default == "bool":
                yield ast.Return(_negated(value))
            elif ast.unparse(value) != default:
                yield ast.Return(ast.parse(default, mode="eval").body)


def _expressions(node: ast.expr) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(left, ops, comparators):
            for index, op in enumerate(ops):
                for other in COMPARED[type(op)]:
                    yield ast.Compare(left, [*ops[:index], other(), *ops[index + 1 :]], comparators)
        case ast.BinOp(left, op, right) if type(op) in EXCHANGED and not (_is_text(left) or _is_text(right)):
            yield ast.BinOp(left, EXCHANGED[type(op)](), right)
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.Constant():
            yield from _constants(node)
        case ast.Slice():
            yield from _bounds(node)
        case ast.Call():
            yield from _calls(node)


def _calls(node: ast.Call) -> Iterator[ast.AST]:
    match node.func:
        case ast.Name(name) if name in OPPOSITES:
            yield ast.Call(ast.Name(OPPOSITES[name], ast.Load()), node.args, node.keywords)
        case ast.Attribute(value, name) if name in OPPOSITES:
            yield ast.Call(ast.Attribute(value, OPPOSITES[name], ast.Load()), node.args, node.keywords)
    for dropped, keyword in enumerate(node.keywords):
        if keyword.arg not in (None, "strict"):
            kept = [other for index, other in enumerate(node.keywords) if index != dropped]
            yield ast.Call(node.func, node.args, kept)


def _constants(node: ast.Constant) -> Iterator[ast.AST]:
    match node.value:
        case bool(value):
            yield ast.Constant(not value)
        case int(value):
            yield ast.Constant(1 if value == 0 else value + 1)
            if value == 1:
                yield ast.Constant(0)
        case float(value):
            yield ast.Constant(value + 1.0)
        case str(value) if getattr(node, "matters", False):
            yield ast.Constant(f"{value}X")


def _bounds(node: ast.Slice) -> Iterator[ast.AST]:
    if node.lower is not None:
        yield ast.Slice(None, node.upper, node.step)
    if node.upper is not None:
        yield ast.Slice(node.lower, None, node.step)


def _negated(test: ast.expr) -> ast.expr:
    return (
        test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else ast.UnaryOp(ast.Not(), test)
    )


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
