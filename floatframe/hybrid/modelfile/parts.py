"""From the tables of model files to bodies, joints, forces and instances of parts; where each stands is remembered."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from floatframe.errors import FloatframeError, ModelError
from floatframe.expressions import ANY, Mistakes, Scalar, Table
from floatframe.hybrid.description import (
    Assembly,
    FlexibleBody,
    Instance,
    Item,
    RigidBody,
    Signal,
    Stage,
    StateVariable,
    Subsystem,
    checked_name,
)
from floatframe.hybrid.modelfile.locate import located
from floatframe.hybrid.modelfile.schema import (
    BLOCKS,
    BODY,
    FLEXIBLE,
    FORCES,
    FORMAT,
    JOINTS,
    NO_FILE_KINDS,
    PART_TABLES,
    SIGNAL,
    STAGE,
    STATE,
    SUBSYSTEM,
    TOP,
    Kind,
)
from floatframe.hybrid.modelfile.values import named_numbers, one_table, read_keys, text
from floatframe.hybrid.modelfile.vehicle_schema import VEHICLE_PARTS
from floatframe.tomlfile import Source, Spot, read_source, shown
from floatframe.wording import did_you_mean

Made = TypeVar("Made", bound=Assembly)
# makes an assembly of its parameters and tables
Make = Callable[[dict[str, Scalar], dict[str, Table]], Made]


@dataclass(frozen=True, eq=False)
class Origin:
    """Where an assembly and its items are written."""

    root: Spot
    items: dict[str, Spot] = field(default_factory=dict)


_NETWORKS = "networks are for simulate, equilibrium, linear, sweep, info, view and report"


def checked_format(source: Source) -> None:
    """Refuse a TOML file that is not a model file."""
    root = source.root
    if "format" not in root.value:
        words = f'format is missing, expected format = "{FORMAT}" at the top of a model file'
        place = root.inside("element") if "element" in root.value else root
        others = '"floatframe-network/1" at that of a network, "floatframe-mesh/1" at that of a mesh file'
        raise place.error(f"{words}, {others}", "format")
    if str(root.value["format"]).startswith("floatframe-network/"):
        raise root.inside("format").wrong(f'"{FORMAT}"; {_NETWORKS}')
    if root.value["format"] != FORMAT:
        raise root.inside("format").wrong(f'"{FORMAT}"')


def require_known(spot: Spot, known: Mapping[str, str], what: str, mistakes: Mistakes) -> None:
    """Refuse unknown keys of a table that holds other tables."""
    if not isinstance(spot.value, dict):
        raise spot.wrong("a table")
    for key in spot.value:
        if key not in known:
            inside = spot.inside(key)
            lost = [leaf.value for leaf in inside.leaves() if leaf.path[-1] == "name" and isinstance(leaf.value, str)]
            words = f"'{key}' is not a table or key of {what}{did_you_mean(key, known)}"
            mistakes.add(inside.error(words), *lost, *(inside.value if isinstance(inside.value, dict) else ()))


def model_name(source: Source) -> str:
    """Return the name that a file gives, or one made of its own name."""
    if "name" in source.content:
        spot = source.root.inside("name")
        try:
            return checked_name(text(spot), "model")
        except ModelError as error:
            raise located(spot, error) from None
    try:
        return checked_name(re.sub(r"\W", "_", source.path.stem), "model")
    except ModelError:
        return "model"


MOST_READS = 2000  # of parts of one model


class PartReader:
    """Reads a model file and all parts it uses, each part once."""

    def __init__(self) -> None:
        self.origins: dict[Assembly, Origin] = {}
        self.sources: dict[Path, Source] = {}
        self.mistakes = Mistakes()
        self._parts: dict[tuple[Path, str], Subsystem] = {}
        self._open: list[tuple[Path, str]] = []  # parts that are being read, outermost first
        self._reads = 0  # of parts

    def source(self, path: Path) -> Source:
        """Return a model file, read once."""
        key = path.resolve()
        return self.sources[key] if key in self.sources else self.kept(read_source(path))

    def kept(self, source: Source) -> Source:
        """Take in what was read or kept elsewhere."""
        checked_format(source)
        self.sources[source.path.resolve()] = source
        require_known(source.root, TOP, "a model file", self.mistakes)
        return source

    def model(self, source: Source, make: Make[Made]) -> Made:
        """Return the model in a file."""
        with self._reading((source.path.resolve(), ""), source.root):
            model = self._assembly(source.root, make)
            self._all_defined(source)
        return model

    def _assembly(self, root: Spot, make: Make[Made]) -> Made:
        tables = {}
        for name, spot in self._tables(root, "tables").items():
            with self.mistakes.of(name):
                if not name.isidentifier():
                    raise spot.error(f"'{name}' cannot be the name of a table; choose a word of letters, digits, _")
                tables[name] = one_table(spot.of("table", name, f"table '{name}'"))
        root = replace(root, tables=tables)
        parameters: dict[str, Scalar] = {}
        if "parameters" in root.value:
            given = root.inside("parameters")
            with self.mistakes.of(*(given.value if isinstance(given.value, dict) else (ANY,))):
                parameters = named_numbers(given)
        try:
            assembly = make(parameters, tables)
        except FloatframeError as error:
            self.mistakes.add(located(root, error), *parameters)
            assembly = make({}, {})
        origin = self.origins[assembly] = Origin(root)
        readers: dict[str, Callable[[Assembly, Spot], Any]] = {
            "body": _one(lambda spot: RigidBody(**read_keys(spot, BODY, "a body"))),
            "flexible": _one(_flexible),
            **VEHICLE_PARTS,
            "subsystem": _one(self._instance),
            "joint": _one(lambda spot: _of_kind(spot, JOINTS)),
            "force": _one(lambda spot: _of_kind(spot, FORCES)),
            "state": _one(lambda spot: StateVariable(**read_keys(spot, STATE, "a state"))),
            "signal": _one(lambda spot: Signal(**read_keys(spot, SIGNAL, "a signal"))),
            "block": _one(lambda spot: _of_kind(spot, BLOCKS)),
            "stage": _one(lambda spot: Stage(**read_keys(spot, STAGE, "a stage"))),
        }
        for kind, read in readers.items():
            entries: list[Spot] = []
            with self.mistakes.of(ANY):
                entries = _entries(root, kind)
            for spot in entries:
                try:
                    self._add(assembly, origin, spot, read)
                except FloatframeError as error:
                    self.mistakes.add(error, *({ANY} if kind in VEHICLE_PARTS else _lost_names(spot, error)))
        return assembly

    def _add(self, assembly: Assembly, origin: Origin, spot: Spot, add: Callable[[Assembly, Spot], Any]) -> None:
        name = spot.value.get("name")
        if isinstance(name, str) and name in origin.items:
            first = origin.items[name]
            raise spot.inside("name").error(f"the name is used already, in line {first.line}; choose another one")
        known = set(assembly.items)
        try:
            add(assembly, spot)
        except FloatframeError as error:
            raise located(spot, error) from None
        origin.items.update(dict.fromkeys(assembly.items.keys() - known, spot))

    def _instance(self, spot: Spot) -> Instance:
        values = read_keys(spot, SUBSYSTEM, "a subsystem")
        file, define = values.pop("file", None), values.pop("use", None)
        if (file is None) == (define is None):
            raise spot.error("expected either file, another model file, or use, the NAME of a [define.NAME]")
        if file is not None:
            part = self._part(file, spot.inside("file"))
        else:
            part = self._defined(spot.source, define, spot.inside("use"))
        return part.instance(**values)

    def _part(self, path: Path, spot: Spot) -> Subsystem:
        """Return a model file as a part."""
        key = (path.resolve(), "")
        with self._reading(key, spot):
            if key not in self._parts:
                self._count_reading(spot)
                source = self.source(path)
                self._parts[key] = self._assembly(source.root, _subsystem(model_name(source)))
                self._all_defined(source)
        return self._parts[key]

    def _all_defined(self, source: Source) -> None:
        """Read the parts that a file defines, also those it does not use."""
        for name in self._tables(source.root, "define"):
            with self.mistakes.of(name):
                self._defined(source, name, source.root)

    def _defined(self, source: Source, name: str, spot: Spot) -> Subsystem:
        """Return a part that a file defines."""
        known = self._tables(source.root, "define")
        if name not in known:
            raise spot.error(f"[define.{name}] does not exist in this file{did_you_mean(name, known)}", missing=name)
        key = (source.path.resolve(), name)
        with self._reading(key, spot):
            if key not in self._parts:
                self._count_reading(spot)
                require_known(known[name], PART_TABLES, "a part", self.mistakes)
                self._parts[key] = self._assembly(known[name].of("model", name), _subsystem(name))
        return self._parts[key]

    def _count_reading(self, spot: Spot) -> None:
        """Refuse to read parts without end: one with a mistake is read again for every instance."""
        self._reads += 1
        if self._reads > MOST_READS:
            raise spot.error(f"more than {MOST_READS} parts would be read; leave some instances out")

    @contextmanager
    def _reading(self, key: tuple[Path, str], spot: Spot) -> Iterator[None]:
        """Refuse a part that contains itself."""
        if key in self._open:
            circle = [*self._open[self._open.index(key) :], key]
            names = " -> ".join(define or path.name for path, define in circle)
            raise spot.error(f"parts contain each other, {names}; take one of them out")
        self._open.append(key)
        try:
            yield
        finally:
            self._open.pop()

    def _tables(self, root: Spot, key: str) -> dict[str, Spot]:
        """Return the tables under [key.NAME]."""
        if key not in root.value:
            return {}
        spot = root.inside(key)
        if not isinstance(spot.value, dict) or not all(isinstance(value, dict) for value in spot.value.values()):
            self.mistakes.add(spot.wrong(f"tables of their own, one [{key}.NAME] each"), ANY)
            return {}
        return {name: spot.inside(name) for name in spot.value}


def _one(read: Callable[[Spot], Item]) -> Callable[[Assembly, Spot], Item]:
    """Return what reads one thing and adds it."""
    return lambda assembly, spot: assembly.add(read(spot))


def _lost_names(spot: Spot, error: FloatframeError) -> set[str]:
    """Return the name of an item that could not be made; any name if its own is wrong."""
    name = spot.value.get("name")
    if not isinstance(name, str):
        return {ANY}
    return {name, *(ANY for problem in error.problems if problem.field == "name")}


def _subsystem(name: str) -> Make[Subsystem]:
    return lambda parameters, tables: Subsystem(name, parameters, tables)


_SUBJECTS = {
    "flexible": "body",
    "wheelset": "body",
    "bogie": "body",
    "track_frame": "body",
}  # table -> kind of thing, where they differ


def _entries(root: Spot, kind: str) -> list[Spot]:
    """Return the tables [[kind]], labelled by their names."""
    if kind not in root.value:
        return []
    spot = root.inside(kind)
    if not isinstance(spot.value, list) or not all(isinstance(value, dict) for value in spot.value):
        raise spot.wrong(f"a list of tables; open every one with double brackets, [[{kind}]]")
    found = []
    for number, entry in enumerate(spot.entries(), start=1):
        name = entry.value.get("name")
        label = f"{kind} '{name}'" if isinstance(name, str) else f"{kind} number {number}"
        found.append(entry.of(_SUBJECTS.get(kind, kind), name if isinstance(name, str) else "", label))
    return found


def _flexible(spot: Spot) -> FlexibleBody:
    values = read_keys(spot, FLEXIBLE, "a flexible body")
    return FlexibleBody(body=values.pop("file"), **values)


def _of_kind(spot: Spot, kinds: Mapping[str, Kind]) -> Any:
    """Return a joint, force or block by its type."""
    if "type" not in spot.value:
        raise spot.error(f"'type' is missing, expected one of {', '.join(kinds)}", "type")
    kind = spot.value["type"]
    if isinstance(kind, str) and kind in NO_FILE_KINDS:
        raise spot.inside("type").error(NO_FILE_KINDS[kind])
    if not isinstance(kind, str) or kind not in kinds:
        near = did_you_mean(kind, kinds) if isinstance(kind, str) else f"; expected one of {', '.join(kinds)}"
        raise spot.inside("type").error(f"unknown type {shown(kind)}{near}")
    values = read_keys(spot, kinds[kind].keys, f"a {kind}")
    del values["type"]
    return kinds[kind].made(values)
