"""Code that stands alone: written to a file, after its formulas were compared with the system they come from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError, NotConverged
from floatframe.hybrid.assembly import CompiledSystem, State
from floatframe.hybrid.export.c_code import c_code
from floatframe.hybrid.export.equations import Equations, equations_of
from floatframe.hybrid.export.graph import Value, evaluated
from floatframe.hybrid.export.python_code import python_code
from floatframe.hybrid.kernels import expression
from floatframe.io import complete_file

AGREEMENT = 1e-9  # of the accelerations, relative to the largest; beyond that something is wrong
_STATES = 20  # at which formulas and system are compared
# how far these states are from the start: speeds [m/s, rad/s], coordinates [m, rad], modes as a share of that, since
# a body that is bent by its own length has no mass matrix
_SPEED, _SHIFT, _BENT = 0.5, 0.1, 1e-3


@dataclass(frozen=True)
class Exported:
    """What was written: the file, its counts, and how far its formulas are from the system."""

    path: Path
    operations: int  # of an evaluation, without that of a linear system
    solved: int  # rows of the linear system that the code solves, 0 if there is none
    states: int  # that formulas and system were compared at
    error: float  # of the accelerations there, relative to the largest


def export_code(system: CompiledSystem, path: str | Path) -> Exported:
    """Write the equations of motion of a system as C (`.c`) or as Python with NumPy (`.py`).

    The numbers of the model are folded into the formulas; the top of the file says what its functions take. What is no
    formula of time and state is refused: wheels on rails, stages, friction that sticks, functions of Python, values
    that blocks hold.
    """
    path = Path(path)
    if path.suffix not in (".c", ".py"):
        raise ModelError(f"'{path}' has the suffix '{path.suffix}', expected .c or .py")
    equations = equations_of(system)
    error = _error(equations, random_states(system, _STATES))
    if not np.isfinite(error):
        raise NotConverged(
            f"the accelerations of '{system.model.name}' are no numbers at states near the start; "
            "look for a division by zero or a number beyond 1e308 in its expressions"
        )
    if not error < AGREEMENT:
        raise NotConverged(
            f"the formulas of '{system.model.name}' differ from the system by {error:.1e} of the accelerations, "
            f"expected less than {AGREEMENT:.0e}; its equations are close to singular at states near the start"
        )
    code = c_code(equations, function_prefix(path)) if path.suffix == ".c" else python_code(equations)
    with complete_file(path) as new:
        new.write_text(code, encoding="utf-8")
    return Exported(path, equations.operations, len(equations.matrix), _STATES, error)


def function_prefix(path: Path) -> str:
    """What the names of functions begin with: the name of the file as far as C takes it."""
    name = re.sub(r"\W", "_", path.stem, flags=re.ASCII)
    return f"model_{name}" if not name or name[0].isdigit() else name


def random_states(system: CompiledSystem, count: int, seed: int = 1) -> list[State]:
    """States around the start, not consistent with the joints; the equations hold there too."""
    rng = np.random.default_rng(seed)
    start, states = system.start, []
    places = system.tables.states["memory"]
    sizes = np.where(system.tables.dofs["link"] < 0, _BENT, 1.0)
    evaluation = system.evaluation(start)
    for _ in range(count):
        q = evaluation.moved(start.q, _SHIFT * sizes * rng.standard_normal(system.nv))
        memory = start.memory.copy()
        memory[places] += rng.standard_normal(len(places))
        states.append(State(rng.uniform(), q, start.v + _SPEED * sizes * rng.standard_normal(system.nv), memory))
    return states


def _error(equations: Equations, states: list[State]) -> float:
    """Largest difference of the accelerations of formulas and system, relative to the largest; inf without numbers."""
    found = accelerations_of(equations, states)
    expected = np.column_stack([equations.system.accelerations(state)[0] for state in states])
    if not (np.isfinite(found).all() and np.isfinite(expected).all()):
        return np.inf
    return float(np.abs(found - expected).max(initial=0.0) / max(np.abs(expected).max(initial=0.0), 1e-300))


def accelerations_of(equations: Equations, states: list[State]) -> Array:
    """Accelerations (nv, nstate) by the formulas."""
    system, count = equations.system, len(states)
    places = system.tables.states["memory"]
    inputs = {
        "t": np.array([[state.t for state in states]]),
        "q": np.column_stack([state.q for state in states]),
        "v": np.column_stack([state.v for state in states]),
        "z": np.column_stack([state.memory[places] for state in states]),
        "angles": np.column_stack([state.memory[list(equations.angle_places)] for state in states]),
    }
    tables = system.tables
    look: Callable[..., float] = expression.look_up  # plain Python when called from Python

    def look_up(x: Array, number: int, order: int) -> Array:
        book = tables.table_begin, tables.table_x, tables.table_coefficients
        return np.array([look(number, one, order, *book) for one in np.broadcast_to(x, count)])

    def columns(values: Iterable[Value]) -> Array:
        return np.array([np.broadcast_to(value, count) for value in evaluated(values, inputs, look_up)])

    if not equations.matrix:
        return columns(equations.accelerations)
    n = len(equations.matrix)
    matrix = columns([value for row in equations.matrix for value in row]).reshape(n, n, count)
    right = columns(equations.right)
    solution = np.linalg.solve(np.moveaxis(matrix, -1, 0), right.T[..., None])
    return np.asarray(solution[:, : system.nv, 0].T)
