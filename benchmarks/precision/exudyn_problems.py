"""The problems in Exudyn's fast build; to be imported in a process of its own.

Chains are trees in joint coordinates, which its explicit methods take; mechanisms with loops have redundant rows left
out or ignored. Answers are the channels of `problems` in their order.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from benchmarks import exudyn_models as plain
from benchmarks.exudyn_models import IN_PLANE, REVOLUTE, Links, RigidBodyInertia, exu, items
from tests.hybrid.problems import BRICARD_POINTS, GRAVITY, HEAVY_TOP_SPIN

HERE = exu.ConfigurationType.Current
PLACE, VELOCITY = exu.OutputVariableType.Position, exu.OutputVariableType.Velocity
BALL = [1, 1, 1, 0, 0, 0]


class Mechanism:
    """Rigid bodies between joints; `watched` are the body and its point that answers are about."""

    def __init__(self, rotation: str, gravity: tuple[float, float, float]) -> None:
        self.container = exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.rotation, self.gravity = getattr(exu.NodeType, rotation), list(gravity)
        self.ground = self.mbs.AddObject(items.ObjectGround())
        self.watched: tuple[Any, Any] = (None, None)
        self.redundant = False

    def body(self, mass: float, inertia: Any, centre: Any, velocity: Any = (0, 0, 0), spin: Any = (0, 0, 0)) -> Any:
        """A body whose reference point is its centre of mass."""
        return self.mbs.CreateRigidBody(
            inertia=RigidBodyInertia(mass=mass, inertiaTensor=np.diag(inertia)),
            referencePosition=list(centre),
            initialVelocity=list(velocity),
            initialAngularVelocity=list(spin),
            gravity=self.gravity,
            nodeType=self.rotation,
        )

    def joint(
        self, first: Any, first_at: Any, second: Any, second_at: Any, rows: list[int], turned: Any = None
    ) -> None:
        """A joint of two bodies at points in their axes, its axis the third of the columns `turned`."""
        markers = [
            self.mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=body, localPosition=list(point)))
            for body, point in ((first, first_at), (second, second_at))
        ]
        turned = np.eye(3) if turned is None else turned
        made = items.ObjectJointGeneric(
            markerNumbers=markers, constrainedAxes=rows, rotationMarker0=turned, rotationMarker1=turned
        )
        self.mbs.AddObject(made)

    def answer(self) -> list[float]:
        body, point = self.watched
        both = [self.mbs.GetObjectOutputBody(body, what, list(point), HERE) for what in (PLACE, VELOCITY)]
        return [float(x) for x in np.concatenate(both)]


def heavy_top(rotation: str) -> Mechanism:
    made = Mechanism(rotation, (0, 0, -GRAVITY))
    centre = np.array([0, 1.0, 0])
    velocity = np.cross(HEAVY_TOP_SPIN, centre)
    top = made.body(15.0, (0.234375, 0.46875, 0.234375), centre, velocity, HEAVY_TOP_SPIN)
    made.joint(made.ground, (0, 0, 0), top, -centre, BALL)
    made.watched = top, (0, 0, 0)
    return made


def bricard(rotation: str) -> Mechanism:
    made = Mechanism(rotation, (0, -GRAVITY, 0))
    made.redundant = True
    x, y, z = np.eye(3)
    before, before_at = made.ground, BRICARD_POINTS[0]
    for k, axis in enumerate((y, z, x, y, z)):
        along = BRICARD_POINTS[k + 1] - BRICARD_POINTS[k]
        inertia = np.where(along != 0.0, 0.02 / 12, (1 + 0.01) / 12)
        rod = made.body(1.0, inertia, BRICARD_POINTS[k] + 0.5 * along)
        made.joint(before, before_at, rod, -0.5 * along, REVOLUTE, _about(axis))
        before, before_at = rod, 0.5 * along
        if k == 3:
            made.watched = rod, -0.5 * along
    made.joint(before, before_at, made.ground, BRICARD_POINTS[5], REVOLUTE, _about(x))
    return made


def _about(axis: Any) -> Any:
    """Axes whose third is the given one."""
    first = np.roll(axis, 1)
    return np.column_stack((first, np.cross(axis, first), axis))


def four_bars(rotation: str, n: int = 2) -> Mechanism:
    made = Mechanism(rotation, (0, -GRAVITY, 0))
    inertia = (1 / 12,) * 3
    uprights = [made.body(1.0, inertia, (k, 0.5, 0), (0.5, 0, 0), (0, 0, -1.0)) for k in range(n + 1)]
    for k, upright in enumerate(uprights):
        made.joint(made.ground, (k, 0, 0), upright, (0, -0.5, 0), REVOLUTE)
    for k in range(n):
        bar = made.body(1.0, inertia, (k + 0.5, 1, 0), (1.0, 0, 0))
        made.joint(uprights[k], (0, 0.5, 0), bar, (-0.5, 0, 0), REVOLUTE)
        made.joint(bar, (0.5, 0, 0), uprights[k + 1], (0, 0.5, 0), IN_PLANE)
    made.watched = uprights[0], (0, 0, 0)
    return made


def flexible(rotation: str, rod: dict[str, Any]) -> Any:
    """The slider-crank; its answer is the speed of the crank, the place of the slider, the velocity of the mid node."""
    made = plain.flexible(rotation, rod)
    middle = 4 * (len(rod["nodes"]) // 2)  # the first of its four corners
    speed = made.answer

    def answer() -> list[float]:
        place = made.mbs.GetObjectOutputBody(made.slider, PLACE, [0, 0, 0], HERE)
        corners = [made.mbs.GetObjectOutputSuperElement(made.rod, VELOCITY, middle + k, HERE) for k in range(4)]
        return [*speed(), *(float(x) for x in place), *(float(x) for x in np.mean(corners, axis=0))]

    made.answer = answer  # type: ignore[method-assign]
    return made


class Hinges(Links):
    """Links along a plane chain in joint coordinates: start angles, links watched and the centre in their own axes."""

    def __init__(self, n: int, watched: tuple[int, ...]) -> None:
        super().__init__(n)
        self.n, self.watched = n, watched
        self.along, self.centre = np.array([1.0, 0]), 0.5

    def answer(self) -> list[float]:
        data = self.mbs.systemData
        angles, rates = np.cumsum(data.GetODE2Coordinates()), np.cumsum(data.GetODE2Coordinates_t())
        found: list[float] = []
        end, speed = np.zeros(2), np.zeros(2)
        for k in range(self.n):
            c, s = np.cos(angles[k]), np.sin(angles[k])
            arm = np.array([[c, -s], [s, c]]) @ self.along
            moved = rates[k] * np.array([-arm[1], arm[0]])
            if k in self.watched:
                found += [*(end + self.centre * arm), 0.0, *(speed + self.centre * moved), 0.0]
            end, speed = end + arm, speed + moved
        return [float(x) for x in found]


def chain(n: int) -> Hinges:
    return Hinges(n, (3, n - 1))


class DoublePendulum(Hinges):
    """Two point masses, both arms level; angles from hanging down along -y."""

    def __init__(self) -> None:
        self.container = exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.n, self.watched, self.along, self.centre = 2, (0, 1), np.array([0, -1.0]), 1.0
        node = self.mbs.AddNode(
            items.NodeGenericODE2(
                numberOfODE2Coordinates=2,
                referenceCoordinates=np.zeros(2),
                initialCoordinates=[0.5 * np.pi, 0.0],
                initialCoordinates_t=np.zeros(2),
            )
        )
        turns, inertias = exu.Matrix3DList(), exu.Matrix3DList()
        offsets, centres = exu.Vector3DList(), exu.Vector3DList()
        for k in range(2):
            turns.Append(np.eye(3))
            inertias.Append(np.zeros((3, 3)))
            offsets.Append([0, -float(k), 0])
            centres.Append([0, -1, 0])
        self.mbs.AddObject(
            items.ObjectKinematicTree(
                nodeNumber=node,
                jointTypes=[exu.JointType.RevoluteZ] * 2,
                linkParents=np.arange(2) - 1,
                jointTransformations=turns,
                jointOffsets=offsets,
                linkInertiasCOM=inertias,
                linkCOMs=centres,
                linkMasses=[1.0] * 2,
                gravity=[0, -GRAVITY, 0],
            )
        )


def integrate(made: Any, t_end: float, solver: str, setting: float, radius: float, newton: float) -> Any:
    """Processor time of the steps alone [s] and the answer; None if it fails.

    The solver is "DOPRI5", whose setting is a tolerance, or the linear solver of generalised-alpha with fixed steps.
    """
    settings = exu.SimulationSettings()
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = 1e9
    integration = settings.timeIntegration
    integration.endTime, integration.verboseMode = t_end, 0
    if solver == "DOPRI5":
        run = exu.MainSolverExplicit()
        integration.solverType = exu.DynamicSolverType.DOPRI5
        integration.relativeTolerance = integration.absoluteTolerance = setting
        integration.numberOfSteps, integration.minimumStepSize = 10, 1e-12
        integration.automaticStepSize = True
    else:
        run = exu.MainSolverImplicitSecondOrder()
        settings.linearSolver.solverType = getattr(exu.LinearSolverType, solver)
        settings.linearSolver.ignoreSingularJacobian = getattr(made, "redundant", False)
        integration.numberOfSteps, integration.adaptiveStep = round(t_end / setting), False
        integration.generalizedAlpha.spectralRadius = radius
        integration.newton.useModifiedNewton = True
        integration.newton.relativeTolerance = newton
    made.mbs.Assemble()
    if not run.InitializeSolver(made.mbs, settings):
        return None
    began = time.process_time()
    done = run.SolveSteps(made.mbs, settings)
    seconds = time.process_time() - began
    run.FinalizeSolver(made.mbs, settings)
    return (seconds, made.answer()) if done else None
