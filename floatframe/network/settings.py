"""How a network is integrated, and the refusal of settings that make no sense."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from numbers import Real
from typing import Any

from floatframe.errors import Subject, Where
from floatframe.hybrid import require_resolved
from floatframe.network.schemes import SCHEMES
from floatframe.wording import did_you_mean

SIMULATE = Where("simulate", Subject("simulate"))
RULES = ("1.30", "2.23")
STATES = ("start", "equilibrium")
RTOL = 1e-4
_POSITIVE = ("t_end", "step", "first_step", "step_max", "step_min", "newton_potential", "newton_flow")


@dataclass(frozen=True)
class NetworkSettings:
    """How to integrate.

    t_end [s]; method: stormer, generalised-alpha or bdf2; step: a fixed one [s], else steps follow from the local
    error, which may be rtol times the largest potential of its physics so far plus atol (by default what counts as
    nothing in that physics); first_step [s]; step_rule: "1.30" or the corrected "2.23" of PRADIS, for the next step
    from the local error; newton_potential, newton_flow: iterations end when potentials change and flows miss their
    balance by less (by default a thousandth of the tolerance, and not looked at); iterations: at most, then the step is
    halved; spectral_radius: of generalised-alpha; events: expressions that end the run where they cross zero.
    """

    t_end: float = 1.0
    method: str = "bdf2"
    step: float | None = None
    rtol: float | None = None
    atol: float | None = None
    first_step: float | None = None
    step_max: float | None = None
    step_min: float | None = None
    step_rule: str = "2.23"
    newton_potential: float | None = None
    newton_flow: float | None = None
    iterations: int = 10
    spectral_radius: float = 0.8
    events: Sequence[str] = ()
    state: str = STATES[0]

    def __post_init__(self) -> None:
        if self.method not in SCHEMES:
            raise SIMULATE.at("method").error(
                f"method '{self.method}' does not exist for networks{did_you_mean(str(self.method), SCHEMES)}"
            )
        for name in (*_POSITIVE, "rtol", "atol", "spectral_radius"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, Real)):
                raise SIMULATE.at(name).error(f"{name} is {value!r}, expected a number")
        if isinstance(self.step_rule, float):
            object.__setattr__(self, "step_rule", f"{self.step_rule:.2f}")
        if str(self.step_rule) not in RULES:
            raise SIMULATE.at("step_rule").error(f"step_rule is '{self.step_rule}', expected {' or '.join(RULES)}")
        object.__setattr__(self, "step_rule", str(self.step_rule))
        if self.state not in STATES:
            raise SIMULATE.at("from").error(f"a network begins from '{self.state}', expected {' or '.join(STATES)}")
        for name in _POSITIVE:
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and value > 0.0):
                raise SIMULATE.at(name).error(f"{name} is {value:g}, must be positive")
        for name in ("step", "first_step", "step_max"):
            require_resolved(SIMULATE.at(name), name, getattr(self, name), self.t_end)
        for name in ("rtol", "atol"):
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and value >= 0.0):
                raise SIMULATE.at(name).error(f"{name} is {value:g}, must be at least 0")
        if self.atol == 0.0 and self.relative == 0.0:
            beside = "rtol is 0" if self.rtol == 0.0 else "without rtol, which counts as 0 beside atol"
            raise SIMULATE.at("atol").error(f"atol is 0 and {beside}, so no step would do; give rtol")
        if self.step is not None and (self.rtol is not None or self.atol is not None):
            raise SIMULATE.at("step").error(
                f"found step {self.step:g} s with rtol or atol; give step for fixed steps, or a tolerance for "
                "controlled ones"
            )
        if not isinstance(self.iterations, int) or self.iterations < 1:
            raise SIMULATE.at("iterations").error(f"iterations is {self.iterations}, expected a whole number above 0")
        if not 0.0 <= self.spectral_radius <= 1.0:
            raise SIMULATE.at("spectral_radius").error(
                f"spectral_radius is {self.spectral_radius:g}, expected 0 (most damping) to 1 (none)"
            )
        if isinstance(self.events, str):
            raise SIMULATE.at("events").error(f"events is the text '{self.events}', expected a list of expressions")
        object.__setattr__(self, "events", tuple(self.events))

    @property
    def relative(self) -> float:
        """The share of the largest potential that the local error may be; 0 where only atol is given."""
        return RTOL if self.rtol is None and self.atol is None else self.rtol or 0.0

    @classmethod
    def require_known(cls, names: Iterable[str]) -> None:
        """Refuse settings that do not exist."""
        known = [one.name for one in fields(cls)]
        for name in names:
            if name not in known:
                near = did_you_mean(name, known)
                raise SIMULATE.at(name).error(f"setting '{name}' does not exist for networks{near}")

    def plain(self) -> dict[str, Any]:
        """The settings as JSON can hold them."""
        return {**vars(self), "events": list(self.events)}
