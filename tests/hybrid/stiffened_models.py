"""Models whose answers depend on the geometric stiffness of flexible bodies. SI units."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import floatframe as ff
from floatframe import hybrid as h

STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
LENGTH = 2.0
SQUARE = ff.fem.BeamSection.rectangle(0.02, 0.02).without_shear()
#: unit of frequencies of the square beam, sqrt(EI / (m L^4)) [rad/s]
BEAM_UNIT = float(np.sqrt(STEEL.E * SQUARE.Iy / (STEEL.rho * SQUARE.A * LENGTH**4)))


def beam(n: int = 20, modes: int = 8, length: float = LENGTH) -> ff.modal.ReducedBody:
    """The square steel beam along x with its ends, nodes 1 and n + 1, as interface."""
    fe = ff.fem.beam_line((0, 0, 0), (length, 0, 0), n=n, section=SQUARE, material=STEEL)
    return ff.modal.reduce(fe, interface=[1, n + 1], n_modes=modes)


def slider_crank(rod: Callable[[h.Model], tuple[h.Place, h.Place]]) -> h.Model:
    """Crank of 1 m on "A", a rod of 2 m from "B" to "C" that `rod` adds, slider; in line along x and at rest."""
    model = h.Model()
    crank = model.add(h.RigidBody("crank", 7.403, (0.001, 1.333, 1.333), com=(0.5, 0, 0)))
    slider = model.add(h.RigidBody("slider", 9.36, (0.01, 0.01, 0.01), position=(3, 0, 0)))
    model.add(h.revolute("A", crank.at(), model.ground.at()))
    first, last = rod(model)
    model.add(h.revolute("B", first, crank.at((1, 0, 0))))
    model.add(h.revolute("C", last, slider.at()))
    model.add(h.prismatic("guide", slider.at(), model.ground.at((3, 0, 0)), axis=(1, 0, 0)))
    model.add(h.joint_torque("drive", "A", "100 - 10*rate"))
    return model


def flexible_rod(body: ff.modal.ReducedBody, **options: Any) -> Callable[[h.Model], tuple[h.Place, h.Place]]:
    """A reduced body between its two interface nodes."""
    start = body.nodes[int(body.node_index(body.interface_nodes[:1])[0])]

    def add(model: h.Model) -> tuple[h.Place, h.Place]:
        rod = model.add(h.FlexibleBody("rod", body, position=np.array([1.0, 0, 0]) - start, **options))
        first, last = (rod.node(int(number)) for number in body.interface_nodes)
        return first, last

    return add


def chain_of_links(n: int) -> Callable[[h.Model], tuple[h.Place, h.Place]]:
    """The square beam as n rigid links with hinges of stiffness EI over the length of a link."""
    link = LENGTH / n
    mass = STEEL.rho * SQUARE.A * link
    turning = mass * (link**2 + 0.02**2) / 12

    def add(model: h.Model) -> tuple[h.Place, h.Place]:
        links = [
            model.add(
                h.RigidBody(
                    f"link{k}", mass, (mass * 0.02**2 / 6, turning, turning), (link / 2, 0, 0), (1 + k * link, 0, 0)
                )
            )
            for k in range(n)
        ]
        for k in range(1, n):
            model.add(h.revolute(f"hinge{k}", links[k].at(), links[k - 1].at((link, 0, 0))))
            model.add(h.joint_torque(f"stiffness{k}", f"hinge{k}", f"-{STEEL.E * SQUARE.Iz / link!r}*angle"))
        return links[0].at(), links[-1].at((link, 0, 0))

    return add


def blade(
    body: ff.modal.ReducedBody, radius: float, turn: str, rate: float = 0.0, frame: str = "mean", **options: Any
) -> h.Model:
    """A beam along x, its first interface node clamped to a hub at a radius; hinge "axle" about z follows `turn`."""
    model = h.Model()
    hub = model.add(h.RigidBody("hub", 1.0, (1, 1, 1)))
    axle = model.add(h.revolute("axle", hub.at(), model.ground.at(), start_rate=rate))
    rod = model.add(h.FlexibleBody("blade", body, position=(radius, 0, 0), frame=frame, **options))
    model.add(h.fixed("root", rod.node(int(body.interface_nodes[0])), hub.at((radius, 0, 0))))
    model.add(h.motion("turn", axle, turn))
    return model


ARM_LENGTH = 10.0
#: Simo and Vu-Quoc 1986: angle of an axle brought to 6 rad/s in 15 s
SPIN_UP = "if(t < 15, 6/15*(t^2/2 + (15/(2*pi))^2*(cos(2*pi*t/15) - 1)), 6*t - 45)"


def spin_up_arm() -> ff.modal.ReducedBody:
    """The beam of Simo and Vu-Quoc: EA = 2.8e7, GA = 1e7, EI = 1.4e4, 1.2 kg/m; nodes 1 and 21 are its interface."""
    material = ff.fem.Material(E=2.8e7, nu=0.4, rho=1.2)
    section = ff.fem.BeamSection(A=1.0, Iy=5e-4, Iz=5e-4, J=1e-3, ky=1.0, kz=1.0)
    fe = ff.fem.beam_line((0, 0, 0), (ARM_LENGTH, 0, 0), n=20, section=section, material=material)
    return ff.modal.reduce(fe, interface=[1, 21], n_modes=8)


def lag_of_tip(run: h.Results) -> np.ndarray:
    """Displacement of node 21 across the arm, seen from its root; needs "axle.angle" and the node's position."""
    angle, p = run["axle.angle"], run["blade.node[21].position"]
    return -np.sin(angle) * p[:, 0] + np.cos(angle) * p[:, 1]
