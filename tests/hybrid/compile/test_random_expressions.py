"""Hundreds of random expressions: against Python itself, their derivatives by complex steps, the kernel by its twin.

The texts are valid Python apart from `if`, and hold few parentheses, so Python's parser checks the grammar as well.
"""

from __future__ import annotations

import cmath
import math
import random

import numpy as np
import pytest

from floatframe.errors import ModelError
from floatframe.expressions.expression import parse
from floatframe.expressions.tables import Table, link_tables
from floatframe.hybrid.compile.program import compile_program, link
from floatframe.hybrid.kernels.expression import run, run_range

VALUES = {"x": 0.7, "y": -1.3, "crank.rate": 2.4, "rod.node[101].u.x": 0.35, "t": 1.9}
PYTHON_NAMES = {"crank.rate": "crank_rate", "rod.node[101].u.x": "rod_x"}

SMOOTH = ["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "sqrt", "exp", "log", "log10"]
KINKED = ["abs", "sign", "floor", "ceil", "atan2", "hypot", "mod", "min", "max", "if"]
REAL = {name: getattr(math, name) for name in [*SMOOTH, "floor", "ceil", "atan2", "hypot", "pi", "e"]} | {
    "abs": math.fabs,
    "sign": lambda x: (x > 0) - (x < 0),
    "mod": lambda x, y: x % y,
    "min": min,
    "max": max,
    "_if": lambda condition, x, y: x if condition else y,
}
COMPLEX = {name: getattr(cmath, name) for name in SMOOTH} | {"pi": cmath.pi, "e": cmath.e}


class Writer:
    """Writes random expressions."""

    def __init__(self, seed: int, functions: list[str]) -> None:
        self.dice = random.Random(seed)
        self.functions = functions

    def text(self, depth: int) -> str:
        dice = self.dice
        if depth == 0 or dice.random() < 0.1:
            leaves = [*VALUES, *VALUES, "pi", "e", "2", "0.5", "1e-3", ".25", "3.e0"]
            return dice.choice(leaves)
        kind = dice.random()
        if kind < 0.5:
            return f"{self.part(depth)} {dice.choice('+-*/')} {self.part(depth)}"
        if kind < 0.6:
            return f"-{self.part(depth)}"
        if kind < 0.7:
            return f"{self.atom(depth)}**{dice.choice(['2', '3', '-1', '2**-2', '-x**2'])}"
        return self.call(dice.choice(self.functions), depth - 1)

    def part(self, depth: int) -> str:
        """Parentheses only now and then: mostly the order of operations decides."""
        return self.atom(depth) if self.dice.random() < 0.3 else self.text(depth - 1)

    def atom(self, depth: int) -> str:
        return f"({self.text(depth - 1)})"

    def call(self, name: str, depth: int) -> str:
        if name == "if":
            return f"if({self.condition(depth)}, {self.text(depth)}, {self.text(depth)})"
        count = {"atan2": 2, "hypot": 2, "mod": 2, "min": 3, "max": 2}.get(name, 1)
        return f"{name}({', '.join(self.text(depth) for _ in range(count))})"

    def condition(self, depth: int) -> str:
        first = f"{self.text(depth)} {self.dice.choice(['<', '<=', '>', '>=', '==', '!='])} {self.text(depth)}"
        if self.dice.random() < 0.5:
            return first
        second = f"{self.dice.choice(['', 'not '])}{self.text(depth)} < {self.text(depth)}"
        return f"{first} {self.dice.choice(['and', 'or'])} {second}"


def python_value(text: str, functions: dict[str, object], values: dict[str, complex]) -> complex | None:
    """Return what Python makes of a text, None where it has no finite real (or complex) value of reasonable size."""
    for ours, theirs in PYTHON_NAMES.items():
        text = text.replace(ours, theirs)
    names = {PYTHON_NAMES.get(name, name): value for name, value in values.items()}
    try:
        value = eval(text.replace("if(", "_if("), {"__builtins__": {}}, functions | names)
    except (ArithmeticError, ValueError):
        return None
    except TypeError:  # a power left the real numbers
        return None
    if isinstance(value, complex) and functions is REAL:
        return None
    return value if abs(value) < 1e8 else None


def texts(seed: int, functions: list[str], count: int, depth: int = 4) -> list[str]:
    writer = Writer(seed, functions)
    return [writer.text(depth) for _ in range(count)]


def test_values_are_those_of_python():
    compared = 0
    for text in texts(1, SMOOTH + KINKED, 1000):
        expected = python_value(text, REAL, VALUES)
        if expected is None:
            continue
        # same operations in the same order; functions of NumPy and the C library differ in the last bit,
        # which cancellation may magnify
        assert parse(text).evaluate(VALUES) == pytest.approx(expected, rel=1e-11, abs=1e-11), text
        assert parse(text).simplified().evaluate(VALUES) == pytest.approx(expected, rel=1e-11, abs=1e-11), text
        compared += 1
    assert compared > 600


def test_text_parses_back_to_the_same():
    for text in texts(2, SMOOTH + KINKED, 500):
        expression = parse(text)
        again = parse(str(expression))
        assert repr(again.root) == repr(expression.root), text
        simple = expression.simplified()
        assert repr(parse(str(simple)).root) == repr(simple.root), text


def test_derivatives_agree_with_complex_steps():
    compared = 0
    step = 1e-30  # the imaginary part carries the derivative without cancellation
    for text in texts(3, SMOOTH, 600, depth=3):
        for name in ("x", "t"):
            complex_value = python_value(text, COMPLEX, VALUES | {name: VALUES[name] + 1j * step})
            if python_value(text, REAL, VALUES) is None or complex_value is None:
                continue
            expected = complex_value.imag / step
            slope = parse(text).derivative(name)
            if name not in parse(text).names:
                assert str(slope) == "0"
            elif abs(expected) < 1e8:
                assert slope.evaluate(VALUES) == pytest.approx(expected, rel=1e-10, abs=1e-10), text
                compared += 1
    assert compared > 300


CURVE = Table(np.linspace(-2, 3, 11), np.cos(np.linspace(-2, 3, 11)), kind="cubic")
UNEVEN = Table([-5.0, -1.0, 0.0, 0.1, 4.0], [1.0, -2.0, 0.5, 0.7, 3.0], extrapolate=True)
TABLES = {"curve": CURVE, "shop.uneven": UNEVEN}
MORE = [
    "table(curve, {})",
    "table(shop.uneven, {})",
    "table_slope(curve, {})",
    "table_curvature(curve, {})",
    "clamp({}, -1, 2)",
    "deadband({}, 0.4)",
    "heaviside({})",
    "step({}, -1, 2, 1.5, -3)",
    "haversine({}, -1, 2, 1.5, -3)",
    "ramp({}, -1, 4)",
    "pulse({}, 0, 2)",
    "smoothstep({})",
    "deg({})",
    "rad({})",
    "pow(abs({}), 1.5)",
]


def test_kernel_agrees_with_its_twin():
    slots = {name: index for index, name in enumerate(VALUES)}
    inner = texts(4, SMOOTH + KINKED, 600)
    all_texts = inner + [MORE[i % len(MORE)].format(text) + " + x" for i, text in enumerate(inner)]
    expected, programs = [], []
    for text in all_texts:
        try:
            expected.append(parse(text).evaluate(VALUES, TABLES))
        except ModelError:
            continue  # no finite value
        programs.append(compile_program(parse(text), slots, {"curve": 0, "shop.uneven": 1}))
    assert len(programs) > 800
    book, tables = link(programs), link_tables(list(TABLES.values()))
    vector = np.array(list(VALUES.values()))
    stack = np.full(book.stack_depth + 1, 7.5)
    values = np.empty(len(programs))
    run_range(book.code, book.constants, book.begin, 0, values.size, vector, *tables, stack, values)
    # functions of NumPy and of the compiled library differ in the last bits, which cancellation may magnify
    np.testing.assert_allclose(values, expected, rtol=1e-11, atol=1e-11)
    one_by_one = [run(book.code, book.constants, book.begin, k, vector, *tables, stack) for k in range(values.size)]
    np.testing.assert_array_equal(one_by_one, values)
    assert stack[-1] == 7.5, "no program goes beyond the depth it declares"
    np.testing.assert_array_equal(vector, list(VALUES.values()))
