"""Kernels followed step by step with formulas in place of numbers.

Loops and decisions that the tables of a system settle are carried out; where a decision depends on the state both ways
are followed, and what they leave is joined by `select`. So the code that comes out is made by the kernels themselves.
"""

from __future__ import annotations

import ast
import builtins
import math
import operator
from collections.abc import Callable, Sequence
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from floatframe.errors import ModelError
from floatframe.hybrid.export.graph import Graph, Node
from floatframe.hybrid.export.memory import Cells, Memory
from floatframe.hybrid.kernels import expression
from floatframe.native import source

_BINARY: dict[type, tuple[str, Callable[..., Any]]] = {
    ast.Add: ("add", operator.add),
    ast.Sub: ("sub", operator.sub),
    ast.Mult: ("mul", operator.mul),
    ast.Div: ("div", operator.truediv),
    ast.Mod: ("mod", operator.mod),
    ast.FloorDiv: ("", operator.floordiv),
    ast.BitAnd: ("", operator.and_),
    ast.BitOr: ("", operator.or_),
}
_COMPARED: dict[type, tuple[str, Callable[..., Any]]] = {
    ast.Lt: ("lt", operator.lt),
    ast.LtE: ("le", operator.le),
    ast.Gt: ("gt", operator.gt),
    ast.GtE: ("ge", operator.ge),
    ast.Eq: ("eq", operator.eq),
    ast.NotEq: ("ne", operator.ne),
}
_FUNCTIONS: dict[Any, str] = {
    getattr(math, name): name
    for name in (
        *("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"),
        *("exp", "log", "log10", "atan2", "hypot", "copysign"),
    )
}
_FUNCTIONS |= {math.fabs: "abs", abs: "abs", np.floor: "floor", np.ceil: "ceil", round: "rint", min: "min", max: "max"}
_GONE_ON = object()  # a block that came to its end
_NEXT = object()  # the end of a turn of a loop


