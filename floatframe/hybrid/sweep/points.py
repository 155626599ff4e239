"""The points of a sweep, computed one after the other or on several threads; the model is read and compiled once.

What the parameters of a point do not change is taken over from the system of the first point, see `Model.compile`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from threading import Lock, local
from typing import TYPE_CHECKING, Any

from floatframe.errors import FloatframeError, ModelError
from floatframe.expressions import Scalar
from floatframe.hybrid.assembly import fingerprint
from floatframe.hybrid.model import Model
from floatframe.hybrid.model_file import ModelFile, read_model
from floatframe.hybrid.modelfile import split_addresses
from floatframe.hybrid.settings import Record, arguments, overridden
from floatframe.hybrid.simulation import Progress, Workplace, checked_settings, simulate, start_state
from floatframe.hybrid.studies import Equilibrium, find_equilibrium, usual_start
from floatframe.hybrid.sweep.measures import Measure, Numbers, at_rest, measures, numbers_of_run
from floatframe.hybrid.sweep.study import LINEAR_MODES, Outcome, Study, Swept
from floatframe.io import DONE, FAILED, Channel
from floatframe.listening import listening

if TYPE_CHECKING:
    from floatframe.hybrid.assembly import State
    from floatframe.hybrid.results import Results
    from floatframe.hybrid.studies import Linear
    from floatframe.hybrid.system import System


def points_of(study: Study) -> Points:
    """What does a study at one point after the other."""
    return study.source.points(study) if isinstance(study.source, Swept) else Points(study)


class Points:
    """Does a study at one point after the other; safe on threads."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self._lock = Lock()
        self._own = local()  # of a thread: its `workplace`, and `asked`, arguments of its last run and their settings
        self._file: ModelFile | None = None  # read once, at the values of the first point
        self._first: System | None = None  # from which others take over
        self._measures: dict[tuple[Any, ...], list[Measure]] = {}

    def model(self, values: Mapping[str, Scalar]) -> ModelFile | Model:
        """Return the model of a point."""
        source, given = self.study.source, {**self.study.parameters, **values}
        if isinstance(source, Model):
            return source
        if not isinstance(source, Path):
            if callable(source):
                return source(**given)
            raise ModelError(f"sweep: '{source.name}' has no machine")
        if split_addresses(given)[1]:
            return read_model(source, given)
        with self._lock:
            if self._file is None:
                self._file = read_model(source, given)
        return self._file.at(given)

    def text(self, values: Mapping[str, Scalar]) -> str:
        """Return the text of the model file, "" without one."""
        model = self.model(values) if isinstance(self.study.source, Path) else None
        return model.text if isinstance(model, ModelFile) else ""

    def fingerprint(self) -> str:
        """Return a number for the model at its own values, to notice that it was changed; "" where there is none."""
        try:
            return fingerprint(self.compiled({})[0]) if isinstance(self.study.source, Path | Model) else ""
        except FloatframeError:
            return ""

    def compiled(self, values: Mapping[str, Scalar]) -> tuple[System, Record, dict[str, Any]]:
        """Return the system of a point, what its model file records, and how it is simulated."""
        model, given = self.model(values), {**self.study.parameters, **values}
        record, settings = self._asked(model)
        if isinstance(model, ModelFile):
            plain, addressed = split_addresses(given)
            # another text may be another mechanism, from which nothing is taken over
            system = model.model.compile(plain) if addressed else self._system(model.model, plain)
            return system, record, settings
        system = self._system(model, given) if model is self.study.source else model.compile()
        return system, record, settings

    def _asked(self, model: ModelFile | Model) -> tuple[Record, dict[str, Any]]:
        """Return what a model records, and how it is simulated."""
        if isinstance(model, ModelFile):
            return model.record, overridden(model.simulate, self.study.settings)
        if not isinstance(model, Model):
            raise ModelError(f"sweep: the function returned a {type(model).__name__}, expected a Model or a ModelFile")
        return Record(), arguments(self.study.settings)

    def _system(self, model: Model, parameters: Mapping[str, Any]) -> System:
        if self._first is not None:
            return model.compile(parameters, like=self._first)
        self._first = system = model.compile(parameters)
        return system

    def require_sound(self, values: Mapping[str, Scalar]) -> dict[str, Any]:
        """Refuse what would fail at all points; a model that only cannot be compiled at this one may pass.

        Returns how the model is simulated.
        """
        study = self.study
        if isinstance(study.source, Model):
            study.source.flatten({**study.parameters, **values})
        model = self.model(values)
        _, settings = self._asked(model)
        if study.kind == "simulate":
            with model.placed(study.settings) if isinstance(model, ModelFile) else nullcontext():
                self._require_settings(settings)
        try:
            system, record, settings = self.compiled(values)
        except FloatframeError:
            return settings
        if not callable(study.measure) and study.kind != "linear":
            self._wanted(system, record)
        return settings

    def _require_settings(self, settings: Mapping[str, Any]) -> None:
        """Refuse settings with which no run begins, or ends before the first time that is measured."""
        source, start = self.study.source, self.study.start
        if isinstance(source, Path) and "t_end" not in settings:
            raise ModelError(f"{source.name} has no t_end in [simulate]; give t_end (on the command line --t-end)")
        t_end = checked_settings(settings).t_end
        if start is not None and not start < t_end:
            raise ModelError(
                f"sweep: measures begin at {start:g} s and the runs end at {t_end:g} s; measure from an earlier time "
                "(on the command line --from)"
            )

    def outcome(self, values: Mapping[str, Scalar], stopped: Callable[[], bool] | None = None) -> Outcome:
        """Do the study at one point; whatever goes wrong there is said in the outcome.

        stopped: asked from time to time; a run ends with KeyboardInterrupt when it says so.
        """
        began = time.monotonic()
        try:
            with listening() as said:
                state, sentence, numbers = self._done(values, stopped)
        except FloatframeError as error:
            state, sentence, numbers = FAILED, str(error), {}
        except Exception as error:  # a user's function may raise anything; the other points must go on
            state, sentence, numbers = FAILED, f"{type(error).__name__}: {error}", {}
        words = [sentence, *(f"warning: {text}" for text in said)]
        return Outcome(state, "; ".join(map(_line, words)), numbers, time.monotonic() - began)

    def _done(self, values: Mapping[str, Scalar], stopped: Callable[[], bool] | None) -> tuple[str, str, Numbers]:
        """Return state, sentence and numbers of a point."""
        system, record, settings = self.compiled(values)
        measure = self.study.measure
        if self.study.kind == "simulate":
            return self._simulated(system, record, settings, stopped)
        if self.study.kind == "equilibrium":
            found = find_equilibrium(system)
            if callable(measure):
                return DONE, _resting(found), named_numbers(measure(found))
            return DONE, _resting(found), at_rest(system, found, self._wanted(system, record))
        _, linear = self.linear(system, LINEAR_MODES)
        growing = int(linear.unstable.sum()) + linear.growing_beyond
        sentence = f"unstable: {growing} modes grow" if growing else "stable"
        if linear.acceleration > 0.0:
            sentence += f", not an equilibrium: bodies accelerate by {linear.acceleration:.3g} m/s2"
        if callable(measure):
            return DONE, sentence, named_numbers(measure(linear))
        numbers = {Channel(f"frequency.{k}", "Hz"): float(x) for k, x in enumerate(linear.frequency, start=1)}
        return (
            DONE,
            sentence,
            numbers | {Channel(f"damping.{k}"): float(x) for k, x in enumerate(linear.damping, start=1)},
        )

    def linear(self, system: System, n: int | None = None) -> tuple[State, Linear]:
        """The state that a linear study looks at, and its modes; n: how many, unless the study says."""
        at = self.study.settings.get("at") or usual_start(system).value
        state = find_equilibrium(system).state if at == "equilibrium" else start_state(system, at)
        return state, system.linearise(state, n=self.study.settings.get("n", n))

    def _simulated(
        self,
        system: System,
        record: Record,
        settings: Mapping[str, Any],
        stopped: Callable[[], bool] | None,
    ) -> tuple[str, str, Numbers]:
        wanted = self._wanted(system, record)
        return measured_run(
            self.study, wanted, record, lambda kept, watch: self.run(system, kept, settings, watch), stopped
        )

    def run(
        self,
        system: System,
        record: Record,
        settings: Mapping[str, Any],
        watch: Callable[[Progress], None] | None = None,
    ) -> Results:
        """Simulate one point where this thread has simulated others before."""
        if not hasattr(self._own, "workplace"):
            self._own.workplace, self._own.asked = Workplace(), ({}, None)
        if self._own.asked[0] != settings:
            self._own.asked = dict(settings), checked_settings(settings)
        asked, state = self._own.asked[1], settings.get("state")
        return simulate(system, state, asked, record, progress=watch, workplace=self._own.workplace)

    def _wanted(self, system: System, record: Record) -> list[Measure]:
        """What is measured; the names and units of channels follow from the joints of a model."""
        if callable(self.study.measure):
            return []
        texts = self.study.measure or record.channels
        if not isinstance(self.study.source, Path | Model):
            return measures(system, texts)
        joints, relations = system.model.joints, system.model.relations
        key = (*texts, *(joint.coordinates for joint in joints), *(relation.terms for relation in relations))
        if key not in self._measures:
            self._measures[key] = measures(system, texts)
        return self._measures[key]


