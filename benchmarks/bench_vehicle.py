"""Railway vehicles on curved, irregular track: processor time per step of 1 ms, a kilometre, a sweep of speeds.

The railcar of the samples has four springs and two friction dampers on each of its two wheelsets and runs on rougher,
straight track; the beam railcar is a beam of 20 m with as many forms on two springs in a curve; the bogie vehicle is
rigid and has four wheelsets. All run at 100 km/h, recorded every 10 ms, contact by Hertz's ellipse, creep by Polach's
law or FASTSIM.
A kilometre is judged by its time over that of the vehicle, a sweep over speeds by one worker's time over that of two.
What two cores give at all says `bench_sweep`; on a busy machine it is less than 2.
"""

from __future__ import annotations

import argparse
import time
import warnings

import floatframe as ff
from benchmarks.targets import met
from floatframe import hybrid as h, railway
from floatframe.samples.railcar.cases import Case
from floatframe.samples.railcar.rolling import rolling_vehicle
from floatframe.samples.railcar.study import prepare

SPEED, DISTANCE, GRAVITY = 27.8, 20.0, 9.81  # m/s, m, m/s2
LENGTH = 1000.0  # m, of the long run
SPEEDS = "18,20,22,24,26,28,30,32"  # m/s, of the sweep
STEP, T_END, ROUNDS = 1e-3, 5.0, 3
FORMS = 24
#: wanted processor time of a step [µs], by law of creep
WANTED = {"polach": 100.0, "fastsim": 200.0}
REAL_TIME = 0.2  # of the vehicle's time that its kilometre may take
WORKERS = 2


def track() -> railway.Track:
    """A straight, a wide curve and a straight with irregularities of ERRI's low class: 1080 m."""
    rough = railway.Irregularity.of_class("ERRI low", seed=1, start=30.0, fade=10.0)
    way = (railway.Transition(60.0), railway.Curve(200.0, 800.0, cant=0.1), railway.Transition(60.0))
    return railway.Track(
        sections=[railway.Straight(60.0), *way, railway.Straight(700.0)],
        irregularities=[rough],
    )


def wheelset(law: str) -> h.Wheelset:
    return h.Wheelset(1500.0, (900.0, 100.0, 900.0), 0.46, contact={"law": law})


def railcar(law: str) -> h.Model:
    """The railcar of the samples on irregular straight track."""
    return rolling_vehicle(prepare(), Case(FORMS, 3.6 * SPEED, rolling=True, seconds=T_END), law)


def beam_railcar(law: str) -> h.Model:
    """A beam on two wheelsets; its parameter is the speed."""
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    section = ff.fem.BeamSection.rectangle(0.5, 0.3)
    fe = ff.fem.beam_line((-10, 0, 0), (10, 0, 0), n=40, section=section, material=steel)
    interface = [5, 37]
    body = ff.modal.reduce(fe, interface=interface, n_modes=FORMS - 12 + 6)
    model = h.Model(gravity=(0, 0, -GRAVITY), parameters={"speed": SPEED}, track=track())
    mass = float(body.inertia.m)
    start = h.OnTrack(DISTANCE, "speed", height=1.0)
    car = model.add(h.FlexibleBody("car", body, damping=0.02, on_track=start))
    for name, node, x in (("rear", interface[0], -8.0), ("front", interface[1], 8.0)):
        load = 0.25 * mass * GRAVITY + 0.5 * float(wheelset(law).whole_mass) * GRAVITY
        parts = h.add_wheelset(model, name, wheelset(law), h.Run(DISTANCE + x, "speed"), load)
        place = parts.box.at((0, 0, 1.0 - parts.height))
        preload = [0, 0, 0.5 * mass * GRAVITY, 0, 0, 0]
        stiff, soft = [4e6, 2e6, 2e6, 4e6, 2e6, 6e6], [2e4, 2e4, 4e4, 4e4, 2e4, 2e4]
        model.add(h.bushing(f"{name}_springs", car.node(node), place, stiffness=stiff, damping=soft, preload=preload))
    return model


