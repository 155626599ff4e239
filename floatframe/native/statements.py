"""Statements of kernels as LLVM code: assignments, loops, branches, returns.

Variables have a kind at every place of a kernel. Where ways meet, a whole number on one of them becomes a floating one
if it is that on the other; a loop whose end changes a kind is translated once more with the kind it ends with.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from floatframe.native.emitter import PARALLEL, number
from floatframe.native.expressions import Expressions, returned
from floatframe.native.kinds import (
    NOTHING,
    TRUTH,
    WHOLE,
    Array,
    KernelError,
    Kind,
    Number,
    Record,
    Tuple,
    Value,
    element,
    split,
    unified,
)

Environment = dict[str, Kind]


@dataclass
class _Loop:
    """A loop on its way: where `continue` and `break` lead, and with which kinds of variables."""

    again: str
    after: str
    wanted: Environment
    grown: Environment = field(default_factory=dict)  # kinds that the start of the loop should have had
    lost: set[str] = field(default_factory=set)  # variables that are different things on different ways
    new: Environment = field(default_factory=dict)  # variables set inside
    mixed: set[str] = field(default_factory=set)  # those of them that have several kinds
    left: bool = False  # whether `break` was met


class Widened(Exception):
    """A function returns a wider kind than was thought."""


class Statements(Expressions):
    """Translates the statements of one function."""

    result: Kind | None = None  # what the function returns
    _loops: Sequence[_Loop] = ()

    def run(self, statements: Sequence[ast.stmt]) -> None:
        """Translate statements until one of them leaves."""
        for statement in statements:
            if self.closed:
                return
            translate: Callable[[Any], None] | None = getattr(self, f"_{type(statement).__name__}", None)
            if translate is None:
                raise KernelError(f"line {statement.lineno}: {type(statement).__name__} is not known in kernels")
            try:
                translate(statement)
            except KernelError as error:
                if str(error).startswith("line "):
                    raise
                raise KernelError(f"line {statement.lineno}: {error}") from None

    # assignments

    def _Expr(self, node: ast.Expr) -> None:  # noqa: N802
        if not isinstance(node.value, ast.Constant):
            self.value(node.value)

    def _Pass(self, node: ast.Pass) -> None:  # noqa: N802
        pass

    def _Assign(self, node: ast.Assign) -> None:  # noqa: N802
        value = self.value(node.value)
        for target in node.targets:
            self._assign(target, value)

    def _assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.write(target.id, value)
        elif isinstance(target, ast.Tuple):
            if not isinstance(value.kind, Tuple) or len(value.kind.kinds) != len(target.elts):
                raise KernelError(f"'{ast.unparse(target)}' needs {len(target.elts)} values")
            for one, own in zip(target.elts, split(value), strict=True):
                self._assign(one, own)
        else:
            self._put(*self._target(target), value)

    def _target(self, target: ast.expr) -> tuple[Kind, tuple[str, ...]]:
        """Kind and place of an element or field."""
        if isinstance(target, ast.Subscript):
            return self.place(self.value(target.value), target.slice)
        if isinstance(target, ast.Attribute):
            owner = self.value(target.value)
            if isinstance(owner.kind, Record):
                return self.field(owner.kind, owner.parts[0], target.attr)
        raise KernelError(f"'{ast.unparse(target)}' cannot be assigned to")

    def _put(self, kind: Kind, place: tuple[str, ...], value: Value) -> None:
        """Store a number, or fill an array with it."""
        if isinstance(kind, Array):
            self._fill(kind, place, value)
        elif isinstance(kind, Number) and isinstance(value.kind, Number) and unified(kind, value.kind) == kind:
            self.store(kind.machine[0], self.converted(value, kind).parts[0], place[0])
        else:
            raise KernelError("a place in memory takes a number of its own kind")

    def _fill(self, kind: Array, place: tuple[str, ...], value: Value) -> None:
        own = element(kind.dtype)
        count = "1"
        for length in self.lengths(Value(kind, place)):
            count = self.whole("mul", count, length)
        filled = self.converted(value, own).parts[0]

        def put() -> None:
            at = self.read("#k").parts[0]
            self.store(own.machine[0], filled, self.moved(place[0], own.machine[0], at))

        self._count_through("#k", number(0), Value(WHOLE, (count,)), 1, put)

    def _AugAssign(self, node: ast.AugAssign) -> None:  # noqa: N802
        if isinstance(node.target, ast.Name):
            self.write(node.target.id, self.combined(node.op, self.value(node.target), self.numeric(node.value)))
            return
        kind, place = self._target(node.target)
        before = self.fetched(kind, place)
        self._put(kind, place, self.combined(node.op, before, self.numeric(node.value)))

    # branches

    def _If(self, node: ast.If) -> None:  # noqa: N802
        condition = self.condition(node.test)
        if condition.known is not None:
            self.run(node.body if condition.known else node.orelse)
            return
        yes, no, end = self.name("yes"), self.name("no"), self.name("end")
        self.branch(condition, yes, no)
        before = dict(self.env)
        self.begin(yes)
        self.run(node.body)
        first, first_closed, cut = self.env, self.closed, len(self.lines)
        self.env, self.closed = before, True
        self.begin(no)
        self.run(node.orelse)
        if first_closed and self.closed:
            return
        second, second_closed = self.env, self.closed
        merged = first if second_closed else second if first_closed else self._merged(first, second)
        if not second_closed:
            self._conform(second, merged)
            self.jump(end)
        if not first_closed:
            self._insert(cut, first, merged, end)
        self.begin(end)
        self.env = merged

    def _insert(self, cut: int, env: Environment, wanted: Environment, label: str) -> None:
        """Go on from code that was left open at a line, with the kinds wanted."""
        rest, self.lines = self.lines[cut:], self.lines[:cut]
        self.closed = False
        self._conform(env, wanted)
        self.jump(label)
        self.lines += rest

    def _merged(self, a: Environment, b: Environment) -> Environment:
        """The variables behind two ways; those set on one of them only, or to different things, are lost."""
        kinds = {name: unified(kind, b[name]) for name, kind in a.items() if name in b}
        return {name: kind for name, kind in kinds.items() if kind is not None}

    def _conform(self, env: Environment, wanted: Environment) -> None:
        """Bring variables to the kinds wanted."""
        self.env = dict(env)
        for name, kind in wanted.items():
            if name in env and env[name] != kind:
                self.write(name, self.converted(self.read(name), kind))

    # loops

    def _For(self, node: ast.For) -> None:  # noqa: N802
        if not (isinstance(node.iter, ast.Call) and ast.unparse(node.iter.func) == "range"):
            raise KernelError("loops run over range(...) only")
        if not isinstance(node.target, ast.Name) or node.orelse:
            raise KernelError("a loop has one variable and no else")
        if self.env.get(node.target.id, WHOLE) != WHOLE:
            raise KernelError(f"'{node.target.id}' counts a loop and was something else before")
        given = [self.converted(self.numeric(one), WHOLE) for one in node.iter.args]
        start, stop, step = [[number(0), *given, number(1)], [*given, number(1)], given][len(given) - 1]
        if not isinstance(step.known, int) or step.known == 0:
            raise KernelError("the step of a range must be known beforehand")
        parallel = self.apart and not any(
            isinstance(part, (ast.For, ast.While)) for line in node.body for part in ast.walk(line)
        )
        self._count_through(node.target.id, start, stop, step.known, lambda: self.run(node.body), parallel)

    def _count_through(
        self, name: str, start: Value, stop: Value, step: int, body: Callable[[], None], parallel: bool = False
    ) -> None:
        counter = self.room("i64")

        def begin() -> None:
            self.do(f"store i64 {start.parts[0]}, ptr {counter}")

        def test(inside: str, after: str) -> None:
            at = self.op(f"load i64, ptr {counter}")
            more = self.op(f"icmp {'slt' if step > 0 else 'sgt'} i64 {at}, {stop.parts[0]}")
            self.branch(Value(TRUTH, (more,)), inside, after)

        def inside() -> None:
            self.write(name, Value(WHOLE, (self.op(f"load i64, ptr {counter}"),)))
            body()

        def advance() -> None:
            at = self.op(f"load i64, ptr {counter}")
            self.do(f"store i64 {self.whole('add', at, str(step))}, ptr {counter}")

        self._loop(begin, test, inside, advance, {name}, note=PARALLEL if parallel else "")

    def _While(self, node: ast.While) -> None:  # noqa: N802
        if node.orelse:
            raise KernelError("a loop has no else")
        endless = isinstance(node.test, ast.Constant) and bool(node.test.value)

        def test(inside: str, after: str) -> None:
            if endless:
                self.jump(inside)
            else:
                self.branch(self.condition(node.test), inside, after)

        self._loop(lambda: None, test, lambda: self.run(node.body), lambda: None, set(), endless)

    def _loop(
        self,
        begin: Callable[[], None],
        test: Callable[[str, str], None],
        inside: Callable[[], None],
        advance: Callable[[], None],
        own: set[str],
        endless: bool = False,
        note: str = "",
    ) -> None:
        """A loop: `begin` once, then `test`, `inside` and `advance` in turns."""
        entered, mark, block, outer = dict(self.env), len(self.lines), self.block, self._loops
        wanted = {name: kind for name, kind in entered.items() if name not in own}
        while True:
            self._conform(entered, wanted)
            self.env = dict(wanted)
            head, body, end = self.name("head"), self.name("body"), self.name("after")
            loop = _Loop(self.name("again"), end, wanted)
            self._loops = (*outer, loop)
            begin()
            self.begin(head)
            test(body, end)
            self.begin(body)
            inside()
            if not self.closed:
                self._leave(loop, loop.again)
            self.begin(loop.again)
            advance()
            self.jump(head, note)
            self._loops = outer
            if not loop.grown and not loop.lost:
                break
            wanted = {name: kind for name, kind in {**wanted, **loop.grown}.items() if name not in loop.lost}
            del self.lines[mark:]
            self.env, self.block, self.closed = dict(entered), block, False
        if endless and not loop.left:
            self.closed = True
            return
        self.begin(end)
        self.env = {**{name: kind for name, kind in loop.new.items() if name not in loop.mixed}, **wanted}

    def _leave(self, loop: _Loop, label: str) -> None:
        """Go to the next turn or the end of a loop with the kinds it began with."""
        for name, kind in self.env.items():
            if name not in loop.wanted:
                if loop.new.setdefault(name, kind) != kind:
                    loop.mixed.add(name)
                continue
            common = unified(kind, loop.wanted[name])
            if common is None:
                loop.lost.add(name)
            elif common != loop.wanted[name]:
                loop.grown[name] = common
        if not loop.grown and not loop.lost:
            kept = self.env
            self._conform(kept, loop.wanted)
        self.jump(label)

    def _Continue(self, node: ast.Continue) -> None:  # noqa: N802
        self._leave(self._loops[-1], self._loops[-1].again)

    def _Break(self, node: ast.Break) -> None:  # noqa: N802
        self._loops[-1].left = True
        self._leave(self._loops[-1], self._loops[-1].after)

    # returns

    def _Return(self, node: ast.Return) -> None:  # noqa: N802
        value = Value(NOTHING, ()) if node.value is None else self.value(node.value)
        if self.result is None:
            self.result = value.kind
        common = unified(self.result, value.kind)
        if common is None:
            raise KernelError("a function returns one kind of thing or another")
        if common != self.result:
            self.result = common
            raise Widened
        value = self.converted(value, common)
        machine = common.machine
        if not machine:
            self.do("ret void")
        elif len(machine) == 1:
            self.do(f"ret {machine[0]} {value.parts[0]}")
        else:
            whole = "poison"
            for k, part in enumerate(value.parts):
                whole = self.op(f"insertvalue {returned(machine)} {whole}, {machine[k]} {part}, {k}")
            self.do(f"ret {returned(machine)} {whole}")
        self.closed = True
