"""How a simulation is run: its settings, and the refusal of those that make no sense."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from floatframe.errors import ModelError, Subject, Where
from floatframe.hybrid.assembly import State
from floatframe.hybrid.kernels import RUNGE_KUTTA_STAGES

HHT_LOWEST = 0.5  # spectral radius; below, the method is unstable
STARTS = ("start", "equilibrium", "steady")  # states that a run may begin from, by name
SIMULATE = Where("simulate", Subject("simulate"))
_NOT_BINDING = ("t_end",)  # what may change when a run is resumed


@dataclass(frozen=True)
class Settings:
    """How to integrate; see `simulate`."""

    t_end: float
    method: str
    step: float | None
    rtol: float | None
    spectral_radius: float
    newton_tolerance: float
    velocity_constraints: bool
    stabilisation: tuple[float, ...] | None
    conserve: str
    step_min: float | None
    step_max: float | None
    events: tuple[str, ...]

    def plain(self) -> dict[str, Any]:
        """The settings as JSON can hold them."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in vars(self).items()}


def overridden(settings: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of a model file with those given (not None) in their place; one kind of step replaces the other."""
    result, given = dict(settings), {name: value for name, value in given.items() if value is not None}
    if "rtol" in given and "step" not in given:
        result.pop("step", None)
    if "step" in given and "rtol" not in given:
        result.pop("rtol", None)
    return {**result, **given}


def checked(settings: Settings, state: State) -> Settings:
    """Refuse settings that make no sense."""
    if not math.isfinite(settings.t_end) or settings.t_end <= state.t:
        raise SIMULATE.at("t_end").error(
            f"t_end is {settings.t_end:g} s, expected a time after the start at {state.t:g} s"
        )
    for name in ("step", "step_min", "step_max"):
        length = getattr(settings, name)
        if length is not None and not (math.isfinite(length) and length > 0):
            raise SIMULATE.at(name).error(f"{name} is {length:g} s, expected a time above 0 s")
    if settings.step_min is not None and settings.step_max is not None and settings.step_min > settings.step_max:
        raise SIMULATE.at("step_min").error(
            f"step_min is {settings.step_min:g} s, expected at most step_max of {settings.step_max:g} s"
        )
    if settings.rtol is not None and not 0 < settings.rtol < 1:
        raise SIMULATE.at("rtol").error(f"rtol is {settings.rtol:g}, expected a number between 0 and 1 such as 1e-5")
    if settings.rtol is not None and settings.step is not None:
        raise SIMULATE.at("rtol").error(
            f"found step {settings.step:g} s and rtol {settings.rtol:g}; give step for fixed steps, or rtol "
            "for controlled ones (step_max is the longest of them)"
        )
    if not 0 < settings.newton_tolerance < 1:
        raise SIMULATE.at("newton_tolerance").error(
            f"newton_tolerance is {settings.newton_tolerance:g}, expected a number between 0 and 1 such as 1e-6"
        )
    lowest = HHT_LOWEST if settings.method == "hht" else 0.0
    if not lowest <= settings.spectral_radius <= 1:
        raise SIMULATE.at("spectral_radius").error(
            f"spectral_radius is {settings.spectral_radius:g}, {settings.method} expects {lowest:g} (most "
            "damping) to 1 (none)"
        )
    if settings.conserve not in ("", "energy"):
        raise SIMULATE.at("conserve").error(f"conserve is '{settings.conserve}', expected 'energy' or nothing")
    factors = settings.stabilisation
    if factors is not None and (len(factors) != 2 or not all(math.isfinite(one) and one >= 0 for one in factors)):
        raise SIMULATE.at("stabilisation").error(
            f"stabilisation is {factors}, expected two numbers a, b [1/s] of at least 0"
        )
    inside = settings.method in RUNGE_KUTTA_STAGES
    if (settings.conserve and not inside) or (settings.stabilisation and not inside and ":" not in settings.method):
        option = "conserve" if settings.conserve else "stabilisation"
        raise SIMULATE.at(option).error(
            f"{option} is for {' and '.join(RUNGE_KUTTA_STAGES)}, found method {settings.method}; leave it out"
        )
    return settings


def require_same(begun: Mapping[str, Any], now: Mapping[str, Any], path: object) -> None:
    """Refuse to resume a run with other settings than it was begun with; only its end may move."""
    for name, value in now.items():
        if name in _NOT_BINDING or name not in begun or begun[name] == value:
            continue
        if name == "from" and "state" in (begun[name], value):
            continue  # a state of the user's own is not compared
        if name == "system":
            raise ModelError(
                f"resume: the model is not the one that '{path}' was begun with; a body, a parameter or a file it uses "
                "has changed. Simulate it anew into another file"
            )
        raise ModelError(
            f"resume: '{path}' was begun with {name} {begun[name]}, found {value}; leave it as it was, or simulate "
            "anew into another file"
        )
