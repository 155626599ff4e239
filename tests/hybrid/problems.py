"""Published problems of rigid multibody dynamics as models, with the numbers their sources give. SI units.

Planar mechanisms lie in the x-y plane and turn about z; all are described in space, so that revolute joints of
planar loops hold each other out of the plane and rows are redundant, as they are in a user's model.
"""

from __future__ import annotations

import numpy as np

from floatframe import hybrid as h

GRAVITY = 9.81


def pendulum() -> h.Model:
    """IFToMM A01: a point mass of 1 kg on a massless rod of 1 m, released at (-1, 0). Joint "hinge", body "bob"."""
    model = h.Model(gravity=(0, -GRAVITY, 0))
    bob = model.add(h.RigidBody("bob", mass=1.0, com=(-1, 0, 0)))
    model.add(h.revolute("hinge", bob.at(), model.ground.at()))
    return model


def four_bars(n: int = 2) -> h.Model:
    """IFToMM A02: n parallelograms in a row of 2n + 1 uniform rods, upright, the tip B0 at 1 m/s along x.

    Bodies "upright0" ... and "bar1" ...; hinges "foot0" ..., "left1" ... (bar on the upright before it), "right1" ...
    """
    model = h.Model(gravity=(0, -GRAVITY, 0))
    rod = {"mass": 1.0, "inertia": (1 / 12, 1 / 12, 1 / 12)}
    uprights = [model.add(h.RigidBody(f"upright{k}", **rod, com=(0, 0.5, 0), position=(k, 0, 0))) for k in range(n + 1)]
    for k, upright in enumerate(uprights):
        model.add(h.revolute(f"foot{k}", upright.at(), model.ground.at((k, 0, 0)), start_rate=-1.0 if k == 0 else None))
    for k in range(1, n + 1):
        bar = model.add(h.RigidBody(f"bar{k}", **rod, com=(0.5, 0, 0), position=(k - 1, 1, 0)))
        model.add(h.revolute(f"left{k}", bar.at(), uprights[k - 1].at((0, 1, 0))))
        model.add(h.revolute(f"right{k}", bar.at((1, 0, 0)), uprights[k].at((0, 1, 0))))
    return model


def four_bars_acceleration(n: int) -> float:
    """theta'' = factor * sin(theta) of `four_bars`, theta being the angle of the uprights from the vertical."""
    return ((n + 1) / 2 + n) / ((n + 1) / 3 + n) * GRAVITY


#: start values of Andrews' squeezer: beta, Theta, gamma, Phi, delta, Omega, epsilon
ANDREWS_START = (
    -0.0617138900142764496,
    0.0,
    0.455279819163070380,
    0.222668390165885885,
    0.487364979543842550,
    -0.222668390165885885,
    1.23054744454982119,
)
ANDREWS_JOINTS = ("beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon")


def andrews(start: tuple[float, ...] = ANDREWS_START) -> h.Model:
    """Andrews' squeezer (IFToMM A03): seven bodies, driven by a torque, held by a spring.

    The hinges are named after the seven relative angles of the literature; "E3", "E4", "E6" close the three loops.
    """
    A, B, C = (-0.06934, -0.00227, 0), (-0.03635, 0.03273, 0), (0.014, 0.072, 0)
    d, da, e, ea, rr, ra, ss, sa, sb = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092, 0.035, 0.01874, 0.01043
    sc, sd, ta, tb, u, ua, ub, zf, zt, fa = 0.018, 0.02, 0.02308, 0.00916, 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
    mass = (0.04325, 0.00365, 0.02373, 0.00706, 0.0705, 0.00706, 0.05498)
    spin = (2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
    centres = ((ra, 0), (-da, 0), (sb, -sa), (0, ea - e), (ta, -tb), (zf - fa, 0), (ub, -ua))
    model = h.Model()
    K = [
        model.add(h.RigidBody(f"K{k + 1}", mass=mass[k], inertia=(spin[k],) * 3, com=(*centres[k], 0)))
        for k in range(7)
    ]
    beta, theta, gamma, phi, delta, omega, epsilon = start
    ground = model.ground
    model.add(h.revolute("beta", K[0].at(), ground.at(), start=beta))
    model.add(h.revolute("Theta", K[1].at(), K[0].at((rr, 0, 0)), start=theta))
    model.add(h.revolute("gamma", K[2].at(), ground.at(B), start=gamma))
    model.add(h.revolute("delta", K[4].at(), ground.at(A), start=delta))
    model.add(h.revolute("Phi", K[3].at(), K[4].at((zt, 0, 0)), start=phi))
    model.add(h.revolute("epsilon", K[6].at(), ground.at(A), start=epsilon))
    model.add(h.revolute("Omega", K[5].at(), K[6].at((0, -u, 0)), start=omega))
    E = K[1].at((-d, 0, 0))
    model.add(h.revolute("E3", K[2].at((0, -ss, 0)), E, cut=True))
    model.add(h.revolute("E4", K[3].at((0, -e, 0)), E, cut=True))
    model.add(h.revolute("E6", K[5].at((zf, 0, 0)), E, cut=True))
    model.add(h.joint_torque("drive", "beta", 0.033))
    model.add(h.spring("spring", K[2].at((sd, -sc, 0)), ground.at(C), stiffness=4530.0, length=0.07785))
    return model


BRICARD_POINTS = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)], dtype=float)


