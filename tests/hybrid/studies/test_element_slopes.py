"""Linear analysis at loaded force elements of every kind, at the scale of their own laws, and at corners of laws."""

from __future__ import annotations

import math

import numpy as np
import pytest

import floatframe as ff
from floatframe.hybrid.studies.element_slopes import element_slopes

h = ff.hybrid
G = 9.81


def slider(mass=1.0, gravity=0.0, **joint):
    """A body on a vertical guide."""
    model = h.Model(gravity=(0, 0, -gravity))
    body = model.add(h.RigidBody("body", mass=mass, inertia=(1, 1, 1)))
    model.add(h.prismatic("guide", body.at(), model.ground.at(), axis=(0, 0, 1), **joint))
    return model, body


def pulsations(linear):
    return 2.0 * np.pi * linear.frequency


class TestOneSided:
    """Frequencies of bodies that rest in one-sided elements: differences must not leave the contact."""

    @pytest.mark.parametrize("stiffness", [1e5, 1e9, 1e13])
    def test_linear_contact_however_shallow(self, stiffness):
        model, body = slider(1000.0, G)
        model.add(h.contact_plane("touch", body.at(), model.ground.at(), stiffness=stiffness))
        model.add(h.bushing("far", body.at((5, 0, 0)), model.ground.at((5, 0, 0)), stiffness=(0, 0, 1.0)))
        system = model.compile()
        found = system.linearise()
        # penetrations of 0.1 m, 10 um and 1 nm; the last is known to rounding of coordinates of 5 m, 1e-15 over 1e-9
        exact = math.sqrt((stiffness + 1.0) / 1000.0)
        assert pulsations(found) == pytest.approx(exact, rel=1e-6 if stiffness > 1e12 else 1e-9)
        assert found.corners == ()

    @pytest.mark.parametrize("load", [1e-2, 1.0, 1e4])
    def test_hertz_contact(self, load):
        """Force k d^1.5 has the slope 1.5 k d^0.5 at the depth under the load."""
        k, mass = 1e10, 2.0
        model, body = slider(mass)
        model.add(h.contact_plane("ball", body.at(), model.ground.at(), stiffness=k, exponent=1.5))
        model.add(h.point_force("load", body.at(), force=(0, 0, -load)))
        found = model.compile().linearise()
        slope = 1.5 * k * math.sqrt((load / k) ** (2 / 3))
        # extrapolated differences within the depth, and an equilibrium to rounding
        assert pulsations(found) == pytest.approx(math.sqrt(slope / mass), rel=1e-8)

    def test_bump_stop(self):
        model, body = slider(10.0, G)
        model.add(h.spring("soft", body.at(), model.ground.at((0, 0, -1)), stiffness=100.0))
        model.add(
            h.bump_stop("stop", body.at(), model.ground.at((0, 0, -1)), clearance=1e-3, stiffness=1e8, damping=2e3)
        )
        found = model.compile().linearise()
        assert pulsations(found) == pytest.approx(math.sqrt((1e8 + 100.0) / 10.0), rel=1e-8)
        assert found.damping == pytest.approx(2e3 / (2.0 * math.sqrt((1e8 + 100.0) * 10.0)), rel=1e-8)

    def test_table_with_corners_beside_the_state(self):
        """A table of lines with a corner 10 um above and another 20 um below the load."""
        model, _ = slider(1.0, G)
        rest = 0.01 - 1e-5
        table = h.Table(x=[-1.0, -0.01 - 1e-5, -rest + 1e-5, 1.0], y=[1e4, G + 5.0, G - 10.0, -1e4])
        model.add(h.joint_force("law", "guide", table))
        system = model.compile()
        state = system.equilibrium()
        slope = 15.0 / 3e-5
        assert pulsations(system.linearise(state)) == pytest.approx(math.sqrt(slope), rel=1e-8)

    def test_creep_and_hertz_of_a_wheelset(self):
        """Roots against difference quotients of the program's own accelerations with steps of 1e-8 m and 1e-5 m/s."""
        speed, radius = 40.0, 0.46

        def system(height, load, law):
            model = h.Model(gravity=(0, 0, -G))
            car = model.add(h.RigidBody("car", mass=1.0, inertia=(1, 1, 1)))
            box = model.add(h.RigidBody("box", mass=1.0, inertia=(0.1, 0.1, 0.1)))
            axle = model.add(h.RigidBody("axle", mass=1499.0, inertia=(900.0, 100.0, 900.0)))
            model.add(h.prismatic("run", car.at(), model.ground.at(), axis=(1, 0, 0), start_rate=speed))
            model.add(h.motion("pull", joint="run", value=f"{speed}*t"))
            ways = [h.translate((0, 1, 0)), h.translate((0, 0, 1)), h.rotate((0, 0, 1)), h.rotate((1, 0, 0))]
            model.add(h.general("ways", box.at(), car.at((0, 0, radius)), ways, start=[0, height, 0, 0]))
            model.add(h.revolute("spin", axle.at(), box.at(), axis=(0, 1, 0), start_rate=speed / radius))
            model.add(h.bushing("springs", box.at(), car.at((0, 0, radius)), stiffness=(0, 2e5, 0, 0, 0, 1e6)))
            model.add(h.point_force("load", box.at(), force=(0, 0, -load)))
            for side, y in (("left", 0.75), ("right", -0.75)):
                model.add(
                    h.wheel_rail(f"w{side}", axle.at((0, y, 0)), model.ground.at(), side, radius, creep=h.Creep(law))
                )
            return model.compile()

        for load, height, law in ((40e3, -44e-6, "linear"), (40e3, -44e-6, "saturated"), (140e3, -89e-6, "polach")):
            s = system(height, load, law)
            start = s.start
            free = np.arange(1, s.nv)

            def accelerations(q, v, s=s, start=start, free=free):
                return s.accelerations(h.State(0.0, q, v, start.memory))[0][free]

            n = len(free)
            A = np.zeros((2 * n, 2 * n))
            A[:n, n:] = np.eye(n)
            for j, k in enumerate(free):
                for part, step in ((0, 1e-8), (1, 1e-5)):
                    d = np.zeros(s.nv)
                    d[k] = step
                    ahead, behind = (
                        accelerations(start.q + sign * d * (part == 0), start.v + sign * d * (part == 1))
                        for sign in (1, -1)
                    )
                    A[n:, part * n + j] = (ahead - behind) / (2.0 * step)
            exact = np.linalg.eigvals(A)
            exact = exact[exact.imag > 1.0]
            found = s.linearise(start).eigenvalues
            for root in exact:
                # rounding of the plain differences
                assert np.abs(found - root).min() <= 1e-4 * abs(root)


