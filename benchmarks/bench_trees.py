"""Large systems solved along their trees: how the time of an evaluation and of a step grows with the model.

    ring        links hinged to each other, closed by one loop, beside the open chain: accelerations
    four-bars   N four-bar linkages side by side (IFToMM benchmark): implicit steps of 1 ms
    train       wagons with a flexible car body on two bogies, coupled by springs: implicit steps of 1 ms
    carrier     40 parts fixed to a spinning body leave one after the other: implicit steps of every stage, on its own
                tree and with the joints as constraints

Accelerations are compared with those of the dense equations. Times are processor times, the best of several rounds,
those of the ring and the chain taken in turns; of runs the steps alone count, not what starts them.
`python -m benchmarks.bench_trees [--largest N]`
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

import floatframe as ff
from benchmarks.bench_evaluation import accelerate_often, agree, chain, moving, prepared
from benchmarks.bench_simulation import Case, Exudyn, Variant, compare
from benchmarks.targets import met
from floatframe.hybrid import (
    FlexibleBody,
    Model,
    RigidBody,
    Stage,
    System,
    fixed,
    revolute,
    spring,
)
from floatframe.hybrid.assembly import own_tree, switched
from floatframe.hybrid.settings import Settings
from floatframe.hybrid.simulation.integrators import Compiled

RING = (50, 100, 200, 400)  # links
CLOSED, GROWTH = 3.0, 1.2  # ring of 100 links over the open chain; exponent of times against sizes, at most
PARTS = 40
BESIDE = (10, 30, 100, 300, 1000)  # four-bars in turns with Exudyn
DENSE = 30  # four-bars that its dense solvers get
AGREED = 1e-4  # of the speed of the first crank
WAGONS = (5, 10, 20, 40)
LOOPS = (10, 30, 100, 300)
STEP = 1e-3  # s
STEPS, TURNS = 100, 5  # of a run that is timed in turns
ROUNDS = 30
Z = (0.0, 0.0, 1.0)


def ring(count: int) -> System:
    """Links of 1 m, a regular polygon with one side on the ground."""
    model = Model(gravity=(0, -9.81, 0))
    angle = 2.0 * math.pi / (count + 1)
    place, end = model.ground.at(), np.zeros(3)
    for k in range(count):
        rod = model.add(RigidBody(f"rod{k}", 1.0, (0.01, 0.08, 0.08), com=(0.5, 0, 0)))
        model.add(revolute(f"hinge{k}", rod.at(), place, axis=Z, start=angle if k else 0.0))
        place = rod.at((1, 0, 0))
        end += (math.cos(k * angle), math.sin(k * angle), 0.0)
    model.add(revolute("last", place, model.ground.at(end.tolist()), axis=Z))
    return model.compile()


def four_bars(count: int) -> System:
    """Cranks of 1 m side by side, joined by couplers; one dof."""
    model = Model(gravity=(0, -9.81, 0))
    inertia = (1e-3, 1 / 12, 1 / 12)
    before = None
    for i in range(count + 1):
        crank = model.add(RigidBody(f"crank{i}", 1.0, inertia, com=(0, 0.5, 0), position=(i, 0, 0)))
        rate = -1.0 if i == 0 else None
        model.add(revolute(f"A{i}", crank.at(), model.ground.at((i, 0, 0)), axis=Z, start_rate=rate))
        if before is not None:
            bar = model.add(RigidBody(f"coupler{i}", 1.0, inertia, com=(0.5, 0, 0), position=(i - 1, 1, 0)))
            model.add(revolute(f"B{i}", bar.at(), before.at((0, 1, 0)), axis=Z))
            model.add(revolute(f"C{i}", bar.at((1, 0, 0)), crank.at((0, 1, 0)), axis=Z))
        before = crank
    return model.compile()


def train(count: int) -> System:
    """Wagons of 20 m: a beam of 10 modes and its static shapes, two bogies pivoted at its ends."""
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    section = ff.fem.BeamSection.rectangle(0.4, 0.4)
    beam = ff.fem.beam_line((0, 0, 0), (20, 0, 0), n=20, section=section, material=steel)
    body = ff.modal.reduce(beam, interface=[1, 21], n_modes=10).orthonormalised()
    model = Model()
    before = None
    for i in range(count):
        car = model.add(FlexibleBody(f"car{i}", body, position=(21 * i, 0, 0)))
        for end, node in enumerate((1, 21)):
            name = f"bogie{i}_{end}"
            bogie = model.add(RigidBody(name, 3000.0, (1500, 2500, 2500), position=(21 * i + 20 * end, 0, 0)))
            model.add(revolute(f"pivot{i}_{end}", car.node(node), bogie.at(), axis=Z))
        if before is not None:
            model.add(spring(f"coupler{i}", before.node(21), car.node(1), stiffness=1e6, damping=1e4, length=0.9))
        before = car
    return model.compile()


def carrier(count: int) -> System:
    """A free body that spins, with parts around it that leave one after the other."""
    model = Model(gravity=(0, 0, 0))
    body = model.add(RigidBody("carrier", 50.0, (20, 20, 5), velocity=(1, 0, 3), angular_velocity=(0.3, 0.2, 1.5)))
    for k in range(count):
        angle = 2.0 * math.pi * k / count
        place = (math.cos(angle), math.sin(angle), 0.1 * (k % 3))
        part = model.add(RigidBody(f"part{k}", 1.0, (0.01, 0.02, 0.03), position=place))
        model.add(fixed(f"hold{k}", part.at(), body.at(place)))
    for k in range(count):
        model.add(Stage(f"leave{k}", 0.02 * (k + 1), release=[f"hold{k}"]))
    return model.compile()


def evaluation_times(systems: Sequence[System]) -> list[float]:
    """Times [µs] of accelerations, taken in turns."""
    runs: list[Callable[[int], Any]] = []
    for system in systems:
        state, a, lam = moving(system)
        now = prepared(system, state, a, lam)
        arrays = now.tables, now.data, now.work, now.settings
        accelerate_often(*arrays, 1)
        if system.nv <= 100:
            agree("the acceleration", np.array(now.work.x), system.accelerations(state)[0])
        runs.append(lambda times, arrays=arrays: accelerate_often(*arrays, times))  # type: ignore[misc]
    best = [math.inf] * len(runs)
    for _ in range(ROUNDS):
        for k, run in enumerate(runs):
            begun = time.process_time()
            run(20)
            best[k] = min(best[k], (time.process_time() - begun) / 20)
    return [1e6 * one for one in best]


def step_time(system: System) -> float:
    """Time [µs] of an implicit step."""
    start = system.start
    run = Compiled(system, Settings(t_end=start.t + STEP * STEPS * TURNS, step=STEP), start, 0)
    shortest = math.inf
    for turn in range(TURNS):
        begun = time.process_time()
        run.run(np.array([start.t + STEP * STEPS * (turn + 1)]), 1)
        shortest = min(shortest, time.process_time() - begun)
    return 1e6 * shortest / STEPS


def exponent(sizes: Sequence[int], times: Sequence[float]) -> float:
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def rings() -> bool:
    print("ring of links and open chain: accelerations [µs]")
    well, closed = True, []
    for count in RING:
        loop, line = evaluation_times((ring(count), chain(count)))
        closed.append(loop)
        print(f"{count:>8} links{loop:>10.1f} ring{line:>10.1f} chain{loop / line:>8.2f} times", flush=True)
        if count == 100:
            well &= met("ring of 100 links over the open chain", loop / line, CLOSED)
    return met("time of the ring grows with links to the power", exponent(RING, closed), GROWTH) and well


def growth(what: str, make: Callable[[int], System], sizes: Sequence[int]) -> bool:
    print(f"{what}: implicit steps of {1e3 * STEP:g} ms [µs]")
    times = []
    for count in sizes:
        system = make(count)
        times.append(step_time(system))
        print(f"{count:>8}{system.nv:>8} speeds{system.nlambda:>8} rows{times[-1]:>12.1f}", flush=True)
    return met(f"time of a step grows with {what} to the power", exponent(sizes, times), GROWTH)


def beside_exudyn(sizes: Sequence[int]) -> bool:
    """Steps of four-bars in turns with Exudyn's plane bodies, after speeds at the end have agreed."""
    print("four-bars beside Exudyn: CPU time of a step of 1 ms [µs], as `bench_simulation` takes it")
    exudyn, known, well = Exudyn(), dict[str, list[Variant]](), True
    for count in sizes:
        solvers = ("EXUdense", "EigenDense", "EigenSparse") if count <= DENSE else ("EigenSparse",)
        span = STEP * STEPS * (TURNS if count <= DENSE else 1)
        name, ours = f"{count} four-bars", partial(four_bars, count)
        case = Case(name, "FourBars", ours, STEP, span, AGREED, 1.0, count, ("",), solvers)
        ratio = compare(case, exudyn, 1, known)
        well &= met(f"{name}: {ratio:.1f} times faster, wanted / found", 1.0 / ratio, 1.0)
    exudyn.close()
    return well


def departures() -> None:
    print(f"carrier and {PARTS} parts that leave: implicit steps of {1e3 * STEP:g} ms [µs]")
    shared = carrier(PARTS)
    state = shared.start
    for gone, stage in enumerate((None, *shared.model.stages)):
        if stage is not None:
            shared, state = switched(shared, stage, state)
        if gone % (PARTS // 4) == 0:
            own, _, _ = own_tree(shared, state)
            print(
                f"{gone:>8} gone{own.nv:>8} speeds{own.nlambda:>6} rows{step_time(own):>10.1f}"
                f"{shared.nv:>8} speeds{shared.nlambda:>6} rows{step_time(shared):>10.1f} with constraints",
                flush=True,
            )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=BESIDE[-1], help="leave out more four-bar linkages than this")
    chosen = parser.parse_args([] if arguments is None else arguments)
    loops = [count for count in LOOPS if count <= chosen.largest]
    good = [rings(), growth("wagons", train, WAGONS), growth("four-bars", four_bars, loops)]
    good.append(beside_exudyn([count for count in BESIDE if count <= chosen.largest]))
    departures()
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
