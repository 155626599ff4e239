"""Small reduced bodies for tests of files and of the body itself."""

from __future__ import annotations

import numpy as np

from floatframe.modal.body.display_mesh import DisplayMesh, ElementType
from floatframe.modal.body.reduced_body import Provenance, ReducedBody


def tiny_body(**changes) -> ReducedBody:
    """Three nodes, two beams and a triangle, one eigenmode and two static shapes; every number is different."""
    nodes = np.array([[0.0, 0.0, 0.0], [1.5, 0.25, -0.5], [3.0, 0.5, 1.0]])
    shapes = (np.arange(54.0) / 7.0).reshape(3, 18).T.copy()
    shapes[[1, 14], 1], shapes[[1, 14], 2] = (1.0, 0.0), (0.0, 1.0)  # unit motions of node 10 uy and node 35 uz
    types = (ElementType("beam", 2, ((0, 1),), 1), ElementType("shell3", 3, ((0, 1, 2),), 4))
    fields = {
        "nodes": nodes,
        "node_ids": np.array([10, 20, 35]),
        "shapes": shapes,
        "kind": ("eigen", "static", "static"),
        "origin": ("mode 1", "node 10 uy", "node 35 uz"),
        "frequency": np.array([12.5, np.nan, np.nan]),
        "mass": np.array([[1.0, 0.25, 0.5], [0.25, 2.0, 0.125], [0.5, 0.125, 3.0]]),
        "stiffness": np.array([[6.0, 0.0, 0.0], [0.0, 50.0, -5.0], [0.0, -5.0, 70.0]]),
        "nodal_mass": np.array([0.5, 0.75, 1.25]),
        "nodal_inertia": np.array([np.diag([1.0, 2.0, 3.0]), np.zeros((3, 3)), np.diag([4.0, 5.0, 6.0])]) / 64.0,
        "interface": np.array([[10, 1], [35, 2]]),
        "supports": np.array([[20, 5]]),
        "mesh": DisplayMesh(types, np.array([7, 9, 8]), np.array([0, 1, 0]), np.array([0, 1, 0, 1, 2, 1, 2])),
        "name": "rod",
        "provenance": Provenance(program="prep 2", created="2026-11-16T08:07:06.005", comment="as drawn"),
    }
    return ReducedBody(**{**fields, **changes})
