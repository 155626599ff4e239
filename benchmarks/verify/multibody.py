"""Published problems of rigid and flexible multibody dynamics: IFToMM library, IVP test set, SUNDIALS' examples.

The models are those of the tests. Tolerances follow the digits published with each; where there are more than the
published solution is good for, they follow that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.verify.rows import Row
from floatframe import hybrid as h
from floatframe.arrays import Array
from floatframe.errors import NotConverged
from tests.hybrid import elastic_slider_crank, problems as models

EXPLICIT = {"method": "rk45", "rtol": 1e-11}
# four-bars pass singular positions, which a controlled explicit method refuses
PASSING = {"method": "generalised-alpha", "step": 2.5e-4}


def problems() -> Iterator[Row]:
    """Yield all problems of this module."""
    for problem in (
        pendulum,
        four_bars,
        squeezer,
        squeezer_implicit,
        bricard,
        spatial_slider_crank,
        car_axis,
        sundials_slider_crank,
        double_pendulum,
        elastic_rod,
        elastic_rod_implicit,
    ):
        yield from problem()


def run(model: h.Model, t_end: float, every: float, channels: Sequence[str], settings: Mapping[str, Any]) -> h.Results:
    """Simulate from the start state."""
    record = h.Record(every=every, channels=tuple(channels))
    return finished(model.compile().simulate(t_end=t_end, record=record, **settings))


def finished(result: h.Results) -> h.Results:
    """The result, if the run came to its end."""
    if not result.status.ok:
        raise NotConverged(str(result.status))
    return result


def at(result: h.Results, channel: str, t: float) -> Any:
    """The value of a channel at a time recorded."""
    return result[channel][int(np.argmin(np.abs(result.t - t)))]


def compared(
    problem: str,
    how: str,
    names: Sequence[str],
    target: Sequence[float],
    ours: Sequence[float] | Array,
    tolerance: float,
) -> Iterator[Row]:
    """Rows of several numbers; `tolerance` bounds their errors relative to the largest target."""
    size = max(abs(value) for value in target)
    for name, value, mine in zip(names, target, ours, strict=True):
        bound = tolerance * size / abs(value) if value else tolerance * size
        yield Row(problem, name, value, float(mine), bound, how)


def pendulum() -> Iterator[Row]:
    """IFToMM A01."""
    published = {
        1: (0.986291751, -0.165010853),
        2: (-0.793566195, -0.608483930),
        5: (-0.942305435, -0.334754338),
        10: (-0.275087463, -0.961419205),
    }
    result = run(models.pendulum(), 10.0, 1.0, ["bob.com_position"], EXPLICIT)
    for t, target in published.items():
        ours = at(result, "bob.com_position", t)
        yield from compared("A01 pendulum", "rk45", (f"x({t} s)", f"y({t} s)"), target, ours[:2], 3e-9)


def four_bars() -> Iterator[Row]:
    """IFToMM A02, which passes positions where the mechanism is singular."""
    two = {
        1: (-0.195020302, -0.980799206),
        2: (0.057815796, 0.998327268),
        5: (-0.811310461, -0.584615545),
        10: (0.328458112, 0.944518538),
    }
    for n, published in ((2, two), (40, {10: (0.180512227, 0.983572741)})):
        result = run(models.four_bars(n), 10.0, 1.0, ["upright0.com_position"], PASSING)
        for t, target in published.items():
            ours = 2.0 * at(result, "upright0.com_position", t)[:2]
            # a method of second order at 0.25 ms: errors of 8e-7
            yield from compared(f"A02 {n} four-bars", "gen.-alpha", (f"x({t} s)", f"y({t} s)"), target, ours, 2e-6)


SQUEEZER = (
    15.81077119629904,
    -15.75637105984298,
    0.04082224013073101,
    -0.5347301163226948,
    0.5244099658805304,
    0.5347301163226948,
    1.048080741042263,
)
SQUEEZER_RATE = (
    1139.920302151208,
    -1424.379294994111,
    11.03291221937134,
    19.29337464421385,
    0.5735699284790808,
    -19.29337464421385,
    0.3231791658026955,
)
#: forces at E on K3, K4 and K6, the multipliers of the three loops [N]
SQUEEZER_FORCES = {
    "E3": (199.1753333731910, -29.75531228015052),
    "E4": (23.06654119098399, 31.45271365475927),
    "E6": (22.64249232082739, 11.61740700019673),
}
SQUEEZER_BETA = {0.01: 2.16011313, 0.02: 8.18490589, 0.04: 24.37530497, 0.05: 33.82586777}


def squeezer() -> Iterator[Row]:
    """Andrews' squeezer, IFToMM A03 and IVP test set; the published speeds of slow joints are good for 5e-8.

    Forces follow accelerations, and are as good as those are with such speeds.
    """
    names = models.ANDREWS_JOINTS
    channels = [f"{name}.{what}" for name in names for what in ("angle", "rate")]
    channels += [f"{name}.force" for name in SQUEEZER_FORCES]
    result = run(models.andrews(), 0.05, 0.01, channels, EXPLICIT)
    for name, angle, rate in zip(names, SQUEEZER, SQUEEZER_RATE, strict=True):
        yield Row("A03 squeezer", f"{name}(0.03 s)", angle, at(result, f"{name}.angle", 0.03), 1e-9, "rk45")
        yield Row("A03 squeezer", f"rate of {name}(0.03 s)", rate, at(result, f"{name}.rate", 0.03), 1e-7, "rk45")
    yield from _squeezer_forces(result, "rk45", 2e-7)
    for t, beta in SQUEEZER_BETA.items():
        yield Row("A03 squeezer", f"beta({t} s)", beta, at(result, "beta.angle", t), 5e-9, "rk45")


def squeezer_implicit() -> Iterator[Row]:
    """The same with the default method."""
    settings = {"method": "generalised-alpha", "rtol": 1e-8}
    channels = [f"{name}.angle" for name in models.ANDREWS_JOINTS] + [f"{name}.force" for name in SQUEEZER_FORCES]
    result = run(models.andrews(), 0.03, 0.01, channels, settings)
    for name, angle in zip(models.ANDREWS_JOINTS, SQUEEZER, strict=True):
        ours = at(result, f"{name}.angle", 0.03)
        yield Row("A03 squeezer", f"{name}(0.03 s)", angle, ours, 1e-6, "gen.-alpha, rtol 1e-8")
    # multipliers of an implicit method, which hold at other points of a step than positions do: found 5e-5
    yield from _squeezer_forces(result, "gen.-alpha, rtol 1e-8", 1e-4)


def _squeezer_forces(result: h.Results, how: str, bound: float) -> Iterator[Row]:
    names = [f"{name}, force {c}(0.03 s)" for name in SQUEEZER_FORCES for c in "xy"]
    ours = np.concatenate([at(result, f"{name}.force", 0.03)[:2] for name in SQUEEZER_FORCES])
    yield from compared("A03 squeezer", how, names, [x for pair in SQUEEZER_FORCES.values() for x in pair], ours, bound)


def bricard() -> Iterator[Row]:
    """IFToMM A04, overconstrained; six digits published."""
    published = {
        0.5: (0.968284, -1.224625, 0.750147),
        1: (0.510501, -1.649168, 0.140123),
        1.5: (-0.517729, -1.646538, 0.144456),
        2: (-0.969340, -1.221247, 0.754278),
        3: (-0.967200, -1.228020, 0.745983),
        4: (0.524900, -1.643876, 0.148836),
        5: (1.000000, -1.000067, 0.999933),
        10: (1.000000, -1.000269, 0.999731),
    }
    result = run(models.bricard(), 10.0, 0.5, ["rod4.position"], EXPLICIT)
    for t, target in published.items():
        ours = at(result, "rod4.position", t)
        yield from compared("A04 Bricard", "rk45", tuple(f"{c} of P3({t} s)" for c in "xyz"), target, ours, 6e-7)


def spatial_slider_crank() -> Iterator[Row]:
    """IFToMM spatial slider-crank; published to 3e-6 m by a model of one dof."""
    times = (0.1, 0.5, 1, 2, 3, 4, 5)
    place = (0.2268122, 0.1850075, 0.2087078, 0.2901203, 0.2333559, 0.1927730, 0.2249255)
    speed = (5.836845, 13.942166, 10.466668, 27.420185, 6.217447, 7.346217, 10.606218)
    result = run(models.spatial_slider_crank(), 5.0, 0.1, ["slider.position", "A.rate", "energy.total"], EXPLICIT)
    name = "spatial slider-crank"
    for t, x, w in zip(times, place, speed, strict=True):
        yield Row(name, f"slider({t} s)", x, at(result, "slider.position", t)[0], 4e-7, "rk45")
        yield Row(name, f"crank speed({t} s)", w, at(result, "A.rate", t), 2e-7, "rk45")
    yield Row(name, "energy", 0.766908, float(result["energy.total"][-1]), 1e-6, "rk45")


def car_axis() -> Iterator[Row]:
    """The car axis of the IVP test set, a stiff problem with a moving axis."""
    channels = [f"{body}.{what}" for body in ("left", "right") for what in ("position", "velocity")]
    result = run(models.car_axis(), 3.0, 0.5, channels, EXPLICIT)
    for what, published in models.CAR_AXIS_END.items():
        ours = [*result[f"left.{what}"][-1][:2], *result[f"right.{what}"][-1][:2]]
        names = [f"{what} {c} {side} (3 s)" for side in ("left", "right") for c in "xy"]
        yield from compared("car axis", "rk45", names, published, ours, 1e-8)


def sundials_slider_crank() -> Iterator[Row]:
    """SUNDIALS' idaSlCrank; eight digits."""
    published = {
        1: (1.31542057, 1.00149181, -0.50497347),
        2: (0.57903881, 1.38033527, -0.27714410),
        5: (-1.42999697, 0.93903061, 0.51789476),
        8: (0.64422554, 1.35363061, -0.30499635),
        10: (1.27567585, 1.02357856, -0.49881305),
    }
    result = run(models.sundials_slider_crank(), 10.0, 1.0, ["A.angle", "B.angle", "rod.position"], EXPLICIT)
    for t, target in published.items():
        q, p = at(result, "A.angle", t), at(result, "A.angle", t) + at(result, "B.angle", t)
        ours = (q, at(result, "rod.position", t)[0], p)
        yield from compared("idaSlCrank", "rk45", (f"q({t} s)", f"x({t} s)", f"p({t} s)"), target, ours, 1e-8)


