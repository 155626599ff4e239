"""Assembly: the matrices of a mixed model are the plain sums of its element matrices."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import coo_array

from benchmarks import bench_assembly
from floatframe.fem import BeamSection, ElementBlock, FEModel, Material, ShellSection
from floatframe.fem.assembly import element_matrices

STEEL = Material(E=2.1e11, nu=0.3, rho=7850.0)
ROUND_OFF = 1e-14  # a few numbers summed in another order, relative to the largest entry


@pytest.fixture(scope="module")
def mixed() -> FEModel:
    """Return solids (three dofs), shells and beams (six), springs and masses that share nodes."""
    cube = np.array([[x, y, z] for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))], dtype=float)
    nodes = np.vstack([cube, cube[4:] + np.array([0, 0, 1.0]), [[5.0, 5.0, 5.0], [0.5, 0.5, 3.0]]])
    blocks = (
        ElementBlock("hex8", [[0, 1, 2, 3, 4, 5, 6, 7]], STEEL),
        ElementBlock("shell4", [[4, 5, 9, 8], [5, 6, 10, 9]], STEEL, ShellSection(0.02)),
        ElementBlock("shell3", [[8, 9, 13]], STEEL, ShellSection(0.02)),
        ElementBlock(
            "beam", [[10, 13], [0, 4]], STEEL, BeamSection.rectangle(0.1, 0.2),
            {"offsets": np.full((2, 2, 3), 0.1), "orientation": np.tile([1.0, 0.2, 0.0], (2, 1))},
        ),
        ElementBlock(
            "spring", [[12, 11]],
            data={"stiffness": np.arange(1.0, 7.0)[None] * 1e6, "damping": np.arange(1.0, 7.0)[None] * 1e3},
        ),
    )  # fmt: skip
    fe = FEModel(nodes, blocks, node_ids=np.arange(100, 114)[::-1])
    return fe.with_point_mass(113, 5.0).with_point_mass(101, 7.0, (1, 2, 3), (0.1, 0, 0))


@pytest.mark.parametrize("quantity", ["stiffness", "consistent", "lumped", "damping"])
def test_matrices_are_the_sums_of_element_matrices(mixed, quantity):
    expected = np.zeros((mixed.dof_table.size,) * 2)
    for block in mixed.blocks:
        d = block.element.dof_per_node
        for part, batch in mixed.batches(block):
            slots = (6 * block.connectivity[part][:, :, None] + np.arange(d)).reshape(batch.size, -1)
            matrices = element_matrices(block.element, batch, quantity)
            if matrices is None:
                continue
            for rows, matrix in zip(mixed.dof_table.equation[slots], matrices, strict=True):
                expected[np.ix_(rows, rows)] += matrix if matrix.ndim == 2 else np.diag(matrix)
    for mass in mixed.point_masses if quantity in ("consistent", "lumped") else ():
        d = 6 if mass.has_rotation else 3
        rows = mixed.dof_table.equation[6 * mixed.node_index(mass.node)[0] + np.arange(d)]
        expected[np.ix_(rows, rows)] += mass.matrix()[:d, :d]
    found = mixed.assembled(quantity)
    assert np.abs(found.toarray() - expected).max() <= ROUND_OFF * np.abs(expected).max()
    # no stored zeros, sorted columns, the pattern is symmetric
    assert found.nnz == np.count_nonzero(found.toarray())
    assert found.has_sorted_indices
    assert coo_array(found).coords[0].size == found.nnz


def test_a_model_without_elements_has_empty_matrices():
    assert FEModel(np.zeros((2, 3))).stiffness().shape == (0, 0)


def test_nodes_without_elements_have_no_equations(mixed):
    lonely = FEModel(np.vstack([mixed.nodes, [[9.0, 9.0, 9.0]]]), mixed.blocks)
    assert lonely.stiffness().shape == (lonely.dof_table.size,) * 2
    assert lonely.dof_table.size == FEModel(mixed.nodes, mixed.blocks).dof_table.size


@pytest.mark.parametrize(("ratio", "memory"), [(3.1, 1e9), (1.0, 1.6e9), (float("nan"), 1e9)])
def test_benchmark_fails_above_its_limits(ratio, memory):
    bench_assembly.judge(2.9, 1.4e9)
    with pytest.raises(SystemExit, match="is allowed"):
        bench_assembly.judge(ratio, memory)
