"""Plane stress of a flat quadrilateral with drilling rotations that take part in bending in the plane.

Without rotations no quadrilateral of four nodes that passes the patch test bends well as a trapezoid (MacNeal 1987).
Here the strain is a mean plus the four linear fields whose stress is in equilibrium. Their amplitudes follow from the
parts of the nodal displacements that no linear displacement has, and from drilling rotations tied to the rotation of
the fields (Hughes and Brezzi 1989) by least energy. The mean is that of displacements whose sides bend with the
difference of the rotations at their ends (Allman 1984); the linear parts have zero mean, so that patch tests hold.

In a curved shell rotations about tangents look like drilling to flat elements, because these meet at angles. Such
rotations would stretch the elements and lock a thin shell. The part that drilling takes falls with the square of sag
over thickness, the ratio of the energies of stretching and bending; what is left is the quadrilateral without drilling.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements.shells._quad import CENTRE_SLOPES, CORNER, HOURGLASS, SHAPE, Quad
from floatframe.fem.elements.shells._wall import Wall
from floatframe.fem.neighbours import Around

# what nodal rotations have of ξ, η and ξη, and the roots of the mean squares of these
PATTERNS = 0.25 * np.stack([CORNER[:, 0], CORNER[:, 1], HOURGLASS])
PATTERN_ROOTS = np.array([1.0 / 3.0, 1.0 / 3.0, 1.0 / 9.0]) ** 0.5
TRIANGLE_BULGE = 1.5  # sides of triangles bulge by so much more


# stresses x, y, xy (3, 4) of the fields per x and per y: σx = y; σy = x; σx = x with τ = -y; σy = y with τ = -x
PER_X = np.array([[0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, -1.0]])
PER_Y = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, -1.0, 0.0]])


@dataclass(frozen=True)
class Fields:
    """The four linear stress fields that are in equilibrium, by their strains.

    linear (1 or nel, 2, 12): strains x, y, xy of the fields per x and y; turning (1 or nel, 2, 4): their rotations;
    quadratic (1 or nel, 3, 8): their ux and uy per x², xy, y².
    """

    linear: Array
    turning: Array
    quadratic: Array

    def strains(self, at: Array) -> Array:
        """Return strains x, y, xy (3, nel, npoint, 4) at points (nel, npoint, 2)."""
        found = np.matmul(at, self.linear)
        return np.moveaxis(found.reshape(*found.shape[:2], 3, 4), 2, 0)

    def rotations(self, at: Array) -> Array:
        """Return the rotations (nel, npoint, 4)."""
        return np.matmul(at, self.turning)

    def displacements(self, at: Array) -> tuple[Array, Array]:
        """Return ux and uy (nel, npoint, 4)."""
        x, y = at[..., 0], at[..., 1]
        found = np.matmul(np.stack([x * x, x * y, y * y], axis=-1), self.quadratic)
        return found[..., :4], found[..., 4:]


def fields_of(wall: Wall) -> Fields:
    """Return the fields of walls; one set for all elements where these do not differ."""
    a, b = np.matmul(wall.compliance, PER_X), np.matmul(wall.compliance, PER_Y)  # strains per x and per y
    k = len(a)
    # what is left of the shear by the slopes that the normal strains leave open
    in_x, in_y = 0.5 * (b[:, 2] - a[:, 1]), 0.5 * (a[:, 2] - b[:, 0])
    ux = np.stack([0.5 * a[:, 0], b[:, 0], in_x], axis=1)
    uy = np.stack([in_y, a[:, 1], 0.5 * b[:, 1]], axis=1)
    turning = np.stack([0.5 * a[:, 2] - b[:, 0], a[:, 1] - 0.5 * b[:, 2]], axis=1)
    return Fields(np.stack([a, b], axis=1).reshape(k, 2, 12), turning, np.concatenate([ux, uy], axis=2))


@dataclass(frozen=True)
class Membrane:
    """Energy rows and the linear stress fields of some quadrilaterals.

    rows (nel, 16, 4, 3): strains x, y, xy at 4 points, then drilling, for (ux, uy, rz) of 4 nodes; amplitude
    (nel, 4, 4, 3) of the fields per (ux, uy, rz); at (nel, 4, 2): nodes from the centroid over size (nel,) [m].
    """

    rows: Array
    amplitude: Array
    at: Array
    size: Array
    fields: Fields

    def inside(self, shape: Array) -> Array:
        """Return (nel, 2, npoint, 4) ux and uy of the fields beyond their bilinear part, by functions (npoint, 4)."""
        fields = np.stack(self.fields.displacements(np.matmul(shape, self.at)), axis=1)
        corners = np.stack(self.fields.displacements(self.at), axis=1)
        return np.asarray(self.size[:, None, None, None] * (fields - np.matmul(shape, corners)))

    def inside_slopes(self, gx: Array, gy: Array) -> Array:
        """Return (nel, 2, 2, npoint, 4) slopes along x and y of `inside` at the points of RULE.

        gx, gy (nel, npoint, 4): slopes of the corner functions.
        """
        corners = np.stack(self.fields.displacements(self.at), axis=1)
        points = np.matmul(SHAPE, self.at)
        (xx, yy, xy), turn = self.fields.strains(points), self.fields.rotations(points)
        slopes = np.stack([xx, 0.5 * xy + turn, 0.5 * xy - turn, yy], axis=1).reshape(-1, 2, 2, *xx.shape[1:])
        linear = np.matmul(np.stack([gx, gy], axis=1)[:, :, None], corners[:, None])
        return np.asarray(slopes - self.size[:, None, None, None, None] * linear)


def membrane(wall: Wall, quad: Quad, root: Array, around: Around, firm: float = 1.0) -> Membrane:
    """Return the membrane of quadrilaterals.

    root (nel, 4): roots of the integration weights; firm: how much stiffer than the wall itself the rotations of the
    fields are tied to those of the nodes.
    """
    nel, fields = len(root), fields_of(wall)
    size = np.sqrt((root**2).sum(axis=1))
    weight = root / size[:, None]
    points = np.matmul(SHAPE, wall.xy)
    centroid = np.matmul((weight**2)[:, None, :], points)
    at, points = (wall.xy - centroid) / size[:, None, None], (points - centroid) / size[:, None, None]
    gx, gy = (size[:, None] * slope[:, 0] for slope in quad.slopes0(CENTRE_SLOPES))
    offset = np.matmul(HOURGLASS, at)
    gamma = 0.25 * (HOURGLASS - offset[:, :1] * gx - offset[:, 1:] * gy)

    linear = weight[:, None, :, None] * wall.membrane.rows(*fields.strains(points))
    linear = linear.reshape(nel, 12, 4)
    ux, uy = fields.displacements(at)
    turn = fields.rotations(at)
    mean_turn = 0.5 * (np.matmul(gx[:, None], uy) - np.matmul(gy[:, None], ux))
    # rotations of the nodes, and of the fields there, less the mean rotation that the displacements show
    tie = _tie(wall, size, firm * _share_of_drilling(wall.thickness, around.sag))
    of_fields = np.matmul(tie, turn - mean_turn)
    of_nodes = np.zeros((nel, 4, 4, 3))
    of_nodes[..., 2] = tie
    of_nodes[:, 0, :, 0] += 0.5 * gy * tie[:, :1].sum(axis=2)
    of_nodes[:, 0, :, 1] -= 0.5 * gx * tie[:, :1].sum(axis=2)

    mean = wall.membrane.rows(*_mean_strain(at, gx, gy, _bulge(wall, around)))
    linear = _without_mean(linear, mean, ux, uy, turn)
    amplitude = _amplitude(linear, of_fields[:, 1:3], of_nodes[:, 1:3].reshape(nel, 2, 12), gamma, ux, uy)
    rows = np.empty((nel, 16, 4, 3))
    mean = weight[:, None, :, None] * mean.reshape(nel, 3, 1, 12)
    rows[:, :12] = (np.matmul(linear, amplitude) + mean.reshape(nel, 12, 12)).reshape(nel, 12, 4, 3)
    rows[:, 12:] = of_nodes - np.matmul(of_fields, amplitude).reshape(nel, 4, 4, 3)
    amplitude = amplitude.reshape(nel, 4, 4, 3)
    # displacements over size
    stretch = np.sqrt(wall.membrane_stiffness)
    rows *= np.stack([stretch, stretch, stretch * size], axis=1)[:, None, None, :]
    if wall.profile is not None:
        thicker = np.sqrt(wall.taper(SHAPE))
        rows[:, :12] *= np.tile(thicker, 3)[:, :, None, None]
    amplitude[..., :2] /= size[:, None, None, None]
    return Membrane(rows, amplitude, at, size, fields)


def _share_of_drilling(thickness: Array, sag: Array) -> Array:
    """Return the part that drilling rotations take in bending in the plane."""
    return np.asarray(1.0 / (1.0 + 12.0 * (sag / thickness) ** 2))


def _tie(wall: Wall, size: Array, firmness: Array) -> Array:
    """Return rows (nel, 4, 4) that tie the mean and the patterns of the nodal rotations.

    The mean is always tied with the shear stiffness. Where drilling takes no part the patterns keep as much as bending
    has, by the square of thickness over size.
    """
    part = np.maximum(firmness, np.minimum(wall.thickness / size, 1.0))
    tie = np.empty((len(size), 4, 4))
    tie[:, 0] = 0.25
    tie[:, 1:] = part[:, None, None] * (PATTERN_ROOTS[:, None] * PATTERNS)
    return wall.membrane.U[:, 2, 2, None, None] * tie


def _without_mean(linear: Array, mean: Array, ux: Array, uy: Array, turn: Array) -> Array:
    """Return strains of the fields (nel, 12, 4) with less energy by that of the mean strain their nodal values have.

    Exact fields have none, but the sides of trapezoids bulge not quite as theirs.
    """
    shown = np.matmul(mean[..., 0], ux) + np.matmul(mean[..., 1], uy) + np.matmul(mean[..., 2], turn)
    energy = np.matmul(linear.swapaxes(1, 2), linear)
    twice = np.matmul(shown.swapaxes(1, 2), shown)
    return np.matmul(linear, np.linalg.solve(energy + 0.5 * twice, energy))


def _amplitude(linear: Array, turn: Array, of_nodes: Array, gamma: Array, ux: Array, uy: Array) -> Array:
    """Return the amplitudes (nel, 4, 12) of the fields for (ux, uy, rz) of 4 nodes.

    Least energy of the strains linear (nel, 12, 4) and of the ties between the rotations of fields, turn (nel, 2, 4),
    and of_nodes (nel, 2, 12), while the fields have the part gamma (nel, 4) of the displacements of the nodes.
    """
    nel = len(gamma)
    least, given = np.zeros((nel, 6, 6)), np.zeros((nel, 6, 12))
    least[:, :4, :4] = np.matmul(linear.swapaxes(1, 2), linear) + np.matmul(turn.swapaxes(1, 2), turn)
    for row, field in ((4, ux), (5, uy)):
        least[:, row, :4] = least[:, :4, row] = np.matmul(gamma[:, None], field)[:, 0]
        given[:, row, row - 4 :: 3] = gamma
    given[:, :4] = np.matmul(turn.swapaxes(1, 2), of_nodes)
    return np.asarray(np.linalg.solve(least, given))[:, :4]


def _bulge(wall: Wall, around: Around) -> Array:
    """Return how far the sides bulge (nel, 4): by one if they do as Allman has it.

    The lesser share of the elements at a side counts, and what triangles want, so that all of them agree.
    """
    share = _share_of_drilling(wall.thickness[:, None], around.side_sag)
    return np.where(around.beside_triangle, TRIANGLE_BULGE, 1.0) * share


def _mean_strain(at: Array, gx: Array, gy: Array, bulge: Array) -> Array:
    """Return the mean strains x, y, xy (3, nel, 4, 3) per (ux, uy, rz): of straight sides, and of their bulges.

    A side bulges by an eighth of its length times the difference of the rotations at its ends.
    """
    along = np.roll(at, -1, axis=1) - at
    x, y = along[..., 0], along[..., 1]
    mean = np.zeros((3, len(at), 4, 3))
    mean[0, ..., 0] = mean[2, ..., 1] = gx
    mean[1, ..., 1] = mean[2, ..., 0] = gy
    for component, part in enumerate((y * y, x * x, -2.0 * x * y)):
        turned = bulge / 12.0 * part
        mean[component, ..., 2] = np.roll(turned, 1, axis=1) - turned
    return mean
