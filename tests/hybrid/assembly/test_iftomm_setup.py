"""The problems of the IFToMM benchmark and others of their kind, set up and assembled: dofs, start values,
accelerations at the start. Their histories are tests of the integrators."""

from __future__ import annotations

import numpy as np
import pytest

from tests.hybrid import problems

# rounding of small linear systems
ROUNDING = 1e-10


@pytest.mark.parametrize(
    ("make", "dofs"),
    [
        (problems.pendulum, 1),
        (problems.four_bars, 1),
        (problems.andrews, 1),
        (problems.bricard, 1),
        (problems.spatial_slider_crank, 1),
        (problems.sundials_slider_crank, 1),
        (problems.double_pendulum, 2),
    ],
)
def test_assembled_with_its_dofs(make, dofs):
    system = make().compile()
    assert system.ndof == dofs
    assert np.abs(system.constraints(system.start)).max(initial=0.0) < 1e-14
    G = system.constraint_jacobian(system.start)
    assert np.abs(G @ system.start.v).max(initial=0.0) < 1e-12
    assert np.linalg.matrix_rank(G) == system.nlambda if len(G) else True


def test_pendulum():
    system = problems.pendulum().compile()
    a, _ = system.accelerations(system.start)
    # falls from (-1, 0): the angle grows counterclockwise
    assert a == pytest.approx([9.81], rel=ROUNDING)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_four_bars(n):
    """All rods move as one parallelogram; 3 of 5 rows of every closing hinge are redundant."""
    system = problems.four_bars(n).compile()
    assert system.nlambda == 2 * n
    assert len(system.redundant) == 3 * n
    assert {r.joint for r in system.redundant} <= {f"{side}{k}" for side in ("left", "right") for k in range(1, n + 1)}
    by_name = angles(system)
    assert [by_name[f"foot{k}"] for k in range(n + 1)] == pytest.approx([-1.0] * (n + 1), rel=ROUNDING)
    # energy at the start, from the problem: N = 2 gives 35.835 J
    v = system.start.v
    kinetic = 0.5 * v @ system.mass_matrix(system.start) @ v
    assert kinetic == pytest.approx((n + 1) / 6 + n / 2, rel=ROUNDING)
    if n == 2:
        assert kinetic + 9.81 * (3 * 0.5 + 2 * 1.0) == pytest.approx(35.835, abs=1e-12)


@pytest.mark.parametrize("theta", [0.3, 1.2, 2.5])
def test_four_bars_on_their_way(theta):
    """theta'' = factor sin(theta), whatever the speed, on the branch of the parallelogram."""
    n = 3
    system = problems.four_bars(n).compile()
    step = np.array([-theta if name.startswith("foot") else theta for name in joint_names(system)])
    state = system.move(system.start, step)
    assert np.abs(system.constraints(state)).max() < 1e-13
    a, _ = system.accelerations(state)
    expected = -problems.four_bars_acceleration(n) * np.sin(theta)
    for name, value in zip(joint_names(system), a, strict=True):
        assert value == pytest.approx(expected if name.startswith("foot") else -expected, rel=ROUNDING)


def test_andrews_squeezer():
    """Accelerations and multipliers at the start as the initial value problem test set gives them."""
    system = problems.andrews().compile()
    found = {name: system.start.q[k] for k, name in enumerate(joint_names(system))}
    # the seventeen digits of the literature close the loops to rounding, nothing is moved
    assert [found[name] for name in problems.ANDREWS_JOINTS] == pytest.approx(problems.ANDREWS_START, abs=1e-15)
    a, lam = system.accelerations(system.start)
    by_name = dict(zip(joint_names(system), a, strict=True))
    assert by_name["beta"] == pytest.approx(14222.4439199541138705911625887, rel=1e-9)
    assert by_name["Theta"] == pytest.approx(-10666.8329399655854029433719415, rel=1e-9)
    for name in ("gamma", "Phi", "delta", "Omega", "epsilon"):
        assert by_name[name] == pytest.approx(0.0, abs=1e-8)
    # the force in hinge E3; the other two carry nothing
    forces = np.array([value for name, value in zip(system.row_names, lam, strict=True) if name == "E3"])
    assert np.linalg.norm(forces) == pytest.approx(np.hypot(98.5668703962410896, 6.12268834425566265), rel=1e-9)
    assert [value for name, value in zip(system.row_names, lam, strict=True) if name != "E3"] == pytest.approx(
        [0.0] * 4, abs=1e-8
    )


