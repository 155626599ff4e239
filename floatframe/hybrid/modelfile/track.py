"""Reading a railway track from a file of its own, or from the table [track] of another.

Numbers may be expressions of the file's parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from floatframe.errors import FloatframeError, ReadError, Where
from floatframe.expressions import Mistakes, Scope, resolved_parameters
from floatframe.hybrid.modelfile import values as v
from floatframe.hybrid.modelfile.locate import located
from floatframe.hybrid.modelfile.schema import Kind
from floatframe.hybrid.modelfile.track_schema import (
    GRADIENT,
    IRREGULARITIES,
    SECTIONS,
    TOP,
    TRACK,
    TRACK_FORMAT,
    pair,
)
from floatframe.hybrid.modelfile.values import Key, read_keys
from floatframe.railway import GAUGE, Kilometres, Track, read_kilometres
from floatframe.tomlfile import Source, Spot, gathered, read_source
from floatframe.wording import chain, did_you_mean

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")


def read_track(path: str | Path) -> Track:
    """Return the track of a file: TOML with a table [track], or a table of kilometres as .csv."""
    path = Path(path)
    if path.suffix.lower() != ".toml":
        return Track(kilometres=read_kilometres(path), name=path.stem)
    source = read_source(path)
    root = source.root
    if root.value.get("format") != TRACK_FORMAT:
        found = root.inside("format") if "format" in root.value else root
        raise found.error(f'expected format = "{TRACK_FORMAT}" at the top of a track file', "format")
    for key in root.value:
        if key not in TOP:
            raise root.inside(key).error(f"'{key}' is not a table or key of a track file{did_you_mean(key, TOP)}")
    if "track" not in root.value:
        raise root.error("the table [track] is missing, expected sections or kilometres in it", "track")
    name = v.text(root.inside("name")) if "name" in root.value else path.stem
    return track_in(root.inside("track").of("track", name), _scope(source), name)


class TrackOfModel:
    """The table [track] of a model file, which may use the parameters of the model; made once for their values."""

    def __init__(self, spot: Spot, name: str) -> None:
        self._spot, self._name = spot.of("track", name), name
        self._made: tuple[Mapping[str, float], Track] | None = None

    @property
    def table(self) -> Mapping[str, Any]:
        """What stands in it."""
        return self._spot.value

    @property
    def folder(self) -> Path:
        """Where the files are that it names."""
        return self._spot.source.path.parent

    def __call__(self, scope: Scope) -> Track:
        """Return the track at values of the parameters."""
        values = dict(scope.parameters)
        if self._made is None or self._made[0] != values:
            self._made = values, self._track(scope)
        return self._made[1]

    def _track(self, scope: Scope) -> Track:
        if isinstance(self._spot.value, dict) and set(self._spot.value) == {"file"}:
            return read_track(v.path(self._spot.inside("file")))
        return track_in(self._spot, scope, self._name)


def track_in(spot: Spot, scope: Scope, name: str) -> Track:
    """Return the track of a table [track], all mistakes in it with their lines at once."""
    given = read_keys(spot, TRACK, "[track]")
    mistakes: list[FloatframeError] = []
    lists: dict[str, Any] = {
        "sections": _all(given.pop("section", ()), lambda one: _typed(one, SECTIONS, scope), mistakes),
        "gradients": _all(given.pop("gradient", ()), lambda one: _made(one, GRADIENT, "a gradient", scope), mistakes),
        "irregularities": _all(given.pop("irregularity", ()), lambda one: _typed(one, IRREGULARITIES, scope), mistakes),
    }
    table = given.pop("kilometres", None)
    settings = dict(_all(given, lambda key: (key, _value(spot, key, given[key], TRACK, scope)), mistakes))
    if mistakes:
        raise gathered(mistakes, spot.source.path)
    try:
        kilometres = None if table is None else _kilometres(spot, table, settings.get("gauge", GAUGE))
        track = Track(**lists, kilometres=kilometres, **settings, name=name)
        track.require_rails()
    except FloatframeError as error:
        raise located(spot, error) from None
    return track


def _kilometres(spot: Spot, given: Mapping[str, Any], gauge: float) -> Kilometres:
    try:
        if ("file" in given) == ("s" in given):
            raise Where(field="file").error("found no table, or two; expected file, or s and curvature")
        if "file" in given:
            return read_kilometres(given["file"], given.get("shape", "linear"), gauge)
        return Kilometres(**{"curvature": (), **given})
    except FloatframeError as error:
        raise located(spot.inside("kilometres"), error) from None


def _all(given: Iterable[_Given], make: Callable[[_Given], _Made], mistakes: list[FloatframeError]) -> list[_Made]:
    """Return what is made of all that is given; what is wrong is added to the mistakes."""
    made = []
    for one in given:
        try:
            made.append(make(one))
        except FloatframeError as error:
            mistakes.append(error)
    return made


def _typed(spot: Spot, kinds: Mapping[str, Kind], scope: Scope) -> Any:
    if "type" not in spot.value:
        raise spot.error(f"'type' is missing, expected one of {chain(tuple(kinds), 'or')}", "type")
    kind = v.choice(*kinds)(spot.inside("type"))
    noun = "measured record" if kind == "measured" else kind
    return _made(spot, kinds[kind], f"a {noun}", scope)


def _made(spot: Spot, kind: Kind, what: str, scope: Scope) -> Any:
    found = read_keys(spot, kind.keys, what)
    found = {key: _value(spot, key, value, kind.keys, scope) for key, value in found.items() if key != "type"}
    try:
        return kind.made(found)
    except ReadError as error:
        raise located(spot, error) from None
    except FloatframeError as error:
        raise located(spot, Where(what, field=error.field).error(str(error))) from None


def _value(spot: Spot, key: str, raw: Any, keys: Mapping[str, Key], scope: Scope) -> Any:
    """Return a value with its expressions worked out."""
    if keys[key].read not in (v.number, v.numbers, pair):
        return raw
    try:
        where = Where(key, field=key)
        return [scope.number(one, where) for one in raw] if isinstance(raw, list) else scope.number(raw, where)
    except FloatframeError as error:
        raise located(spot, error) from None


def _scope(source: Source) -> Scope:
    """Return the parameters of a file as numbers."""
    if "parameters" not in source.content:
        return Scope()
    spot, mistakes = source.root.inside("parameters"), Mistakes()
    found = resolved_parameters(v.named_numbers(spot), Scope(), Where("track"), mistakes)
    if mistakes.found:
        raise gathered([located(replace(source.root, subject=None), error) for error in mistakes.found], source.path)
    return Scope(found)