class TestSmoothLaws:
    def test_spring_with_an_expression(self):
        """Tension 100 x + 5 sin(40 x) at the load of x = 0.03: slope 100 + 200 cos(1.2)."""
        model, body = slider(2.0)
        model.add(h.spring("s", body.at(), model.ground.at((0, 0, -1)), stiffness=100.0, force="5*sin(40*elongation)"))
        model.add(h.point_force("F", body.at(), force=(0, 0, 3.0 + 5.0 * math.sin(1.2))))
        system = model.compile()
        state = system.equilibrium()
        assert state.q == pytest.approx([0.03], rel=1e-9)
        slope = 100.0 + 200.0 * math.cos(1.2)
        assert pulsations(system.linearise(state)) == pytest.approx(math.sqrt(slope / 2.0), rel=1e-9)

    def test_law_of_a_thousandth_of_a_millimetre(self):
        model, _ = slider(1.0, start=2e-7)
        model.add(h.joint_force("law", "guide", "-3*tanh(displacement/1e-6)"))
        system = model.compile()
        slope = 3.0 / 1e-6 / math.cosh(0.2) ** 2
        # rounding of coordinates of 1e-3 m, the least size of a mechanism, over steps of 1e-9 m
        assert pulsations(system.linearise(system.start)) == pytest.approx(math.sqrt(slope), rel=1e-9)

    def test_bushing_matrix(self):
        rng = np.random.default_rng(5)
        K = rng.normal(size=(6, 6))
        K = 1e4 * (K @ K.T + 6.0 * np.eye(6))
        model = h.Model()
        body = model.add(h.RigidBody("body", mass=3.0, inertia=(1, 2, 3)))
        model.add(h.bushing("nest", body.at(), model.ground.at(), stiffness=K))
        found = model.compile().linearise()
        M = np.diag([3.0, 3.0, 3.0, 1.0, 2.0, 3.0])
        exact = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real))
        assert pulsations(found) == pytest.approx(exact, rel=1e-10)

    def test_force_that_follows_another_body(self):
        """A controller: the force on one body from the position of another. K = [[100, -30], [0, 50]]."""
        model, _ = slider(1.0)
        other = model.add(h.RigidBody("other", mass=1.0, inertia=(1, 1, 1)))
        model.add(h.prismatic("second", other.at(), model.ground.at((1, 0, 0)), axis=(0, 0, 1)))
        model.add(h.joint_force("one", "guide", "-100*displacement + 30*other.position.z"))
        model.add(h.joint_force("two", "second", "-50*displacement"))
        system = model.compile()
        found = system.linearise()
        assert pulsations(found) ** 2 == pytest.approx([50.0, 100.0], rel=1e-9)
        shape = found.shapes[:, 0] / found.shapes[1, 0]
        assert shape.real == pytest.approx([30.0 / 50.0, 1.0], rel=1e-8)

    def test_user_force(self):
        model, body = slider(1.0)

        def law(t, position, rotation, velocity, spin):
            return (0.0, 0.0, -400.0 * position[2] - 8.0 * velocity[2]), (0.0, 0.0, 0.0)

        model.add(h.user_force("mine", body.at(), model.ground.at(), law))
        found = model.compile().linearise()
        assert pulsations(found) == pytest.approx(20.0, rel=1e-10)
        assert found.damping == pytest.approx(0.2, rel=1e-10)


