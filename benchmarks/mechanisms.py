"""Mechanisms of `bench_simulation` in Floatframe: slider-cranks with three rods, chains of links."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np

import floatframe as ff
from floatframe.arrays import Array
from floatframe.hybrid import FlexibleBody, Model, RigidBody, System, joint_torque, prismatic, read_model, revolute
from floatframe.modal import ReducedBody
from floatframe.samples.beam import build

NODES = 201  # of the rod, interfaces at both ends
Z = (0.0, 0.0, 1.0)
_SAMPLES = Path(__file__).parents[1] / "samples" / "slider_crank"


def sample(name: str) -> System:
    """The slider-crank with the rod "rigid" or "chain", as `make demo` runs it."""
    return read_model(_SAMPLES / f"{name}.toml").model.compile()


def flexible_rod() -> ReducedBody:
    """The rod with 26 flexible modes, mass-orthonormal, in the mean-axis frame."""
    return ff.modal.reduce(build(NODES - 1), interface=[1, NODES], n_modes=20).orthonormalised()


def rod_arrays(rod: ReducedBody) -> dict[str, Array]:
    """Nodes, modes and consistent matrices of the rod, from which another program makes the same body."""
    fe = build(NODES - 1)
    matrices = {"mass": fe.mass("consistent").toarray(), "stiffness": fe.stiffness().toarray()}
    return {"nodes": rod.nodes, "shapes": np.asarray(rod.shapes), **matrices}


def flexible(rod: ReducedBody, stiffening: Literal["off", "full"] = "off") -> System:
    """The slider-crank with the flexible rod, by default linear as in other programs: no geometric stiffening."""
    model = Model()
    crank = model.add(RigidBody("crank", mass=7.403, inertia=[0.001, 1.333, 1.333], com=[0.5, 0, 0]))
    body = model.add(FlexibleBody("rod", rod, position=[1, 0, 0], stiffening=stiffening))
    slider = model.add(RigidBody("slider", mass=9.36, inertia=[0.01, 0.01, 0.01], position=[3, 0, 0]))
    bearing = model.add(revolute("A", crank.at(), model.ground.at(), axis=Z))
    model.add(revolute("B", body.node(1), crank.at([1, 0, 0]), axis=Z))
    model.add(revolute("C", body.node(NODES), slider.at(), axis=Z))
    model.add(prismatic("guide", slider.at(), model.ground.at([3, 0, 0]), axis=[1, 0, 0]))
    model.add(joint_torque("drive", bearing, "100 - 10*rate"))
    return model.compile()


def links(n: int) -> System:
    """n hinged links of 1 m and 1 kg, released as a level line under gravity."""
    model = Model(gravity=[0, -9.81, 0])
    place = model.ground.at()
    for i in range(n):
        link = RigidBody(f"link{i}", mass=1.0, inertia=[0.001, 1 / 12, 1 / 12], com=[0.5, 0, 0], position=[i, 0, 0])
        model.add(revolute(f"hinge{i}", model.add(link).at(), place, axis=Z))
        place = link.at([1, 0, 0])
    return model.compile()