class _Leave:
    """What a function returns."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Tracer:
    """Runs kernels on values; `call` is where to begin."""

    def __init__(self, graph: Graph, memory: Memory) -> None:
        self.graph, self.memory = graph, memory

    def call(self, function: Any, *arguments: Any) -> Any:
        """What a kernel returns; what it writes is in its arguments afterwards."""
        function = getattr(function, "function", function)
        if function is expression.look_up and isinstance(arguments[1], Node):
            return self.graph.table(arguments[1], int(arguments[0]), int(arguments[2]))
        tree = source(function)
        names = [argument.arg for argument in tree.args.args]
        scope = _Scope(self, function.__globals__, dict(zip(names, arguments, strict=True)))
        return scope.run([*tree.body, ast.Return()]).value


class _Scope:
    """A function under way: its names, and the module that it stands in."""

    def __init__(self, tracer: Tracer, module: dict[str, Any], names: dict[str, Any]) -> None:
        self.tracer, self.module, self.names = tracer, module, names
        self.graph, self.memory = tracer.graph, tracer.memory

    # statements

    def run(self, statements: Sequence[ast.stmt]) -> Any:
        """Run statements; returns how they ended."""
        for k, statement in enumerate(statements):
            if isinstance(statement, ast.If):
                condition = self.value(statement.test)
                rest = statements[k + 1 :]
                if not isinstance(condition, Node):
                    return self.run([*(statement.body if condition else statement.orelse), *rest])
                if _gives_up(statement.body):
                    continue  # a matrix is singular; the code goes on, to numbers that are not finite
                if not any(map(_leaves, (*statement.body, *statement.orelse))):
                    self._both(condition, statement.body, statement.orelse)
                    continue
                return self._both(condition, [*statement.body, *rest], [*statement.orelse, *rest])
            ended = self._one(statement)
            if ended is not _GONE_ON:
                return ended
        return _GONE_ON

    def _both(self, condition: Node, one: Sequence[ast.stmt], other: Sequence[ast.stmt]) -> Any:
        """Follow both ways and join what they leave."""
        before = dict(self.names)
        outcomes, names, left = [], [], []
        for statements in (one, other):
            self.names = dict(before)
            outcome, changes = self.memory.tried(partial(self.run, statements))
            outcomes.append(outcome)
            names.append(self.names)
            left.append(changes)
        self.memory.merge(left[0], left[1], partial(self.joined, condition))
        self.names = {
            name: self.joined(condition, value, names[1][name]) for name, value in names[0].items() if name in names[1]
        }
        first, second = outcomes
        if isinstance(first, _Leave) and isinstance(second, _Leave):
            return _Leave(self.joined(condition, first.value, second.value))
        if {first, second} - {_NEXT, _GONE_ON}:
            raise _untraceable(one[0], "leaves a loop where the state says so")
        return _NEXT if _NEXT in outcomes else _GONE_ON

    def _one(self, statement: ast.stmt) -> Any:
        if isinstance(statement, ast.Expr):
            self.value(statement.value)
        elif isinstance(statement, ast.Assign):
            value = self.value(statement.value)
            for target in statement.targets:
                self._assign(target, value)
        elif isinstance(statement, ast.AugAssign):
            read = ast.copy_location(_loaded(statement.target), statement)
            value = self._binary(statement.op, self.value(read), self.value(statement.value))
            self._assign(statement.target, value)
        elif isinstance(statement, ast.Return):
            return _Leave(None if statement.value is None else self.value(statement.value))
        elif isinstance(statement, ast.For):
            for turn in self.value(statement.iter):
                self._assign(statement.target, turn)
                ended = self.run(statement.body)
                if isinstance(ended, _Leave):
                    return ended
                if isinstance(ended, ast.Break):
                    break
        elif isinstance(statement, ast.While):
            while self._settled(statement.test):
                ended = self.run(statement.body)
                if isinstance(ended, _Leave):
                    return ended
                if isinstance(ended, ast.Break):
                    break
        elif isinstance(statement, ast.Continue):
            return _NEXT
        elif isinstance(statement, ast.Break):
            return statement
        else:
            raise _untraceable(statement, f"has a {type(statement).__name__}")
        return _GONE_ON

    def _settled(self, test: ast.expr) -> bool:
        condition = self.value(test)
        if isinstance(condition, Node):
            raise _untraceable(test, "repeats as often as the state says")
        return bool(condition)

    def _assign(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Name):
            self.names[target.id] = value
        elif isinstance(target, ast.Tuple):
            for one, part in zip(target.elts, value, strict=True):
                self._assign(one, part)
        elif isinstance(target, ast.Attribute):
            self.memory.store(self.value(target.value), target.attr, value)
        elif isinstance(target, ast.Subscript):
            container, key = self.value(target.value), self._key(target.slice)
            keys = key if isinstance(key, tuple) else (key,)
            if any(isinstance(one, slice) for one in keys):
                part = container[key]
                for place in np.ndindex(part.shape):
                    self.memory.store(part, place, value)
            else:
                self.memory.store(container, key, value)
        else:
            raise _untraceable(target, f"assigns to a {type(target).__name__}")

    # expressions

    def value(self, tree: ast.expr) -> Any:
        """The value of an expression."""
        return getattr(self, f"_{type(tree).__name__.lower()}", self._unknown)(tree)

    def _unknown(self, tree: ast.expr) -> Any:
        raise _untraceable(tree, f"has a {type(tree).__name__}")

    def _constant(self, tree: ast.Constant) -> Any:
        return tree.value

    def _name(self, tree: ast.Name) -> Any:
        if tree.id in self.names:
            return self.names[tree.id]
        return self.module[tree.id] if tree.id in self.module else getattr(builtins, tree.id)

    def _tuple(self, tree: ast.Tuple) -> Any:
        return tuple(map(self.value, tree.elts))

    def _attribute(self, tree: ast.Attribute) -> Any:
        thing = self.value(tree.value)
        if isinstance(thing, Cells | ModuleType | tuple):
            return getattr(thing, tree.attr)
        return _plain(thing[tree.attr])  # a record of the tables

    def _subscript(self, tree: ast.Subscript) -> Any:
        return _plain(self.value(tree.value)[self._key(tree.slice)])

    def _key(self, tree: ast.expr) -> Any:
        if isinstance(tree, ast.Slice):
            ends = (None if end is None else self.value(end) for end in (tree.lower, tree.upper, tree.step))
            return slice(*ends)
        if isinstance(tree, ast.Tuple):
            return tuple(map(self._key, tree.elts))
        key = self.value(tree)
        if isinstance(key, Node):
            raise _untraceable(tree, "takes a place that the state says")
        return key

    def _binop(self, tree: ast.BinOp) -> Any:
        return self._binary(tree.op, self.value(tree.left), self.value(tree.right))

    def _binary(self, sign: ast.operator, a: Any, b: Any) -> Any:
        plainly = not isinstance(a, Node) and not isinstance(b, Node)
        if isinstance(sign, ast.Pow):
            return self._known("pow", pow, a, b) if plainly else self.graph.power(a, b)
        name, plain = _BINARY[type(sign)]
        return self._known(name, plain, a, b) if plainly else self.graph(name, a, b)

    def _known(self, name: str, plain: Callable[..., Any], *values: Any) -> Any:
        """The result of known numbers; where Python has none it is infinite or not a number, as in compiled kernels."""
        try:
            result = plain(*values)
        except (ArithmeticError, ValueError):
            return self.graph(name, *values)
        return self.graph(name, *values) if isinstance(result, complex) else result

    def _unaryop(self, tree: ast.UnaryOp) -> Any:
        value = self.value(tree.operand)
        if isinstance(tree.op, ast.USub):
            return self.graph("neg", value) if isinstance(value, Node) else -value
        return self.graph("not", value) if isinstance(value, Node) else not value

    def _boolop(self, tree: ast.BoolOp) -> Any:
        every = isinstance(tree.op, ast.And)
        result: Any = every
        for part in tree.values:
            value = self.value(part)
            if not isinstance(value, Node):
                if bool(value) != every:
                    return not every
            else:
                result = self.graph("and" if every else "or", result, value)
        return result

    def _compare(self, tree: ast.Compare) -> Any:
        left = self.value(tree.left)
        result: Any = True
        for sign, part in zip(tree.ops, tree.comparators, strict=True):
            right = self.value(part)
            if isinstance(sign, ast.In | ast.NotIn):
                now: Any = (left in right) == isinstance(sign, ast.In)
            else:
                now = self._compared(sign, left, right)
            if not isinstance(now, Node) and not now:
                return False
            result = now if result is True else self.graph("and", result, now)
            left = right
        return result

    def _compared(self, sign: ast.cmpop, a: Any, b: Any) -> Any:
        name, plain = _COMPARED[type(sign)]
        if not isinstance(a, Node) and not isinstance(b, Node):
            return plain(a, b)
        if name in ("gt", "ge"):
            return self.graph({"gt": "lt", "ge": "le"}[name], b, a)
        return self.graph(name, a, b)

    def _ifexp(self, tree: ast.IfExp) -> Any:
        condition = self.value(tree.test)
        if not isinstance(condition, Node):
            return self.value(tree.body if condition else tree.orelse)
        return self.joined(condition, self.value(tree.body), self.value(tree.orelse))

    def _call(self, tree: ast.Call) -> Any:
        function, arguments = self.value(tree.func), list(map(self.value, tree.args))
        if hasattr(getattr(function, "function", function), "kernel_options"):
            return self.tracer.call(function, *arguments)
        if not any(isinstance(argument, Node) for argument in arguments):
            name = _FUNCTIONS.get(function)
            return function(*arguments) if name is None else self._known(name, function, *arguments)
        if function not in _FUNCTIONS:
            raise _untraceable(tree, f"calls {getattr(function, '__name__', function)}")
        name, result = _FUNCTIONS[function], arguments[0]
        if len(arguments) == 1:
            return self.graph(name, result)
        for argument in arguments[1:]:
            result = self.graph(name, result, argument)
        return result

    def joined(self, condition: Node, one: Any, other: Any) -> Any:
        """One value where a condition holds, else another."""
        if one is other:
            return one
        if isinstance(one, tuple):
            return tuple(self.joined(condition, a, b) for a, b in zip(one, other, strict=True))
        if not isinstance(one, int | float | Node) or not isinstance(other, int | float | Node):
            return None  # things rather than numbers; nothing after the branches uses them
        return self.graph.select(condition, one, other)


def _loaded(target: ast.expr) -> ast.expr:
    """What an assignment writes to, to be read."""
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Attribute):
        return ast.Attribute(target.value, target.attr, ast.Load())
    if isinstance(target, ast.Subscript):
        return ast.Subscript(target.value, target.slice, ast.Load())
    raise _untraceable(target, f"adds to a {type(target).__name__}")


def _leaves(statement: ast.stmt) -> bool:
    """Whether a statement may end its block."""
    return any(isinstance(part, ast.Return | ast.Break | ast.Continue) for part in ast.walk(statement))


def _gives_up(body: Sequence[ast.stmt]) -> bool:
    """Whether all that a branch does is to say that there is no solution."""
    first = body[0]
    return isinstance(first, ast.Return) and isinstance(first.value, ast.Constant) and first.value.value is False


def _plain(thing: Any) -> Any:
    """A number of NumPy as one of Python."""
    return thing.item() if isinstance(thing, np.generic) and not isinstance(thing, np.void) else thing


def _untraceable(tree: ast.AST, what: str) -> ModelError:
    """For kernels that the exporter should have refused by the name of the element."""
    return ModelError(f"the kernel at line {getattr(tree, 'lineno', 0)} {what}, which cannot be written as formulas")
