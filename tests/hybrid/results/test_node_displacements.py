"""Displacements of the nodes of a flexible body that stiffens: one definition for all, stresses of the linear field.

A steel cantilever, clamped to the ground at one interface node and bent by a moment or a force at the other. Interface
nodes move to second order by the geometric terms; their neighbours must follow, and stresses must not see it.
"""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe import hybrid as h
from floatframe.hybrid.results.recovery import recovered
from floatframe.viewer.drawing.hybrid_motion import motion_of
from floatframe.viewer.scene import placed
from tests.hybrid.stiffened_models import LENGTH, SQUARE, STEEL

N = 20
EI, HALF = STEEL.E * SQUARE.Iy, 0.01
TURN = 0.2  # of the tip [rad]
FE = ff.fem.beam_line((0, 0, 0), (LENGTH, 0, 0), n=N, section=SQUARE, material=STEEL)


def cantilever(frame: str = "mean", modes: int = 8, **load: float) -> h.System:
    """The beam along x, clamped at node 1; load: force [N] along z or torque [N m] about y at node 21."""
    body = ff.modal.reduce(FE, interface=[1, N + 1], n_modes=modes)
    model = h.Model()
    rod = model.add(h.FlexibleBody("rod", body, frame=frame))
    model.add(h.fixed("root", rod.node(1), model.ground.at()))
    if "torque" in load:
        model.add(h.point_torque("bend", rod.node(N + 1), (0, load["torque"], 0)))
    else:
        model.add(h.point_force("bend", rod.node(N + 1), (0, 0, load["force"])))
    return model.compile()


def bent(system: h.System) -> h.Results:
    """One record at rest in equilibrium."""
    state = system.equilibrium()
    channels = tuple(
        f"rod.node[{k + 1}].{what}" for k in range(N + 1) for what in ("displacement", "rotation", "position")
    )
    return system.simulate(state, t_end=1e-6, step=1e-6, record=h.Record(every=1e-6, channels=channels))


def of_nodes(run: h.Results, what: str) -> np.ndarray:
    """A channel of all nodes (nnode, 3)."""
    return np.array([run[f"rod.node[{k + 1}].{what}"][0] for k in range(N + 1)])


