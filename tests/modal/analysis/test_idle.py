"""Dofs without stiffness and mass are held at rest and named; mechanisms with mass stay."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.fem import BeamSection, ElementBlock, FEModel, Material, solid_box

STEEL = Material(2.1e11, 0.3, 7850.0)
LIGHT = Material(2.1e11, 0.3, 0.0)
BAR = BeamSection.rectangle(0.01, 0.01, 0.3)


def bars(nodes, pairs, material=LIGHT, kind="truss", **data):
    return FEModel(np.array(nodes, dtype=float), (ElementBlock(kind, np.array(pairs), material, BAR, data),))


def test_a_chain_of_bars_without_density_in_a_skew_line():
    """Two bars one after the other are a spring EA / 2L; the node between them has stiffness along the line alone."""
    line = np.array([2.0, 1.0, -2.0]) / 3.0
    fe = bars([0 * line, line, 2 * line], [[0, 1], [1, 2]]).with_point_mass(3, 5.0).with_support([(1, "u")])
    modes = ff.modal.eigenmodes(fe, n=3)
    assert modes.kind == ("rigid", "rigid", "elastic")  # the mass swings freely across the line
    exact = np.sqrt(STEEL.E * BAR.A / 2.0 / 5.0) / (2.0 * np.pi)
    assert_allclose(modes.frequency[2], exact, rtol=1e-12)  # round-off
    assert modes.idle[:, 0].tolist() == [2, 2]
    middle = fe.expand(modes.shapes)[1, :3, 2]
    assert_allclose(np.cross(middle, line), 0.0, atol=1e-12 * np.abs(middle).max())  # it moves along the line only


def test_a_pin_jointed_bar_without_density_turns_on_itself():
    """A beam on two nodes of a frame by its translations alone: the twist of three of its nodes is one motion."""
    x = np.linspace(0.0, 2.0, 5)
    frame = bars(np.column_stack([x, 0 * x, 0 * x]), [[0, 1], [1, 2], [2, 3], [3, 4]], kind="beam")
    fe = frame.with_support([(1, "u"), (5, "u")]).with_point_mass(3, 2.0)
    modes = ff.modal.eigenmodes(fe, n=2)
    assert len(modes.idle) == 1
    assert modes.idle[0, 1] == 3
    # 48 EI / L^3 with shear: F L^3 / 48 EI + F L / 4 k G A
    deflection = 2.0**3 / (48.0 * LIGHT.E * BAR.Iy) + 2.0 / (4.0 * BAR.ky * LIGHT.G * BAR.A)
    assert_allclose(modes.frequency, np.sqrt(1.0 / deflection / 2.0) / (2.0 * np.pi), rtol=1e-9)


def test_an_arm_with_a_mass_leaves_one_turn_of_its_node_idle():
    """A mass at the end of a rigid arm on a ball: two pendulum motions without stiffness, and a spin of nothing."""
    fe = FEModel(np.array([[0.0, 0, 0], [0.3, 0.4, 1.2]])).with_rbe2(1, [2]).with_point_mass(2, 3.0)
    modes = ff.modal.eigenmodes(fe.with_support([(1, "u")]), n=2)
    assert modes.kind == ("rigid", "rigid")
    assert len(modes.idle) == 1
    with pytest.raises(ff.errors.TooManyModes, match="request fewer"):
        ff.modal.eigenmodes(fe.with_support([(1, "u")]), n=3)


def test_a_reduced_body_has_the_frequencies_of_the_model_with_idle_dofs():
    box = solid_box((1.0, 0.2, 0.2), (4, 1, 1), material=STEEL)
    tip = int(box.node_ids[-1])
    # a light bar hangs on a corner: its far end moves along it alone, that is with the corner
    nodes = np.vstack([box.nodes, box.nodes[-1] + [0.3, 0.2, 0.1]])
    bar = ElementBlock("truss", np.array([[len(nodes) - 2, len(nodes) - 1]]), LIGHT, BAR)
    blocks = (*box.blocks, ElementBlock("truss", bar.connectivity, LIGHT, BAR, element_ids=[999]))
    fe = FEModel(nodes, blocks).with_support([(int(n), "u") for n in box.node_ids[box.nodes[:, 0] == 0.0]])
    body = ff.modal.reduce(fe, interface=[tip], n_modes=6)
    assert any("without stiffness and mass" in note and str(len(nodes)) in note for note in body.notes)
    plain = ff.modal.eigenmodes(box.with_support([(int(n), "u") for n in box.node_ids[box.nodes[:, 0] == 0.0]]), n=2)
    report = ff.modal.quality_report(body, fe, n=2)
    assert_allclose(report.free.model[:2], plain.frequency, rtol=1e-9)  # the bar adds neither stiffness nor mass


def test_a_node_without_anything_is_left_out_of_the_interface():
    section = BeamSection.rectangle(0.02, 0.02, 0.3)
    fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=4, section=section, material=STEEL)
    law = {"stiffness": np.zeros((1, 3))}
    nodes = np.vstack([fe.nodes, [0.0, 1.0, 0.0]])
    idle = ElementBlock("ground_point_spring", np.array([[5]]), data=law, element_ids=[99])
    fe = FEModel(nodes, (*fe.blocks, idle))
    body = ff.modal.reduce(fe, interface=[1, 6], n_modes=2)
    assert set(body.interface[:, 0]) == {1}
    assert any("left out of the interface" in note for note in body.notes)
