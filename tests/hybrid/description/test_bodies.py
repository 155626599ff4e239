"""Bodies as users describe them: forms of inertia, damping, start values, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import floatframe as ff
from floatframe.hybrid import FlexibleBody, Model, Rayleigh, RigidBody, Table


@pytest.fixture(scope="module")
def rod(beam) -> ff.modal.ReducedBody:
    return ff.modal.reduce(beam, interface=[1, 21], n_modes=6)


def flat(body, **parameters):
    model = Model(parameters=parameters)
    model.add(body)
    return model.flatten().bodies[0]


def test_three_forms_of_inertia():
    tensor = np.array([[2.0, 0.1, -0.2], [0.1, 3.0, 0.3], [-0.2, 0.3, 4.0]])
    np.testing.assert_array_equal(flat(RigidBody("a", 1.0, tensor)).inertia, tensor)
    np.testing.assert_array_equal(flat(RigidBody("a", 1.0, (2, 3, 4, 0.1, -0.2, 0.3))).inertia, tensor)
    np.testing.assert_array_equal(flat(RigidBody("a", 1.0, (2, 3, 4))).inertia, np.diag([2.0, 3.0, 4.0]))
    np.testing.assert_array_equal(flat(RigidBody("a", 1.0)).inertia, np.zeros((3, 3)))


def test_numbers_may_be_expressions_of_parameters():
    body = RigidBody("rod", mass="rho*l", inertia=(0, "rho*l^3/12", "rho*l^3/12"), com=("l/2", 0, 0))
    found = flat(body, rho=3.0, l=2.0)
    assert found.mass == 6
    np.testing.assert_allclose(np.diag(found.inertia), [0, 2, 2])
    np.testing.assert_allclose(found.com, [1, 0, 0])
    assert body.mass == "rho*l"


def test_start_values_that_were_not_given_stay_open():
    body = flat(RigidBody("a", 1.0))
    assert (body.position, body.rotation, body.velocity, body.angular_velocity) == (None,) * 4
    body = flat(
        RigidBody("a", 1.0, position=(1, 2, 3), rotation=(0, 0, 0, 1), velocity=(4, 5, 6), angular_velocity=[7, 8, 9])
    )
    np.testing.assert_array_equal(body.position, [1, 2, 3])
    np.testing.assert_array_equal(body.rotation, np.diag([-1.0, -1.0, 1.0]))
    np.testing.assert_array_equal(body.velocity, [4, 5, 6])
    np.testing.assert_array_equal(body.angular_velocity, [7, 8, 9])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mass": 0.0}, "found a mass of 0 kg, expected more than zero"),
        ({"mass": -2.0}, "found a mass of -2 kg"),
        ({"mass": "m0"}, "mass: unknown name 'm0'"),
        ({"mass": ""}, "mass"),
        ({"mass": float("nan")}, "mass: found nan, expected a finite number"),
        ({"mass": True}, "mass: found True, expected a number"),
        ({"mass": (1, 2)}, "mass: found 2 numbers, expected a number"),
        ({"inertia": (1, 1, 3)}, "are 1, 1, 3 kg m2; no body has one larger than the sum of the other two"),
        ({"inertia": (-1, 1, 1)}, "are -1, 1, 1 kg m2; expected none negative"),
        ({"inertia": (1, 1, 1, 1.5, 0, 0)}, "expected none negative"),
        ({"inertia": ((1, 0.1, 0), (0.2, 1, 0), (0, 0, 1))}, "not symmetric"),
        ({"inertia": (1, 1)}, "inertia: found 2 numbers, expected three numbers or six numbers or a 3x3 matrix"),
        ({"inertia": ((1, 0), (0, 1, 2), (0, 0, 1))}, "rows of different length"),
        ({"com": (0, 0)}, "com: found 2 numbers, expected three numbers"),
        ({"position": (0, 0, float("inf"))}, "position: found inf"),
        ({"rotation": (1, 0, 0)}, "rotation: found 3 numbers"),
        ({"angular_velocity": 3.0}, "angular_velocity: found 3.0, expected three numbers"),
    ],
)
def test_impossible_rigid_bodies_are_reported(changes, message):
    with pytest.raises(ff.ModelError, match="body 'crank'") as error:
        flat(RigidBody(**{"name": "crank", "mass": 1.0, "inertia": (1, 1, 1), **changes}))
    assert message in str(error.value)


def test_a_flat_plate_and_a_thin_rod_are_bodies():
    flat(RigidBody("plate", 1.0, (1, 1, 2)))
    flat(RigidBody("rod", 7.403, (0, 1.333, 1.333)))
    flat(RigidBody("typed", 1.0, (0.3333333, 0.3333333, 0.6666667)))


@pytest.mark.parametrize("name", ["", "1st", "my body", "a-b", "ground", "t", "sin", None, 3])
def test_names_that_expressions_could_not_use_are_refused(name):
    with pytest.raises(ff.ModelError, match="name"):
        RigidBody(name, 1.0)
    assert RigidBody("link[3]", 1.0).name == "link[3]"


def test_places():
    body = RigidBody("crank", 1.0)
    assert body.at((1, "l", 3)).point == (1.0, "l", 3.0)
    with pytest.raises(ff.ModelError, match=r"body 'crank' is rigid and has no node 3.*\.at"):
        body.node(3)
    with pytest.raises(ff.ModelError, match="'crank', point: found 2 numbers"):
        body.at((1, 2))


def test_a_flexible_body_has_the_mass_of_its_model(rod):
    body = flat(FlexibleBody("rod", rod))
    assert body.mass == pytest.approx(6.28)
    np.testing.assert_allclose(body.com, [1, 0, 0], atol=1e-12)
    # a prism of 2 m x 0.02 m: m (l² + h²)/12
    assert body.inertia[1, 1] == pytest.approx(6.28 * (2.0**2 + 0.02**2) / 12)
    assert body.reduced.nmode == 12
    np.testing.assert_array_equal(body.reduced.mass, np.eye(12))
    assert flat(FlexibleBody("rod", rod, modes=2)).reduced.nmode == 8


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"body": 3}, "found int, expected a ReducedBody or the path of a file"),
        ({"frame": "tangent"}, "found frame 'tangent', expected one of mean, chord, node"),
        ({"frame": ("chord", 1)}, "takes 2 node numbers or none, found 1"),
        ({"frame": ("chord", 1, 77)}, "frame: body 'beam' has no node 77"),
        ({"stiffening": "yes"}, "found stiffening 'yes', expected one of auto, off, interface, full"),
        ({"modes": True}, "found modes True, expected how many, or a list of their numbers"),
        ({"modes": 99}, "found modes = 99, the body has 6 eigenmodes"),
        ({"damping": (0.1, 0.1)}, "found 2 ratios, expected one for each of the 12 modes"),
        ({"damping": -0.1}, "found -0.1, expected zero or more"),
        ({"damping": Rayleigh(-1e3, 0.0)}, "expected zero or more"),
    ],
)
def test_impossible_flexible_bodies_are_reported(rod, changes, message):
    with pytest.raises(ff.ModelError, match="body '") as error:
        flat(FlexibleBody(**{"name": "rod", "body": rod, **changes}))
    assert message in str(error.value)


def test_stiffening_needs_geometric_terms(beam):
    plain = ff.modal.reduce(beam, interface=[1, 21], n_modes=2, geometric=False)
    with pytest.raises(ff.ModelError, match="reduce it again with geometric=True"):
        flat(FlexibleBody("rod", plain, stiffening="interface"))
    assert flat(FlexibleBody("rod", plain)).stiffening == "auto"


def test_damping_by_ratios(rod):
    omega = 2 * np.pi * rod.orthonormalised().frequency
    np.testing.assert_array_equal(flat(FlexibleBody("rod", rod)).damping, np.zeros((12, 12)))
    np.testing.assert_allclose(flat(FlexibleBody("rod", rod, damping=0.02)).damping, np.diag(0.04 * omega), rtol=1e-12)
    one = flat(FlexibleBody("rod", rod, damping="zeta/2"), zeta=0.04)
    np.testing.assert_allclose(one.damping, np.diag(0.04 * omega), rtol=1e-12)
    ratios = np.linspace(0.01, 0.12, 12)
    many = flat(FlexibleBody("rod", rod, damping=ratios))
    np.testing.assert_allclose(np.diag(many.damping), 2 * ratios * omega, rtol=1e-12)


def test_rayleigh_damping_is_alpha_mass_plus_beta_stiffness(rod):
    omega = 2 * np.pi * rod.orthonormalised().frequency
    body = flat(FlexibleBody("rod", rod, damping=Rayleigh(alpha=3.0, beta=1e-4)))
    np.testing.assert_allclose(body.damping, np.diag(3.0 + 1e-4 * omega**2), rtol=1e-10)


def test_damping_from_a_table_over_frequency(rod):
    frequency = rod.orthonormalised().frequency
    table = Table([10.0, 100.0, 1000.0], [0.01, 0.02, 0.05])
    body = flat(FlexibleBody("rod", rod, damping=table))
    expected = np.interp(frequency, [10.0, 100.0, 1000.0], [0.01, 0.02, 0.05])
    np.testing.assert_allclose(np.diag(body.damping), 2 * expected * 2 * np.pi * frequency, rtol=1e-12)


def test_damping_does_not_depend_on_the_frame(rod):
    mean, chord = (flat(FlexibleBody("rod", rod, damping=0.01, frame=frame)) for frame in ("mean", "chord"))
    np.testing.assert_array_equal(mean.damping, chord.damping)


def test_dampers_of_the_finite_element_model_come_on_top(rod):
    from dataclasses import replace

    own = np.zeros((rod.nmode, rod.nmode))
    own[0, 0] = 7.0
    with_dampers = replace(rod, damping=own)
    plain, both = (flat(FlexibleBody("rod", body, damping=0.01)) for body in (rod, with_dampers))
    np.testing.assert_allclose(both.damping - plain.damping, with_dampers.orthonormalised().damping, atol=1e-9)
    assert np.abs(both.damping - plain.damping).max() > 1
