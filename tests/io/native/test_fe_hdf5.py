"""The model file keeps every number exactly, appears complete or not at all, and notices damage."""

from __future__ import annotations

import dataclasses
import itertools

import h5py
import numpy as np
import pytest

import floatframe as ff
from floatframe.fem import MPC, RBE2, RBE3, BeamSection, ElementBlock, FEModel, Material, PointMass, ShellSection
from floatframe.io.native import fe_hdf5


@pytest.fixture(scope="module")
def model() -> FEModel:
    """Something of everything, with numbers that have no short decimal form."""
    steel, oak = Material(2.1e11 / 3, 0.3, 7850 / 7, "steel"), Material(1.1e10, 0.29, 700.1, "дуб")
    triangle = ((0.0, 0.0), (1 / 3, 0.0), (0.0, 1.0))
    bar = BeamSection(1e-4 / 3, 1e-9, 2e-9, 3e-9, shear_centre=(1e-3 / 3, 0.0), outline=triangle)
    wall = ShellSection(0.01 / 3, offset=1e-3, name="wall")
    xyz = np.random.default_rng(0).normal(size=(9, 3))
    beams = np.array([[0, 1], [1, 2]])
    fe = FEModel(
        xyz,
        (
            ElementBlock("beam", beams, steel, bar, {"orientation": np.array([[0, 0, 1 / 3], [0, 1, 0]])}, name="rib"),
            ElementBlock("beam", beams + 2, oak, bar),
            ElementBlock("shell4", np.array([[4, 5, 6, 7]]), steel, wall, element_ids=np.array([77])),
        ),
        node_ids=np.array([10, 3, 5, 7, 90, 11, 12, 13, 14]),
        name="все / everything",
    )
    fe = fe.with_node_set("left / right", [3, 90]).with_node_set("one", [10]).with_element_set("skin", [77])
    fe = fe.with_support([("one", "ux,rz"), 5]).with_point_mass(7, 1 / 3, (1 / 7, 2, 2), (0, 0, 1 / 9))
    for coupling in (
        MPC([(3, "uz", 1.0), (5, "uz", -1 / 3)], "link"),
        RBE2(14, [12, 13], "ux,uy,uz", "seat"),
        MPC([(3, "ux", 1.0), (5, "ux", 1 / 3)]),
        RBE3(90, [10, 3, 11], [1 / 3, 1, 1], independent=True),
    ):
        fe = fe.with_coupling(coupling)
    return fe


@pytest.fixture(scope="module")
def content(model, tmp_path_factory) -> bytes:
    path = tmp_path_factory.mktemp("model") / "model.h5"
    ff.io.write(path, model)
    return path.read_bytes()


def assert_same(a, b):
    """Compare dataclasses field by field, arrays bit by bit including their type."""
    assert type(a) is type(b)
    if dataclasses.is_dataclass(a):
        for field in dataclasses.fields(a):
            if field.name == "source":  # the file that it was read from, not part of its content
                continue
            assert_same(getattr(a, field.name), getattr(b, field.name))
    elif isinstance(a, np.ndarray):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
    elif isinstance(a, dict):
        assert list(a) == list(b)
        for key in a:
            assert_same(a[key], b[key])
    elif isinstance(a, tuple):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            assert_same(x, y)
    else:
        assert a == b


def test_round_trip_is_exact(model, content, tmp_path):
    path = tmp_path / "model.h5"
    path.write_bytes(content)
    assert_same(ff.io.read(path), model)


def test_empty_model_survives(tmp_path):
    ff.io.write(tmp_path / "empty.h5", FEModel(np.empty((0, 3))))
    assert_same(ff.io.read(tmp_path / "empty.h5"), FEModel(np.empty((0, 3))))


def test_blocks_share_their_material_after_reading(content, tmp_path):
    path = tmp_path / "model.h5"
    path.write_bytes(content)
    first, _, third = ff.io.read(path).blocks
    assert first.material is third.material


@pytest.mark.parametrize("kind", [kind for kind in fe_hdf5.RECORDS if kind is not MPC])
def test_format_keeps_every_field_of_the_record(kind):
    # a field added to the class must be added to the file; the matrix of a material stands with the blocks that use it
    assert set(fe_hdf5.RECORDS[kind]) == {field.name for field in dataclasses.fields(kind)} - {"matrix"}


