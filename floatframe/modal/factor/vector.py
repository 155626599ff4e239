"""Sweeps over the rows of a panel with four right-hand sides in one vector register, in LLVM's own terms.

Loops over rows, which a compiler would vectorise by itself, are short here and leave a scalar rest; four numbers of one
row that lie side by side have no rest.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 4  # right-hand sides side by side
_AHEAD = 16384  # bytes of the factor between what is worked on and what is prefetched

_DOUBLE = ir.DoubleType()
_VECTOR = ir.VectorType(_DOUBLE, LANES)
_EACH = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)


class _Sweep:
    """Code of one loop over the rows of some neighbouring columns of a panel."""

    def __init__(self, builder: Any, values: Any, columns: int) -> None:
        rows, block, stride, heads, self.count = values
        self.builder = builder
        self._rows = builder.inttoptr(rows, _VECTOR.as_pointer())
        self._heads = builder.inttoptr(heads, _VECTOR.as_pointer())
        entries = builder.inttoptr(block, _DOUBLE.as_pointer())
        offsets = [builder.mul(stride, ir.Constant(stride.type, column)) for column in range(columns)]
        self._columns = [builder.gep(entries, [offset]) for offset in offsets]

    def heads(self) -> list[Any]:
        """Pointers to the vectors of the columns themselves."""
        index = (ir.Constant(ir.IntType(64), column) for column in range(len(self._columns)))
        return [self.builder.gep(self._heads, [i]) for i in index]

    def row(self, i: Any) -> Any:
        """Pointer to the vector of row i."""
        return self.builder.gep(self._rows, [i])

    def entries(self, i: Any) -> list[Any]:
        """The entries of row i, each in all lanes of a vector."""
        loaded = (self.builder.load(self.builder.gep(column, [i])) for column in self._columns)
        empty, first = ir.Constant(_VECTOR, ir.Undefined), ir.IntType(32)(0)
        single = (self.builder.insert_element(empty, value, first) for value in loaded)
        return [self.builder.shuffle_vector(one, empty, _EACH) for one in single]

    def prefetch(self, i: Any, ahead: int) -> None:
        """Ask for what a sweep some bytes ahead in the factor will read when this one is at row i."""
        byte, number = ir.IntType(8), ir.IntType(32)
        width = ir.Constant(i.type, 8 * len(self._columns))
        place = self.builder.add(self.builder.mul(i, width), ir.Constant(i.type, ahead))
        pointer = self.builder.gep(self.builder.bitcast(self._columns[0], byte.as_pointer()), [place])
        kind = ir.FunctionType(ir.VoidType(), [byte.as_pointer(), number, number, number])
        function = cgutils.get_or_insert_function(self.builder.module, kind, "llvm.prefetch.p0")
        self.builder.call(function, [pointer, number(0), number(3), number(1)])

    def load(self, pointer: Any) -> Any:
        return self.builder.load(pointer, align=8)

    def store(self, value: Any, pointer: Any) -> None:
        self.builder.store(value, pointer, align=8)

    def multiply_add(self, a: Any, b: Any, c: Any) -> Any:
        """a b + c, fused where the processor can."""
        kind = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
        function = cgutils.get_or_insert_function(self.builder.module, kind, f"llvm.fmuladd.v{LANES}f64")
        return self.builder.call(function, [a, b, c])


def _forward(columns: int) -> Any:
    """Intrinsic: rows[i] -= sum over columns of block[column * stride + i] * heads[column], for `count` rows."""

    @intrinsic
    def forward_sweep(typingctx, rows, block, stride, heads, count):
        def codegen(context, builder, signature, values):
            sweep = _Sweep(builder, values, columns)
            heads = [builder.fneg(sweep.load(head)) for head in sweep.heads()]
            with cgutils.for_range(builder, sweep.count) as loop:
                sweep.prefetch(loop.index, _AHEAD)
                total = sweep.load(sweep.row(loop.index))
                for entry, head in zip(sweep.entries(loop.index), heads, strict=True):
                    total = sweep.multiply_add(entry, head, total)
                sweep.store(total, sweep.row(loop.index))
            return context.get_dummy_value()

        return types.void(rows, block, stride, heads, count), codegen

    return forward_sweep


def _backward(columns: int) -> Any:
    """Intrinsic: heads[column] -= sum over `count` rows of block[column * stride + i] * rows[i]."""

    @intrinsic
    def backward_sweep(typingctx, rows, block, stride, heads, count):
        def codegen(context, builder, signature, values):
            sweep = _Sweep(builder, values, columns)
            nothing = ir.Constant(_VECTOR, [0.0] * LANES)
            sums = [cgutils.alloca_once_value(builder, nothing) for _ in range(columns)]
            with cgutils.for_range(builder, sweep.count) as loop:
                sweep.prefetch(loop.index, -_AHEAD)
                row = sweep.load(sweep.row(loop.index))
                for entry, total in zip(sweep.entries(loop.index), sums, strict=True):
                    builder.store(sweep.multiply_add(entry, row, builder.load(total)), total)
            for head, total in zip(sweep.heads(), sums, strict=True):
                sweep.store(builder.fsub(sweep.load(head), builder.load(total)), head)
            return context.get_dummy_value()

        return types.void(rows, block, stride, heads, count), codegen

    return backward_sweep


forward_one, forward_four = _forward(1), _forward(4)
backward_one, backward_four = _backward(1), _backward(4)
