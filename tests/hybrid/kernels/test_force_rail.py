"""A wheel on a rail: published creep coefficients and forces, Hertz's contact, geometry, Klingel's wave."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar

from floatframe import hybrid as h
from floatframe.errors import ModelError
from floatframe.hybrid.description.rail import wheel_rail
from floatframe.hybrid.kernels.layout import LINEAR_CREEP, POLACH_CREEP, RAIL_LAW, SATURATED_CREEP
from floatframe.railway import hertz_contact, kalker_coefficients
from tests.hybrid.floating_pair import Outcome

R0, GAUGE, CONE = 0.46, 0.75, 0.05


# ---------------------------------------------------------------------------------------------------- coefficients
def test_kalker_coefficients_of_the_table():
    """Kalker 1990, table E3."""
    assert kalker_coefficients(1.0, 0.25) == pytest.approx((4.12, 3.67, 1.47, 1.19), rel=1e-12)
    assert kalker_coefficients(0.1, 0.0) == pytest.approx((2.51, 2.51, 0.334, 6.42), rel=1e-12)
    assert kalker_coefficients(1 / 0.3, 0.5) == pytest.approx((7.34, 7.51, 5.01, 0.446), rel=1e-12)
    between = kalker_coefficients(0.45, 0.25)
    assert between == pytest.approx((3.575, 2.945, 0.876, 2.125), rel=1e-12)
    # linear in b/a beyond 1: halfway between rows .8 and .7
    assert kalker_coefficients(1 / 0.75, 0.25).c11 == pytest.approx((4.36 + 4.54) / 2, rel=1e-12)
    # reciprocal quadratic in the Poisson ratio through 1/3.40, 1/4.12, 1/5.20
    weights = 0.5 * 0.5 * 1.5, 0.5 * 1.5, -0.5 * 0.5 * 0.5
    expected = 1 / (weights[0] / 3.40 + weights[1] / 4.12 + weights[2] / 5.20)
    assert kalker_coefficients(1.0, 0.125).c11 == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("ratio", "poisson"), [(0.05, 0.3), (11.0, 0.3), (1.0, 0.6)])
def test_coefficients_are_refused_beyond_the_table(ratio, poisson):
    with pytest.raises(ModelError, match="expected a/b between"):
        kalker_coefficients(ratio, poisson)


def test_hertz_contact_of_spheres_and_crossed_cylinders():
    E, nu, radius, load = 2.1e11, 0.28, 0.5, 80e3
    modulus = E / (2 * (1 - nu**2))
    a = np.cbrt(3 * load * radius / (4 * modulus))  # circular contact, Hertz 1881
    found = hertz_contact(radius, radius, E, nu)
    assert (found.axis_x * np.cbrt(load), found.axis_y * np.cbrt(load)) == pytest.approx((a, a), rel=1e-9)
    assert found.stiffness * (a * a / radius) ** 1.5 == pytest.approx(load, rel=1e-9)
    wheel = hertz_contact(0.46, 0.3, E, nu)
    turned = hertz_contact(0.3, 0.46, E, nu)
    assert (wheel.axis_x, wheel.axis_y) == pytest.approx((turned.axis_y, turned.axis_x), rel=1e-12)
    assert wheel.axis_x > wheel.axis_y  # longer along the larger radius
    # Johnson's approximation b/a = (A/B)^(2/3) holds to 3 % for moderate ratios
    assert wheel.axis_y / wheel.axis_x == pytest.approx((0.3 / 0.46) ** (2 / 3), rel=0.03)


# ------------------------------------------------------------------------------------------------------ creep forces
class CreepLaw:
    """The kernel run as plain Python on the parameters of the check in verification F5."""

    def __init__(self, law: int, spin: bool = True) -> None:
        from floatframe.hybrid.kernels.forces_rail import creep_forces

        self.kernel, self.rail = creep_forces, np.zeros(1, np.dtype((np.record, RAIL_LAW)))[0]
        self.rail.law, self.rail.shear = law, 8e10
        self.rail.axis_x = self.rail.axis_y = 6e-3
        self.rail.c11, self.rail.c22, self.rail.c23, self.rail.c33 = 4.12, 3.67, 1.47 if spin else 0.0, 1.19
        self.rail.friction, self.rail.friction_ratio = 0.3, 1.0
        self.rail.adhesion = self.rail.slip = 1.0

    def __call__(self, sx, sy=0.0, phi=0.0, load=60e3, speed=20.0):
        return np.array(self.kernel(self.rail, sx, sy, phi, load, speed))


def test_polach_check_values():
    law = CreepLaw(POLACH_CREEP)
    assert law(1e-3)[0] == pytest.approx(-10153.1, abs=0.05)  # given to 0.1 N
    assert law(1e-6)[0] / 1e-6 == pytest.approx(-1.18656e7, rel=1e-5)  # six digits given
    np.testing.assert_array_equal(law(0.0), 0)


def test_linear_law():
    G, ab = 8e10, 36e-6
    sx, sy, phi = 1e-4, -2e-4, 0.05
    expected = (
        -G * ab * 4.12 * sx,
        -G * ab * 3.67 * sy - G * ab**1.5 * 1.47 * phi,
        G * ab**1.5 * 1.47 * sy - G * ab**2 * 1.19 * phi,
    )
    np.testing.assert_allclose(CreepLaw(LINEAR_CREEP)(sx, sy, phi), expected, rtol=1e-13)


@pytest.mark.parametrize("law", [SATURATED_CREEP, POLACH_CREEP])
def test_laws_have_kalkers_slope_and_the_limit_of_friction(law):
    full, linear = CreepLaw(law), CreepLaw(LINEAR_CREEP)
    for creep in ((1e-8, 0, 0), (0, 1e-8, 0), (0, 0, 1e-6)):
        # both fall below the slope by a share of the order of slope * creep / limit = 6e-6
        np.testing.assert_allclose(full(*creep)[:2], linear(*creep)[:2], rtol=1e-4, atol=1e-9)
    # Polach's force lies against the creepage, Kalker's does not quite; their sizes agree
    oblique = 6e-9, 8e-9
    assert np.hypot(*full(*oblique)[:2]) == pytest.approx(np.hypot(*linear(*oblique)[:2]), rel=1e-4)
    for direction in ((1, 0), (0, 1), (0.6, 0.8)):
        sizes = [np.hypot(*full(*(s * np.array(direction)))[:2]) for s in np.geomspace(1e-6, 1, 60)]
        assert np.all(np.diff(sizes) >= -1e-9 * 18e3)
        assert sizes[-1] == pytest.approx(0.3 * 60e3, rel=1e-3)  # Polach's approaches it like 1/creep
    opposed = full(3e-3, 4e-3)
    np.testing.assert_allclose(full(-3e-3, -4e-3), -opposed, rtol=1e-13)


def test_polach_with_spin_alone_pushes_against_it():
    law = CreepLaw(POLACH_CREEP)
    forces = [law(0, 0, phi)[1] for phi in (1e-3, 0.1, 1.0, 10.0)]
    assert np.all(np.array(forces) < 0)
    assert forces[0] == pytest.approx(-8e10 * (36e-6) ** 1.5 * 1.47 * 1e-3, rel=1e-3)
    assert law(0, 0, -1.0)[1] == pytest.approx(-forces[2], rel=1e-13)


def test_friction_falls_with_the_sliding_speed():
    law = CreepLaw(POLACH_CREEP)
    law.rail.friction, law.rail.friction_ratio, law.rail.friction_decay = 0.55, 0.4, 0.6
    s, v, load = 0.1, 20.0, 60e3
    mu = 0.55 * ((1 - 0.4) * math.exp(-0.6 * s * v) + 0.4)
    epsilon = 8e10 * math.pi * 36e-6 * 4.12 * s / (4 * load * mu)
    expected = 2 * load * mu / math.pi * (epsilon / (1 + epsilon**2) + math.atan(epsilon))
    assert law(s, speed=v)[0] == pytest.approx(-expected, rel=1e-12)


# ---------------------------------------------------------------------------------------------------------- geometry
class Wheelset:
    """A wheelset with the coordinates x, y, z, yaw, roll and spin on a track."""

    def __init__(self, **wheel) -> None:
        model = self.model = h.Model(gravity=(0, 0, -9.81))
        axle = model.add(h.RigidBody("axle", 1813.0, (1120, 112, 1120)))
        steps = [h.translate(a) for a in np.eye(3).tolist()]
        steps += [h.rotate((0, 0, 1)), h.rotate((1, 0, 0)), h.rotate((0, 1, 0))]
        model.add(h.general("J", axle.at(), model.ground.at(), steps))
        wheel = {"radius": R0, "conicity": CONE, "half_gauge": GAUGE, **wheel}
        for side, y in (("left", GAUGE), ("right", -GAUGE)):
            model.add(wheel_rail(side, wheel=axle.at((0, y, 0)), track=model.ground.at(), side=side, **wheel))
        self.out = Outcome(model)

    def at(self, q, v):
        start = self.out.system.start
        return self.out.evaluate(
            type(start)(0.0, np.asarray(q, float), np.asarray(v, float), start.memory)
        ).now.data.forces

    def acceleration(self, q, v):
        self.at(q, v)
        return self.out.system.accelerations(self.out.state)[0]

    def rest_height(self, speed=0.0):
        rolling = np.array([speed, 0, 0, 0, 0, speed / R0])
        return brentq(lambda z: self.acceleration([0, 0, z, 0, 0, 0], rolling)[2], R0 - 1e-3, R0 - 1e-9, xtol=1e-15)


def contact_depth(c, axle, side, slope=CONE):
    """Depth of the rail's line in the cone, by search along the line."""
    s = np.linspace(-0.02, 0.02, 400001)
    arm = np.stack([s, np.full_like(s, side * GAUGE - c[1]), np.full_like(s, -c[2])], axis=1)
    eta = arm @ axle
    radial = np.linalg.norm(arm - eta[:, None] * axle, axis=1)
    return ((R0 - side * slope * eta - radial) / math.hypot(1, slope)).max()


