"""What a sweep does at every point, and how a point ended: the numbers wanted, or why there are none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from numbers import Integral
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from floatframe.errors import ModelError
from floatframe.expressions import Scalar
from floatframe.hybrid.model import Model
from floatframe.hybrid.model_file import ModelFile
from floatframe.hybrid.settings import STARTS
from floatframe.hybrid.sweep.measures import Numbers

STUDIES = ("simulate", "equilibrium", "linear")
LINEAR_MODES = 10  # of a linear study, unless another number is asked for


@runtime_checkable
class Swept(Protocol):
    """What is swept and is no machine: it has points of its own."""

    @property
    def name(self) -> str:
        """What results call it."""
        ...

    def points(self, study: Study) -> Any:
        """What does the study at one point after the other, as `Points` does."""
        ...


Source = Path | Model | Callable[..., Model | ModelFile] | Swept
Measures = tuple[str, ...] | Callable[[Any], Mapping[str, float]]


@dataclass(frozen=True)
class Outcome:
    """How a point ended: done or failed, a sentence about it, its numbers, and the time it took [s]."""

    state: str
    sentence: str
    numbers: Numbers = field(default_factory=dict)
    seconds: float = 0.0


@dataclass(frozen=True)
class Study:
    """What is done at every point.

    settings: of `simulate` (t_end, step, method …) in place of those of the model file, or n and at of a linear study;
    start: first time that measures look at [s]; measure: texts as `measures` takes them, or a function of the outcome
    (Results, Equilibrium, Linear) that returns numbers by name, units in brackets; parameters: fixed for all points.
    """

    source: Source
    kind: str = "simulate"
    settings: Mapping[str, Any] = field(default_factory=dict)
    measure: Measures = ()
    start: float | None = None
    parameters: Mapping[str, Scalar] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in STUDIES:
            raise ModelError(f"sweep: study is '{self.kind}', expected one of {', '.join(STUDIES)}")
        linear = [name for name in self.settings if name in ("n", "at")]
        unknown = {"simulate": linear, "equilibrium": [*self.settings]}.get(
            self.kind, [name for name in self.settings if name not in linear]
        )
        if unknown:
            raise ModelError(f"sweep: {', '.join(unknown)} is not a setting of study '{self.kind}'; leave it out")
        if self.kind != "simulate" and self.start is not None:
            raise ModelError(f"sweep: a first time to measure from is for simulations, not for '{self.kind}'")
        if self.kind == "linear" and self.measure and not callable(self.measure):
            raise ModelError("sweep: a linear study gives frequencies and damping; leave out the measures")
        if self.settings.get("at", "start") not in STARTS:
            raise ModelError(f"sweep: at is '{self.settings['at']}', expected one of {', '.join(STARTS)}")
        n = self.settings.get("n", LINEAR_MODES)
        if not isinstance(n, Integral) or n < 1:
            raise ModelError(f"sweep: n is {n!r}, expected a whole number of modes from 1 on")
        if self.kind == "equilibrium" and not callable(self.measure):
            for text in self.measure:
                if ":" in text:
                    raise ModelError(
                        f"sweep: measure '{text}': at rest a channel has one value; leave out what follows ':'"
                    )
