"""Exported C beside the kernels: answers at 1000 random states, and the time of one evaluation of the accelerations.

Both are timed inside compiled code, in turns, as processor time; the best of several rounds counts. The C is made by
gcc -O2. Answers are compared with the kernel's for trees, with the dense equations for loops and flexible bodies, whose
kernel regularises a little. `python -m benchmarks.bench_export`
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.bench_evaluation import accelerate_often, chain
from benchmarks.targets import met
from floatframe import hybrid as h
from floatframe.arrays import Array
from floatframe.hybrid.export import random_states
from floatframe.hybrid.kernels.steps import accelerate

AGREEMENT = 1e-12  # of the largest acceleration of a state
LONG = 30  # speeds; beyond, 100 eps times the condition of the mass matrix
STATES = 1000
ROUNDS = 30
SAMPLES = Path(__file__).parents[1] / "samples"

# many evaluations in one call, each at a state that depends on the last, so that none can be left out
_OFTEN = """
#include "{name}.c"
double often(int times, const double *q, const double *v, const double *z, const double *angles, double *a, double *l,
    double *r)
{{
    double t = 0.0;
    for (int k = 0; k < times; k++) {{ {name}_accelerations(t, q, v, z, angles, a, l, r); t += 1e-300 * a[0]; }}
    return t;
}}
"""


def sample(name: str) -> h.System:
    """A model file of the samples, compiled."""
    return h.read_model(SAMPLES / name).model.compile()


SYSTEMS: dict[str, Callable[[], h.System]] = {
    "pendulum": lambda: sample("pendulum/pendulum.toml"),
    "slider_crank": lambda: sample("slider_crank/rigid.toml"),
    "bogie": lambda: sample("bogie/bogie.toml"),
    "chain_10": lambda: chain(10),
    "chain_20": lambda: chain(20),
    "chain_40": lambda: chain(40),
}


def compiled(system: h.System, name: str, folder: Path) -> ctypes.CDLL:
    """The exported code with a function that calls it often, by gcc."""
    compiler = shutil.which("gcc")
    if compiler is None:
        raise SystemExit("export: needs gcc")
    h.export_code(system, folder / f"{name}.c")
    (folder / "often.c").write_text(_OFTEN.format(name=name))
    library = folder / f"{name}.so"
    subprocess.run(
        [compiler, "-O2", "-march=native", "-shared", "-fPIC", str(folder / "often.c"), "-o", str(library), "-lm"],
        check=True,
    )
    found = ctypes.CDLL(str(library))
    found.often.restype = ctypes.c_double
    return found


def place(array: Array) -> ctypes.c_void_p:
    """Where the numbers of an array lie."""
    return ctypes.c_void_p(array.ctypes.data)


def best_of(*runs: Callable[[], object]) -> list[float]:
    """The shortest processor time [s] of each, taken in turns."""
    times = np.full(len(runs), np.inf)
    for _ in range(ROUNDS):
        for k, run in enumerate(runs):
            begun = time.process_time()
            run()
            times[k] = min(times[k], time.process_time() - begun)
    return list(times)


def measure(name: str, folder: Path) -> bool:
    """Compare and time one system; whether the answers agree."""
    system = SYSTEMS[name]()
    library = compiled(system, name, folder)
    a, lam, rates = np.zeros(system.nv), np.zeros(max(system.nlambda, 1)), np.zeros(max(system.nz, 1))
    nothing = np.zeros(1)
    states = random_states(system, STATES, seed=3)
    now = system.evaluation(states[0])
    arrays = now.tables, now.data, now.work, now.settings
    worst = 0.0
    for state in states:
        z = np.append(state.memory[system.tables.states["memory"]], 0.0)
        inputs = [place(x) for x in (state.q, state.v, z, nothing)]
        time_of_state = ctypes.c_double(state.t)
        getattr(library, f"{name}_accelerations")(time_of_state, *inputs, place(a), place(lam), place(rates))
        if system.nlambda:
            wanted = system.accelerations(state)[0]
        else:
            now.settings.time = state.t
            now.work.q[:], now.work.v[:] = state.q, state.v
            accelerate(*arrays, False)
            wanted = now.work.x
        worst = max(worst, float(np.abs(a - wanted).max() / np.abs(wanted).max()))
    times = max(10, int(2e4 / system.nv**2))
    inputs = [place(x) for x in (states[0].q, states[0].v, nothing, nothing)]
    accelerate_often(*arrays, 1)
    ours, kernel = best_of(
        lambda: library.often(times, *inputs, place(a), place(lam), place(rates)),
        lambda: accelerate_often(*arrays, times),
    )
    micro = 1e6 / times
    print(f"{name}: exported C {ours * micro:.3f} µs, kernel {kernel * micro:.3f} µs, {kernel / ours:.1f} x")
    # the condition of long chains multiplies rounding, whatever the algorithm
    condition = np.linalg.cond(system.mass_matrix(system.start)) if system.nv > LONG else 0.0
    limit = max(AGREEMENT, 100 * np.finfo(float).eps * condition)
    return met(f"{name}: difference of the accelerations", worst / 1e-12, limit / 1e-12, " x 1e-12")


def main() -> int:
    """Print times and errors; 1 if answers differ."""
    with tempfile.TemporaryDirectory() as folder:
        return 0 if all([measure(name, Path(folder)) for name in SYSTEMS]) else 1


if __name__ == "__main__":
    sys.exit(main())
