"""Makers of scenes, one for every kind of object, chosen by type; `scene_maker.register` adds a kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.errors import ModelError
from floatframe.fem import FEModel, MatrixModel
from floatframe.io import NodalModes
from floatframe.modal import Modes, ReducedBody
from floatframe.viewer.drawing.bodies import body_parts, interface_labels, interface_marks
from floatframe.viewer.drawing.body_models import BodyModel, body_model, kept_stress, von_mises
from floatframe.viewer.drawing.fe_models import fe_parts, hung_on
from floatframe.viewer.drawing.relative import relative_values
from floatframe.viewer.scene import Carrier, Harmonic, Part, Scene

if TYPE_CHECKING:
    from floatframe.arrays import Array, IntArray


_THIN = 0.0025  # radius of beams without sections over the size of a body: browsers draw lines a pixel wide


@singledispatch
def scene_maker(thing: Any, **options: Any) -> Scene:
    """Refuse what has no maker."""
    if isinstance(thing, NodalModes):
        raise ModelError("modes alone have no mesh to draw; give their model: scene_of(fe, modes=modes).")
    raise ModelError(f"a {type(thing).__name__} cannot be drawn; give a model, a reduced body or a scene.")


@scene_maker.register(Scene)
def _of_scene(scene: Scene) -> Scene:
    return scene


@scene_maker.register(MatrixModel)
def _of_matrices(model: MatrixModel, **options: Any) -> Scene:
    raise ModelError(f"model '{model.name}' is given by its matrices and has no elements to draw.")


@scene_maker.register(FEModel)
def _of_fe(
    fe: FEModel,
    modes: Modes | NodalModes | None = None,
    displacement: Array | None = None,
    stress: bool = False,
    sections: bool = True,
    thick_shells: bool = False,
    title: str | None = None,
    legend: str = "displacement [m]",
) -> Scene:
    parts = fe_parts(fe, sections, thick_shells)
    title = fe.name if title is None else title
    if stress and modes is None and displacement is None:
        raise ModelError(f"model '{fe.name}': stress needs a displacement or modes to compute it from.")
    if displacement is not None:
        u = _checked(displacement, fe.nnode)
        values = (von_mises(fe, u),) if stress else ()
        still = Harmonic("", (np.ones(1),), legend="von Mises stress [Pa]" if stress else legend, values=values)
        return Scene(parts, (Carrier(fe.name, u[None]),), (still,), title=title)
    if modes is None:
        return Scene(parts, (Carrier(fe.name),), title=title)
    shapes = np.moveaxis(_on_nodes(fe, modes), -1, 0)
    clips = tuple(
        _mode(k, shapes, f"mode {k + 1}: {modes.frequency[k]:.4g} Hz ({modes.kind[k]})", modes.frequency[k])
        for k in range(len(shapes))
    )
    if stress:
        model = BodyModel(fe, np.arange(fe.nnode))
        clips = tuple(_with_stress(model.von_mises, clip, u) for clip, u in zip(clips, shapes, strict=True))
    return Scene(parts, (Carrier(fe.name, shapes),), clips, title=title)


@scene_maker.register(ReducedBody)
def _of_body(
    body: ReducedBody,
    fe: FEModel | None = None,
    thick_shells: bool = False,
    stress: bool = False,
    title: str | None = None,
    values: tuple[IntArray, Array] | None = None,
    legend: str = "",
) -> Scene:
    if values is not None:
        return _coloured(body, fe, values, legend, body.name if title is None else title)
    if stress and fe is None and body.stress is None:
        raise ModelError(
            f"body '{body.name}' has no stresses; give the finite element model it was made from (fe=, on the "
            "command line --model FE)."
        )
    shapes = body.shapes.T.reshape(body.nmode, body.nnode, 6)
    clips = []
    for k in range(body.nmode):
        hertz = "" if np.isnan(body.frequency[k]) else f": {body.frequency[k]:.4g} Hz"
        # an eigenmode is listed twice unless others were left out before it
        kind = body.kind[k] if body.origin[k] == f"mode {k + 1}" else f"{body.kind[k]}, {body.origin[k]}"
        clips.append(_mode(k, shapes, f"mode {k + 1}{hertz} ({kind})", body.frequency[k]))
    name = body.name if title is None else title
    if stress and fe is not None:
        model = body_model(body, fe)
        clips = [_with_stress(model.von_mises, clip, u) for clip, u in zip(clips, shapes, strict=True)]
    elif stress:
        kept, drives = kept_stress(body), np.eye(body.nmode)
        clips = [_with_stress(kept, clip, drive) for clip, drive in zip(clips, drives, strict=True)]
    parts = _parts(body, fe, thick_shells)
    return Scene(parts, (Carrier(body.name, shapes),), tuple(clips), interface_labels(body), name)


def _coloured(body: ReducedBody, fe: FEModel | None, values: tuple[IntArray, Array], legend: str, title: str) -> Scene:
    """Return a body at rest in the colours of values (k,) at nodes of these numbers (k,)."""
    nodes, found = values
    whole = np.full(body.nnode, np.nan)
    whole[body.node_index(nodes)] = found
    if not np.isfinite(whole).any():
        raise ModelError(f"body '{body.name}': none of the values to be drawn is a number.")
    still = Harmonic("", (np.ones(1),), legend=legend, values=(whole,))
    return Scene(_parts(body, fe), (Carrier(body.name, np.zeros((1, body.nnode, 6))),), (still,), title=title)


def _parts(body: ReducedBody, fe: FEModel | None, thick_shells: bool = False) -> tuple[Part, ...]:
    if fe is None:
        return body_parts(body, thick_shells, _THIN * float(np.linalg.norm(np.ptp(body.nodes, axis=0))))
    place = body_model(body, fe).place
    return (*(hung_on(part, place) for part in fe_parts(fe, thick_shells=thick_shells)), *interface_marks(body))


def _mode(k: int, shapes: Array, title: str, frequency: float) -> Harmonic:
    """Return a mode whose largest displacement is one."""
    largest = float(np.sqrt((shapes[k][:, :3] ** 2).sum(axis=1)).max(initial=0.0))
    amplitude = np.zeros(len(shapes))
    amplitude[k] = 1.0 / largest if largest else 1.0
    return Harmonic(title, (amplitude,), float(frequency))


def _with_stress(stress: Callable[[Array], Array], clip: Harmonic, of: Array) -> Harmonic:
    """Return a mode coloured by its stresses, relative as the mode is, computed when they are looked at.

    of: what stresses (nnode,) are computed from, the shape (nnode, 6) of the carrier or drives (nmode,).
    """

    @cache
    def relative() -> Array:
        return relative_values({0: stress(of)})[0]

    return replace(clip, legend="relative von Mises stress [-]", values=(relative,))


def _on_nodes(fe: FEModel, modes: Modes | NodalModes) -> Array:
    """Return displacements (nnode, 6, n) in the order of the model's nodes."""
    if not isinstance(modes, NodalModes):
        return fe.expand(modes.shapes)
    order = np.argsort(modes.node_ids)
    place = np.searchsorted(modes.node_ids[order], fe.node_ids).clip(max=max(len(order) - 1, 0))
    if len(order) != fe.nnode or (modes.node_ids[order][place] != fe.node_ids).any():
        raise ModelError(
            f"the modes have {len(order)} nodes, model '{fe.name}' has {fe.nnode} with other numbers; "
            "give the model they were computed from."
        )
    return modes.displacement[order[place]]


def _checked(displacement: Array, nnode: int) -> Array:
    u = np.asarray(displacement, dtype=float)
    if u.shape not in ((nnode, 3), (nnode, 6)):
        raise ModelError(f"displacement has shape {u.shape}, expected ({nnode}, 6) or ({nnode}, 3).")
    if not np.isfinite(u).all():
        raise ModelError("displacement contains numbers that are not finite.")
    return u
