"""St-Venant torsion by finite differences: Prandtl's membrane on a grid that fits the walls."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, diags_array
from scipy.sparse.linalg import spsolve


def torsion_constant(rectangles, step, hole=None):
    """Return J of a union of rectangles (y_min, y_max, z_min, z_max), minus one rectangular hole, all on the grid.

    The membrane has slope equation lap phi = -2, phi = 0 on the outer rim and one common height over the hole, whose
    rim carries the load of the hole's area.
    """
    box = np.array(rectangles)
    y0, z0 = box[:, 0].min(), box[:, 2].min()
    ny, nz = (round((top - low) / step) for top, low in ((box[:, 1].max(), y0), (box[:, 3].max(), z0)))

    def cells(r):
        a, b, c, d = (round(v / step) for v in (r[0] - y0, r[1] - y0, r[2] - z0, r[3] - z0))
        return slice(a, b), slice(c, d)

    filled = np.zeros((ny, nz), dtype=bool)
    for r in rectangles:
        filled[cells(r)] = True
    padded = np.pad(filled, 1)
    inside = padded[1:, 1:] & padded[:-1, 1:] & padded[1:, :-1] & padded[:-1, :-1]  # grid points with four full cells
    number = np.full(inside.shape, -1)
    number[inside] = np.arange(inside.sum())
    load = np.full(inside.sum(), 2.0 * step**2)
    if hole is not None:
        a, b = cells(hole)
        region = np.zeros(inside.shape, dtype=bool)
        region[a.start : a.stop + 1, b.start : b.stop + 1] = True
        one = number[region].min()
        number[region] = one
        used, number_inside = np.unique(number[inside], return_inverse=True)
        number[inside] = number_inside
        load = np.bincount(number_inside, minlength=used.size) * 2.0 * step**2
    n = load.size
    K = csr_array((n, n))
    for first, second in ((number[1:], number[:-1]), (number[:, 1:], number[:, :-1])):
        i, j = first.ravel(), second.ravel()
        for p, q in ((i, j), (j, i)):
            edge = (p >= 0) & (p != q)
            K = K + diags_array(np.bincount(p[edge], minlength=n).astype(float))
            both = edge & (q >= 0)
            K = K - csr_array((np.ones(both.sum()), (p[both], q[both])), shape=(n, n))
    return float(load @ spsolve(K.tocsc(), load))  # 2 * integral of phi
