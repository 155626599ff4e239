"""The equations of a system as a module of Python: needs NumPy alone, and takes one state or many at once."""

from __future__ import annotations

import math
from collections.abc import Sequence

from floatframe.arrays import Array
from floatframe.hybrid.export.equations import Equations
from floatframe.hybrid.export.formulas import Language, lines_of
from floatframe.hybrid.export.graph import Value, needed
from floatframe.hybrid.export.heading import heading

_TRUTHS = {"lt": "<", "le": "<=", "eq": "==", "ne": "!=", "and": "&", "or": "|"}
_NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "pow": "power", "min": "minimum"}
_NAMES |= {"max": "maximum", "select": "where"}

_LOOK_UP = '''

def _look_up(x, table, order):
    """A table (order 0), its slope (1) or curvature (2) at x."""
    first, end = _TABLE_BEGIN[table], _TABLE_BEGIN[table + 1]
    piece = first + np.searchsorted(_TABLE_X[first + 1 : end], x, side="right")
    c0, c1, c2, c3 = np.moveaxis(_TABLE_COEFFICIENTS[piece], -1, 0)
    d = x - _TABLE_X[piece]
    if order == 0:
        return c0 + d * (c1 + d * (c2 + d * c3))
    return c1 + d * (2 * c2 + d * (3 * c3)) if order == 1 else 2 * c2 + d * (6 * c3)
'''


def python_code(equations: Equations) -> str:
    """The whole module."""
    system, start = equations.system, equations.system.start
    counts = {"NQ": system.nq, "NV": system.nv, "NZ": system.nz, "NLAMBDA": system.nlambda}
    counts["NANGLES"] = len(equations.angles)
    values = {
        "Q": start.q,
        "V": start.v,
        "Z": start.memory[system.tables.states["memory"]],
        "ANGLES": start.memory[list(equations.angle_places)],
    }
    parts = [
        '"""' + "\n".join(heading(equations)).replace("\\", "/"),
        "",
        "Arrays may have a further axis behind the first, for many states at once: q (nq, n), v (nv, n).",
        '"""\n\nimport numpy as np\n',
        *(f"{key} = {value}" for key, value in counts.items()),
        "# the start: coordinates, speeds, state variables, measured angles",
        *(f"START_{key} = np.array({_listed(array)})" for key, array in values.items()),
        *_tables(equations),
        *_functions(equations),
    ]
    return "\n".join(parts) + "\n"


def _listed(array: Array) -> str:
    return "[" + ", ".join(_number(float(value)) for value in array) + "]"


def _number(value: float) -> str:
    if math.isnan(value) or math.isinf(value):
        return "np.nan" if math.isnan(value) else "(-np.inf)" if value < 0 else "np.inf"
    return f"({value!r})" if value < 0 else repr(value)


def _call(operation: str, arguments: Sequence[str]) -> str:
    if operation == "not":
        return f"np.logical_not({arguments[0]})"
    if operation in _TRUTHS:
        return f"({arguments[0]} {_TRUTHS[operation]} {arguments[1]})"
    if operation == "table":
        return f"_look_up({', '.join(arguments)})"
    return f"np.{_NAMES.get(operation, operation)}({', '.join(arguments)})"


_PYTHON = Language(
    number=_number,
    input=lambda name, place: name if name == "t" else f"{name}[{place}]",
    define=lambda name, formula, truth: f"    {name} = {formula}",
    assign=lambda place, formula: f"    {place} = {formula}",
    call=_call,
)


def _tables(equations: Equations) -> list[str]:
    if not any(node.operation == "table" for node in needed((*equations.motion, *equations.angles))):
        return []
    tables = equations.system.tables
    rows = ",\n    ".join(map(_listed, tables.table_coefficients))
    return [
        f"_TABLE_BEGIN = {[int(k) for k in tables.table_begin]}",
        f"_TABLE_X = np.array({_listed(tables.table_x)})",
        f"_TABLE_COEFFICIENTS = np.array([\n    {rows}])",
        _LOOK_UP.rstrip(),
    ]


def _functions(equations: Equations) -> list[str]:
    nv = equations.system.nv
    rates = [(f"z_rate[{k}]", value) for k, value in enumerate(equations.state_rates)]
    results: list[tuple[str, Value]] = [(f"a[{k}]", value) for k, value in enumerate(equations.accelerations)]
    results += [(f"b[..., {k}]", value) for k, value in enumerate(equations.right)]
    results += [
        (f"A[..., {i}, {j}]", value)
        for i, row in enumerate(equations.matrix)
        for j, value in enumerate(row)
        if not (isinstance(value, float) and value == 0.0)
    ]
    n = len(equations.matrix)
    begin = [f"    A, b = np.zeros((*many, {n}, {n})), np.zeros((*many, {n}))"] if n else []
    end = [
        "    found = np.moveaxis(np.linalg.solve(A, b[..., None])[..., 0], -1, 0)",
        f"    return found[:{nv}], found[{nv}:], z_rate",
    ]
    coordinate_rates = [(f"q_rate[{k}]", value) for k, value in enumerate(equations.coordinate_rates)]
    angles = [(f"now[{k}]", value) for k, value in enumerate(equations.angles)]
    return [
        "\n\ndef accelerations(t, q, v, z=START_Z, angles=START_ANGLES):",
        '    """Accelerations (nv,), multipliers (nlambda,) and rates of the state variables (nz,)."""',
        "    q, v = np.asarray(q, float), np.asarray(v, float)",
        "    many = np.broadcast_shapes(q.shape[1:], v.shape[1:], np.shape(t))",
        "    a, z_rate = np.zeros((NV, *many)), np.zeros((NZ, *many))",
        *begin,
        '    with np.errstate(all="ignore"):  # what is not chosen may be no number',
        *(f"    {line}" for line in lines_of([*results, *rates], _PYTHON)),
        *(end if n else ["    return a, np.zeros((0, *many)), z_rate"]),
        "\n\ndef coordinate_rates(q, v):",
        '    """dq/dt (nq,)."""',
        "    q, v = np.asarray(q, float), np.asarray(v, float)",
        "    q_rate = np.zeros((NQ, *np.broadcast_shapes(q.shape[1:], v.shape[1:])))",
        *lines_of(coordinate_rates, _PYTHON),
        "    return q_rate",
        "\n\ndef measured_angles(q, angles=START_ANGLES):",
        '    """Measured angles at coordinates q near those last known, so that turns are counted."""',
        "    q = np.asarray(q, float)",
        "    now = np.zeros((NANGLES, *q.shape[1:]))",
        *lines_of(angles, _PYTHON),
        "    return now",
    ]
