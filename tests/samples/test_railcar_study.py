"""The railcar in motion: the vehicle against closed forms, and Mikheev's (2004) conclusions with printed figures."""

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.errors import ModelError
from floatframe.samples.railcar import figures, on_springs, report, runs, study, vehicle
from floatframe.samples.railcar.cases import (
    CANT,
    CURVE_SPEED,
    FORMS,
    SEEDS,
    SMOOTH,
    SPEEDS,
    VARIANTS,
    Case,
    plan,
    variant,
)
from floatframe.samples.railcar.findings import findings, mean_and_spread
from floatframe.samples.railcar.model import build
from floatframe.samples.railcar.rolling import GRAVITY
from floatframe.samples.railcar.runs import POINTS, WHEELSETS, run_case, run_cases
from floatframe.samples.railcar.tracks import RADIUS, track

SHORT = (80.0, 100.0), 10.0  # km/h and s: shorter than the study


@pytest.fixture(scope="module")
def body() -> ff.modal.ReducedBody:
    return study.prepare()


@pytest.fixture(scope="module")
def found(body) -> study.Study:
    measured = study.measure(body, *SHORT, rolling=False, repeated=False)
    print(study.table(measured))
    return measured


def conclusion(found: study.Study, words: str) -> bool:
    """Whether the conclusion with some words agrees."""
    [one] = [one for one in findings(found) if words in one.conclusion]
    print(one)
    return one.agrees


# the vehicle


def test_vehicle_has_the_frequencies_of_its_body_on_the_springs(body, monkeypatch):
    monkeypatch.setattr(vehicle, "FRICTION", 1e-3)  # held dampers would be supports
    system = vehicle.vehicle(body, Case(70, 20.0, rough=SMOOTH)).compile()
    frequency = np.sort(system.linearise(system.initial_state()).frequency)
    fe = ff.modal.eigenmodes(on_springs(build()), n=14).frequency
    # 64 modes of the free body cannot follow the dents at the spring seats: 0.6 % in the lower sway
    assert_allclose(frequency[:14], fe, rtol=0.01)
    assert (frequency[:14] > 0.999 * fe).all()


def test_wheelsets_meet_the_same_irregularities_one_after_the_other(body):
    case = Case(6, 36.0)
    system = vehicle.vehicle(body, case).compile()
    record = ff.hybrid.Record(0.01, ("front.axle.position", "rear.axle.position"))
    result = system.simulate(t_end=5.0, step=5e-3, record=record)
    rear, front = (result[f"{name}.axle.position"] for name in ("rear", "front"))
    at = 2 * 3.15 / 10.0  # the way between the axles
    for part in (1, 2):
        later = np.interp(result.t[result.t > at] - at, result.t, front[:, part])
        assert_allclose(rear[result.t > at, part], later, atol=2e-5)  # linear interpolation over 0.1 m
    rails = track(case).irregularity(10.0 * result.t)
    height = vehicle.Design().seat_height
    assert_allclose(rear[:, 2] - height, (rails[:, 1] + rails[:, 3]) / 2, atol=1e-6)


def test_study_runs_all_forms_at_all_speeds_on_all_tracks():
    cases = plan()
    assert len(cases) == len(set(cases))
    for forms in FORMS:
        for speed in SPEEDS:
            for rolling in (False, True):
                tracks = {
                    (c.curved, bool(c.rough)) for c in cases if (c.forms, c.speed, c.rolling) == (forms, speed, rolling)
                }
                # rolling on smooth straight track, where nothing happens, only at the highest speed
                assert len(tracks) == (3 if rolling and speed < max(SPEEDS) else 4)


def test_steps_are_short_enough(body, monkeypatch):
    case = Case(24, 72.0, seconds=3.0)
    coarse = run_case(body, case)
    monkeypatch.setattr(runs, "STEP", 5e-4)
    fine = run_case(body, case)
    for point in POINTS:
        assert fine.acceleration_rms(point) == pytest.approx(coarse.acceleration_rms(point), rel=5e-3)


# the curve


@pytest.mark.parametrize(("rolling", "cant"), [(False, 0.0), (True, 0.0), (True, CANT)])
def test_smooth_curve_balances_centrifugal_force_and_weight(body, rolling, cant):
    case = Case(24, CURVE_SPEED, True, SMOOTH, rolling, cant=cant, seconds=3.0)
    run = run_case(body, case)
    across = math.asin(cant / track(case).rail_distance)
    sideways = run.speed**2 / RADIUS * math.cos(across) - GRAVITY * math.sin(across)
    whole = sum(run.mean_force(name) for name in WHEELSETS)
    # wheelsets stand a little oblique to the tangent, and the body's centre runs on a smaller circle than they
    assert whole == pytest.approx(body.inertia.m * sideways, rel=0.01)
    # creep turns the wheelsets against each other
    for name in WHEELSETS:
        assert run.mean_force(name) == pytest.approx(whole / 2, rel=0.1)
    assert run.speed == pytest.approx(case.metres_per_second, rel=1e-3)


