"""Layered and general walls through files: exact in .h5, converted by units, described, drawn, written as decks."""

import re
from dataclasses import replace

import numpy as np
import pytest

import floatframe as ff
from floatframe import fem, modal
from floatframe.fem.properties.wall_law import section_law
from floatframe.io.conversion import to_si
from floatframe.io.native.describe import describe
from floatframe.viewer.drawing.fe_models import fe_parts

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
    assert [len(row.get("layers", ())) for row in found["shell_sections"]] == [3, 0, 0, 0]
    assert found["shell_sections"][0]["layers"][1] == {"material": "core", "thickness_m": 0.01, "angle_deg": 0.0}
    assert {row["name"] for row in found["materials"]} == {"ply", "core"}
    assert [part.name for part in fe_parts(fe, thick_shells=True)]
    body = modal.reduce(fe, [1], 2)
    assert body.mesh.sections[0].thickness == pytest.approx(0.013)


def written(fe, tmp_path, suffix: str) -> str:
    path = tmp_path / f"walls{suffix}"
    ff.io.write(path, fe)
    return path.read_text()


def layered_model(angle: float = 0.0, **changes) -> fem.FEModel:
    """Two elements whose layers lie at 30 degrees and more from x, seen from elements turned by an angle about z."""
    fe = fem.rotate(fem.plate_grid(0.4, 0.2, 2, 1, 0.01, CORE), "z", np.radians(angle))
    along_x = np.tile([1.0, 0.0, 0.0], (2, 1))
    block = replace(fe.blocks[0], material=None, section=replace(laminate(), extra_mass=0.0, **changes))
    return replace(fe, blocks=(replace(block, data={"direction": along_x}),))


def card(text: str, name: str, lines: int) -> list[str]:
    """Return the words of the first card of a name in sixteen columns."""
    every = text.splitlines()
    first = next(k for k, line in enumerate(every) if line.startswith(f"{name}*"))
    return [line.ljust(72)[c : c + 16].strip() for line in every[first : first + lines] for c in (8, 24, 40, 56)]


def value(word: str) -> float:
    return float(re.sub(r"(?<=[0-9.])([+-])", r"e\1", word))


def test_nastran_deck_has_layers_with_their_angles(tmp_path) -> None:
    fe = layered_model(20.0)
    text = written(replace(fe, blocks=(replace(fe.blocks[0], section=laminate()),)), tmp_path, ".bdf")
    words = card(text, "PCOMP", 5)
    assert value(words[1]) == pytest.approx(1e-3 / 3 - 0.0065, rel=1e-9)
    assert value(words[2]) == pytest.approx(1 / 3, rel=1e-9)
    assert [value(word) for word in words[10::4]] == pytest.approx([30.0, 0.0, 100 / 3], rel=1e-9)
    # the side of the element is turned by 20 degrees against the material, so the material by -20 against the side
    assert value(card(text, "CQUAD4", 2)[6]) == pytest.approx(-20.0, rel=1e-9)
    assert (text.count("MAT8*"), text.count("MAT1*")) == (1, 1)


@pytest.mark.parametrize("triangles", [False, True])
def test_nastran_deck_has_thickness_at_corners(triangles: bool, tmp_path) -> None:
    fe = fem.plate_grid(0.4, 0.2, 1, 1, 0.01, CORE, triangles=triangles)
    block = fe.blocks[0]
    t = 0.01 + 0.001 * np.arange(block.connectivity.size).reshape(block.connectivity.shape)
    text = written(replace(fe, blocks=(replace(block, data={"thickness": t}),)), tmp_path, ".bdf")
    words = card(text, "CTRIA3" if triangles else "CQUAD4", 4)
    assert [value(word) for word in words[10 : 10 + t.shape[1]]] == pytest.approx(t[0], rel=1e-12)


def test_abaqus_deck_has_layers_with_orientations(tmp_path) -> None:
    lines = written(layered_model(20.0), tmp_path, ".inp").splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("*SHELL SECTION, COMPOSITE"))
    layers = [line.split(", ") for line in lines[start + 1 : start + 4]]
    assert [float(layer[0]) for layer in layers] == [1e-3, 1e-2, 2e-3]
    angles = []
    for layer in layers:
        at = lines.index(f"*ORIENTATION, NAME={layer[3]}")
        x, y = (float(word) for word in lines[at + 1].split(",")[:2])
        angles.append(np.degrees(np.arctan2(y, x)))
        assert lines[at + 2] == "3, 0.0"
    assert angles == pytest.approx([30.0, 0.0, 100 / 3], abs=1e-9)
    assert "*ELASTIC, TYPE=ENGINEERING CONSTANTS" in lines