def double_pendulum() -> Iterator[Row]:
    """Two point masses; eight digits."""
    published = {
        0.5: (0.57047205, 1.20387511),
        1: (-0.62508770, -1.03458509),
        2: (-0.48297153, -1.32404871),
        3: (1.78579552, 1.11810746),
        5: (-0.62718671, -1.30131555),
    }
    result = run(models.double_pendulum(), 5.0, 0.5, ["first.angle", "second.angle"], EXPLICIT)
    for t, target in published.items():
        first, second = at(result, "first.angle", t), at(result, "second.angle", t)
        names = (f"theta 1({t} s)", f"theta 2({t} s)")
        yield from compared("double pendulum", "rk45", names, target, (first, first + second), 1e-8)


def elastic_rod() -> Iterator[Row]:
    """The slider-crank with an elastic rod of the IVP test set.

    The start values published are consistent to 2e-10, and places by rk45 and DOP853 agree to 1e-11: the bounds
    are those of Simeon (1996).
    """
    yield from _elastic_rod({"method": "rk45", "rtol": 1e-9}, "rk45", (1e-9, 2e-7, 2e-8, 3e-5), 1e-5)


def elastic_rod_implicit() -> Iterator[Row]:
    """The same with the default method; the rod's fastest mode swings at 1 MHz."""
    yield from _elastic_rod(
        {"method": "generalised-alpha", "step": 2e-6}, "gen.-alpha 2 µs", (5e-8, 3e-5, 2e-6, 3e-3), 1e-3
    )


