"""Meshes of other programs with a side-car of properties are the models our builders make."""

from __future__ import annotations

import meshio
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import floatframe as ff

STEEL = ff.fem.Material(2.1e11, 0.3, 7850.0)
PROPS = """format = "floatframe-props/1"
units = "{units}"
[material.steel]
E = {E}
nu = 0.3
rho = {rho}
[group.{group}]
material = "steel"
thickness = {thickness}
[[support]]
set = "{group}"
components = "uz"
"""


def plate(folder, scale=1.0, suffix=".vtu"):
    """Write a plate whose cells carry the number 7 as the group `part`."""
    fe = ff.fem.plate_grid(1.0, 0.6, nx=4, ny=3, thickness=0.01, material=STEEL)
    cells = fe.blocks[0].connectivity
    mesh = meshio.Mesh(fe.nodes * scale, [("quad", cells)], cell_data={"part": [np.full(len(cells), 7)]})
    path = folder / f"plate{suffix}"
    mesh.write(path)
    return fe, path


def properties(path, group="part-7", units="SI", E=2.1e11, rho=7850.0, thickness=0.01):
    text = PROPS.format(group=group, units=units, E=E, rho=rho, thickness=thickness)
    path.with_name("plate.props.toml").write_text(text)


@pytest.mark.parametrize("suffix", [".vtu", ".vtk"])
def test_plate_with_properties(tmp_path, suffix):
    fe, path = plate(tmp_path, suffix=suffix)
    properties(path)
    got = ff.io.read(path)
    assert_array_equal(got.blocks[0].connectivity, fe.blocks[0].connectivity)
    assert_allclose(got.stiffness().toarray(), fe.stiffness().toarray(), rtol=1e-12, atol=1e-3)
    assert_allclose(got.mass_properties().mass, 0.6 * 0.01 * 7850.0, rtol=1e-12)
    assert got.supports.tolist() == [[node, 2] for node in fe.node_ids.tolist()]


def test_units_of_the_side_car_hold_for_the_mesh_too(tmp_path):
    fe, path = plate(tmp_path, scale=1000.0)
    properties(path, units="mm-t-s", E=210000.0, rho=7.85e-9, thickness=10.0)
    got = ff.io.read(path)
    assert_allclose(got.nodes, fe.nodes, atol=1e-12)
    assert_allclose(got.mass_properties().mass, 0.6 * 0.01 * 7850.0, rtol=1e-12)


def test_template_can_be_read_back(tmp_path):
    _, path = plate(tmp_path)
    with pytest.raises(ff.ReadError, match=r"no 'plate\.props\.toml'.*groups here: part-7.*--template"):
        ff.io.read(path)
    ff.io.write_template(path)
    assert ff.io.read(path).nelement == 12
    with pytest.raises(ff.ReadError, match="exists already"):
        ff.io.write_template(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("[group.part-7]", "[group.nowhere]"), r"group 'nowhere' is not in the mesh; groups there: part-7"),
        (('material = "steel"', 'material = "wood"'), r"material 'wood' is unknown; materials here: steel"),
        (("thickness = 0.01", ""), r"'thickness' is missing"),
        (("thickness = 0.01", "thickness = 0.01\ncolour = 3"), r"'colour' is unknown"),
        (("floatframe-props/1", "floatframe-props/9"), r"format is 'floatframe-props/9', expected"),
        (("E = ", "E == "), r"is no TOML file"),
        (('set = "part-7"', 'set = "rim"'), r"node set 'rim' is unknown"),
    ],
)
def test_wrong_properties_are_named(tmp_path, change, message):
    _, path = plate(tmp_path)
    properties(path)
    side_car = path.with_name("plate.props.toml")
    assert change[0] in side_car.read_text()
    side_car.write_text(side_car.read_text().replace(*change))
    with pytest.raises(ff.ReadError, match=r"plate\.props\.toml'.*" + message):
        ff.io.read(path)


@pytest.mark.parametrize("content", [b"", b"garbage", b"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\nx\n"])
def test_what_breaks_inside_meshio_is_one_sentence(tmp_path, content):
    """meshio leaves the program with SystemExit on some of these."""
    path = tmp_path / "bad.msh"
    path.write_bytes(content)
    with pytest.raises(ff.ReadError, match=r"bad\.msh' cannot be read as gmsh mesh"):
        ff.io.read(path)
