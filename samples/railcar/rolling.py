"""The vehicle on wheels that roll: contact and creep between wheels S1002 and rails 60E1, under gravity.

Each wheelset is one part used twice: an axle that turns in a box, with a wheel on either rail. The springs are pressed
by the weight at the start, so the vehicle starts near its rest. A force on the axle boxes holds the speed, which creep
would take away in the curve; no torque of the engine acts.
"""

from __future__ import annotations

from dataclasses import replace

import floatframe as ff
from floatframe.railway import seat
from floatframe.samples.railcar.cases import Case
from floatframe.samples.railcar.design import Design
from floatframe.samples.railcar.model import AXLE
from floatframe.samples.railcar.tracks import track
from floatframe.samples.railcar.vehicle import WHEELSET, WHEELSET_INERTIA, add_body, add_suspension

GRAVITY = 9.81  # m/s2
RADIUS, WHEEL, RAIL = 0.475, "S1002", "60E1"  # of the rolling circle [m], profiles
BOX, BOX_INERTIA = 100.0, (50.0, 20.0, 50.0)  # kg, kg m2: both axle boxes and what does not turn
PULL = 5.0e4  # N per m/s that are missing, on each wheelset
START = 1.0  # m, where the rear axle begins


def rolling_vehicle(body: ff.modal.ReducedBody, case: Case, law: str = "polach") -> ff.hybrid.Model:
    """Return the vehicle of a run on rolling wheels, its parameter speed [m/s] that of the case; law: of creep."""
    design, speed = Design(), case.metres_per_second
    railed = replace(track(case), rail=RAIL)
    half = 0.5 * railed.gauge - railed.rail_profile.gauge_point()
    load = GRAVITY * (body.inertia.m + 2 * (WHEELSET + BOX)) / 4
    rest = seat(railed, WHEEL, RADIUS, half, load)
    model = ff.hybrid.Model(gravity=(0, 0, -GRAVITY), name="railcar", track=railed, parameters={"speed": speed})
    part = _wheelset(half, rest.rolling_radius, law)
    place = add_body(model, body, (START + AXLE, 0.0, rest.height - design.seat_height), case, "speed")
    sag = GRAVITY * body.inertia.m / (8 * design.spring_z)
    for name, x in (("rear", START), ("front", START + 2 * AXLE)):
        box = model.add(part.instance(name, (x, 0.0, rest.height), parameters={"speed": "speed"}))["box"]
        add_suspension(model, place, box, case, front=name == "front", sag=sag)
    return model


def _wheelset(half: float, rolling_radius: float, law: str) -> ff.hybrid.Subsystem:
    """Return the wheelset as a part, its wheels at ± half [m] along the axle, which roll at its parameter speed."""
    part = ff.hybrid.Subsystem("wheelset", parameters={"speed": 0.0})
    box = part.add(ff.hybrid.RigidBody("box", BOX, BOX_INERTIA, position=(0, 0, 0), velocity=("speed", 0, 0)))
    axle = part.add(ff.hybrid.RigidBody("axle", WHEELSET, WHEELSET_INERTIA, position=(0, 0, 0)))
    part.add(ff.hybrid.revolute("bearing", axle.at(), box.at(), axis=(0, 1, 0), start_rate=f"speed/{rolling_radius}"))
    pull = f"{PULL} * (speed - sqrt(box.velocity.x^2 + box.velocity.y^2))"
    part.add(ff.hybrid.point_force("pull", box.at(), (pull, 0, 0), axes="body"))
    for side, y in (("left", half), ("right", -half)):
        part.add(ff.hybrid.wheel_on_track(side, axle.at((0, y, 0)), side, RADIUS, WHEEL, law=law))
    return part
