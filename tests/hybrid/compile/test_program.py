"""Compiled expressions: arrays, linking, IEEE arithmetic of the kernel, wrong names."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe.errors import ModelError
from floatframe.expressions.expression import parse
from floatframe.expressions.functions import CATALOGUE
from floatframe.expressions.tables import Table, link_tables
from floatframe.hybrid.compile.program import OPERATION, Program, compile_program, link
from floatframe.hybrid.kernels import expression as machine

NO_TABLES = link_tables([])


def value(program: Program, slots: list[float], tables=NO_TABLES) -> float:
    book = link([program])
    return machine.run(book.code, book.constants, book.begin, 0, np.array(slots), *tables, np.empty(book.stack_depth))


def test_every_basic_function_has_its_own_operation():
    assert OPERATION.keys() == {name for name, function in CATALOGUE.items() if not function.definition}
    assert len(set(OPERATION.values())) == len(OPERATION)
    assert max(OPERATION.values()) < machine.FROM_SLOT


def test_leaves_are_pointed_at():
    program = compile_program(parse("torque - drag*rate"), {"rate": 5, "drag": 1, "torque": 2})
    assert program.code.tolist() == [
        *(machine.SLOT, 2),
        *(machine.SLOT, 1),
        *(machine.MULTIPLY + machine.FROM_SLOT, 5),
        *(machine.SUBTRACT, 0),
    ]
    assert program.constants.size == 0
    assert program.stack_depth == 2
    assert value(program, [0.0, 10, 100, 0, 0, 2]) == 80


def test_sums_with_a_leaf_need_no_stack():
    program = compile_program(parse("1 + 2*(3 + 4*x)"), {"x": 0})
    assert program.stack_depth == 1
    assert value(program, [5.0]) == 47


def test_constant_parts_are_worked_out_beforehand():
    program = compile_program(parse("sin(2*pi/4)*x^(1 + 1)"), {"x": 0})
    assert program.code.tolist() == [machine.SLOT, 0, machine.SQUARE, 0]


def test_linked_programs_keep_their_constants():
    texts = ["3.5", "x + 10", "20*x - 30", "x"]
    book = link([compile_program(parse(text), {"x": 0}) for text in texts])
    slots, stack = np.array([2.0]), np.empty(book.stack_depth)
    values = np.full(4, -1.0)
    machine.run_range(book.code, book.constants, book.begin, 1, 4, slots, *NO_TABLES, stack, values)
    assert values.tolist() == [-1, 12, 10, 2]
    assert machine.run(book.code, book.constants, book.begin, 0, slots, *NO_TABLES, stack) == 3.5
    empty = link([])
    assert empty.begin.tolist() == [0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1/x", np.inf),
        ("-1/x", -np.inf),
        ("log(x)", -np.inf),
        ("sqrt(x - 1)", np.nan),
        ("asin(x + 2)", np.nan),
        ("(x - 1)^0.5", np.nan),
        ("mod(1, x)", np.nan),
        ("exp(1000 + x)", np.inf),
        ("floor(1e300 + x)", 1e300),
        ("min(x/x, 1)", np.nan),
        ("max(1, x/x)", np.nan),
        ("sign(x/x)", np.nan),
        ("if(x > 0, log(x), 5)", 5),
    ],
)
def test_kernel_follows_ieee_arithmetic_and_never_raises(text, expected):
    np.testing.assert_equal(value(compile_program(parse(text), {"x": 0}), [0.0]), expected)


def test_table_outside_its_range_and_for_no_number():
    table = Table([0.0, 1.0, 3.0], [1.0, 2.0, 0.0])
    book = link_tables([Table([5.0, 6.0], [7.0, 8.0]), table])
    program = compile_program(parse("table(c, x)"), {"x": 0}, {"c": 1})
    for x in (-1.0, 0.0, 0.5, 1.0, 2.5, 3.0, 9.0):
        assert value(program, [x], book) == np.interp(x, [0, 1, 3], [1, 2, 0])
    assert np.isnan(value(program, [np.nan], book))


def test_look_up_finds_its_piece_in_any_spacing():
    dice = np.random.default_rng(5)
    x = np.unique(np.r_[np.geomspace(1e-6, 1e6, 200), dice.uniform(0, 1e6, 50)])
    y = dice.normal(size=x.size)
    book = link_tables([Table(x, y)])
    program = compile_program(parse("table(c, x)"), {"x": 0}, {"c": 0})
    at = np.r_[x, (x[1:] + x[:-1]) / 2, dice.uniform(0, 1e6, 100)]
    found = [value(program, [v], book) for v in at]
    # slopes times distances against weighted means: roundings of values of order one
    np.testing.assert_allclose(found, np.interp(at, x, y), atol=1e-13)


def test_wrong_names_are_reported_with_the_nearest():
    with pytest.raises(ModelError, match=r"force drive: unknown name 'raet' .* did you mean rate\?"):
        compile_program(parse("0*raet", where="force drive"), {"rate": 0, "angle": 1})
    with pytest.raises(ModelError, match=r"unknown table 'curv' .* did you mean curve\?"):
        compile_program(parse("table(curv, x)"), {"x": 0}, {"curve": 0})
    with pytest.raises(ModelError, match=r"did you mean crank.angular_velocity.z"):
        compile_program(parse("crank.angular_velocty.z"), {"crank.angular_velocity.z": 0, "t": 1})


def test_derivatives_of_long_products_are_short():
    """Slope and curvature at x = 0 of a product of 1000 factors (1 + a x): sum a, and (sum a)^2 - sum a^2."""
    a = np.arange(1, 1001) / 1000
    product = parse("*".join(f"(1 + {one}*x)" for one in a.tolist()))
    slope = product.derivative("x")
    curvature = slope.derivative("x")
    programs = [compile_program(expression, {"x": 0}) for expression in (product, slope, curvature)]
    # by the rule of products every factor adds a few operations; written out it would be a million, and a milliard
    assert [program.code.size < 40_000 for program in programs] == [True] * 3
    # rounding of some thousand sums and products
    np.testing.assert_allclose(value(programs[1], [0.0]), a.sum(), rtol=1e-12)
    np.testing.assert_allclose(value(programs[2], [0.0]), a.sum() ** 2 - (a**2).sum(), rtol=1e-12)


def test_nested_definitions_are_short():
    """A step whose level before it is a step …: 2^40 terms if it were written out."""
    text = "x"
    for _ in range(40):
        text = f"step(x, 0, {text}, 1, 2)"
    law = parse(text).simplified()
    assert str(law).startswith("an expression of ")
    for x in (-0.5, 0.3, 0.9):
        assert value(compile_program(law, {"x": 0}), [x]) == parse(text).evaluate({"x": x})


def test_equal_parts_are_worked_out_once():
    program = compile_program(parse("sin(x)*cos(x) + sin(x)/(1 + cos(x))"), {"x": 0})
    operations = program.code[::2].tolist()
    assert (operations.count(machine.SIN), operations.count(machine.COS)) == (1, 1)
    assert value(program, [0.4]) == np.sin(0.4) * np.cos(0.4) + np.sin(0.4) / (1 + np.cos(0.4))


def test_zeros_of_both_signs_stay_apart():
    assert value(compile_program(parse("atan2(x, 0) + 0*atan2(x, -0.0) - atan2(x, -0.0)"), {"x": 0}), [0.0]) == -np.pi


def test_programs_without_end_are_refused(monkeypatch):
    monkeypatch.setattr("floatframe.hybrid.compile.program.MOST_PARTS", 5)
    with pytest.raises(ModelError, match="force drive: it has 6 parts when written out, at most 5 are taken"):
        compile_program(parse("sin(x) + cos(x) + tan(x)", where="force drive"), {"x": 0})
