"""The binary input.fum: bytes against hand-written ones, blocks in any order, truncated and corrupted files."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import floatframe as ff
from floatframe.io.native import _fum_reader, fum_binary
from floatframe.modal.body.display_mesh import DisplayMesh
from floatframe.modal.body.inertia import nodal_inertia_constants
from floatframe.modal.body.reduced_body import Provenance
from tests.io.native.same_body import assert_same_body
from tests.reference.bodies import tiny_body


def text(characters):
    return bytes([len(characters)]) + characters.encode()


def tiny_blocks():
    """The blocks of `tiny_body` written by hand from table П1."""
    strings = text("prep 2") + text("rod") + text("as drawn")
    counts = struct.pack("<6i", 35, 3, 9, 3, 0, 6) + struct.pack("<6i", 1, 2, 3, 4, 5, 6)
    title = struct.pack("<3i", 12 + len(strings) + len(counts), 16112026, 80706005) + strings + counts
    records = bytes([1, 2, 1, 2, 1, 2]) + bytes([4, 3, 1, 3, 1, 2, 3])
    types = struct.pack("<2i", 8 + len(records), 2) + records
    numbers = struct.pack("<3i", 10, 20, 35)
    places = struct.pack("<12d", 10, 0, 0, 0, 20, 1.5, 0.25, -0.5, 35, 3, 0.5, 1)
    elements = struct.pack("<13i", *(7, 1, 10, 20), *(9, 4, 10, 20, 35), *(8, 1, 20, 35))
    return [title, types, numbers, places, elements]


def tiny_solution_parts():
    diagonal = [0.5, 0.5, 0.5, 1 / 64, 2 / 64, 3 / 64, *[0.75] * 3, 0, 0, 0, *[1.25] * 3, 4 / 64, 5 / 64, 6 / 64]
    conditions = struct.pack("<3i", 20 * 32 + 6, 10 * 32 + 2, 35 * 32 + 3) + struct.pack("<3d", 0, 1, 1)
    forms = [[k / 7.0 for k in range(18 * j, 18 * j + 18)] for j in range(3)]
    forms[1][1], forms[1][14], forms[2][1], forms[2][14] = 1.0, 0.0, 0.0, 1.0
    return [
        struct.pack("<18d", *diagonal),
        conditions,
        struct.pack("<d", 12.5),
        b"".join(struct.pack("<18d", *form) for form in forms),
        struct.pack("<9d", 1, 0.25, 0.5, 0.25, 2, 0.125, 0.5, 0.125, 3),
        struct.pack("<9d", 6, 0, 0, 0, 50, -5, 0, -5, 70),
    ]


def placed(parts, start, order=None, gap=0, align=1):
    """Return offsets of parts and their bytes, in another order or with gaps if wanted."""
    offsets, data = [0] * len(parts), b""
    for k in order if order is not None else range(len(parts)):
        data += b"\xee" * gap
        data += bytes(-(start + len(data)) % align)
        offsets[k] = start + len(data)
        data += parts[k]
    return offsets, data


def tiny_file(order=None, gap=0, align=1):
    """The whole file by hand; `order` permutes the six blocks and the six parts of the solution."""
    offsets, parts = placed(tiny_solution_parts(), 44, order, gap, align)
    solution = struct.pack("<11i", 1, 2, 3, 0, 0, *offsets) + parts
    offsets, data = placed([*tiny_blocks(), solution], 29, order, gap, align)
    return b"UMFEM" + struct.pack("<6i", *offsets) + data


def test_written_bytes_are_those_of_the_table(tmp_path):
    path = tmp_path / "input.fum"
    ff.io.write(path, tiny_body())
    assert path.read_bytes() == tiny_file(align=8)


@pytest.mark.parametrize("order", [None, (5, 4, 3, 2, 1, 0), (2, 0, 5, 1, 4, 3)])
@pytest.mark.parametrize("gap", [0, 3])
def test_blocks_are_found_through_the_tables(tmp_path, order, gap):
    path = tmp_path / "foreign.fum"
    path.write_bytes(tiny_file(order, gap))
    body = ff.io.read(path)
    assert_same_body(body, tiny_body())
    assert body.provenance == tiny_body().provenance


def test_a_file_is_recognised_by_its_first_bytes(tmp_path):
    path = tmp_path / "body.data"
    path.write_bytes(tiny_file())
    assert ff.io.read(path).name == "rod"


def test_text_of_other_programs_is_read_leniently(tmp_path):
    name = "шатун".encode("cp1251")
    blocks = tiny_blocks()
    blocks[0] = blocks[0].replace(text("rod"), bytes([len(name)]) + name)
    offsets, parts = placed(tiny_solution_parts(), 44)
    offsets, data = placed([*blocks, struct.pack("<11i", 1, 2, 3, 0, 0, *offsets) + parts], 29)
    path = tmp_path / "input.fum"
    path.write_bytes(b"UMFEM" + struct.pack("<6i", *offsets) + data)
    assert ff.io.read(path).name == "шатун"


@pytest.mark.parametrize("name", ["шатун №2", "r\x98d", ""])
def test_text_that_was_read_can_be_written_again(tmp_path, name):
    ff.io.write(tmp_path / "input.fum", tiny_body(name=name))
    assert ff.io.read(tmp_path / "input.fum").name == name


@pytest.mark.parametrize("name", ["連桿", "Flügel", "x" * 256])
def test_text_that_does_not_fit_is_refused(tmp_path, name):
    with pytest.raises(ff.WriteError, match="255 characters of ASCII or Cyrillic"):
        ff.io.write(tmp_path / "input.fum", tiny_body(name=name))
    assert not list(tmp_path.iterdir())


def test_every_truncation_names_a_field(tmp_path):
    whole = tiny_file(align=8)
    path = tmp_path / "input.fum"
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(ff.ReadError, match=r"field '|its content is not what '.fum' means here"):
            ff.io.read(path)
        if size >= 5:
            with pytest.raises(ff.ReadError, match="field '"):
                ff.io.read(path)


def damage(whole, random):
    """Change up to three places: single bytes, or whole numbers that matter."""
    damaged = whole.copy()
    for _ in range(int(random.integers(1, 4))):
        place = int(random.integers(5, whole.size))
        if random.random() < 0.3 and place + 4 <= whole.size:
            value = random.choice([-1, 0, 1, 2**31 - 1, -(2**31), int(random.integers(-(2**31), 2**31))])
            damaged[place : place + 4] = np.frombuffer(struct.pack("<i", value), dtype=np.uint8)
        else:
            damaged[place] = random.integers(256)
    return damaged


def test_corrupted_files_are_refused_or_still_consistent():
    whole = np.frombuffer(tiny_file(align=8), dtype=np.uint8)
    random = np.random.default_rng(4)
    survived = []
    complaints = set()
    for _ in range(10_000):
        try:
            survived.append(_fum_reader.body_of(Path("damaged.fum"), damage(whole, random)))
        except ff.ReadError as error:
            complaints.add(str(error))
    assert all("field '" in complaint for complaint in complaints)
    # changed payload numbers are no error of the format; changed structure always is
    assert 1_000 < len(survived) < 9_000
    for body in survived:
        assert np.isfinite(body.shapes).all()
        assert body.shapes.shape == (6 * body.nnode, body.nmode)
        assert np.abs(body.mass - body.mass.T).max() <= 1e-8 * np.abs(body.mass).max()
        assert body.mesh.connectivity.max(initial=0) < body.nnode


def test_huge_counts_are_refused_before_anything_is_allocated(tmp_path):
    whole = bytearray(tiny_file(align=8))
    solution = struct.unpack_from("<6i", whole, 5)[5]
    struct.pack_into("<2i", whole, solution, 2**31 - 1, 2**31 - 1)
    path = tmp_path / "input.fum"
    path.write_bytes(whole)
    with pytest.raises(ff.ReadError, match="GMassMatrix"):
        ff.io.read(path)


def test_a_body_above_two_gibibytes_is_sent_to_hdf5(tmp_path):
    nnode, nmode = 20_000, 2_300  # arrays of one number each, seen as large ones
    body = replace(
        tiny_body(interface=[], supports=[], mesh=DisplayMesh()),
        nodes=np.broadcast_to(0.0, (nnode, 3)),
        node_ids=np.arange(1, nnode + 1),
        shapes=np.broadcast_to(0.0, (6 * nnode, nmode)),
        kind=("eigen",) * nmode,
        origin=("",) * nmode,
        frequency=np.broadcast_to(1.0, nmode),
        **dict.fromkeys(("mass", "stiffness", "damping"), np.broadcast_to(0.0, (nmode, nmode))),
        nodal_mass=np.broadcast_to(1.0, nnode),
        nodal_inertia=np.broadcast_to(0.0, (nnode, 3, 3)),
        nodal_offset=np.broadcast_to(0.0, (nnode, 3)),
    )
    with pytest.raises(ff.WriteError, match=r"2 GiB; write HDF5 instead, e\.g\. 'input\.h5'"):
        ff.io.write(tmp_path / "input.fum", body)
    assert not list(tmp_path.iterdir())


def test_shapes_of_big_files_are_mapped(tmp_path, monkeypatch):
    monkeypatch.setattr(_fum_reader, "_MAPPED", 100)
    path = tmp_path / "input.fum"
    ff.io.write(path, tiny_body())
    body = ff.io.read(path)
    base = body.shapes
    while base.base is not None and not isinstance(base, np.memmap):
        base = base.base
    assert isinstance(base, np.memmap)
    assert body.shapes.flags.aligned
    assert_array_equal(body.shapes, tiny_body().shapes)


@pytest.mark.parametrize(
    ("inertia", "nodes_added"),
    [(np.diag([0.02, 0.03, 0.04]), 1), (np.array([[0.3, 0.02, 0.01], [0.02, 0.25, -0.03], [0.01, -0.03, 0.2]]), 6)],
)
def test_masses_beside_their_node_keep_mass_centre_and_inertia(tmp_path, inertia, nodes_added):
    offset = np.zeros((3, 3))
    offset[1] = 0.3, -0.2, 0.1
    inertias = tiny_body().nodal_inertia.copy()
    inertias[1] = inertia
    body = tiny_body(nodal_offset=offset, nodal_inertia=inertias)
    path = tmp_path / "input.fum"
    ff.io.write(path, body)
    again = ff.io.read(path)
    assert again.nnode == body.nnode + nodes_added
    assert not again.nodal_offset.any()
    for name in ("m", "rho", "H", "rhoH", "rhorho", "HH"):
        # six masses stand for the tensor exactly; only rounding of their places remains
        found, expected = getattr(again.inertia, name), getattr(body.inertia, name)
        assert_allclose(found, expected, rtol=1e-12, atol=1e-12 * np.abs(expected).max(), err_msg=name)


def test_products_of_inertia_that_no_mass_could_have_are_refused(tmp_path):
    inertias = tiny_body().nodal_inertia.copy()
    inertias[1] = [[1.0, 0.4, 0.0], [0.4, 0.2, 0.0], [0.0, 0.0, 0.2]]
    with pytest.raises(ff.WriteError, match="node 20 has products of inertia"):
        ff.io.write(tmp_path / "input.fum", tiny_body(nodal_inertia=inertias))


def test_files_with_three_dofs_per_node(tmp_path):
    """A solid of another program: no rotations in the file, zeros in the body."""
    blocks = tiny_blocks()
    blocks[0] = blocks[0][: -7 * 4] + struct.pack("<4i", 3, 1, 2, 3)
    parts = tiny_solution_parts()
    diagonal = np.frombuffer(parts[0]).reshape(3, 6)[:, :3]
    forms = np.frombuffer(parts[3]).reshape(3, 3, 6)[:, :, :3]
    parts[0], parts[3] = diagonal.tobytes(), forms.tobytes()
    offsets, data = placed(parts, 44)
    offsets, data = placed([*blocks, struct.pack("<11i", 1, 2, 3, 0, 0, *offsets) + data], 29)
    path = tmp_path / "input.fum"
    path.write_bytes(b"UMFEM" + struct.pack("<6i", *offsets) + data)
    body = ff.io.read(path)
    by_node, expected = body.shapes.reshape(3, 6, 3), tiny_body().shapes.reshape(3, 6, 3)
    assert_array_equal(by_node[:, :3], expected[:, :3])
    assert not by_node[:, 3:].any()
    constants = nodal_inertia_constants(body.nodes, body.shapes, body.nodal_mass, np.zeros((3, 3, 3)))
    assert_allclose(body.inertia.rhorho, constants.rhorho)


def test_what_has_no_room_is_listed(tmp_path):
    ff.io.write(tmp_path / "input.fum", tiny_body())
    plain = ff.io.read(tmp_path / "input.fum")
    assert fum_binary.lost(plain) == []
    assert fum_binary.lost(tiny_body()) == ["names of element types"]
    changes = {
        "generalised damping": {"damping": np.eye(3)},
        "names of modes and shapes": {"origin": ("fixed-interface mode 1", "node 10 uy", "node 35 uz")},
        "masses beside their nodes (they get nodes of their own)": {"nodal_offset": np.eye(3)},
        "notes of the reduction": {"notes": ("a word",)},
        "source and settings of the reduction": {"provenance": Provenance(source="beam.h5")},
    }
    for what, change in changes.items():
        assert fum_binary.lost(replace(plain, **change)) == [what]


def test_constants_of_the_consistent_mass_are_lost_with_a_measure(tmp_path):
    """Sums over nodes of a clamped beam differ from its consistent mass; both sides of the file say by how much."""
    section = ff.fem.BeamSection.rectangle(0.02, 0.03)
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    beam = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=20, section=section, material=steel)
    body = ff.modal.reduce(beam, interface=[1, 21], n_modes=4)
    assert body.mass_difference == 0.0
    ff.io.write(tmp_path / "input.fum", body)
    again = ff.io.read(tmp_path / "input.fum")
    difference = again.mass_difference
    assert 1e-3 < difference < 1.0
    size = np.sqrt(np.diag(body.mass))
    sums = nodal_inertia_constants(body.nodes, body.shapes, body.nodal_mass, body.nodal_inertia).HH
    assert_allclose(difference, np.abs((sums - body.mass) / np.outer(size, size)).max(), rtol=1e-12)
    said = f"inertia constants of the consistent mass (sums over nodes differ from it by {difference:.1e})"
    assert said in fum_binary.lost(body)
    assert ff.io.describe(again)["mass_difference"] == difference
