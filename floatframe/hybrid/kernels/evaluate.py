"""Calls of the compiled `evaluate` by its address.

Numba compiles what a kernel calls into that kernel once more, on every floor. `evaluate` is by far the largest, so the
integrators call it through its address and stay small; both are compiled once and cached on their own.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import Any

import numba
from numba import types
from numba.extending import intrinsic

from floatframe.hybrid.kernels.cache import announce
from floatframe.hybrid.kernels.layout import Data, Tables
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.stepping import Work
from floatframe.hybrid.kernels.system import evaluate as compiled

_addresses: dict[Any, int] = {}


def evaluate_address(tables: Tables, data: Data, w: Work) -> int:
    """Where the compiled `evaluate` for these arrays begins; compiles it the first time."""
    arrays = w.q, w.v, w.x, w.lam, w.residual, w.M, w.G
    # numba's own types would take longer than most evaluations
    kinds = tuple((a.dtype, a.ndim, a.flags.num) for a in (*tables, *data, *arrays))
    if kinds not in _addresses:
        arguments = (tables, data, 0.0, *arrays[:4], 0, *arrays[4:])
        signature = tuple(numba.typeof(argument) for argument in arguments)
        announce(compiled, "the kernels once, about half a minute")
        compiled.compile(signature)
        found = compiled.overloads[signature]
        _addresses[kinds] = found.library.get_pointer_to_function(found.fndesc.llvm_func_name)
    return _addresses[kinds]


@intrinsic
def evaluate(typingctx, address, tables, data, t, q, v, acc, lam, what, residual, M, G):
    """`kernels.system.evaluate`, called at its address."""
    signature = types.void(address, tables, data, types.float64, q, v, acc, lam, types.int64, residual, M, G)

    def codegen(context, builder, signature, values):
        arguments = signature.args[1:]
        function = context.call_conv.get_function_type(types.none, arguments)
        pointer = builder.inttoptr(values[0], function.as_pointer())
        context.call_conv.call_function(builder, pointer, types.none, arguments, values[1:])
        return context.get_dummy_value()

    return signature, codegen


@inner
def evaluate_now(tables, data, w, t, what, residual):
    """Evaluate at the tried coordinates, speeds, accelerations and multipliers; the residual goes to `residual`."""
    address = w.traits.evaluate
    evaluate(address, tables, data, t, w.q, w.v, w.x, w.lam, what, residual, w.M, w.G)
