"""Scenes of hybrid systems: the assembled model, its modes, and runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.errors import ModelError
from floatframe.hybrid import CompiledSystem, Deflection, Linear, Model, ModelFile, Results, State, system_of
from floatframe.viewer.curves import channel_diagrams
from floatframe.viewer.drawing import hybrid_glyphs
from floatframe.viewer.drawing.bodies import body_parts
from floatframe.viewer.drawing.body_models import BodyModel, StressField, models_of_bodies
from floatframe.viewer.drawing.fe_models import fe_parts, hung_on
from floatframe.viewer.drawing.hybrid_motion import Flexible, Motion, flexible_bodies, motion_of
from floatframe.viewer.drawing.hybrid_rails import axle_parts, rail_parts, smallest_wheel, wheel_parts
from floatframe.viewer.drawing.hybrid_rolling import rolling_parts, round_body
from floatframe.viewer.drawing.hybrid_stress import stress_fields, stressed_mode, stressed_run
from floatframe.viewer.drawing.hybrid_traces import traced_path
from floatframe.viewer.drawing.makers import scene_maker
from floatframe.viewer.drawing.rigid_shapes import inertia_box, rigid_parts
from floatframe.viewer.drawing.surfaces import surface_part
from floatframe.viewer.scene import Carrier, Harmonic, History, Label, Part, Scene

if TYPE_CHECKING:
    from pathlib import Path

    from floatframe.arrays import AnyArray, Array, IntArray
    from floatframe.fem import FEModel
    from floatframe.modal import ReducedBody
    from floatframe.viewer.curves import Diagram

MOST_FRAMES = 3000  # of a run; more are thinned out
_COLOURS = ("#7d9cbb", "#d8a866", "#86b094", "#b694b4", "#cc8577", "#95a0aa", "#c2b26a", "#6fa8ad")
_LABELS_UP_TO = 12
_HOLDING = ("spring", "bushing", "bump_stop", "friction")
_WHEELS = 8.0  # radii of the smallest wheel on the track that a vehicle's marks go by, at most
_STEP = 1e-5  # m, rad: how far a mode is followed to see which way everything moves
# towards the eye, by the axis that all hinges of a plane mechanism have in common
_LOOKS = ((1.0, -0.3, 0.35), (0.3, -1.0, 0.35), (0.06, -0.45, 1.0))


@dataclass(frozen=True)
class Look:
    """How bodies are drawn: finite element models of flexible ones by number, and what the colours mean."""

    models: dict[int, BodyModel]
    stress: dict[int, StressField] | None = None  # by body, if they give the colours
    thick_shells: bool = False
    coloured: bool = False  # rigid bodies take the colours of the motion


@dataclass(frozen=True)
class Drawing:
    """The parts of a system, and how their carriers follow from the motion of its bodies."""

    system: CompiledSystem
    flexible: dict[int, Flexible]
    parts: tuple[Part, ...]
    spans: tuple[hybrid_glyphs.Span, ...]
    look: Look

    def history(
        self, motion: Motion, diagrams: tuple[Diagram, ...] = (), drives: Mapping[int, Array] | None = None
    ) -> History:
        """Return a motion as a clip, with the colours that are wanted; drives (m, c) of stresses by body."""
        run = History("", motion.t, self.poses(motion), self.amplitudes(motion.drawn), self.legend, diagrams=diagrams)
        if self.look.stress is None:
            return run
        modal = [(drives or {}).get(k - 1, amplitude) for k, amplitude in enumerate(motion.amplitude)]
        return stressed_run(run, self.amplitudes(modal), self.flexible, self.look.stress)

    @property
    def legend(self) -> str:
        """What the colours of a run are, and from where the deformation is seen."""
        joined = {body.joined for body in self.flexible.values()}
        places = {True: "joints", False: "body frame"}
        seen = " or ".join(place for one, place in places.items() if one in joined)
        return f"deformation from {seen} [m]" if seen else "deformation [m]"

    def motion(self, t: Array, q: Array) -> Motion:
        return motion_of(self.system, t, q, self.flexible)

    def poses(self, motion: Motion) -> Array:
        """Return the poses (m, ncarrier, 3, 4): ground, bodies, springs."""
        own = [span.poses(self.system, motion)[:, None] for span in self.spans]
        return np.concatenate([motion.pose, *own], axis=1)

    def amplitudes(self, of_bodies: Sequence[AnyArray]) -> tuple[AnyArray, ...]:
        """Return amplitudes by carrier from those by body."""
        empty = np.empty((*of_bodies[0].shape[:-1], 0))
        return (*of_bodies, *(empty for _ in self.spans))

    def carriers(self, motion: Motion) -> tuple[Carrier, ...]:
        """Return the carriers as they stand in the first state."""
        names = ["ground", *(body.name for body in self.system.model.bodies), *(span.name for span in self.spans)]
        found = []
        for k, (name, pose) in enumerate(zip(names, self.poses(motion)[0], strict=True)):
            given = {"shapes": self.flexible[k - 1].seen} if k - 1 in self.flexible else {}
            found.append(Carrier(name, pose=pose, **given))
        return tuple(found)


@scene_maker.register(CompiledSystem)
def _of_system(
    system: CompiledSystem,
    state: State | None = None,
    linear: Linear | None = None,
    labels: bool | None = None,
    title: str | None = None,
    fe: FEModel | Sequence[FEModel] | None = None,
    stress: bool = False,
    thick_shells: bool = False,
    deflections: Sequence[Deflection] = (),
) -> Scene:
    """Draw a system in a state (default: the start), with modes or harmonic deflections about that state."""
    state = system.start if state is None else state
    flexible = flexible_bodies(system)
    motion = motion_of(system, np.array([state.t]), state.q[None], flexible)
    swinging = [*([] if linear is None else _modes_of(linear)), *deflections]
    models = _models(system, fe)
    fields = stress_fields(system, models) if stress else None
    look = Look(models, fields, thick_shells, coloured=bool(swinging) and not stress)
    drawing = _drawing(system, flexible, motion, look)
    scene = Scene(
        drawing.parts,
        drawing.carriers(motion),
        labels=_labels(system) if (not swinging if labels is None else labels) else (),
        title=system.model.name if title is None else title,
        look=_look(system),
    )
    if not swinging:
        return _with_still_stress(scene, drawing, motion) if stress else _with_still_shape(scene, drawing, motion)
    return replace(scene, clips=tuple(_swing(scene, drawing, state, one) for one in swinging))


@scene_maker.register(Model)
def _of_model(model: Model, **options: Any) -> Scene:
    return scene_maker(model.compile(), **options)


@scene_maker.register(ModelFile)
def _of_model_file(file: ModelFile, **options: Any) -> Scene:
    return scene_maker(file.model.compile(), **options)


@scene_maker.register(Results)
def _of_run(
    result: Results,
    system: CompiledSystem | None = None,
    model: str | Path | None = None,
    trace: Sequence[str] = (),
    channels: Sequence[str] = (),
    title: str | None = None,
    fe: FEModel | Sequence[FEModel] | None = None,
    stress: bool = False,
    thick_shells: bool = False,
) -> Scene:
    """Draw a run; trace: points whose paths are shown: "rod.node[101]", "crank.com", "crank.at(1, 0, 0)", "slider".

    channels: what is plotted beside it.
    """
    if not len(result):
        raise ModelError("the run has no records yet, so there is nothing to draw.")
    system = system_of(result, model) if system is None else system
    if result.meta.nq < system.nq:
        raise ModelError(
            "the run has no coordinates, so the bodies cannot be drawn; record them: Record(coordinates=True), in a "
            "model file [record] coordinates = true."
        )
    t, q = result.t, result.q
    rows = np.unique(np.linspace(0, len(t) - 1, min(len(t), MOST_FRAMES)).round().astype(np.int64))
    flexible = flexible_bodies(system)
    motion = motion_of(system, t[rows], q[rows], flexible)
    models = _models(system, fe)
    look = Look(models, stress_fields(system, models) if stress else None, thick_shells)
    drawing = _drawing(system, flexible, motion, look)
    paths = tuple(traced_path(system, name, motion) for name in trace)
    diagrams = channel_diagrams(result, channels)
    run = drawing.history(motion, diagrams, _drives(result, system, look, rows) if stress else None)
    name = system.model.name if title is None else title
    return Scene((*drawing.parts, *paths), drawing.carriers(motion), (run,), title=name, look=_look(system))


def _drives(result: Results, system: CompiledSystem, look: Look, rows: IntArray) -> dict[int, Array]:
    """Return the drives of stresses (m, c) of bodies that keep their own, with the static correction."""
    run = Results(result.source, system)
    bodies = enumerate(system.model.bodies)
    own = {k: body.name for k, body in bodies if k in (look.stress or {}) and k not in look.models}
    return {k: run.stress(name).drive[rows] for k, name in own.items()}


def _models(system: CompiledSystem, fe: FEModel | Sequence[FEModel] | None) -> dict[int, BodyModel]:
    """Return the finite element models of the flexible bodies by number, as far as they are given."""
    flexible = {k: (body.name, body.reduced) for k, body in enumerate(system.model.bodies) if body.reduced is not None}
    return models_of_bodies(flexible, fe)


def _body_parts(reduced: ReducedBody, model: BodyModel | None, thick_shells: bool, size: float) -> Iterator[Part]:
    """Yield what is drawn of a flexible body: its finite element model, else the mesh it keeps."""
    if model is not None:
        yield from (hung_on(part, model.place) for part in fe_parts(model.fe, thick_shells=thick_shells))
        return
    drawn = body_parts(reduced, thick_shells, least_rod=0.004 * size)
    yield from (part for part in drawn if part.name != "interface")


def _drawing(system: CompiledSystem, flexible: dict[int, Flexible], motion: Motion, look: Look) -> Drawing:
    size = _size(system, motion)
    down = _down(system)
    colours = _colours(system)
    parts: list[Part] = []
    for number, body in enumerate(system.model.bodies):
        if body.reduced is not None:
            drawn = _body_parts(body.reduced, look.models.get(number), look.thick_shells, size)
            parts += [replace(part, name=body.name, carrier=number + 1) for part in drawn]
            continue
        given = {"carrier": number + 1, "color": "" if look.coloured else colours[number]}
        if body.shape is not None:
            parts.append(surface_part(body.name, body.shape, **given))
            continue
        places = _places_on(system, number)
        rolls = axle_parts(system, number, **given) or round_body(system, number, **given)
        parts += rolls or rigid_parts(body.name, body.mass, body.com, body.inertia, places, size, **given)
    for joint in system.model.joints:
        marks = hybrid_glyphs.joint_parts(system, joint, motion, size)
        parts += [replace(part, thing=joint.name) for part in marks]
    for force in system.model.forces:
        marks = hybrid_glyphs.force_parts(system, force, motion, size, down)
        parts += [replace(part, thing=force.name) for part in marks]
    parts += [*wheel_parts(system), *rail_parts(system, motion), *rolling_parts(system, motion, size)]
    parts += hybrid_glyphs.ground_parts(system, size, down)
    spans = tuple(hybrid_glyphs.spans(system, motion, size))
    first = 1 + len(system.model.bodies)
    parts += [span.part(first + k) for k, span in enumerate(spans)]
    return Drawing(system, flexible, tuple(parts), spans, look)


def _modes_of(linear: Linear) -> list[Deflection]:
    """Return the modes of a linear analysis as what is drawn of them."""
    count = len(linear.frequency)
    return [Deflection(_words(linear, k), linear.shapes[:, k], float(linear.frequency[k])) for k in range(count)]


def _swing(scene: Scene, drawing: Drawing, state: State, one: Deflection) -> Harmonic:
    """Return a motion whose largest displacement is one; how everything moves is found by following it a little."""
    shape, nbody = one.shape, len(drawing.system.model.bodies)
    step = _STEP / max(float(np.abs(shape).max(initial=0.0)), 1e-300)
    change: AnyArray = np.zeros(scene.rest.pose.shape, dtype=complex)
    now = drawing.system.evaluation(state)
    amplitude: list[AnyArray] = [np.zeros(len(a), dtype=complex) for a in scene.rest.amplitude[: 1 + nbody]]
    for part, factor in ((shape.real, 1.0), (shape.imag, 1.0j)):
        if np.any(part):
            q = np.array([now.moved(state.q, sign * step * part) for sign in (1.0, -1.0)])
            motion = drawing.motion(np.full(2, state.t), q)
            ahead, behind = drawing.poses(motion)
            change = change + factor * (ahead - behind) / (2.0 * step)
            for own, drawn in zip(amplitude, motion.drawn, strict=True):
                own += factor * (drawn[0] - drawn[1]) / (2.0 * step)
    clip = Harmonic(one.title, drawing.amplitudes(amplitude), one.frequency, change)
    if largest := scene.largest(clip):
        clip = replace(clip, amplitude=tuple(a / largest for a in clip.amplitude), pose=change / largest)
    if drawing.look.stress is None:
        return clip
    first = {
        n: int(drawing.system.tables.flexible[drawing.system.index.flexible_of[n]]["iv"]) for n in drawing.flexible
    }
    modal = {n: shape[first[n] : first[n] + len(body.shapes)] for n, body in drawing.flexible.items()}
    return stressed_mode(clip, modal, drawing.flexible, drawing.look.stress)


def _words(linear: Linear, k: int) -> str:
    if linear.rigid[k]:
        return f"mode {k + 1}: rigid-body motion"
    words = f"mode {k + 1}: {linear.frequency[k]:.4g} Hz"
    if linear.unstable[k]:
        return f"{words}, unstable"
    if linear.eigenvalues[k].imag == 0:
        return f"mode {k + 1}: dies out in {-1.0 / linear.eigenvalues[k].real:.3g} s without oscillation"
    return f"{words}, damping {100 * linear.damping[k]:.2g} %" if linear.damping[k] > 1e-9 else words


def _with_still_shape(scene: Scene, drawing: Drawing, motion: Motion) -> Scene:
    """Return the scene with bodies bent as they are in the state: their nodes moved, so that nothing needs a clip."""
    bent = scene.state(drawing.history(motion), 0.0)
    fields = [carrier.field(a) for carrier, a in zip(scene.carriers, bent.amplitude, strict=True)]
    parts = tuple(replace(part, points=part.points + part.motion(fields[part.carrier])) for part in scene.parts)
    return replace(scene, parts=parts)


def _with_still_stress(scene: Scene, drawing: Drawing, motion: Motion) -> Scene:
    """Return the scene with one clip, the state itself, coloured by its stresses; refuse a state without any."""
    still = drawing.history(motion)
    if not scene.largest(still):
        raise ModelError(
            f"model '{scene.title}': no flexible body is deformed in this state, so there is no stress to show; choose "
            "another one (--at equilibrium, --at steady) or a mode (--mode 1)."
        )
    return replace(scene, clips=(still,))


def _places_on(system: CompiledSystem, number: int) -> Array:
    """Return the places (k, 3) of joints and of forces that hold, on a body."""
    ends = [end for joint in system.model.joints for end in (joint.a, joint.b)]
    holding = [force for force in system.model.forces if force.kind in _HOLDING]
    ends += [end for force in holding for end in (force.a, force.b) if end is not None]
    return np.array([end.point for end in ends if end.body == number]).reshape(-1, 3)


def _size(system: CompiledSystem, motion: Motion) -> float:
    """Return the size that marks go by: of the box around bodies and places in the first state [m], or of wheels."""
    points = []
    for number, body in enumerate(system.model.bodies):
        sides, axes = inertia_box(body.mass, body.inertia)
        half = 0.5 * (axes * sides).T
        own = [_places_on(system, number), body.com - half, body.com + half]
        if body.reduced is not None:
            own.append(body.reduced.nodes)
        if body.shape is not None:
            own = [_places_on(system, number), body.shape.points]
        pose = motion.frame[0, number + 1]
        points.append(np.concatenate(own) @ pose[:, :3].T + pose[:, 3])
    ends = [end for joint in system.model.joints for end in (joint.a, joint.b)]
    ends += [end for force in system.model.forces for end in (force.a, force.b) if end is not None]
    points += [np.atleast_2d(end.point) for end in ends if end.body < 0]
    size = float(np.linalg.norm(np.ptp(np.concatenate(points), axis=0))) if points else 0.0
    # marks on a long vehicle must not hide its wheels
    return min(size or 1.0, _WHEELS * smallest_wheel(system))


def _hinges(system: CompiledSystem) -> Array:
    """Return the axes (k, 3) of hinges in the world at the start."""
    found = [
        system.index.pose(joint.b.body).R @ hybrid_glyphs.axes_of(joint.b) @ joint.axis
        for joint in system.model.joints
        if joint.kind == "revolute"
    ]
    return np.array(found).reshape(-1, 3)


def _down(system: CompiledSystem) -> Array:
    """Return where feet stand: along gravity; without it across the hinges."""
    gravity = np.asarray(system.model.gravity, dtype=float)
    if np.any(gravity):
        return gravity / np.linalg.norm(gravity)
    hinges = np.abs(_hinges(system)).sum(axis=0)
    # z first, then y: what is across most hinges
    order = sorted((2, 1, 0), key=lambda k: round(float(hinges[k]), 6))
    return -np.eye(3)[order[0]]


def _look(system: CompiledSystem) -> tuple[float, float, float] | None:
    """Return from where a plane mechanism is seen best, None for others."""
    hinges = _hinges(system)
    if not len(hinges):
        return None
    main = int(np.abs(hinges).sum(axis=0).argmax())
    return _LOOKS[main] if (np.abs(hinges[:, main]) > 0.99).all() else None


def _colours(system: CompiledSystem) -> list[str]:
    """Return a colour for every body, the same for the same body of several instances of a part."""
    names = [body.name.rpartition(".")[2] for body in system.model.bodies]
    known = list(dict.fromkeys(names))
    return [_COLOURS[known.index(name) % len(_COLOURS)] for name in names]


def _labels(system: CompiledSystem) -> tuple[Label, ...]:
    bodies = system.model.bodies
    if len(bodies) > _LABELS_UP_TO:
        return ()
    return tuple(Label(body.name, tuple(body.com), carrier=k) for k, body in enumerate(bodies, start=1))
