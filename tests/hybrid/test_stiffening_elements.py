"""The same rod of beams, shells and solids: its stiffening must not depend on the elements or on the file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h
from floatframe.hybrid.studies.load_limits import BucklingShare
from tests.hybrid.stiffened_models import LENGTH, SQUARE, STEEL, beam, flexible_rod, slider_crank

SIDE = 0.02
EULER = np.pi**2 * STEEL.E * SQUARE.Iz / LENGTH**2  # N


def with_end_nodes(fe: ff.fem.FEModel) -> ff.fem.FEModel:
    """The model with a node in the middle of each end that leads the end's nodes."""
    x = fe.nodes[:, 0]
    middle = fe.nodes[:, 1:].mean(axis=0)
    ends = np.array([[x.min(), *middle], [x.max(), *middle]])
    sides = [fe.node_ids[np.isclose(x, end[0])].tolist() for end in ends]
    fe = replace(fe, nodes=np.vstack([fe.nodes, ends]), node_ids=np.append(fe.node_ids, [10001, 10002]))
    for reference, side in zip((10001, 10002), sides, strict=True):
        fe = fe.with_coupling(ff.fem.RBE2(reference, side))
    return fe


@pytest.fixture(scope="module", params=["beam", "shell", "solid", "file"])
def rod(request, tmp_path_factory) -> ff.modal.ReducedBody:
    if request.param == "beam":
        return beam(n=20, modes=10)
    if request.param == "file":
        path = tmp_path_factory.mktemp("rod") / "rod.h5"
        ff.io.write(path, beam(n=20, modes=10))
        found = ff.io.read(path)
        assert isinstance(found, ff.modal.ReducedBody)
        return found
    if request.param == "shell":
        fe = ff.fem.plate_grid(LENGTH, SIDE, nx=40, ny=2, thickness=SIDE, material=STEEL)
    else:
        fe = ff.fem.solid_box((LENGTH, SIDE, SIDE), (40, 1, 1), "hex20", material=STEEL)
    fe = with_end_nodes(fe)
    return ff.modal.reduce(fe, interface=[10001, 10002], n_modes=10)


def test_buckling_load_is_euler_s(rod):
    reduced = rod.orthonormalised()
    ends, loads = reduced.interface_nodes, np.zeros(len(reduced.interface))
    for node, force in zip(ends, (EULER, -EULER), strict=True):
        loads[(reduced.interface == [node, 0]).all(axis=1)] = force
    assert BucklingShare(reduced).share(loads) == pytest.approx(1.0, rel=0.02)


def test_slider_crank_is_as_fast(rod):
    """6.917 rad/s; ten modes and coarse meshes leave 0.01, without stiffening it is 0.14 more."""
    system = slider_crank(flexible_rod(rod))
    run = system.compile().simulate(
        t_end=2.0, step=1e-3, spectral_radius=0.6, record=h.Record(every=0.1, channels=("A.rate",))
    )
    assert run["A.rate"][-1] == pytest.approx(6.917, abs=0.015)