@pytest.mark.parametrize("q", [(3, 0.004, R0 - 5e-4, 0.01, 3e-4, 0.7), (0, -0.006, R0 - 4e-4, -0.02, -0.001, 2.0)])
def test_penetration_is_the_deepest_place_of_the_cone(q):
    wheelset = Wheelset(stiffness=1e9)
    left, right = wheelset.at(q, np.zeros(6))
    x, y, z, yaw, roll, _ = q
    axle = np.array([-math.sin(yaw) * math.cos(roll), math.cos(yaw) * math.cos(roll), math.sin(roll)])
    for report, side in ((left, 1), (right, -1)):
        depth = contact_depth(np.array([x, y, z]) + side * GAUGE * axle, axle, side)
        # the search has steps of 1e-7 m, and a parabola of radius 0.46 m around the deepest place
        assert report["elongation"] == pytest.approx(depth, abs=1e-13 + (1e-7) ** 2)
        assert report["value"] == pytest.approx(1e9 * max(depth, 0.0), rel=1e-8)


def test_push_derives_from_a_potential():
    """Without friction the generalised force is the negative gradient of k depth^2/2 in all six coordinates."""
    wheelset = Wheelset(stiffness=1e9, friction=0.0, law="saturated")
    q = np.array([1.0, 0.004, R0 - 8e-4, 0.01, 3e-4, 0.7])
    assert np.all(wheelset.at(q, np.zeros(6))["value"] > 0)
    at_rest = np.zeros(6)

    def energy(q):
        return 0.5e9 * (wheelset.at(q, at_rest)["elongation"] ** 2).sum()

    # symmetric differences of a nearly quadratic energy: rounding of 600 J over a step of 1e-6 is 1e-7 N of 2e6 N
    gradient = [(energy(q + d) - energy(q - d)) / 2e-6 for d in 1e-6 * np.eye(6)]
    wheelset.at(q, at_rest)
    force = -wheelset.out.now.residual
    np.testing.assert_allclose(force, -np.array(gradient), atol=1e-6 * np.abs(force).max())


