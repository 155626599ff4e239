"""Responses of reduced bodies against the harmonic solution of their full finite element models.

A natural frequency that is off by the share δ changes a peak of damping ratio ζ by the share δ/ζ. A body reduced with
`accuracy` up to a frequency must therefore answer within accuracy/ζ of the peaks nearby, up to there.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse.linalg import splu

import floatframe as ff
from floatframe import hybrid as h
from floatframe.arrays import AnyArray, Array

ACCURACY, RATIO = 1e-3, 0.02  # of frequencies; of critical damping at the end of the band
NEARBY = 0.1  # of a frequency
STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)


def beam() -> tuple[ff.fem.FEModel, int, int, int, float]:
    """A slender beam; root, tip, a node between them, and the end of the band [Hz]."""
    section = ff.fem.BeamSection.rectangle(0.03, 0.02)
    return ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=40, section=section, material=STEEL), 1, 41, 21, 250.0


def plate() -> tuple[ff.fem.FEModel, int, int, int, float]:
    """A plate held in one corner and pushed in the other."""
    fe = ff.fem.plate_grid(0.6, 1.0, nx=6, ny=10, thickness=0.008, material=STEEL)
    places = [(0, 0, 0), (0.6, 1.0, 0), (0.3, 0.6, 0)]
    root, tip, middle = (int(fe.node_ids[np.argmin(np.linalg.norm(fe.nodes - p, axis=1))]) for p in places)
    return fe, root, tip, middle, 120.0


def block() -> tuple[ff.fem.FEModel, int, int, int, float]:
    """A bar of solid elements whose end faces are rigid."""
    fe = ff.fem.solid_box((0.5, 0.05, 0.04), (10, 2, 2), "hex20_reduced", material=STEEL)
    for face in ("xmin", "xmax"):
        fe = ff.fem.with_reference_node(fe, face)
    root, tip = (int(fe.pick_nodes(f"{face}_ref")[0]) for face in ("xmin", "xmax"))
    middle = int(fe.node_ids[np.argmin(np.linalg.norm(fe.nodes - (0.25, 0.025, 0.04), axis=1))])
    return fe, root, tip, middle, 2000.0


@pytest.mark.parametrize("sample", [beam, plate, block])
def test_response_equals_that_of_the_full_model_within_the_bound(sample) -> None:
    fe, root, tip, middle, highest = sample()
    beta = RATIO / (np.pi * highest)
    frequency = np.geomspace(highest / 50, highest, 120)
    full = _full_response(fe, root, tip, middle, frequency, beta)
    body = ff.modal.reduce(fe, interface=[root, tip], up_to=highest, accuracy=ACCURACY, mass="consistent")
    model = h.Model()
    part = model.add(h.FlexibleBody("part", body, damping=h.Rayleigh(0.0, beta)))
    model.add(h.fixed("held", part.node(root), model.ground.at(tuple(fe.nodes[fe.node_index([root])[0]]))))
    model.add(h.point_force("push", part.node(tip), (0, 0, "0")))
    outputs = [f"part.node[{node}].position.z" for node in (tip, middle)]
    found = h.frequency_response(model.compile(), "push.z", outputs, frequency=frequency)
    assert found.trusted > highest  # the reduction asks for more than the rule of half the highest mode
    error = np.abs(found.values[:, :, 0] - full)
    near = np.abs(frequency[:, None] - frequency) <= NEARBY * frequency[:, None]
    peaks = np.array([np.abs(full[one]).max(axis=0) for one in near])
    assert (error / peaks).max() < ACCURACY / RATIO
    # slowly the static shapes of the interface carry it exactly
    assert (error[0] / np.abs(full[0])).max() < 1e-4


def _full_response(fe: ff.fem.FEModel, root: int, tip: int, middle: int, frequency: Array, beta: float) -> AnyArray:
    """Displacements (nf, 2) along z of tip and middle for a unit force at the tip, all dofs of the root held."""
    free = np.flatnonzero(fe.dofs[:, 0] != root)
    K, M = (matrix.tocsr()[free][:, free].tocsc() for matrix in (fe.stiffness(), fe.mass("consistent")))
    dofs = fe.dofs[free]
    rows = [int(np.flatnonzero((dofs[:, 0] == node) & (dofs[:, 1] == 2))[0]) for node in (tip, middle)]
    load = np.zeros(len(free), dtype=complex)
    load[rows[0]] = 1.0
    s = 2j * np.pi * frequency
    return np.array([splu(((1 + one * beta) * K + one**2 * M).tocsc()).solve(load)[rows] for one in s])
