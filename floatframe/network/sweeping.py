"""Sweeps of networks: a study at every point of a grid of their parameters, as of machines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from floatframe.errors import FloatframeError, ModelError
from floatframe.expressions import Scalar
from floatframe.hybrid import (
    LINEAR_MODES,
    Measure,
    MeasureNames,
    Points,
    Record,
    Study,
    SweepResult,
    measured_run,
    measures_among,
    named_numbers,
    numbers_at,
)
from floatframe.io import DONE, Channel
from floatframe.network.channels import Observer
from floatframe.network.equations import Equations
from floatframe.network.files import NetworkFile, read_network
from floatframe.network.linear import NetworkModes
from floatframe.network.network import Network
from floatframe.network.operating import OperatingPoint, operating_point
from floatframe.network.settings import STATES, NetworkSettings
from floatframe.network.simulate import fingerprint, simulate
from floatframe.network.system import NetworkSystem

Numbers = dict[Channel, float]


@dataclass(frozen=True)
class SweptNetwork:
    """A network to be swept: its file, or a `Network` of Python."""

    network: Path | Network

    @property
    def name(self) -> str:
        """What results call it."""
        return self.network.name

    def points(self, study: Study) -> NetworkPoints:
        """What does the study at one point after the other."""
        return NetworkPoints(study, self.network)


def sweep_network(
    network: str | Path | Network, vary: Mapping[str, Any], study: str = "simulate", **more: Any
) -> SweepResult:
    """Do a study at every point of a grid of a network's parameters; arguments and results as of `hybrid.sweep`.

    Settings are those of `NetworkSettings`. The outcome that a function measures is Results, OperatingPoint (of study
    "equilibrium") or NetworkModes ("linear", at="equilibrium" or "start").
    """
    from floatframe.hybrid import sweep

    source = network if isinstance(network, Network) else Path(network)
    return sweep(SweptNetwork(source), vary, study, **more)


class NetworkPoints(Points):
    """Does a study of a network at one point after the other."""

    def __init__(self, study: Study, network: Path | Network) -> None:
        super().__init__(study)
        self._network = network

    def _opened(self, values: Mapping[str, Scalar]) -> tuple[NetworkSystem, Record, Callable[[], NetworkSettings]]:
        """The network of a point, what it records, and how it is integrated."""
        given = {**self.study.parameters, **values}
        settings = {name: value for name, value in self.study.settings.items() if name not in ("n", "at")}
        if (begin := settings.pop("from", None)) is not None:
            settings["state"] = begin
        if isinstance(self._network, Network):
            NetworkSettings.require_known(settings)
            return self._network.compile(given), Record(), lambda: NetworkSettings(**settings)
        file = read_network(self._network, given)
        return file.compile(), file.record(), lambda: self._settings(file, settings)

    def _settings(self, file: NetworkFile, given: Mapping[str, Any]) -> NetworkSettings:
        if "t_end" not in {**file.simulate, **given}:
            raise ModelError(f"{file.path.name} has no t_end in [simulate]; give t_end (on the command line --t-end)")
        return file.settings(**given)

    def text(self, values: Mapping[str, Scalar]) -> str:
        """Return the text of the network file, "" without one."""
        if isinstance(self._network, Network):
            return ""
        return read_network(self._network, {**self.study.parameters, **values}).network.text

    def fingerprint(self) -> str:
        """Return a number for the network at the values of its own, to notice that it was changed."""
        try:
            return fingerprint(self._opened({})[0])
        except FloatframeError:
            return ""

    def require_sound(self, values: Mapping[str, Scalar]) -> dict[str, Any]:
        """Refuse what would fail at all points."""
        if (at := self.study.settings.get("at", STATES[0])) not in STATES:
            raise ModelError(f"sweep: at is '{at}', of a network expected {' or '.join(STATES)}")
        system, record, settings = self._opened(values)
        start = self.study.start
        if self.study.kind == "simulate":
            t_end = settings().t_end
            if start is not None and not start < t_end:
                raise ModelError(
                    f"sweep: measures begin at {start:g} s and the runs end at {t_end:g} s; measure from an earlier "
                    "time (on the command line --from)"
                )
        if not callable(self.study.measure) and self.study.kind != "linear":
            self._measures_of(system, record)
        return {}

    def _done(self, values: Mapping[str, Scalar], stopped: Callable[[], bool] | None) -> tuple[str, str, Numbers]:
        """Return state, sentence and numbers of a point."""
        system, record, settings = self._opened(values)
        measure = self.study.measure
        if self.study.kind == "simulate":
            return self._run(system, record, settings(), stopped)
        if self.study.kind == "equilibrium":
            found = operating_point(system)
            if callable(measure):
                return DONE, "steady", named_numbers(measure(found))
            return DONE, "steady", _numbers_of(found, self._measures_of(system, record))
        at = self.study.settings.get("at", "equilibrium")
        modes = system.linearise(None if at == "start" else operating_point(system))
        if callable(measure):
            return DONE, _stability(modes), named_numbers(measure(modes))
        n = self.study.settings.get("n", LINEAR_MODES)
        numbers = {Channel(f"frequency.{k}", "Hz"): float(x) for k, x in enumerate(modes.frequency[:n], start=1)}
        numbers |= {Channel(f"damping.{k}"): float(x) for k, x in enumerate(modes.damping[:n], start=1)}
        return DONE, _stability(modes), numbers

    def _run(
        self, system: NetworkSystem, record: Record, settings: NetworkSettings, stopped: Callable[[], bool] | None
    ) -> tuple[str, str, Numbers]:
        wanted = self._measures_of(system, record)
        return measured_run(
            self.study, wanted, record, lambda kept, watch: simulate(system, settings, kept, progress=watch), stopped
        )

    def _measures_of(self, system: NetworkSystem, record: Record) -> list[Measure]:
        """What is measured."""
        equations = Equations(system)

        def channels(name: str) -> tuple[Channel, ...]:
            return Observer(equations, Record(channels=(name,))).channels

        def column(name: str) -> tuple[Channel, str]:
            whole = name.rpartition(".")[0]
            try:
                return channels(name)[0], name
            except ModelError:
                for channel in channels(whole) if whole else ():
                    if name in channel.columns:
                        return Channel(name, channel.unit), whole
                raise

        texts = () if callable(self.study.measure) else self.study.measure or record.channels
        return measures_among(MeasureNames(channels, column), texts)


def _numbers_of(found: OperatingPoint, wanted: list[Measure]) -> Numbers:
    """What is wanted of an operating point."""
    channels, row = found.values(tuple(dict.fromkeys(name for one in wanted for name in one.channels)))
    values, first = {}, 0
    for channel in channels:
        values[channel.name] = row[None, first : first + channel.width]
        values |= {name: row[None, first + k] for k, name in enumerate(channel.columns)}
        first += channel.width
    return numbers_at(found.t, values, wanted)


def _stability(modes: NetworkModes) -> str:
    growing = int(modes.unstable.sum())
    return f"unstable: {growing} mode{'s grow' if growing != 1 else ' grows'}" if growing else "stable"
