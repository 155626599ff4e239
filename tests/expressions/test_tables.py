"""Look-up tables: interpolation against NumPy and SciPy, files of many dialects, faults with their line."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

from floatframe.errors import ModelError, ReadError
from floatframe.expressions.tables import Table, link_tables, read_table

X = np.array([-1.0, 0.0, 0.5, 2.0, 2.5, 4.0])
Y = np.array([0.0, 1.0, 1.0, -3.0, -2.0, 6.0])


def test_linear_inside_and_held_outside():
    table = Table(X, Y)
    at = np.linspace(-3, 6, 200)
    # slope times distance against NumPy's own form: rounding
    np.testing.assert_allclose([table.value(x) for x in at], np.interp(at, X, Y), atol=1e-14)
    assert table.value(X[-1]) == Y[-1]
    assert [table.value(x, 1) for x in (-2, -0.5, 0.2, 3, 5)] == pytest.approx([0, 1, 0, 16 / 3, 0])
    assert table.value(1.0, 2) == 0


def test_extrapolation_goes_on_with_the_end_slopes():
    table = Table(X, Y, extrapolate=True)
    assert table.value(-3) == pytest.approx(-2)
    assert table.value(5.5) == pytest.approx(6 + 1.5 * 8 / 1.5)
    cubic = Table(X, Y, extrapolate=True, kind="cubic")
    reference = PchipInterpolator(X, Y).derivative()
    assert cubic.value(5.5) == pytest.approx(6 + 1.5 * reference(4.0))
    assert cubic.value(-1.5, 1) == pytest.approx(reference(-1.0))


@pytest.mark.parametrize("seed", range(5))
def test_cubic_is_pchip(seed):
    dice = np.random.default_rng(seed)
    x, y = np.cumsum(dice.uniform(0.1, 2, 12)), dice.normal(size=12)
    table, reference = Table(x, y, kind="cubic"), PchipInterpolator(x, y)
    at = np.linspace(x[0], x[-1], 300)[:-1]
    for order in range(3):
        found = [table.value(v, order) for v in at]
        # the same cubic by other formulas: roundings of coefficients up to a few hundred
        np.testing.assert_allclose(found, reference.derivative(order)(at) if order else reference(at), atol=1e-11)


def test_cubic_through_two_points_is_a_line_and_keeps_monotone_data_monotone():
    assert Table([0, 2], [1, 5], kind="cubic").value(0.5) == pytest.approx(2)
    steps = Table([0, 1, 2, 3, 4], [0, 0, 1, 1, 9], kind="cubic")
    values = [steps.value(x) for x in np.linspace(0, 4, 400)]
    assert np.all(np.diff(values) >= 0)


def test_tables_cannot_be_changed():
    mine = np.array([0.0, 1.0])
    table = Table(mine, mine)
    mine[0] = 5
    assert table.x[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        table.x[0] = 1


def test_linked_tables_lie_one_after_another():
    book = link_tables([Table(X, Y), Table([0, 1], [2, 3])])
    assert book.begin.tolist() == [0, 7, 10]
    assert book.x.tolist() == [-1, *X, 0, 0, 1]
    assert book.coefficients.shape == (10, 4)
    assert book.coefficients[7].tolist() == [2, 0, 0, 0]
    assert link_tables([]).begin.tolist() == [0]


@pytest.mark.parametrize(
    ("x", "y", "says"),
    [
        ([0, 1, 1], [0, 1, 2], "table bump, row 3: x = 1 follows x = 1, expected increasing x"),
        ([0, 2, 1], [0, 1, 2], "row 3: x = 1 follows x = 2"),
        ([0, 1], [0, np.nan], "row 2: y is nan"),
        ([0, np.inf], [0, 1], "row 2: x is inf"),
        ([0], [0], "found 1 row, expected at least two"),
        ([], [], "found 0 rows"),
        ([0, 1], [0, 1, 2], "2 values x but 3 values y"),
        ([[0, 1]], [[0, 1]], "found an array of shape"),
        (["a", "b"], [0, 1], "x of table bump must be a list of numbers"),
    ],
)
def test_faults(x, y, says):
    with pytest.raises(ModelError) as caught:
        Table(x, y, name="bump")
    assert says in str(caught.value)


def test_unknown_kind():
    with pytest.raises(ModelError, match="kind 'step', expected one of linear, cubic"):
        Table([0, 1], [0, 1], kind="step")


@pytest.mark.parametrize(
    "text",
    [
        "0,1\n0.5,-2e1\n2,3\n",
        "x [m], F [N]\n0, 1\n0.5, -20\n\n2, 3",
        "# from the test rig\nx;F\n0;1\n0,5;-2,0e1  # kink\n2,0;3,0;\n",
        "% comment\n0 1\n  0.5\t-20  \n2 3",
        '"way","force"\n"0","1"\n"0.5","-20"\n"2","3"\n',
        "\ufeff0;1\r\n0.5;-20\r\n2;3\r\n",
    ],
)
def test_files_of_many_dialects(tmp_path, text):
    path = tmp_path / "damper.csv"
    path.write_text(text, encoding="utf-8")
    table = read_table(path, kind="cubic", extrapolate=True)
    assert table.x.tolist() == [0, 0.5, 2]
    assert table.y.tolist() == [1, -20, 3]
    assert (table.name, table.kind, table.extrapolate) == ("damper", "cubic", True)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0,1\n1,2\n1,3\n", ":3: x = 1 follows x = 1, expected increasing x"),
        ("x,y\n0,1\n\n1,nan\n", ":4: y is nan, expected a finite number"),
        ("0,1\n1;2;3\n", ":2: found '1;2;3', expected two numbers x and y"),
        ("0,1\none,2\n", ":2: found 'one,2', expected two numbers"),
        ("x,y\nm,N\n0,1\n", ":2: found 'm,N'"),
        ("O,1\n1,2\n2,3\n", ":1: found 'O,1', expected two numbers"),
        ("0,1,2\n", ":1: found '0,1,2', expected two numbers"),
        ("1,5 2,5\n3,5 4,5\n", ":1: found '1,5 2,5'"),
        ("0,1\n1,\n", ":2: found '1,'"),
        ("0 1\n", ":1: found 1 row, expected at least two"),
        ("# nothing\n", ": holds no rows of numbers"),
    ],
)
def test_faulty_files(tmp_path, text, says):
    path = tmp_path / "damper.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ReadError) as caught:
        read_table(path)
    assert f"{path}{says}" in str(caught.value)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(ReadError, match="No such file"):
        read_table(tmp_path / "missing.csv")
    with pytest.raises(ReadError, match="cannot be read"):
        read_table(tmp_path)
    binary = tmp_path / "binary.csv"
    binary.write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(ReadError, match="not a text file"):
        read_table(binary)


def test_spline_has_a_continuous_curvature():
    x = np.linspace(0.0, 3.0, 31)
    table = Table(x, np.sin(x), kind="spline")
    # the error of a cubic spline is of the fourth order in its step of 0.1
    at = np.linspace(0.1, 2.9, 57)
    assert [table.value(a) for a in at] == pytest.approx(np.sin(at), abs=1e-5)
    bends = [(table.value(a + 1e-4, 1) - table.value(a - 1e-4, 1)) / 2e-4 for a in x[5:-5]]
    assert bends == pytest.approx(-np.sin(x[5:-5]), abs=2e-3)
