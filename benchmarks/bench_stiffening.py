"""What geometric stiffening costs: steps per second of the flexible slider-crank with and without it.

Both run in turn in this process, the best of several rounds counts. `python -m benchmarks.bench_stiffening`
"""

from __future__ import annotations

import sys
from time import perf_counter
from typing import Any

import floatframe as ff
from benchmarks.targets import met
from floatframe.hybrid.system import System
from floatframe.modal import ReducedBody
from floatframe.samples.beam import build

STEPS, STEP = 4000, 5e-4
ROUNDS = 5
SLOWEST = 1.0 / 0.9  # time with stiffening over time without it, at most


def slider_crank(body: ReducedBody, stiffening: Any, frame: str) -> System:
    """The sample with 32 modes in the rod less six rigid ones."""
    h = ff.hybrid
    model = h.Model()
    crank = model.add(h.RigidBody("crank", 7.403, (0.001, 1.333, 1.333), com=(0.5, 0, 0)))
    slider = model.add(h.RigidBody("slider", 9.36, (0.01, 0.01, 0.01), position=(3, 0, 0)))
    rod = model.add(h.FlexibleBody("rod", body, position=(1, 0, 0), stiffening=stiffening, frame=frame))
    model.add(h.revolute("A", crank.at(), model.ground.at()))
    model.add(h.revolute("B", rod.node(1), crank.at((1, 0, 0))))
    model.add(h.revolute("C", rod.node(201), slider.at()))
    model.add(h.prismatic("guide", slider.at(), model.ground.at((3, 0, 0)), axis=(1, 0, 0)))
    model.add(h.joint_torque("drive", "A", "100 - 10*rate"))
    return model.compile()


def seconds(system: System) -> float:
    """Time of one run that records little."""
    record = ff.hybrid.Record(every=0.1, channels=("A.rate",))
    begun = perf_counter()
    system.simulate(t_end=STEPS * STEP, step=STEP, spectral_radius=0.6, record=record)
    return perf_counter() - begun


def main() -> int:
    """Print steps per second side by side; 1 if stiffening costs more than a tenth of them."""
    body = ff.modal.reduce(build(), interface=[1, 201], n_modes=20)
    kept = True
    for frame in ("mean", "chord"):
        systems = {kind: slider_crank(body, kind, frame) for kind in ("off", "full")}
        best = dict.fromkeys(systems, float("inf"))
        for _ in range(ROUNDS):
            for kind, system in systems.items():
                best[kind] = min(best[kind], seconds(system))
        rates = ", ".join(f"{kind} {STEPS / time:.0f}" for kind, time in best.items())
        print(f"slider-crank, {frame} frame, steps per second: {rates}")
        kept &= met("time with stiffening over time without", best["full"] / best["off"], SLOWEST)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
