"""How a simulation is run and what is kept of it, and the refusal of settings that make no sense."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypedDict

from floatframe.errors import ModelError, Subject, Where
from floatframe.hybrid.description import Start
from floatframe.hybrid.kernels import RUNGE_KUTTA_STAGES
from floatframe.wording import chain, did_you_mean

ENFORCED = "enforced"  # velocity constraints, inside the steps
PROPOSED = "proposed"  # stabilisation with an a = b that a trial of the run found good
HHT_LOWEST = 0.5  # spectral radius; below, the method is unstable
SOLVERS = ("auto", "dec", "cbm", "lgr", "itr", "dense")
STARTS = tuple(start.value for start in Start)
SIMULATE = Where("simulate", Subject("simulate"))
RECORD = Where("record", Subject("record"))
RESOLVED = 100.0  # roundings of time that a step is long at least: sums of steps are then right to a hundredth of one
LONGEST = 1e15  # s, of a run: rounding of time is an eighth of a second there
LEAST_RTOL = 1e-13  # of controlled steps: some hundred roundings of a number
MOST_RECORDS = 1e9  # of a run: its times alone are 8 GB
_NOT_BINDING = ("t_end",)  # what may change when a run is resumed


@dataclass(frozen=True)
class SolverOptions:
    """What is rarely changed in an integration."""

    newton_tolerance: float = 1e-6  # of the iterations in a step, relative
    # recorded speeds (those of every step with explicit, external solvers, radau5) fit; "enforced": those of all steps
    velocity_constraints: bool | str = True
    # in place of projection: a, b [1/s] of rows g'' + 2 a g' + b² g = 0; a matrix K [1/s, 1/s2] of deviations y' = K y;
    # "proposed" for an a = b that leaves little; a function(q, v, t, g, g') -> accelerations of the rows
    stabilisation: Any = None
    # "energy", "momentum", "angular_momentum" (or .x, .y, .z of them), expressions: explicit steps keep their values
    conserve: Sequence[str] = ()
    # how steps find accelerations: "dec" along the tree, loops and flexible bodies too; "dense"; for open trees of
    # rigid bodies "cbm" composite bodies with a sparse factor, "lgr" by the forces in the joints, "itr" iterations
    # with an inverse that is kept from step to step; "auto" for the fastest
    solver: str = "auto"
    step_min: float | None = None  # shortest and longest of controlled steps [s]
    step_max: float | None = None

    def __post_init__(self) -> None:
        if not 0 < self.newton_tolerance < 1:
            raise SIMULATE.at("newton_tolerance").error(
                f"newton_tolerance is {self.newton_tolerance:g}, expected a number between 0 and 1 such as 1e-6"
            )
        if self.velocity_constraints not in (True, False, ENFORCED):
            raise SIMULATE.at("velocity_constraints").error(
                f"velocity_constraints is {self.velocity_constraints!r}, expected true, false or '{ENFORCED}'"
            )
        if self.solver not in SOLVERS:
            near = did_you_mean(self.solver, SOLVERS) or f"; choose one of {', '.join(SOLVERS)}"
            words = f"solver '{self.solver}' does not exist{near}"
            raise SIMULATE.at("solver").error(words, missing=self.solver)
        for name in ("step_min", "step_max"):
            _require_time(name, getattr(self, name))
        if self.step_min is not None and self.step_max is not None and self.step_min > self.step_max:
            raise SIMULATE.at("step_min").error(
                f"step_min is {self.step_min:g} s, expected at most step_max of {self.step_max:g} s"
            )
        conserve = (self.conserve,) if isinstance(self.conserve, str) else tuple(self.conserve)
        if any(not isinstance(name, str) for name in conserve):
            raise SIMULATE.at("conserve").error(
                f"conserve is {self.conserve!r}, expected names such as 'energy', or expressions"
            )
        object.__setattr__(self, "conserve", tuple(name for name in conserve if name))
        object.__setattr__(self, "stabilisation", _stabilisation(self.stabilisation))


class RareOptions(TypedDict, total=False):
    """What `SolverOptions` has, as arguments of `System.simulate`."""

    newton_tolerance: float
    velocity_constraints: bool | str
    stabilisation: Any
    conserve: Sequence[str]
    solver: str
    step_min: float | None
    step_max: float | None


@dataclass(frozen=True)
class Settings(SolverOptions):
    """How to integrate: all that `System.simulate` takes about the steps, options side by side with the rest."""

    t_end: float = 1.0  # [s]
    method: str = "auto"  # with a step: generalised-alpha
    step: float | None = None  # [s]
    rtol: float | None = None
    spectral_radius: float = 0.8
    events: Sequence[str] = ()

    def __post_init__(self) -> None:
        if isinstance(self.events, str):
            raise SIMULATE.at("events").error(f"events is the text '{self.events}', expected a list of expressions")
        object.__setattr__(self, "events", tuple(self.events))
        for name in ("t_end", "spectral_radius", "newton_tolerance"):
            object.__setattr__(self, name, float(getattr(self, name)))
        super().__post_init__()
        _require_time("step", self.step)
        if self.method == "auto" and self.step is not None:
            object.__setattr__(self, "method", "generalised-alpha")
        if self.rtol is not None and not LEAST_RTOL <= self.rtol < 1:
            raise SIMULATE.at("rtol").error(
                f"rtol is {self.rtol:g}, expected a number from {LEAST_RTOL:g}, below which all is rounding, to 1, "
                "such as 1e-5"
            )
        if self.rtol is not None and self.step is not None:
            raise SIMULATE.at("rtol").error(
                f"found step {self.step:g} s and rtol {self.rtol:g}; give step for fixed steps, or rtol "
                "for controlled ones (step_max is the longest of them)"
            )
        lowest = HHT_LOWEST if self.method == "hht" else 0.0
        if not lowest <= self.spectral_radius <= 1:
            raise SIMULATE.at("spectral_radius").error(
                f"spectral_radius is {self.spectral_radius:g}, {self.method} expects {lowest:g} (most "
                "damping) to 1 (none)"
            )
        self._require_fitting()

    def _require_fitting(self) -> None:
        """Refuse options that the method does not know."""
        inside = self.method in RUNGE_KUTTA_STAGES
        outside = ":" in self.method and self.stabilisation != PROPOSED
        if not inside and (self.conserve or (self.stabilisation is not None and not outside)):
            option = "conserve" if self.conserve else "stabilisation"
            raise SIMULATE.at(option).error(
                f"{option} is for {chain(list(RUNGE_KUTTA_STAGES))}, found method {self.method}; leave it out"
            )

    def require_after(self, t: float) -> None:
        """Refuse an end that does not come after the start of a run at t [s]."""
        if not math.isfinite(self.t_end) or self.t_end <= t:
            raise SIMULATE.at("t_end").error(f"t_end is {self.t_end:g} s, expected a time after the start at {t:g} s")
        if self.t_end > LONGEST:
            raise SIMULATE.at("t_end").error(f"t_end is {self.t_end:g} s, expected at most {LONGEST:g} s")
        for name in ("step", "step_max"):
            require_resolved(SIMULATE.at(name), name, getattr(self, name), max(abs(t), self.t_end))

    def plain(self) -> dict[str, Any]:
        """The settings as JSON can hold them."""
        return {key: _plain(value) for key, value in vars(self).items()}


def _plain(value: Any) -> Any:
    """A setting as JSON can hold it: lists, and functions by their names."""
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return f"function {getattr(value, '__name__', '')}".rstrip() if callable(value) else value


def _stabilisation(given: Any) -> Any:
    """The option `stabilisation`: None, "proposed", a function, two numbers, or a square matrix as rows of numbers."""
    if given is None or callable(given):
        return given
    where = SIMULATE.at("stabilisation")
    if isinstance(given, str):
        if given == PROPOSED:
            return given
        raise where.error(f"stabilisation is '{given}', expected '{PROPOSED}', two numbers a, b [1/s] or a matrix")
    try:
        rows = [_row(row) for row in given]
    except (TypeError, ValueError):
        raise where.error(f"stabilisation is {given!r}, expected two numbers a, b [1/s] or a matrix") from None
    matrix = [row for row in rows if isinstance(row, tuple)]
    if len(matrix) == len(rows) > 0:
        if any(len(row) != len(rows) for row in matrix) or not all(math.isfinite(one) for row in matrix for one in row):
            sizes = chain([str(len(row)) for row in matrix])
            raise where.error(
                f"stabilisation is a matrix with rows of {sizes} numbers, expected {len(rows)} finite ones in each"
            )
    elif len(rows) != 2 or any(isinstance(one, tuple) or not (math.isfinite(one) and one >= 0) for one in rows):
        raise where.error(f"stabilisation is {tuple(rows)}, expected two numbers a, b [1/s] of at least 0")
    return tuple(rows)


def _row(given: Any) -> float | tuple[float, ...]:
    """A number, or a row of a matrix."""
    return float(given) if not hasattr(given, "__len__") else tuple(float(one) for one in given)


def _require_time(name: str, length: float | None) -> None:
    if length is not None and not (math.isfinite(length) and length > 0):
        raise SIMULATE.at(name).error(f"{name} is {length:g} s, expected a time above 0 s")


def require_resolved(where: Where, name: str, length: float | None, t: float) -> None:
    """Refuse a time [s] that the time t of a run, a number of 16 digits, does not resolve."""
    if length is not None and length < (least := RESOLVED * math.ulp(t)):
        raise where.error(
            f"{name} is {length:g} s, but times about {t:g} s are only known to {math.ulp(t):.1e} s; at least "
            f"{least:.1e} s is needed, or a shorter run"
        )


def require_settings(names: Iterable[str]) -> None:
    """Refuse names that are no settings of a run."""
    known = [field.name for field in fields(Settings)]
    for name in names:
        if name not in known:
            raise SIMULATE.error(f"'{name}' is not a setting{did_you_mean(name, known)}", after=": ", missing=name)


def arguments(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of `System.simulate` for keys of [simulate]: `from` is the state, rare ones make the options."""
    return overridden({}, keys)