def _resting(found: Equilibrium) -> str:
    words = [f"unstable: {what} falls away" for what in found.unstable]
    words = words or ["stable" if found.stable else "stability not known"]
    return ", ".join([*words, *(f"one of many: {what} has no stiffness" for what in found.free)])


def measured_run(
    study: Study,
    wanted: Sequence[Measure],
    record: Record,
    run: Callable[[Record, Callable[[Progress], None]], Results],
    stopped: Callable[[], bool] | None,
) -> tuple[str, str, Numbers]:
    """Return the state of a simulated point, its sentence, and what was measured: `wanted`, or by the user's function.

    run: simulates with what to record and whom to ask from time to time whether to go on; stopped: says so.
    """

    def watch(now: Progress) -> None:
        if stopped is not None and stopped():
            raise KeyboardInterrupt

    measure = study.measure
    if not callable(measure):
        names = tuple(dict.fromkeys(name for one in wanted for name in one.channels))
        record = replace(record, channels=names, coordinates=False)
    result = run(record, watch)
    if result.status.reason == "interrupted":
        raise KeyboardInterrupt
    if not result.status.ok:
        return FAILED, str(result.status), {}
    numbers = named_numbers(measure(result)) if callable(measure) else numbers_of_run(result, wanted, study.start)
    return DONE, str(result.status), numbers


def named_numbers(numbers: Mapping[str, float]) -> Numbers:
    """Return what a user's function measured, the unit taken from "speed [m/s]"."""
    found: Numbers = {}
    for heading, value in numbers.items():
        name, bracket, unit = heading.partition("[")
        found[Channel(name.strip(), unit.rstrip("] ") if bracket else "")] = float(value)
    return found


def _line(text: str) -> str:
    return " ".join(text.split())
