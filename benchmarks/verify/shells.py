"""Shell elements in statics: MacNeal and Harder (1985), patch tests, classical shells.

Targets that later work corrected (twist, curved beam, clamped 5:1 plate) are the converged ones. Quadrilaterals are
judged by the tolerance published with a problem, by what another element reaches on the same mesh
(`_quadrilaterals`), or by 2 to 3 % where there is neither; triangles, for which the meshes are not meant, also by what
published triangles reach there (`_triangles.judged`). Shown for comparison only: the Raasch hook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from benchmarks.verify._quadrilaterals import MITC4_STRIP, QUAD4_CURVED, same_mesh, straight_beam_tolerance
from benchmarks.verify._solve import static
from benchmarks.verify._triangles import judged, solved
from benchmarks.verify.rows import SAME_MESH, Row
from floatframe.arrays import Array
from floatframe.fem import FEModel, Material, load_vector, plate_grid, shell_mesh

TRIANGLES, QUADRATIC = ("shell3", "shell6"), ("shell8", "shell6")
EXACT = 1e-10
LONG = "a point force on triangles five times as long as wide; no published six-node triangle there is known to us."
QUADS = "the tolerance is that of quadrilaterals."
RAASCH = "no result of another element on this mesh is known to us."
RAASCH_LOAD = 1.0  # 0.05 lb/in over a width of 20 in


def problems() -> Iterator[Row]:
    for kind, triangles in (("shell4", False), ("shell3", True)):
        yield from patch_tests(kind, triangles)
        for problem in MACNEAL:
            yield from judged(problem) if triangles else solved(problem, kind)
    for kind in QUADRATIC:
        for problem in MACNEAL:
            yield from solved(problem, kind)


def surface(
    place: Callable[[Array, Array], tuple[Array, ...]],
    nx: int,
    ny: int,
    thickness: float,
    material: Material,
    kind: str,
) -> FEModel:
    """Return a grid of shells on x, y, z = place(r, s) with r, s in 0..1; node sets r0, r1, s0, s1."""
    fe = plate_grid(1.0, 1.0, nx, ny, thickness, material, triangles=kind in TRIANGLES, quadratic=kind in QUADRATIC)
    nodes = np.column_stack(np.broadcast_arrays(*place(fe.nodes[:, 0], fe.nodes[:, 1])))
    names = {"r0": "xmin", "r1": "xmax", "s0": "ymin", "s1": "ymax"}
    return replace(fe, nodes=nodes, node_sets={name: fe.node_sets[old] for name, old in names.items()})


def edge_load(fe: FEModel, edge: str, force: Array) -> Array:
    """Spread a force or moment (6,) over an evenly divided edge as linear or quadratic displacements do."""
    rows = fe.node_index(fe.node_sets[edge])
    share = np.ones(rows.size)
    if fe.blocks[0].kind in QUADRATIC:
        share[1::2] = 2.0
    share[[0, -1]] = 0.5
    load = np.zeros((fe.nnode, 6))
    load[rows] = np.outer(share / share.sum(), force)
    return load


def corner(fe: FEModel, first: str, second: str) -> int:
    """Return the row of the node where two edges meet."""
    return int(fe.node_index(np.intersect1d(fe.node_sets[first], fe.node_sets[second]))[0])


def patch_tests(kind: str, triangles: bool) -> Iterator[Row]:
    """Linear displacements and constant curvatures on the distorted patch; the target is an error of zero."""
    x, y = np.array(
        [[0, 0], [0.24, 0], [0.24, 0.12], [0, 0.12], [0.04, 0.02], [0.18, 0.03], [0.16, 0.08], [0.08, 0.08]]
    ).T
    quads = np.array([[0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7], [4, 5, 6, 7]])
    faces = quads[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3) if triangles else quads
    fe = shell_mesh(np.column_stack([x, y, 0 * x]), faces, 1e-3, Material(1e6, 0.25))
    o = 0 * x
    membrane = 1e-3 * np.column_stack([x + y / 2, y + x / 2, o, o, o, o])
    bending = 1e-3 * np.column_stack([o, o, (x * x + x * y + y * y) / 2, x / 2 + y, -x - y / 2, o])
    plane = np.array([[4 / 3, 4 / 3, 0.4]])
    for name, exact, columns, force in (
        ("membrane", membrane, slice(0, 3), plane),
        ("bending", bending, slice(3, 6), -plane / 12e6),
    ):
        u = static(fe, 0 * exact, [1, 2, 3, 4], given=exact)
        yield Row(
            "A21 patch test", f"{name} displacement error", 0.0, _largest(u - exact, exact), EXACT, f"{kind} 5 quads"
        )
        found = _in_model_axes(fe, u, columns)
        yield Row(
            "A21 patch test", f"{name} stress error", 0.0, _largest(found - force, force), EXACT, f"{kind} 5 quads"
        )


def _largest(error: Array, scale: Array) -> float:
    return float(np.abs(error).max() / np.abs(scale).max())


def _in_model_axes(fe: FEModel, u: Array, columns: slice) -> Array:
    """Return resultants x, y, xy (nel nnode, 3) of a flat model turned to the model axes."""
    block = fe.blocks[0]
    _, batch = next(block.batches(fe.nodes))
    local = block.element.resultants(batch, u[block.connectivity].reshape(len(block), -1))[:, :, columns]
    tensor = local[..., [0, 2, 2, 1]].reshape(*local.shape[:2], 2, 2)
    turn = block.element.axes(batch)[:, None, :2, :2]
    tensor = turn.swapaxes(2, 3) @ tensor @ turn
    return tensor[..., [0, 1, 0], [0, 1, 1]].reshape(-1, 3)


def straight_beam(kind: str, triangles: bool) -> Iterator[Row]:
    for row in _loaded_beam(kind, triangles, "regular", f"{kind} 6x1"):
        published = {"extension": 0.01, "in-plane": 0.02, "out-of-plane": 0.02}.get(row.quantity)  # with the problem
        yield row if published is None else replace(row, tolerance=published, why_not_judged="")
    wall = _twist_of_strip(6.0, 0.2, 0.01, 1e7 / 2.6)
    ours = _tip(_straight_beam("regular", 0.01, kind), 3)
    yield Row("A14 straight beam", "twist of a wall, t=0.01", wall, ours, 0.1, f"{kind} 6x1")


def leaning_beams(kind: str, triangles: bool) -> Iterator[Row]:
    for mesh in ("parallelogram", "trapezoidal"):
        yield from _loaded_beam(kind, triangles, mesh, f"{kind} 6x1 {mesh}")


def _loaded_beam(kind: str, triangles: bool, mesh: str, name: str) -> Iterator[Row]:
    fe = _straight_beam(mesh, 0.1, kind)
    for component, (load, target) in enumerate(
        {"extension": 3.0e-5, "in-plane": 0.1081, "out-of-plane": 0.4321, "twist": 0.03406}.items()
    ):
        tolerance = straight_beam_tolerance(mesh, load, target)
        row = Row("A14 straight beam", load, target, _tip(fe, component), tolerance, name)
        yield row.unjudged(QUADS) if triangles else row


def _straight_beam(mesh: str, thickness: float, kind: str) -> FEModel:
    """Return the beam 6 long and 0.2 deep; the inner sides lean by 45 degrees, all alike or in turn."""

    def place(r: Array, s: Array) -> tuple[Array, ...]:
        number = np.arange(7)
        turn = {"regular": 0.0, "parallelogram": 1.0, "trapezoidal": np.where(number % 2, 1.0, -1.0)}[mesh]
        lean = np.interp(6 * r, number, turn * ((number > 0) & (number < 6)))
        return 6 * r + lean * 0.2 * (s - 0.5), 0.2 * s, 0 * r

    return surface(place, 6, 1, thickness, Material(1e7, 0.3), kind)


def _tip(fe: FEModel, component: int) -> float:
    """Return the mean displacement or rotation of the end r = 1 under a unit load on it; the other end is held."""
    u = static(fe, edge_load(fe, "r1", np.eye(6)[component]), ["r0"])
    return float(u[fe.node_index(fe.node_sets["r1"]), component].mean())


def _twist_of_strip(length: float, width: float, thickness: float, G: float) -> float:
    """Twist under unit torque of a thin rectangle, whose short sides cost 0.63 thicknesses of its width."""
    return length / (G * thickness**3 / 3.0 * (width - 0.63 * thickness))


def twisted_strip(kind: str, triangles: bool) -> Iterator[Row]:
    """Rate of twist far from the ends of a strip of b/t = 2, as exact for plates with shear flexibility."""
    width, thickness = 0.2, 0.1
    reach = np.sqrt(10.0) * width / (2.0 * thickness)
    exact = 1.0 / (1e7 / 2.6 * width * thickness**3 / 3.0 * (1.0 - np.tanh(reach) / reach))
    for (nx, ny), miss in MITC4_STRIP.items():
        fe = surface(lambda r, s: (6 * r, width * s, 0 * r), nx, ny, thickness, Material(1e7, 0.3), kind)
        u = static(fe, edge_load(fe, "r1", np.eye(6)[3]), ["r0"])
        edges = u[fe.node_index(fe.node_sets["s1"]), 2] - u[fe.node_index(fe.node_sets["s0"]), 2]
        third = edges.size // 3
        rate = (edges[2 * third] - edges[third]) / width / 2.0
        row = Row("twist of a strip, b/t=2", "rate", exact, rate, SAME_MESH * abs(miss), f"{kind} {nx}x{ny}")
        yield row.unjudged(QUADS) if triangles else row


def curved_beam(kind: str, triangles: bool) -> Iterator[Row]:
    fe = surface(
        lambda r, s: ((4.12 + 0.2 * s) * np.sin(np.pi / 2 * r), (4.12 + 0.2 * s) * np.cos(np.pi / 2 * r), 0 * r),
        6,
        1,
        0.1,
        Material(1e7, 0.25),
        kind,
    )
    for name, component, target in (("in-plane", 0, 0.08834), ("out-of-plane", 2, 0.5004)):
        tolerance = same_mesh(QUAD4_CURVED[name], target)
        row = Row("A15 curved beam", name, target, _tip(fe, component), tolerance, f"{kind} 6x1")
        yield row.unjudged(QUADS) if triangles else row


def twisted_beam(kind: str, triangles: bool) -> Iterator[Row]:
    for thickness, force, targets in (
        (0.32, 1.0, (0.0054245, 0.0017532)),
        (0.05, 1.0, (1.3888, 0.34353)),
        (0.0032, 1e-6, (0.005256, 0.001294)),
    ):
        fe = surface(
            lambda r, s: (
                12 * r,
                1.1 * (s - 0.5) * np.sin(np.pi / 2 * r),
                1.1 * (s - 0.5) * np.cos(np.pi / 2 * r),
            ),
            12,
            2,
            thickness,
            Material(29e6, 0.22),
            kind,
        )
        # the root's width lies along z, the tip's along y
        tip = fe.node_index(fe.node_sets["r1"])
        tip = tip[tip.size // 2]
        for name, component, target in (("in-plane", 1, targets[0]), ("out-of-plane", 2, targets[1])):
            u = static(fe, edge_load(fe, "r1", force * np.eye(6)[component]), ["r0"])
            problem = f"A16 twisted beam t={thickness:g}"
            # none is published for the thinnest: 3 %, where quadratic solids in a published comparison miss by 4 %
            tolerance = 0.02 if thickness > 0.01 else 0.03
            yield Row(problem, name, target, float(u[tip, component]), tolerance, f"{kind} 12x2")


def rectangular_plates(kind: str, triangles: bool) -> Iterator[Row]:
    """A quarter of the plate with symmetry on two sides."""
    targets = {
        ("simple", "pressure"): (4.06235, 12.9708), ("simple", "point"): (11.599, 16.955),
        ("clamped", "pressure"): (1.26532, 2.6042), ("clamped", "point"): (5.610, 7.237),
    }  # fmt: skip
    n = 8
    for (support, load), values in targets.items():
        for length, target in zip((1.0, 5.0), values, strict=True):
            fe = surface(lambda r, s, b=length: (r, b * s, 0 * r), n, n, 1e-4, Material(1.7472e7, 0.3), kind)
            held = [("r0", "ux ry rz"), ("s0", "uy rx rz")]
            held += ["r1", "s1"] if support == "clamped" else [("r1", "uz rx"), ("s1", "uz ry")]
            centre = corner(fe, "r0", "s0")
            force = np.zeros((fe.nnode, 6))
            if load == "point":
                force[centre, 2] = 1e-4
            else:
                everything = fe.with_element_set("all", fe.blocks[0].element_ids)
                force = load_vector(everything, pressure={"all": -1e-4})
            u = static(fe, force, [*held, ("r1", "ux uy rz"), ("s1", "ux uy rz")])
            row = Row(
                f"A17 {support} plate 1:{length:g}", f"centre, {load}", target, float(u[centre, 2]), 0.02,
                f"{kind} {n}x{n} quarter",
            )  # fmt: skip
            yield row.unjudged(LONG) if kind == "shell6" and (load, length) == ("point", 5.0) else row


def scordelis_lo(kind: str, triangles: bool) -> Iterator[Row]:
    for n in (4, 8):
        angle = np.radians(40.0)
        fe = surface(
            lambda r, s, a=angle: (25 * np.sin(a * r), 25 * s, 25 * np.cos(a * r)),
            n,
            n,
            0.25,
            Material(4.32e8, 0.0, 360.0 / 9.81),
            kind,
        )
        held = [("r0", "ux ry rz"), ("s0", "uy rx rz"), ("s1", "ux uz ry")]
        u = static(fe, load_vector(fe, gravity=(0.0, 0.0, -9.81)), held)
        yield Row(
            "A18 Scordelis-Lo roof", "free edge", 0.3020, -float(u[corner(fe, "r1", "s0"), 2]),
            0.02 if n == 8 else 0.05,
            f"{kind} {n}x{n} quarter",
        )  # fmt: skip


def pinched_cylinder(kind: str, triangles: bool) -> Iterator[Row]:
    n = 16 if kind in QUADRATIC else 32  # as many nodes
    fe = surface(
        lambda r, s: (300 * np.sin(np.pi / 2 * r), 300 * s, 300 * np.cos(np.pi / 2 * r)),
        n,
        n,
        3.0,
        Material(3e6, 0.3),
        kind,
    )
    held = [("r0", "ux ry rz"), ("r1", "uz rx ry"), ("s0", "uy rx rz"), ("s1", "ux uz ry")]
    loaded = corner(fe, "r0", "s0")
    force = np.zeros((fe.nnode, 6))
    force[loaded, 2] = -0.25
    u = static(fe, force, held)
    yield Row("A19 pinched cylinder", "under load", 1.8248e-5, -float(u[loaded, 2]), 0.03, f"{kind} {n}x{n} octant")


def hemisphere(kind: str, triangles: bool) -> Iterator[Row]:
    for n in (4, 8, 16):
        fe = surface(
            lambda r, s: (
                10 * np.cos(np.radians(72) * s) * np.cos(np.pi / 2 * r),
                10 * np.cos(np.radians(72) * s) * np.sin(np.pi / 2 * r),
                10 * np.sin(np.radians(72) * s),
            ),
            n,
            n,
            0.04,
            Material(6.825e7, 0.3),
            kind,
        )
        held = [("r0", "uy rx rz"), ("r1", "ux ry rz")]
        first, second = corner(fe, "r0", "s0"), corner(fe, "r1", "s0")
        force = np.zeros((fe.nnode, 6))
        force[first, 0], force[second, 1] = 1.0, -1.0
        u = static(fe, force, [*held, (int(fe.node_ids[corner(fe, "r0", "s1")]), "uz")])
        # 4 x 4: QUAD4 of MacNeal and Harder misses by 3.5 %
        tolerance = SAME_MESH * 0.035 if n == 4 else 0.03
        mesh = f"{kind} {n}x{n} quarter"
        yield Row("A20 hemisphere with hole", "under load", 0.0930, float(u[first, 0]), tolerance, mesh)


def raasch_hook(kind: str, triangles: bool) -> Iterator[Row]:
    """A strip 20 wide: 60 degrees with radius 14, then 150 degrees the other way with radius 46; shear at the tip."""
    n1, n2, ny = 8, 20, 5

    def place(r: Array, s: Array) -> tuple[Array, ...]:
        k = r * (n1 + n2)
        a = np.radians(60.0) * np.minimum(k / n1, 1.0)
        b = np.radians(150.0) * np.maximum((k - n1) / n2, 0.0)
        end = np.radians(60.0)
        # the first arc turns left from +x, the second right
        x = 14 * np.sin(a) + 46 * (np.sin(end) - np.sin(end - b))
        y = 14 * (1 - np.cos(a)) + 46 * (np.cos(end - b) - np.cos(end))
        return x, y, 20 * s

    fe = surface(place, n1 + n2, ny, 2.0, Material(3300.0, 0.35), kind)
    u = static(fe, edge_load(fe, "r1", RAASCH_LOAD * np.eye(6)[2]), ["r0"])
    tip = fe.node_index(fe.node_sets["r1"])
    yield Row("A22 Raasch hook", "tip", 5.022, float(u[tip, 2].mean()), None, f"{kind} {n1 + n2}x{ny}", RAASCH)


MACNEAL = (
    straight_beam,
    leaning_beams,
    twisted_strip,
    curved_beam,
    twisted_beam,
    rectangular_plates,
    scordelis_lo,
    pinched_cylinder,
    hemisphere,
    raasch_hook,
)
