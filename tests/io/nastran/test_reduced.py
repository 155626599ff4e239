"""Bodies that Nastran has reduced (EXTSEOUT): DMIG on .pch and .op2, matrices on .op4 and .op2, interface and modes.

The files here are written from a Craig-Bampton reduction of a beam of ours, so that all is known of them; the layouts
are those of files of NX and MSC Nastran.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.linalg
from numpy.testing import assert_allclose, assert_array_equal

import floatframe as ff
from floatframe.cli.main import run
from floatframe.errors import ReadError, WriteError
from tests.io.nastran.reduced_bar import ENDS, STEEL, reduced_bar

NASTRAN = Path(__file__).parents[2] / "reference" / "extseout"
MODES = 9
NINE_DIGITS = 1e-5  # frequencies of matrices with nine digits: 2e-7 measured
ALL_DIGITS = 1e-8


@pytest.fixture(scope="module")
def reduced():
    return reduced_bar(MODES)


def dofs() -> list[tuple[int, int]]:
    return [(node, k) for node in ENDS for k in range(1, 7)] + [(9001 + k, 0) for k in range(MODES)]


def bulk(fe, extra: str = "") -> str:
    """The .pch of a reduced body; node 13 has displacements in a turned system."""
    lines = ["BEGIN SUPER      77", "CORD2R,10,0,0.,0.,0.,1.,0.,0.", ",0.,1.,0."]
    pairs = [f"{node:8d}{'123456':>8}" for node in ENDS] + [f"{9001 + k:8d}{0:8d}" for k in range(MODES)]
    lines += [("EXTRN   " if k == 0 else " " * 8) + "".join(pairs[k : k + 4]) for k in range(0, len(pairs), 4)]
    for node, system in zip(ENDS, (0, 10), strict=True):
        x, y, z = fe.nodes[fe.node_index([node])[0]]
        lines.append(f"GRID*   {node:16d}{0:16d}{x:16.9E}{y:16.9E}\n*       {z:16.9E}{system:16d}")
    lines += ["QSET1          0    9001    THRU" + f"{9000 + MODES:8d}", f"SPOINT      9001    THRU{9000 + MODES:8d}"]
    return "\n".join(lines) + "\n" + extra


def turned(matrix):
    """The matrix with the dofs of node 13 in system 10, whose x, y, z are the model's y, z, x."""
    axes = np.roll(np.eye(3), 1, axis=0)
    T = scipy.linalg.block_diag(np.eye(6), axes, axes, np.eye(MODES))
    return T.T @ matrix @ T


def dmig(name: str, matrix, named=None) -> str:
    rows = named or dofs()
    lines = [f"DMIG    {name:<8}{0:8d}{6:8d}{2:8d}{0:8d}"]
    for j, (node, component) in enumerate(rows):
        lines.append(f"DMIG*   {name:<16}{node:16d}{component:16d}")
        for i in range(j, len(matrix)):
            other, which = rows[i]
            if matrix[i, j]:
                lines.append(f"*       {other:16d}{which:16d}{matrix[i, j]:16.9E}".replace("E", "D"))
    return "\n".join(lines) + "\n"


def fortran(content: bytes, order: str) -> bytes:
    mark = np.array([len(content)], dtype=f"{order}i4").tobytes()
    return mark + content + mark


def write_op4(path: Path, matrices, order: str = "<", form: str = "dense", word: int = 4) -> Path:
    out, whole = b"", f"{order}i{word}"
    for name, matrix in matrices.items():
        n, wide = len(matrix), 8 // word  # words of a number
        rows = -n if form == "bigmat" else n
        title = name.ljust(8).encode() if word == 4 else name.ljust(16).encode()
        out += fortran(np.array([n, rows, 6, 2], dtype=whole).tobytes() + title, order)
        for j in range(n):
            values = matrix[:, j].astype(f"{order}f8").tobytes()
            if form == "dense":
                head = [j + 1, 1, wide * n]
            elif form == "bigmat":
                head = [j + 1, 0, wide * n + 2, wide * n + 1, 1]
            else:
                head = [j + 1, 0, wide * n + 1, 65536 * (wide * n + 1) + 1]
            out += fortran(np.array(head, dtype=whole).tobytes() + values, order)
        out += fortran(np.array([n + 1, 1, 1], dtype=whole).tobytes() + np.ones(1, dtype=f"{order}f8").tobytes(), order)
    path.write_bytes(out)
    return path


