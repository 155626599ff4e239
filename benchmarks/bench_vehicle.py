"""Railway vehicles on curved, irregular track: processor time per step of 1 ms.

The railcar is a beam of 20 m with 24 forms on two wheelsets, four springs each; the bogie vehicle is rigid and has four
wheelsets. Both run at 100 km/h, recorded every 10 ms, contact by Hertz's ellipse, creep by Polach's law or FASTSIM.
"""

from __future__ import annotations

import argparse
import time
import warnings

import floatframe as ff
from benchmarks.targets import met
from floatframe import hybrid as h, railway

SPEED, DISTANCE, GRAVITY = 27.8, 20.0, 9.81
STEP, T_END, ROUNDS = 1e-3, 5.0, 3
FORMS = 24
#: wanted processor time of a step [µs], by law of creep
WANTED = {"polach": 100.0, "fastsim": 200.0}


def track() -> railway.Track:
    """A straight and a wide curve with irregularities of ERRI's low class."""
    rough = railway.Irregularity.of_class("ERRI low", seed=1, start=30.0, fade=10.0)
    return railway.Track(
        sections=[railway.Straight(60.0), railway.Transition(60.0), railway.Curve(200.0, 800.0, cant=0.1)],
        irregularities=[rough],
    )


def wheelset(law: str) -> h.Wheelset:
    return h.Wheelset(1500.0, (900.0, 100.0, 900.0), 0.46, contact={"law": law})


def railcar(law: str) -> h.System:
    """A flexible body on two wheelsets."""
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    section = ff.fem.BeamSection.rectangle(0.5, 0.3)
    fe = ff.fem.beam_line((-10, 0, 0), (10, 0, 0), n=40, section=section, material=steel)
    interface = [5, 37]
    body = ff.modal.reduce(fe, interface=interface, n_modes=FORMS - 12 + 6)
    line = track()
    model = h.Model(gravity=(0, 0, -GRAVITY), track=line)
    mass = float(body.inertia.m)
    start = railway.on_track(line, DISTANCE, height=1.0, speed=SPEED)
    car = model.add(h.FlexibleBody("car", body, damping=0.02, **start))
    for name, node, x in (("rear", interface[0], -8.0), ("front", interface[1], 8.0)):
        load = 0.25 * mass * GRAVITY + 0.5 * wheelset(law).whole_mass * GRAVITY
        parts = h.add_wheelset(model, name, wheelset(law), h.Run(DISTANCE + x, SPEED), load)
        place = parts.box.at((0, 0, 1.0 - parts.height))
        preload = [0, 0, 0.5 * mass * GRAVITY, 0, 0, 0]
        stiff, soft = [4e6, 2e6, 2e6, 4e6, 2e6, 6e6], [2e4, 2e4, 4e4, 4e4, 2e4, 2e4]
        model.add(h.bushing(f"{name}_springs", car.node(node), place, stiffness=stiff, damping=soft, preload=preload))
    return model.compile()


def bogie_vehicle(law: str) -> h.System:
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
    return model.compile()


def per_step(system: h.System) -> float:
    """Processor time of a step [µs], best of some runs; the run must reach its end."""
    record = h.Record(every=1e-2, channels=("*.Y", "*.Q", "*.distance"))
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.process_time()
        result = system.simulate(t_end=T_END, step=STEP, method="generalised-alpha", record=record)
        best = min(best, time.process_time() - begin)
        if result.status.reason != "finished":
            raise RuntimeError(str(result.status))
    return 1e6 * best / (T_END / STEP)


def main() -> int:
    argparse.ArgumentParser(description=__doc__).parse_args()
    warnings.simplefilter("ignore")
    kept = True
    for name, make in (("railcar, 24 forms, 4 wheels", railcar), ("rigid bogie vehicle, 8 wheels", bogie_vehicle)):
        for law, wanted in WANTED.items():
            system = make(law)
            found = per_step(system)
            if make is railcar:
                kept &= met(f"{name}, {system.nv} dofs, {law}: step of 1 ms", found, wanted, " µs")
            else:
                print(f"          {name}, {system.nv} dofs, {law}: {found:.0f} µs")
    return 0 if kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
