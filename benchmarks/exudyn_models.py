"""The mechanisms of `bench_simulation` in Exudyn's fast build; to be imported in a process of its own."""

from __future__ import annotations

import contextlib
import io
import sys
import time
import warnings
from typing import Any

import numpy as np
from scipy.sparse import block_diag, csr_matrix

sys.exudynFast = True  # chooses the build without range checks; must be said before the import
with contextlib.redirect_stdout(io.StringIO()):
    import exudyn as exu
    import exudyn.itemInterface as items  # noqa: N813
    from exudyn.FEM import FEMinterface, ObjectFFRFreducedOrderInterface
    from exudyn.rigidBodyUtilities import RigidBodyInertia
warnings.simplefilter("ignore", DeprecationWarning)

REVOLUTE, PRISMATIC = [1, 1, 1, 1, 1, 0], [0, 1, 1, 1, 1, 1]
# closes a plane loop of rigid bodies; its other rows would be redundant, and the solver then finds a singular matrix
IN_PLANE = [1, 1, 0, 0, 0, 0]
CORNERS = 0.01 * np.array([[0, 1, 1], [0, -1, 1], [0, -1, -1], [0, 1, -1]])  # m, of the rod's section


class SliderCrank:
    """Crank, slider and drive; the rod comes between them."""

    def __init__(self, rotation: str) -> None:
        self.container = exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.rotation = getattr(exu.NodeType, rotation)
        self.ground = self.mbs.AddObject(items.ObjectGround())
        self.rod: Any = None  # the flexible one
        self.joints: list[Any] = []
        self.crank = self.body(7.403, [0.001, 1.333, 1.333], [0.5, 0, 0])
        self.slider = self.body(9.36, [0.01, 0.01, 0.01], [3, 0, 0])
        bearing = self.joint(self.place(self.ground, 0), self.place(self.crank, -0.5), REVOLUTE)
        self.mbs.AddLoad(items.Torque(markerNumber=bearing[1], loadVector=[0, 0, 100]))
        self.mbs.AddObject(items.TorsionalSpringDamper(markerNumbers=bearing, stiffness=0, damping=10))
        self.joint(self.place(self.ground, 3), self.place(self.slider, 0), PRISMATIC)

    def body(self, mass: float, inertia: list[float], centre: list[float]) -> Any:
        inertia = RigidBodyInertia(mass=mass, inertiaTensor=np.diag(inertia))
        return self.mbs.CreateRigidBody(inertia=inertia, referencePosition=centre, nodeType=self.rotation)

    def place(self, body: Any, x: float) -> Any:
        return self.mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=body, localPosition=[x, 0, 0]))

    def joint(self, first: Any, second: Any, axes: list[int]) -> list[Any]:
        made = items.ObjectJointGeneric(markerNumbers=[first, second], constrainedAxes=axes)
        self.joints.append(self.mbs.AddObject(made))
        return [first, second]

    def answer(self) -> list[float]:
        """Speed of the crank, rad/s."""
        speed = exu.OutputVariableType.AngularVelocity
        return [self.mbs.GetObjectOutputBody(self.crank, speed, [0, 0, 0], exu.ConfigurationType.Current)[2]]


def rigid(rotation: str) -> SliderCrank:
    made = SliderCrank(rotation)
    rod = made.body(6.28, [0.0004187, 2.093543, 2.093543], [2, 0, 0])
    made.joint(made.place(made.crank, 0.5), made.place(rod, -1), REVOLUTE)
    made.joint(made.place(rod, 1), made.place(made.slider, 0), IN_PLANE)
    return made


def chain(rotation: str, n: int = 11, side: float = 0.02) -> SliderCrank:
    """The rod as n rigid links with elastic hinges."""
    made = SliderCrank(rotation)
    length = 2 / n
    mass, stiffness = 7850 * side**2 * length, 2.1e11 * side**4 / 12 / length
    turning = mass * (length**2 + side**2) / 12
    end = made.place(made.crank, 0.5)
    for i in range(n):
        link = made.body(mass, [mass * side**2 / 6, turning, turning], [1 + (i + 0.5) * length, 0, 0])
        hinge = made.joint(end, made.place(link, -length / 2), REVOLUTE)
        if i > 0:
            made.mbs.AddObject(items.TorsionalSpringDamper(markerNumbers=hinge, stiffness=stiffness, damping=0))
        end = made.place(link, length / 2)
    made.joint(end, made.place(made.slider, 0), IN_PLANE)
    return made


