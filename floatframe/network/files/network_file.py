"""A network file: the network and what is to be done with it.

file = read_network("filter.toml", {"R": 50.0})
result = file.compile().simulate(settings=file.settings(), record=file.record())
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from floatframe.errors import FloatframeError, ModelError, ReadError, Where
from floatframe.expressions import Scalar, Scope
from floatframe.hybrid import Record
from floatframe.io import complete_file
from floatframe.network.files.fragment import read_fragment
from floatframe.network.files.places import Places
from floatframe.network.files.recognised import FRAGMENT_SUFFIX, is_fragment
from floatframe.network.files.toml_form import read_toml
from floatframe.network.network import Network
from floatframe.network.settings import NetworkSettings
from floatframe.network.system import NetworkSystem
from floatframe.network.writing import fragment_text, network_text
from floatframe.tomlfile import parsed_source
from floatframe.userfiles import file_bytes

_TEXTS = ("method", "step_rule", "events", "iterations", "state")  # settings that are not numbers
_KEPT = ("channels", "coordinates", "model")


@dataclass(frozen=True, eq=False)
class NetworkFile:
    """A network, the tables [record] and [simulate] of its file, and where things stand in it."""

    path: Path
    network: Network
    places: Places = field(repr=False)
    kept: Mapping[str, Any] = field(default_factory=dict)
    simulate: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Scalar] = field(default_factory=dict)  # other values than those of the file

    def compile(self) -> NetworkSystem:
        """Return the network ready to be simulated; mistakes have their lines."""
        with self.placed():
            return self.network.compile(self.parameters)

    def settings(self, **given: Any) -> NetworkSettings:
        """How to integrate; given: settings in place of those of the file, where they are not None."""
        given = {"state" if name == "from" else name: value for name, value in given.items() if value is not None}
        chosen = {"state" if name == "from" else name: value for name, value in self.simulate.items()} | given
        if "step" in given and not {"rtol", "atol"} & given.keys():
            chosen = {name: value for name, value in chosen.items() if name not in ("rtol", "atol")}
        if {"rtol", "atol"} & given.keys() and "step" not in given:
            chosen.pop("step", None)
        NetworkSettings.require_known(given)
        with self.placed():
            return NetworkSettings(**self._numbers("simulate", chosen, _TEXTS))

    def record(self) -> Record:
        """What to keep."""
        with self.placed():
            return Record(**self._numbers("record", self.kept, _KEPT))

    def _numbers(self, table: str, values: Mapping[str, Any], texts: tuple[str, ...]) -> dict[str, Any]:
        """Settings with expressions of parameters worked out."""
        scope = Scope(self.network.resolved(self.parameters))
        where = Where.of(table, "")
        found = dict(values)
        for name, value in values.items():
            if name not in texts and isinstance(value, str | int):
                found[name] = scope.number(value if isinstance(value, str) else float(value), where.key(name))
        return found

    @contextmanager
    def placed(self) -> Iterator[None]:
        """Let errors have their line in the file."""
        try:
            yield
        except ModelError as error:
            raise self.places.located(error) from error


def read_network(path: str | Path, parameters: Mapping[str, Scalar] | None = None) -> NetworkFile:
    """Read a network from TOML or a fragment; all mistakes are reported at once, with their lines."""
    path = Path(path)
    try:
        raw = file_bytes(path)
    except OSError as error:
        raise ReadError(f"{path}: cannot be read: {error.strerror or error}", path=path) from None
    return network_of(raw, path, parameters)


def network_of(raw: bytes, path: Path, parameters: Mapping[str, Scalar] | None = None) -> NetworkFile:
    """Read a network from the bytes of a file; files that it names are beside `path`."""
    network, places = Network(path.stem), Places(path)
    record: dict[str, Any] = {}
    simulate: dict[str, Any] = {}
    text = raw.decode("utf-8", errors="replace")
    if is_fragment(text) or path.suffix.lower() == FRAGMENT_SUFFIX:
        read_fragment(raw, network, places)
    else:
        record, simulate = read_toml(parsed_source(path, raw), network, places, parameters or {})
    places.raise_mistakes()
    network.text = text
    return NetworkFile(path, network, places, record, simulate, dict(parameters or {}))


def write_network(path: str | Path, network: Network) -> None:
    """Write a network, by the suffix of the file: TOML, or a fragment (.pradis)."""
    path = Path(path)
    fragment = path.suffix.lower() == FRAGMENT_SUFFIX
    if not fragment and path.suffix.lower() != ".toml":
        raise FloatframeError(f"'{path}': networks are written as .toml or {FRAGMENT_SUFFIX}, found '{path.suffix}'")
    text = fragment_text(network) if fragment else network_text(network, path.parent)
    with complete_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
