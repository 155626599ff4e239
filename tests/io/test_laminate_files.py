"""Layered and general walls through files: exact in .h5, converted by units, described, drawn, written as decks."""

from dataclasses import replace

import numpy as np
import pytest

import floatframe as ff
from floatframe import fem, modal
from floatframe.fem.wall_law import section_law
from floatframe.io.describe import describe
from floatframe.io.units import to_si
from floatframe.viewer.fe_scene import fe_parts

PLY = fem.Material.ply(25e9 / 3, 1e9 / 7, 0.25, 0.5e9, 0.4e9, 0.2e9, rho=1600 / 3, name="ply")
CORE = fem.Material(1e8 / 3, 0.3, 60.0, "core")


def laminate() -> fem.LayeredSection:
    layers = [fem.Layer(PLY, 1e-3, 30.0), fem.Layer(CORE, 1e-2), fem.Layer(PLY, 2e-3, 100 / 3)]
    return fem.LayeredSection(layers, offset=1e-3 / 3, extra_mass=1 / 3, name="wall")


def general(S=True) -> fem.GeneralShellSection:
    law = section_law(laminate(), None)
    return fem.GeneralShellSection(
        law.A, law.B, law.D, law.S if S else None, 0.013, float(law.m0), float(law.m1), float(law.m2), name="general"
    )


def model() -> fem.FEModel:
    fe = fem.plate_grid(0.4, 0.2, 4, 2, 0.01, CORE)
    block, every = fe.blocks[0], np.arange(8)
    along = np.tile([1.0, 0.2, 0.0], (8, 1))
    thickness = 0.01 + 0.003 * np.random.default_rng(1).random((2, 4))
    parts = [
        replace(block.take(every[:2]), material=None, section=laminate(), data={"direction": along[:2]}),
        replace(block.take(every[2:4]), material=None, section=general(), data={"thickness": thickness}),
        replace(block.take(every[4:6]), material=None, section=general(S=False)),
        replace(block.take(every[6:]), material=PLY, section=fem.ShellSection(0.01), data={"direction": along[6:]}),
    ]
    return replace(fe, blocks=tuple(parts))


def test_model_file_keeps_walls_exactly(tmp_path) -> None:
    fe = model()
    ff.io.write(tmp_path / "walls.h5", fe)
    again = ff.io.read(tmp_path / "walls.h5")
    for old, new in zip(fe.blocks, again.blocks, strict=True):
        assert (new.section, new.material) == (old.section, old.material)
        assert {name: values.tobytes() for name, values in new.data.items()} == {
            name: values.tobytes() for name, values in old.data.items()
        }
    assert abs(again.stiffness() - fe.stiffness()).max() == 0.0


def test_units_turn_walls_to_si() -> None:
    """The same wall given in mm, t, N: its matrices are those of SI to rounding."""
    mm = fem.Material.ply(25e3 / 3, 1e3 / 7, 0.25, 0.5e3, 0.4e3, 0.2e3, rho=1600e-12 / 3, name="ply")
    core = fem.Material(1e2 / 3, 0.3, 60e-12, "core")
    layers = [fem.Layer(mm, 1.0, 30.0), fem.Layer(core, 10.0), fem.Layer(mm, 2.0, 100 / 3)]
    layered = fem.LayeredSection(layers, offset=1 / 3, extra_mass=1e-9 / 3)
    law = section_law(layered, None)
    masses = (float(law.m0), float(law.m1), float(law.m2))
    fe = model()
    for section, expected in (
        (layered, laminate()),
        (fem.GeneralShellSection(law.A, law.B, law.D, law.S, 13.0, *masses), general()),
    ):
        block = replace(fe.blocks[0], section=section)
        found = to_si(replace(fe, blocks=(block,)), "mm-t-s").blocks[0].section
        assert found.thickness == pytest.approx(expected.thickness, rel=1e-12)
        first, second = section_law(found, None), section_law(expected, None)
        for name in ("A", "B", "D", "S", "m0", "m1", "m2"):
            value = getattr(second, name)
            assert getattr(first, name) == pytest.approx(value, rel=1e-12, abs=1e-12 * np.abs(value).max()), name


def test_walls_are_described_and_drawn() -> None:
    fe = model()
    found = describe(fe)
    assert [len(row.get("layers", ())) for row in found["shell sections"]] == [3, 0, 0, 0]
    assert {row["name"] for row in found["materials"]} == {"ply", "core"}
    assert [part.name for part in fe_parts(fe, thick_shells=True)]
    body = modal.reduce(fe, [1], 2)
    assert body.mesh.sections[0].thickness == pytest.approx(0.013)