def bricard() -> h.Model:
    """IFToMM A04: Bricard's mechanism, five rods of 1 m and 1 kg and six hinges; overconstrained, one dof.

    Bodies "rod1" ... "rod5", rod k from P(k-1) to P(k); hinges "P0" ... "P5".
    """
    model = h.Model(gravity=(0, -GRAVITY, 0))
    across, along = (1 + 0.01) / 12, 0.02 / 12
    x, y, z = np.eye(3)
    axes = (y, z, x, y, z, x)
    before = model.ground.at(BRICARD_POINTS[0])
    for k in range(5):
        direction = BRICARD_POINTS[k + 1] - BRICARD_POINTS[k]
        inertia = np.where(direction != 0.0, along, across)
        rod = model.add(h.RigidBody(f"rod{k + 1}", 1.0, inertia, com=0.5 * direction, position=BRICARD_POINTS[k]))
        model.add(h.revolute(f"P{k}", rod.at(), before, axis=axes[k]))
        before = rod.at(direction)
    model.add(h.revolute("P5", before, model.ground.at(BRICARD_POINTS[5]), axis=axes[5]))
    return model


def spatial_slider_crank() -> h.Model:
    """IFToMM spatial slider-crank: crank about x at 6 rad/s, ball at B, cross at C, slider along x.

    At C a direction fixed on the rod, along x at the start, stays at right angles to the slider's y axis. Bodies
    "crank", "rod", "slider"; joints "A", "B", "C", "slide".
    """
    model = h.Model(gravity=(0, 0, -GRAVITY))
    A, B, C = np.array([0, 0.1, 0.12]), np.array([0, 0.1, 0.2]), np.array([0.2, 0, 0])
    x = (C - B) / 0.3
    y = np.cross((0, 0, 1), x) / np.linalg.norm(np.cross((0, 0, 1), x))
    R = np.column_stack((x, y, np.cross(x, y)))
    crank = model.add(h.RigidBody("crank", 0.12, (1e-4, 1e-4, 1e-5), com=(0, 0, 0.04), position=A))
    rod = model.add(h.RigidBody("rod", 0.5, (4e-4, 4e-3, 4e-3), com=(0.15, 0, 0), position=B, rotation=R))
    slider = model.add(h.RigidBody("slider", 2.0, (1e-4, 1e-4, 1e-4), position=C))
    model.add(h.revolute("A", crank.at(), model.ground.at(A), axis=(1, 0, 0), start_rate=6.0))
    model.add(h.prismatic("slide", slider.at(), model.ground.at(), axis=(1, 0, 0)))
    model.add(h.spherical("B", rod.at(), crank.at((0, 0, 0.08))))
    model.add(h.universal("C", rod.at((0.3, 0, 0)), slider.at(), axis_a=R.T @ (1, 0, 0), axis_b=(0, 1, 0)))
    return model


