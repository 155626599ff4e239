"""Plates and narrow beams in hybrid models: the frequency under load falls to zero at the buckling load of theory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h
from tests.hybrid.stiffened_models import STEEL

PART = 0.01  # the measure: coarse meshes and a few modes


def crossing(model: Callable[[float], h.Model], critical: float) -> float:
    """The load over the critical one at which the square of the lowest frequency, a line near there, is zero."""
    squares = []
    for share in (0.96, 0.99):
        found = model(share * critical).compile().linearise(n=1)
        squares.append(float(np.real(-(found.eigenvalues[0] ** 2))))
    return 0.96 + 0.03 * squares[0] / (squares[0] - squares[1])


class TestPlate:
    """A square plate, simply supported on all sides, under uniform pressure of two of them: 4 π² D / b per length."""

    SIDE, THICKNESS, N = 1.0, 0.01, 10
    FRAME = 9001

    @pytest.fixture(scope="class")
    @classmethod
    def body(cls) -> ff.modal.ReducedBody:
        """A rigid frame around the plate is one interface node; a node of the straight pushed side is the other."""
        n = cls.N
        fe = ff.fem.plate_grid(cls.SIDE, cls.SIDE, nx=n, ny=n, thickness=cls.THICKNESS, material=STEEL)
        x, y = fe.nodes[:, 0], fe.nodes[:, 1]
        left, right = (fe.node_ids[np.isclose(x, end)].tolist() for end in (0.0, cls.SIDE))
        rest = fe.node_ids[(x > 1e-9) & (np.isclose(x, cls.SIDE) | np.isclose(np.abs(y - 0.5), 0.5))].tolist()
        fe = replace(fe, nodes=np.vstack([fe.nodes, [[0.0, 0.5, 0.0]]]), node_ids=np.append(fe.node_ids, cls.FRAME))
        for nodes, parts in ((left, "ux,uz"), (rest, "uz"), (left[n // 2 : n // 2 + 1], "uy")):
            fe = fe.with_coupling(ff.fem.RBE2(cls.FRAME, nodes, parts))
        # equal ux is no motion that can turn: only a force in the middle meets its resultant
        middle = right.pop(n // 2)
        for node in right:
            fe = fe.with_coupling(ff.fem.MPC([(node, "ux", 1.0), (middle, "ux", -1.0)]))
        return ff.modal.reduce(fe, interface=[cls.FRAME, (middle, "ux")], n_modes=8)

    def pressed(self, body, force: float) -> h.Model:
        model = h.Model()
        plate = model.add(h.FlexibleBody("plate", body))
        model.add(h.fixed("frame", plate.node(self.FRAME), model.ground.at((0.0, 0.5, 0.0))))
        model.add(h.point_force("push", plate.node(int(body.interface_nodes[1])), (-force, 0, 0)))
        return model

    def test_in_plane_load(self, body):
        bending = STEEL.E * self.THICKNESS**3 / (12.0 * (1.0 - STEEL.nu**2))
        critical = 4.0 * np.pi**2 * bending / self.SIDE  # N
        assert crossing(lambda force: self.pressed(body, force), critical) == pytest.approx(1.0, abs=PART)
        found = ff.modal.body_buckling(body, {(int(body.interface_nodes[1]), "ux"): -1.0}, [self.FRAME])
        assert found[0] == pytest.approx(critical, rel=PART)


class TestNarrowBeam:
    """Prandtl: a clamped flat bar turns over under 4.013 sqrt(EI GJ) / L² at its tip."""

    LENGTH = 2.0
    SECTION = ff.fem.BeamSection.rectangle(0.005, 0.1).without_shear()
    ROOT = float(np.sqrt(STEEL.E * SECTION.Iz * STEEL.G * SECTION.J))

    @pytest.fixture(scope="class")
    @classmethod
    def body(cls) -> ff.modal.ReducedBody:
        fe = ff.fem.beam_line((0, 0, 0), (cls.LENGTH, 0, 0), n=16, section=cls.SECTION, material=STEEL)
        return ff.modal.reduce(fe, interface=[1, 17], n_modes=24)

    def test_tip_load(self, body):
        def model(force: float) -> h.Model:
            made = h.Model()
            bar = made.add(h.FlexibleBody("bar", body))
            made.add(h.fixed("root", bar.node(1), made.ground.at()))
            made.add(h.point_force("load", bar.node(17), (0, 0, -force)))
            return made

        critical = 4.013 * self.ROOT / self.LENGTH**2
        assert crossing(model, critical) == pytest.approx(1.0, abs=PART)
