"""The samples of networks with machines against closed forms, and their balance of energy."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import floatframe as ff
from floatframe.errors import ModelError, WriteError
from floatframe.hybrid import Record
from floatframe.network import describe_network_file, read_network, write_network
from floatframe.samples import beam, find_sample


@pytest.fixture(scope="module")
def motor(tmp_path_factory) -> Path:
    """The motor-driven slider-crank, its rod with four modes."""
    folder = tmp_path_factory.mktemp("motor")
    find_sample("motor-crank").copy(folder)
    ff.io.write(folder / "input.fum", ff.modal.reduce(beam.build(), interface=[1, 201], n_modes=4))
    return folder / "drive.toml"


@pytest.fixture(scope="module")
def crane(tmp_path_factory) -> Path:
    """The crane boom on its cylinder."""
    folder = tmp_path_factory.mktemp("crane")
    find_sample("crane-boom").copy(folder)
    return folder / "lift.toml"


def test_a_stalled_motor_turns_the_crank_as_its_voltage_and_drag_say(motor):
    """Torque n k i = d w and voltage U = R i + n k w: w = n k U / (R d + (n k)²), at a drag that leaves no ripple."""
    stalled, drag = motor.with_name("stalled.toml"), 1e5
    text = motor.read_text(encoding="utf-8").replace(
        'ports = ["A"]', f'ports = ["A"]\nparameters = {{ drag = {drag} }}'
    )
    stalled.write_text(text, encoding="utf-8")
    system = read_network(stalled, {"rise": 1e-3, "gain": 1e3}).compile()
    result = system.simulate(0.06, step=1e-3)  # 12 time constants L/R
    nk, R, U = 10.0 * 1.2, 0.8, 110.0
    speed = nk * U / (R * drag + nk**2)
    # 1e-4: exp(-12) of the first current is left, beside what the rod sends back
    assert result["motor.current"][-1] == pytest.approx((U - nk * speed) / R, rel=1e-4)
    # 0.3 %: the rod rings on after the start
    assert result["shaft.angular_velocity"][-1] == pytest.approx(speed, rel=3e-3)
    assert result["armature.voltage"][-1] == pytest.approx(U, rel=1e-12)


def test_a_network_with_a_machine_is_written_and_read_and_its_parameters_reach_the_machine(motor, tmp_path):
    text = motor.read_text(encoding="utf-8").replace("[parameters]", "[parameters]\nbrake = 3.0")
    source = motor.with_name("braked.toml")
    source.write_text(
        text.replace('ports = ["A"]', 'ports = ["A"]\nparameters = { drag = "2*brake" }'), encoding="utf-8"
    )
    write_network(tmp_path / "again.toml", read_network(source).network)
    given = {"brake": 50.0}
    record = Record(channels=("A.angle", "A.rate", "drag.value"))
    first, again = (
        read_network(path, given).compile().simulate(0.02, step=2e-3, record=record)
        for path in (source, tmp_path / "again.toml")
    )
    np.testing.assert_array_equal(again["A.angle"], first["A.angle"])
    drag = -first["drag.value"][-1] / first["A.rate"][-1]
    assert drag == pytest.approx(100.0, rel=1e-9)
    file = read_network(source)
    rows = {row["element"]: row for row in describe_network_file(file, file.compile())["elements"]}
    assert rows["slider_crank"]["values"] == {"drag": "2*brake"}
    with pytest.raises(WriteError, match="machine 'slider_crank': fragments have no machines"):
        write_network(tmp_path / "again.pradis", read_network(source).network)


def test_the_cylinder_carries_the_boom(crane):
    """While the valves are shut the pressure swings about that of the lever: moments about the pin."""
    result = read_network(crane).compile().simulate(0.45, step=2e-3)
    foot, eye = np.array([0.3, -1.0]), np.array([1.2, -0.1])
    along = (eye - foot) / np.linalg.norm(eye - foot)
    arm = eye[0] * along[1] - eye[1] * along[0]
    force = 9.81 * (400.0 * 2.0 + 500.0 * 4.0) / arm
    pressure = result["bottom.pressure"].ravel()
    # 1 %: the swings do not end with the run; they are 8 % at the start
    assert np.mean(pressure) == pytest.approx(force / 5e-3, rel=0.01)


def test_a_crane_that_begins_from_its_equilibrium_stays_there_until_it_is_moved(crane, tmp_path):
    """The controller moves after 0.5 s; killed or not, a run that goes on has the same bits."""
    file = read_network(crane)
    settings = {"from": "equilibrium", "step": 5e-3, "method": "bdf2"}
    whole = file.compile().simulate(settings=file.settings(t_end=0.4, **settings))
    rest = file.compile().operating_point()
    for name in ("bottom.pressure", "supply.pressure", "rod.displacement", "boom.rotation"):
        # iterations of fixed steps end at 1e-9
        np.testing.assert_allclose(whole[name], np.broadcast_to(rest[name], whole[name].shape), rtol=1e-8, atol=1e-12)
    path = tmp_path / "run.h5"
    file.compile().simulate(settings=file.settings(t_end=0.2, **settings), path=path)
    again = file.compile().simulate(settings=file.settings(t_end=0.4, **settings), path=path, resume=True)
    np.testing.assert_array_equal(again["bottom.pressure"], whole["bottom.pressure"])
    with pytest.raises(ModelError, match="a network begins from 'steady', expected start or equilibrium"):
        file.settings(**{"from": "steady"})


@pytest.mark.parametrize(("method", "order"), [("stormer", 1.0), ("bdf2", 2.0), ("generalised-alpha", 2.0)])
def test_motor_controller_and_flexible_crank_balance_their_energy_with_the_order_of_the_method(motor, method, order):
    """The supply less the heat of armature and drag is in coil, rotor, crank, slider and the bending rod."""
    system, left = read_network(motor).compile(), []
    for step in (1e-3, 5e-4):
        run = system.simulate(0.05, method=method, step=step)
        current, speed = run["motor.current"], run["shaft.angular_velocity"]
        energy = run["energy.total"] + 0.5 * 4e-3 * current**2 + 0.5 * 0.01 * run["rotor.angular_velocity"] ** 2
        power = -run["supply.power"] - 0.8 * current**2 - 10.0 * speed**2
        work = np.sum(np.diff(run.t) * (power[1:] + power[:-1])) / 2.0
        left.append(abs(energy[-1] - energy[0] - work))
    assert left[0] < 0.02 * energy[-1]
    # 0.03: terms of the next order
    assert math.log2(left[0] / left[1]) == pytest.approx(order, abs=0.03)


def test_the_balance_of_what_stores_energy_in_the_hydraulics_falls_at_least_with_the_square_of_the_step(crane):
    system = read_network(crane).compile()
    errors = [
        np.abs(system.simulate(0.05, step=h, method="generalised-alpha").statistics["energy_balance"]).max()
        for h in (1e-3, 5e-4)
    ]
    # at least: the first swings of the oil are not resolved by the longer step; 0.15: terms of the next order
    assert math.log2(errors[0] / errors[1]) > 1.85