def test_guided_wheelsets_know_no_cant(body):
    with pytest.raises(ModelError, match=r"found a cant of 0\.15 m, expected none; take rolling wheels"):
        run_case(body, Case(24, CURVE_SPEED, True, SMOOTH, cant=CANT, seconds=3.0))


def test_elastic_modes_hardly_change_the_frame_force_in_the_smooth_curve(found):
    assert conclusion(found, "hardly change")
    assert conclusion(found, "24 and 70 forms nearly agree")
    assert conclusion(found, "forms of higher frequency add little")


def test_cross_level_and_not_lateral_irregularities_let_elastic_modes_raise_the_frame_force(body):
    raised = {}
    for name in ("lateral irregularities only", "cross level only"):
        cases = {f: variant(Case(f, CURVE_SPEED, True, seconds=20.0), VARIANTS[name]) for f in (6, 24)}
        made = run_cases(body, cases.values())
        raised[name] = made[cases[24]].force_rms() / made[cases[6]].force_rms() - 1
    print(raised)
    # torsion at 3 Hz raises that of cross level by about a half; the sway near 1.2 Hz changes by a few per cent
    assert raised["cross level only"] > 0.2
    assert abs(raised["lateral irregularities only"]) < 0.15


@pytest.mark.slow
def test_elastic_modes_do_not_raise_the_frame_force_in_the_rough_curve_by_ten_per_cent(body):
    """The source has 9.8 % more with 24 forms. Ours are between -12 and +10 %, so its conclusion is not confirmed."""
    cases = {
        (forms, seed): Case(forms, CURVE_SPEED, True, rolling=True, seed=seed)
        for forms in (6, 24)
        for seed in SEEDS[:3]
    }
    made = run_cases(body, cases.values())
    rms = {key: made[case].force_rms() for key, case in cases.items()}
    raised = np.array([rms[24, seed] / rms[6, seed] - 1 for seed in SEEDS[:3]])
    print(f"frame force {rms}: {mean_and_spread(raised)}, published +9.8 %")
    assert abs(raised.mean()) < 0.1
    assert raised.min() < 0 < raised.max()


@pytest.mark.slow
def test_rolling_wheels_shake_the_frame_like_guided_wheelsets(body):
    """Vertically a wheel follows its rail: only its elastic contact and its tread lie between."""
    cases = {rolling: Case(24, 100.0, rolling=rolling) for rolling in (False, True)}
    made = run_cases(body, cases.values())
    for point in POINTS:
        guided, rolling = (made[cases[which]].acceleration_rms(point) for which in (False, True))
        assert rolling == pytest.approx(guided, rel=0.05)


# conclusions on straight track


def test_accelerations_differ_by_tens_of_per_cent_and_most_under_mid_saloon(found):
    assert conclusion(found, "tens of per cent")


def test_more_forms_count_under_mid_saloon_at_high_speed_and_little_under_the_cabs(found):
    assert conclusion(found, "70 forms instead of 24")


def test_at_most_half_of_the_forms_matter(found):
    assert conclusion(found, "at most half")
    assert found.forms_that_matter(rolling=False) > 5


def test_nothing_moves_on_smooth_straight_track(found):
    for forms in FORMS:
        run = found.run(forms, 100.0, rolling=False, smooth=True)
        assert max(run.acceleration_rms(point) for point in POINTS) < 1e-9


def test_parts_of_the_forms_add_up_to_the_acceleration(body):
    case = Case(70, 100.0, seconds=3.0)
    names = [f"body.node[{point}].acceleration" for point in POINTS]
    record = ff.hybrid.Record(
        2e-3, ("body.acceleration", "body.angular_acceleration", "body.modal_acceleration", *names)
    )
    result = vehicle.vehicle(body, case).compile().simulate(t_end=3.0, step=1e-3, record=record)
    for point, name in zip(POINTS, names, strict=True):
        whole = result[name][:, 2]
        parts = runs.parts_of_forms(result, body, case, point)
        # small angles: roll and pitch of 0.01 rad tilt accelerations by 1 %
        assert np.abs(parts.sum(axis=1) - whole).max() < 0.02 * np.abs(whole).max()


# the report


def test_mean_and_spread_are_written_in_per_cent():
    assert mean_and_spread(np.array([0.01, 0.03])) == "+2.0 ± 1.4 % (2 seeds)"
    assert mean_and_spread(np.array([-0.01])) == "-1.0 % (1 seed)"


def test_report_has_all_figures_and_conclusions(body, found, tmp_path):
    heard = []
    again = run_cases(body, [Case(6, 80.0, seconds=1.0)], lambda *news: heard.append(news))
    assert len(again) == 1
    assert heard == [("1 of 1 runs", heard[0][1], heard[0][1])]
    drawn = figures.draw(tmp_path, found, on_springs(build()))
    page = report.write_report(tmp_path / "report.html", replace(found, elapsed=60.0), drawn)
    text = page.read_text(encoding="utf-8")
    assert text.count("data:image/png") == len(drawn) == 8
    for number in range(13, 19):
        assert f"Figure 3.{number}" in text
    for words in ("lateral bending with torsion", "Table 3.3", "by the order of 10 %", "24 runs took 1.0 min"):
        assert words in text