def test_a_force_between_interface_nodes_stiffens_by_the_frame():
    """A pull of 2 kN, 1.2 buckling loads, in the middle: against the finite elements with their geometric stiffness."""
    model = h.Model()
    rod = model.add(h.FlexibleBody("rod", ff.modal.reduce(FE, interface=[1, N + 1], n_modes=8)))
    model.add(h.fixed("root", rod.node(1), model.ground.at()))
    model.add(h.point_force("pull", rod.node(N // 2 + 1), (2000.0, 0, 0)))
    free = np.setdiff1d(np.arange(FE.ndof), [FE.row_of(0, k) for k in range(6)])
    K, M, load = FE.stiffness().toarray(), FE.mass().toarray(), np.zeros(FE.ndof)
    load[FE.row_of(N // 2, 0)] = 2000.0
    u = np.zeros(FE.ndof)
    u[free] = np.linalg.solve(K[np.ix_(free, free)], load[free])
    K = K + FE.geometric_stiffness(FE.expand(u[:, None])[:, :, 0]).toarray()
    exact = np.sqrt(scipy.linalg.eigvalsh(K[np.ix_(free, free)], M[np.ix_(free, free)])[:4]) / (2.0 * np.pi)
    # u₂ of the middle seen from the frame is left out: 0.2 % here, where the pull raises the frequency by 12 %
    assert_allclose(model.compile().linearise().frequency[:4], exact, rtol=2.5e-3)


@pytest.fixture(scope="module", params=["mean", "chord"])
def moment(request):
    system = cantilever(request.param, torque=EI * TURN / LENGTH)
    return system, bent(system)


def test_stresses_at_and_beside_the_interface_are_those_of_the_moment(moment):
    _, run = moment
    u = ff.hybrid.deformation(run, "rod", 0)
    # the channels are the same field, at the interface as anywhere
    assert_allclose(of_nodes(run, "displacement"), u[:, :3], atol=1e-15)
    assert_allclose(of_nodes(run, "rotation"), u[:, 3:], atol=1e-15)
    stress = ff.fem.stresses(FE, u).nodal_von_mises()
    exact = EI * TURN / LENGTH * HALF / SQUARE.Iy
    # beams hold a constant moment exactly; the terms of second order bend it by less than a thousandth
    assert_allclose(stress, exact, rtol=1e-3)


def test_stresses_of_a_tip_force_fall_along_the_beam():
    force = 3.0 * EI * 0.05 / LENGTH**2
    run = bent(cantilever(force=force))
    stress = ff.fem.stresses(FE, ff.hybrid.deformation(run, "rod", 0)).nodal_von_mises()
    exact = force * (LENGTH - FE.nodes[:, 0]) * HALF / SQUARE.Iy
    # the lever gets shorter with the square of the slope, 0.075² / 2, at most
    assert_allclose(stress, exact, atol=3e-3 * exact[0])


def test_displacements_are_smooth_across_the_interface(moment):
    _, run = moment
    u, turn = of_nodes(run, "displacement"), of_nodes(run, "rotation")
    step = LENGTH / N
    # curvature of a circle at every node, and neither stretch nor jump along the beam
    assert_allclose(np.diff(turn[:, 1]) / step, TURN / LENGTH, rtol=1e-3)
    assert_allclose(np.diff(u[:, 2], 2) / step**2, -TURN / LENGTH, rtol=1e-3)
    assert np.abs(np.diff(u[:, 0])).max() < 1e-3 * TURN**2 * step  # of second order would be TURN² step / 24 and more


def test_positions_have_no_jump_and_the_joint_is_closed(moment):
    _, run = moment
    p = of_nodes(run, "position")
    assert_allclose(p[0], 0.0, atol=1e-10)  # Newton's tolerance of the closed joint
    # linear shapes lengthen an element by half the square of its slope against the chord; second-order motion takes
    # that back over the whole length, so that no distance of neighbours leaps; left are terms of fourth order
    slope = TURN * ((np.arange(N) + 0.5) / N - 0.5)
    length = np.linalg.norm(np.diff(p, axis=0), axis=1)
    assert_allclose(length * N / LENGTH, 1.0 + slope**2 / 2.0 - TURN**2 / 24.0, atol=TURN**4 / 16)
    # the whole beam has kept its length: a circle from the root, in its plane
    radius = LENGTH / TURN
    tip = (radius * np.sin(TURN), 0.0, -radius * (1.0 - np.cos(TURN)))
    assert_allclose(p[-1], tip, atol=1e-4 * LENGTH)  # terms of fourth order, TURN⁴ / 16


def drawn_nodes(scene: ff.viewer.Scene, state: ff.viewer.scene.State) -> np.ndarray:
    """Where the nodes of the beam are drawn (nnode, 3)."""
    return placed(state.pose[1], FE.nodes + scene.carriers[1].field(state.amplitude[1])[:, :3])


def test_pictures_show_the_nodes_where_they_are(moment):
    _, run = moment
    scene = ff.viewer.scene_of(run, trace=["rod.node[1]", "rod.node[21]"])
    p = of_nodes(run, "position")
    # the drawing turns with small angles: products of the second-order turn and the deflection, of third order
    assert_allclose(drawn_nodes(scene, scene.state(scene.clips[0], 0.0)), p, atol=TURN**3 * LENGTH / 1000)
    for part, k in zip([part for part in scene.parts if part.name == "traces"], (0, -1), strict=True):
        assert_allclose(part.points[0], p[k], atol=1e-12)


@pytest.mark.parametrize("mode", [0, 1])
def test_modes_about_a_bent_state_move_the_nodes_as_they_go(moment, mode):
    """Positions by their own central difference along the mode, against the drawn mode."""
    system, _ = moment
    state = system.equilibrium()
    scene = ff.viewer.scene_of(system, state=state, linear=(linear := system.linearise(state)))
    clip, shape = scene.clips[mode], linear.shapes[:, mode].real
    step = 1e-4 / np.abs(shape).max()
    q = np.array([system.evaluation(state).moved(state.q, factor * step * shape) for factor in (1.0, -1.0, 0.0)])
    names = [f"rod.node[{k + 1}].position" for k in range(N + 1)]
    found = np.array([recovered(system, name, np.zeros(3), q, np.zeros((3, system.nv))) for name in names])
    rate = (found[:, 0] - found[:, 1]) / (2.0 * step)
    # the bent beam a little further along the clip
    motion, ways = motion_of(system, np.zeros(3), q), []
    for further in (1e-4, -1e-4):
        bent_on = scene.carriers[1].field(motion.drawn[1][2] + further * clip.amplitude[1].real)
        ways.append(placed(motion.pose[2, 1] + further * clip.pose[1].real, FE.nodes + bent_on[:, :3]))
    drawn = (ways[0] - ways[1]) / 2e-4
    size = np.abs(rate).max() / np.abs(drawn).max()
    assert_allclose(size * drawn, rate, atol=TURN**3 / 8 * np.abs(rate).max())  # small turns of the drawing, as above


def test_the_centre_of_mass_of_a_deformed_body_moves_as_momentum_and_reactions_say():
    """A beam swings about one end: m v is the momentum, m a the forces on it, m g z the potential energy."""
    body = ff.modal.reduce(FE, interface=[1, N + 1], n_modes=4)
    model, m, weight = h.Model(gravity=(0, 0, -9.81)), body.inertia.m, np.array([0, 0, -9.81 * body.inertia.m])
    rod = model.add(h.FlexibleBody("rod", body))
    model.add(h.revolute("root", rod.node(1), model.ground.at(), axis=(0, 1, 0)))
    motion = tuple(f"rod.com_{what}" for what in ("position", "velocity", "acceleration"))
    run = model.compile().simulate(t_end=0.05, step=1e-3, record=h.Record(every=0.01, channels=("*", *motion)))
    place, speed, acceleration = (run[name] for name in motion)
    # sums of the same numbers in another order: rounding
    assert_allclose(m * speed, run["momentum.linear"], atol=1e-12)
    assert_allclose(m * acceleration, run["root.force"] + weight, atol=1e-10)
    assert_allclose(-place @ weight, run["energy.potential"], atol=1e-12)
    plain = model.compile().simulate(t_end=0.05, step=1e-3, record=h.Record(every=0.01))
    assert motion[0] not in {channel.name for channel in plain.channels}
    assert_allclose(plain[motion[0]], place, atol=1e-14)
