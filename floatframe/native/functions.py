"""Functions that kernels can call beside each other: of numbers, and of addresses."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from floatframe.native.emitter import Emitter, number
from floatframe.native.kinds import FLOAT, NOTHING, TRUTH, WHOLE, KernelError, Kind, Tuple, Value

Arguments = list[Value]
#: those that LLVM knows, and those of the system's mathematical library
_INTRINSIC: dict[Any, str] = {math.sqrt: "sqrt", math.sin: "sin", math.cos: "cos", math.exp: "exp", math.log: "log"}
_INTRINSIC |= {math.log10: "log10", math.fabs: "fabs", np.floor: "floor", np.ceil: "ceil"}
_LIBRARY: dict[Any, str] = {getattr(math, f): f for f in ("tan", "asin", "acos", "atan", "sinh", "cosh", "tanh")}
_LIBRARY |= {math.atan2: "atan2", math.hypot: "hypot", math.copysign: "copysign"}
#: functions of the system's mathematical library that machine code may call
LIBRARY = *_LIBRARY.values(), "sin", "cos", "exp", "log", "log10", "pow", "fmod", "floor", "ceil", "rint"
MOST_FACTORS = 64  # whole powers up to this one are products


def call_at(address: int, array: Any, start: int) -> None:
    """Call the C function void f(double *) at an address with the place of array[start]."""
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address)
    function(array[start:].ctypes.data)


def call_with(address: int, place: int, array: Any, start: int) -> None:
    """Call the C function void f(void *, double *) at an address with a place in memory and that of array[start]."""
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(int(address))
    function(int(place), array[start:].ctypes.data)


def power(e: Emitter, a: Value, b: Value) -> Value:
    """a ** b; whole powers that are known are products."""
    if isinstance(b.known, int) and abs(b.known) <= MOST_FACTORS:
        if b.known < 0:
            below = power(e, e.converted(a, FLOAT), number(-b.known))
            return e.floating("fdiv", "1.0", below.parts[0])
        factor, result, left = a.parts[0], "", b.known
        while left:
            if left & 1:
                result = _product(e, a.kind, result, factor) if result else factor
            left >>= 1
            if left:
                factor = _product(e, a.kind, factor, factor)
        return Value(a.kind, (result,)) if result else e.converted(number(1), a.kind)
    x, y = e.converted(a, FLOAT).parts[0], e.converted(b, FLOAT).parts[0]
    return Value(FLOAT, (e.op(f"call double @llvm.pow.f64(double {x}, double {y})"),))


def _product(e: Emitter, kind: Kind, a: str, b: str) -> str:
    return e.whole("mul", a, b) if kind == WHOLE else e.floating("fmul", a, b).parts[0]


def remainder(e: Emitter, kind: Kind, x: str, y: str) -> Value:
    """x % y, which has the sign of y."""
    if kind == WHOLE:
        rest = e.op(f"srem i64 {x}, {y}")
        other = e.op(f"icmp slt i64 {e.op(f'xor i64 {rest}, {y}')}, 0")
        wrong = e.op(f"and i1 {other}, {e.op(f'icmp ne i64 {rest}, 0')}")
        return Value(WHOLE, (e.op(f"select i1 {wrong}, i64 {e.whole('add', rest, y)}, i64 {rest}"),))
    rest = e.op(f"frem double {x}, {y}")
    other = e.op(f"xor i1 {e.op(f'fcmp olt double {rest}, 0.0')}, {e.op(f'fcmp olt double {y}, 0.0')}")
    wrong = e.op(f"and i1 {other}, {e.op(f'fcmp one double {rest}, 0.0')}")
    return Value(FLOAT, (e.op(f"select i1 {wrong}, double {e.op(f'fadd double {rest}, {y}')}, double {rest}"),))


def whole_quotient(e: Emitter, x: str, y: str) -> Value:
    """x // y of whole numbers, rounded down."""
    quotient = e.op(f"sdiv i64 {x}, {y}")
    rest = e.op(f"srem i64 {x}, {y}")
    below = e.op(f"icmp slt i64 {e.op(f'xor i64 {rest}, {y}')}, 0")
    down = e.op(f"and i1 {below}, {e.op(f'icmp ne i64 {rest}, 0')}")
    return Value(WHOLE, (e.op(f"select i1 {down}, i64 {e.whole('sub', quotient, '1')}, i64 {quotient}"),))


def _mathematical(name: str) -> Callable[[Emitter, Arguments], Value]:
    def call(e: Emitter, arguments: Arguments) -> Value:
        listed = ", ".join(f"double {e.converted(argument, FLOAT).parts[0]}" for argument in arguments)
        return Value(FLOAT, (e.op(f"call double @{name}({listed})"),))

    return call


