"""The frame that runs along a track: a body whose motion is given, against which a vehicle is described.

Bodies that are carried by it have coordinates relative to it, small ones however far the vehicle runs; the inertia
forces of its motion act on every body and on every node of flexible ones, as the motion of a carrier does in any tree.
"""

from __future__ import annotations

from floatframe.hybrid.description import Assembly, Place, RigidBody, free, general, rotate, translate

_LIGHT = 1e-3  # kg, kg m2: what is moved as given needs no mass


def add_track_frame(model: Assembly, distance: str, name: str = "track_frame") -> RigidBody:
    """Add the frame of the model's track to a model; returns it as a body.

    Parameters
    ----------
    model
        A model with a track.
    distance
        Along the track [m], an expression of t: "5 + 20*t".
    name
        Of the body; its joint has the same name with _joint behind it.
    """
    x, y, z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    axes = {"x": x, "y": y, "z": z, "heading": z, "slope": y, "roll": x}
    steps = [
        (translate if what in "xyz" else rotate)(axis, f"table(track_{what}, {distance})")
        for what, axis in axes.items()
    ]
    frame = model.add(RigidBody(name, _LIGHT, (_LIGHT, _LIGHT, _LIGHT)))
    model.add(general(f"{name}_joint", frame.at(), model.ground.at(), steps))
    return frame


def carried(model: Assembly, frame: RigidBody, *places: Place) -> None:
    """Describe bodies of a model in the axes of a frame, each by a place on it that moves freely against the frame."""
    for place in places:
        model.add(free(f"{place.body.replace('.', '_')}_in_{frame.name}", place, frame.at()))
