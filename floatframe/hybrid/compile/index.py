"""Where the things of a model are in the arrays of its system: a frozen index, made once at the end of compiling.

Bodies and joints go by their numbers in `SystemIndex.model`, records by their numbers in `Tables`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from floatframe.arrays import AnyArray, Array, frozen
from floatframe.hybrid.compile.start_poses import GROUND, Pose
from floatframe.hybrid.compile.tree_links import Carrier, JointFrames
from floatframe.hybrid.flat import FlatModel
from floatframe.hybrid.kernels import Tables, UserFunction
from floatframe.railway import RunningWheel


def _nothing() -> Mapping[Any, Any]:
    return MappingProxyType({})


# body, node, point and axes of a place, or what else a marker is for
MarkerKey: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class TreeIndex:
    """The tree of links: which of them carry bodies, and where the coordinates of its joints are."""

    carriers: Mapping[int, Carrier]  # by body, -1 being the ground
    joint_links: Mapping[int, tuple[int, bool]]  # by joint: its last link, and whether it leads from a to b
    joint_coordinates: Mapping[int, tuple[tuple[int, int], ...]]  # by joint: place in q and in v of every step
    particles: Mapping[int, int]  # by body without attitude: the first of its three speeds in v
    q: Array  # (nq,) coordinates of the start poses, before the joints are closed


@dataclass(frozen=True)
class CutJoint:
    """A joint that is a set of constraint rows: its markers, its range of rows and its frames on the bodies."""

    a: int
    b: int
    first_row: int
    last_row: int
    frames: JointFrames


@dataclass(frozen=True, eq=False)
class FoundRow:
    """A row as it was found when it was locked: its length, and the marker on one of its sides."""

    length: float
    side: str = ""  # "a", "b", or "" if its markers are those of the joint
    marker: AnyArray | None = None  # (1,) of MARKER


@dataclass(frozen=True, eq=False)
class RowIndex:
    """All constraint rows of a model; a system keeps those in its arrays that do not follow from others."""

    records: AnyArray  # (nrow,) of ROW, also those of joints that do not hold at present
    names: tuple[str, ...]  # the joint or relation of each
    holding: tuple[int, ...]  # numbers of those whose joint or relation holds at present
    found: Mapping[int, FoundRow] = field(
        default_factory=_nothing
    )  # rows that hold their places as they were found (see switching)


@dataclass(frozen=True, eq=False)
class Numbers:
    """Numbers of what is measured and looked up, by what it is."""

    markers: Mapping[MarkerKey, int] = field(default_factory=_nothing)
    coordinates: Mapping[tuple[int, int], int] = field(default_factory=_nothing)  # by joint and its coordinate
    sensors: Mapping[str, int] = field(default_factory=_nothing)  # slot of programs, by the name in expressions
    tables: Mapping[str, int] = field(default_factory=_nothing)
    states: Mapping[str, int] = field(default_factory=_nothing)  # place in the memory of a state variable


@dataclass(frozen=True, eq=False)
class Room:
    """What a workspace of the kernels needs, and the number of constants they read from the pool."""

    memory: Array = field(default_factory=lambda: frozen(np.zeros(0)))  # of joints, friction and states at first
    work: int = 0  # numbers of workspace
    stack: int = 1  # depth of the deepest program
    pool: int = 0


@dataclass(frozen=True, eq=False)
class SystemIndex:
    """Where bodies, joints, rows and measured things of a model are in the arrays of its system."""

    model: FlatModel
    poses: tuple[Pose, ...]  # of the bodies as the model gives them, before the joints are closed
    tree: TreeIndex
    flexible_of: Mapping[int, int]  # by body: its record in Tables.flexible
    cut_joints: Mapping[int, CutJoint]  # by joint
    rows: RowIndex
    numbers: Numbers = field(default_factory=Numbers)
    room: Room = field(default_factory=Room)
    functions: tuple[UserFunction, ...] = ()  # called by address: must live as long as the system
    wheels: tuple[RunningWheel, ...] = ()  # on the track: kernels know where they lie, so they must live as long
    skeleton: Skeleton | None = field(default=None, repr=False)  # what forces were added to

    def pose(self, body: int) -> Pose:
        """Start pose of a body, -1 being the ground."""
        return GROUND if body < 0 else self.poses[body]


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Links, joints and relations of a model without its forces."""

    index: SystemIndex
    tables: Tables
    light: Skeleton | None = None  # the one that was built, if this one has other masses

    @property
    def bones(self) -> Skeleton:
        """What it shares with all skeletons that differ from it in masses alone."""
        return self if self.light is None else self.light
