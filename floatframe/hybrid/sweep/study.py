"""One point of a sweep: a model with given parameters, a study of it, and the numbers wanted, or why there are none."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from floatframe.errors import FloatframeError, ModelError
from floatframe.hybrid.expressions import Scalar
from floatframe.hybrid.model import Model
from floatframe.hybrid.model_file import ModelFile, read_model
from floatframe.hybrid.settings import STARTS, Record, arguments, overridden
from floatframe.hybrid.simulation import start_state
from floatframe.hybrid.studies import find_equilibrium
from floatframe.hybrid.sweep.measures import Numbers, at_rest, measures, of_run
from floatframe.io import DONE, FAILED, Channel

if TYPE_CHECKING:
    from floatframe.hybrid.system import System

STUDIES = ("simulate", "equilibrium", "linear")
MODES = 10  # of a linear study, unless another number is asked for

Source = Path | Model | Callable[..., Model | ModelFile]
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
        if self.kind != "simulate":
            known = ("n", "at") if self.kind == "linear" else ()
            unknown = [name for name in self.settings if name not in known]
            if unknown:
                raise ModelError(f"sweep: {', '.join(unknown)} is not a setting of study '{self.kind}'; leave it out")
            if self.start is not None:
                raise ModelError(f"sweep: a first time to measure from is for simulations, not for '{self.kind}'")
        if self.kind == "linear" and self.measure and not callable(self.measure):
            raise ModelError("sweep: a linear study gives frequencies and damping; leave out the measures")
        if self.settings.get("at", "start") not in STARTS:
            raise ModelError(f"sweep: at is '{self.settings['at']}', expected one of {', '.join(STARTS)}")
        if self.kind == "equilibrium" and not callable(self.measure):
            for text in self.measure:
                if ":" in text:
                    raise ModelError(
                        f"sweep: measure '{text}': at rest a channel has one value; leave out what follows ':'"
                    )

    def model(self, values: Mapping[str, float]) -> ModelFile | Model:
        """Return the model of a point."""
        if isinstance(self.source, Path):
            return read_model(self.source, {**self.parameters, **values})
        if isinstance(self.source, Model):
            return self.source
        return self.source(**self.parameters, **values)

    def text(self, values: Mapping[str, float]) -> str:
        """Return the text of the model file, "" without one."""
        return read_model(self.source, {**self.parameters, **values}).text if isinstance(self.source, Path) else ""

    def compiled(self, values: Mapping[str, float]) -> tuple[System, Record, dict[str, Any]]:
        """Return the system of a point, what its model file records, and how it is simulated."""
        model = self.model(values)
        if isinstance(model, ModelFile):
            return model.model.compile(), model.record, overridden(model.simulate, self.settings)
        if not isinstance(model, Model):
            raise ModelError(f"sweep: the function returned a {type(model).__name__}, expected a Model or a ModelFile")
        given = {**self.parameters, **values} if model is self.source else None
        return model.compile(given), Record(), arguments(self.settings)

    def require_sound(self, values: Mapping[str, float]) -> None:
        """Refuse what would fail at all points; a model that only cannot be compiled at this one may pass."""
        if isinstance(self.source, Model):
            self.source.flatten({**self.parameters, **values})
        else:
            self.model(values)
        try:
            system, record, settings = self.compiled(values)
        except FloatframeError:
            return
        if self.kind == "simulate" and isinstance(self.source, Path) and "t_end" not in settings:
            raise ModelError(f"{self.source.name} has no t_end in [simulate]; give t_end (on the command line --t-end)")
        if not callable(self.measure) and self.kind != "linear":
            measures(system, self.measure or record.channels)

    def outcome(self, values: Mapping[str, float]) -> Outcome:
        """Do the study at one point; whatever goes wrong there is said in the outcome."""
        began = time.monotonic()
        try:
            with listening() as said:
                state, sentence, numbers = self._done(values)
        except FloatframeError as error:
            state, sentence, numbers = FAILED, str(error), {}
        except Exception as error:  # a user's function may raise anything; the other points must go on
            state, sentence, numbers = FAILED, f"{type(error).__name__}: {error}", {}
        words = [sentence, *(f"warning: {text}" for text in said)]
        return Outcome(state, "; ".join(map(_line, words)), numbers, time.monotonic() - began)

    def _done(self, values: Mapping[str, float]) -> tuple[str, str, Numbers]:
        """Return state, sentence and numbers of a point."""
        system, record, settings = self.compiled(values)
        if self.kind == "simulate":
            return self._simulated(system, record, settings)
        if self.kind == "equilibrium":
            found = find_equilibrium(system)
            if callable(self.measure):
                return DONE, _resting(found.unstable, found.free), _named(self.measure(found))
            wanted = measures(system, self.measure or record.channels)
            return DONE, _resting(found.unstable, found.free), at_rest(system, found, wanted)
        at = self.settings.get("at", "equilibrium")
        state = find_equilibrium(system).state if at == "equilibrium" else start_state(system, at)
        linear = system.linearise(state, n=self.settings.get("n", MODES))
        growing = int(linear.unstable.sum())
        sentence = f"unstable: {growing} modes grow" if growing else "stable"
        if linear.acceleration > 0.0:
            sentence += f", not an equilibrium: bodies accelerate by {linear.acceleration:.3g} m/s2"
        if callable(self.measure):
            return DONE, sentence, _named(self.measure(linear))
        numbers = {Channel(f"frequency.{k}", "Hz"): float(x) for k, x in enumerate(linear.frequency, start=1)}
        return (
            DONE,
            sentence,
            numbers | {Channel(f"damping.{k}"): float(x) for k, x in enumerate(linear.damping, start=1)},
        )

    def _simulated(self, system: System, record: Record, settings: Mapping[str, Any]) -> tuple[str, str, Numbers]:
        if callable(self.measure):
            result = system.simulate(record=record, **settings)
        else:
            wanted = measures(system, self.measure or record.channels)
            names = tuple(dict.fromkeys(measure.channel.name for measure in wanted))
            result = system.simulate(record=replace(record, channels=names, coordinates=False), **settings)
        if result.status.reason == "interrupted":
            raise KeyboardInterrupt
        if not result.status.ok:
            return FAILED, str(result.status), {}
        numbers = _named(self.measure(result)) if callable(self.measure) else of_run(result, wanted, self.start)
        return DONE, str(result.status), numbers


def _resting(unstable: tuple[str, ...], free: tuple[str, ...]) -> str:
    words = [f"unstable: {what} falls away" for what in unstable] or ["stable"]
    return ", ".join([*words, *(f"one of many: {what} has no stiffness" for what in free)])


def _named(numbers: Mapping[str, float]) -> Numbers:
    """Return what a user's function measured, the unit taken from "speed [m/s]"."""
    found: Numbers = {}
    for heading, value in numbers.items():
        name, bracket, unit = heading.partition("[")
        found[Channel(name.strip(), unit.rstrip("] ") if bracket else "")] = float(value)
    return found


@contextmanager
def listening() -> Iterator[list[str]]:
    """Yield a list that holds what was warned of when the block is done."""
    said: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        try:
            yield said
        finally:
            said += dict.fromkeys(str(warning.message) for warning in caught)


def _line(text: str) -> str:
    return " ".join(text.split())
