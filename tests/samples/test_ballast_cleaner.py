"""The ballast cleaner: its parts as published, analytic motion of a screen, and the conclusions of Mikheev."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest

import floatframe as ff
from floatframe.fem import RBE2, with_node
from floatframe.modal import eigenmodes
from floatframe.samples.ballast_cleaner import Design, build, study
from floatframe.samples.ballast_cleaner.findings import NEAR, TABLE, findings
from floatframe.samples.ballast_cleaner.machine import BANDS, HERE, PUBLISHED, prepare, simulated
from floatframe.samples.ballast_cleaner.measures import DISPLACEMENT, PEAK, REGIMES, RMS, RUN_DOWN
from floatframe.samples.ballast_cleaner.model import HOPPER, SCREENS
from floatframe.samples.ballast_cleaner.tables import factors, parts, printed

SPEED = 2 * np.pi * 14.0
SCREEN, BALLAST = 6315.0, 1840.0
UNBALANCES = (129.6 * 0.3, 48.6 * 0.3, 257.0 * 0.03)  # kg m
# ours over published amplitudes of table 3.5; stiffness, damping and masses behind them are not published
FACTOR = 2.0
FACTOR_OF_RMS = 3.0  # the same; how long each mode rings decides too, and damping is published even less


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    return prepare(tmp_path_factory.mktemp("machine"))


@pytest.fixture(scope="module")
def closer(machine):
    return {phase: study.look_closer(machine, phase) for phase in study.PHASES}


# parts


def test_a_screen_is_the_published_one():
    model = ff.hybrid.read_model(HERE / "screen.toml").model
    mass = {body.name: body.mass for body in model.compile().model.bodies if body.name != "ground"}
    assert len(mass) == 7
    assert sum(mass.values()) - mass["ballast"] == pytest.approx(SCREEN)
    assert mass["main_left"] + mass["main_right"] == pytest.approx(129.6)
    assert mass["additional_left"] + mass["additional_right"] == pytest.approx(48.6)
    assert mass["shaft"] == pytest.approx(257.0)


def test_files_and_builder_have_the_same_tuned_height():
    heights = {
        tomllib.loads((HERE / name).read_text(encoding="utf-8"))["parameters"]["height"]
        for name in ("frame.toml", "machine.toml")
    }
    assert heights == {Design().height}


@pytest.mark.parametrize("alpha", [0.0, 120.0, 180.0])
def test_screens_move_as_an_unbalanced_mass_on_springs(machine, alpha):
    """Amplitude |u| w²/|k - m w² + i c w|; the frame, 49 t, yields by about one in a hundred of it."""
    file = ff.hybrid.read_model(machine)
    stiffness, damping = (4 * float(file.model.parameters[name]) for name in ("spring", "damper"))
    main, additional, shaft = UNBALANCES
    unbalance = abs(main + shaft + additional * np.exp(1j * np.radians(alpha)))
    expected = unbalance * SPEED**2 / abs(stiffness - (SCREEN + BALLAST) * SPEED**2 + 1j * damping * SPEED)
    run = simulated(machine, {"alpha": alpha, "run_up": 2.0, "work": 4.0, "run_down": 0.1})
    late = (run.t > 4.5) & (run.t < 6.0)
    for screen in ("rear", "front"):
        height = run[f"{screen}.housing.position"][late, 2]
        assert np.ptp(height) / 2 == pytest.approx(expected, rel=0.02)
    print(f"alpha {alpha:.0f}: {1e3 * expected:.2f} mm")


# the machine


def test_frequencies_of_the_assembled_machine_are_the_published_ones(closer):
    found = {name: float(closer[0.0].parts.frequency[k]) for name, k in closer[0.0].modes.items()}
    print({name: round(frequency, 3) for name, frequency in found.items()})
    for name, published in PUBLISHED.items():
        assert found[name] == pytest.approx(published, rel=NEAR)


def test_modes_of_the_machine_without_reduction_are_the_same(machine, closer):
    """All degrees of freedom of the frame, springs and rigid screens as elements, against 25 modes of the frame."""
    given = ff.hybrid.read_model(machine).model.parameters
    shear, axle = float(given["shear"]), float(given["axle"])

    def spring(name):
        return [shear * float(given[name]), shear * float(given[name]), float(given[name])]

    fe = build()
    for number in range(1, 5):
        fe = fe.with_spring(f"support {number}", None, spring("suspension"))
    for number, (rear, front) in enumerate(SCREENS, start=1):
        fe, centre = with_node(fe, ((rear + front) / 2, 0.0, axle))
        fe = fe.with_point_mass(centre, SCREEN + BALLAST, _inertia())
        feet = []
        for seat, (x, y) in enumerate(((rear, -0.95), (rear, 0.95), (front, -0.95), (front, 0.95)), start=1):
            fe, foot = with_node(fe, (x, y, 1e-3))  # beside the seat, so that it is a node of its own
            feet.append(foot)
            fe = fe.with_spring(foot, f"screen {number} spring {seat}", spring("spring"))
        fe = fe.with_coupling(RBE2(centre, feet))
    whole = eigenmodes(fe, n=40).frequency
    for name, k in closer[0.0].modes.items():
        frequency = float(closer[0.0].parts.frequency[k])
        nearest = whole[np.abs(whole / frequency - 1).argmin()]
        print(f"{name}: {frequency:.3f} Hz, {nearest:.3f} Hz without reduction")
        # 25 modes leave out how the girders yield under a spring
        assert frequency == pytest.approx(nearest, rel=0.02)


def _inertia():
    """Moments of housing, shaft and ballast about the axis of the shaft [kg m2], unbalances as parts of the housing."""
    length, width = 4.5, 2.0
    total = np.zeros(3)
    for mass, height in ((SCREEN, 1.5), (BALLAST, 0.4)):
        total += mass / 12 * np.array([width**2 + height**2, length**2 + height**2, length**2 + width**2])
    return total


def test_the_hopper_takes_most_of_the_first_bending_and_less_of_the_second():
    """As the report says: six tenths of the kinetic energy in the mode of the free frame next to 9.53 Hz."""
    fe = build()
    found = eigenmodes(fe, n=16)
    shapes = fe.expand(found.shapes)
    (hopper,) = fe.node_index(fe.pick_nodes(lambda p: (np.abs(p - [HOPPER, 0.0, 0.0]) < 1e-6).all(axis=1)))
    point = fe.node_index(fe.node_sets["point 4"])[0]
    share = {}
    for name, (low, high) in BANDS.items():
        inside = [k for k in range(6, 16) if low <= found.frequency[k] <= high]
        if inside:
            k = max(inside, key=lambda k: abs(shapes[point, 2, k]))
            share[name] = Design().hopper * float((shapes[hopper, :3, k] ** 2).sum())
    print(share)
    assert share["first bending"] == pytest.approx(0.6, abs=0.05)
    assert share["second bending"] < 0.4


# conclusions of Mikheev


def test_three_modes_carry_the_vertical_vibration(closer):
    for phase, one in closer.items():
        print(f"phi {phase:.0f}: {100 * one.share():.0f} % of the mean square")
        assert one.share() > 0.75


def test_parts_of_three_modes_beside_table_3_5(closer, sweep):
    found = study.Study(closer, sweep)
    rows = parts(found)
    for row in rows:
        print(row)
    assert len(rows) == sum(map(len, TABLE.values())) == 6
    assert all(1 / FACTOR < row["factor"] < FACTOR for row in rows)
    assert all(1 / FACTOR_OF_RMS < row["factor of RMS"] < FACTOR_OF_RMS for row in rows)
    # both ranges are said, and a study whose time was not taken says nothing of speed
    for name in ("factor", "factor of RMS"):
        low, *_, high = sorted(row[name] for row in rows)
        assert f"{low:.2f} to {high:.2f} times" in factors(found)
    assert "cases per minute" not in printed(found)


@pytest.fixture(scope="module")
def sweep(machine):
    return study.swept(machine, [0.0, 90.0, 150.0], [0.0, 180.0], workers=1)


def test_the_worst_is_found_where_the_source_has_it(closer, sweep):
    found = study.Study(closer, sweep)
    for one in findings(found):
        print(one.agrees, one.conclusion, "|", one.ours)
    # the whole study has all phases
    assert found.worst(DISPLACEMENT)[1:] == (4, 0.0)
    assert found.worst_alpha(DISPLACEMENT, 4) == 0.0
    assert found.worst(RMS)[1:] == (4, 150.0)
    assert found.worst_alpha(RMS, 4) == 0.0
    shaken = found.grid(RUN_DOWN, 4, RMS)[:, 0]
    assert shaken[2] > 1.5 * shaken[0]  # the phase shakes most that moves least
    for quantity in (DISPLACEMENT, RMS, PEAK):
        largest = {regime: found.worst(quantity, regime, [4])[0] for regime in REGIMES}
        assert max(largest, key=lambda regime: largest[regime]) == RUN_DOWN
    for phase in (0, 2):
        moved = {axis: found.grid(RUN_DOWN, 4, DISPLACEMENT, axis)[phase, 0] for axis in "xyz"}
        assert moved["z"] > moved["x"] > 20 * moved["y"]


@pytest.mark.slow
@pytest.mark.usefixtures("rendering")
def test_the_whole_study_runs_and_prints_what_it_finds(tmp_path):
    found = study.run(tmp_path / "study")
    print(printed(found))
    assert all(path.exists() for path in found.files)
    assert {"figure-3.22.png", "figure-3.25-1.png", "figure-3.25-2.png"} <= {path.name for path in found.files}
    assert not found.sweep.failures
    # of all points and phases, as in the source; the front end comes near when the machine pitches, at 240°
    assert found.worst(DISPLACEMENT)[1:] == (4, 0.0)
    assert found.worst(DISPLACEMENT, points=[8])[2] == 240.0
    assert found.worst_alpha(DISPLACEMENT, 4) == 0.0
    # the source has 150°; here the top is broad, and three percent decide between 150° and 180°
    most, point, phase = found.worst(RMS)
    assert point == 4
    assert 150.0 <= phase <= 180.0
    assert found.grid(RUN_DOWN, 4, RMS)[5, 0] > 0.95 * most
    assert found.worst_alpha(RMS, 4) == 0.0
