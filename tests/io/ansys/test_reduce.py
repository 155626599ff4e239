"""From an ANSYS file to input.fum on the command line: a solid, a shell and a beam model."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import floatframe as ff
from floatframe.cli.main import application
from tests.reference import beams as reference

E, NU, RHO = 2.1e11, 0.3, 7850.0
STEEL = f"MP,EX,1,{E}\nMP,PRXY,1,{NU}\nMP,DENS,1,{RHO}\n"
L, B, H = 2.0, 0.1, 0.04


def beam() -> str:
    nodes = "".join(f"N,{k + 1},{L * k / 40}\n" for k in range(41))
    cells = "".join(f"E,{k},{k + 1}\n" for k in range(1, 41))
    sets = "CMBLOCK,HUB,NODE,1\n(8i10)\n         1\nCMBLOCK,TIP,NODE,1\n(8i10)\n        41\n"
    return f"/PREP7\nET,1,188\nSECTYPE,1,BEAM,RECT\nSECDATA,{B},{H}\n{STEEL}{nodes}{cells}{sets}FINISH\n"


def grid(layers: int) -> tuple[str, str, str]:
    """Nodes of a strip of 40 x 4 x layers elements, and its end sets."""
    nodes = sets = ""
    for k in range(layers + 1):
        for j in range(5):
            for i in range(41):
                z = H * k / layers if layers else 0.0
                nodes += f"N,{1 + i + 41 * j + 205 * k},{L * i / 40},{B * j / 4},{z}\n"
    for name, i in (("HUB", 0), ("TIP", 40)):
        members = [1 + i + 41 * j + 205 * k for k in range(layers + 1) for j in range(5)]
        rows = "".join(f"{m:10d}" + ("\n" if n % 8 == 7 else "") for n, m in enumerate(members))
        sets += f"CMBLOCK,{name},NODE,{len(members)}\n(8i10)\n{rows}\n"
    quads = [(a, a + 1, a + 42, a + 41) for j in range(4) for i in range(40) for a in [1 + i + 41 * j]]
    cells = "".join("E," + ",".join(map(str, [*q, *(n + 205 for n in q)] if layers else q)) + "\n" for q in quads)
    return nodes, cells, sets


def shell() -> str:
    nodes, cells, sets = grid(0)
    return f"/PREP7\nET,1,181\nSECTYPE,1,SHELL\nSECDATA,{H}\n{STEEL}{nodes}{cells}{sets}FINISH\n"


def solid() -> str:
    nodes, cells, sets = grid(1)
    return f"/PREP7\nET,1,185\nKEYOPT,1,2,2\n{STEEL}{nodes}{cells}{sets}FINISH\n"


@pytest.mark.parametrize(("deck", "coupled"), [(beam, False), (shell, True), (solid, True)])
def test_reduce_an_ansys_file(tmp_path: Path, deck, coupled):
    """With its interface held the body has the first bending frequency of a clamped beam."""
    model, output = tmp_path / "model.cdb", tmp_path / "input.fum"
    model.write_text(deck())
    couple = ["--couple", "HUB", "--couple", "TIP"] if coupled else []
    arguments = ["reduce", str(model), "--interface", "HUB,TIP", "-n", "20", "-o", str(output), "--json", *couple]
    result = CliRunner().invoke(application(), arguments)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["written"] == str(output)
    body = ff.io.read(output)
    assert (body.n_static, body.n_eigen) == (12, 20)
    assert body.nodal_mass.sum() == pytest.approx(RHO * L * B * H, rel=1e-9)
    expected = reference.bending_frequency("clamped-clamped", 1, E * B * H**3 / 12, RHO * B * H, L)
    # plates are stiffened across by up to 1/(1 - nu²), shear softens by some 0.2 %
    assert 0.99 * expected < np.nanmin(body.frequency) < 1.05 * expected
