"""The equations of a system as a file of C: needs a C99 compiler and its mathematical library, nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from floatframe.hybrid.export.equations import Equations
from floatframe.hybrid.export.formulas import Language, lines_of
from floatframe.hybrid.export.graph import Value, needed
from floatframe.hybrid.export.heading import heading

_TRUTHS = {"lt": "<", "le": "<=", "eq": "==", "ne": "!=", "and": "&&", "or": "||"}
_NAMES = {"abs": "fabs", "min": "fmin", "max": "fmax", "mod": "modulo", "table": "look_up"}

_MODULO = """
/* x modulo y, with the sign of y */
static double modulo(double x, double y)
{
    const double rest = fmod(x, y);
    return rest != 0.0 && (rest < 0.0) != (y < 0.0) ? rest + y : rest;
}
"""
_LOOK_UP = """
/* a table (order 0), its slope (1) or curvature (2) at x: cubic pieces, the first and the last reach to infinity */
static double look_up(double x, int table, int order)
{
    int low = table_begin[table] + 1, high = table_begin[table + 1] - 1, piece, middle;
    if (x >= table_x[high]) piece = high;
    else if (!(x >= table_x[low - 1])) piece = low - 1;
    else {
        while (high - low > 1) {
            middle = (low + high) / 2;
            if (x < table_x[middle]) high = middle; else low = middle;
        }
        piece = low;
    }
    const double *c = table_coefficients[piece], d = x - table_x[piece];
    if (order == 0) return c[0] + d * (c[1] + d * (c[2] + d * c[3]));
    if (order == 1) return c[1] + d * (2.0 * c[2] + d * (3.0 * c[3]));
    return 2.0 * c[2] + d * (6.0 * c[3]);
}
"""
_SOLVE = """
/* b <- A^-1 b by elimination with row pivoting; 0, or 1 if A is singular */
static int solve(double A[N][N], double b[N])
{
    for (int k = 0; k < N; k++) {
        int p = k;
        for (int i = k + 1; i < N; i++)
            if (fabs(A[i][k]) > fabs(A[p][k])) p = i;
        if (!(fabs(A[p][k]) > 0.0)) return 1;
        if (p != k) {
            double c = b[k]; b[k] = b[p]; b[p] = c;
            for (int j = k; j < N; j++) { c = A[k][j]; A[k][j] = A[p][j]; A[p][j] = c; }
        }
        const double inverse = 1.0 / A[k][k];
        for (int i = k + 1; i < N; i++) {
            if (A[i][k] == 0.0) continue;
            const double factor = A[i][k] * inverse;
            for (int j = k + 1; j < N; j++) A[i][j] -= factor * A[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int i = N - 1; i >= 0; i--) {
        for (int j = i + 1; j < N; j++) b[i] -= A[i][j] * b[j];
        b[i] /= A[i][i];
    }
    return 0;
}
"""


def c_code(equations: Equations, name: str) -> str:
    """The whole file; functions and numbers in it begin with `name`."""
    system, start, big = equations.system, equations.system.start, name.upper()
    counts = {"NQ": system.nq, "NV": system.nv, "NZ": system.nz, "NLAMBDA": system.nlambda}
    counts["NANGLES"] = len(equations.angles)
    values = {
        "q": start.q,
        "v": start.v,
        "z": start.memory[system.tables.states["memory"]],
        "angles": start.memory[list(equations.angle_places)],
    }
    parts = [
        "/* " + "\n".join(f"{' * ' if k else ''}{line}".rstrip() for k, line in enumerate(_usage(equations, name))),
        " */\n#include <math.h>\n",
        "\n".join(f"#define {big}_{key} {value}" for key, value in counts.items()),
        "\n/* the start: coordinates, speeds, state variables, measured angles */",
        *(f"const double {name}_start_{key}[] = {_braced(array)};" for key, array in values.items()),
        *_helpers(equations),
        *_functions(equations, name),
    ]
    return "\n".join(parts) + "\n"


def _usage(equations: Equations, name: str) -> list[str]:
    return [
        *heading(equations),
        "",
        f"int {name}_accelerations(double t, const double *q, const double *v, const double *z,",
        "        const double *angles, double *a, double *lambda, double *z_rate);",
        f"    accelerations a[{equations.system.nv}] and multipliers lambda[{equations.system.nlambda}] of the "
        "constraints; returns 0, or 1 if the equations are singular",
        f"void {name}_coordinate_rates(const double *q, const double *v, double *q_rate);",
        f"    dq/dt [{equations.system.nq}]; quaternions are scalar first",
        f"void {name}_angles(const double *q, double *angles);",
        "    brings measured angles up to date after a step, so that turns are counted",
        "Arrays of length zero may be null pointers. Compile with: cc -O2 -c FILE.c, link with -lm.",
    ]


def _braced(array: Iterable[float]) -> str:
    """Numbers as an initialiser; C has no arrays of length zero."""
    return "{" + (", ".join(_number(float(value)) for value in array) or "0.0") + "}"


def _number(value: float) -> str:
    if math.isnan(value) or math.isinf(value):
        return "NAN" if math.isnan(value) else "(-INFINITY)" if value < 0 else "INFINITY"
    return f"({value!r})" if value < 0 else repr(value)


def _call(operation: str, arguments: Sequence[str]) -> str:
    if operation == "select":
        return f"({arguments[0]} ? {arguments[1]} : {arguments[2]})"
    if operation == "not":
        return f"(!{arguments[0]})"
    if operation in _TRUTHS:
        return f"({arguments[0]} {_TRUTHS[operation]} {arguments[1]})"
    return f"{_NAMES.get(operation, operation)}({', '.join(arguments)})"


_C = Language(
    number=_number,
    input=lambda name, place: name if name == "t" else f"{name}[{place}]",
    define=lambda name, formula, truth: f"    const {'int' if truth else 'double'} {name} = {formula};",
    assign=lambda place, formula: f"    {place} = {formula};",
    call=_call,
)


def _helpers(equations: Equations) -> list[str]:
    """The functions that these equations call."""
    operations = {node.operation for node in needed((*equations.motion, *equations.angles))}
    found = [_MODULO] if "mod" in operations else []
    if "table" in operations:
        tables = equations.system.tables
        begin = ", ".join(str(int(k)) for k in tables.table_begin)
        rows = ",\n    ".join(map(_braced, tables.table_coefficients))
        found += [
            f"\nstatic const int table_begin[] = {{{begin}}};",
            f"static const double table_x[] = {_braced(tables.table_x)};",
            f"static const double table_coefficients[][4] = {{\n    {rows}}};",
            _LOOK_UP,
        ]
    if equations.matrix:
        found += [f"\n#define N {len(equations.matrix)}", _SOLVE]
    return found


def _functions(equations: Equations, name: str) -> list[str]:
    nv, nl = equations.system.nv, equations.system.nlambda
    rates = [(f"z_rate[{k}]", value) for k, value in enumerate(equations.state_rates)]
    results: list[tuple[str, Value]] = [(f"a[{k}]", value) for k, value in enumerate(equations.accelerations)]
    results += [(f"b[{k}]", value) for k, value in enumerate(equations.right)]
    results += [
        (f"A[{i}][{j}]", value)
        for i, row in enumerate(equations.matrix)
        for j, value in enumerate(row)
        if not (isinstance(value, float) and value == 0.0)
    ]
    accelerations = lines_of([*results, *rates], _C)
    if equations.matrix:
        accelerations = [
            "    double A[N][N] = {{0.0}}, b[N];",
            *accelerations,
            "    if (solve(A, b)) return 1;",
            f"    for (int k = 0; k < {nv}; k++) a[k] = b[k];",
            f"    for (int k = 0; k < {nl}; k++) lambda[k] = b[{nv} + k];" if nl else "",
        ]
    unused = "    (void)t; (void)q; (void)v; (void)z; (void)angles; (void)lambda; (void)z_rate;"
    coordinate_rates = [(f"q_rate[{k}]", value) for k, value in enumerate(equations.coordinate_rates)]
    angles = [(f"angles[{k}]", value) for k, value in enumerate(equations.angles)]
    return [
        f"\nint {name}_accelerations(double t, const double *q, const double *v, const double *z,",
        "        const double *angles, double *a, double *lambda, double *z_rate)\n{",
        *filter(None, (unused, *accelerations)),
        "    return 0;\n}",
        f"\nvoid {name}_coordinate_rates(const double *q, const double *v, double *q_rate)\n{{",
        *("    (void)q; (void)v; (void)q_rate;", *lines_of(coordinate_rates, _C)),
        "}",
        f"\nvoid {name}_angles(const double *q, double *angles)\n{{",
        *("    (void)q; (void)angles;", *lines_of(angles, _C)),
        "}",
    ]