def _elastic_rod(settings: Mapping[str, Any], how: str, bounds: Sequence[float], force_bound: float) -> Iterator[Row]:
    """Bounds are those of phi2 and x3, of q1 ... q4, and of the rates of both, relative to the largest of each.

    The multipliers follow the accelerations of the rod's modes, which are less certain than their rates.
    """
    system = elastic_slider_crank.model().compile()
    record = h.Record(every=0.1, channels=(*elastic_slider_crank.CHANNELS, "C.force", "drive.force"))
    result = finished(system.simulate(elastic_slider_crank.start(system), t_end=0.1, record=record, **settings))
    place, rate = elastic_slider_crank.unknowns(result, system)
    names = ("phi2", "x3", "q1", "q2", "q3", "q4")
    groups = [
        (values, k)
        for values in ((place, elastic_slider_crank.END), (rate, elastic_slider_crank.END_RATE))
        for k in (0, 1)
    ]
    for ((ours, target), k), bound in zip(groups, bounds, strict=True):
        part = slice(0, 2) if k == 0 else slice(2, 6)
        what = "" if ours is place else "rate of "
        labels = [f"{what}{name}(0.1 s)" for name in names[part]]
        yield from compared("elastic slider-crank", how, labels, target[part].tolist(), ours[part], bound)
    force = result["C.force"][-1]
    # Simeon's rows are the height of the rod's end, the slider's place and the crank's angle
    multipliers = (-force[1], force[0], -result["drive.force"][-1])
    labels = [f"multiplier {k}(0.1 s)" for k in (1, 2, 3)]
    target = elastic_slider_crank.END_MULTIPLIERS.tolist()
    yield from compared("elastic slider-crank", how, labels, target, multipliers, force_bound)