def test_ansys_archive_has_layers_and_systems(tmp_path) -> None:
    lines = written(layered_model(20.0), tmp_path, ".cdb").splitlines()
    layers = [line.split(",") for line in lines if line.startswith("SECDATA")]
    assert [float(layer[3]) for layer in layers] == pytest.approx([30.0, 0.0, 100 / 3])
    assert any(line.startswith("LOCAL,11,0,0,0,0,") for line in lines)
    start = next(k for k, line in enumerate(lines) if line.startswith("EBLOCK"))
    assert int(lines[start + 2].split()[4]) == 11


def variants() -> dict[str, fem.FEModel]:
    fe = layered_model(20.0)
    block = fe.blocks[0]
    plain = fem.ShellSection(0.01, 0.002)
    taper = (0.01 + 0.01 * fe.nodes[:, 0])[block.connectivity]
    changes = {
        "layers": {},
        "orthotropic": {"section": plain, "material": PLY},
        "tapered": {"section": fem.ShellSection(0.01), "material": CORE, "data": {"thickness": taper}},
    }
    return {name: replace(fe, blocks=(replace(block, **change),)) for name, change in changes.items()}


@pytest.mark.parametrize(
    ("name", "suffix"),
    [(name, suffix) for name in ("layers", "orthotropic") for suffix in (".bdf", ".inp", ".cdb")]
    + [("tapered", ".bdf"), ("tapered", ".inp")],
)
def test_decks_read_back_alike(name, suffix, tmp_path) -> None:
    fe = variants()[name]
    path = tmp_path / f"walls{suffix}"
    ff.io.write(path, fe)
    first, second = (modal.eigenmodes(model, 12).frequency[6:] for model in (fe, ff.io.read(path)))
    assert second == pytest.approx(first, rel=1e-9)  # digits of the decks


@pytest.mark.parametrize(
    ("change", "suffix", "words"),
    [
        ({"section": general()}, ".bdf", "given by its stiffness"),
        ({"section": laminate()}, ".inp", "extra mass"),
        ({"section": laminate()}, ".cdb", "extra mass"),
        ({"data": {"thickness": 0.01 + 0.001 * np.arange(8.0).reshape(2, 4)}}, ".cdb", "varies inside element 1"),
    ],
)
def test_what_a_deck_cannot_hold_is_refused(change, suffix, words, tmp_path) -> None:
    fe = layered_model()
    with pytest.raises(ff.WriteError, match=words):
        written(replace(fe, blocks=(replace(fe.blocks[0], **change),)), tmp_path, suffix)


PROPS = """format = "floatframe-props/1"
[material.ply]
E1 = 25e9
E2 = 1e9
nu12 = 0.25
G12 = 0.5e9
G13 = 0.5e9
G23 = 0.2e9
rho = 1600.0
"""
LAYERS = 'layers = [{ material = "ply", thickness = 0.001 }, { material = "ply", thickness = 0.002, angle = 90.0 }]\n'


def expected_wall(name: str) -> fem.LayeredSection:
    ply = fem.Material.ply(25e9, 1e9, 0.25, 0.5e9, 0.5e9, 0.2e9, 1600.0, "ply")
    return fem.LayeredSection([fem.Layer(ply, 0.001), fem.Layer(ply, 0.002, 90.0)], name=name)


def test_side_car_gives_layers_to_groups_of_a_mesh(tmp_path) -> None:
    mesh = '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 "SKIN"\n$EndPhysicalNames\n'
    mesh += "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n$Elements\n1\n1 3 2 1 1 1 2 3 4\n$EndElements\n"
    (tmp_path / "skin.msh").write_text(mesh)
    side_car = tmp_path / "skin.props.toml"
    side_car.write_text(PROPS + "[group.SKIN]\n" + LAYERS + "direction = [0.0, 1.0, 0.0]\n")
    (block,) = ff.io.read(tmp_path / "skin.msh").blocks
    assert (block.section, block.material) == (expected_wall("SKIN"), None)
    assert block.data["direction"].tolist() == [[0.0, 1.0, 0.0]]
    side_car.write_text(PROPS + "[group.SKIN]\n" + LAYERS.replace('"ply"', '"oak"'))
    with pytest.raises(ff.ReadError, match="material 'oak' of a layer is unknown; materials here: ply"):
        ff.io.read(tmp_path / "skin.msh")


def test_side_car_gives_layers_to_sections_of_a_deck(tmp_path) -> None:
    deck = "/PREP7\nET,1,181\nN,1\nN,2,1\nN,3,1,1\nN,4,0,1\nMP,EX,1,1e9\nMP,DENS,1,1\nSECNUM,3\nE,1,2,3,4\n"
    (tmp_path / "skin.cdb").write_text(deck)
    (tmp_path / "skin.props.toml").write_text(PROPS + "[section.3]\n" + LAYERS)
    (block,) = ff.io.read(tmp_path / "skin.cdb").blocks
    assert block.section == expected_wall("section 3")
