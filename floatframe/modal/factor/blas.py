"""SciPy's BLAS and LAPACK called from compiled kernels without the interpreter, by address.

Addresses change from run to run, so they are passed to the kernels as arguments; that keeps the kernels cacheable.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import get_cython_function_address, intrinsic

LETTER_L, LETTER_N, LETTER_R, LETTER_T, LETTER_U = (np.int8(ord(letter)) for letter in "LNRTU")


class Routines(NamedTuple):
    """Addresses of routines inside SciPy."""

    dgemm: int
    dsyrk: int
    dtrsm: int
    dpotrf: int
    dsytrf: int


@cache
def addresses() -> Routines:
    """The routines that kernels call."""
    blas, lapack = "scipy.linalg.cython_blas", "scipy.linalg.cython_lapack"
    homes = {"dgemm": blas, "dsyrk": blas, "dtrsm": blas, "dpotrf": lapack, "dsytrf": lapack}
    return Routines(**{name: get_cython_function_address(module, name) for name, module in homes.items()})


@intrinsic
def call_fortran(typingctx, address, arguments):  # type: ignore[no-untyped-def]
    """Call the Fortran routine at `address`; integers (as int32), floats and one-letter codes go by reference.

    Arguments of type uint64 are addresses of array elements and are passed as they are; int8 is a character.
    """
    signature = types.void(address, arguments)

    def codegen(context, builder, signature, values):  # type: ignore[no-untyped-def]
        pointer = ir.IntType(8).as_pointer()
        tuple_type = signature.args[1]
        passed = []
        for place, kind in enumerate(tuple_type.types):
            value = builder.extract_value(values[1], place)
            if kind == types.uint64:
                passed.append(builder.inttoptr(value, pointer))
                continue
            if isinstance(kind, types.Integer) and kind.bitwidth > 8:
                value = context.cast(builder, value, kind, types.int32)
            passed.append(builder.bitcast(cgutils.alloca_once_value(builder, value), pointer))
        function_type = ir.FunctionType(ir.VoidType(), [pointer] * len(passed))
        builder.call(builder.inttoptr(values[0], function_type.as_pointer()), passed)
        return context.get_dummy_value()

    return signature, codegen