def flexible(rotation: str, rod: dict[str, Any]) -> SliderCrank:
    """The rod as FFRFreducedOrder with given modes.

    Its nodes have no rotations, so every section is four corners that move as a rigid frame: `spread` gives their
    displacements, its pseudo-inverse takes the beam's matrices to them. All inertia terms are those of the beam.
    """
    made = SliderCrank(rotation)
    nodes = rod["nodes"]
    section = np.vstack([np.hstack((np.eye(3), np.cross(corner, np.eye(3)))) for corner in CORNERS])
    spread = block_diag([section] * len(nodes), format="csr")
    gather = block_diag([np.linalg.pinv(section)] * len(nodes), format="csr")
    fem = FEMinterface()
    fem.nodes = {"Position": (nodes[:, None, :] + CORNERS).reshape(-1, 3)}
    fem.massMatrix = csr_matrix(gather.T @ csr_matrix(rod["mass"]) @ gather)
    fem.stiffnessMatrix = csr_matrix(gather.T @ csr_matrix(rod["stiffness"]) @ gather)
    fem.modeBasis = {"matrix": spread @ rod["shapes"], "type": "NormalModes"}
    reduced = ObjectFFRFreducedOrderInterface(fem, rigidBodyNodeType=made.rotation)
    body = made.rod = reduced.AddObjectFFRFreducedOrder(made.mbs, positionRef=[1, 0, 0])["oFFRFreducedOrder"]
    for first, other in ((0, made.place(made.crank, 0.5)), (4 * len(nodes) - 4, made.place(made.slider, 0))):
        corners = np.arange(first, first + 4)
        marker = items.MarkerSuperElementRigid(bodyNumber=body, meshNodeNumbers=corners, weightingFactors=[0.25] * 4)
        made.joint(other, made.mbs.AddMarker(marker), REVOLUTE)
    return made


class Links:
    """n hinged links in joint coordinates, a KinematicTree."""

    def __init__(self, n: int) -> None:
        self.container = exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        zeros = np.zeros(n)
        node = self.mbs.AddNode(
            items.NodeGenericODE2(
                numberOfODE2Coordinates=n,
                referenceCoordinates=zeros,
                initialCoordinates=zeros,
                initialCoordinates_t=zeros,
            )
        )
        turns, inertias = exu.Matrix3DList(), exu.Matrix3DList()
        offsets, centres = exu.Vector3DList(), exu.Vector3DList()
        for i in range(n):
            turns.Append(np.eye(3))
            inertias.Append(np.diag([0.001, 1 / 12, 1 / 12]))
            offsets.Append([min(i, 1), 0, 0])
            centres.Append([0.5, 0, 0])
        tree = items.ObjectKinematicTree(
            nodeNumber=node,
            jointTypes=[exu.JointType.RevoluteZ] * n,
            linkParents=np.arange(n) - 1,
            jointTransformations=turns,
            jointOffsets=offsets,
            linkInertiasCOM=inertias,
            linkCOMs=centres,
            linkMasses=[1.0] * n,
            gravity=[0, -9.81, 0],
        )
        self.mbs.AddObject(tree)

    def answer(self) -> list[float]:
        """Speeds of the hinges, rad/s."""
        return list(self.mbs.systemData.GetODE2Coordinates_t())


