"""Integration rules on the reference shapes: points (npoint, dimension) and weights (npoint,).

Reference shapes: line [-1, 1], square and cube its products, unit triangle and tetrahedron at the origin, prism =
unit triangle times [-1, 1], pyramid = square base at height 0 and apex (0, 0, 1). Weights sum to the measure of the
shape. All weights are positive.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import roots_jacobi

from floatframe.arrays import Array


@dataclass(frozen=True)
class Rule:
    """Integration points (npoint, dimension) and weights (npoint,)."""

    points: Array
    weights: Array


def line(n: int) -> Rule:
    """Gauss rule with n points on [-1, 1], exact to degree 2n - 1."""
    points, weights = np.polynomial.legendre.leggauss(n)
    return Rule(points[:, None], weights)


def product(first: Rule, second: Rule) -> Rule:
    """Rule on the product of two shapes; the first one's points run slowest."""
    i, j = np.indices((first.weights.size, second.weights.size)).reshape(2, -1)
    return Rule(np.hstack([first.points[i], second.points[j]]), first.weights[i] * second.weights[j])


def square(n: int) -> Rule:
    """n x n Gauss points on [-1, 1]²."""
    return product(line(n), line(n))


def cube(n: int) -> Rule:
    """n x n x n Gauss points on [-1, 1]³."""
    return product(square(n), line(n))


def cube14() -> Rule:
    """Irons' (1971) rule on the cube: 14 points, exact to degree 5."""
    face, corner = np.sqrt(19.0 / 30.0), np.sqrt(19.0 / 33.0)
    signs = np.indices((2, 2, 2)).reshape(3, -1).T * 2.0 - 1.0
    points = np.vstack([face * np.eye(3), -face * np.eye(3), corner * signs])
    return Rule(points, np.r_[np.full(6, 320.0 / 361.0), np.full(8, 121.0 / 361.0)])


def triangle(degree: int) -> Rule:
    """Symmetric rule on the unit triangle with 1, 3 or 7 points, exact to degree 1, 2 or 5; above that conical."""
    if degree <= 1:
        return Rule(np.full((1, 2), 1.0 / 3.0), np.array([0.5]))
    if degree == 2:
        return Rule(_orbit(1.0 / 6.0), np.full(3, 1.0 / 6.0))
    if degree <= 5:  # Radon (1948)
        root = np.sqrt(15.0)
        near, far = (6.0 - root) / 21.0, (6.0 + root) / 21.0
        points = np.vstack([np.full((1, 2), 1.0 / 3.0), _orbit(near), _orbit(far)])
        weights = np.r_[9.0 / 80.0, np.full(3, (155.0 - root) / 2400.0), np.full(3, (155.0 + root) / 2400.0)]
        return Rule(points, weights)
    n = degree // 2 + 1
    return _cone(Rule(line(n).points / 2.0 + 0.5, line(n).weights / 2.0), n, apex=(0.0, 1.0))


def tetrahedron(degree: int) -> Rule:
    """Rule on the unit tetrahedron with 1 or 4 points, exact to degree 1 or 2; above that conical."""
    if degree <= 1:
        return Rule(np.full((1, 3), 0.25), np.array([1.0 / 6.0]))
    if degree == 2:
        a = (5.0 - np.sqrt(5.0)) / 20.0
        return Rule(np.vstack([np.full((1, 3), a), a + (1.0 - 4.0 * a) * np.eye(3)]), np.full(4, 1.0 / 24.0))
    return _cone(triangle(degree), degree // 2 + 1, apex=(0.0, 0.0, 1.0))


def prism(degree: int, n: int) -> Rule:
    """Triangle rule of a degree times n Gauss points along the prism."""
    return product(triangle(degree), line(n))


def pyramid(n_base: int, n_height: int) -> Rule:
    """n_base x n_base Gauss points in n_height layers that shrink towards the apex."""
    return _cone(square(n_base), n_height, apex=(0.0, 0.0, 1.0))


def _orbit(a: float) -> Array:
    """The three points of the unit triangle with barycentric coordinates (a, a, 1 - 2a)."""
    b = 1.0 - 2.0 * a
    return np.array([[a, a], [b, a], [a, b]])


def _cone(base: Rule, n: int, apex: tuple[float, ...]) -> Rule:
    """Rule on the cone over a base: layers at Gauss-Jacobi heights, whose weight is the shrinking of the base."""
    dimension = base.points.shape[1]
    roots, weights = roots_jacobi(n, dimension, 0)  # weight (1 - t)^dimension on [-1, 1]
    layers = Rule((roots[:, None] + 1.0) / 2.0, weights / 2.0 ** (dimension + 1))
    both = product(base, layers)
    flat, height = both.points[:, :-1], both.points[:, -1:]
    floor = np.hstack([flat, np.zeros_like(height)])
    return Rule((1.0 - height) * floor + height * np.asarray(apex), both.weights)
