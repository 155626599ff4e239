"""One piece of machine code: a kernel with all functions it calls, each translated for the kinds it is called with."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from functools import cache
from itertools import count
from typing import Any, cast

import numpy as np

from floatframe.native.emitter import METADATA, number
from floatframe.native.expressions import returned
from floatframe.native.functions import DECLARATIONS
from floatframe.native.kinds import FLOAT, NOTHING, WHOLE, KernelError, Kind, Made, Tuple, Value, split
from floatframe.native.statements import Statements, Widened


class Unit:
    """A module of LLVM under construction."""

    def __init__(self) -> None:
        self._made: dict[tuple[Any, tuple[Kind, ...]], Made] = {}
        self._tables: dict[int, tuple[str, Any]] = {}
        self._texts: list[str] = []
        self._declared: dict[str, str] = {}
        self._numbers = count()

    def text(self) -> str:
        """The whole module."""
        tables = (f"{name} = private constant {_listed(array)}" for name, array in self._tables.values())
        return "\n".join((DECLARATIONS, *self._declared.values(), *tables, *self._texts, METADATA))

    @property
    def needed(self) -> tuple[str, ...]:
        """The symbols of other pieces of machine code that this one calls."""
        return tuple(self._declared)

    def table(self, array: Any) -> str:
        """The place of an array that is known beforehand."""
        name, _ = self._tables.setdefault(id(array), (f"@table{len(self._tables)}", np.ascontiguousarray(array)))
        return name

    def made(self, thing: Any, kinds: tuple[Kind, ...]) -> Made:
        """A function translated for arguments of some kinds."""
        symbol = getattr(thing, "symbol", None)
        if symbol is not None:  # it is a piece of machine code of its own
            return self._declare(thing, symbol, kinds)
        function = getattr(thing, "function", thing)
        if not hasattr(function, "kernel_options"):
            raise KernelError(f"'{getattr(thing, '__name__', thing)}' is not a kernel")
        key = function, kinds
        if key not in self._made:
            name = f"{function.__name__}.{next(self._numbers)}"  # functions of different modules may share a name
            self._made[key] = self._translate(function, kinds, name, "internal ")
        return self._made[key]

    def _declare(self, thing: Any, symbol: str, kinds: tuple[Kind, ...]) -> Made:
        if kinds != thing.signature:
            raise KernelError(f"'{thing.__name__}' is called with other arguments than its signature has")
        machine = ", ".join(part for kind in kinds for part in kind.machine)
        self._declared[symbol] = f"declare void @{symbol}({machine})"
        return Made(symbol, NOTHING)

    def add_piece(self, function: Callable[..., Any], symbol: str, kinds: tuple[Kind, ...]) -> Kind:
        """A function that other pieces of machine code call by its symbol."""
        return self._translate(function, kinds, symbol, "").result

    def add_entry(self, function: Callable[..., Any], symbol: str, kinds: tuple[Kind, ...]) -> Kind:
        """A function that Python calls: truths as whole numbers, and a place for what it returns."""
        made = self.made(function, kinds)
        parameters: list[str] = []
        arguments: list[str] = []
        lines: list[str] = []
        for kind in kinds:
            for machine in kind.machine:
                name = f"%a{len(parameters)}"
                if machine == "i1":
                    lines.append(f"  {name}t = trunc i64 {name} to i1")
                    arguments.append(f"i1 {name}t")
                    machine = "i64"
                else:
                    arguments.append(f"{machine} {name}")
                parameters.append(f"{machine} {name}")
        returns = made.result.machine
        call = f"call {returned(returns)} @{made.name}({', '.join(arguments)})"
        lines.append(f"  %r = {call}" if returns else f"  {call}")
        for k, own in enumerate(returns):
            part = "%r"
            if len(returns) > 1:
                part = f"%r{k}"
                lines.append(f"  {part} = extractvalue {returned(returns)} %r, {k}")
            if own == "i1":
                lines.append(f"  {part}w = zext i1 {part} to i64")
                own, part = "i64", f"{part}w"
            lines.append(f"  %p{k} = getelementptr i64, ptr %out, i64 {k}")
            lines.append(f"  store {own} {part}, ptr %p{k}")
        head = f"define void @{symbol}({', '.join((*parameters, 'ptr %out'))}) nounwind {{"
        self._texts.append("\n".join((head, *lines, "  ret void", "}")))
        return made.result

    def _translate(self, function: Any, kinds: tuple[Kind, ...], name: str, linkage: str) -> Made:
        tree = source(function)
        names = [argument.arg for argument in tree.args.args]
        if len(names) != len(kinds):
            raise KernelError(f"'{function.__name__}' takes {len(names)} arguments, found {len(kinds)}")
        result: Kind | None = None
        while True:
            body = Statements(self, function.__globals__, function.kernel_options)
            body.result = result
            try:
                parameters = _receive(body, names, kinds)
                body.run(tree.body)
                break
            except Widened:
                result = body.result
            except KernelError as error:
                if " in kernel " in str(error):
                    raise
                raise KernelError(f"{function.__module__}: {error}, in kernel '{function.__name__}'") from None
        if not body.closed:
            if body.result not in (None, NOTHING):
                raise KernelError(f"{function.__module__}: not every way through '{function.__name__}' returns a value")
            body.do("ret void")
        found = body.result or NOTHING
        head = f"define {linkage}{returned(found.machine)} @{name}({', '.join(parameters)}) nounwind {{\nstart:"
        self._texts.append("\n".join((head, *body.allocated, *body.lines, "}")))
        return Made(name, found)


def _receive(body: Statements, names: list[str], kinds: tuple[Kind, ...]) -> list[str]:
    """Make variables of the arguments; returns the parameters."""
    machine = Tuple(kinds).machine
    operands = tuple(f"%p{k}" for k in range(len(machine)))
    for name, value in zip(names, split(Value(Tuple(kinds), operands)), strict=True):
        body.write(name, value)
    return [f"{own} {operand}" for own, operand in zip(machine, operands, strict=True)]


@cache
def source(function: Any) -> ast.FunctionDef:
    """The syntax tree of a function."""
    lines, first = inspect.getsourcelines(function)
    tree = ast.parse(textwrap.dedent("".join(lines)))
    ast.increment_lineno(tree, first - 1)
    return cast(ast.FunctionDef, tree.body[0])


def _listed(array: Any) -> str:
    """An array as a constant."""
    kind = {np.dtype(np.float64): FLOAT, np.dtype(np.int64): WHOLE}[array.dtype]
    items = ", ".join(f"{kind.machine[0]} {number(item).parts[0]}" for item in array.ravel().tolist())
    return f"[{array.size} x {kind.machine[0]}] [{items}]"
