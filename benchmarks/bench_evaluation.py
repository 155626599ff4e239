"""Kernel time of one evaluation of a system, measured inside compiled code.

    slider-crank   rigid crank and slider, flexible rod of 26 modes: mass matrix, inertia forces, forces, constraints,
                   Jacobian
    chain          accelerations of 100 bodies hinged one to the next about axes that take turns

Answers are compared: the residual with M a + k - f - G^T lam, the accelerations with those of the dense equations.
Times are the best of several rounds, because other work on the machine only ever adds.
"""

from __future__ import annotations

import platform
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import floatframe as ff
from benchmarks.targets import met
from floatframe.arrays import Array
from floatframe.hybrid.assembly.state import Evaluation
from floatframe.hybrid.kernels import new_work, options
from floatframe.hybrid.kernels.steps import accelerate
from floatframe.hybrid.kernels.system import ALL_FORCES, JACOBIAN, MASS, evaluate_now
from floatframe.native import WHOLE, Room

EVALUATION_LIMIT = 20.0  # µs
CHAIN_LIMIT = 150.0  # µs
AGREEMENT = 1e-9  # of the largest number: sums in another order
ROUNDS = 500  # of about two milliseconds, shorter than the turns of other programs


def slider_crank() -> ff.hybrid.System:
    """The slider-crank of the samples with a rod of 20 eigenmodes and 6 elastic static shapes."""
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    section = ff.fem.BeamSection.rectangle(0.02, 0.02)
    beam = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=200, section=section, material=steel)
    body = ff.modal.reduce(beam, interface=[1, 201], n_modes=20, method="craig-bampton")
    h = ff.hybrid
    model = h.Model()
    crank = model.add(h.RigidBody("crank", 7.403, (0.001, 1.333, 1.333), com=(0.5, 0, 0)))
    rod = model.add(h.FlexibleBody("rod", body, position=(1, 0, 0), stiffening="off"))
    slider = model.add(h.RigidBody("slider", 9.36, (0.01, 0.01, 0.01), position=(3, 0, 0)))
    model.add(h.revolute("A", crank.at(), model.ground.at()))
    model.add(h.revolute("B", rod.node(1), crank.at((1, 0, 0))))
    model.add(h.revolute("C", rod.node(201), slider.at()))
    model.add(h.prismatic("guide", slider.at(), model.ground.at((3, 0, 0)), axis=(1, 0, 0)))
    model.add(h.joint_torque("drive", "A", "100 - 10*rate"))
    return model.compile()


def chain(count: int = 100) -> ff.hybrid.System:
    """Rods of 1 m, each hinged to the one before."""
    h = ff.hybrid
    model = h.Model(gravity=(0, 0, -9.81))
    before = model.ground.at()
    for k in range(count):
        rod = model.add(h.RigidBody(f"rod{k}", 1.0, (0.01, 0.08, 0.08), com=(0.5, 0, 0)))
        model.add(h.revolute(f"hinge{k}", rod.at(), before, axis=(0, 1, 0) if k % 2 else (0, 0, 1), start=0.1))
        before = rod.at((1, 0, 0))
    return model.compile()


_room = Room(Path(__file__).parent, Path(options.__file__).parent)


@_room.entry(*options.SYSTEM, WHOLE, WHOLE)
def evaluate_often(tables: Any, data: Any, w: Any, s: Any, what: int, times: int) -> None:
    for _ in range(times):
        evaluate_now(tables, data, w, 0.0, what, w.residual)


@_room.entry(*options.SYSTEM, WHOLE)
def accelerate_often(tables: Any, data: Any, w: Any, s: Any, times: int) -> None:
    for _ in range(times):
        accelerate(tables, data, w, s, False)


def best_time(run: Any, times: int) -> float:
    """The shortest time [µs] of one of `times` calls within a run."""
    run(1)  # compiled and loaded
    shortest = np.inf
    for _ in range(ROUNDS):
        start = time.perf_counter()
        run(times)
        shortest = min(shortest, time.perf_counter() - start)
    return 1e6 * shortest / times


def moving(system: ff.hybrid.System) -> tuple[ff.hybrid.State, Array, Array]:
    """Any state, accelerations and multipliers."""
    rng = np.random.default_rng(0)
    state = system.move(system.start, 1e-3 * rng.normal(size=system.nv))
    state = ff.hybrid.State(0.0, state.q, rng.normal(size=system.nv), state.memory)
    return state, rng.normal(size=system.nv), rng.normal(size=system.nlambda)


def prepared(system: ff.hybrid.System, state: ff.hybrid.State, a: Array, lam: Array) -> Evaluation:
    now = system.evaluation(state)
    w = now.work = new_work(system.tables, order=system.order)
    w.q[:], w.v[:], w.x[:], w.lam[:] = state.q, state.v, a, lam
    now.settings.time = 0.0
    return now


def agree(what: str, found: Array, expected: Array) -> None:
    worst = float(np.abs(found - expected).max() / np.abs(expected).max())
    if not worst <= AGREEMENT:
        raise SystemExit(f"evaluation: {what} differs by {worst:.1e}: the times mean nothing")


def measure_slider_crank() -> tuple[str, float]:
    system = slider_crank()
    state, a, lam = moving(system)
    now = prepared(system, state, a, lam)
    everything = ALL_FORCES | MASS | JACOBIAN
    arrays = now.tables, now.data, now.work, now.settings
    shortest = best_time(lambda times: evaluate_often(*arrays, everything, times), 100)
    parts = system.mass_matrix(state) @ a + system.inertia_forces(state) - system.forces(state)
    agree("the residual", now.residual, parts - system.constraint_jacobian(state).T @ lam)
    modes = int(system.tables.flexible["n"].sum())
    return f"slider-crank, {modes} modes, {system.nv} speeds, {system.nlambda} rows: one evaluation", shortest


def measure_chain() -> tuple[str, float]:
    system = chain()
    state, a, lam = moving(system)
    now = prepared(system, state, a, lam)
    arrays = now.tables, now.data, now.work, now.settings
    shortest = best_time(lambda times: accelerate_often(*arrays, times), 20)
    agree("the acceleration", np.array(now.work.x), system.accelerations(state)[0])
    return f"chain of {system.nv} bodies: accelerations", shortest


def main() -> int:
    print(f"Kernel times, best of {ROUNDS} rounds ({platform.machine()}, Python {platform.python_version()})")
    rows = [(*measure_slider_crank(), EVALUATION_LIMIT), (*measure_chain(), CHAIN_LIMIT)]
    return 0 if all([met(what, value, limit, " µs") for what, value, limit in rows]) else 1


if __name__ == "__main__":
    sys.exit(main())
