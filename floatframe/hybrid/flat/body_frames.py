"""Floating frames of flexible bodies: mean axes, the chord between two nodes, or a frame clamped to one node.

A frame that follows the body in another way sees every shape i without the rigid motion a_i + b_i × ρ that the frame
itself makes: h' = h - a - b × ρ, φ' = φ - b. Modal coordinates, stiffness and damping stay as they are. The constants
of the new shapes follow from those of the old ones and of the six rigid shapes, which the constants contain.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from floatframe.arrays import Array, skew
from floatframe.errors import ModelError, ReadError, Where
from floatframe.hybrid.description import FlexibleBody
from floatframe.hybrid.flat.checks import node_number
from floatframe.hybrid.flat.held_bodies import held_at_several_nodes, with_supports_as_interface
from floatframe.hybrid.flat.turned_terms import WEIGHTLESS, mass_moments, rigid_mass, turned_terms
from floatframe.modal import ReducedBody

_LUMPING = 0.01  # share of the kinetic energy of a shape that rigid motion may have because masses were lumped
_ALL_RIGID = 0.999


@dataclass
class PreparedBodies:
    """Bodies as the compiler wants them; one that is used several times is prepared once."""

    files: dict[str, ReducedBody] = field(default_factory=dict)
    done: dict[tuple[Any, ...], tuple[ReducedBody, Array]] = field(default_factory=dict)
    kept: list[ReducedBody] = field(default_factory=list)  # keeps the identities in `done` alive

    def body(self, flexible: FlexibleBody, where: Where) -> tuple[ReducedBody, Array]:
        """Return the body without rigid shapes in its frame, and the damping (n, n) of its own damper elements."""
        source = self._source(flexible, where)
        frame = tuple(flexible.frame)
        stiff = flexible.stiffening != "off"
        key = (id(source), flexible.modes, frame, stiff)
        if key not in self.done:
            self.kept.append(source)
            reduced = with_supports_as_interface(selected(source, flexible.modes, where).orthonormalised())
            if stiff and reduced.geometric is not None and _knows_one_frame(reduced):
                _require_own_frame(frame, where)
            else:
                reduced = framed(in_mean_axes(reduced, where), frame, where)
            self.done[key] = reduced, reduced.damping
        return self.done[key]

    def _source(self, flexible: FlexibleBody, where: Where) -> ReducedBody:
        if isinstance(flexible.body, ReducedBody):
            return flexible.body
        name = str(flexible.body)
        if name not in self.files:
            from floatframe.io import in_words, read

            try:
                found = read(Path(name))
            except ReadError as error:
                raise ReadError(str(error), subject=where.subject, field="body") from error
            if not isinstance(found, ReducedBody):
                raise where.at("body").error(
                    f"{name} holds {in_words(found)}, expected a reduced body; make one of a finite element model: "
                    "floatframe reduce MODEL --interface … -n 20 -o input.fum"
                )
            self.files[name] = found
        return self.files[name]


def selected(body: ReducedBody, modes: Any, where: Where) -> ReducedBody:
    """Return the body with some eigenmodes: all (None), the lowest ones (a number) or these (numbers from 1).

    The lowest ones come with those that share the frequency of the last, so that no pair is cut.
    """
    if modes is None:
        return body
    if isinstance(modes, int) and not 0 <= modes <= body.n_eigen:
        raise where.at("modes").error(f"found modes = {modes}, the body has {body.n_eigen} eigenmodes")
    try:
        return body.lowest(modes) if isinstance(modes, int) else body.keep(modes)
    except ModelError as error:
        raise where.at("modes").error(str(error)) from None


def in_mean_axes(body: ReducedBody, where: Where) -> ReducedBody:
    """Return an orthonormalised body whose shapes carry no momentum.

    Where rigid motions were orthogonalised away, only the lumping of the mass leaves some, and it is set to zero. The
    shapes of a body that was held are brought into mean axes; its geometric terms stay where one node held it.
    """
    motion, share = _rigid_part(body)
    if share.max(initial=0.0) > _ALL_RIGID:
        k = int(np.argmax(share))
        raise where.at("body").error(
            f"mode {k + 1} at {body.frequency[k]:.4g} Hz is a rigid motion, so springs tie the finite element "
            "model to the ground; take them out of it and put them into the hybrid model"
        )
    if share.max(initial=0.0) > _LUMPING:
        moved = without_rigid_motion(body, motion[:3], motion[3:])
        if body.geometric is not None and not held_at_several_nodes(body):
            moved = replace(moved, geometric=turned_terms(body, moved, motion[:3], motion[3:]))
        body = moved.orthonormalised()
    none = np.zeros((3, body.nmode))
    return replace(body, constants=replace(body.inertia, H=none, rhoH=none))


def _rigid_part(body: ReducedBody) -> tuple[Array, Array]:
    """Return the rigid motion (6, n) that carries the momentum of each shape, and its share of the kinetic energy."""
    momentum = np.vstack([body.inertia.H, body.inertia.rhoH])
    motion = np.linalg.pinv(rigid_mass(body.inertia), rcond=WEIGHTLESS, hermitian=True) @ momentum
    return motion, np.einsum("ki,ki->i", momentum, motion) / np.diag(body.mass)


def _knows_one_frame(body: ReducedBody) -> bool:
    """Whether terms and shapes belong to the frame of supports; those that keep a body in its plane do not."""
    return held_at_several_nodes(body) and float(_rigid_part(body)[1].max(initial=0.0)) > _LUMPING


def framed(body: ReducedBody, frame: tuple[Any, ...], where: Where) -> ReducedBody:
    """Return an orthonormalised body in another frame: ("mean",), ("chord"[, node, node]) or ("node"[, node])."""
    kind, *nodes = frame
    if kind == "mean":
        return body
    count = 2 if kind == "chord" else 1
    nodes = [node_number(body, node, where.key("frame"), body.name) for node in nodes]
    nodes = nodes or body.interface_nodes[:count].tolist()
    if len(nodes) < count:
        raise where.at("frame").error(
            f"frame '{kind}' needs {count} interface nodes, the body has {len(body.interface_nodes)}; "
            "name nodes, or use the frame 'mean'"
        )
    rows = body.node_index(nodes)
    a, b = _chord_motion(body, rows, where) if kind == "chord" else _node_motion(body, rows[0])
    moved = without_rigid_motion(body, a, b)
    return moved if body.geometric is None else replace(moved, geometric=turned_terms(body, moved, a, b))


def doubtful_frame(body: ReducedBody, frame: tuple[Any, ...], where: Where) -> list[str]:
    """Return what to warn of about a frame."""
    kind, *nodes = frame
    if kind != "node":
        return []
    node = node_number(body, nodes[0], where.key("frame"), body.name) if nodes else body.interface_nodes[0]
    return [
        f"{where}: its frame is clamped to node {node}. All deformation is then seen from that end, and a "
        "slender loaded body comes out wrong, because large displacements leave the linear shapes; use the frame "
        "'mean' or 'chord'"
    ]


def _require_own_frame(frame: tuple[Any, ...], where: Where) -> None:
    """Refuse another frame for a body that stiffens and is held at several nodes."""
    if frame[0] != "mean":
        raise where.at("frame").error(
            f"its finite element model is held at several nodes, and its stiffening is known in the frame of "
            f"these supports alone, not in the frame '{frame[0]}'; leave the frame out, or set stiffening to 'off'"
        )


def _node_motion(body: ReducedBody, row: int) -> tuple[Array, Array]:
    """Return the rigid motion a, b (3, n) of every shape that a frame clamped to a node follows."""
    rows = body.shapes[6 * row : 6 * row + 6]
    b = rows[3:]
    return rows[:3] - np.cross(b, body.nodes[row][:, None], axis=0), b


def _chord_motion(body: ReducedBody, rows: Array, where: Where) -> tuple[Array, Array]:
    """Return the same for a frame through two nodes, which rolls about its axis with the first."""
    first, second = body.nodes[rows]
    length = float(np.linalg.norm(second - first))
    if not length > 0:
        raise where.at("frame").error("the two nodes of its chord are at the same place; name two others")
    e = (second - first) / length
    u1, u2 = (body.shapes[6 * row : 6 * row + 3] for row in rows)
    turn = body.shapes[6 * rows[0] + 3 : 6 * rows[0] + 6]
    b = np.cross(e[:, None], u2 - u1, axis=0) / length + np.outer(e, e @ turn)
    return u1 - np.cross(b, first[:, None], axis=0), b


def without_rigid_motion(body: ReducedBody, a: Array, b: Array) -> ReducedBody:
    """Return the body with the rigid motion a_i + b_i × ρ (both (3, n)) taken out of every shape i.

    Geometric terms are left out; see `turned_terms`.
    """
    shapes = np.array(body.shapes).reshape(body.nnode, 6, body.nmode)
    shapes[:, :3] -= a - skew(body.nodes) @ b
    shapes[:, 3:] -= b
    T = np.vstack([np.eye(body.nmode), -a, -b])
    constants = _with_rigid_shapes(body.inertia).transformed(T)
    mass = body.mass + constants.HH - body.inertia.HH
    return replace(
        body,
        shapes=np.asfortranarray(shapes.reshape(6 * body.nnode, body.nmode)),
        mass=(mass + mass.T) / 2.0,
        constants=constants,
        orthonormal=False,
        geometric=None,
        stress=None if body.stress is None else body.stress.without_rigid_motion(np.vstack([a, b])),
    )


def _with_rigid_shapes(J: Any) -> Any:
    """Return the constants of the n shapes followed by six rigid ones: translations e_p, rotations e_p × ρ.

    All come from second moments Σ m a bᵀ of two fields. That of positions is read from the inertia tensor, so that
    rotary inertia turns with the body; the sums over nodes leave it in its place.
    """
    n = J.H.shape[1]
    unit, turn = np.eye(3), skew(np.eye(3))
    H = np.hstack([J.H, J.m * unit, -skew(J.rho)])
    rhoH = np.hstack([J.rhoH, skew(J.rho), J.rhorho])
    coupling = np.vstack([J.H, J.rhoH])
    HH = np.block([[J.HH, coupling.T], [coupling, rigid_mass(J)]])
    positions = np.trace(J.rhorho) / 2.0 * unit - J.rhorho  # Σ m ρ ρᵀ
    with_position = J.rhoh - np.trace(J.rhoh, axis1=1, axis2=2)[:, None, None] / 2.0 * unit  # Σ m h_i ρᵀ
    fields = [(J.H, with_position), (J.m * unit, unit[:, :, None] * J.rho), (-skew(J.rho), turn @ positions)]
    # moments[i, j] = Σ m h_i h_jᵀ
    moments = np.zeros((n + 6, n + 6, 3, 3))
    moments[:n, :n] = mass_moments(J.hh)
    for (first, second), (total, position) in zip(((0, n), (n, n + 3), (n + 3, n + 6)), fields, strict=True):
        rows = slice(first, second)
        moments[rows, n : n + 3] = total.T[:, None, :, None] * unit[None, :, None, :]
        moments[rows, n + 3 :] = position[:, None] @ turn.swapaxes(1, 2)[None]
    moments[n:, :n] = moments[:n, n:].transpose(1, 0, 3, 2)
    moments[n + 3 :, n : n + 3] = moments[n : n + 3, n + 3 :].transpose(1, 0, 3, 2)
    hH = np.stack([moments[..., p, q] - moments[..., q, p] for p, q in ((1, 2), (2, 0), (0, 1))], axis=1)
    hH[:n, :, :n] = J.hH
    trace = np.trace(moments, axis1=2, axis2=3)[..., None, None]
    hh = moments.swapaxes(2, 3) - trace * unit
    rhoh = np.concatenate([J.rhoh, skew(J.rho) @ turn, turn @ positions])
    return replace(J, H=H, rhoH=rhoH, hH=hH, HH=HH, rhoh=rhoh, hh=hh)
