"""Which runs the study makes: the vehicle, its forms and speed, the track under it.

Mikheev (2004, §3.3) runs straight and curved track from 20 to 100 km/h with 6, 24 and 70 forms. His curve has a radius
of 300 m; cant is not mentioned, and the forces he adds in it depend on speed, angular velocity and angular
acceleration only, so it has none here. Irregularities are not published. Their classes are chosen by two figures of
his: vertical and cross level by the accelerations at 100 km/h, about 1.5 to 1.9 m/s², lateral by the frame force with 6
forms in the curve, 4483 N; guided wheelsets have 5.1 kN, those that roll and play between the rails twice that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, TypeAlias

Roughness: TypeAlias = tuple[tuple[str, str], ...]  # quantities and their classes of quality

FORMS = {6: 0, 24: 18, 70: 64}  # forms of the vehicle: six of the rigid body and so many elastic modes
FEWEST, MIDDLE, MOST = FORMS
SPEEDS = (20.0, 40.0, 60.0, 80.0, 100.0)  # km/h
CURVE_SPEED = 80.0  # km/h, of the frame forces
ROUGH: Roughness = (("vertical", "FRA 4"), ("cross_level", "FRA 4"), ("lateral", "ERRI high"))
SMOOTH: Roughness = ()
CANT = 0.15  # m, the most that railways lay
BODY_DAMPING = 0.02  # ratio of critical damping of the elastic modes
SECONDS, SMOOTH_SECONDS = 20.0, 5.0  # that are measured
SEEDS = (1, 2, 3, 4, 5, 6, 7, 8)


@dataclass(frozen=True)
class Case:
    """A run. Wheelsets roll with creep, or they are guided by the rails, which is fast."""

    forms: int
    speed: float  # km/h
    curved: bool = False
    rough: Roughness = ROUGH
    rolling: bool = False
    seed: int = 1
    cant: float = 0.0  # m, of the curve
    body_damping: float = BODY_DAMPING
    sideways_friction: bool = False  # whether friction dampers rub sideways too
    seconds: float = SECONDS  # that are measured

    @property
    def modes(self) -> int:
        """Number of elastic modes."""
        return FORMS[self.forms]

    @property
    def metres_per_second(self) -> float:
        """Speed [m/s]."""
        return self.speed / 3.6

    @property
    def cost(self) -> float:
        """About how long it takes beside others."""
        step = 1.0 + 0.09 * self.modes if self.rough else 0.2
        return (self.seconds + 10.0) * step * (7.0 if self.rolling else 1.0)

    def __str__(self) -> str:
        where = f"R = 300 m{f', cant {1e3 * self.cant:g} mm' if self.cant else ''}" if self.curved else "straight"
        wheels = "rolling" if self.rolling else "guided"
        return f"{self.forms} forms, {self.speed:g} km/h, {where}, {'rough' if self.rough else 'smooth'}, {wheels}"


#: what may change the part of the elastic modes in the frame force, on guided wheelsets
VARIANTS: dict[str, dict[str, Any]] = {
    "as in the study": {},
    "lateral irregularities only": {"rough": (("lateral", "ERRI high"),)},
    "cross level only": {"rough": (("cross_level", "FRA 4"),)},
    "vertical irregularities only": {"rough": (("vertical", "FRA 4"),)},
    "lateral irregularities of class FRA 4": {"rough": tuple((name, "FRA 4") for name, _ in ROUGH)},
    "all of class ERRI low": {"rough": tuple((name, "ERRI low") for name, _ in ROUGH)},
    "body damped by 0.5 %": {"body_damping": 0.005},
    "body damped by 5 %": {"body_damping": 0.05},
    "dampers rub sideways too": {"sideways_friction": True},
    "60 km/h": {"speed": 60.0},
    "100 km/h": {"speed": 100.0},
}


def plan(
    speeds: tuple[float, ...] = SPEEDS, seconds: float = SECONDS, rolling: bool = True, repeated: bool = True
) -> list[Case]:
    """Return all runs of the study, each once.

    Without `rolling` those on guided wheelsets only; without `repeated` none with other seeds or conditions.
    """
    found = list(_on_all_tracks(speeds, seconds))
    if rolling:  # nothing happens on the smooth straight, which one speed shows
        more = [replace(case, rolling=True) for case in found if case.rough or case.curved or case.speed == speeds[-1]]
        found += [*more, Case(MIDDLE, CURVE_SPEED, True, SMOOTH, True, cant=CANT, seconds=SMOOTH_SECONDS)]
    if repeated:
        found += _repeated(seconds, rolling)
    return list(dict.fromkeys(found))


def _on_all_tracks(speeds: tuple[float, ...], seconds: float) -> Iterator[Case]:
    """Yield all forms at all speeds, straight and curved, smooth and rough."""
    for forms, speed, curved in product(FORMS, speeds, (False, True)):
        yield Case(forms, speed, curved, seconds=seconds)
        yield Case(forms, speed, curved, SMOOTH, seconds=SMOOTH_SECONDS)


def _repeated(seconds: float, rolling: bool) -> Iterator[Case]:
    """Yield the runs through the rough curve with other seeds and under other conditions."""
    curve = Case(FEWEST, CURVE_SPEED, True, seconds=seconds)
    for forms, seed in product(FORMS, SEEDS):
        yield replace(curve, forms=forms, seed=seed)
    for change, forms, seed in product(VARIANTS.values(), (FEWEST, MIDDLE), SEEDS):
        yield variant(replace(curve, forms=forms, seed=seed), change)
    if rolling:
        for forms, seed in product((FEWEST, MIDDLE), SEEDS):
            yield replace(curve, forms=forms, seed=seed, rolling=True)


def variant(case: Case, change: Mapping[str, Any]) -> Case:
    """Return the case with one of the changes of `VARIANTS`."""
    return replace(case, **change)
