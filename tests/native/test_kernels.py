"""Kernels compute what the same functions compute as plain Python."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from floatframe.native import FLOAT, TRUTH, WHOLE, KernelError, Record, Room, array, bundle, call_at, kernel

ROOM = Room(Path(__file__).parent)
FLOATS, MATRIX, WHOLES = array(float), array(float, 2), array(int)
PLACES = (0.5, -1.5, 2.0)
GRID = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
LAW = np.dtype([("k", "f8"), ("d", "f8", (2, 2))], align=True)
BALL = np.dtype([("kind", "i8"), ("x", "f8", 3), ("law", LAW), ("mass", "f8")], align=True)


class Things(NamedTuple):
    balls: np.ndarray
    forces: np.ndarray
    matrix: np.ndarray
    first: np.record


THINGS = bundle(Things, balls=BALL, forces=FLOATS, matrix=MATRIX, first=Record(BALL))


def things(n=3):
    balls = np.zeros(n, np.dtype((np.record, BALL)))
    rng = np.random.default_rng(n)
    balls["kind"], balls["mass"] = np.arange(n), 1.0 + np.arange(n)
    balls["x"], balls["law"]["k"], balls["law"]["d"] = rng.normal(size=(n, 3)), 3.0, rng.normal(size=(n, 2, 2))
    return Things(balls.view(np.recarray), np.zeros(n), np.zeros((n, 3)), np.zeros(1, balls.dtype)[0])


def same(entry, *arguments):
    """What a kernel returns, which must be what the function returns as plain Python."""
    found, expected = entry(*arguments), entry.function(*arguments)
    # whole powers are products here, which differ from those of the library in the last digit; sums of them more
    assert found == pytest.approx(expected, rel=1e-13, abs=0, nan_ok=True), (found, expected)
    return found


def test_place_of_arrays():
    whole = np.arange(12.0)
    sealed = whole.copy()
    sealed.setflags(write=False)
    for one in (whole, whole[3:], sealed, np.zeros(0), np.zeros((2, 3)), np.zeros(2, BALL), things().balls):
        assert kernel._place(one) == one.ctypes.data


@ROOM.entry(FLOAT, FLOAT, WHOLE, WHOLE)
def arithmetic(x, y, i, j):
    a = x * y - x / 3 + 2 * i
    b = (i + j) * 3 - i // 4 + i % 5 + (-i) % 5
    c = x**2 + y**3 + abs(x) ** 0.5 + 2.0**i + x**-2
    d = x % 1.5 + (-x) % 1.5 + x % -1.5
    e = (i | 8) + (j & 3) - abs(-i) + int(x) + round(x) + math.floor(x) + math.ceil(y)
    return a, b, c, d, e, -x, -i, float(i)


def test_arithmetic():
    rng = np.random.default_rng(0)
    for _ in range(50):
        x, y = rng.normal(size=2) * 4
        same(arithmetic, float(x), float(y), int(rng.integers(-9, 9)), int(rng.integers(0, 20)))
    assert same(arithmetic, 2.5, -2.5, -7, 3)[1] == (-7 + 3) * 3 + 2 + 3 + 2


@ROOM.entry(FLOAT, FLOAT)
def functions(x, y):
    a = math.sin(x) + math.cos(y) + math.tan(x) + math.atan2(x, y) + math.hypot(x, y) + math.tanh(x)
    b = math.exp(0.1 * x) + math.log(1 + abs(x)) + math.log10(2 + abs(y)) + math.sqrt(abs(x))
    b += math.asin(0.1 * math.sin(x))
    c = math.sinh(0.2 * x) + math.cosh(0.2 * y) + math.atan(x) + math.acos(0.5 * math.cos(x))
    return a + b + c, max(x, y, 0.5), min(x, 1, y)


def test_functions():
    for x, y in np.random.default_rng(1).normal(size=(50, 2)) * 3:
        # sums in the same order, functions of the same library
        assert functions(x, y) == pytest.approx(functions.function(x, y), rel=1e-14)


@ROOM.entry(FLOAT, FLOAT, TRUTH)
def truths(x, y, flag):
    n = 0
    if x < y <= 2.0 or flag:
        n += 1
    if not (x > 0.0 and 1.0 / x > 1.0):
        n += 2
    n += 4 if math.isnan(x) else 8 if math.isfinite(y) else 16
    if int(x) in (1, 2, 3) and y not in (0.0, 1.0):
        n += 32
    good = flag and x != y
    return n, good, math.isinf(y)


@pytest.mark.parametrize("flag", [False, True])
@pytest.mark.parametrize(("x", "y"), [(0.5, 1.0), (0.0, 3.0), (2.0, 2.0), (1.0, math.inf), (-1.0, -2.0)])
def test_conditions_stop_where_they_are_known(x, y, flag):
    same(truths, x, y, flag)


@ROOM.entry(WHOLE, FLOAT)
def loops(n, x):
    total, sign, last = 0, 1, -1
    for i in range(n):
        if i == 3:
            continue
        for j in range(i, -1, -2):
            if j == 1:
                break
            total += sign * x * j
        sign = -sign
        last = i
    k = 0
    while True:
        k += 1
        if k * k > n:
            break
    while k > 0 and total > -100.0:
        k -= 1
        total -= k
    return total, sign, last, k


@pytest.mark.parametrize("n", [0, 1, 2, 5, 12])
def test_loops_and_whole_numbers_that_become_floating(n):
    same(loops, n, 0.3)


@ROOM.part
def both_ways(x):
    if x > 1.0:
        return 1, x
    return x, 2


@ROOM.part
def turned(a, k):
    return a[1], a[2] * k, a[0]


@ROOM.entry(FLOAT, WHOLE)
def tuples(x, k):
    a = (x, 2.0 * x, 3.0)
    b = turned(a, 2)
    c, d = both_ways(x)
    a, e = (b[k], PLACES[k]), ((1.0, 2.0), (x, 3.0))[1 if x > 0.0 else 0]
    p, q = e
    p, q = q, p
    return a[0], a[1], b[0], b[1] + len(b), c, d, p, q


@pytest.mark.parametrize("x", [0.5, 1.5, -2.0])
@pytest.mark.parametrize("k", [0, 1, 2])
def test_tuples(x, k):
    same(tuples, x, k)


@ROOM.entry(THINGS, FLOATS, MATRIX, WHOLES)
def memory(things, v, m, counts):
    for i in range(len(things.balls)):
        ball = things.balls[i]
        law = ball.law
        ball.kind += 2
        ball.x[1] = law.k * ball.mass + law.d[0, 1]
        law.d[1, 1] -= 1.0
        row = things.matrix[i]
        row[:] = ball.x[0]
        row[1] += ball.x[1]
        things.forces[i], counts[i] = row[1] * v[0], ball.kind
    things.first.mass = things.forces[0]
    part = v[1:3]
    for k in range(len(part)):
        part[k] += m[1, k] + GRID[1, k]
    m[0, :] = 7.0
    return m.shape[1], len(part), things.first.mass


def test_memory():
    """Records, fields that are arrays or records, rows, ranges and tables."""
    results = []
    for call in (memory, memory.function):
        a, v, m, counts = things(), np.arange(4.0), np.ones((2, 3)), np.zeros(3, np.int64)
        results.append((call(a, v, m, counts), np.array(a.balls).view(np.uint8), a.forces, a.matrix, v, m, counts))
    for found, expected in zip(*results, strict=True):
        np.testing.assert_array_equal(found, expected)


@ROOM.reordered
def summed(v):
    total = 0.0
    for k in range(len(v)):
        total += v[k]
    return total


@ROOM.entry(FLOATS)
def total(v):
    return summed(v)


def test_arrays_that_are_passed_once_are_not_kept():
    once = replace(THINGS, lasting=False)
    entry = ROOM.entry(once)(first_mass)
    for count in range(40):
        one = things(5)
        one.first.mass = count
        assert entry(one) == count
    assert not any(held[0] is one for held in kernel._lists.values())
    again = ROOM.entry(THINGS)(mass_again)
    for _ in range(40):
        assert again(things()) == 0.0
    assert len(kernel._lists) <= kernel._MOST_LISTS


def first_mass(things):
    return things.first.mass


def mass_again(things):
    return things.first.mass


@ROOM.part
def applied(function, x):
    return function(x)


@ROOM.entry(FLOAT)
def both(x):
    return applied(math.sin, x), applied(math.cos, x)


def test_functions_are_arguments():
    assert both(0.3) == pytest.approx((math.sin(0.3), math.cos(0.3)), rel=1e-15)


def test_reordered_sums():
    v = np.random.default_rng(2).normal(size=1001)
    assert total(v) == pytest.approx(math.fsum(v), rel=1e-12)


@ROOM.apart
def take_off(A, v):
    for i in range(1, len(A)):
        row = A[i]
        for j in range(len(row)):
            row[j] -= v[i] * A[i - 1, j]  # rows depend on each other, columns do not


@ROOM.entry(MATRIX, FLOATS)
def chained(A, v):
    take_off(A, v)


def test_only_innermost_loops_are_taken_apart():
    rng = np.random.default_rng(3)
    A, v = rng.normal(size=(7, 37)), rng.normal(size=7)
    expected = A.copy()
    for i in range(1, 7):
        expected[i] -= v[i] * expected[i - 1]
    chained(A, v)
    np.testing.assert_allclose(A, expected, rtol=1e-13, atol=1e-13)  # a product and a sum may be rounded once


@ROOM.entry(WHOLE, FLOATS)
def outside(address, v):
    call_at(address, v, 1)


def test_a_function_of_python_is_called_by_its_address():
    import ctypes

    def double(place):
        np.frombuffer(memoryview((ctypes.c_double * 2).from_address(place)))[:] *= 2.0

    callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(double)
    v = np.arange(4.0)
    outside(ctypes.cast(callback, ctypes.c_void_p).value, v)
    assert v.tolist() == [0.0, 2.0, 4.0, 3.0]


@ROOM.piece(FLOATS, FLOAT)
def scale(v, factor):
    for k in range(len(v)):
        v[k] *= factor


@ROOM.entry(FLOATS)
def scaled_twice(v):
    scale(v, 2)
    scale(v, 1.5)


def test_a_piece_is_called_by_its_symbol():
    v = np.ones(2)
    scaled_twice(v)
    assert v.tolist() == [3.0, 3.0]


def test_kernels_run_beside_each_other():
    """The interpreter's lock is not held: as many turns in the same time, within what other work on a machine takes."""
    from concurrent.futures import ThreadPoolExecutor

    m = [np.ones((2, 3)) for _ in range(8)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda one: spin(one, 20000), m))
    assert all(one[0, 0] == m[0][0, 0] > 1.0 for one in m)


