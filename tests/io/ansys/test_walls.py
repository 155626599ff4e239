"""Materials by direction and walls of ANSYS decks: TB laws, element systems, layers, membranes, varying thickness."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import inv

import floatframe as ff
from floatframe.fem import Layer, LayeredSection, Material

EXACT = 1e-10
CARBON = {"EX": 140e9, "EY": 9e9, "EZ": 8e9, "PRXY": 0.3, "PRYZ": 0.4, "PRXZ": 0.2, "GXY": 5e9, "GYZ": 3e9, "GXZ": 4e9}
ORTHO = Material.orthotropic(140e9, 9e9, 8e9, 0.3, 0.2, 0.4, 5e9, 4e9, 3e9, 1600.0)
MP = "".join(f"MP,{label},1,{value}\n" for label, value in CARBON.items()) + "MP,DENS,1,1600\n"
CUBE = "N,1\nN,2,1\nN,3,1,1\nN,4,0,1\nNGEN,2,4,1,4,1,0,0,1\nE,1,2,3,4,5,6,7,8\n"
PLATE = "N,1\nN,2,1\nN,3,1,1\nN,4,0,1\nE,1,2,3,4\n"


def below_diagonal(matrix) -> str:
    values = [matrix[i, j] for j in range(6) for i in range(j, 6)]
    return "".join(f"TBDATA,{k + 1},{','.join(repr(float(v)) for v in values[k : k + 6])}\n" for k in range(0, 21, 6))


def minor(label: str) -> str:
    """MP of the other ratio: NUXY / EY = PRXY / EX."""
    value = CARBON[f"PR{label}"] * CARBON[f"E{label[1]}"] / CARBON[f"E{label[0]}"]
    return f"MP,NU{label},1,{value!r}\n"


@pytest.mark.parametrize("form", ["MP", "minor", "ANEL", "compliance", "ELAS"])
def test_one_material_in_all_forms(read, form):
    data = {
        "MP": MP,
        "minor": "".join(line + "\n" for line in MP.splitlines() if ",PR" not in line)
        + "".join(minor(pair) for pair in ("XY", "YZ", "XZ")),
        "ANEL": "MP,DENS,1,1600\nTB,ANEL,1,1,21,0\nTBTEMP,0\n" + below_diagonal(ORTHO.elasticity()),
        "compliance": "TB,DENS,1\nTBDATA,1,1600\nTB,ANEL,1,1,21,1\n" + below_diagonal(inv(ORTHO.elasticity())),
        "ELAS": "MP,DENS,1,1600\nTB,ELAS,1,1,9,ORTH\nTBDATA,1,140e9,9e9,8e9,5e9,3e9,4e9\nTBDATA,7,.3,.4,.2\n",
    }[form]
    material = read(f"/PREP7\nET,1,185\n{data}{CUBE}").blocks[0].material
    # numbers of the file with seven digits and more
    assert_allclose(material.elasticity(), ORTHO.elasticity(), rtol=1e-9, atol=1.0)
    assert material.rho == 1600.0


def test_isotropic_law_by_table_and_temperature(read):
    law = "TB,ELAS,1,2,2,ISOT\nTBTEMP,20\nTBDATA,1,2e11,.3\nTBTEMP,120\nTBDATA,1,1.8e11,.3\n"
    deck = f"/PREP7\nET,1,185\nMP,DENS,1,7800\n{law}{CUBE}"
    assert read(deck).blocks[0].material.E == 2e11
    (block,) = read(deck, temperature=70.0).blocks
    assert_allclose(block.material.E, 1.9e11)


def test_the_element_system_turns_the_material_of_solids(read):
    """Fibres along model y by ESYS are those of the same cube with x and y exchanged."""
    fe = read(f"/PREP7\nET,1,185\n{MP}LOCAL,11,0,0,0,0,90\nCSYS,0\nESYS,11\n{CUBE}")
    plain = read(f"/PREP7\nET,1,185\n{MP}{CUBE}")
    stretch = fe.nodes * [0.0, 1.0, 0.0]
    along = plain.nodes * [1.0, 0.0, 0.0]
    energy = stretch.ravel() @ fe.stiffness() @ stretch.ravel()
    assert energy == pytest.approx(along.ravel() @ plain.stiffness() @ along.ravel(), rel=EXACT)
    assert energy == pytest.approx(ORTHO.elasticity()[0, 0], rel=EXACT)


def test_layers_are_kept_from_the_bottom_up(read):
    section = "SECTYPE,1,SHELL\nSECDATA,.001,1,45\nSECDATA,.004,2\nSECDATA,.002,1,-30\nSECOFFSET,BOT\nSECCONTROL,,,,3\n"
    foam = "MP,EX,2,1e8\nMP,PRXY,2,.3\nMP,DENS,2,60\n"
    wall = read(f"/PREP7\nET,1,181\n{MP}{foam}{section}{PLATE}").blocks[0].section
    assert isinstance(wall, LayeredSection)
    assert [(layer.thickness, layer.angle) for layer in wall.layers] == [(0.001, 45), (0.004, 0), (0.002, -30)]
    assert (wall.offset, wall.extra_mass) == (pytest.approx(0.0035), 3.0)
    assert wall.layers[1].material.E == 1e8


@pytest.mark.parametrize("way", ["ESYS", "layer", "nodes"])
def test_fibres_of_a_plate_point_the_same_way(read, way):
    """Fibres along model y: by the element system, the angle of the layer, or the first side of the element."""
    head = f"/PREP7\nET,1,181\n{MP}SECTYPE,1,SHELL\nSECDATA,.01,1,{90 if way == 'layer' else 0}\n"
    nodes = PLATE.replace("E,1,2,3,4", "E,2,3,4,1") if way == "nodes" else PLATE
    fe = read(head + ("LOCAL,11,0,0,0,0,90\nCSYS,0\nESYS,11\n" if way == "ESYS" else "") + nodes)
    direct = ff.fem.ElementBlock(
        "shell4",
        np.array([[0, 1, 2, 3]]),
        None,
        LayeredSection((Layer(ORTHO, 0.01),)),
        {"direction": np.array([[0.0, 1.0, 0.0]])},
    )
    expected = ff.fem.FEModel(fe.nodes, (direct,)).stiffness().toarray()
    # the wall may be shear-corrected in two ways that agree for one layer
    assert_allclose(fe.stiffness().toarray(), expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


def test_the_thickness_of_corners(read):
    fe = read(f"/PREP7\nET,1,63\nR,1,.01,.02,.02,.01\nMP,EX,1,2e11\nMP,DENS,1,7800\n{PLATE}")
    assert_allclose(fe.blocks[0].data["thickness"], [[0.01, 0.02, 0.02, 0.01]])
    shift = np.tile([1.0, 0, 0, 0, 0, 0], 4)
    assert shift @ fe.mass() @ shift == pytest.approx(7800 * 0.015, rel=EXACT)


@pytest.mark.parametrize("element", ["SHELL41", "SHELL181,1", "SHELL63,1"])
def test_membranes_stretch_as_shells_do_and_turn_nothing(read, element):
    """A strip pulled in its tilted plane: the same energy as a shell, and no stiffness across."""
    data = "R,1,.01\nSECTYPE,1,SHELL\nSECDATA,.01\nMP,EX,1,2e11\nMP,PRXY,1,.3\nMP,DENS,1,7800\n"
    tilted = "LOCAL,11,0,0,0,0,0,30\n" + PLATE
    membrane, shell = (read(f"/PREP7\nET,1,{kind}\n{data}{tilted}") for kind in (element, "SHELL181"))
    pull = np.zeros((4, 6))
    pull[:, 0] = membrane.nodes[:, 0]
    assert pull.ravel() @ membrane.assembled("stiffness") @ pull.ravel() == pytest.approx(
        pull.ravel() @ shell.assembled("stiffness") @ pull.ravel(), rel=EXACT
    )
    across = np.zeros((4, 6))
    across[0, :3] = [0.0, -0.5, np.sqrt(0.75)]
    assert across.ravel() @ membrane.assembled("stiffness") @ across.ravel() == pytest.approx(0.0, abs=1e-3)
    # of each node three translations and one turn about the normal are left
    assert membrane.free_rows().size == 4 * 4


@pytest.mark.parametrize(("place", "middle"), [("", 0.0), ("KEYOPT,1,11,1\n", 0.0015), ("KEYOPT,1,11,2\n", -0.0015)])
def test_nodes_of_layered_shells_lie_in_the_middle_the_bottom_or_the_top(read, place, middle):
    mesh = "N,1\nN,2,1\nN,3,1,1\nN,4,0,1\nN,5,.5\nN,6,1,.5\nN,7,.5,1\nN,8,0,.5\nE,1,2,3,4,5,6,7,8\n"
    layers = "R,1,2\nRMORE\nRMORE,1,0,.001,1,90,.002\n"
    (block,) = read(f"/PREP7\nET,1,SHELL99\n{place}{layers}{MP}{mesh}").blocks
    assert block.section.offset == pytest.approx(middle)
    assert [layer.thickness for layer in block.section.layers] == [0.001, 0.002]


@pytest.mark.parametrize("count", ["1e9", "0", "-3"])
def test_the_number_of_layers_is_not_believed_without_layers(read, count):
    mesh = "N,1\nN,2,1\nN,3,1,1\nN,4,0,1\nE,1,2,3,4\n"
    with pytest.raises(ff.errors.ReadError, match="SHELL99 real constants 1 need layers"):
        read(f"/PREP7\nET,1,SHELL99\nR,1,{count}\n{MP}{mesh}")


def test_a_shear_panel_carries_shear_alone(tmp_path):
    """SHELL28, 2 by 1 m and 2 mm thick, its upper side pushed along by 1 N: it moves by height / (G t width)."""
    path = tmp_path / "deck.dat"
    path.write_text(
        "/PREP7\nET,1,28\nR,1,.002\nMP,EX,1,2e11\nMP,PRXY,1,.25\nMP,DENS,1,7800\nN,1\nN,2,2\nN,3,2,1\nN,4,0,1\nE,1,2,3,4\n"
        "D,1,ALL,,,2\nD,3,UY,,,4,,UZ\nCP,1,UX,3,4\n"
    )
    fe = ff.io.read(path)
    u = ff.modal.solve_static(fe, loads={(3, "ux"): 0.5, (4, "ux"): 0.5})
    assert u[2, 0] == pytest.approx(1.0 / (2e11 / 2.5 * 0.002 * 2.0), rel=1e-9)
    assert fe.mass_properties().mass == pytest.approx(7800 * 0.004)


def test_a_shear_panel_without_thickness_is_named(read):
    mesh = "N,1\nN,2,1\nN,3,1,1\nN,4,0,1\nE,1,2,3,4\n"
    with pytest.raises(ff.errors.ReadError, match="SHELL28 real constants 1 have no thickness"):
        read(f"/PREP7\nET,1,28\nR,1\n{MP}{mesh}")


def test_a_shear_panel_that_folds_over_itself_is_named(read):
    mesh = "N,1\nN,2,1\nN,3,0,1\nN,4,1,1\nE,1,2,3,4\n"
    with pytest.raises(ff.errors.ReadError, match="SHELL28 with real constants 1: a shear panel"):
        read(f"/PREP7\nET,1,28\nR,1,.01\n{MP}{mesh}")