def test_format_keeps_every_field_of_the_model():
    kept = {"nodes", "blocks", "node_ids", "node_sets", "element_sets", "point_masses", "couplings", "supports", "name"}
    assert kept == {field.name for field in dataclasses.fields(FEModel)} - {"source"}


def test_format_and_version_are_marked(content, tmp_path):
    path = tmp_path / "model.h5"
    path.write_bytes(content)
    with h5py.File(path, "r+") as file:
        assert file.attrs["format"] == b"floatframe-fe-model"
        assert file.attrs["version"] == 1
        file.attrs["version"] = 2
    with pytest.raises(ff.ReadError, match=r"model\.h5.*version 2.*reads up to 1"):
        ff.io.read(path)


def change(path, name, values):
    with h5py.File(path, "r+") as file:
        del file[name]
        if values is not None:
            file[name] = values


@pytest.mark.parametrize(
    ("field", "values", "complaint"),
    [
        ("nodes", None, "field 'nodes' is missing"),
        ("nodes", np.zeros((9, 2)), r"field 'nodes' has shape \(9, 2\), expected \(any, 3\)"),
        ("node_ids", np.arange(8), r"field 'node_ids' has shape \(8,\), expected \(9\)"),
        ("node_ids", np.arange(9.0), "field 'node_ids' has type float64, expected kind 'i'"),
        ("node_ids", np.ones(9, dtype=int), "node number 1 used more than once"),
        ("blocks/0/connectivity", np.array([[0, 99], [1, 2]]), "there are 9 nodes"),
        ("blocks/2", None, "field 'blocks' holds 2 entries, expected 3"),
        ("materials/Material/E", np.array([-1.0, 1.0]), r"field 'materials/Material\[0\]' .*E is -1 Pa"),
        ("couplings/MPC/node_length", np.array([-1, 2]), "field 'couplings/MPC/node_length' holds a negative number"),
        ("couplings/RBE2/dependents", np.array([12]), r"dependents' has shape \(1,\), expected \(2\)"),
        ("node_sets/members", np.array([3, 90, 1000]), "unknown node 1000"),
    ],
)
def test_broken_field_is_named(content, tmp_path, field, values, complaint):
    path = tmp_path / "model.h5"
    path.write_bytes(content)
    change(path, field, values)
    with pytest.raises(ff.ReadError, match=complaint) as caught:
        ff.io.read(path)
    assert "model.h5" in str(caught.value)


def test_every_truncation_is_refused(content, tmp_path):
    path = tmp_path / "model.h5"
    for size in range(0, len(content), 487):
        path.write_bytes(content[:size])
        with pytest.raises(ff.ReadError):
            ff.io.read(path)


def test_damaged_bytes_are_noticed_or_harmless(model, content, tmp_path):
    # structure and arrays carry checksums; what is left over is unused space, where a change does no harm
    path = tmp_path / "model.h5"
    rng = np.random.default_rng(1)
    refused = 0
    for place, bit in zip(rng.integers(0, len(content), 120), itertools.cycle(range(8))):
        damaged = bytearray(content)
        damaged[place] ^= 1 << bit
        path.write_bytes(damaged)
        try:
            found = fe_hdf5.read(path)
        except ff.ReadError:
            refused += 1
        else:
            assert_same(found, model)
    assert refused > 0


def test_failed_write_leaves_the_older_file(model, content, tmp_path):
    path = tmp_path / "model.h5"
    path.write_bytes(content)
    strange = dataclasses.replace(model.couplings[0])
    object.__setattr__(strange, "name", 3)
    with pytest.raises(ff.WriteError, match="not text"):
        ff.io.write(path, dataclasses.replace(model, couplings=(strange,)))
    assert path.read_bytes() == content
    assert [p.name for p in tmp_path.iterdir()] == ["model.h5"]


def test_missing_folder_is_a_clear_error(model, tmp_path):
    with pytest.raises(ff.WriteError, match="cannot be written"):
        ff.io.write(tmp_path / "nowhere" / "model.h5", model)


def test_point_mass_is_kept_in_full(content, tmp_path):
    path = tmp_path / "model.h5"
    path.write_bytes(content)
    (mass,) = ff.io.read(path).point_masses
    assert_same(mass, PointMass(7, 1 / 3, np.diag([1 / 7, 2.0, 2.0]), np.array([0, 0, 1 / 9])))
