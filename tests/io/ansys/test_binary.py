"""ANSYS binary records: what was packed comes out, damage is refused, bodies come from ANSYS' own shapes.

The files here are written by a small writer of the documented record format; `test_files` reads real ones.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csc_array, diags_array

import floatframe as ff
from floatframe.cli.main import run
from floatframe.errors import ReadError
from floatframe.io.ansys.apdl.systems import rotation
from floatframe.io.ansys.binary.matrices import read_emat, read_full
from floatframe.io.ansys.binary.records import Records
from tests.cli.json_page import undocumented
from tests.io.ansys.binary_writer import STEEL, Writer, write_full, write_rst

# a writer


# records


def test_packed_records(tmp_path):
    file = Writer(4)
    window = np.array([10, 3, 2, 7, -4, 3, 1, 2, 3, -8, -2, 5], dtype="<i4")
    runs = file.add((1 << 31) | (1 << 28), window.tobytes())
    masked = np.array([5, 0b10010], dtype="<i4").tobytes() + np.array([1.5, 2.5], dtype="<f8").tobytes()
    bits = file.add(1 << 27, masked)
    singles = file.add(1 << 30, np.array([1.5, -2.0], dtype="<f4").tobytes())
    zipped = file.add(1 << 29, bytes(8))
    file.integers([0] * 10)
    records = Records.open(file.save(tmp_path / "a.full"), 4)
    assert_array_equal(records.record(runs), [0, 0, 7, 0, 1, 2, 3, 0, 5, 5])
    assert_array_equal(records.record(bits), [0, 1.5, 0, 0, 2.5])
    assert_array_equal(records.record(singles), [1.5, -2.0])
    with pytest.raises(ReadError, match="/FCOMP,RST,0"):
        records.record(zipped)
    with pytest.raises(ReadError, match="points outside the file"):
        records.record(10**9)


def test_files_of_another_kind_are_named(tmp_path):
    path = Writer(4).save(tmp_path / "a.full")
    with pytest.raises(ReadError, match="too few"):
        read_full(path)
    file = Writer(12)
    file.integers([0] * 100)
    with pytest.raises(ReadError, match=r"is an ANSYS file of results \(.rst\), expected full matrices"):
        read_full(file.save(path))
    path.write_bytes(b"hello " * 200)
    with pytest.raises(ReadError, match="is not an ANSYS binary file"):
        read_full(path)


# matrices


@pytest.fixture(scope="module")
def frame():
    """Beams with a plate: six dofs at every node."""
    section = ff.fem.BeamSection.rectangle(0.02, 0.03)
    return ff.fem.beam_line((0, 0, 0), (2, 0.5, 0.2), n=8, section=section, material=STEEL)


@pytest.mark.parametrize("order", ["<", ">"])
def test_matrices_come_back(tmp_path, frame, order):
    found = read_full(write_full(tmp_path / "a.full", frame, order=order))
    row = {tuple(dof): k for k, dof in enumerate(frame.dofs.tolist())}
    rows = [row[tuple(dof)] for dof in found.dofs.tolist()]
    for ours, theirs in ((frame.stiffness(), found.K), (frame.mass(), found.M)):
        # one triangle was written, and the two differ by rounding
        assert abs(theirs - ours[rows][:, rows]).max() < 1e-15 * abs(ours).max()
    assert not len(found.held)


def test_lumped_mass_and_held_dofs(tmp_path, frame):
    found = read_full(write_full(tmp_path / "a.full", frame, lumped=True, held=(1,)))
    assert found.K.shape == (48, 48)
    assert {tuple(dof) for dof in found.held.tolist()} == {(1, k) for k in range(6)}
    own = np.sort(frame.mass("lumped").diagonal()[frame.dofs[:, 0] != 1])
    assert_array_equal(np.sort(found.M.diagonal()), own)


def test_what_cannot_be_used_is_said(tmp_path, frame):
    with pytest.raises(ReadError, match="unsymmetric matrices"):
        read_full(write_full(tmp_path / "a.full", frame, unsymmetric=1))
    with pytest.raises(ReadError, match="holds 7 constraint equations"):
        read_full(write_full(tmp_path / "a.full", frame, equations=7))
    path = write_full(tmp_path / "a.full", frame)
    with pytest.raises(ReadError, match=r"put a\.rst or a\.cdb beside it"):
        ff.io.read(path)


def test_model_from_matrices_and_results(tmp_path, frame):
    """Reduced from the matrices, a body has the frequencies of the model; nodes come from the .rst of the same name."""
    path = write_full(tmp_path / "a.full", frame)
    modes = ff.modal.eigenmodes(frame, n=4, fixed=[1])
    write_rst(tmp_path / "a.rst", frame, frame.expand(modes.shapes), modes.frequency, 2)
    model = ff.io.read(path)
    assert_allclose(model.nodes, frame.nodes)
    assert_allclose(ff.modal.eigenmodes(model, n=4, fixed=[1]).frequency, modes.frequency, rtol=1e-9)
    found = ff.io.read(tmp_path / "a.rst")
    assert_allclose(found.frequency, modes.frequency)
    assert_allclose(found.displacement, frame.expand(modes.shapes))
    body = ff.modal.reduce(model, interface=[1, 9], n_modes=5)
    own = ff.modal.reduce(frame, interface=[1, 9], n_modes=5)
    assert_allclose(body.frequency, own.frequency, rtol=1e-8)
    assert body.nodal_mass.sum() == pytest.approx(own.nodal_mass.sum(), rel=1e-9)


def test_turned_nodes_are_turned_back(tmp_path, frame):
    """Matrices and shapes in nodal axes against those in model axes."""
    angles = np.random.default_rng(4).uniform(-90, 90, (frame.nnode, 3)) * (np.arange(frame.nnode) % 2)[:, None]
    R = rotation(angles)
    T = np.zeros((frame.ndof, frame.ndof))
    for k in range(frame.nnode):
        T[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = T[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = R[k]
    modes = ff.modal.eigenmodes(frame, n=3, fixed=[1])
    local = (T.T @ modes.shapes).reshape(frame.nnode, 6, 3)
    write_rst(tmp_path / "a.rst", frame, local, modes.frequency, 2, angles)

    class Turned:
        node_ids, dofs = frame.node_ids, frame.dofs

        def stiffness(self):
            return _sparse(T.T @ frame.stiffness().toarray() @ T)

        def mass(self, kind):
            return _sparse(T.T @ frame.mass(kind).toarray() @ T)

    model = ff.io.read(write_full(tmp_path / "a.full", Turned()))
    assert abs(model.K - frame.stiffness()).max() < 1e-12 * abs(frame.stiffness()).max()
    assert abs(model.M - frame.mass()).max() < 1e-12 * abs(frame.mass()).max()
    assert_allclose(ff.io.read(tmp_path / "a.rst").displacement, frame.expand(modes.shapes), atol=1e-12)


def _sparse(matrix):
    return csc_array(np.where(np.abs(matrix) > 1e-13 * np.abs(matrix).max(), matrix, 0.0))


def test_element_matrices_are_assembled(tmp_path, frame):
    file = Writer(2)
    head = file.integers([0] * 40)
    dof, bac = file.integers(range(1, 7)), file.integers(frame.node_ids)
    block = frame.blocks[0]
    ((_, batch),) = block.batches(frame.nodes)
    K, M = block.element.stiffness(batch), block.element.mass(batch)
    low = np.tril_indices(12)
    index = []
    for k, nodes in enumerate(block.connectivity):
        index.append(file.integers([1, 1, 0, 0, 0, 0, 0, 0, 0, -12]))
        file.integers((6 * nodes[:, None] + np.arange(1, 7)).ravel())
        file.reals(K[k][low])
        file.reals(M[k][low])
    table = file.integers([*index, *[0] * len(index)])
    size = len(index)
    patch = {head + 3: [size, 6, 6 * frame.nnode, frame.nnode], head + 32: [dof, bac], head + 39: [table]}
    found = read_emat(file.save(tmp_path / "a.emat", patch))
    assert abs(found.K - frame.stiffness()).max() < 1e-12 * abs(frame.stiffness()).max()
    assert abs(found.M - frame.mass()).max() < 1e-12 * abs(frame.mass()).max()


# bodies


def write_job(folder: Path, fe, interface, n: int, units: float = 1.0) -> Path:
    """What umexport.mac leaves behind, computed here; `units`: length units per metre."""
    body = ff.modal.reduce(fe, interface=interface, n_modes=n)
    shapes = body.shapes.reshape(fe.nnode, 6, -1) * np.r_[[units] * 3, [1.0] * 3][:, None]
    scaled = replace(fe, nodes=fe.nodes * units) if units != 1.0 else fe
    write_full(folder / "flex.free", _in_units(fe, units))
    write_full(folder / "flex.mlmp", _in_units(fe, units), lumped=True)
    write_rst(folder / "flex_eig.rst", scaled, shapes[:, :, :n], body.frequency[:n], 2)
    # static sets in the order of the macro, with an empty one for a dof that a node lacks
    statics = np.concatenate([shapes[:, :, n:], np.zeros((fe.nnode, 6, 1))], axis=2)
    write_rst(folder / "flex_sta.rst", scaled, statics, np.arange(1.0, statics.shape[2] + 1), 0)
    return folder / "flex"


def _in_units(fe, length: float):
    """Matrices with lengths in other units and forces in newtons: K over length squared of rotations and so on."""
    if length == 1.0:
        return fe
    scale = np.where(fe.dofs[:, 1] < 3, 1.0 / length, 1.0)

    class Scaled:
        node_ids, dofs = fe.node_ids, fe.dofs

        # energy in N mm = 1e-3 J: mass unit tonne, force N
        def stiffness(self):
            return _times(fe.stiffness(), scale, length)

        def mass(self, kind):
            return _times(fe.mass(kind), scale, length)

    return Scaled()


def _times(matrix, scale, factor):
    return csc_array(diags_array(scale) @ matrix @ diags_array(scale)) * factor


@pytest.mark.parametrize(("units", "length"), [("SI", 1.0), ("mm-t-s", 1000.0)])
def test_body_of_the_macro_is_the_body_of_the_model(tmp_path, frame, units, length):
    """Craig-Bampton shapes found by ANSYS or here: the same body, in SI units."""
    own = ff.modal.reduce(frame, interface=[1, 9], n_modes=6)
    body = ff.io.body_from_umexport(write_job(tmp_path, frame, [1, 9], 6, length), units=units)
    assert body.kind == own.kind
    assert_array_equal(body.interface, own.interface)
    assert_allclose(body.frequency, own.frequency, rtol=1e-12)
    assert_allclose(body.nodes, frame.nodes, rtol=1e-12)
    assert_allclose(np.abs(body.shapes), np.abs(own.shapes), atol=1e-8 * np.abs(own.shapes).max())
    for name in ("mass", "stiffness"):
        ours, theirs = np.abs(getattr(body, name)), np.abs(getattr(own, name))
        size = np.sqrt(np.outer(np.diag(theirs), np.diag(theirs)))
        assert_allclose(ours / size, theirs / size, atol=1e-8)
    assert_allclose(body.nodal_mass, own.nodal_mass, rtol=1e-9)
    assert_allclose(body.nodal_inertia, own.nodal_inertia, atol=1e-9 * own.nodal_inertia.max())
    path = tmp_path / "input.fum"
    ff.io.write(path, body)
    assert ff.io.read(path).nmode == 18


def test_files_of_different_models_are_refused(tmp_path, frame):
    job = write_job(tmp_path, frame, [1, 9], 4)
    softer = replace(frame.blocks[0], material=ff.fem.Material(1e11, 0.3, 7850.0))
    other = write_full(tmp_path / "b.full", replace(frame, blocks=(softer,)))
    with pytest.raises(ReadError, match=r"mode 1 has .* Hz, but .* Hz in the matrices"):
        ff.io.body_from_ansys(other, tmp_path / "flex_eig.rst")
    with pytest.raises(ReadError, match="the file does not exist"):
        ff.io.body_from_umexport(tmp_path / "other")
    write_rst(tmp_path / "flex_sta.rst", frame, np.ones((frame.nnode, 6, 1)), [1.0], 0)
    with pytest.raises(ReadError, match="set 1 is not a unit motion of one interface dof"):
        ff.io.body_from_umexport(job)


def test_macro_is_written_and_has_both_parameters(tmp_path):
    path = ff.io.write_umexport(tmp_path)
    text = path.read_text()
    assert path.name == "umexport.mac"
    # number of modes, full or diagonal mass
    assert "MODOPT,LANB,ARG1" in text
    assert "*IF,ARG2,EQ,0,THEN" in text
    assert text.count("*IF,") == text.count("*ENDIF")
    assert text.count("*DO,") == text.count("*ENDDO")
    assert max(map(len, text.splitlines())) <= 128  # APDL reads no more


# the command line


def command(capsys, *arguments) -> tuple[int, str, str]:
    code = run([str(argument) for argument in arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_umexport_on_the_command_line(tmp_path, frame, capsys, monkeypatch):
    """By job and by its files: the body of the library, in one command."""
    job = write_job(tmp_path, frame, [1, 9], 6)
    own = ff.io.body_from_umexport(job)
    code, out, _ = command(capsys, "umexport", job, "-o", tmp_path / "a.h5", "--json")
    assert code == 0
    assert json.loads(out)["written"] == str(tmp_path / "a.h5")
    assert not undocumented(json.loads(out))
    files = ["--matrices", f"{job}.free", "--modes", f"{job}_eig.rst", "--static", f"{job}_sta.rst"]
    assert command(capsys, "umexport", *files, "--lumped", f"{job}.mlmp", "-o", tmp_path / "b.h5")[0] == 0
    for name in ("a.h5", "b.h5"):
        body = ff.io.read(tmp_path / name)
        assert_array_equal(body.shapes, own.shapes)
        assert_array_equal(body.stiffness, own.stiffness)
        assert_array_equal(body.nodal_mass, own.nodal_mass)
    monkeypatch.chdir(tmp_path)
    assert command(capsys, "umexport", "--macro")[0] == 0
    assert "UMEXPORT,NMODES,LUMPED" in (tmp_path / "umexport.mac").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["flex"], 2, "give a JOB or --matrices and --modes, and -o FILE"),
        (["-o", "b.fum"], 2, "give a JOB or --matrices and --modes"),
        (["flex", "--modes", "flex_eig.rst", "-o", "b.fum"], 2, "--matrices and --modes must be given together"),
        (["flex", "-o", "b.fum", "--units", "furlongs"], 2, "--units: unit system 'furlongs' is unknown"),
        (["other", "-o", "b.fum"], 1, "'other.free': the file does not exist; umexport.mac writes it"),
    ],
)
def test_wrong_use_of_umexport(tmp_path, frame, capsys, monkeypatch, arguments, code, message):
    write_job(tmp_path, frame, [1, 9], 2)
    monkeypatch.chdir(tmp_path)
    got, out, err = command(capsys, "umexport", *arguments)
    assert (got, out) == (code, "")
    assert message in err
    assert err.count("\n") == 1
    assert not (tmp_path / "b.fum").exists()


def test_matrices_are_reduced_on_the_command_line(tmp_path, frame, capsys):
    """K and M of ANSYS with places of nodes from another file: the body of the elements."""
    write_job(tmp_path, frame, [1, 9], 2)
    own = ff.modal.reduce(frame, interface=[1, 9], n_modes=4)
    output = tmp_path / "body.h5"
    arguments = ["reduce", tmp_path / "flex.free", "--interface", "1,9", "-n", 4, "-o", output]
    code, _, err = command(capsys, *arguments)
    assert code == 1
    assert "--option geometry=FILE" in err
    other = tmp_path / "other.cdb"  # nodes 1 to 3
    square = ff.fem.BeamSection.rectangle(0.02, 0.02)
    ff.io.write(other, ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=2, section=square, material=ff.fem.Material(2e11, 0.3)))
    _, _, err = command(capsys, *arguments, "--option", f"geometry={other}")
    assert "it is of another model; name the .rst or .cdb of this one with --option geometry=FILE" in err
    assert command(capsys, *arguments, "--option", f"geometry={tmp_path / 'flex_eig.rst'}")[0] == 0
    assert_allclose(ff.io.read(output).frequency, own.frequency, rtol=1e-9)


def test_components_of_the_archive_beside_name_the_interface(tmp_path, frame, capsys):
    """What the macro leaves: matrices, the results of its last analysis, and the archive with UM_IFACE."""
    write_job(tmp_path, frame, [1, 9], 2)
    (tmp_path / "flex_eig.rst").rename(tmp_path / "flex.rst")
    ff.io.write(tmp_path / "flex.cdb", frame.with_node_set("UM_IFACE", [1, 9]))
    output = tmp_path / "body.h5"
    assert command(capsys, "reduce", tmp_path / "flex.free", "--interface", "UM_IFACE", "-n", 4, "-o", output)[0] == 0
    own = ff.modal.reduce(frame, interface=[1, 9], n_modes=4)
    assert_allclose(ff.io.read(output).frequency, own.frequency, rtol=1e-9)
