"""The slider-crank with an elastic rod of the IVP test set (Simeon 1996): model, start values, solution at 0.1 s. SI.

The rod is given by its matrices alone: two sine shapes across, two shapes of a quadratic element along it, seen from
the chord between its ends. The published mass of the shapes along the rod is not that of its own shape functions; it
is taken as it stands.
"""

from __future__ import annotations

import numpy as np

from floatframe import hybrid as h
from floatframe.modal import ReducedBody
from floatframe.modal.body.inertia import InertiaConstants

L1, L2 = 0.15, 0.30
M1, M2, M3 = 0.36, 0.151104, 0.075552
J1, J2 = 0.002727, 0.0045339259
OMEGA, PI = 150.0, 3.1415927
E, B, H, RHO = 0.2e12, 0.008, 0.008, 7870.0

#: phi2, x3, q1 ... q4 and their rates on the smooth motion at t = 0 (the crank angle is 150 t)
START = np.array([0.0, 0.450016933, 0.0, 0.0, 1.03339863e-5, 1.69327969e-5])
START_RATE = np.array([-74.9957670, -2.68938672e-6, 0.444896105, 4.63434311e-3, -1.78591076e-6, -2.68938672e-6])
#: the same at t = 0.1 s
END = np.array(
    [
        -0.3311734988256260,
        0.1697373328427860,
        1.893192899613509e-4,
        2.375751249879174e-5,
        -5.323896770569702e-6,
        -8.363313279112129e-6,
    ]
)
END_RATE = np.array(
    [
        60.25346755138369,
        -8.753116326670527,
        -3.005541400289738e-2,
        -5.500431812571696e-3,
        4.974111734266989e-4,
        1.105560003626645e-3,
    ]
)
#: N, N, N m
END_MULTIPLIERS = np.array([-62.32935833287916, -163.7920993367306, 25.29857947066878])
NODES = np.array([0.0, 0.25, 0.5, 0.75, 1.0]) * L2


def rod() -> ReducedBody:
    """The rod with nodes 1 ... 5 a quarter of its length apart."""
    FM, FK, FB = RHO * B * H * L2, E * B * H / L2, B * H * L2
    mass, stiffness, cross = np.zeros((4, 4)), np.zeros((4, 4)), np.zeros((4, 4))
    mass[:2, :2] = 0.5 * FM * np.eye(2)
    mass[2:, 2:] = FM * np.array([[8.0, 1.0], [1.0, 2.0]])
    slim = (H / L2) ** 2
    stiffness[0, 0], stiffness[1, 1] = FK * PI**4 / 24 * slim, FK * PI**4 * 2 / 3 * slim
    stiffness[2:, 2:] = FK / 3 * np.array([[16.0, -8.0], [-8.0, 7.0]])
    cross[0, 2], cross[0, 3], cross[1, 3] = -16 / PI**3, 8 / PI**3 - 1 / PI, 0.5 / PI
    cross = RHO * FB * (cross - cross.T)  # z of the sum of h_i x h_j
    c1, c2 = RHO * FB * np.array([0, 0, 2 / 3, 1 / 6]), RHO * FB * np.array([2 / PI, 0, 0, 0])
    c12 = RHO * FB * L2 * np.array([0, 0, 1 / 3, 1 / 6])
    c21 = RHO * FB * L2 * np.array([1 / PI, -0.5 / PI, 0, 0])

    unit = np.eye(3)
    moments = np.zeros((4, 4, 3, 3))  # sum of m h_i h_j^T
    moments[2:, 2:, 0, 0], moments[:2, :2, 1, 1] = mass[2:, 2:], mass[:2, :2]
    moments[2:, :2, 0, 1] = cross[2:, :2]
    moments[:2, 2:, 1, 0] = cross[2:, :2].T
    with_place = np.zeros((4, 3, 3))  # sum of m h_i rho^T
    with_place[:, 0, 0], with_place[:, 1, 0] = c12, c21
    around = 1e-9  # roll of the rod, which no load meets
    constants = InertiaConstants(
        m=M2,
        rho=np.array([M2 * L2 / 2, 0, 0]),
        H=np.array([c1, c2, np.zeros(4)]),
        rhoH=np.array([np.zeros(4), np.zeros(4), c21]),
        hH=np.stack([np.zeros((4, 4)), np.zeros((4, 4)), cross], axis=1),
        HH=mass,
        rhorho=np.diag([around, J2, J2]),
        rhoh=with_place - np.trace(with_place, axis1=1, axis2=2)[:, None, None] * unit,
        hh=np.swapaxes(moments, 2, 3) - np.trace(moments, axis1=2, axis2=3)[:, :, None, None] * unit,
    )
    return ReducedBody(
        nodes=np.column_stack((NODES, 0 * NODES, 0 * NODES)),
        node_ids=np.arange(1, 6),
        shapes=shapes(),
        kind=("eigen",) * 4,
        origin=("across 1", "across 2", "middle", "end"),
        frequency=np.sqrt(np.diag(stiffness) / np.diag(mass)) / (2 * np.pi),
        mass=mass,
        stiffness=stiffness,
        nodal_mass=np.full(5, M2 / 5),
        interface=np.array([(node, k) for node in (1, 5) for k in range(6)]),
        constants=constants,
        name="rod",
    )


