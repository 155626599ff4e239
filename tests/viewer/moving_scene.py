"""A scene that moves, made by hand."""

from __future__ import annotations

import numpy as np

from floatframe.viewer.drawing import glyphs
from floatframe.viewer.scene import Carrier, History, Label, Part, Scene


def turned(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def crank_and_spring() -> Scene:
    """A rigid box that turns about z, and a spring from the ground at (3, 0, 0) to the box's far corner."""
    t = np.linspace(0.0, 2.0, 41)
    R = np.array([turned(0.5 * np.pi * s) for s in t])
    tip = R @ np.array([1.0, 0.0, 0.0])
    crank = np.concatenate([R, np.zeros((41, 3, 1))], axis=2)
    spring = glyphs.stretched(np.broadcast_to([3.0, 0.0, 0.0], tip.shape), tip, 0.1)
    flexible = np.zeros((1, 2, 6))
    flexible[0, 1, 1] = 1.0
    rod = np.tile(np.eye(3, 4), (41, 1, 1))
    rod[:, :, 3] = tip
    run = History(
        "run", t, np.stack([crank, spring, rod], axis=1), (np.empty((41, 0)), np.empty((41, 0)), 0.1 * t[:, None])
    )
    box, coil = glyphs.box(), glyphs.coil()
    parts = (
        Part("crank", box.points, box.faces, edges=box.edges, color="#8899aa"),
        Part("springs", coil.points, coil.faces, carrier=1, color="#2f8f5b"),
        Part("rod", np.array([[0.0, 0, 0], [1, 0, 0]]), lines=np.array([[0, 1]]), carrier=2, anchor=np.array([0, 1])),
    )
    carriers = (Carrier("crank", pose=crank[0]), Carrier("spring", pose=spring[0]), Carrier("rod", flexible, rod[0]))
    return Scene(parts, carriers, (run,), (Label("tip", (1.0, 0.0, 0.0)),), "crank")