def sundials_slider_crank() -> h.Model:
    """The planar slider-crank of SUNDIALS' idaSlCrank: coordinates q (joint "crank"), x and p of the rod.

    The rod's mass sits at the slider C; a spring joins the middles of crank and rod, a force F pulls the rod's end
    beyond the slider along x. Bodies "crank", "rod", joints "A", "B", "C" (C carries x as its coordinate).
    """
    a = 0.5
    q, p = 0.5 * np.pi, np.arcsin(-a)
    model = h.Model()
    crank = model.add(h.RigidBody("crank", 1.0, (1, 1, 1)))
    rod = model.add(h.RigidBody("rod", 1.0, (2, 2, 2)))
    model.add(h.revolute("A", crank.at(), model.ground.at(), start=q))
    model.add(h.revolute("B", rod.at((-1, 0, 0)), crank.at((a, 0, 0)), start=p - q))
    model.add(h.point_on_line("C", rod.at(), model.ground.at(), axis=(1, 0, 0)))
    model.add(h.spring("spring", rod.at((-0.5, 0, 0)), crank.at((a / 2, 0, 0)), stiffness=1, damping=1, length=1))
    model.add(h.point_force("pull", rod.at((1, 0, 0)), (1, 0, 0)))
    return model


def double_pendulum() -> h.Model:
    """Two point masses of 1 kg on rods of 1 m, both level and at rest; angles from hanging down along -y.

    Hinge "first" measures theta_1, hinge "second" theta_2 - theta_1.
    """
    model = h.Model(gravity=(0, -GRAVITY, 0))
    before = model.ground.at()
    for name, angle in (("first", 0.5 * np.pi), ("second", 0.0)):
        ball = model.add(h.RigidBody(f"{name}_ball", 1.0, com=(0, -1, 0)))
        model.add(h.revolute(name, ball.at(), before, start=angle))
        before = ball.at((0, -1, 0))
    return model


#: positions and velocities x, y of the left and the right mass of `car_axis` at 3 s
CAR_AXIS_END = {
    "position": (0.0493455784275402809, 0.496989460230171154, 1.04174252488542152, 0.373911027265361257),
    "velocity": (-0.0770583684040972358, 0.00744686658723778553, 0.0175568157537232222, 0.770341043779251976),
}


def car_axis() -> h.Model:
    """The car axis of the IVP test set: two masses on stiff springs, the left one across an axis that a bump tilts.

    Bodies "axis", "left", "right". The masses are points; what inertia they have here never turns.
    """
    model = h.Model(gravity=(0, -1, 0))
    mass = 10 * 1e-2**2 / 2
    axis = model.add(h.RigidBody("axis", 1.0, (1, 1, 1)))
    left = model.add(h.RigidBody("left", mass, (1, 1, 1), position=(0, 0.5, 0), velocity=(-0.5, 0, 0)))
    right = model.add(h.RigidBody("right", mass, (1, 1, 1), position=(1, 0.5, 0), velocity=(-0.5, 0, 0)))
    model.add(h.revolute("tilt", axis.at(), model.ground.at()))
    model.add(h.motion("bump", "tilt", "asin(0.1*sin(10*t))"))
    model.add(h.point_on_line("across", left.at(), axis.at(), axis=(0, 1, 0)))
    model.add(h.point_on_plane("level", right.at(), model.ground.at()))
    model.add(h.distance("track", right.at(), left.at(), length=1.0))
    model.add(h.spring("left_spring", left.at(), axis.at(), stiffness=1.0, length=0.5))
    model.add(h.spring("right_spring", right.at(), axis.at((1, 0, 0)), stiffness=1.0, length=0.5))
    return model


#: angular velocity of `heavy_top` at the start, body axes [rad/s]
HEAVY_TOP_SPIN = (0.0, 150.0, -4.61538)


def heavy_top() -> h.Model:
    """The heavy top of Géradin and Cardona (2001): 15 kg at 1 m from a ball joint along y, spinning at 150 rad/s."""
    model = h.Model(gravity=(0, 0, -GRAVITY))
    inertia = (0.234375, 0.46875, 0.234375)
    top = model.add(h.RigidBody("top", 15.0, inertia, com=(0, 1, 0), angular_velocity=HEAVY_TOP_SPIN))
    model.add(h.spherical("pivot", top.at(), model.ground.at()))
    return model
