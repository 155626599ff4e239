"""Wheelsets and bogies: data in, bodies with joints and forces in a model out, standing loaded on its track.

All numbers may be expressions of the model's parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from floatframe.errors import Where
from floatframe.expressions import Scalar, Scope, Vector, parse
from floatframe.hybrid.description import Assembly, Force, OnTrack, RigidBody, Wheels, bushing, revolute, wheel_on_track
from floatframe.railway import Profile, Track

GRAVITY = 9.81  # m/s2, of the static loads
SIDES = {"left": 1.0, "right": -1.0}
ENDS = {"front": 1.0, "rear": -1.0}
_UPRIGHT_LAG = 5e-3  # damping over stiffness of what keeps boxes upright [s]


@dataclass(frozen=True)
class Run:
    """Where a vehicle's reference point starts on the track, and how fast."""

    distance: Scalar  # along the track [m]
    speed: Scalar  # [m/s]


@dataclass(frozen=True)
class Wheelset:
    """An axle with two wheels, and the boxes it turns in as one body."""

    mass: Scalar  # of the axle with its wheels [kg]
    inertia: Vector  # (3,) [kg m2]
    radius: Scalar  # of the rolling circles [m]
    profile: str | Path | Profile = "S1002"
    half_distance: Scalar = 0.75  # from the middle to a rolling circle [m]
    box_mass: Scalar = 50.0  # of both boxes [kg]
    box_inertia: Vector = (20.0, 1.0, 20.0)
    contact: Mapping[str, Any] = field(default_factory=dict)  # fields of `WheelContact`, e.g. law

    @property
    def whole_mass(self) -> Scalar:
        """Of axle and boxes [kg]."""
        return combined("mass + box", mass=self.mass, box=self.box_mass)


@dataclass(frozen=True)
class Springs:
    """Springs and dampers at one side: along, across and up."""

    stiffness: Vector  # (3,) [N/m]
    damping: Vector = (0.0, 0.0, 0.0)  # [N s/m]
    upright: Scalar = 2e3  # stiffness about the axle, which keeps the box from tilting under its load [N m/rad]


@dataclass(frozen=True)
class Bogie:
    """A frame on two wheelsets."""

    mass: Scalar  # of the frame [kg]
    inertia: Vector  # (3,) [kg m2]
    height: Scalar  # of its centre of mass over the rails [m]
    half_base: Scalar  # from its middle to an axle [m]
    half_width: Scalar  # from its middle to the springs of one side [m]
    wheelset: Wheelset
    primary: Springs  # of one box
    load: Scalar = 0.0  # that it carries [N]
    gravity: Scalar = GRAVITY  # of the static loads [m/s2]


@dataclass(frozen=True)
class WheelsetParts:
    """What a wheelset has become in a model."""

    axle: RigidBody
    box: RigidBody
    wheels: tuple[Force, Force]  # left, right
    track: Any  # of the model

    @property
    def height(self) -> float:
        """Of the axle over the rails [m]; its track must be known and its data numbers."""
        start, where = self.axle.on_track, Where.of("body", self.axle.name)
        if not isinstance(self.track, Track) or start is None or start.wheels is None:
            raise where.error("its height follows from the track, which is not known yet; use above in on_track")
        return start.wheels.seat(self.track, Scope(), where.at("on_track.wheels")).height


@dataclass(frozen=True)
class BogieParts:
    """What a bogie has become in a model."""

    frame: RigidBody
    wheelsets: tuple[WheelsetParts, WheelsetParts]  # front, rear


def add_wheelset(model: Assembly, name: str, data: Wheelset, run: Run, load: Scalar) -> WheelsetParts:
    """Add a wheelset that rolls; load: vertical, of each of its wheels with its own weight [N]."""
    resting = Wheels(data.radius, load, data.profile, data.half_distance)
    start = OnTrack(run.distance, run.speed, wheels=resting)
    beside = OnTrack(run.distance, run.speed, above=name)
    # the box first: the tree of joints goes through it, and the axle turns in it
    box = model.add(RigidBody(f"{name}_box", data.box_mass, data.box_inertia, on_track=beside))
    axle = model.add(RigidBody(name, data.mass, data.inertia, on_track=start))
    model.add(revolute(f"{name}_spin", axle.at(), box.at(), axis=(0, 1, 0)))
    left, right = (
        model.add(
            wheel_on_track(
                f"{name}_{side}",
                axle.at((0, combined("way*y", way=sign, y=data.half_distance), 0)),
                side,
                data.radius,
                data.profile,
                **data.contact,
            )
        )
        for side, sign in SIDES.items()
    )
    return WheelsetParts(axle, box, (left, right), model.track)


def add_bogie(model: Assembly, name: str, data: Bogie, run: Run) -> BogieParts:
    """Add a bogie whose primary springs carry its frame and load where it starts.

    The origin of its frame is as high as the axles.
    """
    share = combined("0.25*(mass*gravity + load)", mass=data.mass, gravity=data.gravity, load=data.load)
    load = combined("share + 0.5*mass*gravity", share=share, mass=data.wheelset.whole_mass, gravity=data.gravity)
    places = {end: combined("way*x", way=sign, x=data.half_base) for end, sign in ENDS.items()}
    front, rear = (
        add_wheelset(
            model,
            f"{name}_{end}",
            data.wheelset,
            Run(combined("distance + x", distance=run.distance, x=x), run.speed),
            load,
        )
        for end, x in places.items()
    )
    start = OnTrack(run.distance, run.speed, above=front.axle.name)
    # the axles rest a fraction of a millimetre below the radius, which the centre of mass does not notice
    com = (0.0, 0.0, combined("height - radius", height=data.height, radius=data.wheelset.radius))
    frame = model.add(RigidBody(name, data.mass, data.inertia, com=com, on_track=start))
    upright = data.primary.upright
    stiffness = [*data.primary.stiffness, 0.0, upright, 0.0]
    damping = [*data.primary.damping, 0.0, combined("lag*upright", lag=_UPRIGHT_LAG, upright=upright), 0.0]
    for parts, x in zip((front, rear), places.values(), strict=True):
        for side, sign in SIDES.items():
            y = combined("way*y", way=sign, y=data.half_width)
            model.add(
                bushing(
                    f"{parts.axle.name}_primary_{side}",
                    frame.at((x, y, 0)),
                    parts.box.at((0, y, 0)),
                    stiffness=stiffness,
                    damping=damping,
                    preload=[0, 0, share, 0, 0, 0],
                )
            )
    return BogieParts(frame, (front, rear))


def combined(formula: str, **values: Scalar) -> Scalar:
    """Return a formula of numbers and expressions: a number, or an expression of what those use."""
    found = parse(formula).substitute({name: parse(value) for name, value in values.items()}).simplified()
    return found.evaluate() if found.is_constant else str(found)