def test_rolling_wheelset_has_only_spin_creepage():
    wheelset = Wheelset(stiffness=1e9)
    z = wheelset.rest_height(20.0)
    left, right = wheelset.at([0, 0, z, 0, 0, 0], [20, 0, 0, 0, 0, 20 / R0])
    spin = -math.sin(math.atan(CONE)) / R0
    # the deepest point lies deeper than the circle that rolls, by the elastic approach of 1e-5 m
    assert left["state"][:2] == pytest.approx((0, 0), abs=1e-4)
    assert left["state"][2] == pytest.approx(spin, rel=1e-4)
    assert right["state"][2] == pytest.approx(-spin, rel=1e-4)
    total = left["force"] + right["force"]
    assert total[2] == pytest.approx(1813 * 9.81, rel=1e-9)
    assert total[1] == pytest.approx(0, abs=1e-6)
    # to the right is to the left seen in a mirror
    np.testing.assert_allclose(left["force"], right["force"] * (1, -1, 1), rtol=1e-9)


def by_hand(q, v, side, depth, stiffness=1e9):
    """Force of the rail on a wheel and its moment about the wheel's centre with the linear law, all vectors in 3-D."""
    along, _, up = np.eye(3)
    yaw, roll = q[3:5]
    ahead = np.array([math.cos(yaw), math.sin(yaw), 0])
    axle = np.cross([0, 0, 1], ahead) * math.cos(roll) + up * math.sin(roll)
    omega = v[3] * up + v[4] * ahead + v[5] * axle
    centre = np.array(q[:3]) + side * GAUGE * axle
    velocity = np.array(v[:3]) + np.cross(omega, side * GAUGE * axle)

    def shallow(s):
        arm = np.array([s, side * GAUGE - centre[1], -centre[2]])
        eta = arm @ axle
        return np.linalg.norm(arm - eta * axle) - (R0 - side * CONE * eta)

    s = minimize_scalar(shallow, (-0.01, 0.01), tol=1e-12).x
    lever = np.array([s, side * GAUGE - centre[1], -centre[2]])
    radial = lever - (lever @ axle) * axle
    outward = radial / np.linalg.norm(radial) + side * CONE * axle
    normal = -outward / np.linalg.norm(outward)
    # rolling frame: x in the direction of travel
    ex = along * np.sign(velocity[0])
    ey = np.cross(normal, ex)
    speed = math.hypot(velocity[0], 0.1)
    slip = (velocity + np.cross(omega, lever)) / speed
    sx, sy, phi = slip @ ex, slip @ ey, omega @ normal / speed
    hertz, G = hertz_contact(R0, 0.3, 2.1e11, 0.28), 2.1e11 / 2.56
    c11, c22, c23, c33 = kalker_coefficients(hertz.axis_x / hertz.axis_y, 0.28)
    push = stiffness * depth
    ab = hertz.axis_x * hertz.axis_y * push ** (2 / 3)
    force = push * normal - G * ab * c11 * sx * ex - (G * ab * c22 * sy + G * ab**1.5 * c23 * phi) * ey
    moment = G * ab**1.5 * c23 * sy - G * ab**2 * c33 * phi
    return force, np.cross(lever, force) + moment * normal, (sx, sy, phi)


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("seed", range(3))
def test_forces_and_creepages_by_hand(seed, direction):
    wheelset = Wheelset(stiffness=1e9, law="linear")
    rng = np.random.default_rng(seed)
    q = rng.uniform(-1, 1, 6) * (10, 0.004, 1e-4, 0.01, 5e-4, 3)
    q[2] += R0 - 8e-4
    v = direction * (np.array([20, 0, 0, 0, 0, 20 / R0]) + 0.05 * rng.normal(size=6))
    reports = wheelset.at(q, v)
    for report, side in zip(reports, (1, -1), strict=True):
        force, torque, creepages = by_hand(q, v, side, report["elongation"])
        assert report["value"] > 0
        # the search along the rail ends within 1e-8 m, which turns the normal by 1e-8/R0
        np.testing.assert_allclose(report["state"], creepages, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(report["force"], force, rtol=1e-6, atol=1e-6 * np.abs(force).max())
        np.testing.assert_allclose(report["torque"], torque, rtol=1e-6, atol=1e-6 * np.abs(torque).max())
    assert reports["power"].sum() == pytest.approx(-wheelset.out.now.residual @ v, rel=1e-9)


def test_wheel_above_the_rail_is_free():
    left, right = Wheelset().at([0, 0, R0 + 1e-6, 0, 0, 0], [20, 0, 0, 0, 0, 20 / R0])
    assert left["value"] == right["value"] == 0
    np.testing.assert_array_equal(left["force"], 0)


def test_irregularities_profile_and_hertz():
    bump = h.Table([0, 10, 11, 20], [0, 0, 1e-4, 1e-4])
    profile = f"{R0} - {CONE}*distance - 2*distance^2"
    q, v = [10.5, 0.002, R0 - 1e-4, 0, 0, 0], [20, 0, 0, 0, 0, 20 / R0]
    smooth = Wheelset(law="saturated").at(q, v).copy()
    rough = Wheelset(law="saturated", vertical=bump).at(q, v).copy()
    lifted = Wheelset(law="saturated").at([10.5, 0.002, R0 - 1.5e-4, 0, 0, 0], v)
    np.testing.assert_allclose(rough["value"], lifted["value"], rtol=1e-9)
    np.testing.assert_allclose(rough["rate"], 20 * 1e-4 * math.cos(math.atan(CONE)), rtol=1e-6)
    shifted = Wheelset(law="saturated", lateral="0.002 + 0*distance").at(q, v)
    straight = Wheelset(law="saturated").at([10.5, 0, R0 - 1e-4, 0, 0, 0], v)
    np.testing.assert_allclose(shifted["value"], straight["value"], rtol=1e-9)
    curved = Wheelset(law="saturated", profile=profile).at(q, v)
    # radius at 2 mm inside (left) and outside (right) of the rolling circle
    gain = [CONE * 0.002 - 2 * 0.002**2, -CONE * 0.002 - 2 * 0.002**2]
    slope = [-CONE + 4 * 0.002, -CONE - 4 * 0.002]
    depth = [(1e-4 + g) * math.cos(math.atan(s)) for g, s in zip(gain, slope, strict=True)]
    np.testing.assert_allclose(curved["elongation"], depth, atol=1e-12)
    stiffness = hertz_contact(R0, 0.3, 2.1e11, 0.28).stiffness
    np.testing.assert_allclose(smooth["value"], stiffness * np.maximum(smooth["elongation"], 0) ** 1.5, rtol=1e-12)


# ------------------------------------------------------------------------------------------------------ Klingel's wave
@pytest.mark.parametrize("law", ["linear", "polach"])
def test_free_wheelset_follows_klingels_wave(law):
    """Eigenvalues of the wheelset linearised about slow rolling: the wave 2 pi sqrt(r e/cone), 16.5046 m here."""
    speed = 1.0
    wheelset = Wheelset(stiffness=1e9, law=law, speed=1e-4)
    q0 = np.array([0, 0, wheelset.rest_height(speed), 0, 0, 0])
    v0 = np.array([speed, 0, 0, 0, 0, speed / R0])

    def slopes(which):
        rows = []
        for d in 1e-7 * np.eye(6):
            up = wheelset.acceleration(q0 + d * (which == 0), v0 + d * (which == 1))
            down = wheelset.acceleration(q0 - d * (which == 0), v0 - d * (which == 1))
            rows.append((up - down) / 2e-7)
        return np.array(rows).T

    A = np.block([[np.zeros((6, 6)), np.eye(6)], [slopes(0), slopes(1)]])
    values = np.linalg.eigvals(A)
    expected = 2 * math.pi / 16.5046 * speed
    hunting = values[np.argmin(np.abs(values - 1j * expected))]
    # gravity, spin and inertia at 1 m/s change the kinematic wave by 8e-5
    assert hunting.imag == pytest.approx(expected, rel=3e-4)
    assert abs(hunting.real) < 1e-3 * expected


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"side": "up"}, "found side 'up', expected 'left' or 'right'"),
        ({"law": "coulomb"}, "found law 'coulomb', expected 'linear'"),
        ({"semi_axes": 3.0}, "expected two lengths"),
        ({"rail_radius": 0.0}, "rail_radius: found 0, expected more than 0"),
        ({"radius": 0.0}, "found radius 0 m"),
        ({"rail_radius": 1e-4}, "wheel_rail 'W': .*a/b"),
    ],
)
def test_mistakes_are_named(given, said):
    with pytest.raises(ModelError, match=said):
        compiled_wheel(**{"side": "left", "radius": R0, **given})


def compiled_wheel(**given):
    model = h.Model()
    body = model.add(h.RigidBody("a", 1.0, (1, 1, 1)))
    model.add(wheel_rail("W", wheel=body.at(), track=model.ground.at(), **given))
    return model.compile()
