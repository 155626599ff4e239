"""A wheel on the track as a record for the kernels, and as what the kernel of `floatframe.railway` needs."""

from __future__ import annotations

from typing import Any

import numpy as np

from floatframe.errors import ModelError
from floatframe.hybrid.compile.build import Additions
from floatframe.hybrid.flat import FlatForce, FlatModel
from floatframe.hybrid.kernels import WHEEL_ON_TRACK
from floatframe.railway import VISIT_SIZE, ContactSettings, RunningWheel, Track

_SETTINGS = ("young", "poisson", "friction", "friction_ratio", "friction_decay", "adhesion", "slip", "speed")


def wheel_on_track(b: Additions, force: FlatForce) -> dict[str, Any]:
    """Address, setup and workspace of the record."""
    track = b.model.track
    if track is None or force.profile is None:
        raise force.where.error(
            "the model has no track to run on; give h.Model(track=…), or a table [track] in its file"
        )
    given = {name: float(value) for name, value in force.numbers.items()}
    if not given["radius"] > 0.0:
        raise force.where.at("radius").error(f"found radius {given['radius']:g} m, expected more than 0")
    if given["damping"] < 0.0:
        raise force.where.at("damping").error(f"found damping {given['damping']:g} s/m, expected at least 0")
    for name in ("strips", "elements"):
        if given[name] != int(given[name]):
            raise force.where.at(name).error(f"found {name} {given[name]:g}, expected a whole number")
    support = [1.0 / given[name] if name in given else 0.0 for name in ("lateral_stiffness", "vertical_stiffness")]
    try:
        settings = ContactSettings(
            **{name: given[name] for name in _SETTINGS},
            law=force.options["law"],
            patch=force.options["patch"],
            strips=int(given["strips"]),
            elements=int(given["elements"]),
        )
        wheel = RunningWheel(
            track,
            force.options["side"],
            force.profile,
            given["radius"],
            settings,
            given["damping"],
            (support[0], support[1]),
        )
        address, setup = wheel.call
    except ModelError as error:
        raise force.where.at(error.field).error(str(error)) from None
    require_room(b.model, track, force)
    b.wheels.append(wheel)
    return {"kind": WHEEL_ON_TRACK, "work": b.add_work(VISIT_SIZE), "user": address, "setup": setup}


def require_room(model: FlatModel, track: Track, force: FlatForce) -> None:
    """Refuse a right wheel that does not fit between the rails with the left one beside it on the same body."""
    if force.a is None or force.profile is None or force.options["side"] != "right":
        return
    beside = [
        (float(np.linalg.norm(other.a.point - force.a.point)), other.name, other.profile.flange_face())
        for other in model.forces
        if other.kind == force.kind and other.options["side"] == "left" and other.profile is not None
        if other.a is not None and other.a.body == force.a.body
    ]
    face = force.profile.flange_face()
    apart, name, other_face = min(beside, default=(0.0, "", None))
    if face is None or other_face is None:
        return  # no axle, or no flanges
    across, narrowest = apart + face + other_face, float(track.layout.gauge.sides[0].min())
    if across > narrowest:
        raise force.where.error(
            f"its flange and that of '{name}' are {across:.4g} m apart from face to face, more than the gauge of "
            f"{narrowest:.4g} m between the rails; move the wheels inward or widen the track"
        )
