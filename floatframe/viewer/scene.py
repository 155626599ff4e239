"""What to draw and how it moves; the one thing every renderer understands. NumPy only.

A scene has carriers, things that move: a finite element model, a reduced body, a rigid body, the ground. Each has a
pose and shapes, motions of its nodes per unit of an amplitude. Parts are drawn geometry: every point hangs on a
carrier, and on one of its nodes by a rigid arm if it deforms. Clips are motions to choose from: a mode or a run.

A drawn point x (axes of its carrier) stands in space at

    pose · (x + Σ amplitude_k · motion_k(x)),    motion_k = u_k + r_k × arm,

u_k, r_k being displacement and rotation of its node in shape k; pose (3, 4) is a linear map and a place, so a spring
between two bodies is a coil of length one whose pose stretches it from end to end (see `glyphs.stretched`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from floatframe.arrays import Array, IntArray
    from floatframe.viewer.curves import Diagram

AUTO_AMPLITUDE = 0.08  # largest drawn displacement in units of the scene's size
Values = Any  # (nnode,), a function that returns them (of a run: from modal coordinates), or None

_MESH_UP_TO = 4000  # polygons of a scene that is drawn with all edges of its elements
_MARGIN = 0.5  # of a vibration drawn as large as by default: what the margin of a picture has room for
_SAMPLES = 24  # moments of a run looked at for its extent, and at least for its largest deformation or stress
_COLOURED = 1_000_000  # points at all moments looked at for the largest


def _pairs() -> IntArray:
    return np.empty((0, 2), dtype=np.int64)


def _identity() -> Array:
    return np.eye(3, 4)


@dataclass(frozen=True)
class Part:
    """Drawn geometry on one carrier.

    points (n, 3) in the carrier's axes [m]; faces: arrays (k, corners) of convex polygons, and lines (k, 2), all rows
    of `points`; edges (k, 2): contours of the faces; mesh (k, 2): all sides of elements, shown in small scenes.
    anchor (n,): the carrier's node each point hangs on, None if the part is rigid; arm (n, 3) from that node [m], None
    for no arm. With far (n,) and share (n,) a point follows (1 - share) × anchor + share × far, for what spans two
    nodes; far -1 is held. color "#rrggbb"; "" takes the colours of the motion. thing: the name of the joint or force
    that it stands for, for those who click on it.
    """

    name: str
    points: Array
    faces: tuple[IntArray, ...] = ()
    lines: IntArray = field(default_factory=_pairs)
    edges: IntArray = field(default_factory=_pairs)
    mesh: IntArray = field(default_factory=_pairs)
    carrier: int = 0
    anchor: IntArray | None = None
    arm: Array | None = None
    far: IntArray | None = None
    share: Array | None = None
    color: str = ""
    opacity: float = 1.0
    closed: bool = False  # faces turn outwards and leave no gap: what faces away need not be drawn
    thing: str = ""

    def __repr__(self) -> str:
        return (
            f"Part({self.name!r}: {len(self.points)} points, {sum(map(len, self.faces))} faces, carrier {self.carrier})"
        )

    def __post_init__(self) -> None:
        n = len(self.points)
        for name, width in (("points", 3), ("arm", 3), ("anchor", None), ("far", None), ("share", None)):
            found = getattr(self, name)
            if found is not None and found.shape != ((n,) if width is None else (n, width)):
                raise ValueError(f"part '{self.name}': {name} has shape {found.shape} for {n} points.")
        top = max((int(rows.max(initial=-1)) for rows in (*self.faces, self.lines, self.edges, self.mesh)), default=-1)
        if top >= n:
            raise ValueError(f"part '{self.name}': a face or line names point {top}, there are {n}.")
        if (self.far is None) != (self.share is None) or (self.anchor is None and self.far is not None):
            raise ValueError(f"part '{self.name}': far and share must be given together, with an anchor.")

    def motion(self, u: Array) -> Array:
        """Return how far the points move (n, 3), carrier axes, when its nodes move by u (nnode, 3 or 6)."""
        if self.anchor is None or not len(u):
            return np.zeros(self.points.shape, dtype=u.dtype)
        moved = u[self.anchor, :3]
        if self.arm is not None and u.shape[1] == 6:
            moved = moved + crossed(u[self.anchor, 3:], self.arm)
        if self.far is not None and self.share is not None:
            moved = moved + self.share[:, None] * (np.where(self.far[:, None] < 0, 0.0, u[self.far, :3]) - moved)
        return moved

    def spread(self, values: Array) -> Array:
        """Return numbers at the points (n,) from numbers at the carrier's nodes (nnode,)."""
        return np.full(len(self.points), np.nan) if self.anchor is None else values[self.anchor]


