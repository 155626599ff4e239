"""What Mikheev (2004, appendix 3) found about Lanczos' method, on our solver: figures are printed with -s."""

from __future__ import annotations

import numpy as np
import pytest

import floatframe as ff
from floatframe.modal import LanczosOptions, lanczos
from floatframe.modal.factor import factored
from floatframe.modal.lanczos.basis import Krylov
from floatframe.modal.lanczos.operator import Inverse
from floatframe.modal.lanczos.orthogonality import STRATEGIES
from floatframe.modal.lanczos.pencil import Pencil

STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
SHARE = 0.7  # of the spectrum that is found from above before the lowest eigenvalue, at least, by Mikheev
SLOWER = 2.0  # selective over full reorthogonalisation, at least, by Mikheev
CONVERGED = 1e-6  # residual over the eigenvalue itself: six digits, which nobody would call unconverged


def pencil_of(fe, fixed, mass="consistent"):
    free = fe.free_rows(fixed)
    return fe.stiffness()[free][:, free], fe.mass(mass)[free][:, free]


def beam():
    section = ff.fem.BeamSection.rectangle(0.02, 0.03)
    return pencil_of(ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=30, section=section, material=STEEL), [1])


def plate(nx=6, ny=10):
    fe = ff.fem.plate_grid(1.0, 2.0, nx=nx, ny=ny, thickness=0.02, material=STEEL)
    return pencil_of(fe, list(range(1, nx + 2)))


def until_the_lowest(operator, n, pick):
    """Steps of the single-vector recurrence until the Ritz pair `pick` has converged, and how many have by then."""
    krylov = Krylov(operator, n + 2, STRATEGIES["full"](), seed=0)
    krylov.begin(None, 1)
    while True:
        krylov.step()
        ritz = krylov.ritz()
        done = ritz.residual < CONVERGED * np.abs(ritz.theta)
        if done[pick] or krylov.exhausted:
            return krylov.m, int(done.sum())


@pytest.mark.parametrize("structure", [beam, plate])
def test_without_inversion_the_lowest_eigenvalue_comes_last(structure):
    """A swapped pencil makes the operator M^-1 K, whose lowest theta is the lowest eigenvalue."""
    K, M = structure()
    n = K.shape[0]
    forward, inverse = Pencil(M, K), Pencil(K, M)
    steps, found = until_the_lowest(Inverse(forward, factored(forward.shifted(0.0), kind="spd"), 0.0), n, 0)
    turned, _ = until_the_lowest(Inverse(inverse, factored(inverse.shifted(0.0), kind="spd"), 0.0), n, -1)
    print(f"\n{structure.__name__}, {n} dofs: {found / n:.0%} of the spectrum found first; inverse: {turned} steps")
    assert found >= SHARE * n
    assert steps >= SHARE * n
    assert turned <= 10  # the source: a few steps


@pytest.mark.slow
@pytest.mark.parametrize("block", [1, 4])
def test_full_reorthogonalisation_beats_selective_in_memory(block):
    """A hundred pairs of a problem in memory: orthogonalisation, Ritz vectors and the checks they need, in seconds."""
    K, M = plate(24, 48)
    spent = {}
    for way in ("full", "selective", "partial"):
        options = LanczosOptions(block=block, reorthogonalisation=way, check=False)
        runs = [lanczos(K, M, n=100, options=options).statistics for _ in range(2)]  # the first may compile
        spent[way] = min(run.orthogonalisation_seconds for run in runs)
    print(f"\nblock {block}: " + ", ".join(f"{way} {seconds:.2f} s" for way, seconds in spent.items()))
    assert spent["selective"] > SLOWER * spent["full"]
