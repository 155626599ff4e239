"""What a result file says about itself: its channels, the run it comes from, and how that run ended."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError

_PLAIN = json.JSONEncoder(allow_nan=False, ensure_ascii=False)
REASONS = ("running", "finished", "stopped by event", "interrupted", "failed")


@dataclass(frozen=True)
class Channel:
    """One recorded quantity: a scalar, or one column per component ("x", "y", "z")."""

    name: str
    unit: str = ""
    components: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "components", tuple(self.components))
        if not self.name or any(not part or "," in part for part in self.components):
            raise ModelError(
                f"channel '{self.name}' with components {self.components}: names must not be empty, "
                "names of components hold no comma."
            )
        if len(set(self.components)) != len(self.components):
            raise ModelError(f"channel '{self.name}': the components {self.components} are not all different.")

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.components) or 1

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns: "A.force.x", ... or the name itself."""
        return tuple(f"{self.name}.{part}" for part in self.components) or (self.name,)


def column_slices(channels: Sequence[Channel]) -> dict[str, slice]:
    """Return where each channel lies in the columns (nt, ncolumn) of a result, in their order."""
    slices: dict[str, slice] = {}
    first = 0
    for channel in channels:
        if channel.name in slices:
            raise ModelError(f"channel '{channel.name}' is given twice; every channel needs a name of its own.")
        slices[channel.name] = slice(first, first + channel.width)
        first += channel.width
    return slices


def by_name(channels: Sequence[Channel], values: Array) -> dict[str, Array]:
    """Return the columns (nt, ncolumn) of channels by name: (nt,), or (nt, n) where there are components."""
    slices = column_slices(channels)
    return {c.name: values[:, slices[c.name]] if c.components else values[:, slices[c.name].start] for c in channels}


@dataclass(frozen=True)
class ModelSource:
    """The model file of a run: its path as seen from the folder of the results, and its SHA-256; empty for none.

    used: SHA-256 of the files that it names, by these names; none in older results.
    """

    path: str = ""
    sha256: str = ""
    used: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def seen_from(cls, folder: Path, path: Path, sha256: str, used: Mapping[str, str]) -> ModelSource:
        """Return a model file as results in a folder name it; from another drive by its name alone."""
        path, folder = path.resolve(), folder.resolve()
        near = path.drive == folder.drive
        return cls(Path(os.path.relpath(path, folder)).as_posix() if near else path.name, sha256, used)


@short_repr
@dataclass(frozen=True)
class ResultMeta:
    """What a result comes from.

    nq, nv: numbers of coordinates and velocities in a record, 0 where they are not kept; model: text of the model
    file; settings: of the simulation, anything that JSON can hold; statistics: what is reported about each record;
    source: the model file as it was when the run was begun or resumed.
    """

    nq: int
    nv: int
    model: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    statistics: tuple[Channel, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)  # to be kept; `ResultFile.files` has those of a file
    source: ModelSource = ModelSource()

    def __post_init__(self) -> None:
        if self.nq < 0 or self.nv < 0:
            raise ModelError(f"a result has {self.nq} coordinates and {self.nv} velocities; both must be 0 or more.")
        column_slices(self.statistics)
        if not isinstance(self.settings, Mapping):
            raise ModelError("the settings of a simulation must be named values.")
        _ = self.settings_text

    def setting(self, name: str, *kinds: type) -> Any:
        """Return a setting, None if it is not kept; a file may be edited, so one of another kind is refused."""
        found = self.settings.get(name)
        if found is not None and not isinstance(found, kinds):
            raise ModelError(
                f"the setting '{name}' of the run is of the kind {type(found).__name__}, expected "
                f"{' or '.join(kind.__name__ for kind in kinds)}; the file was edited, run the simulation again."
            )
        return found

    @property
    def model_sha256(self) -> str:
        """SHA-256 of the text of the model."""
        return hashlib.sha256(self.model.encode()).hexdigest()

    @property
    def settings_text(self) -> str:
        """The settings as JSON."""
        try:
            return _PLAIN.encode(dict(self.settings))
        except (TypeError, ValueError) as error:
            raise ModelError(f"the settings of a simulation must be plain JSON values: {error}.") from error


def array_widths(channels: Sequence[Channel], meta: ResultMeta) -> dict[str, int]:
    """Return the arrays of a file with their numbers of columns; the first is t, which has one dimension."""
    return {
        "t": 1,
        "q": meta.nq,
        "v": meta.nv,
        "channels/values": sum(channel.width for channel in channels),
        "statistics/values": sum(channel.width for channel in meta.statistics),
    }


@dataclass(frozen=True)
class Status:
    """Why a run ended, or that it goes on.

    reason: one of `REASONS`; message: the sentence for the user; t: simulated time reached [s], NaN before the first
    record; cured_by: what to do about a failure.
    """

    reason: str
    message: str = ""
    t: float = math.nan
    cured_by: str = ""

    def __post_init__(self) -> None:
        if self.reason not in REASONS:
            raise ModelError(f"status '{self.reason}' is unknown; use one of: {', '.join(REASONS)}.")

    @property
    def ok(self) -> bool:
        """Whether the run reached its end or a requested stop."""
        return self.reason in ("finished", "stopped by event")

    def __str__(self) -> str:
        at = "" if math.isnan(self.t) else f" at t = {self.t:.6g} s"
        return " ".join(
            filter(None, (f"{self.reason}{at}" + (":" if self.message else ""), self.message, self.cured_by))
        )
