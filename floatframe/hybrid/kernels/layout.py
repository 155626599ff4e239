"""The flat records a compiled system consists of: what the kernels read and the workspace they write.

Every kind of thing (link, dof, flexible body, marker, coordinate, constraint row) has one array of constant records
and, where it changes, one array of workspace records of the same length. Link 0 is the ground. All vectors in the
workspace are in world axes unless a field says otherwise.

A *link* is a frame moved by a tree joint; its frame sits at the joint, with z along the joint axis, and rigid mass
properties are given in it. A *dof* is one velocity coordinate; the dofs between a link and the ground form a linked
list through `previous`, so that Jacobians are walks along that list. A *marker* is a place with a frame on a link or
on an interface node of a flexible body.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# kinds of tree joints
FIXED, REVOLUTE, PRISMATIC, SCREW, SPHERICAL, FREE = range(6)
# numbers of position and velocity coordinates by kind
JOINT_NQ = (0, 1, 1, 1, 4, 7)
JOINT_NV = (0, 1, 1, 1, 3, 6)

# kinds of scalar constraint rows (see kernels.constraints)
COINCIDE, PERPENDICULAR, IN_PLANE, DISTANCE, RELATION, EXPRESSION = range(6)
# what a row is about: places, with a value that is zero; or speeds alone, with a rate that is zero and no value
PLACES, SPEEDS = range(2)
LENGTHS = (COINCIDE, IN_PLANE, DISTANCE)  # rows in m
# kinds of coordinates that forces, motions and relations act on
TREE_COORDINATE, ANGLE, DISPLACEMENT = range(3)
TURNING = 3  # a rate about an axis without a value: of an angular velocity

LINK = np.dtype(
    [
        ("parent", "i8"),
        ("kind", "i8"),
        ("iq", "i8"),  # first position coordinate
        ("iv", "i8"),  # first velocity coordinate
        ("nv", "i8"),
        ("last_dof", "i8"),  # last dof on the way from the ground, -1 if there is none
        ("flexible", "i8"),  # number of the flexible body whose frame this is, or -1
        ("pitch", "f8"),  # m/rad, screw only
        ("position", "f8", 3),  # of the joint in the parent's frame
        ("rotation", "f8", (3, 3)),
        ("mass", "f8"),
        ("moment", "f8", 3),  # mass times centre of mass, link axes
        ("inertia", "f8", (3, 3)),  # about the link origin, link axes
    ],
    align=True,
)

LINK_DATA = np.dtype(
    [
        ("p", "f8", 3),
        ("R", "f8", (3, 3)),
        ("arm", "f8", 3),  # from the parent's origin; far from the ground a difference of places has fewer digits
        ("v", "f8", 3),  # velocity of the origin
        ("w", "f8", 3),  # angular velocity
        ("a", "f8", 3),  # acceleration of the origin, less gravity
        ("e", "f8", 3),  # angular acceleration
        ("force", "f8", 3),  # carried to the parent, at the origin
        ("torque", "f8", 3),
        ("load", "f8", 3),  # applied forces gathered at the origin
        ("load_torque", "f8", 3),
        ("cm", "f8"),  # composite mass, moment and inertia at the origin
        ("cs", "f8", 3),
        ("cj", "f8", (3, 3)),
    ],
    align=True,
)

DOF = np.dtype([("link", "i8"), ("previous", "i8"), ("local", "i8")], align=True)
DOF_DATA = np.dtype([("angular", "f8", 3), ("linear", "f8", 3)], align=True)  # motion per unit speed at the link origin

FLEXIBLE = np.dtype(
    [
        ("link", "i8"),
        ("iq", "i8"),  # first modal coordinate in q
        ("iv", "i8"),  # and in v
        ("n", "i8"),  # number of modes
        ("constants", "i8"),  # start of its numbers in the pool, see kernels.flexible
        ("matrices", "i8"),  # start of its mass, stiffness and damping matrices in the pool
        ("work", "i8"),  # start of its workspace in the workspace pool
        ("diagonal", "i8"),  # 1: mass is the identity, stiffness and damping are diagonal
        ("mass", "f8"),
        ("coriolis", "f8"),  # 1 or 0
    ],
    align=True,
)

MARKER = np.dtype(
    [
        ("link", "i8"),
        ("flexible", "i8"),  # -1 on a rigid link
        ("shapes", "i8"),  # start of its 6 x n shape rows in the pool
        ("work", "i8"),  # start of its 6 x n deformed shape rows (body axes) in the workspace pool
        ("quadratic", "i8"),  # start of its second-order matrices G_k[i, j] in the pool as [j, k, i] (n, 6, n), or -1
        ("position", "f8", 3),  # undeformed, link axes
        ("rotation", "f8", (3, 3)),
    ],
    align=True,
)

MARKER_DATA = np.dtype(
    [
        ("p", "f8", 3),
        ("R", "f8", (3, 3)),
        ("v", "f8", 3),
        ("w", "f8", 3),
        ("a", "f8", 3),  # acceleration; with zero coordinate accelerations it is the convective part
        ("e", "f8", 3),
        # the rest only on flexible bodies, in body axes
        ("u", "f8", 3),  # deformed position
        ("theta", "f8", 3),  # rotation vector
        ("node", "f8", (3, 3)),  # frame of the node, world axes
        ("u_rate", "f8", 3),
        ("spin", "f8", 3),
        ("local_a", "f8", 3),
        ("local_e", "f8", 3),
        ("theta_rate", "f8", 3),
        ("theta_bend", "f8", 3),
    ],
    align=True,
)

COORDINATE = np.dtype(
    [
        ("kind", "i8"),
        ("iq", "i8"),  # tree coordinate
        ("iv", "i8"),
        ("a", "i8"),  # markers; the coordinate is that of a relative to b
        ("b", "i8"),
        ("axis", "i8"),  # column of b's frame
        ("memory", "i8"),  # angle: where its last accepted value is kept, to count turns
    ],
    align=True,
)
COORDINATE_DATA = np.dtype([("value", "f8"), ("rate", "f8"), ("convective", "f8")], align=True)

ROW = np.dtype(
    [
        ("kind", "i8"),
        ("level", "i8"),  # PLACES or SPEEDS
        ("a", "i8"),  # markers
        ("b", "i8"),
        ("axis_a", "i8"),  # column of the marker's frame
        ("axis_b", "i8"),
        ("length", "f8"),
        ("first_term", "i8"),  # its terms: factor * coordinate, of an expression its slope * sensor
        ("last_term", "i8"),
        # relation: programs of f(t), f'(t), f''(t) start here, or -1; expression: those of kernels.terms
        ("program", "i8"),
        ("work", "i8"),  # start of its workspace in the workspace pool
    ],
    align=True,
)
ROW_DATA = np.dtype(
    [
        ("value", "f8"),  # zero of a row of speeds
        ("rate", "f8"),  # what speeds do not give of the first derivative: the partial one by time
        ("convective", "f8"),  # second derivative with zero coordinate accelerations
        ("force_a", "f8", 3),  # the row's coefficients on the velocities of marker a and b
        ("torque_a", "f8", 3),
        ("force_b", "f8", 3),
        ("torque_b", "f8", 3),
    ],
    align=True,
)
TERM = np.dtype(
    [
        ("coordinate", "i8"),
        ("factor", "f8"),
        ("sensor", "i8"),  # of an expression: of the speed that belongs to its variable
    ],
    align=True,
)

# kinds of force elements (see kernels.forces); the first four have one number for elongation, rate and force
COORDINATE_FORCE, SPRING, FRICTION, BUMP_STOP, BUSHING, POINT_LOAD, CONTACT_PLANE, USER_FORCE, WHEEL_RAIL = range(9)
WHEEL_ON_TRACK = 9
OFF = -1  # does not act in this stage
CONTACTS = (BUMP_STOP, CONTACT_PLANE, WHEEL_RAIL)  # push from where they touch
# what friction with stick did in the last accepted step, beside the force it held and its elongation
FRESH, STICKS, SLIDES = range(3)
# what is passed to a user's function and back: time, position, rotation, velocities; force and torque
USER_ARGUMENTS, USER_VALUES = 19, 25
# creep laws of a wheel on a rail
LINEAR_CREEP, SATURATED_CREEP, POLACH_CREEP = range(3)
# variables of programs: time, then the element's own coordinate, rate and length, then the sensors
SLOT_TIME, SLOT_COORDINATE, SLOT_RATE, SLOT_LENGTH, FIRST_SENSOR = range(5)
# what a sensor measures
SENSE_POSITION, SENSE_VELOCITY, SENSE_ANGULAR_VELOCITY, SENSE_COORDINATE, SENSE_RATE, SENSE_MODAL, SENSE_MODAL_RATE = (
    range(7)
)
# and what it is made of: a number of the memory, or a program of the sensors before it
SENSE_MEMORY, SENSE_PROGRAM = 7, 8
# component i of axis k of a marker, in the axes of another one: component 3 k + i
SENSE_AXIS = 9
# foot of the perpendicular on a surface, its two coordinates behind each other: programs of a start and of corrections
SENSE_FOOT = 10

BUSHING_LAW = np.dtype(
    [
        ("stiffness", "f8", (6, 6)),  # displacements, then rotations, in the axes of b
        ("damping", "f8", (6, 6)),
        ("preload", "f8", 6),  # on a
    ],
    align=True,
)
RAIL_LAW = np.dtype(
    [
        ("half_gauge", "f8"),  # m
        ("law", "i8"),
        ("shear", "f8"),  # Pa, modulus
        ("axis_x", "f8"),  # half axes of the contact ellipse: times the load to the power of axis_exponent [m]
        ("axis_y", "f8"),
        ("axis_exponent", "f8"),
        ("c11", "f8"),  # Kalker's coefficients
        ("c22", "f8"),
        ("c23", "f8"),
        ("c33", "f8"),
        ("friction", "f8"),  # coefficient, its share that is left at high slip, and how fast it falls to it [s/m]
        ("friction_ratio", "f8"),
        ("friction_decay", "f8"),
        ("adhesion", "f8"),  # reductions of the initial slope in Polach's law: where it adheres, where it slips
        ("slip", "f8"),
    ],
    align=True,
)
FORCE = np.dtype(
    [
        ("kind", "i8"),
        ("a", "i8"),  # markers, -1 if unused
        ("b", "i8"),
        ("coordinate", "i8"),
        ("program", "i8"),  # first of its programs, or -1
        ("static", "i8"),  # program of the part of its law that has a potential (see static_laws), or -1
        ("stored", "i8"),  # where an observer remembers a coordinate and the potential there, or -1
        ("memory", "i8"),  # start of what it remembers between steps
        ("work", "i8"),  # start of its workspace in the workspace pool
        ("user", "i8"),  # address of the function it calls, the user's or that of a wheel on the track, or 0
        ("setup", "i8"),  # place in memory of what a wheel on the track is like, or 0
        ("body_axes", "i8"),  # point load: 1 if in the axes of its marker
        # parameters that several kinds share
        ("side", "f8"),  # in a joint: sign of a's side; friction along an axis of b: 1; wheel: 1 left, -1 right
        ("length", "f8"),  # m, free
        ("stiffness", "f8"),
        ("damping", "f8"),
        ("preload", "f8"),
        ("exponent", "f8"),  # of the penetration
        ("clearance", "f8"),  # of a bump stop, under compression and under extension
        ("rebound", "f8"),
        ("radius", "f8"),  # m, of the sphere on a plane
        ("friction", "f8"),  # coefficient, on a plane
        ("speed", "f8"),  # m/s, rad/s: at which friction has grown, or creepage is cut off
        ("static_ratio", "f8"),  # of friction that holds to friction that slides
        ("bushing", BUSHING_LAW),
        ("rail", RAIL_LAW),
    ],
    align=True,
)
FORCE_DATA = np.dtype(
    [
        # in a joint: force [N] or torque [N m] on the coordinate; along a line: tension [N]; contacts: push [N];
        # else the size of the force [N]
        ("value", "f8"),
        # in a joint: the coordinate [rad, m]; along a line: length less free length [m]; contacts: penetration [m];
        # else the distance of the places [m], zero for a point load
        ("elongation", "f8"),
        ("rate", "f8"),  # of the elongation [rad/s, m/s]
        ("power", "f8"),  # W, into the system
        ("force", "f8", 3),  # N, on marker a at its place, world axes
        ("torque", "f8", 3),  # N m, on marker a, world axes
        # friction with stick: held force, elongation, STICKS or SLIDES, to be remembered if the step is accepted;
        # wheel on rail: longitudinal and lateral creepage, spin [1/m], in the direction of travel
        ("state", "f8", 3),
    ],
    align=True,
)
SENSOR = np.dtype([("kind", "i8"), ("index", "i8"), ("component", "i8"), ("other", "i8")], align=True)
#: a state variable: where its value lies in the memory, the slot of its rate, and what is large for it
STATE = np.dtype([("memory", "i8"), ("rate", "i8"), ("size", "f8")], align=True)
# what a block holds
SAMPLED, SWITCHED, DELAYED = range(3)
#: a value held between instants: where it lies in the memory, and the slot of its input
HELD = np.dtype(
    [
        ("kind", "i8"),
        ("memory", "i8"),
        ("input", "i8"),
        ("given", "i8"),  # of a delay, 1: its value before the history begins is known
        ("length", "f8"),  # s, period of samples or delay; input at which a switch turns on
        ("other", "f8"),  # s, time of the first sample; input at which a switch turns off
        ("size", "f8"),  # what is large for it
    ],
    align=True,
)


class Tables(NamedTuple):
    """Everything constant about a system, as the kernels read it."""

    links: np.ndarray
    dofs: np.ndarray
    flexible: np.ndarray
    markers: np.ndarray
    coordinates: np.ndarray
    rows: np.ndarray
    spare: np.ndarray  # rows left out because they follow from the others
    terms: np.ndarray
    forces: np.ndarray
    sensors: np.ndarray
    states: np.ndarray
    held: np.ndarray
    gravity: np.ndarray  # (3,)
    pool: np.ndarray  # float64 numbers of flexible bodies and shapes
    code: np.ndarray  # programs of the expressions
    constants: np.ndarray
    begin: np.ndarray
    table_begin: np.ndarray
    table_x: np.ndarray
    table_coefficients: np.ndarray


def sealed(tables: Tables) -> Tables:
    """Return the tables themselves, which nobody can write to from now on; kernels are compiled for such arrays."""
    for array in tables:
        array.setflags(write=False)
    return tables


class Data(NamedTuple):
    """The workspace of one evaluation; every number in it is overwritten by the stages."""

    links: np.ndarray
    dofs: np.ndarray
    markers: np.ndarray
    coordinates: np.ndarray
    rows: np.ndarray
    spare: np.ndarray
    forces: np.ndarray
    pool: np.ndarray
    slots: np.ndarray
    stack: np.ndarray
    # what friction with stick and angle counters remember from the last accepted step; values of states, as tried
    memory: np.ndarray
