"""Which solver is fastest: operations counted from the structure, times what one costs on this machine.

The factors come with the program, or from `floatframe choose --calibrate`, which keeps them in the user's folder;
nothing is measured in ordinary runs.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from floatframe.arrays import Array
from floatframe.errors import ReadError, WriteError
from floatframe.hybrid.kernels import (
    Structure,
    Tables,
    dense_flops,
    elimination,
    first_thin,
    is_open_tree,
    tree_flops,
    tree_like_flops,
)
from floatframe.io import complete_file

FORMAT = "floatframe-solvers/1"
OF_TREES = ("dec", "cbm", "lgr", "itr", "dense")
#: names of the factors of solvers for models with loops and flexible bodies
OF_LOOPS = {"dec": "dec with loops", "dense": "dense with loops"}
CURE = "remove it, or make it new by floatframe choose --calibrate"


@dataclass(frozen=True)
class SolverFactors:
    """Seconds of each solver per evaluation, per link and per operation; where they come from."""

    each: Mapping[str, tuple[float, float, float]]
    origin: str = "the program"

    def times(self, tables: Tables, iterations: float | None = None) -> dict[str, float]:
        """Predicted time [s] of an evaluation by each solver that a system can use."""
        flops, factors = solver_flops(tables, iterations), solvers_for(tables)
        found = {}
        for name in factors if first_thin(tables) == 0 else (one for one in factors if one != "lgr"):
            found[name] = self.seconds(factors[name], *tree_features(tables, flops[name])[1:])
        return found

    def fastest(self, tables: Tables) -> str:
        """The solver of least predicted time."""
        times = self.times(tables)
        return min(times, key=times.__getitem__)

    def seconds(self, name: str, links: float, flops: float) -> float:
        """Predicted time [s] of an evaluation."""
        a, b, c = self.each[name]
        return a + b * links + c * flops

    def save(self) -> Path:
        """Keep them in the user's folder."""
        try:
            path = factors_file()
            path.parent.mkdir(parents=True, exist_ok=True)
        except (OSError, RuntimeError) as error:  # nobody knows a home, or it is not to be written to
            raise WriteError(
                f"the factors of solvers cannot be written: {error}; set FLOATFRAME_CONFIG_DIR to a folder that can be "
                "written to."
            ) from error
        with complete_file(path) as temporary:
            temporary.write_text(
                json.dumps({"format": FORMAT, "seconds": self.each}, indent=1) + "\n", encoding="utf-8"
            )
        known_factors.cache_clear()
        return path


def solvers_for(tables: Tables) -> dict[str, str]:
    """The solvers for systems of a kind, open trees of rigid bodies or others, each with the name of its factors."""
    return {name: name for name in OF_TREES} if is_open_tree(tables) else OF_LOOPS


def solver_flops(tables: Tables, iterations: float | None = None) -> dict[str, float]:
    """Operations of an evaluation by each solver: table 1 of Shimanovskiy (2024), and those of dense equations.

    With loops or flexible bodies those of "dec" and "dense", about, by which "auto" decides.
    """
    if not is_open_tree(tables):
        return {"dec": tree_like_flops(elimination(tables)), "dense": dense_flops(tables)}
    structure = Structure.of(tables)
    found = tree_flops(structure) if iterations is None else tree_flops(structure, iterations)
    return found | {"dense": dense_flops(tables)}


def tree_features(tables: Tables, flops: float) -> tuple[float, float, float]:
    """What the time of an evaluation is a sum of."""
    return 1.0, float(len(tables.links) - 1), flops


# µs per evaluation and per link, ns per operation, of an EPYC processor
_OURS = {
    "dec": (1.97, 0.019, 0.100),
    "cbm": (2.06, 0.056, 0.130),
    "lgr": (2.40, 0.311, 0.285),
    "itr": (2.09, 0.050, 0.116),
    "dense": (2.00, 0.073, 0.249),
    "dec with loops": (1.32, 0.0, 0.313),
    "dense with loops": (1.51, 0.120, 0.185),
}


def factors_file() -> Path:
    """Where calibrated factors lie: in the folder FLOATFRAME_CONFIG_DIR, or the user's folder for settings."""
    if named := os.environ.get("FLOATFRAME_CONFIG_DIR"):
        return Path(named) / "solvers.json"
    if sys.platform == "win32":
        base = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return base / "floatframe" / "solvers.json"


def own_factors() -> SolverFactors:
    """Those that come with the program."""
    return SolverFactors({name: (1e-6 * a, 1e-6 * b, 1e-9 * c) for name, (a, b, c) in _OURS.items()})


@cache
def known_factors() -> SolverFactors:
    """The factors of this machine, or those of the program where it is not calibrated."""
    try:
        path = factors_file()
        text = path.read_text(encoding="utf-8")
    except (RuntimeError, FileNotFoundError, NotADirectoryError):  # nobody knows a home, or nothing is there
        return own_factors()
    except (OSError, UnicodeDecodeError) as error:
        raise ReadError(f"the factors of solvers in '{factors_file()}' cannot be read ({error}); {CURE}") from None
    return SolverFactors(_read(text, path), f"'{path}'")


def _read(text: str, path: Path) -> dict[str, tuple[float, float, float]]:
    try:
        content = json.loads(text)
        seconds = content["seconds"] if content["format"] == FORMAT else {}
        # files of earlier versions know no loops
        known = {**own_factors().each, **seconds} if set(OF_TREES) <= set(seconds) else {}
        each = {name: tuple(float(one) for one in known[name]) for name in _OURS}
    except (ValueError, TypeError, KeyError):
        raise ReadError(f"'{path}' does not hold factors of the solvers; {CURE}") from None
    for name, values in each.items():
        if len(values) != 3 or not all(math.isfinite(one) and one >= 0.0 for one in values):
            raise ReadError(f"'{path}' has {values} for solver '{name}', expected three times of at least 0 s; {CURE}")
    return each  # type: ignore[return-value]  # three of each, as was just seen


def fitted(rows: Array, times: Array) -> tuple[float, float, float]:
    """The factors (3,) of times (m,) of trees with features (m, 3), of least relative error and none negative."""
    from scipy.optimize import nnls

    a, b, c = nnls(rows / times[:, None], rows[:, 0])[0].tolist()
    return a, b, c