def bogie_vehicle(law: str) -> h.Model:
    """A rigid body on two bogies."""
    mass = 32000.0
    primary = h.Springs((3.1e7, 3.9e6, 1.22e6), (1.5e4, 2e3, 4e3))
    bogie = h.Bogie(2615.0, (1722.0, 1476.0, 3067.0), 0.6, 1.28, 1.0, wheelset(law), primary, load=0.5 * mass * GRAVITY)
    line = track()
    model = h.Model(gravity=(0, 0, -GRAVITY), track=line)
    start = railway.on_track(line, DISTANCE, height=0.9, speed=SPEED)
    inertia = (56800.0, 1.97e6, 1.97e6)
    car = model.add(h.RigidBody("car", mass, inertia, com=(0, 0, 0.9), **start))
    for name, x in (("front", 9.5), ("rear", -9.5)):
        parts = h.add_bogie(model, name, bogie, h.Run(DISTANCE + x, SPEED))
        up = 0.9 - parts.wheelsets[0].height
        for side, y in (("left", 1.0), ("right", -1.0)):
            preload = [0, 0, 0.25 * mass * GRAVITY, 0, 0, 0]
            model.add(
                h.bushing(
                    f"{name}_{side}",
                    car.at((x, y, 0)),
                    parts.frame.at((0, y, up)),
                    stiffness=[1.6e5, 1.6e5, 4.3e5, 1.05e4, 1.05e4, 0],
                    damping=[1e4, 3.2e4, 2e4, 0, 0, 0],
                    preload=preload,
                )
            )
    return model


def record() -> h.Record:
    return h.Record(every=1e-2, channels=("*.Y", "*.Q", "*.distance"))


def finished(system: h.System, t_end: float) -> h.Results:
    """A run that must reach its end."""
    result = system.simulate(t_end=t_end, step=STEP, method="generalised-alpha", record=record())
    if result.status.reason != "finished":
        raise RuntimeError(str(result.status))
    return result


def per_step(system: h.System) -> float:
    """Processor time of a step [µs], best of some runs."""
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.process_time()
        finished(system, T_END)
        best = min(best, time.process_time() - begin)
    return 1e6 * best / (T_END / STEP)


def kilometre(system: h.System) -> tuple[float, float]:
    """Time of the long run [s] and of the vehicle [s]."""
    t_end = LENGTH / SPEED
    begin = time.perf_counter()
    result = finished(system, t_end)
    spent = time.perf_counter() - begin
    way = result["rear_left.distance"]
    if abs(way[-1] - way[0] - LENGTH) > 0.05 * LENGTH:
        raise RuntimeError(f"the vehicle came {way[-1] - way[0]:.0f} m far, expected {LENGTH:g} m")
    return spent, t_end


def sweep_of_speeds(model: h.Model, workers: int) -> tuple[float, int]:
    """Time of a sweep [s], best of some, and its number of runs."""
    best, count = float("inf"), 0
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        found = h.sweep(
            model,
            {"speed": SPEEDS},
            measure="rear_left.Q:rms",
            workers=workers,
            t_end=T_END,
            step=STEP,
            method="generalised-alpha",
        )
        best = min(best, time.perf_counter() - begin)
        count = len(found.points)
    return best, count


def main() -> int:
    argparse.ArgumentParser(description=__doc__).parse_args()
    warnings.simplefilter("ignore")
    kept = True
    for name, make in (
        ("railcar of the samples, 24 forms, 4 wheels", railcar),
        ("beam railcar, 24 forms, 4 wheels", beam_railcar),
        ("rigid bogie vehicle, 8 wheels", bogie_vehicle),
    ):
        for law, wanted in WANTED.items():
            system = make(law).compile()
            found = per_step(system)
            if make is bogie_vehicle:
                print(f"          {name}, {system.nv} dofs, {law}: {found:.0f} µs")
                continue
            kept &= met(f"{name}, {system.nv} dofs, {law}: step of 1 ms", found, wanted, " µs")
            if make is railcar:
                continue
            spent, t_end = kilometre(system)
            print(f"          1 km at {3.6 * SPEED:.0f} km/h, recorded at 100 Hz: {spent:.2f} s for {t_end:.0f} s")
            kept &= met(f"1 km, {law}: time over that of the vehicle", spent / t_end, REAL_TIME)
    model = beam_railcar("polach")
    alone, count = sweep_of_speeds(model, 1)
    together, _ = sweep_of_speeds(model, WORKERS)
    print(
        f"          {count} speeds, {T_END:g} s each: {alone:.2f} s with one worker, {together:.2f} s with {WORKERS}: "
        f"{alone / together:.2f} x, {count * T_END / together:.0f} times real time"
    )
    return 0 if kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
