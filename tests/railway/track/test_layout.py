"""Layouts against closed forms: circle, clothoid (Fresnel), cosine and Bloss transitions, cant, vertical curves."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.special import fresnel

from floatframe.railway.track import Curve, Gradient, Kilometres, Straight, Track, Transition
from floatframe.railway.track.kernels import FRAME, frame_at
from tests.railway.track.track_kernels import fill_frames

pytestmark = pytest.mark.filterwarnings("ignore:.*middle has a kink")  # of low rails in curves to both sides

PLACE = 2e-9  # m; polynomials between stations, on 100 m and more
R, L = 300.0, 80.0


def rich(**more) -> Track:
    """All kinds of sections, gradients and ramps, curves to both sides."""
    return Track(
        [
            Straight(50.0),
            Transition(80.0),
            Curve(120.0, 300.0, cant=0.12, widening=0.01),
            Transition(60.0, "cosine"),
            Curve(100.0, -250.0, cant=0.1),
            Transition(70.0, "bloss", ramp="linear"),
            Straight(50.0),
        ],
        gradients=[Gradient(100.0, 0.02, 3000.0), Gradient(350.0, -0.01, 2000.0)],
        rounding=4.0,
        **more,
    )


@pytest.fixture(params=["centre", "low rail"])
def track(request):
    return rich(cant_about=request.param)


def test_a_curve_is_a_circle():
    curve = Track([Curve(400.0, -R)])
    s = np.linspace(0.0, 400.0, 37)
    found = curve.frame(s)
    assert_allclose(found.p[:, 0], R * np.sin(s / R), atol=PLACE)
    assert_allclose(found.p[:, 1], -R * (1 - np.cos(s / R)), atol=PLACE)
    assert_allclose(found.heading, -s / R, rtol=1e-13)
    assert_allclose(found.w, np.tile([0.0, 0.0, -1 / R], (37, 1)), atol=1e-16)


def test_a_clothoid_is_given_by_fresnel_integrals():
    track = Track([Transition(L), Curve(10.0, R)])
    s = np.linspace(0.0, L, 23)
    scale = np.sqrt(np.pi * R * L)
    sine, cosine = fresnel(s / scale)
    found = track.frame(s)
    assert_allclose(found.p[:, 0], scale * cosine, atol=PLACE)
    assert_allclose(found.p[:, 1], scale * sine, atol=PLACE)
    assert_allclose(found.heading, s**2 / (2 * R * L), atol=1e-15)
    assert_allclose(found.curvature, s / (R * L), atol=1e-17)


@pytest.mark.parametrize(
    ("kind", "heading"),
    [
        ("cosine", lambda s: (s - L / np.pi * np.sin(np.pi * s / L)) / (2 * R)),
        ("bloss", lambda s: (s**3 / L**2 - s**4 / (2 * L**3)) / R),
    ],
)
def test_smooth_transitions(kind, heading):
    track = Track([Transition(L, kind), Curve(10.0, R)])
    s = np.linspace(0.0, L, 9)
    found = track.frame(s)
    assert_allclose(found.heading, heading(s), atol=1e-15)
    for k, part in enumerate((np.cos, np.sin)):
        way = [quad(lambda x, part=part: part(heading(x)), 0.0, end, epsabs=1e-13)[0] for end in s]
        assert_allclose(found.p[:, k], way, atol=PLACE)


@pytest.mark.parametrize("radius", [R, -R])
def test_cant_raises_the_outer_rail(radius):
    track = Track([Straight(10.0), Transition(40.0), Curve(50.0, radius, cant=0.15)])
    middle, curve = track.frame(30.0), track.frame(80.0)
    outer = -np.sign(radius)  # y of the outer rail
    assert_allclose(outer * curve.R[2, 1], 0.15 / 1.5, rtol=1e-14)  # sine of the cant angle
    assert_allclose(abs(middle.cant), 0.075)
    # the resultant of gravity and centrifugal force is normal to the rails at the speed of balance
    speed = np.sqrt(9.81 * abs(radius) * np.tan(np.arcsin(0.1)))
    force = np.array([0.0, 0.0, -9.81]) - speed**2 * curve.ddp
    assert_allclose((curve.R.T @ force)[1], 0.0, atol=1e-13)


def test_low_rail_stays_on_the_grade_line():
    for radius in (R, -R):
        track = Track([Transition(40.0), Curve(50.0, radius, cant=0.15)], cant_about="low rail")
        found = track.frame([20.0, 60.0])
        low = found.p + 0.75 * np.sign(radius) * found.R[..., 1]
        assert_allclose(low[:, 2], 0.0, atol=1e-15)


def test_vertical_curve_is_a_parabola():
    track = Track([Straight(1000.0)], [Gradient(400.0, 0.02, 5000.0)])
    s = np.array([300.0, 350.0, 400.0, 450.0, 700.0])
    height = track.frame(s).p[:, 2]
    assert_allclose(height, [0.0, 0.0, 50.0**2 / 1e4, 100.0**2 / 1e4, 0.02 * 300.0], atol=1e-12)
    assert_allclose(track.frame(400.0).gradient, 0.01)


def test_kinks_are_rounded_by_parabolas():
    sharp, soft = (Track([Straight(50.0), Transition(50.0), Curve(50.0, R, 0.1)], rounding=w) for w in (0.0, 6.0))
    slope = 0.1 / 50.0
    assert_allclose(sharp.frame(50.0).cant, 0.0, atol=1e-15)
    assert_allclose(soft.frame(50.0).cant, slope * 3.0**2 / (2 * 6.0))
    s = np.array([40.0, 47.0, 53.0, 75.0, 97.0, 120.0])
    assert_allclose(soft.frame(s).cant, sharp.frame(s).cant, atol=1e-15)
    ends = soft.layout.cant.sides[1]
    assert_allclose(ends[:, 0], ends[:, 1], atol=1e-15)


def test_derivatives_are_those_of_finite_differences(track):
    # away from the ends of pieces, where third derivatives jump
    s = np.linspace(-600.0, track.end + 600.0, 2003) + 0.0123
    h = 1e-3
    here, before, behind = (track.frame(s + shift) for shift in (0.0, -h, h))

    def difference(name):
        return (getattr(behind, name) - getattr(before, name)) / (2 * h)

    apart = 5e-9  # rounding of places over the difference, 1e-13 / 1e-3, and the polynomials' own error
    assert_allclose(here.dp, difference("p"), atol=apart)
    assert_allclose(here.ddp, difference("dp"), atol=1e-9)
    assert_allclose(here.dw, difference("w"), atol=1e-9)
    spin = np.einsum("nji,njk->nik", here.R, difference("R"))
    assert_allclose(here.w, np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=-1), atol=1e-9)
    assert_allclose(np.einsum("nji,njk->nik", here.R, here.R), np.tile(np.eye(3), (len(s), 1, 1)), atol=1e-15)


@pytest.mark.parametrize("seed", range(12))
def test_random_tracks_are_smooth(seed):
    """Places and turns go on without a jump wherever pieces of any profile meet."""
    random = np.random.default_rng(seed)
    sections = []
    for _ in range(random.integers(1, 5)):
        radius = random.choice([-1, 1]) * 10 ** random.uniform(1.5, 3.5)
        straight, curve = (
            Straight(random.uniform(5, 300)),
            Curve(random.uniform(5, 300), radius, *random.uniform(0, 0.1, 2)),
        )
        kinds = random.choice(["clothoid", "cosine", "bloss"]), random.choice(["linear", "cosine", "bloss"])
        sections += [Transition(random.uniform(10, 150), *kinds), curve if random.random() < 0.7 else straight]
    gradients = [Gradient(at, random.uniform(-0.02, 0.02), 1000.0) for at in (30.0, 90.0)]
    about = ["centre", "low rail"][seed % 2]
    track = Track([*sections, Transition(20.0)], gradients, rounding=random.choice([1.0, 15.0]), cant_about=about)
    ends, short = track.layout.stations["s"][1:-1], 1e-9
    before, behind = track.frame(ends - short), track.frame(ends + short)
    assert_allclose(behind.p, before.p, atol=3 * short)
    for name in ("R", "w", "curvature", "gauge"):
        assert_allclose(getattr(behind, name), getattr(before, name), atol=1e-9, err_msg=name)
    smooth = ~np.isin(ends, track.layout.kinks)  # where the lower rail becomes the other one
    assert_allclose(behind.dp[smooth], before.dp[smooth], atol=1e-9)
    s = random.uniform(-50.0, track.end + 50.0, 300)
    h = 1e-3
    assert_allclose(track.frame(s).dp[:, :2], (track.frame(s + h).p - track.frame(s - h).p)[:, :2] / (2 * h), atol=1e-6)


def test_axes_follow_the_track():
    found = rich().frame(np.linspace(0.0, 500.0, 101))
    assert_allclose(found.tangent, found.dp / np.linalg.norm(found.dp, axis=1)[:, None], atol=1e-15)


def test_kernel_equals_its_twin(track):
    s = np.linspace(-600.0, track.end + 600.0, 1234)
    twin, frames = track.frame(s), np.zeros(len(s), FRAME)
    fill_frames(track.layout.stations, track.rail_distance, s, frames)
    for name in FRAME.names:
        assert_allclose(frames[name], getattr(twin, name), atol=1e-12, err_msg=name)
    # kernels are functions of Python too
    plain = np.zeros(1, FRAME).view(np.recarray)
    frame_at(track.layout.stations.view(np.recarray), track.rail_distance, float(s[700]), plain[0])
    assert_allclose(plain["p"][0], twin.p[700], atol=1e-12)


def test_beyond_its_ends_the_track_goes_on():
    track = Track([Curve(100.0, R, cant=0.1)])
    before, behind = track.frame(-200.0), track.frame(400.0)
    assert_allclose(before.p[:2], [R * np.sin(-200.0 / R), R * (1 - np.cos(200.0 / R))], atol=PLACE)
    assert_allclose([before.curvature, behind.curvature, behind.cant], [1 / R, 1 / R, 0.1])
    far = track.frame([5000.0, 5001.0])
    assert_allclose(np.diff(far.p, axis=0)[0], far.dp[0])
    assert far.curvature[0] == 0.0


def test_table_of_kilometres_equals_sections():
    sections = Track([Straight(100.0), Transition(60.0), Curve(80.0, -R, 0.09, 0.008)], [Gradient(120.0, 0.01, 4000.0)])
    table = Kilometres(
        [0.0, 100.0, 140.0, 160.0, 240.0],
        [0.0, 0.0, -2 / 3 / R, -1 / R, -1 / R],
        [0.0, 0.0, -0.06, -0.09, -0.09],
        [0.0, 0.0, 0.008 * 2 / 3, 0.008, 0.008],
        [0.0, 0.0, 0.01, 0.01, 0.01],
    )
    s = np.linspace(0.0, 240.0, 55)
    one, other = sections.frame(s), Track(kilometres=table).frame(s)
    for name in ("p", "R", "w", "gauge", "gradient"):
        assert_allclose(getattr(other, name), getattr(one, name), atol=1e-12)


def test_acceleration_of_a_place_in_the_moving_frame():
    """What a vehicle described in the frame needs: second differences of a point carried along at changing speed."""
    track = rich()
    arm = np.array([1.5, -0.9, 2.1])
    h = 1e-3

    def distance(t):
        return 20.0 + 25.0 * t + 0.4 * t**2

    def carried(t):
        frame = track.frame(distance(t))
        return frame.p + frame.R @ arm

    t = np.linspace(1.0, 16.0, 61) + 0.0123
    speed, growth = 25.0 + 0.8 * t, 0.8
    frame = track.frame(distance(t))
    w = speed[:, None] * frame.w
    dw = speed[:, None] ** 2 * frame.dw + growth * frame.w
    moved = np.cross(dw, arm) + np.cross(w, np.cross(w, arm))
    found = speed[:, None] ** 2 * frame.ddp + growth * frame.dp + np.einsum("nij,nj->ni", frame.R, moved)
    differences = (carried(t + h) - 2 * carried(t) + carried(t - h)) / h**2
    # rounding of places over the square of the step, and ends of pieces within a step
    inside = np.abs(distance(t)[:, None] - track.layout.stations["s"]).min(axis=1) > 2 * h * speed
    assert inside.sum() > 45
    assert_allclose(found[inside], differences[inside], atol=2e-5)
