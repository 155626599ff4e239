"""Buckling of reduced bodies under interface loads, against theory and against the finite elements."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

import floatframe as ff
from floatframe.cli.main import application
from floatframe.errors import ModelError

STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
SECTION = ff.fem.BeamSection.rectangle(0.02, 0.06).without_shear()
L = 2.0
EULER = np.pi**2 * STEEL.E * SECTION.Iz / L**2
REDUCTION = 1e-3  # ten eigenmodes leave less


def rod(start=(0.0, 0.0, 0.0), direction=(1.0, 0.0, 0.0), n: int = 20) -> ff.fem.FEModel:
    along = np.array(direction) / np.linalg.norm(direction)
    return ff.fem.beam_line(start, tuple(start + L * along), n=n, section=SECTION, material=STEEL)


@pytest.fixture(scope="module")
def body() -> ff.modal.ReducedBody:
    return ff.modal.reduce(rod(), interface=[1, 21], n_modes=10)


@pytest.mark.parametrize("orthonormal", [False, True])
@pytest.mark.parametrize(
    ("fixed", "factor"),
    [
        ([(1, "ux,uy,uz,rx"), (21, "uy,uz")], 1.0),
        ([1], 0.25),
        ([1, (21, "uy,uz")], 2.0457),
        ([1, (21, "uy,uz,rx,ry,rz")], 4.0),
    ],
)
def test_columns(body, fixed, factor, orthonormal):
    found = ff.modal.body_buckling(body.orthonormalised() if orthonormal else body, {(21, "ux"): -1.0}, fixed)
    assert found[0] == pytest.approx(factor * EULER, rel=REDUCTION)
    assert (found > 0).sum() == found.size  # tension never buckles a column


@pytest.mark.parametrize("load", ["ux", "uy", "uz", "rx", "ry", "rz"])
def test_every_direction_is_that_of_the_finite_elements(load):
    """A beam across all axes, away from the origin, clamped at one end."""
    fe = rod((1.0, 2.0, 3.0), (1.0, 0.5, 0.2))
    # turning over twists the beam, and torsion comes late among the modes: with 12 of them the load is 2 % higher
    body = ff.modal.reduce(fe, interface=[1, 21], n_modes=40)
    wanted = ff.modal.buckling(fe, {(21, load): 1.0}, [1], n=1).factor[0]
    found = ff.modal.body_buckling(body, {(21, load): 1.0}, [1])
    assert np.abs(found[:2]).min() == pytest.approx(abs(wanted), rel=REDUCTION)


def test_the_model_s_own_supports_hold(body):
    held = ff.modal.reduce(rod().with_support([1]), interface=[21], n_modes=10)
    for part in ("ux", "uz", "ry"):
        own, free = (ff.modal.body_buckling(b, {(21, part): -1.0}, f)[:2] for b, f in ((held, []), (body, [1])))
        assert np.sort(own) == pytest.approx(np.sort(free), rel=1e-6)  # one space of shapes


def test_critical_loads(body):
    found = {(*row.nodes, row.component, row.held_node): row for row in ff.modal.critical_loads(body)}
    strut = found[1, 21, "", None]
    assert strut.forward == pytest.approx(EULER, rel=REDUCTION)
    assert strut.backward == np.inf
    tip = found[21, "ux", 1]
    assert (tip.forward, tip.backward) == (np.inf, pytest.approx(EULER / 4.0, rel=REDUCTION))
    assert {row.unit for row in found.values()} == {"N", "N m"}
    assert len(found) == 7
    assert ff.modal.critical_loads(replace(body, geometric=None)) == []
    assert ff.modal.critical_loads(ff.modal.reduce(rod(), interface=[1], n_modes=4)) == []


def test_info_shows_them(body, tmp_path):
    ff.io.write(tmp_path / "rod.h5", body)
    said = CliRunner().invoke(application(), ["info", str(tmp_path / "rod.h5"), "--json"])
    content = json.loads(said.stdout)
    assert content["settings"]["geometric"].startswith("24 load states in ")  # what the terms cost
    rows = content["buckling_loads"]
    assert rows[0]["critical"] == pytest.approx(EULER, rel=REDUCTION)
    assert rows[0]["reversed"] is None
    words = CliRunner().invoke(application(), ["info", str(tmp_path / "rod.h5")]).stdout
    assert "buckling loads, upper bounds: more modes lower them" in words
    assert "compression between nodes 1 and 21" in " ".join(words.split())
    ff.io.write(tmp_path / "input.fum", body)  # has no terms
    plain = CliRunner().invoke(application(), ["info", str(tmp_path / "input.fum"), "--json"]).stdout
    assert json.loads(plain)["buckling_loads"] == []


def test_mistakes(body):
    with pytest.raises(ModelError, match="ux of node 7 is not a dof of its interface"):
        ff.modal.body_buckling(body, {(7, "ux"): 1.0}, [1])
    with pytest.raises(ModelError, match="can still move as a rigid body"):
        ff.modal.body_buckling(body, {(21, "ux"): -1.0}, [(1, "ux,uy,uz")])
    with pytest.raises(ModelError, match="has no geometric terms"):
        ff.modal.body_buckling(replace(body, geometric=None), {(21, "ux"): -1.0}, [1])
