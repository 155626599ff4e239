"""Pencils (K, M) with known spectra, and random ones shaped like finite element models."""

from __future__ import annotations

import numpy as np
from scipy import sparse

Pencil = tuple[sparse.csc_array, sparse.csc_array]


def mikota(n: int) -> Pencil:
    """Mikota's vibration chain (Mikota 2001): omega = 1, 2, ..., n exactly."""
    i = np.arange(1, n + 1)
    spring = n + 1.0 - i
    return _tridiagonal(spring + np.append(spring[1:], 0.0), -spring[1:]), sparse.csc_array(sparse.diags_array(1.0 / i))


def wilkinson() -> Pencil:
    """W21+ (Wilkinson 1965): pairs of eigenvalues that agree to 15 digits at the upper end, none of them double."""
    diagonal = np.abs(np.arange(-10, 11)).astype(float)
    return _tridiagonal(diagonal, np.ones(20)), sparse.csc_array(sparse.eye_array(21))


def chain(n: int, *, free: bool = False) -> Pencil:
    """Equal masses and springs, n of them, held at both ends or free."""
    diagonal = np.full(n, 2.0)
    if free:
        diagonal[[0, -1]] = 1.0
    return _tridiagonal(diagonal, -np.ones(n - 1)), sparse.csc_array(sparse.eye_array(n))


def chain_values(n: int, *, free: bool = False) -> np.ndarray:
    """Eigenvalues of the chain: 4 sin^2 of equidistant angles."""
    angle = np.arange(n) * np.pi / (2 * n) if free else np.arange(1, n + 1) * np.pi / (2 * (n + 1))
    return 4.0 * np.sin(angle) ** 2


def ring(n: int) -> Pencil:
    """A closed chain: every eigenvalue but the ends is exactly double."""
    K = chain(n)[0].tolil()
    K[0, n - 1] = K[n - 1, 0] = -1.0
    return sparse.csc_array(K), sparse.csc_array(sparse.eye_array(n))


def ring_values(n: int) -> np.ndarray:
    return np.sort(4.0 * np.sin(np.pi * np.arange(n) / n) ** 2)


def grid(n: int, dimension: int = 2) -> Pencil:
    """The square or cubic membrane on n points per side: eigenvalues are sums, equal under exchange of axes."""
    line, one = chain(n)[0], sparse.eye_array(n)
    K = line
    for _ in range(dimension - 1):
        K = sparse.kron(K, one) + sparse.kron(sparse.eye_array(K.shape[0]), line)
    return sparse.csc_array(K), sparse.csc_array(sparse.eye_array(n**dimension))


def grid_values(n: int, dimension: int = 2) -> np.ndarray:
    value = chain_values(n)
    total = value
    for _ in range(dimension - 1):
        total = np.add.outer(total, value).ravel()
    return np.sort(total)


def free_truss(n: int, dimension: int = 3, *, copies: int = 1, seed: int = 0) -> Pencil:
    """Random points joined to all others by bars: exactly 6 (in the plane 3) motions without strain per copy."""
    rng = np.random.default_rng(seed)
    blocks = []
    for _ in range(copies):
        xyz = rng.uniform(-1.0, 1.0, (n, dimension))
        i, j = np.triu_indices(n, 1)
        axis = xyz[j] - xyz[i]
        axis /= np.sqrt((axis**2).sum(axis=1))[:, None]
        B = np.zeros((i.size, n, dimension))
        B[np.arange(i.size), i], B[np.arange(i.size), j] = -axis, axis
        B = B.reshape(i.size, -1)
        blocks.append(B.T @ (rng.uniform(0.5, 2.0, i.size)[:, None] * B))
    K = sparse.csc_array(sparse.block_diag(blocks))
    mass = np.repeat(rng.uniform(0.5, 2.0, n * copies), dimension)
    return K, sparse.csc_array(sparse.diags_array(mass))


def random_structure(seed: int) -> Pencil:
    """A random mesh-like pencil: random graph of springs on blocks of dofs; some free, massless, cut or doubled."""
    rng = np.random.default_rng(seed)
    nodes, dof = int(rng.integers(6, 30)), int(rng.integers(1, 4))
    K = np.zeros((nodes * dof, nodes * dof))
    M = np.zeros_like(K)
    links = [(i, i + 1) for i in range(nodes - 1)]
    links += [tuple(rng.choice(nodes, 2, replace=False)) for _ in range(nodes)]
    for i, j in links:
        rows = np.r_[i * dof : (i + 1) * dof, j * dof : (j + 1) * dof]
        G = rng.standard_normal((dof, dof))
        k = 10.0 ** rng.uniform(-2, 3) * (G @ G.T + 0.1 * np.eye(dof))
        K[np.ix_(rows, rows)] += np.kron([[1, -1], [-1, 1]], k)
        if rng.random() < 0.9:
            G = rng.standard_normal((2 * dof, 2 * dof))
            M[np.ix_(rows, rows)] += 10.0 ** rng.uniform(-2, 0) * (G @ G.T)
    M += np.diag(rng.uniform(0.01, 1.0, nodes * dof))
    if rng.random() < 0.5:  # support of the first node: otherwise free
        K[:dof, :dof] += 100.0 * np.eye(dof)
    if rng.random() < 0.3:  # lumped
        M = np.diag(M.sum(axis=0).clip(1e-3))
    if rng.random() < 0.3:  # massless nodes, held by the springs to their neighbours
        without = np.repeat(rng.random(nodes) < 0.2, dof)
        without[:dof] = False
        M[without] = 0.0
        M[:, without] = 0.0
    if rng.random() < 0.2:  # the same twice: every eigenvalue at least double
        K, M = np.kron(np.eye(2), K), np.kron(np.eye(2), M)
    return sparse.csc_array(K), sparse.csc_array(M)


def _tridiagonal(diagonal: np.ndarray, beside: np.ndarray) -> sparse.csc_array:
    return sparse.csc_array(sparse.diags_array([beside, diagonal, beside], offsets=[-1, 0, 1]))
