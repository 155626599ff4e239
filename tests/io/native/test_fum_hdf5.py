"""The HDF5 form of input.fum: everything comes back, damage is noticed, shapes wait in big files."""

from __future__ import annotations

import h5py
import numpy as np
import pytest
from numpy.testing import assert_array_equal

import floatframe as ff
from floatframe.fem import BeamSection, Material, ShellSection
from floatframe.io.native import fum_hdf5
from floatframe.modal.body.display_mesh import DisplayMesh
from floatframe.modal.body.inertia import nodal_inertia_constants
from floatframe.modal.body.reduced_body import Provenance
from tests.io.native.same_body import assert_same_body
from tests.reference.bodies import tiny_body


def rich_body():
    """A body with all that only this form can hold."""
    plain = tiny_body()
    mesh = plain.mesh
    return tiny_body(
        nodal_offset=np.array([[0.0, 0.0, 0.0], [0.1, 0.2, 0.3], [0.0, 0.0, 0.0]]),
        damping=np.diag([0.1, 0.2, 0.3]),
        constants=nodal_inertia_constants(plain.nodes, plain.shapes, 2.0 * plain.nodal_mass, plain.nodal_inertia),
        mesh=DisplayMesh(
            mesh.types,
            mesh.element_ids,
            mesh.element_type,
            mesh.connectivity,
            (Material(E=2.1e11, nu=0.3, rho=7850.0, name="Сталь"),),
            (BeamSection.rectangle(0.02, 0.03), ShellSection(0.004)),
            np.array([0, 0, -1]),
            np.array([0, 1, 0]),
        ),
        name="шатун № 1",
        notes=("one column was dropped",),
        provenance=Provenance(
            "prep", "2026-11-16T08:07:06.005", "rod.cdb", "ab" * 32, {"method": "guyan"}, "a long comment" * 80
        ),
    )


def test_everything_comes_back(tmp_path):
    path = tmp_path / "body.h5"
    body = rich_body()
    ff.io.write(path, body)
    again = ff.io.read(path)
    assert_same_body(again, body)
    for name in ("nodal_offset", "damping"):
        assert_array_equal(getattr(again, name), getattr(body, name))
    for name, value in vars(body.constants).items():
        assert_array_equal(getattr(again.constants, name), value)
    assert again.provenance == body.provenance
    assert again.notes == body.notes
    assert again.mesh.materials == body.mesh.materials
    assert again.mesh.sections == body.mesh.sections
    assert_array_equal(again.mesh.element_section, body.mesh.element_section)


def test_binary_to_hdf5_to_binary_gives_the_same_bytes(tmp_path):
    first, between, last = tmp_path / "a.fum", tmp_path / "b.h5", tmp_path / "c.fum"
    ff.io.write(first, tiny_body())
    ff.io.write(between, ff.io.read(first))
    ff.io.write(last, ff.io.read(between))
    assert last.read_bytes() == first.read_bytes()


def test_paths_and_counts_are_those_of_the_format(tmp_path):
    path = tmp_path / "body.h5"
    ff.io.write(path, tiny_body())
    with h5py.File(path) as file:
        assert {"title", "element_types", "nodes", "elements", "solution", "inertia"} <= set(file)
        assert file["title"].attrs["QNodes"] == 3
        assert file["solution"].attrs["QSForms"] == 2
        assert file["solution/shapes"].shape == (3, 18)


@pytest.mark.parametrize(
    "field", ["solution/shapes", "solution/mass", "nodes/coordinates", "elements/connectivity", "inertia/hh"]
)
def test_changed_payload_is_noticed(tmp_path, field):
    path = tmp_path / "body.h5"
    ff.io.write(path, tiny_body())
    with h5py.File(path) as file:
        chunk = file[field].id.get_chunk_info(0)
    raw = bytearray(path.read_bytes())
    raw[chunk.byte_offset + chunk.size // 2] ^= 0x10
    path.write_bytes(raw)
    with pytest.raises(ff.ReadError, match=field):
        ff.io.read(path)


def test_no_flipped_byte_goes_unnoticed(tmp_path):
    path = tmp_path / "body.h5"
    body = tiny_body()
    ff.io.write(path, body)
    whole = np.fromfile(path, dtype=np.uint8)
    random = np.random.default_rng(5)
    for place in random.integers(0, whole.size, 400):
        damaged = whole.copy()
        damaged[place] ^= 1 << int(random.integers(8))
        damaged.tofile(path)
        try:
            again = ff.io.read(path)
        except ff.ReadError:
            continue
        assert_same_body(again, body)  # the byte was not used


def test_a_changed_text_is_noticed(tmp_path):
    path = tmp_path / "body.h5"
    ff.io.write(path, tiny_body())
    with h5py.File(path, "r+") as file:
        file["title"].attrs["name"] = np.bytes_("another rod")
    with pytest.raises(ff.ReadError, match="does not match its checksum"):
        ff.io.read(path)


def test_shapes_of_big_files_wait_until_they_are_needed(tmp_path, monkeypatch):
    path = tmp_path / "body.h5"
    ff.io.write(path, tiny_body())
    monkeypatch.setattr(fum_hdf5, "_LAZY", 100)
    body = ff.io.read(path)
    assert isinstance(body.__dict__["_shapes"], fum_hdf5.StoredShapes)
    assert body.nmode == 3
    assert isinstance(body.__dict__["_shapes"], fum_hdf5.StoredShapes)
    assert_array_equal(body.shapes, tiny_body().shapes)
    assert isinstance(body.__dict__["_shapes"], np.ndarray)


def test_shapes_of_big_files_are_their_own(tmp_path, monkeypatch):
    path, other = tmp_path / "body.h5", tmp_path / "other.h5"
    monkeypatch.setattr(fum_hdf5, "_LAZY", 100)
    for put, said in (
        (h5py.ExternalLink(other, "/solution/shapes"), "is a link to another place"),
        (np.zeros((3, 18), dtype=np.int64), "expected real"),
        (np.zeros((3, 18, 1)), "has float64 of shape"),
    ):
        for place in (path, other):
            ff.io.write(place, tiny_body())
        with h5py.File(path, "r+") as file:
            del file["solution/shapes"]
            file["solution/shapes"] = put
        with pytest.raises(ff.ReadError, match=said):
            ff.io.read(path)


def test_shapes_are_compressed_where_it_pays(tmp_path):
    solid = np.zeros((6 * 3, 3))
    solid[::6] = 1.0
    noise = np.random.default_rng(0).standard_normal((6 * 3, 3))
    for shapes, expected in ((solid, "gzip"), (noise, None)):
        path = tmp_path / "body.h5"
        body = tiny_body(shapes=shapes, interface=[], kind=("eigen",) * 3, frequency=np.ones(3))
        ff.io.write(path, body)
        with h5py.File(path) as file:
            assert file["solution/shapes"].compression == expected


def test_whole_and_numpy_numbers_of_materials_and_sections_are_read_back(tmp_path):
    steel = ff.fem.Material(E=210_000_000_000, nu=0.3, rho=7850)
    section = ff.fem.BeamSection.rectangle(np.float64(0.02), 0.02)
    beam = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=4, section=section, material=steel)
    body = ff.modal.reduce(beam, interface=[1], n_modes=2)
    ff.io.write(tmp_path / "body.h5", body)
    assert ff.io.read(tmp_path / "body.h5").mesh.materials == body.mesh.materials
