"""The functions and operators of expressions: their parameters, values and derivatives, one line each.

A *basic* function has a value (IEEE arithmetic: 1/0 is inf, sqrt(-1) is nan) and the text of its derivative, in which
dx stands for the derivative of the argument x. A *derived* function is only an abbreviation, given by its definition.
Truth is 1 or 0; every number but 0 counts as true.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Function:
    parameters: tuple[str, ...]
    value: Callable[..., Any] | None = None  # None for a derived function and for look-ups in tables
    derivative: str = "0"
    definition: str = ""
    variadic: bool = False  # more arguments are taken two by two: min(a, b, c) = min(min(a, b), c)


def _basic(parameters: str, value: Callable[..., Any], derivative: str = "0", variadic: bool = False) -> Function:
    return Function(tuple(parameters.split()), value, derivative, variadic=variadic)


def _derived(parameters: str, definition: str) -> Function:
    return Function(tuple(parameters.split()), definition=definition)


def _lookup() -> Function:
    return Function(("table", "x"))


def _deadband(x: Any, clearance: Any) -> Any:
    return np.where(np.abs(x) > clearance, x - np.sign(x) * clearance, 0.0 * x)


def _smoothstep(x: Any) -> Any:
    s = np.minimum(np.maximum(x, 0.0), 1.0)
    return s * s * (3.0 - 2.0 * s)


OPERATORS = {
    "+": _basic("x y", np.add, "dx + dy"),
    "-": _basic("x y", np.subtract, "dx - dy"),
    "*": _basic("x y", np.multiply, "dx*y + x*dy"),
    "/": _basic("x y", np.divide, "dx/y - x*dy/y^2"),
    "^": _basic("x y", np.power, "y*x^(y - 1)*dx + x^y*log(x)*dy"),
    "negate": _basic("x", np.negative, "-dx"),
    "<": _basic("x y", np.less),
    "<=": _basic("x y", np.less_equal),
    ">": _basic("x y", np.greater),
    ">=": _basic("x y", np.greater_equal),
    "==": _basic("x y", np.equal),
    "!=": _basic("x y", np.not_equal),
    "and": _basic("x y", np.logical_and),
    "or": _basic("x y", np.logical_or),
    "not": _basic("x", np.logical_not),
}

FUNCTIONS = {
    "sin": _basic("x", np.sin, "cos(x)*dx"),
    "cos": _basic("x", np.cos, "-sin(x)*dx"),
    "tan": _basic("x", np.tan, "dx/cos(x)^2"),
    "asin": _basic("x", np.arcsin, "dx/sqrt(1 - x^2)"),
    "acos": _basic("x", np.arccos, "-dx/sqrt(1 - x^2)"),
    "atan": _basic("x", np.arctan, "dx/(1 + x^2)"),
    "atan2": _basic("y x", np.arctan2, "(dy*x - y*dx)/(x^2 + y^2)"),
    "sinh": _basic("x", np.sinh, "cosh(x)*dx"),
    "cosh": _basic("x", np.cosh, "sinh(x)*dx"),
    "tanh": _basic("x", np.tanh, "(1 - tanh(x)^2)*dx"),
    "sqrt": _basic("x", np.sqrt, "dx/(2*sqrt(x))"),
    "exp": _basic("x", np.exp, "exp(x)*dx"),
    "log": _basic("x", np.log, "dx/x"),
    "log10": _basic("x", np.log10, "dx/(x*log(10))"),
    "abs": _basic("x", np.abs, "sign(x)*dx"),
    "sign": _basic("x", np.sign),
    "floor": _basic("x", np.floor),
    "ceil": _basic("x", np.ceil),
    "mod": _basic("x y", np.mod, "dx - floor(x/y)*dy"),  # has the sign of y, as in Python
    "hypot": _basic("x y", np.hypot, "(x*dx + y*dy)/hypot(x, y)"),
    # of a growing x the slope ahead, so that clamps that meet do not both count where they do
    "min": _basic("x y", np.minimum, "if(x < y, dx, dy)", variadic=True),
    "max": _basic("x y", np.maximum, "if(x >= y, dx, dy)", variadic=True),
    "if": _basic("condition x y", np.where, "if(condition, dx, dy)"),
    # what is left of x beyond a clearance on either side of zero
    "deadband": _basic("x c", _deadband, "if(abs(x) > c, dx - sign(x)*dc, 0)"),
    # cubic rise from 0 to 1 while x goes from 0 to 1
    "smoothstep": _basic("x", _smoothstep, "if(x > 0 and x < 1, 6*x*(1 - x)*dx, 0)"),
    "table": _lookup(),
    "table_slope": _lookup(),
    "table_curvature": _lookup(),
    "pow": _derived("x y", "x^y"),
    "clamp": _derived("x low high", "min(max(x, low), high)"),
    "heaviside": _derived("x", "x >= 0"),
    # straight rise from 0 to 1 while t goes from t0 to t1
    "ramp": _derived("t t0 t1", "clamp((t - t0)/(t1 - t0), 0, 1)"),
    # 1 from t0 up to t1, else 0
    "pulse": _derived("t t0 t1", "t >= t0 and t < t1"),
    # smooth rise from h0 at x0 to h1 at x1: by a cubic, and by half a cosine wave
    "step": _derived("x x0 h0 x1 h1", "h0 + (h1 - h0)*smoothstep((x - x0)/(x1 - x0))"),
    "haversine": _derived("x x0 h0 x1 h1", "h0 + (h1 - h0)*(1 - cos(pi*ramp(x, x0, x1)))/2"),
    "deg": _derived("x", "x*(180/pi)"),  # degrees of an angle given in radians
    "rad": _derived("x", "x*(pi/180)"),  # radians of an angle given in degrees
}

# the derivative of a look-up is another look-up
TABLE_DERIVATIVE = {"table": "table_slope", "table_slope": "table_curvature"}
TABLE_ORDER = {"table": 0, "table_slope": 1, "table_curvature": 2}

CATALOGUE = OPERATORS | FUNCTIONS
