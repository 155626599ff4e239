"""Machines of networks whose joints and parameters change at given times: momentum, and runs of the machine alone."""

from __future__ import annotations

import numpy as np
import pytest

import floatframe as ff
from floatframe.errors import ModelError
from floatframe.network import Network, machine_kind

H = ff.hybrid


def sliders() -> H.Model:
    """2 kg at 3 m/s and 1 kg at rest on rails, coupled from 0.2 s to 0.6 s."""
    model = H.Model()
    for name, mass, x, speed in (("one", 2.0, 0.0, 3.0), ("two", 1.0, 1.0, 0.0)):
        body = model.add(H.RigidBody(name, mass, (1, 1, 1)))
        rail = H.prismatic(f"rail_{name}", body.at(), model.ground.at(), axis=(1, 0, 0), start=x, start_rate=speed)
        model.add(rail)
    model.add(H.fixed("couple", model["one"].at((0.2, 0, 0)), model["two"].at((-0.2, 0, 0))))
    model.add(H.Stage("meet", when=0.2, lock=["couple"]))
    model.add(H.Stage("part", when=0.6, release=["couple"]))
    return model


def pushed() -> Network:
    """The second slider carries 1 kg more, which the network has, and is pushed by 4 N from 0.7 s on."""
    net = Network("rails")
    net.add("machine", machine_kind(sliders().compile(), ["rail_two"]), ["s"])
    net.add("ballast", "mass", ["s"], mass=1.0)
    net.add("push", "force", ["s"], force="if(t > 0.7, 4, 0)")
    return net


@pytest.mark.parametrize(
    "settings",
    [
        {"rtol": 1e-6},
        {"step": 1e-2},
        {"step": 1e-2, "method": "generalised-alpha"},
        {"rtol": 1e-6, "method": "stormer"},
    ],
)
def test_a_lock_shares_the_momentum_of_machine_and_network(settings):
    """2 * 3 kg m/s over 2 + 1 + 1 kg, of which the last is an element; what the impulse takes is not in the balance."""
    result = pushed().compile().simulate(t_end=1.0, **settings)
    assert result.status.ok
    assert "Stage 'meet' began at t = 0.2 s. Stage 'part' began at t = 0.6 s." in str(result.status)
    before, after = result.t < 0.2 - 1e-9, (result.t > 0.2 + 1e-9) & (result.t < 0.65)
    assert after.sum() >= 3
    one, two = (result[f"{name}.velocity"][:, 0] for name in ("one", "two"))
    np.testing.assert_allclose(one[before], 3.0, rtol=1e-10)
    np.testing.assert_allclose(two[before], 0.0, atol=1e-10)
    # rounding of positions of 1 m over the short steps in which the impulses are
    np.testing.assert_allclose(np.column_stack((one, two, result["s.velocity"]))[after], 1.5, rtol=1e-9)
    # apart again, 4 N push 2 kg, whose flow begins inside a fixed step
    error = 1e-5 if "rtol" in settings else 2.0 * settings["step"]
    assert one[-1] == pytest.approx(1.5, rel=1e-9)
    assert two[-1] == pytest.approx(1.5 + 0.3 * 4.0 / 2.0, abs=error)
    work = np.sum(np.diff(result.t) * (result["push.power"][1:] + result["push.power"][:-1])) / 2.0
    assert abs(result.statistics["energy_balance"][-1]) < 0.02 * abs(work)  # of the jump inside the step


def gripped() -> H.Model:
    """Two bodies in flight, one held by the other from 0.2 s to 0.5 s as it is found, and lighter after that."""
    model = H.Model(gravity=(0, 0, -2), parameters={"m": 1.0})
    one = model.add(H.RigidBody("one", 2.0, (0.1, 0.2, 0.25), velocity=(1, 0.5, 0), angular_velocity=(1, -2, 3)))
    two = model.add(H.RigidBody("two", "m", (0.1, 0.1, 0.05), position=(1, 2, 0.5), angular_velocity=(-2, 1, 0.4)))
    model.add(H.fixed("grip", one.at((0.3, 0, 0)), two.at()))
    model.add(H.spring("band", one.at((0, 0.1, 0)), two.at((0.1, 0, 0)), stiffness=20.0))
    model.add(H.Stage("catch", when=0.2, lock=["grip"]))
    model.add(H.Stage("part", when=0.5, release=["grip"], set={"m": 0.5}))
    return model


def beside_an_idle_network() -> Network:
    net = Network("beside")
    net.add("machine", machine_kind(gripped().compile(), ["band"]), ["sensor"])
    net.add("C", "capacitor", ["a", "ground"], capacitance=1e-3)
    return net


def test_a_machine_with_stages_moves_beside_an_idle_network_as_it_does_alone():
    """The errors of both steps fall with the order of the method."""
    alone = gripped().compile().simulate(t_end=0.7, method="radau5", rtol=1e-9, record=H.Record(every=0.7))
    compiled, errors = beside_an_idle_network().compile(), []
    for step in (2e-3, 1e-3):
        run = compiled.simulate(t_end=0.7, step=step, method="generalised-alpha", record=H.Record(every=0.7))
        names = ("one.position", "two.position", "one.angular_velocity", "two.angular_velocity")
        errors.append(max(np.abs(run[name][-1] - alone[name][-1]).max() for name in names))
    assert errors[1] < 2e-5  # of metres and rad/s of the order of one
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.3)


def test_a_run_is_resumed_in_a_later_stage(tmp_path):
    """Bit by bit, with the places at which the grip has found the bodies."""
    compiled, path = beside_an_idle_network().compile(), tmp_path / "run.h5"
    whole = compiled.simulate(t_end=0.6, step=5e-3)
    compiled.simulate(t_end=0.3, step=5e-3, path=path)
    again = beside_an_idle_network().compile().simulate(t_end=0.6, step=5e-3, path=path, resume=True)
    for name in ("two.position", "grip.force", "one.angular_velocity"):
        np.testing.assert_array_equal(again[name], whole[name])
    assert "Stage 'catch' began at t = 0.2 s. Stage 'part' began at t = 0.5 s." in str(again.status)


def test_a_port_that_comes_or_goes_is_refused():
    model = sliders()
    model.add(H.Stage("free", when=0.8, release=["rail_two"]))
    with pytest.raises(ModelError, match="'rail_two' comes or goes with a stage; connect what stays"):
        machine_kind(model.compile(), ["rail_two"])