def shapes() -> np.ndarray:
    """Displacements and rotations (30, 4) of the five nodes."""
    x = NODES / L2
    out = np.zeros((5, 6, 4))
    for k in (1, 2):
        out[:, 1, k - 1] = np.sin(k * np.pi * x)
        out[:, 5, k - 1] = k * np.pi / L2 * np.cos(k * np.pi * x)
    out[:, 0, 2] = 4 * x * (1 - x)
    out[:, 0, 3] = x * (2 * x - 1)
    return out.reshape(30, 4)


def model() -> h.Model:
    """Crank about the origin driven at 150 rad/s, rod, slider along x; bodies "crank", "rod", "slider"."""
    made = h.Model()
    crank = made.add(h.RigidBody("crank", M1, (J1, J1, J1)))
    flexible = made.add(h.FlexibleBody("rod", rod(), frame=("chord", 1, 5), position=(L1, 0, 0), stiffening="off"))
    slider = made.add(h.RigidBody("slider", M3, (1e-5, 1e-5, 1e-5), position=(L1 + L2, 0, 0)))
    made.add(h.revolute("A", crank.at(), made.ground.at(), start_rate=OMEGA))
    made.add(h.motion("drive", "A", f"{OMEGA!r}*t"))
    made.add(h.prismatic("slide", slider.at(), made.ground.at(), axis=(1, 0, 0)))
    made.add(h.revolute("B", flexible.node(1), crank.at((L1, 0, 0))))
    made.add(h.revolute("C", flexible.node(5), slider.at()))
    return made


def start(system: h.System) -> h.State:
    """The state at t = 0 on the smooth motion."""
    q, v = np.array(system.start.q), np.array(system.start.v)
    names, tables = system.index, system.tables
    bodies = [body.name for body in system.model.bodies]
    number = bodies.index("rod")
    # the compiler takes coordinates of its own for the same shapes
    own = np.asarray(system.model.bodies[number].reduced.shapes)
    to_own = np.linalg.lstsq(own, shapes(), rcond=None)[0]
    record = tables.flexible[names.flexible_of[number]]
    q[record["iq"] : record["iq"] + 4] = to_own @ START[2:]
    v[record["iv"] : record["iv"] + 4] = to_own @ START_RATE[2:]
    link = tables.links[names.tree.carriers[number].link]
    q[link["iq"] : link["iq"] + 7] = (L1, 0, 0, np.cos(START[0] / 2), 0, 0, np.sin(START[0] / 2))
    v[link["iv"] : link["iv"] + 6] = (0, OMEGA * L1, 0, 0, 0, START_RATE[0])
    for joint, place, rate in (("A", 0.0, OMEGA), ("slide", START[1], START_RATE[1])):
        joints = [one.name for one in system.model.joints]
        ((iq, iv),) = names.tree.joint_coordinates[joints.index(joint)]
        q[iq], v[iv] = place, rate
    return h.State(0.0, q, v, system.start.memory)


CHANNELS = ("rod.rotation", "rod.angular_velocity", "slider.position", "slider.velocity", "rod.modal", "rod.modal_rate")


def unknowns(result: h.Results, system: h.System, k: int = -1) -> tuple[np.ndarray, np.ndarray]:
    """phi2, x3, q1 ... q4 of record k, and their rates."""
    number = [body.name for body in system.model.bodies].index("rod")
    own = np.asarray(system.model.bodies[number].reduced.shapes)
    back = np.linalg.lstsq(shapes(), own, rcond=None)[0]
    w, _, _, z = result["rod.rotation"][k]
    place = [2 * np.arctan2(z, w), result["slider.position"][k, 0], *(back @ result["rod.modal"][k])]
    rate = [
        result["rod.angular_velocity"][k, 2],
        result["slider.velocity"][k, 0],
        *(back @ result["rod.modal_rate"][k]),
    ]
    return np.array(place), np.array(rate)
