"""Wheelsets and bogies: data in, bodies with joints and forces in a model out, standing loaded on its track."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from floatframe.errors import Where
from floatframe.hybrid.description import Assembly, Force, RigidBody, bushing, revolute, wheel_on_track
from floatframe.railway import Track, on_track, seat

GRAVITY = 9.81  # m/s2, of the static loads
SIDES = {"left": 1.0, "right": -1.0}


@dataclass(frozen=True)
class Run:
    """Where a vehicle's reference point starts on the track, and how fast."""

    distance: float  # along the track [m]
    speed: float  # [m/s]


@dataclass(frozen=True)
class Wheelset:
    """An axle with two wheels, and the boxes it turns in as one body."""

    mass: float  # of the axle with its wheels [kg]
    inertia: tuple[float, float, float]  # [kg m2]
    radius: float  # of the rolling circles [m]
    profile: str = "S1002"
    half_distance: float = 0.75  # from the middle to a rolling circle [m]
    box_mass: float = 50.0  # of both boxes [kg]
    box_inertia: tuple[float, float, float] = (20.0, 1.0, 20.0)
    contact: Mapping[str, Any] = field(default_factory=dict)  # fields of `WheelContact`, e.g. law

    @property
    def whole_mass(self) -> float:
        """Of axle and boxes [kg]."""
        return self.mass + self.box_mass


@dataclass(frozen=True)
class Springs:
    """Springs and dampers at one side: along, across and up."""

    stiffness: tuple[float, float, float]  # [N/m]
    damping: tuple[float, float, float] = (0.0, 0.0, 0.0)  # [N s/m]


@dataclass(frozen=True)
class Bogie:
    """A frame on two wheelsets."""

    mass: float  # of the frame [kg]
    inertia: tuple[float, float, float]  # [kg m2]
    height: float  # of its centre of mass over the rails [m]
    half_base: float  # from its middle to an axle [m]
    half_width: float  # from its middle to the springs of one side [m]
    wheelset: Wheelset
    primary: Springs  # of one box
    load: float = 0.0  # that it carries [N]


@dataclass(frozen=True)
class WheelsetParts:
    """What a wheelset has become in a model."""

    axle: RigidBody
    box: RigidBody
    wheels: tuple[Force, Force]  # left, right
    height: float  # of the axle over the rails [m]


@dataclass(frozen=True)
class BogieParts:
    """What a bogie has become in a model."""

    frame: RigidBody
    wheelsets: tuple[WheelsetParts, WheelsetParts]  # front, rear


def add_wheelset(model: Assembly, name: str, data: Wheelset, run: Run, load: float) -> WheelsetParts:
    """Add a wheelset that rolls; load: vertical, of each of its wheels with its own weight [N]."""
    track = model.track
    if not isinstance(track, Track):
        raise Where.of("model", model.name).error("has no track; give h.Model(track=…)", after=" ")
    rest = seat(track, data.profile, data.radius, data.half_distance, load)
    rolling = run.speed / rest.rolling_radius
    place = {"height": rest.height, "speed": run.speed}
    box = model.add(RigidBody(f"{name}_box", data.box_mass, data.box_inertia, **on_track(track, run.distance, **place)))
    start = on_track(track, run.distance, rotation=rolling, **place)
    axle = model.add(RigidBody(name, data.mass, data.inertia, **start))
    model.add(revolute(f"{name}_spin", axle.at(), box.at(), axis=(0, 1, 0)))
    left, right = (
        model.add(
            wheel_on_track(
                f"{name}_{side}",
                axle.at((0, sign * data.half_distance, 0)),
                side,
                data.radius,
                data.profile,
                **data.contact,
            )
        )
        for side, sign in SIDES.items()
    )
    return WheelsetParts(axle, box, (left, right), rest.height)


def add_bogie(model: Assembly, name: str, data: Bogie, run: Run) -> BogieParts:
    """Add a bogie whose primary springs carry its frame and load where it starts."""
    carried = data.mass * GRAVITY + data.load
    load = 0.25 * carried + 0.5 * data.wheelset.whole_mass * GRAVITY
    wheelsets = tuple(
        add_wheelset(model, f"{name}_{end}", data.wheelset, Run(run.distance + x, run.speed), load)
        for end, x in (("front", data.half_base), ("rear", -data.half_base))
    )
    height = wheelsets[0].height
    track = model.track
    if not isinstance(track, Track):
        raise Where.of("model", model.name).error("has no track", after=" ")
    start = on_track(track, run.distance, height=height, speed=run.speed)
    frame = model.add(RigidBody(name, data.mass, data.inertia, com=(0, 0, data.height - height), **start))
    stiffness = [*data.primary.stiffness, 0.0, 0.0, 0.0]
    damping = [*data.primary.damping, 0.0, 0.0, 0.0]
    for parts, x in zip(wheelsets, (data.half_base, -data.half_base), strict=True):
        for side, sign in SIDES.items():
            y = sign * data.half_width
            model.add(
                bushing(
                    f"{parts.axle.name}_primary_{side}",
                    frame.at((x, y, 0)),
                    parts.box.at((0, y, 0)),
                    stiffness=stiffness,
                    damping=damping,
                    preload=[0, 0, 0.25 * carried, 0, 0, 0],
                )
            )
    return BogieParts(frame, (wheelsets[0], wheelsets[1]))
