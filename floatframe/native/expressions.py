"""Expressions of kernels as LLVM code."""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, Protocol, cast

import numpy as np

from floatframe.native.emitter import Emitter, number
from floatframe.native.functions import FUNCTIONS, power, remainder, whole_quotient
from floatframe.native.kinds import (
    FLOAT,
    NOTHING,
    TRUTH,
    WHOLE,
    Array,
    Bundle,
    KernelError,
    Kind,
    Made,
    Number,
    Record,
    Static,
    Tuple,
    Value,
    element,
    joined,
    split,
    unified,
)

_ARITHMETIC = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}
_BITS = {ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"}
_KNOWN = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
_KNOWN |= {ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.Pow: operator.pow}
_ORDER = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}


class Surroundings(Protocol):
    """What an expression needs of the module around it."""

    def made(self, thing: Any, kinds: tuple[Kind, ...]) -> Made: ...
    def table(self, array: Any) -> str: ...


class Expressions(Emitter):
    """Translates expressions; variables live on the stack, where the optimiser takes them from."""

    def __init__(self, unit: Surroundings, scope: Mapping[str, Any], fast: tuple[str, ...]) -> None:
        super().__init__(fast)
        self.unit, self.scope = unit, scope
        self.env: dict[str, Kind] = {}  # kinds of the variables, as far as they are set
        self._slots: dict[tuple[str, Kind], list[str]] = {}

    # variables

    def slots(self, name: str, kind: Kind) -> list[str]:
        """The places of a variable of some kind."""
        if (name, kind) not in self._slots:
            self._slots[name, kind] = [self.room(machine) for machine in kind.machine]
        return self._slots[name, kind]

    def read(self, name: str) -> Value:
        kind = self.env[name]
        places = zip(kind.machine, self.slots(name, kind), strict=True)
        return Value(kind, tuple(self.op(f"load {machine}, ptr {place}") for machine, place in places))

    def write(self, name: str, value: Value) -> None:
        self.env[name] = value.kind
        places = self.slots(name, value.kind)
        for machine, part, place in zip(value.kind.machine, value.parts, places, strict=True):
            self.do(f"store {machine} {part}, ptr {place}")

    # expressions

    def value(self, node: ast.expr) -> Value:
        """The value of an expression."""
        translate: Callable[[Any], Value] | None = getattr(self, f"_{type(node).__name__}", None)
        if translate is None:
            raise KernelError(f"{type(node).__name__} is not known in kernels")
        return translate(node)

    def numeric(self, node: ast.expr) -> Value:
        found = self.value(node)
        if not isinstance(found.kind, Number):
            raise KernelError(f"'{ast.unparse(node)}' is not a number")
        return found

    def constant(self, thing: Any) -> Value:
        """Something of Python that is known beforehand."""
        if isinstance(thing, (bool, int, float)):
            return number(thing)
        if isinstance(thing, (np.floating, np.integer)):
            return number(thing.item())
        if isinstance(thing, tuple):
            return joined([self.constant(part) for part in thing])
        if isinstance(thing, np.ndarray):
            return Value(Array(thing.dtype, thing.shape), (self.unit.table(thing),))
        return Value(Static(thing), (), thing)

    def _Constant(self, node: ast.Constant) -> Value:  # noqa: N802
        return self.constant(node.value)

    def _Name(self, node: ast.Name) -> Value:  # noqa: N802
        if node.id in self.env:
            return self.read(node.id)
        if node.id in self.scope:
            return self.constant(self.scope[node.id])
        if hasattr(builtins, node.id):
            return self.constant(getattr(builtins, node.id))
        raise KernelError(f"'{node.id}' is not set on every way that leads here")

    def _Tuple(self, node: ast.Tuple) -> Value:  # noqa: N802
        return joined([self.value(part) for part in node.elts])

    def _Attribute(self, node: ast.Attribute) -> Value:  # noqa: N802
        owner = self.value(node.value)
        if isinstance(owner.kind, Static) and isinstance(owner.kind.thing, ModuleType):
            return self.constant(getattr(owner.kind.thing, node.attr))
        if isinstance(owner.kind, Bundle):
            found = self.member(owner.kind, owner.parts[0], node.attr)
            if found is not None:
                return found
        if isinstance(owner.kind, Array) and node.attr == "shape":
            return joined([Value(WHOLE, (length,)) for length in self.lengths(owner)])
        if isinstance(owner.kind, Record):
            return self.fetched(*self.field(owner.kind, owner.parts[0], node.attr))
        raise KernelError(f"'{ast.unparse(node.value)}' has no '{node.attr}'")

    def field(self, kind: Record, place: str, name: str) -> tuple[Kind, tuple[str, ...]]:
        """Kind and place of a field of a record at a place."""
        fields: Mapping[str, Any] = kind.dtype.fields or {}
        if name not in fields:
            raise KernelError(f"a record has no field '{name}', only {', '.join(fields)}")
        dtype, offset = fields[name][:2]
        return element(dtype), (self.moved(place, "i8", str(offset)),)

    def _Subscript(self, node: ast.Subscript) -> Value:  # noqa: N802
        owner = self.value(node.value)
        if isinstance(owner.kind, Tuple):
            return self._picked(owner, self.value(node.slice))
        return self.fetched(*self.place(owner, node.slice))

    def _picked(self, owner: Value, index: Value) -> Value:
        """One of the values of a tuple."""
        values = split(owner)
        if index.known is not None:
            if not (isinstance(index.known, int) and -len(values) <= index.known < len(values)):
                raise KernelError(f"a tuple of {len(values)} has no element {index.known}")
            return values[index.known]
        found = values[-1]
        for k in range(len(values) - 2, -1, -1):
            here = self.op(f"icmp eq i64 {index.parts[0]}, {k}")
            kind = unified(values[k].kind, found.kind)
            if kind is None:
                raise KernelError("a tuple of different things is indexed by a variable")
            parts = zip(
                kind.machine, self.converted(values[k], kind).parts, self.converted(found, kind).parts, strict=True
            )
            found = Value(kind, tuple(self.op(f"select i1 {here}, {m} {a}, {m} {b}") for m, a, b in parts))
        return found

    def place(self, owner: Value, index: ast.expr) -> tuple[Kind, tuple[str, ...]]:
        """Kind and place of an element of an array, or of a part of it with its lengths.

        A part has fewer indices than the array, or ends in a range.
        """
        if not isinstance(owner.kind, Array):
            raise KernelError(f"'{ast.unparse(index)}' is asked of something that is not an array")
        given = list(index.elts) if isinstance(index, ast.Tuple) else [index]
        lengths, shape = self.lengths(owner), owner.kind.shape
        if len(given) > len(shape):
            raise KernelError(f"an array of {len(shape)} dimensions has no element [{ast.unparse(index)}]")
        while given and isinstance(given[-1], ast.Slice) and given[-1].lower is None and given[-1].upper is None:
            given.pop()
        cut = cast(ast.Slice, given.pop()) if given and isinstance(given[-1], ast.Slice) else None
        offset = "0"
        for k, length in enumerate(lengths):
            offset = self.whole("mul", offset, length)
            if k < len(given):
                at = self._whole(given[k])
                self.require_inside(at, length)
                offset = self.whole("add", offset, at)
        if cut is not None:
            if len(given) != len(shape) - 1 or cut.step is not None:
                raise KernelError("only the last index can be a range, without a step")
            first = self._whole(cut.lower)
            last = lengths[-1] if cut.upper is None else self._whole(cut.upper)
            self.require_inside(first, self.whole("add", lengths[-1], "1"))
            self.require_inside(last, self.whole("add", lengths[-1], "1"))
            rest = self.whole("sub", last, first)
            at = self._element(owner.kind.dtype, owner.parts[0], self.whole("add", offset, first))
            return Array(owner.kind.dtype, (None,)), (at, rest)
        at = self._element(owner.kind.dtype, owner.parts[0], offset)
        if len(given) == len(shape):
            return element(owner.kind.dtype), (at,)
        left = zip(lengths[len(given) :], shape[len(given) :], strict=True)
        return Array(owner.kind.dtype, shape[len(given) :]), (at, *(n for n, known in left if known is None))

    def _element(self, dtype: np.dtype[Any], place: str, offset: str) -> str:
        if dtype.names:
            return self.moved(place, "i8", self.whole("mul", offset, str(dtype.itemsize)))
        return self.moved(place, element(dtype).machine[0], offset)

    def _whole(self, node: ast.expr | None) -> str:
        found = number(0) if node is None else self.numeric(node)
        if found.kind == FLOAT:
            raise KernelError(f"the index '{ast.unparse(node)}' is not a whole number" if node else "no index")
        if isinstance(found.known, int) and found.known < 0:
            raise KernelError(f"the index {found.known} is negative, which kernels do not count from the end")
        return self.converted(found, WHOLE).parts[0]

    def _BinOp(self, node: ast.BinOp) -> Value:  # noqa: N802
        return self.combined(node.op, self.numeric(node.left), self.numeric(node.right))

    def combined(self, op: ast.operator, a: Value, b: Value) -> Value:
        """The result of an operation on two numbers."""
        what = type(op)
        if a.known is not None and b.known is not None and what in _KNOWN and (what is not ast.Div or b.known):
            return number(_KNOWN[what](a.known, b.known))
        if what is ast.Pow:
            return power(self, a, b)
        if what in _BITS:
            kind = TRUTH if a.kind == b.kind == TRUTH else WHOLE
            x, y = self.converted(a, kind).parts[0], self.converted(b, kind).parts[0]
            return Value(kind, (self.op(f"{_BITS[what]} {kind.machine[0]} {x}, {y}"),))
        kind = FLOAT if what is ast.Div or FLOAT in (a.kind, b.kind) else WHOLE
        x, y = self.converted(a, kind).parts[0], self.converted(b, kind).parts[0]
        if what in _ARITHMETIC:
            if kind == WHOLE:
                return Value(WHOLE, (self.whole(_ARITHMETIC[what], x, y),))
            return self.floating(f"f{_ARITHMETIC[what]}", x, y)
        if what is ast.Div:
            return self.floating("fdiv", x, y)
        if what is ast.Mod:
            return remainder(self, kind, x, y)
        if what is ast.FloorDiv and kind == WHOLE:
            return whole_quotient(self, x, y)
        raise KernelError(f"{what.__name__} of such numbers is not known in kernels")

    def _UnaryOp(self, node: ast.UnaryOp) -> Value:  # noqa: N802
        if isinstance(node.op, ast.Not):
            return Value(TRUTH, (self.op(f"xor i1 {self.truth(self.condition(node.operand))}, true"),))
        if not isinstance(node.op, ast.USub):
            raise KernelError(f"{type(node.op).__name__} is not known in kernels")
        found = self.numeric(node.operand)
        if found.known is not None:
            return number(-found.known)
        if found.kind == FLOAT:
            return self.negative(found.parts[0])
        return Value(WHOLE, (self.whole("sub", "0", self.converted(found, WHOLE).parts[0]),))

    def _Compare(self, node: ast.Compare) -> Value:  # noqa: N802
        left, result = self.value(node.left), ""
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.value(right_node)
            if isinstance(op, (ast.In, ast.NotIn)):
                one = "false"
                for member in split(right):
                    one = self.op(f"or i1 {one}, {self._ordered('eq', left, member)}")
                if isinstance(op, ast.NotIn):
                    one = self.op(f"xor i1 {one}, true")
            elif type(op) in _ORDER:
                one = self._ordered(_ORDER[type(op)], left, right)
            else:
                raise KernelError(f"{type(op).__name__} is not known in kernels")
            result = one if not result else self.op(f"and i1 {result}, {one}")
            left = right
        return Value(TRUTH, (result,))

    def _ordered(self, how: str, a: Value, b: Value) -> str:
        if FLOAT in (a.kind, b.kind):
            x, y = self.converted(a, FLOAT).parts[0], self.converted(b, FLOAT).parts[0]
            return self.op(f"fcmp {'u' if how == 'ne' else 'o'}{how} double {x}, {y}")
        x, y = self.converted(a, WHOLE).parts[0], self.converted(b, WHOLE).parts[0]
        sign = "" if how in ("eq", "ne") else "s"
        return self.op(f"icmp {sign}{how} i64 {x}, {y}")

    def condition(self, node: ast.expr) -> Value:
        """An expression of which only the truth is wanted."""
        return self._joined(node, self.condition) if isinstance(node, ast.BoolOp) else self.numeric(node)

    def _BoolOp(self, node: ast.BoolOp) -> Value:  # noqa: N802
        return self._joined(node, self._true_or_false)

    def _true_or_false(self, node: ast.expr) -> Value:
        found = self.numeric(node)
        if found.kind != TRUTH:
            raise KernelError(f"'{ast.unparse(node)}' beside and, or is a number; only conditions may be one")
        return found

    def _joined(self, node: ast.BoolOp, read: Callable[[ast.expr], Value]) -> Value:
        """Later conditions are looked at only if the earlier ones leave it open."""
        wanted = isinstance(node.op, ast.And)
        end, ways = self.name("known"), []
        for k, part in enumerate(node.values):
            found = self.truth(read(part))
            ways.append((found, self.block))
            if k < len(node.values) - 1:
                more = self.name("more")
                yes, no = (more, end) if wanted else (end, more)
                self.do(f"br i1 {found}, label %{yes}, label %{no}")
                self.closed = True
                self.begin(more)
        self.begin(end)
        early = "false" if wanted else "true"
        pairs = [(early, block) for _, block in ways[:-1]] + [ways[-1]]
        return Value(TRUTH, (self.op("phi i1 " + ", ".join(f"[{v}, %{block}]" for v, block in pairs)),))

    def _IfExp(self, node: ast.IfExp) -> Value:  # noqa: N802
        yes, no, end = self.name("yes"), self.name("no"), self.name("end")
        self.branch(self.condition(node.test), yes, no)
        self.begin(yes)
        first, tail_at = self.value(node.body), len(self.lines)
        first_block = self.block
        self.closed = True
        self.begin(no)
        second = self.value(node.orelse)
        kind = unified(first.kind, second.kind)
        if kind is None:
            raise KernelError(f"'{ast.unparse(node)}' is one kind of thing or another")
        second = self.converted(second, kind)
        second_block = self.block
        self.jump(end)
        # the first way is ended now that its kind is known
        rest, self.lines = self.lines[tail_at:], self.lines[:tail_at]
        first = self.converted(first, kind)
        self.do(f"br label %{end}")
        self.lines += rest
        self.begin(end)
        parts = zip(kind.machine, first.parts, second.parts, strict=True)
        phis = [self.op(f"phi {m} [{a}, %{first_block}], [{b}, %{second_block}]") for m, a, b in parts]
        return Value(kind, tuple(phis))

    def fitted(self, value: Value, kind: Kind) -> Value:
        """A value as an argument of some kind."""
        if unified(value.kind, kind) != kind:
            raise KernelError(f"found an argument {value.kind}, expected {kind}")
        return self.converted(value, kind)

    def _Call(self, node: ast.Call) -> Value:  # noqa: N802
        called = self.value(node.func)
        if node.keywords or not isinstance(called.kind, Static):
            raise KernelError(f"'{ast.unparse(node)}' cannot be called in kernels")
        arguments = [self.value(argument) for argument in node.args]
        thing = called.kind.thing
        if thing in FUNCTIONS:
            return FUNCTIONS[thing](self, arguments)
        if hasattr(thing, "symbol"):
            arguments = [self.fitted(one, kind) for one, kind in zip(arguments, thing.signature, strict=True)]
        made = self.unit.made(thing, tuple(argument.kind for argument in arguments))
        listed = ", ".join(
            f"{machine} {part}"
            for argument in arguments
            for machine, part in zip(argument.kind.machine, argument.parts, strict=True)
        )
        machine = made.result.machine
        if not machine:
            self.do(f"call void @{made.name}({listed})")
            return Value(NOTHING, ())
        result = self.op(f"call {returned(machine)} @{made.name}({listed})")
        if len(machine) == 1:
            return Value(made.result, (result,))
        parts = [self.op(f"extractvalue {returned(machine)} {result}, {k}") for k in range(len(machine))]
        return Value(made.result, tuple(parts))


def returned(machine: tuple[str, ...]) -> str:
    """The LLVM type of what a function returns."""
    if not machine:
        return "void"
    return machine[0] if len(machine) == 1 else "{" + ", ".join(machine) + "}"