@ROOM.entry(MATRIX, WHOLE)
def spin(m, n):
    for _ in range(n):
        m[0, 0] = m[0, 0] * 1.0000001 + 1e-9


# ---------------------------------------------------------------------------------------------------------- mistakes


def test_arrays_of_another_kind_are_refused():
    with pytest.raises(TypeError, match="total: found an array of int64 with 1 dimensions, expected a contiguous one"):
        total(np.arange(3))
    with pytest.raises(TypeError, match="total: found an array of float64"):
        total(np.arange(6.0)[::2])
    with pytest.raises(TypeError, match=r"forces: found an array of float32"):
        memory(things()._replace(forces=np.zeros(3, np.float32)), np.zeros(4), np.zeros((2, 3)), np.zeros(3, np.int64))


def unset(x):
    y = 0.0
    if x > 0.0:
        y = (1.0, 2.0)
    return y


def unknown(x):
    return [x]


def calls(x):
    return sys.getsizeof(x)


def half(x):
    if x > 0.0:
        return x


def missing(x):
    return x.mass


def one_way(x):
    if x > 0.0:
        y = x
    return y


def plus(x):
    return +x


def number_or(x):
    return x or 1.0


def loop_else(x):
    for _ in range(3):
        x += 1.0
    else:
        x = 0.0
    return x


def digits(x):
    return round(x, 2)


def from_the_end(x):
    return GRID[-1, 0] + x


def beyond(x):
    return (x, x)[2]


def counted(x):
    for x in range(3):
        x += 1
    return x


def identity(x):
    return x is None


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (unset, r"line \d+: 'y' is not set on every way that leads here, in kernel 'unset'"),
        (unknown, r"List is not known in kernels"),
        (calls, "'getsizeof' is not a kernel"),
        (half, "not every way through 'half' returns a value"),
        (missing, "'x' has no 'mass'"),
        (one_way, "'y' is not set on every way that leads here"),
        (plus, "UAdd is not known in kernels"),
        (number_or, "'x' beside and, or is a number"),
        (loop_else, "a loop has one variable and no else"),
        (digits, "a function of one argument is called with 2"),
        (from_the_end, "the index -1 is negative"),
        (beyond, "a tuple of 2 has no element 2"),
        (counted, "'x' counts a loop and was something else before"),
        (identity, "Is is not known in kernels"),
    ],
)
def test_what_kernels_cannot_say_is_named_with_its_line(function, words):
    with pytest.raises(KernelError, match=words):
        ROOM.entry(FLOAT)(function)(1.0)