def op2_block(name: str, trailer, body, order: str, word: int) -> bytes:
    """A data block; body: the records of a table, or a matrix."""

    def key(value: int) -> bytes:
        return fortran(np.array([value], dtype=f"{order}i{word}").tobytes(), order)

    title = fortran(name.ljust(2 * word).encode(), order)
    head = key(2) + title + key(-1) + key(7) + fortran(np.array(trailer, dtype=f"{order}i{word}").tobytes(), order)
    head += key(-2) + key(1) + key(0) + key(2) + title + key(-3) + key(1)
    if isinstance(body, np.ndarray):
        out = head + key(1)
        for j in range(len(body)):
            first = np.array([1], dtype=f"{order}i{word}").tobytes()
            out += key(len(body) + 1) + fortran(first + body[:, j].astype(f"{order}f8").tobytes(), order)
            out += key(-4 - j) + key(1) + key(int(j < len(body) - 1))
        return out + key(0)
    out = head + key(0)
    for k, record in enumerate(body):
        out += key(len(record) // word) + fortran(record, order) + key(-4 - k) + key(1) + key(0)
    return out + key(0)


def dmig_record(name: str, matrix, order: str, word: int) -> bytes:
    def whole(*values: int) -> bytes:
        return np.array(values, dtype=f"{order}i{word}").tobytes()

    out = whole(114, 1, 120) + b"".join(name.ljust(8)[k : k + 4].ljust(word).encode() for k in (0, 4))
    out += whole(0, 6, 2, 0, 0, 0, 0)
    for j, column in enumerate(dofs()):
        out += whole(*column)
        for i in range(j, len(matrix)):
            out += whole(*dofs()[i]) + np.array([matrix[i, j]], dtype=f"{order}f8").tobytes()
        out += whole(-1, -1)
    return out + whole(-1, -1)


def check(model, reduced, tolerance: float) -> None:
    """Mass, free modes, and the constants of the floating frame of a body made of a file."""
    fe, own, _, _ = reduced
    assert_array_equal(model.node_sets[ff.io.INTERFACE], ENDS)
    assert_allclose(model.mass_properties().mass, fe.mass_properties().mass, rtol=tolerance)
    assert_allclose(model.mass_properties().com, fe.mass_properties().com, rtol=tolerance, atol=tolerance)
    free = ff.modal.eigenmodes(model, n=12)
    assert free.kind[:6] == ("rigid",) * 6
    value = scipy.linalg.eigh(own.stiffness, own.mass, eigvals_only=True)[6:12]
    assert_allclose(free.frequency[6:], np.sqrt(value) / (2.0 * np.pi), rtol=tolerance)
    body = ff.modal.reduce(model, interface=ff.io.INTERFACE, n_modes=model.n_modal)
    assert_array_equal(body.node_ids, ENDS)
    # shapes are found up to their sign
    sign = np.sign((body.inertia.H * own.inertia.H).sum(axis=0) + (body.inertia.rhoH * own.inertia.rhoH).sum(axis=0))
    assert np.abs(sign).all()
    for name in ("H", "rhoH"):
        ours = getattr(own.inertia, name)
        assert_allclose(getattr(body.inertia, name) * sign, ours, atol=100.0 * tolerance * np.abs(ours).max())
    assert_allclose(body.inertia.rhorho, own.inertia.rhorho, atol=tolerance * own.inertia.rhorho.max())
    assert any("reduced by another program" in note for note in body.notes)


def test_matrices_on_dmig_cards(tmp_path, reduced):
    fe, _, K, M = reduced
    path = tmp_path / "arm.pch"
    path.write_text(bulk(fe, dmig("KAAX", turned(K)) + dmig("MAAX", turned(M))))
    check(ff.io.read(path), reduced, NINE_DIGITS)


def test_amplitudes_on_grids_of_the_qset(tmp_path, reduced):
    """Older decks put the amplitudes on grids that are nowhere."""
    fe, _, K, M = reduced
    rows = dofs()[:12] + [(9001 + k // 6, k % 6 + 1) for k in range(MODES)]
    grids = [f"GRID,{node},,{x!r},{y!r},{z!r}" for node in ENDS for x, y, z in fe.nodes[fe.node_index([node])].tolist()]
    text = "\n".join([*grids, "GRID,9001", "GRID,9002", "QSET1,123456,9001,9002"]) + "\n"
    (tmp_path / "arm.pch").write_text(text + dmig("KAAX", K, rows) + dmig("MAAX", M, rows))
    check(ff.io.read(tmp_path / "arm.pch"), reduced, NINE_DIGITS)


@pytest.mark.parametrize(("order", "form", "word"), [("<", "dense", 4), (">", "bigmat", 4), ("<", "strings", 8)])
def test_matrices_on_output4_with_names_beside_them(tmp_path, reduced, order, form, word):
    fe, _, K, M = reduced
    (tmp_path / "arm.pch").write_text(bulk(fe))
    nothing = np.zeros((1, 1))
    matrices = {"KXX": turned(K), "MXX": turned(M), "BXX1": nothing, "K4XX1": nothing, "MES1": nothing}
    write_op4(tmp_path / "arm.op4", matrices, order, form, word)
    check(ff.io.read(tmp_path / "arm.op4"), reduced, ALL_DIGITS)
    check(ff.io.read(tmp_path / "arm.pch"), reduced, ALL_DIGITS)


@pytest.mark.parametrize(("order", "word"), [("<", 4), (">", 4), ("<", 8)])
def test_matrices_on_output2(tmp_path, reduced, order, word):
    """DMIG tables with the grids beside them, and plain matrices with the grids in the file."""
    fe, _, K, M = reduced
    (tmp_path / "arm.asm").write_text(bulk(fe))
    n = len(K)
    trailer = [101, n, n, 6, 2, 0, 0]
    tables = {"KAAX": turned(K), "MAAX": turned(M)}
    out = [op2_block(f"M{name}", trailer, [dmig_record(name, m, order, word)], order, word)
           for name, m in tables.items()]  # fmt: skip
    (tmp_path / "arm.op2").write_bytes(b"".join(out))
    check(ff.io.read(tmp_path / "arm.op2"), reduced, ALL_DIGITS)

    def whole(*values: int) -> bytes:
        return np.array(values, dtype=f"{order}i{word}").tobytes()

    grids = whole(4501, 45, 1120001)
    for node in ENDS:
        place = fe.nodes[fe.node_index([node])].astype(f"{order}f8").tobytes()
        grids += whole(node, 0) + place + whole(0, 0, 0)
    names = whole(1627, 16, 463)
    for node in ENDS:
        names += whole(node, 123456)
    names += b"".join(whole(9001 + k, 0) for k in range(MODES))
    out = [op2_block("GEOM1S", [1] * 7, [grids, names], order, word)]
    out += [op2_block(name, trailer, matrix, order, word) for name, matrix in (("KAA", K), ("MAA", M))]
    (tmp_path / "alone.op2").write_bytes(b"".join(out))
    check(ff.io.read(tmp_path / "alone.op2"), reduced, ALL_DIGITS)


def test_the_command_makes_a_body_of_interface_and_modes(tmp_path, reduced, capsys):
    fe, own, K, M = reduced
    (tmp_path / "arm.pch").write_text(bulk(fe))
    write_op4(tmp_path / "arm.op4", {"KXX": turned(K), "MXX": turned(M)})
    assert run(["reduce", str(tmp_path / "arm.op4"), "-o", str(tmp_path / "arm.h5")]) == 0
    assert "reduced by another program" in capsys.readouterr().out
    body = ff.io.read(tmp_path / "arm.h5")
    assert_array_equal(body.interface, own.interface)
    assert_allclose(body.frequency[:MODES], own.frequency[:MODES], rtol=ALL_DIGITS)
    with pytest.raises(WriteError, match=r"not at the few nodes it has; write HDF5 instead, e\.g\. 'arm\.h5'"):
        ff.io.write(tmp_path / "arm.fum", body)


def test_two_bodies_of_nastran_vibrate_as_nastran_says():
    """Superelements of NX Nastran, joined at four grids, against the frequencies it prints for their assembly.

    Units are inches, which do not matter here; the printout has seven digits.
    """
    listed = [1.698800, 1.767487, 1.857720, 3.419612, 7.024210, 7.025409, 10.72361, 10.98255, 13.86679, 14.38990]
    fixed = {"inboard": [6.129345, 6.130134, 23.63188, 70.47544], "outboard": None}
    machine = ff.hybrid.Model(gravity=(0, 0, 0))
    parts = []
    for name, frequency in fixed.items():
        model = ff.io.read(NASTRAN / f"{name}.op4")
        body = ff.modal.reduce(model, interface=ff.io.INTERFACE, n_modes=model.n_modal)
        if frequency is not None:
            assert_allclose(body.frequency[:4], frequency, rtol=1e-6)
            assert_allclose(body.inertia.m, 1.755052, rtol=1e-6)
        parts.append(machine.add(ff.hybrid.FlexibleBody(name, body, damping=0.0)))
    for node in (3, 11, 19, 27):
        machine.add(ff.hybrid.fixed(f"j{node}", *(part.node(node) for part in parts)))
    system = machine.compile()
    found = np.sort(system.linearise(system.initial_state()).frequency)
    assert_allclose(found[6:16], listed, rtol=1e-6)


def test_units_of_a_reduced_body(tmp_path, reduced):
    """In mm and t: lengths, masses and amplitudes of modes are converted together, frequencies stay."""
    fe, _, K, M = reduced
    small = ff.fem.beam_line((0, 0, 0), (2000, 300, 100), n=12, section=fe.blocks[0].section, material=STEEL)
    scale = np.array([*[1.0] * 3, *[1e3] * 3] * 2 + [1.0] * MODES)  # a turn in rad moves an end by 1e3 mm
    S = np.outer(scale, scale)
    (tmp_path / "arm.pch").write_text(bulk(small))
    energy = np.array([1e-3] * 12 + [1.0] * MODES)
    E = np.outer(np.sqrt(energy), np.sqrt(energy))
    write_op4(tmp_path / "arm.op4", {"KXX": turned(K * S * E), "MXX": turned(M * S * E)})
    # amplitudes keep unit mass in the units of the file
    model = ff.io.read(tmp_path / "arm.op4", units="mm-t-s")
    assert_allclose(model.mass_properties().mass, fe.mass_properties().mass, rtol=ALL_DIGITS)
    own = ff.modal.reduce(fe, interface=list(ENDS), n_modes=MODES, geometric=False)
    value = scipy.linalg.eigh(own.stiffness, own.mass, eigvals_only=True)[6:12]
    found = ff.modal.eigenmodes(model, n=12).frequency[6:]
    assert_allclose(found, np.sqrt(value) / (2.0 * np.pi), rtol=ALL_DIGITS)


def test_what_is_missing_is_named(tmp_path, reduced):
    fe, _, K, M = reduced
    (tmp_path / "arm.pch").write_text(bulk(fe))
    with pytest.raises(ReadError, match=r"its matrices are not in it; put arm\.op4 or arm\.op2 beside it"):
        ff.io.read(tmp_path / "arm.pch")
    write_op4(tmp_path / "other.op4", {"KXX": K, "MXX": M})
    with pytest.raises(ReadError, match="name the deck that has them with nodes="):
        ff.io.read(tmp_path / "other.op4")
    check(ff.io.read(write_op4(tmp_path / "other.op4", {"KXX": turned(K), "MXX": turned(M)}), geometry="arm.pch"),
          reduced, ALL_DIGITS)  # fmt: skip
    write_op4(tmp_path / "arm.op4", {"KXX": K[:-1, :-1], "MXX": M[:-1, :-1]})
    with pytest.raises(ReadError, match=r"have 20 and 20 rows, but 'arm\.pch' has 21 dofs"):
        ff.io.read(tmp_path / "arm.op4")
    (tmp_path / "arm.op2").write_bytes(op2_block("OUGV1", [1] * 7, [b"abcdefgh"], "<", 4))
    with pytest.raises(ReadError, match=r"no stiffness and mass matrices \(data blocks: OUGV1\)"):
        ff.io.read(tmp_path / "arm.op2")


def test_mutated_files_give_a_model_or_one_sentence(tmp_path, reduced):
    fe, _, K, M = reduced
    (tmp_path / "a.pch").write_text(bulk(fe))
    n = len(K)
    blocks = [op2_block(name, [101, n, n, 6, 2, 0, 0], [dmig_record(name, m, "<", 4)], "<", 4)
              for name, m in (("KAAX", turned(K)), ("MAAX", turned(M)))]  # fmt: skip
    good = {
        "a.op4": write_op4(tmp_path / "a.op4", {"KXX": K, "MXX": M}, form="bigmat").read_bytes(),
        "a.op2": b"".join(blocks),
    }
    rng = np.random.default_rng(6)
    models = 0
    for case in range(100):
        name = ("a.op4", "a.op2")[case % 2]
        words = np.frombuffer(good[name], dtype="<i4").copy()
        for _ in range(rng.integers(1, 4)):
            place = rng.integers(words.size) if rng.random() < 0.5 else rng.integers(60)
            words[place] = rng.choice([0, 1, -1, 2**31 - 1, -(2**31), int(rng.integers(words.size)), 24, 8])
        data = words.tobytes()[: int(rng.integers(words.nbytes)) if rng.random() < 0.2 else None]
        (tmp_path / name).write_bytes(data)
        try:
            ff.io.read(tmp_path / name)
        except ReadError as error:
            sentence = str(error)
        else:
            sentence, models = "", models + 1
        assert "\n" not in sentence
    assert models > 5
