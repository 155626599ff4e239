"""Materials of Abaqus and CalculiX decks: linear ones as they are, others by their elastic part, which is reported."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.errors import ReadError

CUBE = """*NODE, NSET=ALL
1,0,0,0
2,1,0,0
3,1,1,0
4,0,1,0
5,0,0,1
6,1,0,1
7,1,1,1
8,0,1,1
*ELEMENT, TYPE=C3D8, ELSET=E
1,1,2,3,4,5,6,7,8
*MATERIAL, NAME=M
{law}*DENSITY
1000.,
"""
SOLID = "*SOLID SECTION, ELSET=E, MATERIAL=M{options}\n"
WALL = CUBE.replace("C3D8", "S4").replace("1,1,2,3,4,5,6,7,8", "1,1,2,3,4")
WOOD = "*ELASTIC, TYPE=ENGINEERING CONSTANTS\n11e9, 0.9e9, 0.5e9, 0.3, 0.4, 0.6, 0.8e9, 0.7e9,\n0.05e9, 20.\n"


def imported(tmp_path, text, **options):
    (tmp_path / "deck.inp").write_text(text)
    return ff.io.read_with_report(tmp_path / "deck.inp", **options)


def pulled(fe):
    """Return the strain along x of the cube under a stress of 1 Pa, free to contract and to shear."""
    loads = {(node, "ux"): 0.25 for node in (2, 3, 6, 7)} | {(node, "ux"): -0.25 for node in (1, 4, 5, 8)}
    held = np.array([[1, 0], [1, 1], [1, 2], [2, 1], [2, 2], [4, 2]])
    u = ff.modal.solve_static(ff.fem.FEModel(fe.nodes, fe.blocks, fe.node_ids, supports=held), loads=loads)
    rows = [fe.node_index(node)[0] for node in (2, 1)]
    return u[rows[0], 0] - u[rows[1], 0]


@pytest.mark.parametrize("angle", [0.0, 30.0, 45.0, 90.0])
def test_wood_stretches_as_its_grain_runs(tmp_path, angle):
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    turn = f"*ORIENTATION, NAME=GRAIN\n1,0,0, 0,1,0\n3, {angle}\n"
    fe = imported(tmp_path, CUBE.format(law=WOOD) + turn + SOLID.format(options=", ORIENTATION=GRAIN")).model
    # modulus across the grain at an angle, textbook (Jones, Mechanics of Composite Materials, 2.6)
    expected = c**4 / 11e9 + s**4 / 0.9e9 + (1.0 / 0.8e9 - 2.0 * 0.3 / 11e9) * s**2 * c**2
    assert pulled(fe) == pytest.approx(expected, rel=1e-9)  # a uniform state, exact but for round-off


def test_the_three_ways_to_write_a_matrix_are_one(tmp_path):
    D = imported(tmp_path, CUBE.format(law=WOOD) + SOLID.format(options="")).model.blocks[0].material.elasticity()
    # 11, 22, 33, 12, 13, 23 in the deck, xx, yy, zz, xy, yz, zx here
    shears = D[3, 3], D[5, 5], D[4, 4]
    nine = [D[0, 0], D[0, 1], D[1, 1], D[0, 2], D[1, 2], D[2, 2], *shears]
    many = [*nine[:6], 0, 0, 0, shears[0], 0, 0, 0, 0, shears[1], 0, 0, 0, 0, 0, shears[2]]
    for kind, constants in (("ORTHO", nine), ("ANISO", many)):
        lines = [", ".join(repr(float(c)) for c in constants[k : k + 8]) for k in range(0, len(constants), 8)]
        law = f"*ELASTIC, TYPE={kind}\n" + ",\n".join(lines) + "\n"
        again = imported(tmp_path, CUBE.format(law=law) + SOLID.format(options="")).model.blocks[0].material
        assert_allclose(again.elasticity(), D, rtol=1e-12, atol=1e-6)


def test_material_axes_round_a_cylinder(tmp_path):
    around = "*ORIENTATION, NAME=ROUND, SYSTEM=CYLINDRICAL\n0,0,0, 0,0,1\n"
    deck = CUBE.format(law=WOOD) + around + SOLID.format(options=", ORIENTATION=ROUND")
    (axes,) = imported(tmp_path, deck).model.blocks[0].data["material_axes"]
    half = np.sqrt(0.5)
    assert_allclose(axes, [[half, half, 0], [-half, half, 0], [0, 0, 1]], atol=1e-15)


def test_tables_of_many_constants_know_temperature(tmp_path):
    law = WOOD + "5.5e9, 0.45e9, 0.25e9, 0.3, 0.4, 0.6, 0.4e9, 0.35e9,\n0.025e9, 120.\n"
    fe = imported(tmp_path, CUBE.format(law=law) + SOLID.format(options=""), temperature=70.0).model
    cold = imported(tmp_path, CUBE.format(law=WOOD) + SOLID.format(options="")).model
    assert_allclose(fe.blocks[0].material.elasticity(), 0.75 * cold.blocks[0].material.elasticity(), rtol=1e-12)


@pytest.mark.parametrize(
    ("law", "E", "nu"),
    [
        # mu = 2 C10 = 4, K = 2 / D1 = 10
        ("*HYPERELASTIC, NEO HOOKE\n2., .2\n", 9 * 10 * 4 / 34, 22 / 68),
        ("*HYPERELASTIC, MOONEY-RIVLIN\n1.5, .5, .2\n", 9 * 10 * 4 / 34, 22 / 68),
        ("*HYPERELASTIC, POLYNOMIAL, N=2\n1.5, .5, 9., 9., 9., .2, 9.\n", 9 * 10 * 4 / 34, 22 / 68),
        ("*HYPERELASTIC, YEOH\n2., 9., 9., .2, 9., 9.\n", 9 * 10 * 4 / 34, 22 / 68),
        ("*HYPERELASTIC, OGDEN, N=2\n3., 2., 1., -2., .2, 0.\n", 9 * 10 * 4 / 34, 22 / 68),
        ("*HYPERELASTIC, OGDEN, N=1\n4., 2., 0.\n", 2 * 4 * 1.475, 0.475),  # incompressible: 0.475 as in CalculiX
        # nu = 0.25 makes K = 2 mu (1/3 + 1/2)
        ("*HYPERFOAM, N=1\n4., 2., .25\n", 2 * 4 * 1.25, 0.25),
        ("*DEFORMATION PLASTICITY\n10., .2, 3., 4., 5.\n", 10.0, 0.2),
        ("*ELASTIC\n10., .2\n*PLASTIC\n1., 0.\n*CREEP\n1., 2., 3.\n", 10.0, 0.2),
    ],
)
def test_other_laws_count_by_their_elastic_part(tmp_path, law, E, nu):
    result = imported(tmp_path, CUBE.format(law=law) + SOLID.format(options=""))
    material = result.model.blocks[0].material
    assert (material.E, material.nu) == (pytest.approx(E), pytest.approx(nu))
    assert {e.card for e in result.report.ignored_physics} == {
        line.split(",")[0] for line in law.splitlines() if line[0] == "*" and line != "*ELASTIC"
    }
    with pytest.raises(ReadError, match="strict import does not ignore"):
        imported(tmp_path, CUBE.format(law=law) + SOLID.format(options=""), strict=True)


def test_user_materials_that_are_built_in(tmp_path):
    law = "*USER MATERIAL, CONSTANTS=3\n135468., 68655., 201207.\n"
    deck = CUBE.replace("NAME=M", "NAME=SINGLE_CRYSTAL").format(law=law) + SOLID.replace(
        "MATERIAL=M", "MATERIAL=SINGLE_CRYSTAL"
    )
    D = imported(tmp_path, deck.format(options="")).model.blocks[0].material.elasticity()
    assert_allclose(np.diag(D), [135468.0] * 3 + [201207.0] * 3)
    assert D[0, 1] == D[1, 2] == pytest.approx(68655.0)


@pytest.mark.parametrize("name", ["TENSION_ONLY", "COMPRESSION_ONLY"])
def test_one_sided_materials_have_half_the_modulus_at_rest(tmp_path, name):
    # stress E ε (1/2 ± atan(ε/ε0)/π): the frequencies of ccx are those of E/2
    law = "*USER MATERIAL, CONSTANTS=2\n3790., 1.\n"
    deck = CUBE.replace("NAME=M", f"NAME={name}").format(law=law) + SOLID.replace("MATERIAL=M", f"MATERIAL={name}")
    material = imported(tmp_path, deck.format(options="")).model.blocks[0].material
    assert (material.E, material.nu) == (1895.0, 0.0)


@pytest.mark.parametrize(
    ("law", "message"),
    [
        ("*CONDUCTIVITY\n50.\n", r"material 'M' has no \*ELASTIC but \*CONDUCTIVITY, \*DENSITY, .* \[material.M\]"),
        ("*USER MATERIAL, CONSTANTS=2\n1., .3\n", r"has no \*ELASTIC but \*USER MATERIAL"),
        ("*ELASTIC, TYPE=TRACTION\n1.,1.,1.\n", "TYPE=TRACTION of material 'M' cannot be read"),
        ("*ELASTIC, TYPE=ORTHO\n1.,2.,1.,0.,0.,1.,1.,1.,\n1.\n", r"line 13: .*not positive definite"),
        ("*ELASTIC, TYPE=ENGINEERING CONSTANTS\n1.,1.,0.,0.,0.,0.,1.,1.,\n1.\n", "moduli must be positive"),
    ],
)
def test_materials_without_elastic_constants_are_named(tmp_path, law, message):
    with pytest.raises(ReadError, match=message):
        imported(tmp_path, CUBE.format(law=law) + SOLID.format(options=""))