class FourBars:
    """N four-bar linkages side by side, plane bodies with three coordinates each."""

    def __init__(self, n: int) -> None:
        self.container = exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        ground, before = self.mbs.AddObject(items.ObjectGround()), None
        for i in range(n + 1):
            crank = self.body([i, 0.5], np.pi / 2, [0.5, 0, -1])
            self.hinge(self.place(ground, [i, 0]), self.place(crank, [-0.5, 0]))
            if before is not None:
                bar = self.body([i - 0.5, 1], 0, [1, 0, 0])
                self.hinge(self.place(before, [0.5, 0]), self.place(bar, [-0.5, 0]))
                self.hinge(self.place(bar, [0.5, 0]), self.place(crank, [0.5, 0]))
            else:
                self.first = crank
            before = crank

    def body(self, centre: list[float], angle: float, speeds: list[float]) -> Any:
        """A bar of 1 m and 1 kg, its centre, its angle and their rates."""
        node = self.mbs.AddNode(items.NodeRigidBody2D(referenceCoordinates=[*centre, angle], initialVelocities=speeds))
        body = items.ObjectRigidBody2D(physicsMass=1, physicsInertia=1 / 12, nodeNumber=node)
        number = self.mbs.AddObject(body)
        middle = self.mbs.AddMarker(items.MarkerBodyMass(bodyNumber=number))
        self.mbs.AddLoad(items.LoadMassProportional(markerNumber=middle, loadVector=[0, -9.81, 0]))
        return number

    def place(self, body: Any, at: list[float]) -> Any:
        return self.mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=body, localPosition=[*at, 0]))

    def hinge(self, first: Any, second: Any) -> None:
        self.mbs.AddObject(items.ObjectJointRevolute2D(markerNumbers=[first, second]))

    def answer(self) -> list[float]:
        """Speed of the first crank, rad/s."""
        speed = exu.OutputVariableType.AngularVelocity
        return [float(np.ravel(self.mbs.GetObjectOutputBody(self.first, speed, [0, 0, 0]))[-1])]


def watch(made: SliderCrank) -> int:
    """Record the motion of the bodies, the loads in the joints and the modes of the rod in memory; how many numbers."""
    kind, memory = exu.OutputVariableType, {"storeInternal": True, "writeToFile": False}
    of_body = (kind.Position, kind.Velocity, kind.Acceleration, kind.Rotation, kind.AngularVelocity)
    for body in (made.crank, made.slider):
        for what in (*of_body, kind.AngularAcceleration):
            made.mbs.AddSensor(items.SensorBody(bodyNumber=body, outputVariableType=what, **memory))
    for joint in made.joints:
        for what in (kind.ForceLocal, kind.TorqueLocal):
            made.mbs.AddSensor(items.SensorObject(objectNumber=joint, outputVariableType=what, **memory))
    frame, modes = made.mbs.GetObject(made.rod)["nodeNumbers"]
    for what in of_body:
        made.mbs.AddSensor(items.SensorNode(nodeNumber=frame, outputVariableType=what, **memory))
    for what in (kind.Coordinates, kind.Coordinates_t, kind.Coordinates_tt):
        made.mbs.AddSensor(items.SensorNode(nodeNumber=modes, outputVariableType=what, **memory))
    modal = len(made.mbs.GetNode(modes)["referenceCoordinates"])
    return 3 * (2 * 6 + 2 * len(made.joints) + 5) + 3 * modal


def integrate(
    made: SliderCrank | Links | FourBars,
    h: float,
    steps: int,
    radius: float,
    solver: str,
    tolerance: float,
    recorded: bool = False,
) -> Any:
    """Seconds of CPU for the steps alone, speeds at the end, iterations and Jacobians per step; None if it fails.

    With `recorded` the time is that of the whole run, start and end of the solver among it, which keeps what `watch`
    says after every step.
    """
    settings = exu.SimulationSettings()
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = h if recorded else 1e9
    if recorded:
        watch(made)
    settings.linearSolver.solverType = getattr(exu.LinearSolverType, solver)
    integration = settings.timeIntegration
    integration.endTime, integration.numberOfSteps = h * steps, steps
    integration.adaptiveStep, integration.verboseMode = False, 0
    integration.generalizedAlpha.spectralRadius = radius
    integration.newton.useModifiedNewton = True
    integration.newton.relativeTolerance = tolerance
    made.mbs.Assemble()
    run = exu.MainSolverImplicitSecondOrder()
    whole = time.perf_counter()
    if not run.InitializeSolver(made.mbs, settings):
        return None
    began = time.process_time()
    done = run.SolveSteps(made.mbs, settings)
    seconds = time.process_time() - began
    counts = run.it.newtonStepsCount / steps, run.it.newtonJacobiCount / steps
    run.FinalizeSolver(made.mbs, settings)
    if recorded:
        seconds = time.perf_counter() - whole
    return (seconds, made.answer(), *counts) if done else None
