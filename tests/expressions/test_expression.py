"""Expressions of model files: grammar, functions, derivatives, and what is said about mistakes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from floatframe.errors import ModelError
from floatframe.expressions.expression import Expression, parse
from floatframe.expressions.functions import FUNCTIONS
from floatframe.expressions.parser import RESERVED
from floatframe.expressions.tables import Table


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 + 3*4", 14),
        ("2^3^2", 512),  # from the right
        ("2**3**2", 512),
        ("-2^2", -4),
        ("(-2)^2", 4),
        ("2^-1", 0.5),
        ("8/4/2", 1),  # from the left
        ("8 - 4 - 2", 2),
        ("--3", 3),
        ("+3 - -3", 6),
        ("1e-3*1E3", 1),
        (".5 + 5.", 5.5),
        ("1 < 2", 1),
        ("not 1 < 2", 0),
        ("not 0 and 0", 0),  # (not 0) and 0
        ("1 or 0 and 0", 1),  # 1 or (0 and 0)
        ("0.1 + 0.2 == 0.3", 0),  # IEEE arithmetic
        ("2 and -0.5", 1),
        ("(1 < 2) + (2 <= 2) + (3 > 3) + (3 >= 3) + (1 != 2)", 4),
        ("1 +\n  2", 3),
        ("cos(pi) + log(e)", 0),
    ],
)
def test_grammar(text, value):
    assert parse(text).evaluate() == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("atan2(1, -1)", 0.75 * math.pi),  # y first
        ("mod(-1, 3)", 2),
        ("mod(1, -3)", -2),
        ("min(3, 1, 2) + 10*max(3, 1, 2)", 31),
        ("sign(-3) + 10*sign(0) + 100*sign(2)", 99),
        ("floor(-1.5) + 10*ceil(-1.5)", -12),
        ("hypot(3, 4)", 5),
        ("pow(2, 10)", 1024),
        ("clamp(5, -1, 2) + 10*clamp(-5, -1, 2) + 100*clamp(0.5, -1, 2)", 42),
        ("deadband(0.3, 0.5)", 0),
        ("deadband(2, 0.5) + 10*deadband(-2, 0.5)", -13.5),
        ("heaviside(0) + 10*heaviside(-1e-9)", 1),
        ("ramp(1.5, 1, 3)", 0.25),
        ("ramp(0, 1, 3) + 10*ramp(7, 1, 3)", 10),
        ("pulse(1, 1, 2) + 10*pulse(2, 1, 2) + 100*pulse(0.5, 1, 2)", 1),
        ("step(0, 1, 5, 3, 9) + 10*step(4, 1, 5, 3, 9)", 95),
        ("step(1.5, 1, 5, 3, 9)", 5 + 4 * 0.25**2 * (3 - 0.5)),
        ("haversine(1.5, 1, 5, 3, 9)", 7 + 2 * math.sin(0.25 * math.pi - math.pi / 2)),
        ("deg(pi/2)", 90),
        ("rad(180)", math.pi),
        ("if(0, 1, 2) + 10*if(-1, 1, 2)", 12),
        ("if(1, 2, 1/0)", 2),  # only the result has to be finite
    ],
)
def test_functions(text, value):
    # a few roundings of numbers of order one to a hundred
    assert parse(text).evaluate() == pytest.approx(value, abs=1e-13)


def test_names():
    expression = parse("torque - drag*crank.angular_velocity.z + rod.node[101].displacement.x*table(bump.curve, t)/pi")
    assert expression.names == {"torque", "drag", "crank.angular_velocity.z", "rod.node[101].displacement.x", "t"}
    assert expression.tables == {"bump.curve"}
    assert parse("exp1 + e1 + ändern + axle[front].q").names == {"exp1", "e1", "ändern", "axle[front].q"}
    assert parse("2*e").is_constant
    assert not parse("table(c, 1)").is_constant


def test_plain_numbers():
    assert parse(3).evaluate() == 3
    assert parse(-2.5e-3) == parse("-2.5e-3")


def test_substitute_and_simplify():
    torque = parse("torque - drag*rate")
    filled = torque.substitute({"torque": 100, "drag": parse("2*5"), "unused": 1.0})
    assert filled.names == {"rate"}
    assert str(filled) == "100 - 2 * 5 * rate"
    assert str(filled.simplified()) == "100 - 10 * rate"
    assert torque.names == {"torque", "drag", "rate"}, "the original stays"
    # parentheses come where a replacement needs them
    assert parse("a*b^2").substitute({"a": parse("x + 1"), "b": -3.0}) == parse("(x + 1)*(-3)^2")
    assert str(parse("0*x + 1*y^1 - 0").simplified()) == "y"
    assert str(parse("step(x, 0, 0, 2, 2^2)").simplified()) == "4 * smoothstep(x / 2)"
    # what has no finite value stays as it is written
    assert str(parse("x + 1/0").simplified()) == "x + 1 / 0"


def test_equal_expressions_are_written_the_same():
    assert parse("a+b") == parse(" a + (b) ")
    assert parse("a+b") != parse("b+a")
    assert len({parse("a*b"), parse("(a*b)"), parse("a/b")}) == 2
    assert parse("a") != "a"


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("amplitude*sin(omega*t)", "a*w*cos(w*t)", "-a*w^2*sin(w*t)"),
        ("t^3 - 2*t", "3*t^2 - 2", "6*t"),
        ("2^t", "2^t*log(2)", "2^t*log(2)^2"),
        ("t^t", "t^t*(log(t) + 1)", "t^t*((log(t) + 1)^2 + 1/t)"),
        ("abs(t - 1)", "if(t > 1, 1, -1)", "0"),
        ("min(t, 1) + max(t, 1)", "1", "0"),
        ("clamp(t, 0, 1)", "t < 1", "0"),
        ("if(t < 1, t^2, 2*t)", "if(t < 1, 2*t, 2)", "if(t < 1, 2, 0)"),
        ("sign(t) + heaviside(t) + floor(t) + (t < 3)", "0", "0"),
        ("step(t, 0.2, 1, 2.2, 5)", "4*6*(t - 0.2)/2*(1 - (t - 0.2)/2)/2", "4*6*(1 - (t - 0.2))/4"),
        ("haversine(t, 0.2, 1, 2.2, 5)", "pi*sin(pi*(t - 0.2)/2)", "pi^2/2*cos(pi*(t - 0.2)/2)"),
        ("deadband(t, 0.25)", "1", "0"),
        ("mod(5*t, 2)", "5", "0"),
        ("mod(5*t, 2*t + 0.1)", "1", "0"),  # 5*t - 2*(2*t + 0.1) at all three times
        ("hypot(t, 2)", "t/sqrt(t^2 + 4)", "4/(t^2 + 4)^1.5"),
        ("atan2(t, 2)", "2/(t^2 + 4)", "-4*t/(t^2 + 4)^2"),
        ("atan2(2, t)", "-2/(t^2 + 4)", "4*t/(t^2 + 4)^2"),
        ("log10(t)/asin(0.3)", "1/(t*log(10)*asin(0.3))", "-1/(t^2*log(10)*asin(0.3))"),
    ],
)
def test_derivatives_worked_out_by_hand(text, first, second):
    motion = parse(text)
    velocity = motion.derivative("t")
    acceleration = velocity.derivative("t")
    names = {"a": 0.7, "w": 3.0, "amplitude": 0.7, "omega": 3.0}
    for t in (0.4, 0.9, 1.6):
        # the same formula in another order: a few roundings
        expected = parse(first).evaluate(names | {"t": t})
        assert velocity.evaluate(names | {"t": t}) == pytest.approx(expected, rel=1e-13, abs=1e-14)
        expected = parse(second).evaluate(names | {"t": t})
        assert acceleration.evaluate(names | {"t": t}) == pytest.approx(expected, rel=1e-12, abs=1e-13)


def test_clamps_that_meet_have_one_slope_there():
    """A drive of three pieces that goes on at one speed: twice that speed where they meet would be a shock."""
    motion = parse("clamp(t, 0, 5) + clamp(t - 5, 0, 8) + clamp(t - 13, 0, 10)")
    for t in (0.0, 4.0, 5.0, 6.0, 13.0, 20.0):
        assert motion.derivative("t").evaluate({"t": t}) == 1.0


def test_derivative_of_a_table():
    x = np.linspace(0, 2, 9)
    tables = {"c": Table(x, np.sin(x), kind="cubic")}
    motion = parse("table(c, t^2)")
    velocity, acceleration = motion.derivative("t"), motion.derivative("t").derivative("t")
    # off the knots; a central difference of sixth order over one cubic piece leaves rounding only
    t, h = 0.6, 1e-3
    weights = {1: 45, 2: -9, 3: 1}

    def difference(f: Expression) -> float:
        at = {k: f.evaluate({"t": t + k * h}, tables) - f.evaluate({"t": t - k * h}, tables) for k in weights}
        return sum(weight * at[k] for k, weight in weights.items()) / (60 * h)

    assert velocity.evaluate({"t": t}, tables) == pytest.approx(difference(motion), rel=1e-11)
    assert acceleration.evaluate({"t": t}, tables) == pytest.approx(difference(velocity), rel=1e-11)
    with pytest.raises(ModelError, match=r"motion: table_curvature\(c, …\) cannot be differentiated"):
        parse("table_curvature(c, t)", where="motion").derivative("t")


def test_long_sums_and_products_are_no_trouble():
    text = " + ".join(f"{k}*x" for k in range(2000))
    expression = parse(text)
    assert expression.evaluate({"x": 2.0}) == 2000 * 1999
    assert expression.derivative("x").evaluate() == 2000 * 1999 / 2
    assert parse(str(expression)) == expression


@pytest.mark.parametrize(
    ("text", "says", "column"),
    [
        ("a + * b", "found '*', expected a number, a name, a function or '('", 5),
        ("a +", "found the end of the expression, expected a number", 4),
        ("", "found the end of the expression", 1),
        ("(a + b", "found the end of the expression, expected an operator or ')'", 7),
        ("a + b)", "found ')', expected an operator or the end", 6),
        ("max(a, b", "expected an operator, ',' or ')'", 9),
        ("sin()", "found 0 arguments, expected sin(x)", 1),
        ("1 + clamp(1, 2)", "found 2 arguments, expected clamp(x, low, high)", 5),
        ("min(1)", "found 1 argument, expected min(x, y, …)", 1),
        ("sni(x)", "unknown function 'sni'; did you mean sin?", 1),
        ("2*Sqrt(x)", "unknown function 'Sqrt'; did you mean sqrt?", 3),
        ("sin + 1", "sin is a function, expected sin(x)", 1),
        ("2x", "found 'x', expected an operator; multiplication needs its '*', units are left out", 2),
        ("a b", "found 'b', expected an operator or the end", 3),
        ("x = 3", "found '=', expected '==' to compare", 3),
        ("a && b", "found '&', expected 'and'", 3),
        ("1 < x < 2", "comparisons do not chain", 7),
        ("a + not b", "found 'not'", 5),
        ("1,5", "found ',', expected an operator", 2),
        ("rod.node[101", "and ']' behind '['", 9),
        ("rod.", "a name next to the dot", 4),
        ("table(3, x)", "expected the name of a table as in table(table, x)", 7),
        ("table(c)", "expected ',' as in table(table, x)", 8),
        ("a\n+ $", "found '$', expected a number, a name or an operator", 3),
        ("1e999", "found 1e999, expected a number below 1.8e308", 1),
        ("__import__('os').system('true')", 'found "\'"', 12),
        ("__import__(os)", "unknown function '__import__'", 1),
        ("(lambda: 1)()", "found ':'", 8),
        ("x.__class__()", "unknown function 'x.__class__'", 1),
        ("a; b", "found ';'", 2),
        ("x\0", "found '\\x00'", 2),
    ],
)
def test_mistakes_are_shown_with_their_place(text, says, column):
    with pytest.raises(ModelError) as caught:
        parse(text, where="force drive")
    message, line, caret = str(caught.value).rsplit("\n", 2)
    assert message.startswith("force drive: ")
    assert says in message
    assert f"(column {column}" in message
    assert line == "    " + text.split("\n")[-1]
    assert caret == "    " + " " * (column - 1) + "^"


@pytest.mark.parametrize(
    "text", ["(" * 100_000, "-" * 5000 + "x", "2^" * 5000 + "2", "not " * 5000 + "x", "sin(" * 5000]
)
def test_deep_nesting_is_refused(text):
    with pytest.raises(ModelError, match="more than 100 levels of nesting"):
        parse(text)


def test_nesting_within_reason_is_fine():
    assert parse("(" * 90 + "1" + ")" * 90).evaluate() == 1
    assert parse("sin(" * 49 + "-x" + ")" * 49).derivative("x").evaluate({"x": 0.0}) == -1


def test_endless_text_is_refused():
    with pytest.raises(ModelError, match="has 100001 characters"):
        parse("1" * 100_001)


@pytest.mark.parametrize("wrong", [True, None, [1], math.nan, math.inf, 10**400])
def test_only_texts_and_finite_numbers(wrong):
    with pytest.raises(ModelError, match="expected a"):
        parse(wrong)


def test_wrong_names_and_values_when_evaluated():
    with pytest.raises(ModelError, match=r"force drive: unknown name 'raet' in '2 \* raet'; did you mean rate\?"):
        parse("2*raet", where="force drive").evaluate({"rate": 1.0, "t": 0.0})
    with pytest.raises(ModelError, match=r"unknown name 'x'.*; known here: nothing"):
        parse("x").evaluate()
    with pytest.raises(ModelError, match=r"unknown table 'crve'.*did you mean curve\?"):
        parse("table(crve, 1)").evaluate({}, {"curve": Table([0, 1], [0, 1])})
    with pytest.raises(ModelError, match=r"no finite value for '1 \+ log\(x - 2\)': log\(x - 2\) is nan for x = 1"):
        parse("1 + log(x - 2)").evaluate({"x": 1.0})
    with pytest.raises(ModelError, match="1 / 0 is inf"):
        parse("1/0").evaluate()
    with pytest.raises(ModelError, match="finite"):
        parse("x").substitute({"x": math.nan})


def test_reserved_words_cover_what_has_a_meaning():
    assert {"pi", "e", "and", "or", "not", "sin", "table", "if"} <= RESERVED
    assert not RESERVED & {"t", "rate", "angle", "x"}


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - {"table_curvature"}))
def test_every_function_can_be_called_and_differentiated(name):
    arguments = ["c" if p == "table" else f"{0.3 + 0.1 * i}*x" for i, p in enumerate(FUNCTIONS[name].parameters)]
    expression = parse(f"{name}({', '.join(arguments)})")
    tables = {"c": Table([0.0, 1.0, 2.0], [0.0, 1.0, 4.0], kind="cubic")}
    x, h = 0.83, 1e-4
    ahead, back = (expression.evaluate({"x": x + s * h}, tables) for s in (1, -1))
    # central difference: error h² f'''/6 ~ 1e-8 times third derivatives of order ten
    slope = (ahead - back) / (2 * h)
    assert expression.derivative("x").evaluate({"x": x}, tables) == pytest.approx(slope, rel=1e-6, abs=1e-6)


def test_names_in_brackets_may_have_several_words():
    assert parse("2*frame.node[point 4].position.z").names == {"frame.node[point 4].position.z"}
