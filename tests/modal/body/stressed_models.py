"""Models of beams, shells and solids with the interface nodes of their two ends, whose stresses tests look at."""

from __future__ import annotations

import numpy as np

import floatframe as ff
from floatframe.fem import BeamSection, Layer, LayeredSection, Material

STEEL = Material(E=2.1e11, nu=0.3, rho=7850.0)


def beam():
    section = BeamSection.rectangle(0.02, 0.03)
    return ff.fem.beam_line((0, 0, 0), (1.0, 0.3, 0.2), n=12, section=section, material=STEEL), [1, 13]


def shell():
    return ff.fem.plate_grid(0.4, 0.8, nx=4, ny=6, thickness=0.01, material=STEEL), [1, 35]


def layered():
    ply = Material(E=7e10, nu=0.3, rho=2000.0)
    section = LayeredSection((Layer(STEEL, 0.004), Layer(ply, 0.006)))
    fe = ff.fem.plate_grid(0.4, 0.8, nx=4, ny=6, thickness=0.01, material=STEEL)
    block = fe.blocks[0]
    return ff.fem.FEModel(fe.nodes, (ff.fem.ElementBlock(block.kind, block.connectivity, None, section),)), [1, 35]


def solid():
    fe = ff.fem.solid_box((0.6, 0.1, 0.08), (8, 2, 2), material=STEEL)
    ends = [fe.node_ids[np.abs(fe.nodes[:, 0] - x) < 1e-9] for x in (0.0, 0.6)]
    for name, nodes in zip(("left", "right"), ends, strict=True):
        fe = ff.fem.with_reference_node(fe.with_node_set(name, nodes), name)
    return fe, ["left_ref", "right_ref"]


def tube(side=0.2, length=2.0, thin=0.002, thick=0.004):
    """Return a square tube along x with thin walls at y = 0 and y = side and thick ones above and below."""
    n, m = 20, 4
    walls = [
        ff.fem.box(length, side, side, n, m, m, t, STEEL, walls=(f"{axis}min", f"{axis}max"))
        for axis, t in (("y", thin), ("z", thick))
    ]
    fe = ff.fem.merge_nodes(ff.fem.join(*walls))
    for name, x in (("left", 0.0), ("right", length)):
        fe = ff.fem.with_reference_node(fe.with_node_set(name, fe.node_ids[np.abs(fe.nodes[:, 0] - x) < 1e-9]), name)
    return fe, ["left_ref", "right_ref"]