@dataclass(frozen=True)
class Carrier:
    """Something that moves: its pose (3, 4) at rest, and shapes (nshape, nnode, 3 or 6), own axes [m, rad]."""

    name: str = ""
    shapes: Array = field(default_factory=lambda: np.empty((0, 0, 6)))
    pose: Array = field(default_factory=_identity)

    def __repr__(self) -> str:
        return f"Carrier(shapes={self.shapes.shape})"

    def field(self, amplitude: Array) -> Array:
        """Return the motion of the nodes (nnode, 6) for amplitudes (nshape,), real or complex."""
        used = np.flatnonzero(amplitude)
        if used.size == 1:
            return amplitude[used[0]] * self.shapes[used[0]]
        return np.tensordot(amplitude[used], self.shapes[used], axes=1)


@dataclass(frozen=True)
class Label:
    """Words at a point of a carrier (its axes), following one of its nodes if there is an anchor."""

    text: str
    point: tuple[float, float, float]
    carrier: int = 0
    anchor: int | None = None


class Peak(NamedTuple):
    """The largest number that colours a scene: of which part, and which of its points."""

    value: float
    part: int
    point: int


class State(NamedTuple):
    """One moment: poses (ncarrier, 3, 4), and for each carrier the amplitudes (nshape,) of its shapes.

    modal: what the values of a run follow from, see `History`.
    """

    pose: Array
    amplitude: tuple[Array, ...]
    modal: tuple[Array, ...] = ()


@dataclass(frozen=True)
class Harmonic:
    """A vibration: amplitudes (nshape,) for each carrier, pose (ncarrier, 3, 4) the change of the poses, None for none.

    Both may be complex: drawn is the real part of amplitude · exp(2πi · moment). For a turn θ and a shift p of a rigid
    body at R its change of pose is [S(θ) R | p]. values: numbers (nnode,) for each carrier, such as stresses, for the
    colours instead of the length of the motion, or a function that computes them when they are looked at; None for a
    carrier that has none.
    """

    title: str
    amplitude: tuple[Array, ...]
    frequency: float = np.nan  # [Hz]
    pose: Array | None = None
    legend: str = "relative displacement [-]"
    values: tuple[Values, ...] = ()

    periodic = True

    def __repr__(self) -> str:
        return f"Harmonic({self.title!r})"

    @property
    def unit(self) -> str:
        """The unit of the numbers that give the colours, "" of relative ones."""
        return unit_in(self.legend)

    def moments(self, n: int) -> Array:
        """Return n moments (n,) of one period, without its end, which is its start."""
        return np.arange(n) / n

    def caption(self, moment: float) -> str:
        """Return nothing: a vibration looks the same in every period."""
        return ""

    def at(self, rest: Array, moment: float, scale: float) -> State:
        """Return poses and amplitudes at a moment (in periods), everything `scale` times as large."""
        turn = scale * np.exp(2j * np.pi * moment)
        pose = rest if self.pose is None else rest + np.real(turn * self.pose)
        return State(pose, tuple(np.real(turn * amplitude) for amplitude in self.amplitude))


@dataclass(frozen=True)
class History:
    """A recorded motion: t (nframe,) [s], pose (nframe, ncarrier, 3, 4), amplitudes (nframe, nshape) by carrier.

    values: by carrier a function from its modal coordinates (nshape,) to the numbers (nnode,) that colour it, or None;
    modal (nframe, nshape) by carrier: these coordinates, the amplitudes if left out; diagrams: what was measured
    meanwhile, drawn beside it.
    """

    title: str
    t: Array
    pose: Array
    amplitude: tuple[Array, ...]
    legend: str = "deformation [m]"
    values: tuple[Values, ...] = ()
    modal: tuple[Array, ...] = ()
    diagrams: tuple[Diagram, ...] = ()

    frequency = np.nan
    periodic = False

    def __repr__(self) -> str:
        return f"History({self.title!r}: {len(self.t)} frames)"

    @property
    def unit(self) -> str:
        """The unit of the numbers that give the colours, "" of relative ones."""
        return unit_in(self.legend)

    def moments(self, n: int) -> Array:
        """Return n moments (n,) from start to end, both included."""
        return np.linspace(0.0, 1.0, n)

    def caption(self, moment: float) -> str:
        """Return the time of a moment in words."""
        return f"t = {self.t[self.frame(moment)]:.3f} s"

    def frame(self, moment: float) -> int:
        """Return the recorded frame next to a moment (0 to 1) of the time it lasted."""
        wanted = self.t[0] + moment * (self.t[-1] - self.t[0])
        return int(np.abs(self.t - wanted).argmin())

    def at(self, rest: Array, moment: float, scale: float) -> State:
        """Return poses and amplitudes next to a moment (0 to 1), deformations `scale` times as large."""
        k = self.frame(moment)
        modal = tuple(w[k] for w in self.modal or self.amplitude)
        return State(self.pose[k], tuple(scale * amplitude[k] for amplitude in self.amplitude), modal)