def _rounded(name: str) -> Callable[[Emitter, Arguments], Value]:
    """A whole number near a number."""

    def call(e: Emitter, arguments: Arguments) -> Value:
        argument = _only(arguments)
        if argument.kind != FLOAT:
            return e.converted(argument, WHOLE)
        (x,) = argument.parts
        rounded = e.op(f"call double @llvm.{name}.f64(double {x})") if name else x
        return Value(WHOLE, (e.op(f"fptosi double {rounded} to i64"),))

    return call


def _only(arguments: Arguments) -> Value:
    """The only argument of a function."""
    if len(arguments) != 1:
        raise KernelError(f"a function of one argument is called with {len(arguments)}")
    return arguments[0]


def _length(e: Emitter, arguments: Arguments) -> Value:
    argument = _only(arguments)
    if isinstance(argument.kind, Tuple):
        return number(len(argument.kind.kinds))
    return Value(WHOLE, (e.lengths(argument)[0],))


def _absolute(e: Emitter, arguments: Arguments) -> Value:
    a = _only(arguments)
    if a.kind == FLOAT:
        return Value(FLOAT, (e.op(f"call double @llvm.fabs.f64(double {a.parts[0]})"),))
    (x,) = e.converted(a, WHOLE).parts
    return Value(WHOLE, (e.op(f"call i64 @llvm.abs.i64(i64 {x}, i1 true)"),))


def _extreme(how: str) -> Callable[[Emitter, Arguments], Value]:
    """As Python chooses: a later one only if it is beyond those before."""

    def call(e: Emitter, arguments: Arguments) -> Value:
        kind = FLOAT if FLOAT in [argument.kind for argument in arguments] else WHOLE
        best, *others = (e.converted(argument, kind).parts[0] for argument in arguments)
        machine = kind.machine[0]
        test = f"fcmp o{how} double" if kind == FLOAT else f"icmp s{how} i64"
        for one in others:
            best = e.op(f"select i1 {e.op(f'{test} {one}, {best}')}, {machine} {one}, {machine} {best}")
        return Value(kind, (best,))

    return call


def _is(how: str) -> Callable[[Emitter, Arguments], Value]:
    def call(e: Emitter, arguments: Arguments) -> Value:
        (x,) = e.converted(_only(arguments), FLOAT).parts
        if how == "uno":
            return Value(TRUTH, (e.op(f"fcmp uno double {x}, 0.0"),))
        size = e.op(f"call double @llvm.fabs.f64(double {x})")
        return Value(TRUTH, (e.op(f"fcmp {how} double {size}, 0x7FF0000000000000"),))

    return call


def _float(e: Emitter, arguments: Arguments) -> Value:
    return e.converted(_only(arguments), FLOAT)


def _call_at(e: Emitter, arguments: Arguments) -> Value:
    address, array, start = arguments
    place = e.moved(array.parts[0], "double", start.parts[0])
    function = e.op(f"inttoptr i64 {address.parts[0]} to ptr")
    e.do(f"call void {function}(ptr {place})")
    return Value(NOTHING, ())


def _call_with(e: Emitter, arguments: Arguments) -> Value:
    address, first, array, start = arguments
    place = e.moved(array.parts[0], "double", start.parts[0])
    function = e.op(f"inttoptr i64 {address.parts[0]} to ptr")
    e.do(f"call void {function}(ptr {e.op(f'inttoptr i64 {first.parts[0]} to ptr')}, ptr {place})")
    return Value(NOTHING, ())


FUNCTIONS: dict[Any, Callable[[Emitter, Arguments], Value]] = {
    **{function: _mathematical(f"llvm.{name}.f64") for function, name in _INTRINSIC.items()},
    **{function: _mathematical(name) for function, name in _LIBRARY.items()},
    math.floor: _rounded("floor"),
    math.ceil: _rounded("ceil"),
    round: _rounded("rint"),
    int: _rounded(""),
    float: _float,
    len: _length,
    abs: _absolute,
    min: _extreme("lt"),
    max: _extreme("gt"),
    math.isnan: _is("uno"),
    math.isfinite: _is("olt"),
    math.isinf: _is("oeq"),
    call_at: _call_at,
    call_with: _call_with,
}

#: what a module has to declare
DECLARATIONS = "\n".join(
    [f"declare double @llvm.{name}.f64(double)" for name in {*_INTRINSIC.values(), "rint", "fabs"}]
    + [f"declare double @{name}(double)" for name in _LIBRARY.values() if name not in ("atan2", "hypot", "copysign")]
    + [f"declare double @{name}(double, double)" for name in ("atan2", "hypot", "copysign", "llvm.pow.f64")]
    + ["declare i64 @llvm.abs.i64(i64, i1)", "declare void @llvm.trap()"]
)
