"""Rigid and flexible bodies as users describe them. Numbers may be expressions of parameters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from floatframe.errors import Where
from floatframe.expressions import Scalar, Values, Vector, kept, optional
from floatframe.hybrid.description.damping import Damping, kept_damping
from floatframe.hybrid.description.on_track import OnTrack
from floatframe.hybrid.description.places import Place, checked_name
from floatframe.hybrid.description.rotations import Rotation, kept_rotation
from floatframe.io import LENGTHS
from floatframe.modal import ReducedBody

Stiffening = Literal["auto", "off", "interface", "full"]
Frame: TypeAlias = str | Sequence[Any]
# number of nodes that may follow the name of a frame: ("chord", 1, 201), ("node", 1)
FRAMES = {"mean": 0, "chord": 2, "node": 1}
BODY_LIMITS = ("load_limit", "deflection_limit", "rotation_limit")


@dataclass(frozen=True, eq=False)
class RigidBody:
    """A rigid body: mass [kg], centre of mass [m] and inertia about it [kg m2], in body axes.

    Inertia: three principal values; six entries xx yy zz xy xz yz of the tensor; or the tensor (3, 3). Entries off the
    diagonal are those of the tensor, for example xy = -Σ m x y. Without inertia the body is a point mass.
    The start pose and speed are those of the body frame; what is left out follows from the joints. `on_track` gives
    all of them at once for a body that runs on the track of the model.

    shape: a file with its surface in body axes (.stl, .obj, .ply, .glb, .gltf, .step), which is drawn. With a density
    [kg/m3] mass, centre and inertia are those of the solid; with a mass and nothing else, those of a homogeneous solid
    of this mass; with inertia or com given the shape is only drawn. scale: the unit of the file, "mm" or metres.
    """

    name: str
    mass: Scalar | None = None
    inertia: Values | None = None
    com: Vector | None = None
    position: Vector | None = None  # (3,) of the origin in the world [m]
    rotation: Rotation | None = None  # body axes in the world
    velocity: Vector | None = None  # (3,) of the origin, world axes [m/s]
    angular_velocity: Vector | None = None  # (3,) body axes [rad/s]
    on_track: OnTrack | None = None
    shape: str | Path | None = None
    density: Scalar | None = None
    scale: Scalar | None = None

    def __post_init__(self) -> None:
        _keep_start(self)
        _keep(self, mass=optional(self.mass, self.where.key("mass"), ()))
        _keep(self, inertia=optional(self.inertia, self.where.key("inertia"), (3,), (6,), (3, 3)))
        _keep(self, com=optional(self.com, self.where.key("com"), (3,)))
        _keep(self, density=optional(self.density, self.where.key("density"), ()))
        if not (isinstance(self.scale, str) and self.scale in LENGTHS):
            _keep(self, scale=optional(self.scale, self.where.key("scale"), ()))
        self._require_mass()

    def _require_mass(self) -> None:
        """Refuse a body whose mass is not said, or said twice."""
        if not isinstance(self.shape, str | Path | None):
            raise self.where.at("shape").error(f"found {type(self.shape).__name__}, expected the path of a file")
        if self.shape is None:
            for field in ("density", "scale"):
                if getattr(self, field) is not None:
                    raise self.where.at(field).error(
                        f"found {field} without a shape; give shape, a file such as part.stl"
                    )
            if self.mass is None:
                raise self.where.at("mass").error("'mass' is missing, expected mass [kg], or a shape with a density")
        elif self.density is None and self.mass is None:
            raise self.where.at("mass").error("'mass' is missing, expected mass [kg], or the density of the shape")
        if self.density is not None:
            for field in ("mass", "inertia", "com"):
                if getattr(self, field) is not None:
                    raise self.where.at(field).error(f"found {field} and density, expected one of them")

    @property
    def solid(self) -> bool:
        """Whether centre and inertia are those of its shape."""
        return self.shape is not None and self.inertia is None and self.com is None

    def __str__(self) -> str:
        return str(self.where)

    @property
    def where(self) -> Where:
        """What errors about it name."""
        return Where.of("body", self.name)

    def at(self, point: Vector = (0.0, 0.0, 0.0), rotation: Rotation | None = None) -> Place:
        """Return the place at a point (3,) in body axes [m], with axes of its own if a rotation is given."""
        return Place(self.name, point, rotation=rotation)

    def node(self, number: int | str, rotation: Rotation | None = None) -> Place:
        """Refuse: a rigid body has no nodes."""
        raise self.where.error(f"is rigid and has no node {number}; name a place on it with .at((x, y, z))", after=" ")


@dataclass(frozen=True, eq=False)
class FlexibleBody:
    """A flexible body: a reduced body, or the file of one, in a floating frame.

    modes   None: all; n: the n lowest eigenmodes, with those that share the frequency of the last; numbers (from 1):
            these eigenmodes. Static shapes always stay.
    damping None, one ratio of critical damping, one per mode, or a `Table` of ratios over frequency [Hz], all of the
            modes of the free body; `ModalDamping`, also of the body as its joints hold it; or `Rayleigh`.
            Damper elements of the finite element model come on top.
    frame   "mean" axes; "chord" or ("chord", 1, 201): through two interface nodes; "node" or ("node", 1): clamped to
            one.

    A run without stiffening warns when the body passes a limit: load_limit, part of its buckling load;
    deflection_limit, displacement of an interface node over the body's size; rotation_limit of such a node [rad].
    """

    name: str
    body: ReducedBody | str | Path
    damping: Damping = None
    modes: int | Iterable[int] | None = None
    frame: Frame = "mean"
    position: Vector | None = None
    rotation: Rotation | None = None
    velocity: Vector | None = None
    angular_velocity: Vector | None = None
    coriolis: bool = True
    stiffening: Stiffening = "auto"
    load_limit: Scalar = 0.05
    deflection_limit: Scalar = 0.1
    rotation_limit: Scalar = 0.1
    on_track: OnTrack | None = None

    def __post_init__(self) -> None:
        _keep_start(self)
        if not isinstance(self.body, ReducedBody | str | Path):
            raise self.where.at("body").error(
                f"found {type(self.body).__name__}, expected a ReducedBody or the path of a file"
            )
        _keep(self, damping=kept_damping(self.damping, self.where.key("damping")))
        if isinstance(self.modes, bool) or not isinstance(self.modes, int | Iterable | None):
            raise self.where.at("modes").error(
                f"found modes {self.modes!r}, expected how many, or a list of their numbers"
            )
        if isinstance(self.modes, Iterable):
            _keep(self, modes=tuple(self.modes))
        _keep(self, frame=self._checked_frame())
        if self.stiffening not in get_args(Stiffening):
            raise self.where.at("stiffening").error(
                f"found stiffening {self.stiffening!r}, expected one of {', '.join(get_args(Stiffening))}"
            )
        for limit in BODY_LIMITS:
            _keep(self, **{limit: kept(getattr(self, limit), self.where.key(limit), ())})

    def __str__(self) -> str:
        return str(self.where)

    @property
    def where(self) -> Where:
        """What errors about it name."""
        return Where.of("body", self.name)

    def at(self, point: Vector = (0.0, 0.0, 0.0), rotation: Rotation | None = None) -> Place:
        """Refuse: a flexible body has places at its nodes."""
        raise self.where.error(
            "is flexible: name a node of it with .node(number), for joints an interface node", after=" "
        )

    def node(self, number: int | str, rotation: Rotation | None = None) -> Place:
        """Return the place at a node, by number or name, with axes of its own if a rotation is given.

        Names are those of the reduced body (`node_names`); the rotation is in body axes, undeformed.
        """
        return Place(self.name, node=number if isinstance(number, str) else int(number), rotation=rotation)

    def _checked_frame(self) -> tuple[Any, ...]:
        frame = (self.frame,) if isinstance(self.frame, str) else tuple(self.frame)
        if not frame or frame[0] not in FRAMES:
            raise self.where.at("frame").error(f"found frame {self.frame!r}, expected one of {', '.join(FRAMES)}")
        if len(frame) - 1 not in (0, FRAMES[frame[0]]):
            raise self.where.at("frame").error(
                f"frame '{frame[0]}' takes {FRAMES[frame[0]]} node numbers or none, found {len(frame) - 1}"
            )
        return frame


Body: TypeAlias = RigidBody | FlexibleBody


def _keep_start(body: Body) -> None:
    """Check name, start pose and start speed."""
    checked_name(body.name, "body")
    for field in ("position", "velocity", "angular_velocity"):
        _keep(body, **{field: optional(getattr(body, field), body.where.key(field), (3,))})
    _keep(body, rotation=kept_rotation(body.rotation, body.where.key("rotation")))
    if body.on_track is None:
        return
    for field in ("position", "rotation", "velocity", "angular_velocity"):
        if getattr(body, field) is not None:
            raise body.where.at(field).error(f"found {field} and on_track, expected one of them")
    _keep(body, on_track=body.on_track.checked(body.where.at("on_track")))


def _keep(body: Body, **values: Any) -> None:
    for field, value in values.items():
        object.__setattr__(body, field, value)
