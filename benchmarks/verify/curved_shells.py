"""Curved shells of eight and six nodes beside theory and beside `ccx`, which makes solids of S8R and S6."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import scipy.linalg

import floatframe as ff
from benchmarks.verify.calculix import ccx_frequencies, missing
from benchmarks.verify.rows import Row
from benchmarks.verify.shells import QUADRATIC, surface
from floatframe.arrays import Array
from floatframe.fem import FEModel, Material, merge_nodes

Place = Callable[[Array, Array], tuple[Array, ...]]
STEEL = Material(2.1e11, 0.3, 7850.0)
MODES = 6
EXPANDED = (
    "ccx has the mass of wedges and their full integration: it is stiffer on the mesh, ours is nearer to a fine one."
)


def problems() -> Iterator[Row]:
    for kind in QUADRATIC:
        yield from cylinder_between_diaphragms(kind)
        yield from elbow(kind)


def cylinder_between_diaphragms(kind: str) -> Iterator[Row]:
    """Lowest modes of a cylinder, R/t = 100, with 5, 6, 4 and 7 waves round it, by Sanders' theory."""
    thickness, radius, length = 0.01, 1.0, 2.0
    fe = _pipe(kind, 32, 8, thickness, lambda a, s: (radius * np.cos(a), radius * np.sin(a), length * s))
    held = [(edge, "ux uy") for edge in ("s0", "s1")]
    found = ff.modal.eigenmodes(fe, n=9, fixed=held).frequency[1::2]
    waves = sorted((_sanders(n, thickness, radius, length), n) for n in range(2, 10))
    for (target, n), ours in zip(waves, found, strict=False):
        # waves of five elements and more
        yield Row("cylinder between diaphragms", f"{n} waves round", target, float(ours), 0.01, f"{kind} 32x8")


def elbow(kind: str) -> Iterator[Row]:
    """A clamped bend of 90 degrees, t/R = 0.05, beside ccx on the same mesh and beside a mesh of half the size."""
    if missing():
        return
    target, ours = _elbow_by_ccx(kind, 8, 16), _elbow(kind, 8, 16)
    fine = _elbow("shell8", 16, 32)
    for k in range(MODES):
        row = Row("elbow beside ccx", f"mode {k + 1}", float(target[k]), float(ours[k]), 0.02, f"{kind} 8x16")
        yield row if kind == "shell8" else row.unjudged(EXPANDED)
        # the error of quadratic elements of this size along the shortest waves of these modes
        yield Row("elbow beside a fine mesh", f"mode {k + 1}", float(fine[k]), float(ours[k]), 0.01, f"{kind} 8x16")


def _elbow(kind: str, along: int, around: int) -> Array:
    return ff.modal.eigenmodes(_bend(kind, along, around), n=MODES, fixed=["s0"]).frequency


def _elbow_by_ccx(kind: str, along: int, around: int) -> Array:
    fe = _bend(kind, along, around)
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "elbow.inp"
        ff.io.write(path, fe.with_support(["s0"]))
        with path.open("a", encoding="utf-8") as deck:
            deck.write(f"*STEP\n*FREQUENCY\n{MODES}\n*END STEP\n")
        return ccx_frequencies(Path(name), path.stem)


def _bend(kind: str, along: int, around: int) -> FEModel:
    def place(a: Array, s: Array) -> tuple[Array, ...]:
        reach = 0.3 + 0.1 * np.cos(a)
        return reach * np.cos(np.pi / 2 * s), reach * np.sin(np.pi / 2 * s), 0.1 * np.sin(a)

    return _pipe(kind, around, along, 0.005, place)


def _pipe(kind: str, around: int, along: int, thickness: float, place: Place) -> FEModel:
    """Return a closed pipe on x, y, z = place(angle, s)."""
    fe = surface(lambda r, s: place(2 * np.pi * r, s), around, along, thickness, STEEL, kind)
    ends = {name: fe.node_sets[name] for name in ("s0", "s1")}
    return merge_nodes(replace(fe, node_sets=ends), 1e-9)


def _sanders(n: int, thickness: float, radius: float, length: float) -> float:
    """Lowest frequency [Hz] with one half wave along a cylinder and n waves round it."""
    R, k, E, nu = radius, np.pi / length, STEEL.E, STEEL.nu
    # amplitudes U cos kx cos nθ, V sin kx sin nθ, W sin kx cos nθ
    stretch = np.array([[-k, 0, 0], [0, n / R, 1 / R], [-n / R, k, 0]])
    curve = np.array([[0, 0, k**2], [0, n / R**2, n**2 / R**2], [n / (2 * R**2), 1.5 * k / R, 2 * k * n / R]])
    Q = E / (1 - nu**2) * np.array([[1, nu, 0], [nu, 1, 0], [0, 0, (1 - nu) / 2]])
    K = thickness * stretch.T @ Q @ stretch + thickness**3 / 12 * curve.T @ Q @ curve
    values = scipy.linalg.eigh(K, STEEL.rho * thickness * np.eye(3), eigvals_only=True)
    return float(np.sqrt(values[0]) / (2 * np.pi))
