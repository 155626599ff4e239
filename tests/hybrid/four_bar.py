"""A four-bar linkage, and what its joints measure."""

from __future__ import annotations

from floatframe import hybrid as h


def four_bar(lengths=(1.0, 2.0, 1.5, 2.0), cut="C", **settings):
    """Crank, coupler, rocker in the x-y plane, hinges A, B, C, D; settings of a hinge by its name."""
    model = h.Model()
    crank, coupler, rocker = (
        model.add(h.RigidBody(name, 1.0, (0.1, 0.2, 0.2), com=(0.5 * length, 0, 0)))
        for name, length in zip(("crank", "coupler", "rocker"), lengths, strict=False)
    )
    places = {
        "A": (crank.at(), model.ground.at()),
        "B": (coupler.at(), crank.at((lengths[0], 0, 0))),
        "D": (rocker.at(), model.ground.at((lengths[3], 0, 0))),
        "C": (coupler.at((lengths[1], 0, 0)), rocker.at((lengths[2], 0, 0))),
    }
    for name, (a, b) in places.items():
        model.add(h.revolute(name, a, b, cut=name == cut, **settings.get(name, {})))
    return model


def measured(system, state, joint, k=0):
    """Value and rate of a coordinate of a joint, tree or cut."""
    from floatframe.hybrid.kernels.system import VELOCITY

    number = next(i for i, j in enumerate(system.model.joints) if j.name == joint)
    if number in system.index.tree.joint_coordinates:
        iq, iv = system.index.tree.joint_coordinates[number][k]
        return state.q[iq], state.v[iv]
    here = system.evaluation(state)(state.t, state.q, VELOCITY, state.v).data.coordinates
    found = here[system.index.numbers.coordinates[number, k]]
    return found["value"], found["rate"]