def overridden(settings: Mapping[str, Any], keys: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of `System.simulate` with keys of [simulate] (those not None) in their place.

    One kind of step replaces the other.
    """
    given = {"state" if name == "from" else name: value for name, value in keys.items() if value is not None}
    rare = {field.name: given.pop(field.name) for field in fields(SolverOptions) if field.name in given}
    if rare:
        given["options"] = replace(settings.get("options", SolverOptions()), **rare)
    result = dict(settings)
    if "rtol" in given and "step" not in given:
        result.pop("step", None)
    if "step" in given and "rtol" not in given:
        result.pop("rtol", None)
    return {**result, **given}


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
                "has changed. Start a new run into another file"
            )
        raise ModelError(
            f"resume: '{path}' was begun with {name} {begun[name]}, found {value}; leave it as it was, or start "
            "a new run into another file"
        )


@dataclass(frozen=True)
class Record:
    """What to keep of a simulation.

    every: time between two records [s], None for every step taken (auto: 1/1000 of the run); channels: names, where "*"
    matches any text and "energy" also for "energy.total", "energy.kinetic", …; start: time of the first record [s];
    coordinates: whether q and v are kept, from which motions of nodes can be recovered later; checkpoint_every: time on
    the clock between two places to resume from [s]; model: whether a file of results keeps the model, for pictures and
    reports.
    """

    every: float | None = None
    channels: tuple[str, ...] = ("*",)
    start: float = -math.inf
    coordinates: bool = True
    checkpoint_every: float = 10.0
    model: bool = True

    def __post_init__(self) -> None:
        if isinstance(self.channels, str):
            raise RECORD.at("channels").error(f"channels is the text '{self.channels}', expected a list of names.")
        object.__setattr__(self, "channels", tuple(self.channels))
        if self.every is not None and not (math.isfinite(self.every) and self.every > 0):
            raise RECORD.error(f"every is {self.every}, expected a time above 0 s; leave it out for the usual one.")
        if math.isnan(self.start):
            raise RECORD.at("start").error("start is not a number, expected a time in s.")
        if not self.checkpoint_every > 0:
            words = f"checkpoint_every is {self.checkpoint_every}, expected a time above 0 s."
            raise RECORD.at("checkpoint_every").error(words)

    def require_before(self, t_end: float) -> None:
        """Refuse a first record after the end of a run at t_end [s], and records too close to each other there."""
        require_resolved(RECORD.at("every"), "every", self.every, t_end)
        if self.every is not None and t_end > MOST_RECORDS * self.every:
            raise RECORD.at("every").error(
                f"every is {self.every:g} s, which makes {t_end / self.every:.1g} records until {t_end:g} s, expected "
                f"{MOST_RECORDS:g} at most; record less often"
            )
        if self.start > t_end:
            raise RECORD.at("start").error(
                f"start is {self.start:g} s and the run ends at {t_end:g} s, so nothing would be recorded; begin "
                "earlier, or run longer."
            )

    def pick(self, available: Iterable[str]) -> tuple[str, ...]:
        """Return those of the available channels that are wanted, in their own order."""
        available = tuple(available)
        wanted: set[str] = set()
        for number, name in enumerate(self.channels):
            pattern = re.compile(re.escape(name).replace(r"\*", ".*") + r"(\..*)?", re.DOTALL)
            found = [channel for channel in available if pattern.fullmatch(channel)]
            if not found and name != "*":
                words = f"channel '{name}' does not exist{did_you_mean(name, available)}"
                raise RECORD.at("channels").at(number).error(words, missing=name)
            wanted.update(found)
        return tuple(channel for channel in available if channel in wanted)