Clip = Harmonic | History


@dataclass(frozen=True)
class Scene:
    """Parts on carriers, and the motions to choose from."""

    parts: tuple[Part, ...]
    carriers: tuple[Carrier, ...] = (Carrier(),)
    clips: tuple[Clip, ...] = ()
    labels: tuple[Label, ...] = ()
    title: str = ""
    look: tuple[float, float, float] | None = None  # towards the eye; None: across the longest side
    share: float = 1.0  # of the coloured points, below whose largest number the colours end

    def __repr__(self) -> str:
        return f"Scene({self.title!r}: {len(self.parts)} parts, {len(self.carriers)} carriers, {len(self.clips)} clips)"

    def __post_init__(self) -> None:
        count = len(self.carriers)
        for part in self.parts:
            if not 0 <= part.carrier < count:
                raise ValueError(f"part '{part.name}': carrier {part.carrier} of {count}.")
            nnode = self.carriers[part.carrier].shapes.shape[1]
            top = max((int(rows.max(initial=-1)) for rows in (part.anchor, part.far) if rows is not None), default=-1)
            if nnode and top >= nnode:
                raise ValueError(f"part '{part.name}' hangs on node {top}, its carrier has {nnode}.")
        for clip in self.clips:
            found = [amplitude.shape[-1] for amplitude in clip.amplitude]
            wanted = [len(carrier.shapes) for carrier in self.carriers]
            if found != wanted:
                raise ValueError(f"clip '{clip.title}': {found} amplitudes for the carriers, expected {wanted}.")

    # where things are

    @property
    def rest(self) -> State:
        """The scene as it stands without motion."""
        still = tuple(np.zeros(len(carrier.shapes)) for carrier in self.carriers)
        return State(np.array([carrier.pose for carrier in self.carriers]), still)

    def state(self, clip: Clip, moment: float, scale: float = 1.0) -> State:
        """Return poses and amplitudes of a clip at a moment, 0 to 1 over its period or duration."""
        return clip.at(self.rest.pose, moment, scale)

    def positions(self, state: State) -> list[Array]:
        """Return for every part where its points are in space (n, 3) [m]."""
        fields = [carrier.field(a) for carrier, a in zip(self.carriers, state.amplitude, strict=True)]
        return [placed(state.pose[p.carrier], p.points + p.motion(fields[p.carrier])) for p in self.parts]

    def label_positions(self, state: State) -> Array:
        """Return where the labels are (nlabel, 3)."""
        found = []
        for label in self.labels:
            u = self.carriers[label.carrier].field(state.amplitude[label.carrier])
            moved = u[label.anchor, :3] if label.anchor is not None and len(u) else 0.0
            found.append(placed(state.pose[label.carrier], np.array([label.point]) + moved)[0])
        return np.array(found).reshape(-1, 3)

    @property
    def size(self) -> float:
        """Diagonal of the box around the parts at rest [m]."""
        points = np.concatenate([np.empty((0, 3)), *self.positions(self.rest)])
        return float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0

    # what is drawn of a part beside its faces

    def _ribs(self, part: Part) -> bool:
        """Whether a part is beams of something that has walls too: they need neither contours nor a ghost."""
        return part.closed and any(
            other.faces and not other.closed and not other.color
            for other in self.parts
            if other.carrier == part.carrier
        )

    @property
    def small(self) -> bool:
        """Whether the whole mesh can be shown; more edges than that would hide the colours."""
        return sum(len(group) for part in self.parts for group in part.faces) <= _MESH_UP_TO

    def contours(self, part: Part) -> IntArray:
        """Return the contours (k, 2) of a part that are worth drawing, in a small scene all sides of its elements."""
        if self.small:
            return part.mesh if len(part.mesh) else part.edges
        return part.edges[:0] if self._ribs(part) else part.edges

    def ghost(self, part: Part) -> IntArray:
        """Return the lines (k, 2) that show a part at rest while it swings, none for marks and for ribs in walls."""
        if part.color or self._ribs(part):
            return part.edges[:0]
        return part.edges if len(part.edges) else part.lines

    # how much they move

    def values(self, clip: Clip, state: State) -> list[Array]:
        """Return for every part the numbers (n,) that colour it.

        A vibration shows its amplitude, so that colours stay while it swings; a run shows its present deformation.
        """
        whole = isinstance(clip, Harmonic)
        amplitude = clip.amplitude if whole else state.amplitude
        fields = [carrier.field(a) for carrier, a in zip(self.carriers, amplitude, strict=True)]
        own = [given_values(clip, k, a) for k, a in enumerate(amplitude if whole else state.modal)]
        found = []
        for part in self.parts:
            given = own[part.carrier]
            if given is not None:
                found.append(part.spread(given))
                continue
            moved = part.motion(fields[part.carrier])
            if isinstance(clip, Harmonic) and clip.pose is not None:
                change, pose = clip.pose[part.carrier], self.carriers[part.carrier].pose
                moved = placed(change, part.points) + moved @ pose[:, :3].T
            found.append(np.sqrt((np.abs(moved) ** 2).sum(axis=1)))
        return found

    def peak(self, values: list[Array]) -> Peak | None:
        """Return the largest of the numbers of all parts that take colours, None if there is none."""
        found = [
            Peak(float(own[k]), number, k)
            for number, (part, own) in enumerate(zip(self.parts, values, strict=True))
            if not part.color and len(own) and not np.isnan(own).all()
            for k in (int(np.nanargmax(own)),)
        ]
        return max(found, default=None)

    def largest(self, clip: Clip) -> float:
        """Return the largest number that colours a part taking colours, of a share of points, over the whole clip."""
        if isinstance(clip, Harmonic):
            return self._largest(self.values(clip, self.rest))
        # short peaks of stresses would be missed between few moments
        points = sum(len(part.points) for part in self.parts if not part.color)
        moments = clip.moments(int(np.clip(_COLOURED // max(points, 1), _SAMPLES, max(len(clip.t), _SAMPLES))))
        return max(self._largest(self.values(clip, self.state(clip, moment))) for moment in moments)

    def _largest(self, values: list[Array]) -> float:
        coloured = [v for part, v in zip(self.parts, values, strict=True) if not part.color]
        found = np.concatenate([np.empty(0), *coloured])
        found = found[~np.isnan(found)]
        return float(np.quantile(found, self.share)) if found.size else 0.0

    def scale(self, clip: Clip, amplitude: float | Literal["auto"] = "auto") -> float:
        """Return the factor for a clip; of a vibration the largest drawn displacement becomes amplitude × size.

        For a run amplitude is the magnification of the deformations, 1 for "auto".
        """
        if isinstance(clip, History):
            return 1.0 if amplitude == "auto" else amplitude
        fraction = AUTO_AMPLITUDE if amplitude == "auto" else amplitude
        most = self.reach(clip)
        return fraction * self.size / most if most else 1.0

    def reach(self, clip: Harmonic, scale: float = 1.0) -> float:
        """Return the largest displacement of a vibration drawn so many times as large [m]."""
        rest = np.concatenate([np.empty((0, 3)), *self.positions(self.rest)])
        parts = [
            np.linalg.norm(np.concatenate([np.empty((0, 3)), *self.positions(self.state(clip, moment))]) - rest, axis=1)
            for moment in (0.0, 0.25)
        ]
        return abs(scale) * float(np.sqrt(parts[0] ** 2 + parts[1] ** 2).max(initial=0.0))

    def extent(self, clip: Clip | None, scale: float = 1.0) -> Array:
        """Return points (k, 3) that a clip reaches; the scene at rest without a clip."""
        if clip is None:
            return np.concatenate([np.empty((0, 3)), *self.positions(self.rest)])
        if isinstance(clip, Harmonic):
            # all vibrations that are drawn as large have the same frame, whichever way they go; the margin takes a part
            reach = max(self.reach(clip, scale) - _MARGIN * AUTO_AMPLITUDE * self.size, 0.0)
            rest = np.concatenate([np.empty((0, 3)), *self.positions(self.rest)])
            return np.concatenate([rest, *(rest + step for step in reach * np.vstack([np.eye(3), -np.eye(3)]))])
        moments = clip.moments(_SAMPLES)
        states = [self.state(clip, moment, scale) for moment in moments]
        return np.concatenate([np.empty((0, 3)), *(x for state in states for x in self.positions(state))])


def given_values(clip: Clip, carrier: int, modal: Array) -> Array | None:
    """Return the numbers (nnode,) that a clip gives the nodes of a carrier, None where it gives none."""
    given = clip.values[carrier] if clip.values else None
    if not callable(given):
        return given
    return given() if isinstance(clip, Harmonic) else given(modal)


def unit_in(legend: str) -> str:
    """Return the unit at the end of "displacement [m]", "" for none or for [-]."""
    unit = legend.rpartition("[")[2].removesuffix("]") if legend.endswith("]") else ""
    return unit.strip("-")


def placed(pose: Array, points: Array) -> Array:
    """Return points (n, 3) under a linear map and a shift (3, 4)."""
    return points @ pose[:, :3].T + pose[:, 3]


def crossed(a: Array, b: Array) -> Array:
    """Return a × b for rows (n, 3); NumPy's own takes several times as long."""
    product = np.empty(a.shape, dtype=np.result_type(a, b))
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        product[:, k] = a[:, i] * b[:, j] - a[:, j] * b[:, i]
    return product