class TestCorners:
    """At a corner of a law there are two results, and a warning."""

    def test_contact_that_just_touches(self):
        model, body = slider(2.0)
        model.add(h.contact_plane("touch", body.at(), model.ground.at(), stiffness=8e4, damping=100.0))
        model.add(h.spring("s", body.at(), model.ground.at((0, 0, 1)), stiffness=2e4))
        system = model.compile()
        with pytest.warns(UserWarning, match="corner of contact_plane 'touch'"):
            found = system.linearise(system.start)
        closed, opened = found.one_sided
        assert pulsations(closed) == pytest.approx(math.sqrt(1e5 / 2.0), rel=1e-8)
        assert closed.damping == pytest.approx(100.0 / (2.0 * math.sqrt(1e5 * 2.0)), rel=1e-6)
        assert pulsations(opened) == pytest.approx(math.sqrt(2e4 / 2.0), rel=1e-8)
        assert opened.damping == pytest.approx(0.0, abs=1e-9)
        assert found.frequency == pytest.approx(closed.frequency)
        assert "On the other side" in found.table()

    def test_corner_seen_from_a_lever(self):
        """Both coordinates of a body move the contact, one up and one down: sides must not be mixed."""
        model = h.Model()
        body = model.add(h.RigidBody("body", mass=2.0, inertia=(2, 3, 2)))
        way = [h.translate((0, 0, 1)), h.rotate((0, 1, 0))]
        model.add(h.general("way", body.at(), model.ground.at(), way))
        model.add(h.contact_plane("touch", body.at((0.5, 0, 0)), model.ground.at(), stiffness=1e5))
        model.add(h.bushing("nest", body.at(), model.ground.at(), stiffness=(0, 0, 1e4, 0, 2e4, 0)))
        with pytest.warns(UserWarning, match="corner"):
            found = model.compile().linearise()
        M, soft, lever = np.diag([2.0, 3.0]), np.diag([1e4, 2e4]), np.array([1.0, -0.5])
        for side, K in zip(found.one_sided, (soft + 1e5 * np.outer(lever, lever), soft), strict=True):
            exact = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real))
            assert pulsations(side) == pytest.approx(exact, rel=1e-8)

    @pytest.mark.parametrize(
        ("law", "up", "down"),
        [
            (h.Table(x=[-1.0, 0.0, 1.0], y=[100.0, 0.0, -400.0]), 20.0, 10.0),
            ("if(displacement > 0, -400*displacement, -100*displacement)", 20.0, 10.0),
            ("-250*displacement - 150*abs(displacement)", 20.0, 10.0),
            ("-400*max(displacement, 0) - 100*displacement", math.sqrt(500.0), 10.0),
        ],
    )
    def test_bilinear_laws(self, law, up, down):
        model, _ = slider(1.0)
        model.add(h.joint_force("law", "guide", law))
        with pytest.warns(UserWarning, match="corner of joint_force 'law'"):
            found = model.compile().linearise()
        assert pulsations(found.one_sided[0]) == pytest.approx(up, rel=1e-8)
        assert pulsations(found.one_sided[1]) == pytest.approx(down, rel=1e-8)

    def test_damper_with_two_slopes(self):
        model, body = slider(1.0)
        law = "if(rate > 0, 4*rate, 2*rate)"
        model.add(h.spring("strut", body.at(), model.ground.at((0, 0, -1)), stiffness=100.0, force=law))
        with pytest.warns(UserWarning, match="spring 'strut'"):
            found = model.compile().linearise()
        assert [float(side.damping[0]) for side in found.one_sided] == pytest.approx([0.2, 0.1], rel=1e-8)

    def test_clearance_has_no_stiffness_inside_however_narrow(self):
        for clearance in (1e-3, 1e-6, 1e-9):
            model, _ = slider(1.0)
            model.add(h.joint_force("play", "guide", f"-1e6*deadband(displacement, {clearance}) - 4*displacement"))
            found = model.compile().linearise()
            # 1e6 of the stiffness outside is not there; what is left of it is rounding
            assert pulsations(found) == pytest.approx(2.0, rel=1e-6)
            assert found.corners == ()

    def test_sides_of_a_corner_and_a_jump(self):
        def law(x):
            jump = np.sign(x[0])
            return np.array([[abs(x[0]), 0, 0, 0, 0, 0], [3.0 * x[0] + jump, 0, 0, 0, 0, 0], [x[0], 0, 0, 0, 0, 0]]), x

        found = element_slopes(law, np.ones(1), 1.0, np.array([True, True, True]))
        assert found.corner.tolist() == [True, True, False]
        assert found.up[:, 0, 0] == pytest.approx([1.0, 3.0, 1.0], rel=1e-9)
        assert found.down[:, 0, 0] == pytest.approx([-1.0, 3.0, 1.0], rel=1e-9)


@pytest.mark.parametrize("ratio", [1e8, 1e11, 1e14])
def test_soft_mode_beside_stiff_elements(ratio):
    """Two masses in a stiff bushing hang in a soft spring: omega^2 = k / 2 m, and a third body is free."""
    model = h.Model()
    one, two, free = (model.add(h.RigidBody(name, mass=1.0, inertia=(1, 1, 1))) for name in ("one", "two", "free"))
    for body in (one, two, free):
        model.add(h.prismatic(f"guide_{body.name}", body.at(), model.ground.at(), axis=(1, 0, 0)))
    model.add(h.bushing("stiff", one.at(), two.at(), stiffness=(2.0 * ratio, 0, 0)))
    model.add(h.bushing("soft", one.at(), model.ground.at(), stiffness=(2.0, 0, 0)))
    found = model.compile().linearise()
    assert found.rigid.tolist() == [True, False, False]
    assert pulsations(found)[1:] == pytest.approx([1.0, math.sqrt(4.0 * ratio)], rel=1e-8)
