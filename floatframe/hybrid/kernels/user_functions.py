"""Python functions of users called from compiled code: by address, with failures kept until somebody asks.

An exception cannot pass through compiled code. The call that fails leaves NaN, which ends the evaluation or the step,
and `raise_failures` then says what happened. Addresses are data, so the compiled kernels stay valid from run to run.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.hybrid.kernels.layout import USER_ARGUMENTS, USER_VALUES, Tables

_Buffer = ctypes.c_double * USER_VALUES
_Callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class UserFunction:
    """A function(t, position, rotation, velocity, angular_velocity) -> force, torque, made callable by address."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.name, self.function = name, function
        self.failure: BaseException | None = None  # of the last call
        self._callback = _Callback(self._call)
        self.address = ctypes.cast(self._callback, ctypes.c_void_p).value or 0
        _ALIVE[self.address] = self

    def _call(self, buffer: int) -> None:
        values = np.frombuffer(memoryview(_Buffer.from_address(buffer)))
        try:
            values[USER_ARGUMENTS:] = self._wrench(values[:USER_ARGUMENTS].copy())
            self.failure = None
        except BaseException as failure:  # even an interrupt must not be lost in compiled code
            values[USER_ARGUMENTS:] = np.nan
            self.failure = failure

    def _wrench(self, x: Array) -> Array:
        """Force and torque (6,) for the arguments (19,)."""
        result = self.function(float(x[0]), x[1:4], x[4:13].reshape(3, 3), x[13:16], x[16:19])
        try:
            wrench = np.array(result, dtype=np.float64)
        except (TypeError, ValueError):
            wrench = np.zeros(0)
        if wrench.shape != (2, 3):
            raise TypeError(f"it returned {result!r}, expected a force and a torque of three numbers each")
        if not np.isfinite(wrench).all():
            raise ValueError(f"it returned {result!r}, expected finite numbers")
        return wrench.ravel()


_ALIVE: WeakValueDictionary[int, UserFunction] = WeakValueDictionary()


def raise_failures(tables: Tables) -> None:
    """Raise what went wrong in the last call of a user's function, if anything did; to ask where NaN turns up."""
    for address in tables.forces["user"]:
        function = _ALIVE.get(int(address)) if address else None
        if function is None or function.failure is None:
            continue
        failure, function.failure = function.failure, None
        if not isinstance(failure, Exception):
            raise failure
        raise ModelError(
            f"user_force '{function.name}': its Python function failed with {type(failure).__name__}: {failure}"
        ) from failure
