"""The eight problems of `bench_precision`, one of them with and without geometric stiffening. SI units.

Each says how long it runs, and by which channels at the end its error is measured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from benchmarks import mechanisms
from floatframe import hybrid as h
from floatframe.modal import ReducedBody
from tests.hybrid import problems as published
from tests.hybrid.stiffened_models import SPIN_UP, blade, spin_up_arm

FOUR_BARS, LINKS = 2, 50
BALL_RADIUS, BALL_SLIP = 0.1, 1e-3  # m, m/s


@dataclass(frozen=True)
class Problem:
    """A system, the end of its run [s], the channels compared there and what an error of each is relative to.

    A scale of None is the size of the channel's own reference. `coarsest` is the longest fixed step tried [s],
    `exudyn` the maker of the same mechanism in `exudyn_problems`, empty if Exudyn has no elements for it: its reduced
    bodies do not stiffen, its friction grows by another law.
    """

    name: str
    title: str
    system: Callable[[], h.System]
    t_end: float
    scales: Mapping[str, float | None]
    coarsest: float
    exudyn: str = ""


def sliding_ball() -> h.Model:
    """A ball of 1 kg on a stiff plane with friction, pulled by a spring to a point 0.6 m above the plane.

    It starts 1 m aside at rest, slips where the spring pulls hard and rolls between; it never leaves the plane. The
    contact swings at 3e4 rad/s, and friction grows to its limit within 1 mm/s of slip.
    """
    model = h.Model(gravity=(0, 0, -9.81))
    turning, stiffness, pull, free, height = 0.4 * BALL_RADIUS**2, 1e9, 20.0, 0.3, 0.5
    lifted = pull * height * (1.0 - free / np.hypot(1.0, height))
    sunk = (9.81 - lifted) / stiffness  # begins without a bounce
    ball = model.add(h.RigidBody("ball", 1.0, (turning,) * 3, position=(1.0, 0, BALL_RADIUS - sunk)))
    model.add(
        h.contact_plane(
            "plane",
            ball.at(),
            model.ground.at(),
            stiffness=stiffness,
            damping=2e4,
            radius=BALL_RADIUS,
            friction=0.2,
            speed=BALL_SLIP,
        )
    )
    model.add(h.spring("pull", ball.at(), model.ground.at((0, 0, height + BALL_RADIUS)), stiffness=pull, length=free))
    return model


@cache
def rod() -> ReducedBody:
    """The flexible rod, reduced once."""
    return mechanisms.flexible_rod()


def _moved(*bodies: str, point: str = "com_") -> dict[str, float | None]:
    return {f"{body}.{point}{what}": None for body in bodies for what in ("position", "velocity")}


CRANK: dict[str, float | None] = {"A.rate": None, "slider.position": None, "rod.node[101].velocity": None}

PROBLEMS = (
    Problem(
        "heavy_top",
        "heavy top",
        lambda: published.heavy_top().compile(),
        2.0,
        _moved("top"),
        2e-3,
        "heavy_top",
    ),
    Problem(
        "double_pendulum",
        "double pendulum",
        lambda: published.double_pendulum().compile(),
        5.0,
        _moved("first_ball", "second_ball"),
        2e-2,
        "DoublePendulum",
    ),
    Problem(
        "bricard",
        "Bricard, IFToMM A04",
        lambda: published.bricard().compile(),
        9.0,
        _moved("rod4", point=""),
        2e-2,
        "bricard",
    ),
    Problem(
        "four_bars",
        f"{FOUR_BARS} four-bars, IFToMM A02",
        lambda: published.four_bars(FOUR_BARS).compile(),
        10.0,
        _moved("upright0"),
        2e-2,
        "four_bars",
    ),
    Problem(
        "flexible_crank",
        "flexible slider-crank",
        lambda: mechanisms.flexible(rod()),
        0.5,
        CRANK,
        4e-3,
        "flexible",
    ),
    Problem(
        "stiffened_crank",
        "stiffened slider-crank",
        lambda: mechanisms.flexible(rod(), stiffening="full"),
        0.5,
        CRANK,
        4e-3,
    ),
    Problem(
        "spin_up",
        "spin-up beam",
        lambda: blade(spin_up_arm(), 0.0, SPIN_UP).compile(),
        7.5,
        # the tip lags by 0.56 m, at 3 rad/s
        {"blade.node[21].position": 0.56, "blade.node[21].velocity": 1.7},
        4e-2,
    ),
    Problem(
        "chain",
        f"chain of {LINKS} links",
        lambda: mechanisms.links(LINKS),
        2.0,
        _moved("link3", f"link{LINKS - 1}"),
        1e-2,
        "chain",
    ),
    Problem(
        "contact",
        "stiff contact with friction",
        lambda: sliding_ball().compile(),
        2.0,
        _moved("ball"),
        2e-3,
    ),
)
