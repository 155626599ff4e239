"""What the runs are compared with: two integrations at tight tolerances that share nothing but the equations.

They are kept in `references.json` with their distance, and computed again by `bench_precision --references`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.precision.measure import error_of, integrated
from benchmarks.precision.problems import FOUR_BARS, Problem
from floatframe.arrays import Array
from tests.hybrid.problems import four_bars_acceleration

AGREEMENT = 1e-10  # relative distance allowed between the two
PATIENCE = 900.0  # s of processor time for one of them
_FILE = Path(__file__).with_name("references.json")
_OURS: dict[str, Any] = {"method": "rk45", "rtol": 1e-13}
# what holds the constraints is another in the second: rows that return instead of projection
_THEIRS: dict[str, Any] = {"method": "scipy:DOP853", "rtol": 1e-13, "stabilisation": (20.0, 20.0)}

#: problems that solvers in Python take long for, so that both ways are compiled; stiff forces are rounded above
#: smaller tolerances
_STIFF = ("contact", "flexible_crank", "stiffened_crank", "spin_up")
_BOTH = {"method": "rk45", "rtol": 1e-12}, {"method": "dop853", "rtol": 1e-12}


@dataclass(frozen=True)
class Reference:
    """Channels at the end of a run, how they were found, and the relative distance of the two ways."""

    values: Array
    ways: tuple[str, str]
    distance: float


def stored(problem: Problem) -> Reference:
    """The reference kept for a problem."""
    kept = json.loads(_FILE.read_text()).get(problem.name) if _FILE.exists() else None
    if kept is None or kept["t_end"] != problem.t_end or kept["channels"] != list(problem.scales):
        raise SystemExit(f"{problem.name}: no reference for this end and these channels; run with --references first")
    return Reference(np.array(kept["values"]), tuple(kept["ways"]), kept["distance"])


def store(problem: Problem, found: Reference) -> None:
    """Keep a reference."""
    kept = json.loads(_FILE.read_text()) if _FILE.exists() else {}
    kept[problem.name] = {
        "t_end": problem.t_end,
        "channels": list(problem.scales),
        "ways": list(found.ways),
        "distance": float(f"{found.distance:.2e}"),
        "values": found.values.tolist(),
    }
    _FILE.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n")


def computed(problem: Problem) -> Reference:
    """The reference by two ways, which must agree."""
    if problem.name in _BY_HAND:
        (first, second), ways = _BY_HAND[problem.name](problem.t_end), ("DOP853", "Radau on the equation of one angle")
    else:
        system = problem.system()
        both = _BOTH if problem.name in _STIFF else (_OURS, _THEIRS)
        runs = [integrated(system, problem, given, PATIENCE) for given in both]
        if runs[0] is None or runs[1] is None:
            raise SystemExit(f"{problem.name}: a run for the reference failed or took more than {PATIENCE:g} s")
        (_, first), (_, second) = runs[0], runs[1]
        ways = tuple(f"{given['method']} {given['rtol']:g}" for given in both)
    distance = error_of(problem, second, first)
    if distance > AGREEMENT:
        raise SystemExit(f"{problem.name}: references differ by {distance:.1e}, {AGREEMENT:g} allowed")
    return Reference(first, (ways[0], ways[1]), distance)


def four_bars_exact(t_end: float, n: int = FOUR_BARS) -> tuple[Array, Array]:
    """Centre of the first upright and its velocity, from the one angle theta that all uprights have.

    The motion passes positions where the mechanism is singular, which the equation of the angle does not know.
    """
    factor = four_bars_acceleration(n)

    def end(method: str, rtol: float) -> Array:
        run = solve_ivp(
            lambda _, y: (y[1], factor * np.sin(y[0])), (0, t_end), (0.0, 1.0), method, rtol=rtol, atol=1e-15
        )
        angle, rate = run.y[:, -1]
        centre, across = (np.sin(angle), np.cos(angle), 0.0), (np.cos(angle), -np.sin(angle), 0.0)
        return 0.5 * np.concatenate((centre, rate * np.array(across)))

    return end("DOP853", 1e-13), end("Radau", 3e-13)


_BY_HAND: dict[str, Callable[[float], tuple[Array, Array]]] = {"four_bars": four_bars_exact}