def test_andrews_closes_from_rounded_values():
    """Seven start angles rounded to four digits: the loops close near them; two digits, with a warning."""
    rounded = tuple(round(value, 4) for value in problems.ANDREWS_START)
    system = problems.andrews(rounded).compile()
    assert np.abs(system.constraints(system.start)).max() < 1e-12
    found = dict(zip(joint_names(system), system.start.q, strict=True))
    assert [found[name] for name in problems.ANDREWS_JOINTS] == pytest.approx(rounded, abs=1e-3)
    with pytest.warns(UserWarning, match=r"start is \S+ rad, which cannot hold together with the other joints"):
        system = problems.andrews(rough := tuple(round(value, 2) for value in problems.ANDREWS_START)).compile()
    assert np.abs(system.constraints(system.start)).max() < 1e-12
    found = dict(zip(joint_names(system), system.start.q, strict=True))
    assert [found[name] for name in problems.ANDREWS_JOINTS] == pytest.approx(rough, abs=0.03)


def test_bricard():
    """One redundant row of the closing hinge; rank 4 of 5, and the acceleration of an energy consideration."""
    system = problems.bricard().compile()
    assert (system.nv, system.nlambda) == (5, 4)
    assert [r.joint for r in system.redundant] == ["P5"]
    a, _ = system.accelerations(system.start)
    # one dof from rest: a = n (n.f) / (n.M n) for the direction n the constraints leave
    G = system.constraint_jacobian(system.start)
    n = np.linalg.svd(G)[2][-1]
    M, f = system.mass_matrix(system.start), system.forces(system.start)
    assert a == pytest.approx(n * (n @ f) / (n @ M @ n), rel=1e-9)
    # all hinges turn alike
    assert np.abs(a) == pytest.approx([abs(a[0])] * 5, rel=1e-9)


def test_spatial_slider_crank():
    system = problems.spatial_slider_crank().compile()
    assert system.redundant == ()
    speeds = body_speeds(system, system.start)
    assert speeds["rod"][1] == pytest.approx([2.4, -1.2, 0.0], abs=1e-12)
    assert speeds["slider"][0] == pytest.approx([0.24, 0.0, 0.0], abs=1e-13)
    assert speeds["crank"][1] == pytest.approx([6.0, 0.0, 0.0], abs=1e-13)
    # total energy with heights above z = 0, as published
    M, v = system.mass_matrix(system.start), system.start.v
    potential = 9.81 * (0.12 * 0.16 + 0.5 * 0.1)
    assert 0.5 * v @ M @ v + potential == pytest.approx(0.766908, abs=5e-7)


def test_sundials_slider_crank():
    """Against the same equations written in q, x, p with two constraints."""
    system = problems.sundials_slider_crank().compile()
    a, _ = system.accelerations(system.start)
    length, q, p = 0.5, 0.5 * np.pi, np.arcsin(-0.5)
    x = np.cos(p) + length * np.cos(q)
    mass = np.diag([1.0, 1.0, 2.0])
    gap = np.array([x - (np.cos(p) + length * np.cos(q)) / 2, -(np.sin(p) + length * np.sin(q)) / 2])
    stretch = np.linalg.norm(gap)
    by_q = np.array([length * np.sin(q) / 2, -length * np.cos(q) / 2])
    by_p = np.array([np.sin(p) / 2, -np.cos(p) / 2])
    pull = -(stretch - 1.0) / stretch * gap
    f = np.array([pull @ by_q, pull[0] + 1.0, pull @ by_p - np.sin(p)])
    G = np.array([[length * np.sin(q), 1.0, np.sin(p)], [length * np.cos(q), 0.0, np.cos(p)]])
    K = np.block([[mass, -G.T], [G, np.zeros((2, 2))]])
    q2, _, p2 = np.linalg.solve(K, np.concatenate((f, np.zeros(2))))[:3]
    assert a == pytest.approx([q2, p2 - q2], rel=ROUNDING)


def test_double_pendulum():
    system = problems.double_pendulum().compile()
    a, _ = system.accelerations(system.start)
    # both level and at rest: the first falls as a single one, the second ball falls freely, so theta_2'' = 0
    assert a == pytest.approx([-9.81, 9.81], rel=ROUNDING)


def joint_names(system):
    """Names of the tree joints in the order of their coordinates; all have one."""
    found = {c[0][1]: system.model.joints[k].name for k, c in system.index.tree.joint_coordinates.items()}
    return [found[iv] for iv in sorted(found)]


def angles(system):
    return dict(zip(joint_names(system), system.start.v, strict=True))


def body_speeds(system, state):
    """Velocity of the origin and angular velocity, world axes, of every body."""
    from floatframe.hybrid.kernels.system import VELOCITY

    data = system.evaluation(state)(state.t, state.q, VELOCITY, state.v).data
    found = {}
    for k, body in enumerate(system.model.bodies):
        carrier = system.index.tree.carriers[k]
        link = data.links[carrier.link]
        arm = link["R"] @ carrier.pose.p
        found[body.name] = link["v"] + np.cross(link["w"], arm), np.array(link["w"])
    return found
