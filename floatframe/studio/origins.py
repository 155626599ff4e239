"""What a file holds and what it was made of, found without reading it as a whole."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from floatframe.errors import FloatframeError
from floatframe.network import is_network_text
from floatframe.tomlfile import files_in

_LARGEST_TEXT = 5_000_000  # bytes of a model file
_MARKS = {"floatframe-fe-model": "model", "input.fum-hdf5": "body", "floatframe-sweep": "sweep"}


@dataclass(frozen=True)
class Origin:
    """The kind of a file and its sources.

    name: of the machine or network, which runs and sweeps of it have too; source, source_sum: file and SHA-256 of what
    a body, run or sweep was made of, "" where they are not kept; uses: files that a model file names; used: for a run
    their names and SHA-256 as they were, none where they are not kept; incomplete: a run or sweep was stopped before
    its end.
    """

    kind: str
    name: str = ""
    source: str = ""
    source_sum: str = ""
    uses: tuple[str, ...] = ()
    used: tuple[tuple[str, str], ...] = ()
    incomplete: bool = False


def origin_of(path: Path) -> Origin:
    """Return what is in a file; one that cannot be read, or is of no known kind, is "other"."""
    try:
        suffix = path.suffix.lower()
        if suffix == ".toml":
            return _of_toml(path)
        if suffix in (".h5", ".hdf5"):
            return _of_hdf5(path)
        if suffix == ".fum":
            return Origin("body")
        return Origin("model") if suffix in deck_suffixes() else Origin("other")
    except (FloatframeError, OSError, ValueError, KeyError, RecursionError):  # the last: brackets in brackets
        return Origin("other")


def deck_suffixes() -> frozenset[str]:
    """Return the suffixes of finite element models and decks that can be read."""
    from floatframe.io import formats

    ours = (".toml", ".h5", ".hdf5", ".fum", ".csv", ".txt")
    return frozenset(s for form in formats() if form.read or form.load for s in form.suffixes if s not in ours)


def _of_toml(path: Path) -> Origin:
    raw = path.read_bytes() if path.stat().st_size < _LARGEST_TEXT else b""
    content = tomllib.loads(raw.decode("utf-8-sig"))
    stated = str(content.get("format", ""))
    if path.name.lower().endswith(".props.toml"):
        return Origin("properties")
    for start, kind in (("floatframe-mesh", "model"), ("floatframe-network", "network"), ("floatframe-track", "track")):
        if stated.startswith(start):
            return Origin(kind, str(content.get("name", path.stem)) if kind == "network" else "")
    if not stated.startswith("floatframe-model"):
        return Origin("other")
    return Origin("machine", str(content.get("name", path.stem)), uses=tuple(files_in(content)))


def _of_hdf5(path: Path) -> Origin:
    import h5py

    from floatframe.io import is_result_file, is_sweep_file, mark_of

    if is_sweep_file(path):
        return _of_sweep(path)
    if is_result_file(path):
        return _of_run(path)
    mark = mark_of(path) or ""
    kind = _MARKS.get(mark, "modes" if "modes" in mark else "other")
    if kind != "body":
        return Origin(kind)
    with h5py.File(path, "r") as file:
        return Origin("body", source=Path(_word(file, "source")).name, source_sum=_word(file, "source_hash"))


def _of_run(path: Path) -> Origin:
    from floatframe.io import ResultFile, read

    run = read(path)
    if not isinstance(run, ResultFile):
        return Origin("other")
    incomplete = run.status.reason in ("running", "interrupted", "failed")
    source = run.meta.source
    # networks keep the text of their file as it is, machines a text written for the run
    own = source.sha256 or (text_sum(run.meta.model) if is_network_text(run.meta.model) else "")
    return Origin("run", _name_in(run.meta), source.path, own, used=tuple(source.used.items()), incomplete=incomplete)


def _of_sweep(path: Path) -> Origin:
    from floatframe.io import SweepResult, read

    sweep = read(path)
    if not isinstance(sweep, SweepResult):
        return Origin("other")
    file = str(sweep.settings.get("model", "")) if sweep.model else ""
    return Origin("sweep", _name_in(sweep), file, text_sum(sweep.model), incomplete=sweep.nwaiting > 0)


def _name_in(computed: Any) -> str:
    """Return the name of the model whose text a run or sweep has kept, "" for none."""
    try:
        return str(tomllib.loads(computed.model).get("name", ""))
    except tomllib.TOMLDecodeError:
        return ""


def text_sum(text: str) -> str:
    """Return the SHA-256 of a text whatever its line breaks, "" for none."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
    return hashlib.sha256(plain.encode()).hexdigest() if plain else ""


def _word(file: Any, name: str) -> str:
    """Return an attribute of a file or of its title as text."""
    for place in (file, file.get("title")):
        if place is not None and name in place.attrs:
            value = place.attrs[name]
            return value.decode() if isinstance(value, bytes) else str(value)
    return ""
