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

_Callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Callback:
    """A function of numbers made callable by address; its arguments come first in a buffer, its values behind them."""

    def __init__(self, function: Callable[..., Any], arguments: int, values: int) -> None:
        self.function = function
        self.failure: BaseException | None = None  # of the last call
        self._arguments = arguments
        self._buffer = ctypes.c_double * (arguments + values)
        self._callback = _Callback(self._call)
        self.address = ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    def _call(self, buffer: int) -> None:
        values = np.frombuffer(memoryview(self._buffer.from_address(buffer)))
        try:
            values[self._arguments :] = self.values(values[: self._arguments].copy())
            self.failure = None
        except BaseException as failure:  # even an interrupt must not be lost in compiled code
            values[self._arguments :] = np.nan
            self.failure = failure

    def values(self, x: Array) -> Array:
        """The values for the arguments x."""
        raise NotImplementedError

    def raise_failure(self, name: str) -> None:
        """Raise what went wrong in the last call, if anything did."""
        failure, self.failure = self.failure, None
        if failure is None:
            return
        if not isinstance(failure, Exception):
            raise failure
        raise ModelError(f"{name}: its Python function failed with {type(failure).__name__}: {failure}") from failure


class Stabiliser(Callback):
    """A function(q, v, t, g, g') -> accelerations of the rows, for the deviations g of them, called by the steps."""

    def __init__(self, function: Callable[..., Any], nq: int, nv: int, rows: int) -> None:
        super().__init__(function, 1 + nq + nv + 2 * rows, rows)
        self.rows = rows
        self._cuts = np.cumsum([1, nq, nv, rows])

    def values(self, x: Array) -> Array:
        t, q, v, gaps, rates = np.split(x, self._cuts)
        result = self.function(q, v, float(t[0]), gaps, rates)
        found = np.array(result, dtype=np.float64)
        if found.shape != (self.rows,) or not np.isfinite(found).all():
            raise ValueError(f"it returned {result!r}, expected {self.rows} finite numbers, one per constraint row")
        return found


class UserFunction(Callback):
    """A function(t, position, rotation, velocity, angular_velocity) -> force, torque, made callable by address."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        super().__init__(function, USER_ARGUMENTS, USER_VALUES - USER_ARGUMENTS)
        self.name = name
        _ALIVE[self.address] = self

    def values(self, x: Array) -> Array:
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
        if function is not None:
            function.raise_failure(f"user_force '{function.name}'")
